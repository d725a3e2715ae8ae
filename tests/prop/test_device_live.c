/* Live answers on devices: the host's answers through all that a history can
 * do, with drivers that refuse a call and memory that is used up. */
#include "support/live_ask.h"
#include "support/small.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static const struct kind {
    const char *name;
    live_ask_attach *attach;
    live_ask_compare *compare;
    void (*shape)(hy_graph_opts *opts, uint64_t *rng);
} kinds[] = {
    { "bfs", live_ask_bfs, live_is_bfs, NULL },
    { "sssp", live_ask_sssp, live_is_sssp, live_ask_weights },
    { "pagerank", live_ask_pagerank, live_is_pagerank, NULL },
    { "wcc", live_ask_wcc, live_is_wcc, NULL },
    { "triangles", live_ask_triangles, live_is_triangles, NULL },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct live_case case_of(const struct kind *k, struct live_ask *A)
{
    return (struct live_case){ .shape = k->shape,
                               .attach = k->attach,
                               .compare = k->compare,
                               .arg = A,
                               .open = live_ask_open,
                               .close = live_ask_close,
                               .may_be_stale = true };
}

/* Devices beside the host. */
static uint32_t others(void)
{
    uint32_t n = 0;
    assert_int_equal(hy_devices(test_ctx(0), 0, NULL, &n), HY_OK);
    return n - 1;
}

/* Under simulators, which ask for little effort, graphs are tiny. */
static bool is_brief(void)
{
    return test_scaled(100) < 20;
}

/* ---- histories ------------------------------------------------------------
 */

static void answers_follow_histories(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        struct live_ask A = { .device = "host" };
        const struct live_case C = case_of(&kinds[i], &A);
        struct live_counts counts = { 0 };
        live_histories(&C, test_scaled(300), &counts);
        live_empty_and_refill(&C, test_scaled(4), 7, &counts);
        live_large(&C, test_scaled(4), &counts);
        assert_true(counts.changed > 0 && counts.recomputed > 0);
        assert_int_equal(counts.stale, 0);
    }
}

/* Nothing goes, mostly: what is kept on the device can be repaired. */
static void mostly_add(struct mix *mix)
{
    mix->kinds[LINE_DELETE_EDGE] = mix->kinds[LINE_DELETE_VERTEX] = 0;
    mix->kinds[LINE_INSERT_EDGE] += 1;
}

static void growth_is_repaired(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        struct live_ask A = { .device = "host" };
        struct live_case C = case_of(&kinds[i], &A);
        struct live_counts counts = { 0 };
        C.mix = mostly_add;
        live_histories(&C, test_scaled(200), &counts);
        if (!is_brief())
            assert_true(counts.repaired > 0);
    }
}

/* Drivers take long to open: one device for all. */
static void answers_follow_on_drivers(void **state)
{
    (void)state;
    for (uint32_t d = 1; d <= others(); d++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%u", (unsigned)d);
        struct live_ask A = { .device = name };
        live_ask_open(test_ctx(1), &A);
        for (size_t i = 0; i < KINDS; i++) {
            const struct live_case C = case_of(&kinds[i], &A);
            struct live_counts counts = { 0 };
            struct live_case growing = C;
            growing.mix = mostly_add;
            live_histories(&C, test_scaled(12), &counts);
            live_histories(&growing, test_scaled(12), &counts);
            if (!is_brief())
                live_large(&C, test_scaled(1), &counts);
            assert_int_equal(counts.stale, 0);
        }
        live_ask_close(&A);
    }
}

/* ---- graphs laid out anew ------------------------------------------------
 */

static void must_be_right(const struct kind *k, struct live_ask *A, hy_live *L,
                          struct trial *T, uint64_t seed)
{
    const char *why = "";
    must(T, k->compare(L, hy_graph_now(T->G), A, &T->why), seed);
    must(T, hy_live_check(L, &why) || why_not(&T->why, "%s", why), seed);
}

/* Hubs, an arena that grows, adjacencies in new places; a graph that is
 * emptied of vertices. */
static void follow_moves(const struct kind *k, struct live_ask *A,
                         uint64_t seed)
{
    struct trial T;
    uint64_t rng = seed;
    hy_live *L = NULL;
    hy_graph_opts opts = shape_random(&rng);
    if (k->shape)
        k->shape(&opts, &rng);
    must(&T, trial_init(&T, test_ctx(1), &opts, rng_next(&rng)), seed);
    must(&T, trial_load(&T, TRIAL_EDGES, 20, 30), seed);
    live_ask_open(test_ctx(1), A);
    assert_int_equal(k->attach(T.G, A, &L), HY_OK);
    T.M->has_reverse = hy_view_has_reverse(hy_graph_now(T.G));
    for (uint64_t n = rng_range(&rng, 2, 8); n; n--) {
        struct mix mix = mix_random(T.M, &T.rng);
        if (rng_chance(&rng, 30)) {
            mix.ids = 2000;
            mix.hubs = 1;
            mix.at_hub = 90;
        }
        if (rng_chance(&rng, 10))
            mix.kinds[LINE_DELETE_VERTEX] += 1000;
        must(&T, trial_step(&T, &mix, rng_below(&rng, is_brief() ? 90 : 800)),
             seed);
        must_be_right(k, A, L, &T, seed);
        if (rng_chance(&rng, 30))
            must(&T, trial_rebalance(&T), seed);
    }
    hy_live_detach(L);
    live_ask_close(A);
    trial_fini(&T);
}

static void answers_follow_moves(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        struct live_ask host = { .device = "host" }, other = { .device = "1" };
        for (uint64_t h = 0; h < test_scaled(60); h++)
            follow_moves(&kinds[i], &host, test_seed_at(h));
        for (uint64_t h = 0; others() && h < test_scaled(4); h++)
            follow_moves(&kinds[i], &other, test_seed_at(h));
    }
}

/* ---- failures ------------------------------------------------------------
 */

static void answers_survive_without_memory(void **state)
{
    (void)state;
    uint64_t stale = 0;
    for (size_t i = 0; i < KINDS; i++) {
        struct live_ask A = { .device = "host" };
        const struct live_case C = case_of(&kinds[i], &A);
        struct live_counts counts = { 0 };
        live_commit_fails(&C, test_scaled(12));
        live_commits_starve(&C, test_scaled(12), &counts);
        stale += counts.stale;
    }
    assert_true(stale > 0);
}

struct refusal {
    uint64_t asked, at; /* this one is refused, and `more` after it */
    uint64_t more;
};

static bool may_call(void *user)
{
    struct refusal *const R = user;
    R->asked++;
    return !R->at || R->asked < R->at || R->asked > R->at + R->more;
}

static hy_live_info commit(hy_graph *G, hy_live *L, unsigned lines,
                           uint64_t *rng)
{
    hy_batch *const B = small_batch(G);
    hy_live_info info;
    for (unsigned i = 0; i < lines; i++) {
        const uint64_t u = rng_below(rng, 100), v = rng_below(rng, 100);
        if (rng_chance(rng, 60))
            assert_int_equal(hy_batch_insert_edge(B, u, v, NULL), HY_OK);
        else
            assert_int_equal(hy_batch_delete_edge(B, u, v), HY_OK);
    }
    (void)small_commit(G, B);
    hy_live_info_get(L, &info);
    return info;
}

/* Whatever call the driver refuses: the host is asked, the answer says so,
 * and with the next commit the device is at it again. */
static void refuse_each(const struct kind *k, const char *name, uint64_t more,
                        uint64_t step)
{
    struct refusal R = { .more = more };
    struct live_ask A = { .device = name,
                          .how = { .may_call = may_call, .user = &R } };
    hy_graph *const G = small_graph(&(hy_graph_opts){ 0 }, 100);
    hy_live *L = NULL;
    uint64_t rng = 7;
    struct why why = { 0 };
    bool was_refused = true;
    live_ask_open(hy_graph_ctx(G), &A);
    assert_int_equal(k->attach(G, &A, &L), HY_OK);
    for (uint64_t at = 1; was_refused; at += step) {
        R = (struct refusal){ .at = at, .more = more };
        const hy_live_info info = commit(G, L, 6, &rng);
        was_refused = R.asked >= at;
        R.at = 0;
        assert_int_equal(info.version, hy_view_version(hy_graph_now(G)));
        assert_true(info.how == HY_LIVE_RECOMPUTED ||
                    (info.how == HY_LIVE_REPAIRED && !was_refused));
        assert_int_equal(strstr(info.why, "host") != NULL, was_refused);
        if (!k->compare(L, hy_graph_now(G), &A, &why))
            fail_msg("%s, call %u: %s", k->name, (unsigned)at, why.text);
        assert_null(strstr(commit(G, L, 6, &rng).why, "host"));
        if (!k->compare(L, hy_graph_now(G), &A, &why))
            fail_msg("%s after call %u: %s", k->name, (unsigned)at, why.text);
    }
    hy_live_detach(L);
    live_ask_close(&A);
    small_free(G);
}

static void refused_calls_leave_it_to_the_host(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        refuse_each(&kinds[i], "host", 0, 1);
        refuse_each(&kinds[i], "host", 1000000, 1); /* lost */
        if (others() && !is_brief())
            refuse_each(&kinds[i], "1", 0, 17);
    }
}

/* Room for the graph as it is, and no more. */
static void full_devices_leave_it_to_the_host(void **state)
{
    (void)state;
    for (size_t i = 0; i < KINDS; i++) {
        struct live_ask A = { .device = "host",
                              .how = { .memory_cap = 30000 } };
        hy_graph *const G = small_graph(&(hy_graph_opts){ 0 }, 100);
        hy_live *L = NULL;
        uint64_t rng = 7;
        struct why why = { 0 };
        bool is_full = false;
        live_ask_open(hy_graph_ctx(G), &A);
        assert_int_equal(kinds[i].attach(G, &A, &L), HY_OK);
        for (unsigned k = 0; k < 40 && !is_full; k++) {
            const hy_live_info info = commit(G, L, 400, &rng);
            is_full |= strstr(info.why, "too little memory") != NULL;
            assert_true(kinds[i].compare(L, hy_graph_now(G), &A, &why));
        }
        assert_true(is_full);
        hy_live_detach(L);
        live_ask_close(&A);
        small_free(G);
    }
}

/* ---- together ------------------------------------------------------------
 */

/* All five on one device; the graph goes first. */
static void answers_share_a_device(void **state)
{
    (void)state;
    struct live_ask A[KINDS] = { 0 };
    hy_live *L[KINDS] = { 0 };
    hy_graph *const G = small_graph(&(hy_graph_opts){ 0 }, 100);
    uint64_t rng = 5;
    hy_device *D = NULL;
    assert_int_equal(hy_device_open(test_ctx(1), "host", NULL, &D), HY_OK);
    for (size_t i = 0; i < KINDS; i++) {
        A[i].D = D;
        assert_int_equal(kinds[i].attach(G, &A[i], &L[i]), HY_OK);
    }
    for (unsigned c = 0; c < 50; c++) {
        struct why why = { 0 };
        (void)commit(G, L[0], 9, &rng);
        for (size_t i = 0; i < KINDS; i++)
            if (!kinds[i].compare(L[i], hy_graph_now(G), &A[i], &why))
                fail_msg("%s: %s", kinds[i].name, why.text);
    }
    small_free(G);
    for (size_t i = 0; i < KINDS; i++) {
        uint64_t values[100];
        hy_live_copy(L[i], values, 100, NULL);
        hy_live_detach(L[i]);
    }
    hy_device_close(D);
}

struct reader {
    hy_live *L;
    atomic_bool is_over;
    uint64_t copies, wrong;
};

/* Counts of one version are three times its triangles. */
static void *read_on(void *arg)
{
    struct reader *const R = arg;
    while (!atomic_load(&R->is_over)) {
        uint64_t values[100], sum = 0;
        hy_live_info info;
        hy_live_copy(R->L, values, 100, &info);
        for (hy_vid v = 0; v < 100; v++)
            sum += values[v];
        R->copies++;
        R->wrong += sum != 3 * info.total;
    }
    return NULL;
}

static void readers_get_whole_versions(void **state)
{
    (void)state;
    struct live_ask A = { .device = "host" };
    struct reader R = { 0 };
    hy_graph *const G = small_graph(&(hy_graph_opts){ 0 }, 100);
    uint64_t rng = 5;
    pthread_t thread;
    live_ask_open(hy_graph_ctx(G), &A);
    assert_int_equal(live_ask_triangles(G, &A, &R.L), HY_OK);
    assert_int_equal(pthread_create(&thread, NULL, read_on, &R), 0);
    for (unsigned c = 0; c < 200; c++)
        (void)commit(G, R.L, 30, &rng);
    atomic_store(&R.is_over, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(R.copies > 0);
    assert_int_equal(R.wrong, 0);
    hy_live_detach(R.L);
    live_ask_close(&A);
    small_free(G);
}

static void attaching_refuses_what_is_not_there(void **state)
{
    (void)state;
    hy_graph *const G = small_graph(&(hy_graph_opts){ 0 }, 10);
    hy_device *D = NULL;
    hy_live *L = NULL;
    assert_int_equal(hy_device_open(hy_graph_ctx(G), "host", NULL, &D), HY_OK);
    const hy_bfs_opts bfs = { .source = 50, .device = D };
    const hy_sssp_opts sssp = { .source = 50, .device = D };
    const hy_sssp_opts named = { .weight = "color", .device = D };
    const hy_pagerank_opts exact = { .tolerance = -1, .device = D };
    assert_int_equal(hy_live_bfs(G, &bfs, &L), HY_EINVAL);
    assert_int_equal(hy_live_sssp(G, &sssp, &L), HY_EINVAL);
    assert_int_equal(hy_live_sssp(G, &named, &L), HY_EINVAL);
    assert_int_equal(hy_live_pagerank(G, &exact, &L), HY_EINVAL);
    assert_null(L);
    hy_device_close(D);
    small_free(G);
}

/* ---- what is sent --------------------------------------------------------
 */

static hy_device_stats stats_of(const struct live_ask *A)
{
    hy_device_stats stats;
    hy_device_stats_get(A->D, &stats);
    return stats;
}

/* A commit of few edges sends their blocks, and not the graph nor anything of
 * its size. */
static void commits_send_what_they_touched(void **state)
{
    (void)state;
    enum { N = 20000, M = 60000 };
    for (size_t i = 0; i < KINDS; i++) {
        struct live_ask A = { .device = "host" };
        hy_graph *const G = small_graph(&(hy_graph_opts){ 0 }, N);
        hy_batch *B = small_batch(G);
        hy_live *L = NULL;
        uint64_t rng = 11;
        for (unsigned e = 0; e < M; e++)
            assert_int_equal(hy_batch_insert_edge(B, rng_below(&rng, N),
                                                  rng_below(&rng, N), NULL),
                             HY_OK);
        (void)small_commit(G, B);
        live_ask_open(hy_graph_ctx(G), &A);
        assert_int_equal(kinds[i].attach(G, &A, &L), HY_OK);
        const hy_device_stats first = stats_of(&A);
        assert_true(first.mirrored > M);
        for (unsigned c = 0; c < 10; c++) {
            const hy_device_stats before = stats_of(&A);
            (void)commit(G, L, 6, &rng);
            const hy_device_stats after = stats_of(&A);
            assert_int_equal(after.whole, first.whole);
            assert_true(after.mirrored - before.mirrored <=
                        4 * (after.touched - before.touched));
            assert_true(after.uploaded - before.uploaded < 20000);
        }
        hy_live_detach(L);
        live_ask_close(&A);
        small_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_follow_histories),
        cmocka_unit_test(growth_is_repaired),
        cmocka_unit_test(answers_follow_on_drivers),
        cmocka_unit_test(answers_follow_moves),
        cmocka_unit_test(answers_survive_without_memory),
        cmocka_unit_test(refused_calls_leave_it_to_the_host),
        cmocka_unit_test(full_devices_leave_it_to_the_host),
        cmocka_unit_test(answers_share_a_device),
        cmocka_unit_test(readers_get_whole_versions),
        cmocka_unit_test(attaching_refuses_what_is_not_there),
        cmocka_unit_test(commits_send_what_they_touched),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
