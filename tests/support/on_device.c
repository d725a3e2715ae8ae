#include "support/on_device.h"

#include "support/some_graph.h"
#include "support/weighted.h"

#include <stdio.h>

enum { MAX_DEVICES = 8 };

/* Under simulators, which ask for little effort, graphs are tiny. */
static bool is_brief(void)
{
    return test_scaled(100) < 20;
}

/* ---- every device -------------------------------------------------------- */

typedef void trial_of(hy_device *D, hy_ctx *ctx, on_device_compare *compare,
                      uint64_t seed);

/* In the shape of the device, or in that of a GPU. */
static void on_one(trial_of *trial, on_device_compare *compare, uint32_t d,
                   bool wants_singles, unsigned trials)
{
    hy_ctx *const ctx = test_ctx(1);
    const hy_device_opts opts = { .wants_singles = wants_singles };
    char name[16];
    hy_device *D = NULL;
    (void)snprintf(name, sizeof name, "%u", (unsigned)d);
    assert_int_equal(hy_device_open(ctx, name, &opts, &D), HY_OK);
    for (uint64_t i = 0, m = test_scaled(trials); i < m; i++)
        trial(D, ctx, compare, test_seed_at(i));
    hy_device_close(D);
}

static void on_all(trial_of *trial, on_device_compare *compare,
                   unsigned host_trials, unsigned other_trials)
{
    hy_ctx *const ctx = test_ctx(1);
    hy_device_info infos[MAX_DEVICES];
    uint32_t n = 0;
    assert_int_equal(hy_devices(ctx, MAX_DEVICES, infos, &n), HY_OK);
    for (uint32_t d = 0; d < n && d < MAX_DEVICES; d++) {
        const unsigned trials = d ? other_trials : host_trials;
        on_one(trial, compare, d, false, trials);
        on_one(trial, compare, d, true, trials / 2);
    }
}

static void history(hy_device *D, hy_ctx *ctx, on_device_compare *compare,
                    uint64_t seed)
{
    struct trial T;
    uint64_t rng = seed;
    const hy_graph_opts opts = shape_random(&rng);
    must(&T, trial_init(&T, ctx, &opts, rng_next(&rng)), seed);
    must(&T,
         trial_load(&T, (enum trial_start)rng_below(&rng, TRIAL_STARTS),
                    rng_below(&rng, is_brief() ? 60 : 400),
                    rng_below(&rng, is_brief() ? 300 : 3000)),
         seed);
    for (uint64_t k = rng_range(&rng, 1, 8); k; k--) {
        if (rng_chance(&rng, 70))
            compare(D, T.G, &rng);
        struct mix mix = mix_random(T.M, &T.rng);
        if (rng_chance(&rng, 30)) {
            mix.ids = 3000;
            mix.hubs = 1;
            mix.at_hub = 90;
        }
        must(&T, trial_step(&T, &mix, rng_below(&rng, is_brief() ? 90 : 800)),
             seed);
        if (rng_chance(&rng, 10))
            must(&T, trial_rebalance(&T), seed);
        if (rng_chance(&rng, 5))
            must(&T, trial_add_reverse(&T), seed);
    }
    compare(D, T.G, &rng);
    trial_fini(&T);
}

void on_device_histories(on_device_compare *compare, unsigned host_trials,
                         unsigned other_trials)
{
    on_all(history, compare, host_trials, other_trials);
}

static void weighted(hy_device *D, hy_ctx *ctx, on_device_compare *compare,
                     uint64_t seed)
{
    uint64_t rng = seed;
    const struct weighted how = weighted_random(&rng);
    hy_graph *const G = weighted_graph(ctx, &how, &rng);
    compare(D, G, &rng);
    hy_graph_free(G);
}

void on_device_weighted(on_device_compare *compare, unsigned host_trials,
                        unsigned other_trials)
{
    on_all(weighted, compare, host_trials, other_trials);
}

static void hubs(hy_device *D, hy_ctx *ctx, on_device_compare *compare,
                 uint64_t seed)
{
    uint64_t rng = seed;
    const uint64_t n = is_brief() ? 700 : rng_range(&rng, 2000, 20000);
    const struct some_graph how = { .n = (hy_vid)n,
                                    .m = rng_below(&rng, 2 * n),
                                    .has_hub = true };
    hy_graph *const G = some_graph(ctx, &how, rng_next(&rng));
    compare(D, G, &rng);
    hy_graph_free(G);
}

void on_device_hubs(on_device_compare *compare, unsigned host_trials,
                    unsigned other_trials)
{
    on_all(hubs, compare, host_trials, other_trials);
}

/* ---- faults -------------------------------------------------------------- */

struct refusal {
    uint64_t asked, at; /* this one is refused; 0: none */
    bool is_lost;       /* and all that follow */
};

static bool may_call(void *user)
{
    struct refusal *const R = user;
    ++R->asked;
    return R->is_lost ? R->asked < R->at : R->asked != R->at;
}

static uint64_t bytes_of(const hy_device *D)
{
    hy_device_stats stats;
    hy_device_stats_get(D, &stats);
    return stats.bytes;
}

/* The k-th call is refused, or the device is lost from then on and comes
 * back; for every k. */
static void refuse_each(hy_device *D, struct refusal *R, hy_graph *G,
                        on_device_ask *ask, bool is_lost)
{
    const hy_view *const V = hy_graph_now(G);
    uint64_t held = 0;
    bool was_refused = true;
    for (uint64_t k = 1; was_refused; k += is_brief() ? 37 : 1) {
        *R = (struct refusal){ .at = k, .is_lost = is_lost };
        const hy_status status = ask(D, V);
        was_refused = R->asked >= k;
        assert_int_equal(status, was_refused ? HY_EDEVICE : HY_OK);
        *R = (struct refusal){ .at = 0 };
        assert_int_equal(ask(D, V), HY_OK);
        /* what is left is the mirror */
        assert_true(!held || bytes_of(D) == held);
        held = bytes_of(D);
    }
}

static void too_small(hy_ctx *ctx, const char *name, hy_graph *G,
                      on_device_ask *ask, uint64_t cap)
{
    const hy_device_opts opts = { .memory_cap = cap };
    hy_device *D = NULL;
    assert_int_equal(hy_device_open(ctx, name, &opts, &D), HY_OK);
    assert_int_equal(ask(D, hy_graph_now(G)), HY_EFULL);
    assert_true(bytes_of(D) <= cap);
    assert_int_equal(ask(D, hy_graph_now(G)), HY_EFULL);
    hy_device_close(D);
}

void on_device_faults(on_device_ask *ask, const hy_graph_opts *opts)
{
    hy_ctx *const ctx = test_ctx(1);
    uint32_t n = 0;
    assert_int_equal(hy_devices(ctx, 0, NULL, &n), HY_OK);
    uint64_t rng = 7;
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    assert_int_equal(hy_graph_new(ctx, opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, 100, 0, NULL, NULL), HY_OK);
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    for (unsigned i = 0; i < (is_brief() ? 60 : 600); i++)
        assert_int_equal(hy_batch_insert_edge(B, rng_below(&rng, 100),
                                              rng_below(&rng, 100), NULL),
                         HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    hy_batch_free(B);
    for (uint32_t d = 0; d < n && d < MAX_DEVICES; d++) {
        struct refusal R = { 0 };
        char name[16];
        hy_device *D = NULL;
        const hy_device_opts how = { .may_call = may_call, .user = &R };
        (void)snprintf(name, sizeof name, "%u", (unsigned)d);
        assert_int_equal(hy_device_open(ctx, name, &how, &D), HY_OK);
        refuse_each(D, &R, G, ask, false);
        refuse_each(D, &R, G, ask, true);
        const uint64_t held = bytes_of(D);
        hy_device_close(D);
        too_small(ctx, name, G, ask, 1000);
        too_small(ctx, name, G, ask, held + 16);
    }
    hy_graph_free(G);
}
