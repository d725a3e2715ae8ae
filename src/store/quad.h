/* Ids of a block four at a time, a unit: searching and shifting a block with no
 * branch that depends on an id.  Such a branch is wrong every other time, and
 * then waits for all that led to it.  Blocks without columns only.
 *
 *   Insert v     out[i] = max(id[i - 1], min(id[i], v))
 *   Delete v     out[i] = id[i] < v ? id[i] : id[i + 1]
 *
 * A long block is gone through from its end to where v belongs: searching and
 * shifting are one loop, and its end is the one branch that comes unawares.
 */
#ifndef STORE_QUAD_H
#define STORE_QUAD_H

#include "store/shape.h"

typedef hy_vid quad __attribute__((vector_size(UNIT)));
typedef uint64_t quad_halves __attribute__((vector_size(UNIT)));

enum { QUAD = UNIT / sizeof(hy_vid) };

#if defined(__clang__) || __GNUC__ >= 12
#define QUAD_PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define QUAD_PICK(a, b, ...) __builtin_shuffle(a, b, (quad){ __VA_ARGS__ })
#endif

HY_INLINE quad quad_get(const hy_vid *id, uint32_t i)
{
    quad x;
    memcpy(&x, id + (size_t)i * QUAD, sizeof x);
    return x;
}

HY_INLINE void quad_put(hy_vid *id, uint32_t i, quad x)
{
    memcpy(id + (size_t)i * QUAD, &x, sizeof x);
}

HY_INLINE quad quad_of(hy_vid v)
{
    return (quad){ v, v, v, v };
}

HY_INLINE bool quad_is_any(quad mask)
{
    const quad_halves x = (quad_halves)mask;
    return (x[0] | x[1]) != 0;
}

HY_INLINE uint32_t quad_sum(quad x)
{
    return x[0] + x[1] + x[2] + x[3];
}

/* All bits of the lanes from n on. */
HY_INLINE quad quad_from(uint32_t n)
{
    return (quad)((quad){ 0, 1, 2, 3 } >= quad_of(n));
}

/* The lane before the four, and three of them; three and the one behind. */
HY_INLINE quad quad_up(quad before, quad x)
{
    return (quad)QUAD_PICK(before, x, 3, 4, 5, 6);
}

HY_INLINE quad quad_down(quad x, quad behind)
{
    return (quad)QUAD_PICK(x, behind, 1, 2, 3, 4);
}

HY_INLINE quad quad_select(quad mask, quad x, quad other)
{
    return (x & mask) | (other & ~mask);
}

/* Keeps gcc from seeing four numbers where there is one vector: it takes loops
 * like those below apart again if it knows how their vectors were made, and
 * then an instruction has become ten. */
#if defined(__GNUC__) && defined(__x86_64__)
#define QUAD_WHOLE(x) __asm__("" : "+x"(x))
#else
#define QUAD_WHOLE(x) ((void)(x))
#endif

/* Compilers know these loops: an instruction each, where there is one. */
HY_INLINE quad quad_min(quad x, quad y)
{
    QUAD_WHOLE(x);
    QUAD_WHOLE(y);
    for (uint32_t i = 0; i < QUAD; i++)
        x[i] = x[i] < y[i] ? x[i] : y[i];
    QUAD_WHOLE(x);
    return x;
}

HY_INLINE quad quad_max(quad x, quad y)
{
    QUAD_WHOLE(x);
    QUAD_WHOLE(y);
    for (uint32_t i = 0; i < QUAD; i++)
        x[i] = x[i] > y[i] ? x[i] : y[i];
    QUAD_WHOLE(x);
    return x;
}

/* Four ids into which v comes, behind those of `before`. */
HY_INLINE quad quad_insert(quad before, quad x, quad v)
{
    return quad_max(quad_up(before, x), quad_min(x, v));
}

/* Four ids less v, which is among or before them; `next` are one further. */
HY_INLINE quad quad_delete(quad x, quad next, quad v)
{
    return quad_select((quad)(quad_max(x, v) == x), next, x);
}

/* Whether v is among n > 0 ids. */
HY_INLINE bool quads_have(const hy_vid *id, uint32_t n, hy_vid v)
{
    const quad is = quad_of(v);
    const uint32_t last = (n - 1) / QUAD;
    quad hit = { 0 };
    for (uint32_t i = 0; i < last; i++)
        hit |= (quad)(quad_get(id, i) == is);
    hit |= (quad)(quad_get(id, last) == is) & ~quad_from(n - last * QUAD);
    return quad_is_any(hit);
}

/* Writes n ids with v between them to `to`, the same block or another one;
 * true if v was there already, and is there twice now.  `end` is quad
 * n / QUAD of them, of no matter where it holds none. */
HY_INLINE bool quads_insert(hy_vid *to, const hy_vid *id, uint32_t n, quad end,
                            hy_vid v)
{
    const quad is = quad_of(v);
    const uint32_t full = n / QUAD;
    quad before = { 0 }, hit = { 0 };
    for (uint32_t i = 0; i < full; i++) {
        const quad x = quad_get(id, i);
        quad_put(to, i, quad_insert(before, x, is));
        hit |= (quad)(x == is);
        before = x;
    }
    end |= quad_from(n % QUAD); /* no id is that large */
    quad_put(to, full, quad_insert(before, end, is));
    hit |= (quad)(end == is);
    return quad_is_any(hit);
}

/* Takes v, once, out of n > 0 ids, which it is among. */
HY_INLINE void quads_delete(hy_vid *id, uint32_t n, hy_vid v)
{
    const quad is = quad_of(v);
    const uint32_t last = (n - 1) / QUAD;
    quad x = quad_get(id, 0);
    for (uint32_t i = 0; i < last; i++) {
        const quad next = quad_get(id, i + 1);
        quad_put(id, i, quad_delete(x, quad_down(x, next), is));
        x = next;
    }
    quad_put(id, last, quad_delete(x, quad_down(x, x), is));
}

/* Four ids from place i on, of two quads. */
HY_INLINE quad quad_from_place(const hy_vid *id, uint32_t i)
{
    return quad_get(id + i, 0);
}

/* Like quads_insert, within a block; *first is the quad where v is. */
HY_INLINE bool quads_insert_long(hy_vid *id, uint32_t n, hy_vid v,
                                 uint32_t *first)
{
    const quad is = quad_of(v);
    uint32_t q = n / QUAD;
    for (; q && id[q * QUAD - 1] > v; q--)
        quad_put(id, q, quad_from_place(id, q * QUAD - 1));
    const hy_vid before = q ? id[q * QUAD - 1] : 0;
    const quad x = quad_get(id, q) | quad_from(n - q * QUAD);
    quad_put(id, q, quad_insert(quad_of(before), x, is));
    *first = q;
    return (q && before == v) || quad_is_any((quad)(x == is));
}

/* Takes v, once, out of n > 0 ids; false: it is not there. */
HY_INLINE bool quads_delete_long(hy_vid *id, uint32_t n, hy_vid v,
                                 uint32_t *first)
{
    const quad is = quad_of(v);
    const uint32_t last = (n - 1) / QUAD;
    uint32_t q = last;
    while (q && id[q * QUAD] > v)
        q--;
    const quad x = quad_get(id, q);
    if (!quad_is_any((quad)(x == is) & ~quad_from(n - q * QUAD)))
        return false;
    *first = q;
    if (q < last) {
        quad_put(id, q, quad_delete(x, quad_from_place(id, q * QUAD + 1), is));
        while (++q < last)
            quad_put(id, q, quad_from_place(id, q * QUAD + 1));
    }
    const quad end = quad_get(id, last);
    quad_put(id, last, quad_delete(end, quad_down(end, end), is));
    return true;
}

#endif
