/* Small worlds: a ring with shortcuts.
 *
 * After Watts and Strogatz (Nature 393, 1998): each vertex is joined to its
 * degree/2 nearest on either side of a ring; then each edge, with the given
 * probability, keeps the end it starts from and gets another one, uniform.
 * Theirs rewires one edge after another.  Here
 *
 *   1 Draw    each edge its fate and its new end, none of them knowing others
 *   2 Sort    all edges; of those that are equal all but one draw again
 *   3 Repeat  2 until none is equal
 *
 * A new end is never one of the nearest on the ring, so that an edge which
 * finds no other place in many rounds can always have its old one back.  The
 * number of edges, n degree / 2, and those that start at a vertex, degree / 2,
 * are exact.
 */
#include "gen/gen.h"

#include "base/bits.h"

enum { ROUNDS = 64 };

struct ring {
    const struct gen_plan *P;
    uint64_t half;       /* edges that start at a vertex */
    uint64_t far;        /* vertices that are not near it */
    uint64_t fate, ends; /* seeds */
    struct par_keys keys;
};

/* An edge's tag: which of its vertex's edges it is, and whether it starts at
 * the larger end. */
static void put(const struct ring *R, uint64_t at, hy_vid u, uint64_t j,
                uint64_t distance)
{
    const hy_vid v = (hy_vid)((u + distance) % R->P->n);
    const bool is_turned = !R->P->directed && v < u;
    R->keys.key[at] = gen_key_of(R->P->directed, u, v);
    R->keys.tag[at] = (uint32_t)(j << 1 | is_turned);
}

/* The new end of the j-th edge of u, as its distance on the ring. */
static uint64_t draw(const struct ring *R, hy_vid u, uint64_t j, uint64_t round)
{
    uint64_t state = base_random_start(R->ends, u * R->half + j);
    const uint64_t r = base_random_at(state, round);
    return R->half + 1 + base_random_below(r, R->far);
}

static void ring_par(void *arg, size_t lo, size_t hi)
{
    const struct ring *const R = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = (hy_vid)(i / R->half);
        const uint64_t j = i % R->half;
        const bool stays = base_random_at(R->fate, i) >> 32 >= R->P->chance;
        put(R, i, u, j, stays || !R->far ? j + 1 : draw(R, u, j, 0));
    }
}

/* Has all but the first of equal edges draw again; false if there are none. */
static bool redraw(const struct ring *R, uint64_t round)
{
    bool any = false;
    for (size_t i = R->keys.n; i-- > 1;) {
        const uint64_t key = R->keys.key[i];
        if (key != R->keys.key[i - 1])
            continue;
        const uint32_t tag = R->keys.tag[i];
        const hy_vid u = tag & 1 ? gen_key_v(key) : gen_key_u(key);
        const uint64_t j = tag >> 1;
        put(R, i, u, j, round < ROUNDS ? draw(R, u, j, round) : j + 1);
        any = true;
    }
    return any;
}

static void rewire(struct ring *R)
{
    par_for(R->P->ctx, R->keys.n, GEN_GRAIN, ring_par, R);
    uint64_t round = 1;
    do
        par_sort(R->P->ctx, &R->keys);
    while (redraw(R, round++));
}

hy_status gen_smallworld(const struct gen_plan *P, hy_gen_list *L)
{
    struct gen_keys K;
    const uint64_t m = P->m;
    HY_TRY(gen_keys_init(&K, P->ctx, m));
    uint32_t *const tag = base_alloc_raw(P->ctx, m, sizeof *tag);
    uint32_t *const tmp = tag ? base_alloc_raw(P->ctx, m, sizeof *tmp) : NULL;
    if (!tmp) {
        base_free(P->ctx, tag);
        gen_keys_fini(&K);
        return HY_ENOMEM;
    }
    const unsigned bits = bits_width(P->n - 1);
    struct ring R = { .P = P,
                      .half = P->degree / 2,
                      .far = P->n - 1 - P->degree,
                      .fate = gen_seed(P, 1),
                      .ends = gen_seed(P, 2),
                      .keys = { .key = K.key,
                                .tag = tag,
                                .key_tmp = K.tmp,
                                .tag_tmp = tmp,
                                .n = m,
                                .high_bits = bits,
                                .low_bits = bits } };
    rewire(&R);
    base_free(P->ctx, tmp);
    base_free(P->ctx, tag);
    K.key = R.keys.key;
    K.tmp = R.keys.key_tmp;
    return gen_keys_list(&K, L);
}
