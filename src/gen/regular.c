/* Random regular graphs: every vertex has exactly d neighbours.
 *
 * After the pairing model (Bollobas, Europ. J. Combin. 1, 1980), which gives
 * each vertex d stubs and pairs the stubs at random, with repairs by switches
 * (McKay, Wormald, J. Algorithms 11, 1990):
 *
 *   1 Pair     stubs by a permutation that is computed, not stored
 *   2 Sort     the edges; loops and second copies are bad, about d/2 + d^2/4
 *              of them, however large the graph
 *   3 Repair   each bad edge a-b: choose a good edge c-e, and let a-e, c-b
 *              take the place of both if neither is a loop or there already
 *   4 Retry    all of it with other numbers if a bad edge finds no partner,
 *              which only tiny graphs see
 *
 * Where d is more than half of what can be, those that are *not* neighbours
 * are chosen, so that there is always room to switch.
 *
 * Directed: stubs to leave by are paired with stubs to come in by; d of each.
 * 1, 2 and what follows run on all threads, 3 on one.
 */
#include "gen/gen.h"

#include <string.h>

enum { TRIES = 1000 };

struct regular {
    const struct gen_plan *P;
    uint64_t d;
    uint64_t seed; /* of this attempt */
    struct gen_keys K;
    uint64_t good, bad; /* keys: good ones, sorted, then bad ones */
    struct gen_touched T;
};

/* ---- pair
 * -------------------------------------------------------------------- */

static void pair_par(void *arg, size_t lo, size_t hi)
{
    const struct regular *const R = arg;
    const bool directed = R->P->directed;
    const uint64_t stubs = R->P->n * R->d;
    for (size_t i = lo; i < hi; i++) {
        const uint64_t a = directed ? i : base_permute(R->seed, stubs, 2 * i);
        const uint64_t b =
            base_permute(R->seed, stubs, directed ? i : 2 * i + 1);
        R->K.key[i] =
            gen_key_of(directed, (hy_vid)(a / R->d), (hy_vid)(b / R->d));
    }
}

/* Bad ones behind the good ones, which stay sorted. */
static void split(struct regular *R)
{
    uint64_t *const key = R->K.key;
    R->good = R->bad = 0;
    for (uint64_t i = 0; i < R->K.n; i++)
        if (gen_key_u(key[i]) == gen_key_v(key[i]) ||
            (R->good && key[i] == key[R->good - 1]))
            R->K.tmp[R->bad++] = key[i];
        else
            key[R->good++] = key[i];
    memcpy(key + R->good, R->K.tmp, R->bad * sizeof *key);
}

/* ---- repair
 * ------------------------------------------------------------------- */

static bool is_there(const struct regular *R, uint64_t key)
{
    const enum gen_touch touch = gen_touched_get(&R->T, key);
    if (touch != GEN_UNTOUCHED)
        return touch == GEN_CAME;
    uint64_t lo = 0, hi = R->good;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (R->K.key[mid] < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < R->good && R->K.key[lo] == key;
}

/* Switches the bad edge with one good edge, if that can be. */
static bool try_switch(struct regular *R, uint64_t bad, uint64_t good,
                       bool turned)
{
    const bool directed = R->P->directed;
    const hy_vid a = gen_key_u(bad), b = gen_key_v(bad);
    const bool turn = turned && !directed;
    const hy_vid c = turn ? gen_key_v(good) : gen_key_u(good);
    const hy_vid e = turn ? gen_key_u(good) : gen_key_v(good);
    const uint64_t one = gen_key_of(directed, a, e);
    const uint64_t two = gen_key_of(directed, c, b);
    if (a == e || c == b || one == two || !is_there(R, good) ||
        is_there(R, one) || is_there(R, two))
        return false;
    gen_touched_set(&R->T, good, false);
    gen_touched_set(&R->T, one, true);
    gen_touched_set(&R->T, two, true);
    return true;
}

static bool repair(struct regular *R)
{
    uint64_t state = base_random_start(R->seed, 1);
    for (uint64_t i = 0; i < R->bad; i++) {
        bool done = false;
        for (unsigned t = 0; !done && R->good && t < TRIES; t++) {
            const uint64_t r = base_random(&state);
            const uint64_t good = R->K.key[base_random_below(r, R->good)];
            done = try_switch(R, R->K.key[R->good + i], good, r & 1);
        }
        if (!done)
            return false;
    }
    return true;
}

/* The good keys that were not touched, and those that came. */
static void merge(struct regular *R)
{
    uint64_t *const key = R->K.key;
    uint64_t to = 0;
    for (uint64_t i = 0; i < R->good; i++)
        if (gen_touched_get(&R->T, key[i]) == GEN_UNTOUCHED)
            key[to++] = key[i];
    for (uint64_t i = 0; i <= R->T.mask; i++)
        if (R->T.there[i])
            key[to++] = R->T.key[i];
}

/* ---- all of it
 * ------------------------------------------------------------------ */

static hy_status attempt(struct regular *R, bool *done)
{
    hy_ctx *const ctx = R->P->ctx;
    par_for(ctx, R->K.n, GEN_GRAIN, pair_par, R);
    gen_keys_sort(&R->K, R->P->n);
    split(R);
    *done = !R->bad;
    if (*done)
        return HY_OK;
    HY_TRY(gen_touched_init(&R->T, ctx, 3 * R->bad));
    *done = repair(R);
    if (*done) {
        merge(R);
        gen_keys_sort(&R->K, R->P->n);
    }
    gen_touched_fini(&R->T, ctx);
    return HY_OK;
}

hy_status gen_regular(const struct gen_plan *P, hy_gen_list *L)
{
    const bool is_dense = P->degree > (P->n - 1) / 2;
    struct regular R = { .P = P,
                         .d = is_dense ? P->n - 1 - P->degree : P->degree };
    const uint64_t stubs = P->n * R.d;
    HY_TRY(gen_keys_init(&R.K, P->ctx, P->directed ? stubs : stubs / 2));
    hy_status status = HY_OK;
    bool done = false;
    for (uint64_t i = 0; !done && status == HY_OK; i++) {
        R.seed = base_random_start(gen_seed(P, 1), i);
        status = attempt(&R, &done);
    }
    if (status == HY_OK && !is_dense)
        return gen_keys_list(&R.K, L);
    if (status == HY_OK)
        status = gen_complement(P, R.K.key, R.K.n, L);
    gen_keys_fini(&R.K);
    return status;
}
