/* Preferential attachment: each new vertex brings d edges, and joins old ones
 * in proportion to their degree (Barabasi, Albert, Science 286, 1999).
 *
 * Write the ends of all edges down in one row: 2e is the new end of edge e,
 * 2e+1 the old one.  To choose by degree is to copy a place of the row before
 * the vertex, all alike (Batagelj, Brandes, Phys. Rev. E 71, 2005).  If that
 * place is odd it was copied itself; which one it copied is a hash of the
 * place, so that anybody can follow it, without the row (Sanders, Schulz,
 * Scalable generation of scale-free graphs, Inf. Process. Lett. 116, 2016).
 * It takes two steps on average.
 *
 * The row starts with the complete graph of d+1 vertices, each d times.
 * Theirs leaves loops and repeats.  Here a vertex copies only what was there
 * before it came, and draws again what it has already; others go on to follow
 * its first draw, so that nobody has to know who drew again.  Every vertex
 * after the first d+1 brings exactly d edges.
 */
#include "gen/gen.h"

enum { TRIES = 64 };

struct growth {
    bool directed;
    uint64_t d, seed, again;
    uint64_t n_first; /* places of the complete graph */
    uint64_t *key;
};

/* Places of the row that are there when u comes. */
static uint64_t places(const struct growth *A, uint64_t u)
{
    return A->n_first + 2 * A->d * (u - A->d - 1);
}

/* The vertex at a place of the row. */
static hy_vid follow(const struct growth *A, uint64_t place)
{
    for (;;) {
        if (place < A->n_first)
            return (hy_vid)(place % (A->d + 1));
        const uint64_t e = (place - A->n_first) / 2;
        const uint64_t u = A->d + 1 + e / A->d;
        if ((place - A->n_first) % 2 == 0)
            return (hy_vid)u;
        place = base_random_below(base_random_at(A->seed, e), places(A, u));
    }
}

static bool has(const uint64_t *key, uint64_t n, uint64_t wanted)
{
    for (uint64_t i = 0; i < n; i++)
        if (key[i] == wanted)
            return true;
    return false;
}

/* The j-th edge of u, unlike those before it. */
static uint64_t attach(const struct growth *A, hy_vid u, uint64_t j,
                       const uint64_t *mine)
{
    const uint64_t e = (u - A->d - 1) * A->d + j;
    const uint64_t bound = places(A, u);
    hy_vid v = follow(A, A->n_first + 2 * e + 1);
    uint64_t key = gen_key_of(A->directed, u, v);
    uint64_t state = base_random_start(A->again, e);
    for (unsigned i = 0; i < TRIES && has(mine, j, key); i++) {
        v = follow(A, base_random_below(base_random(&state), bound));
        key = gen_key_of(A->directed, u, v);
    }
    /* There are more than d before u, so that one of them is left. */
    for (v = 0; has(mine, j, key); v++)
        key = gen_key_of(A->directed, u, v);
    return key;
}

static void grow_par(void *arg, size_t lo, size_t hi)
{
    const struct growth *const A = arg;
    for (size_t i = lo; i < hi; i++) {
        const hy_vid u = (hy_vid)i;
        if (u <= A->d) {
            for (hy_vid v = 0; v < u; v++)
                A->key[(uint64_t)u * (u - 1) / 2 + v] =
                    gen_key_of(A->directed, u, v);
            continue;
        }
        uint64_t *const mine = A->key + A->n_first / 2 + (u - A->d - 1) * A->d;
        for (uint64_t j = 0; j < A->d; j++)
            mine[j] = attach(A, u, j, mine);
    }
}

hy_status gen_preferential(const struct gen_plan *P, hy_gen_list *L)
{
    struct gen_keys K;
    const uint64_t d = P->degree;
    HY_TRY(gen_keys_init(&K, P->ctx, P->m));
    struct growth A = { .directed = P->directed,
                        .d = d,
                        .seed = gen_seed(P, 1),
                        .again = gen_seed(P, 2),
                        .n_first = d * (d + 1),
                        .key = K.key };
    par_for(P->ctx, P->n, GEN_GRAIN, grow_par, &A);
    return gen_keys_list(&K, L);
}
