/* Ids by lines of the cache. */
#ifndef OPS_LINE_H
#define OPS_LINE_H

#include "base/compiler.h"

#include <hypha/base.h>

enum { OPS_LINE = 64 / sizeof(hy_vid) }; /* ids */

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* The last ids of a run, n of them, 1 to OPS_LINE; 0 where there is none.  How
 * many are left over is different each time, and a loop over so many ends
 * before the processor knows: all of a line can be looked at instead. */
HY_AVX2
static inline void ops_load_last(const hy_vid *v, uint32_t n, hy_vid *to)
{
    enum { HALF = OPS_LINE / 2 };
    const __m256i first = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (int i = 0; i < OPS_LINE; i += HALF) {
        const __m256i left = _mm256_set1_epi32((int)n - i);
        const __m256i has = _mm256_cmpgt_epi32(left, first);
        const __m256i id = _mm256_maskload_epi32((const int *)v + i, has);
        _mm256_storeu_si256((__m256i_u *)(to + i), id);
    }
}
#endif

#endif
