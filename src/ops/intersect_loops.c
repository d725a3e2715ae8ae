/* The inner loops of intersections: plain C, and AVX2 where it is there.
 *
 * The vector merge compares eight numbers of one list with eight of the
 * other, in all eight rotations, and goes on in the list whose eight end
 * first (Inoue, Ohara, Taura, VLDB 2014, all pairs of a block).  The rows are
 * counted by nibbles (Mula, Kurz, Lemire, Computer Journal 2018).
 */
#include "ops/intersect.h"

#include "base/bits.h"
#include "base/compiler.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HAS_AVX2 1
#else
#define HAS_AVX2 0
#endif

static size_t merge_plain(const hy_vid *a, size_t na, const hy_vid *b,
                          size_t nb)
{
    size_t n = 0, i = 0, k = 0;
    while (i < na && k < nb) {
        const hy_vid x = a[i], y = b[k];
        n += x == y;
        i += x <= y;
        k += y <= x;
    }
    return n;
}

static uint64_t rows_plain(const uint64_t *x, const uint64_t *y, size_t n)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += bits_count(x[i] & y[i]);
    return sum;
}

#if HAS_AVX2

HY_TARGET("avx2,popcnt")
static size_t merge_avx2(const hy_vid *a, size_t na, const hy_vid *b, size_t nb)
{
    size_t n = 0, i = 0, k = 0;
    const __m256i turn = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
    while (i + 8 <= na && k + 8 <= nb) {
        const __m256i x = _mm256_loadu_si256((const __m256i_u *)(a + i));
        __m256i y = _mm256_loadu_si256((const __m256i_u *)(b + k));
        const hy_vid last_x = a[i + 7], last_y = b[k + 7];
        __m256i hits = _mm256_cmpeq_epi32(x, y);
        for (int round = 1; round < 8; round++) {
            y = _mm256_permutevar8x32_epi32(y, turn);
            hits = _mm256_or_si256(hits, _mm256_cmpeq_epi32(x, y));
        }
        n += (size_t)__builtin_popcount(
            (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(hits)));
        i += last_x <= last_y ? 8 : 0;
        k += last_y <= last_x ? 8 : 0;
    }
    return n + merge_plain(a + i, na - i, b + k, nb - k);
}

HY_TARGET("avx2,popcnt")
static uint64_t rows_avx2(const uint64_t *x, const uint64_t *y, size_t n)
{
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i table =
        _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1,
                         1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    __m256i sum = _mm256_setzero_si256();
    for (size_t i = 0; i < n;) {
        /* bytes of 8 at most, 31 times: no byte overflows */
        const size_t end = n - i > 31 * 4 ? i + 31 * 4 : n;
        __m256i bytes = _mm256_setzero_si256();
        for (; i < end; i += 4) {
            const __m256i word = _mm256_and_si256(
                _mm256_loadu_si256((const __m256i_u *)(x + i)),
                _mm256_loadu_si256((const __m256i_u *)(y + i)));
            const __m256i lows =
                _mm256_shuffle_epi8(table, _mm256_and_si256(word, low));
            const __m256i highs = _mm256_shuffle_epi8(
                table, _mm256_and_si256(_mm256_srli_epi16(word, 4), low));
            bytes = _mm256_add_epi8(bytes, _mm256_add_epi8(lows, highs));
        }
        sum = _mm256_add_epi64(sum,
                               _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
    }
    uint64_t parts[4];
    _mm256_storeu_si256((__m256i_u *)parts, sum);
    return parts[0] + parts[1] + parts[2] + parts[3];
}

#endif

const struct ops_intersect *ops_intersect_best(void)
{
    static const struct ops_intersect plain = { merge_plain, rows_plain, 16 };
#if HAS_AVX2
    static const struct ops_intersect avx2 = { merge_avx2, rows_avx2, 160 };
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        return &avx2;
#endif
    return &plain;
}
