/* Views held across commits, rebalances and the making of a reverse side:
 * each keeps equal to a copy of the model from when it was acquired. */
#include "support/test.h"

enum { PINS = 6 };

struct pin {
    const hy_view *V; /* NULL: free */
    struct model *M;
    uint64_t version;
};

struct pins {
    struct trial T;
    struct pin at[PINS];
};

static bool pin(struct pins *P, struct pin *p)
{
    const hy_status status = hy_view_acquire(P->T.G, &p->V);
    if (status != HY_OK)
        return why_not(&P->T.why, "acquire: %s", hy_status_text(status));
    p->M = model_copy(P->T.M);
    p->version = hy_view_version(p->V);
    return p->version == hy_view_version(hy_graph_now(P->T.G)) ||
           why_not(&P->T.why, "a view of a version that is not the newest");
}

static void unpin(struct pin *p)
{
    hy_view_release(p->V);
    model_free(p->M);
    *p = (struct pin){ 0 };
}

static bool compare_pins(struct pins *P)
{
    for (size_t i = 0; i < PINS; i++) {
        struct pin *p = &P->at[i];
        if (!p->V)
            continue;
        if (hy_view_version(p->V) != p->version)
            return why_not(&P->T.why, "a view changed its version");
        if (!model_compare(p->M, p->V, &P->T.why))
            return false;
    }
    return true;
}

static bool toggle_pin(struct pins *P)
{
    struct pin *p = &P->at[rng_below(&P->T.rng, PINS)];
    if (!p->V)
        return pin(P, p);
    unpin(p);
    return true;
}

static bool take_step(struct pins *P, uint64_t ids)
{
    struct trial *T = &P->T;
    struct mix mix = mix_random(T->M, &T->rng);
    if (ids)
        mix.ids = ids;
    if (rng_chance(&T->rng, 40))
        mix_one_kind(&mix, &T->rng);
    const uint64_t dice = rng_below(&T->rng, 100);
    if (dice < 40)
        return toggle_pin(P);
    if (dice < 48)
        return trial_rebalance(T);
    if (dice < 50)
        return trial_add_reverse(T);
    return trial_step(T, &mix, rng_below(&T->rng, ids ? 2000 : 60));
}

static void run(uint64_t seed, uint64_t ids)
{
    struct pins P = { .at = { { 0 } } };
    struct trial *T = &P.T;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_random(&rng);
    hy_ctx *ctx = test_ctx((unsigned)rng_below(&rng, TEST_CTXS));
    const uint64_t before = hy_ctx_bytes(ctx);
    must(T, trial_init(T, ctx, &opts, rng_next(&rng)), seed);
    if (rng_chance(&rng, 20)) /* of the empty graph */
        must(T, pin(&P, &P.at[0]), seed);
    const uint64_t n = ids ? ids : rng_below(&rng, 40);
    const enum trial_start start =
        ids ? TRIAL_EDGES : (enum trial_start)rng_below(&rng, TRIAL_STARTS);
    must(T, trial_load(T, start, n, 5 * n), seed);
    for (uint64_t steps = rng_range(&rng, 4, 16); steps; steps--) {
        must(T, take_step(&P, ids), seed);
        must(T, compare_pins(&P), seed);
    }
    hy_batch_free(T->B);
    hy_graph_free(T->G);
    T->B = NULL;
    T->G = NULL;
    must(T, compare_pins(&P), seed);
    for (size_t i = 0; i < PINS; i++)
        if (P.at[i].V)
            unpin(&P.at[i]);
    trial_fini(T);
    assert_int_equal(hy_ctx_bytes(ctx), before);
}

static void views_of_small_graphs_do_not_move(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(800); i < n; i++)
        run(test_seed_at(i), 0);
}

static void views_of_hubs_do_not_move(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(24); i < n; i++)
        run(test_seed_at(i), 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_of_small_graphs_do_not_move),
        cmocka_unit_test(views_of_hubs_do_not_move),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
