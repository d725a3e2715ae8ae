/* Ids of a block eight at a time, or all of a short block at once, without a
 * branch but the end of a loop: quad.h says how.  Where there is AVX2.
 *
 * How many turns a loop takes follows from the number of ids alone, and is
 * known before they have come from memory; so a block is gone through as a
 * whole.
 */
#ifndef STORE_OCT_H
#define STORE_OCT_H

#include "store/quad.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_OCTS 1

#include <immintrin.h>

typedef __m256i oct;

enum { OCT = sizeof(oct) / sizeof(hy_vid) };

HY_AVX2
HY_INLINE quad quad_least(quad x, quad y)
{
    return (quad)_mm_min_epu32((__m128i)x, (__m128i)y);
}

HY_AVX2
HY_INLINE quad quad_most(quad x, quad y)
{
    return (quad)_mm_max_epu32((__m128i)x, (__m128i)y);
}

/* All bits of the lanes of quad j from the n-th id on. */
HY_INLINE quad quad_past(uint32_t n, uint32_t j)
{
    typedef int32_t signed_quad __attribute__((vector_size(UNIT)));
    const int32_t at = (int32_t)(j * QUAD), last = (int32_t)n - 1;
    const signed_quad place = { at, at + 1, at + 2, at + 3 };
    return (quad)(place > (signed_quad){ last, last, last, last });
}

HY_AVX2
HY_INLINE quad quad_with(quad before, quad x, quad v)
{
    return quad_most(quad_up(before, x), quad_least(x, v));
}

HY_AVX2
HY_INLINE quad quad_without(quad x, quad next, quad v)
{
    const quad is_behind = (quad)(quad_most(x, v) == x);
    return (quad)_mm_blendv_epi8((__m128i)x, (__m128i)next, (__m128i)is_behind);
}

/* ---- short blocks -------------------------------------------------------- */

enum { UNITS_FEW = 8 };

/* Inserts v into n ids in a block of so many units, more than they fill; false:
 * it is there. */
HY_AVX2
HY_INLINE bool units_insert(hy_vid *id, uint32_t n, hy_vid v, uint32_t units)
{
    const quad is = quad_of(v);
    quad x[UNITS_FEW], hit = { 0 }, before = { 0 };
    for (uint32_t j = 0; j < units; j++) {
        x[j] = quad_get(id, j) | quad_past(n, j); /* no id is that large */
        hit |= (quad)(x[j] == is);
    }
    if (HY_UNLIKELY(quad_is_any(hit)))
        return false;
    for (uint32_t j = 0; j < units; j++) {
        quad_put(id, j, quad_with(before, x[j], is));
        before = x[j];
    }
    return true;
}

/* Takes v out; false: it is not there. */
HY_AVX2
HY_INLINE bool units_delete(hy_vid *id, uint32_t n, hy_vid v, uint32_t units)
{
    const quad is = quad_of(v);
    quad x[UNITS_FEW + 1], hit = { 0 };
    for (uint32_t j = 0; j < units; j++) {
        x[j] = quad_get(id, j);
        hit |= (quad)(x[j] == is) & ~quad_past(n, j);
    }
    if (HY_UNLIKELY(!quad_is_any(hit)))
        return false;
    x[units] = x[units - 1];
    for (uint32_t j = 0; j < units; j++)
        quad_put(id, j, quad_without(x[j], quad_down(x[j], x[j + 1]), is));
    return true;
}

/* ---- others -------------------------------------------------------------- */

HY_AVX2
HY_INLINE oct oct_get(const hy_vid *id, uint32_t i)
{
    return _mm256_loadu_si256(
        (const oct *)(const void *)(id + (size_t)i * OCT));
}

HY_AVX2
HY_INLINE void oct_put(hy_vid *id, uint32_t i, oct x)
{
    _mm256_storeu_si256((oct *)(void *)(id + (size_t)i * OCT), x);
}

HY_AVX2
HY_INLINE quad oct_end(oct x)
{
    return (quad)_mm256_extracti128_si256(x, 1);
}

/* The last four of x, and the first four of what is behind them. */
HY_AVX2
HY_INLINE oct oct_middle(oct x, oct behind)
{
    return _mm256_permute2x128_si256(x, behind, 0x21);
}

HY_AVX2
HY_INLINE oct oct_with(oct before, oct x, oct v)
{
    const oct up = _mm256_alignr_epi8(x, oct_middle(before, x), 12);
    return _mm256_max_epu32(up, _mm256_min_epu32(x, v));
}

/* `middle`: of x and what is behind it. */
HY_AVX2
HY_INLINE oct oct_without(oct x, oct middle, oct v)
{
    const oct down = _mm256_alignr_epi8(middle, x, 4);
    const oct is_behind = _mm256_cmpeq_epi32(_mm256_max_epu32(x, v), x);
    return _mm256_blendv_epi8(x, down, is_behind);
}

/* Where to begin with v in a long block: in an oct that is likely to lie before
 * it, as ids are spread evenly if by nothing else than by chance. */
HY_INLINE uint32_t octs_start(struct spread even, hy_vid v, uint32_t n)
{
    const uint32_t at = (uint32_t)guess(even, v, n), less = n / 8 + OCT;
    return at > less ? (at - less) / OCT : 0;
}

/* ... or at the first one, if it does not. */
HY_INLINE uint32_t octs_start_checked(const hy_vid *id, uint32_t start,
                                      hy_vid v)
{
    return HY_LIKELY(!start || id[start * OCT - 1] < v) ? start : 0;
}

/* Writes n ids, 0 or more, with v between them to `to`, the same block from oct
 * `start` on or another one; false: it was there, and is there twice now. */
HY_AVX2
HY_INLINE bool octs_insert_into(hy_vid *to, const hy_vid *id, uint32_t n,
                                hy_vid v, uint32_t start)
{
    const oct is = _mm256_set1_epi32((int)v);
    const quad few = quad_of(v);
    const uint32_t full = n / OCT, q = 2 * full, last = n / QUAD;
    const uint32_t most = n ? (n - 1) / QUAD : 0; /* of those that are there */
    oct before = _mm256_set1_epi32(start ? (int)id[start * OCT - 1] : 0);
    oct hit = _mm256_setzero_si256();
    const quad x = quad_get(id, q < most ? q : most) | quad_past(n, q);
    const quad y = quad_get(id, most) | quad_past(n, last);
    for (uint32_t i = start; i < full; i++) {
        const oct here = oct_get(id, i);
        oct_put(to, i, oct_with(before, here, is));
        hit = _mm256_or_si256(hit, _mm256_cmpeq_epi32(here, is));
        before = here;
    }
    quad_put(to, q, quad_with(oct_end(before), x, few));
    quad_put(to, last, quad_with(last > q ? x : oct_end(before), y, few));
    const quad end = (quad)(x == few) | (quad)(y == few);
    return _mm256_testz_si256(hit, hit) && !quad_is_any(end);
}

/* Takes v out of n ids; false: it is not there. */
HY_AVX2
HY_INLINE bool octs_delete(hy_vid *id, uint32_t n, hy_vid v, uint32_t start)
{
    const oct is = _mm256_set1_epi32((int)v);
    const quad few = quad_of(v);
    if (HY_UNLIKELY(n < OCT)) {
        if (!n || !quads_have(id, n, v))
            return false;
        quads_delete(id, n, v);
        return true;
    }
    start = octs_start_checked(id, start, v);
    const uint32_t full = n / OCT, last = (n - 1) / QUAD;
    const uint32_t q = 2 * full < last ? 2 * full : last;
    const quad x = quad_get(id, q), y = quad_get(id, last);
    oct hit = _mm256_setzero_si256();
    for (uint32_t i = start; i < full; i++)
        hit = _mm256_or_si256(hit, _mm256_cmpeq_epi32(oct_get(id, i), is));
    const quad end = ((quad)(x == few) & ~quad_past(n, q)) |
                     ((quad)(y == few) & ~quad_past(n, last));
    if (HY_UNLIKELY(_mm256_testz_si256(hit, hit) && !quad_is_any(end)))
        return false;
    oct here = oct_get(id, start < full ? start : full - 1);
    for (uint32_t i = start; i + 1 < full; i++) {
        const oct next = oct_get(id, i + 1);
        oct_put(id, i, oct_without(here, oct_middle(here, next), is));
        here = next;
    }
    const oct behind = _mm256_castsi128_si256((__m128i)x);
    oct_put(id, full - 1, oct_without(here, oct_middle(here, behind), is));
    quad_put(id, q, quad_without(x, quad_down(x, y), few));
    quad_put(id, last, quad_without(y, quad_down(y, y), few));
    return true;
}

/* The same into a block with room; false: it is there. */
HY_AVX2
HY_INLINE bool octs_insert(hy_vid *id, uint32_t n, hy_vid v, uint32_t start)
{
    start = octs_start_checked(id, start, v);
    if (HY_LIKELY(octs_insert_into(id, id, n, v, start)))
        return true;
    (void)octs_delete(id, n + 1, v, start); /* one of two */
    return false;
}

#else
#define HAS_OCTS 0
#endif

#endif
