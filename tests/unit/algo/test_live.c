/* Live answers from outside: several on one graph, coming and going, read by
 * other threads. */
#include "support/test.h"

#include <hypha/hypha.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { N = 300, COLUMN_ROOM = 2 * N };

/* ---- graphs, changes ------------------------------------------------------
 */

static hy_graph *graph_of(bool undirected)
{
    const hy_column weight = { "weight", HY_I32 };
    const hy_graph_opts opts = { .undirected = undirected,
                                 .edge_columns = &weight,
                                 .n_edge_columns = 1 };
    hy_graph *G = NULL;
    assert_int_equal(hy_graph_new(test_ctx(1), &opts, &G), HY_OK);
    return G;
}

static void commit(hy_graph *G, hy_batch *B)
{
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    hy_batch_clear(B);
}

static hy_batch *batch_of(const hy_graph *G)
{
    hy_batch *B = NULL;
    assert_int_equal(hy_batch_new(G, &B), HY_OK);
    return B;
}

static void insert(hy_batch *B, uint64_t u, uint64_t v, int32_t w)
{
    assert_int_equal(hy_batch_insert_edge(B, u, v, &w), HY_OK);
}

/* Vertices 0 .. N-1 and some edges. */
static void populate(hy_graph *G, hy_batch *B, uint64_t *rng)
{
    for (uint64_t u = 0; u < N; u++)
        assert_int_equal(hy_batch_insert_vertex(B, u, NULL), HY_OK);
    for (size_t i = 0; i < 3 * N; i++)
        insert(B, rng_below(rng, N), rng_below(rng, N),
               (int32_t)rng_below(rng, 9));
    commit(G, B);
}

static void add_changes(hy_batch *B, uint64_t *rng, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t u = rng_below(rng, N), v = rng_below(rng, N);
        if (rng_below(rng, 2))
            insert(B, u, v, (int32_t)rng_below(rng, 9));
        else
            assert_int_equal(hy_batch_delete_edge(B, u, v), HY_OK);
    }
}

/* ---- one of each ----------------------------------------------------------
 */

static hy_status attach_bfs(hy_graph *G, hy_live **out)
{
    return hy_live_bfs(G, NULL, out);
}

static hy_status attach_sssp(hy_graph *G, hy_live **out)
{
    return hy_live_sssp(G, NULL, out);
}

static hy_status attach_pagerank(hy_graph *G, hy_live **out)
{
    return hy_live_pagerank(G, NULL, out);
}

static hy_status attach_wcc(hy_graph *G, hy_live **out)
{
    return hy_live_wcc(G, NULL, out);
}

static hy_status attach_triangles(hy_graph *G, hy_live **out)
{
    return hy_live_triangles(G, NULL, out);
}

static const struct kind {
    const char *name;
    hy_status (*attach)(hy_graph *G, hy_live **out);
    hy_type type;
    bool has_parents;
} kinds[] = {
    { "bfs", attach_bfs, HY_U32, true },
    { "sssp", attach_sssp, HY_F64, true },
    { "pagerank", attach_pagerank, HY_F64, false },
    { "wcc", attach_wcc, HY_U32, false },
    { "triangles", attach_triangles, HY_U64, false },
    { "lcc", hy_live_lcc, HY_F64, false },
    { "kcore", hy_live_kcore, HY_U32, false },
    { "degrees", hy_live_degrees, HY_U32, false },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void must_be_current(const hy_graph *G, hy_live *L, hy_live_how how)
{
    const hy_view *const V = hy_graph_now(G);
    const char *why = "";
    hy_live_info info;
    hy_live_info_get(L, &info);
    assert_int_equal(info.version, hy_view_version(V));
    assert_int_equal(info.bound, hy_view_bound(V));
    if (how == HY_LIVE_ATTACHED)
        assert_int_equal(info.how, HY_LIVE_ATTACHED);
    else
        assert_int_not_equal(info.how, HY_LIVE_ATTACHED);
    assert_non_null(info.why);
    if (!hy_live_check(L, &why))
        fail_msg("%s: %s", hy_live_name(L), why);
}

/* ---- attaching and detaching ----------------------------------------------
 */

static void answers_tell_what_they_are(void **state)
{
    (void)state;
    hy_graph *G = graph_of(false);
    hy_batch *B = batch_of(G);
    uint64_t rng = 1;
    populate(G, B, &rng);
    for (size_t i = 0; i < KINDS; i++) {
        hy_live *L = NULL;
        assert_int_equal(kinds[i].attach(G, &L), HY_OK);
        assert_string_equal(hy_live_name(L), kinds[i].name);
        assert_int_equal(hy_live_type(L), kinds[i].type);
        assert_int_equal(hy_live_parents(L) != NULL, kinds[i].has_parents);
        assert_int_equal(hy_live_changed(L).n, 0);
        must_be_current(G, L, HY_LIVE_ATTACHED);
        hy_live_detach(L);
    }
    hy_live_detach(NULL);
    hy_batch_free(B);
    hy_graph_free(G);
}

/* Two of each, in turn attached and detached while the graph goes on. */
static void answers_come_and_go(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        uint64_t rng = seed;
        hy_graph *G = graph_of(seed % 2);
        hy_batch *B = batch_of(G);
        hy_live *L[2 * KINDS] = { NULL };
        populate(G, B, &rng);
        for (size_t round = 0; round < 60; round++) {
            const size_t i = (size_t)rng_below(&rng, 2 * KINDS);
            if (L[i])
                hy_live_detach(L[i]);
            const bool gone = L[i] != NULL;
            L[i] = NULL;
            if (!gone)
                assert_int_equal(kinds[i / 2].attach(G, &L[i]), HY_OK);
            add_changes(B, &rng, (size_t)rng_below(&rng, 40));
            commit(G, B);
            for (size_t k = 0; k < 2 * KINDS; k++)
                if (L[k])
                    must_be_current(G, L[k], HY_LIVE_REPAIRED);
        }
        for (size_t k = 0; k < 2 * KINDS; k++)
            hy_live_detach(L[k]);
        hy_batch_free(B);
        hy_graph_free(G);
    }
}

static void twins_say_the_same(void **state)
{
    (void)state;
    uint64_t rng = 7;
    hy_graph *G = graph_of(true);
    hy_batch *B = batch_of(G);
    hy_live *a = NULL, *b = NULL;
    populate(G, B, &rng);
    assert_int_equal(attach_sssp(G, &a), HY_OK);
    add_changes(B, &rng, 30);
    commit(G, B);
    assert_int_equal(attach_sssp(G, &b), HY_OK);
    for (size_t round = 0; round < 20; round++) {
        add_changes(B, &rng, 30);
        commit(G, B);
        assert_memory_equal(hy_live_values(a), hy_live_values(b),
                            N * sizeof(double));
        assert_memory_equal(hy_live_parents(a), hy_live_parents(b),
                            N * sizeof(hy_vid));
        const hy_vid_list x = hy_live_changed(a), y = hy_live_changed(b);
        assert_int_equal(x.n, y.n);
        if (x.n)
            assert_memory_equal(x.at, y.at, x.n * sizeof *x.at);
    }
    hy_live_detach(a);
    hy_live_detach(b);
    hy_batch_free(B);
    hy_graph_free(G);
}

static void answers_outlive_their_graph(void **state)
{
    (void)state;
    uint64_t rng = 3;
    hy_graph *G = graph_of(true);
    hy_batch *B = batch_of(G);
    hy_live *L[KINDS];
    populate(G, B, &rng);
    for (size_t i = 0; i < KINDS; i++)
        assert_int_equal(kinds[i].attach(G, &L[i]), HY_OK);
    uint32_t degree[N];
    for (hy_vid u = 0; u < N; u++)
        degree[u] = hy_view_degree(hy_graph_now(G), u);
    const uint64_t version = hy_view_version(hy_graph_now(G));
    hy_batch_free(B);
    hy_graph_free(G);
    assert_memory_equal(hy_live_values(L[KINDS - 1]), degree, sizeof degree);
    for (size_t i = 0; i < KINDS; i++) {
        uint64_t values[N];
        hy_live_info info;
        const char *why = NULL;
        hy_live_copy(L[i], values, N, &info);
        assert_int_equal(info.version, version);
        assert_int_equal(info.bound, N);
        assert_false(hy_live_check(L[i], &why));
        assert_non_null(why);
        hy_live_detach(L[i]);
    }
}

static void attaching_refuses_what_is_not_there(void **state)
{
    (void)state;
    hy_graph *G = graph_of(true);
    hy_live *L = NULL;
    const hy_bfs_opts bfs = { .source = 5 };
    const hy_sssp_opts sssp = { .source = 0, .weight = "color" };
    assert_int_equal(hy_live_bfs(G, &bfs, &L), HY_EINVAL);
    assert_int_equal(hy_live_sssp(G, &sssp, &L), HY_EINVAL);
    assert_null(L);
    assert_int_equal(hy_live_wcc(G, NULL, &L), HY_OK);
    assert_int_equal(hy_live_changed(L).n, 0);
    hy_live_detach(L);
    hy_graph_free(G);
}

/* Sources that never were, that are past all ids, that went. */
static void attaching_refuses_sources_that_are_not_alive(void **state)
{
    (void)state;
    static const hy_vid nowhere[] = { 3, N, N + 1, HY_NONE - 1, HY_NONE };
    uint64_t rng = 7;
    hy_graph *G = graph_of(false);
    hy_batch *B = batch_of(G);
    populate(G, B, &rng);
    assert_int_equal(hy_batch_delete_vertex(B, 3), HY_OK);
    commit(G, B);
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        const hy_bfs_opts bfs = { .source = nowhere[i] };
        const hy_sssp_opts sssp = { .source = nowhere[i] };
        hy_live *L = NULL;
        assert_int_equal(hy_live_bfs(G, &bfs, &L), HY_EINVAL);
        assert_non_null(strstr(hy_error_text(), "to start from"));
        assert_int_equal(hy_live_sssp(G, &sssp, &L), HY_EINVAL);
        assert_non_null(strstr(hy_error_text(), "to start from"));
        assert_null(L);
    }
    hy_batch_free(B);
    hy_graph_free(G);
}

/* ---- the graph it hangs on ------------------------------------------------
 */

static void load_is_refused_while_answers_hang_on(void **state)
{
    (void)state;
    const hy_edge edge = { 0, 1 };
    const int32_t weight = 1;
    hy_graph *G = graph_of(true);
    hy_live *L = NULL;
    assert_int_equal(hy_live_degrees(G, &L), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, 2, 1, &edge, &weight), HY_ESTATE);
    hy_live_info info;
    hy_live_info_get(L, &info);
    assert_int_equal(info.version, hy_view_version(hy_graph_now(G)));
    hy_live_detach(L);
    assert_int_equal(hy_graph_load_edges(G, 2, 1, &edge, &weight), HY_OK);
    hy_graph_free(G);
}

static void rebalance_moves_no_answer(void **state)
{
    (void)state;
    uint64_t rng = 11;
    hy_graph *G = graph_of(false);
    hy_batch *B = batch_of(G);
    hy_live *L[KINDS];
    populate(G, B, &rng);
    for (size_t i = 0; i < KINDS; i++)
        assert_int_equal(kinds[i].attach(G, &L[i]), HY_OK);
    add_changes(B, &rng, 100);
    commit(G, B);
    assert_int_equal(hy_graph_rebalance(G), HY_OK);
    add_changes(B, &rng, 100);
    commit(G, B);
    for (size_t i = 0; i < KINDS; i++) {
        must_be_current(G, L[i], HY_LIVE_REPAIRED);
        hy_live_detach(L[i]);
    }
    hy_batch_free(B);
    hy_graph_free(G);
}

/* A batch that the graph refuses, or that an answer refuses. */
static void refused_commits_leave_the_version(void **state)
{
    (void)state;
    uint64_t rng = 5;
    hy_graph *G = graph_of(true);
    hy_batch *B = batch_of(G);
    hy_live *L = NULL;
    populate(G, B, &rng);
    assert_int_equal(attach_sssp(G, &L), HY_OK);
    double before[N];
    hy_live_info was, now;
    hy_live_copy(L, before, N, &was);
    insert(B, 0, N + 5, 1); /* an id the graph never had */
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_ERANGE);
    hy_batch_clear(B);
    insert(B, 0, 1, 1);
    insert(B, 1, 2, -1); /* no weight of a shortest path */
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_EINVAL);
    hy_live_info_get(L, &now);
    assert_int_equal(now.version, was.version);
    assert_int_equal(now.version, hy_view_version(hy_graph_now(G)));
    assert_memory_equal(hy_live_values(L), before, sizeof before);
    must_be_current(G, L, HY_LIVE_ATTACHED);
    hy_live_detach(L);
    hy_batch_free(B);
    hy_graph_free(G);
}

static void vertices_that_come_and_go_are_changes(void **state)
{
    (void)state;
    hy_graph *G = graph_of(true);
    hy_batch *B = batch_of(G);
    for (uint64_t u = 0; u < 3; u++)
        assert_int_equal(hy_batch_insert_vertex(B, u, NULL), HY_OK);
    insert(B, 0, 1, 1);
    commit(G, B);
    hy_live *L = NULL;
    assert_int_equal(hy_live_bfs(G, NULL, &L), HY_OK);
    assert_int_equal(hy_batch_insert_vertex(B, 3, NULL), HY_OK);
    insert(B, 1, 3, 1);
    assert_int_equal(hy_batch_delete_vertex(B, 2), HY_OK);
    commit(G, B);
    hy_vid_list changed = hy_live_changed(L);
    assert_int_equal(changed.n, 1); /* 2 was not reached before */
    assert_int_equal(changed.at[0], 3);
    assert_int_equal(((const uint32_t *)hy_live_values(L))[3], 2);
    assert_int_equal(hy_batch_delete_vertex(B, 1), HY_OK);
    commit(G, B);
    changed = hy_live_changed(L);
    assert_int_equal(changed.n, 2);
    assert_int_equal(changed.at[0], 1);
    assert_int_equal(changed.at[1], 3);
    commit(G, B); /* nothing */
    assert_int_equal(hy_live_changed(L).n, 0);
    hy_live_detach(L);
    hy_batch_free(B);
    hy_graph_free(G);
}

/* ---- readers --------------------------------------------------------------
 */

static void copies_are_cut_to_their_room(void **state)
{
    (void)state;
    uint64_t rng = 9;
    hy_graph *G = graph_of(true);
    hy_batch *B = batch_of(G);
    hy_live *L = NULL;
    populate(G, B, &rng);
    assert_int_equal(hy_live_degrees(G, &L), HY_OK);
    uint32_t values[N + 1];
    memset(values, 0xab, sizeof values);
    hy_live_copy(L, values, 10, NULL);
    assert_memory_equal(values, hy_live_values(L), 10 * sizeof *values);
    assert_int_equal(values[10], 0xabababab);
    hy_live_copy(L, values, N + 1, NULL);
    assert_memory_equal(values, hy_live_values(L), N * sizeof *values);
    assert_int_equal(values[N], 0xabababab);
    hy_live_copy(L, NULL, 0, NULL);
    hy_live_detach(L);
    hy_batch_free(B);
    hy_graph_free(G);
}

/* A path that grows by an edge a commit: with k commits after `first`, the
 * sum of degrees is 2 k and the depths are 0 .. k. */
struct reader {
    pthread_t thread;
    hy_live *degrees, *depths;
    uint64_t first;
    atomic_bool reads, stop;
    uint64_t torn, backwards;
};

static bool is_of_version(const uint32_t *degree, uint64_t k)
{
    uint64_t sum = 0;
    for (hy_vid u = 0; u < COLUMN_ROOM; u++)
        sum += degree[u];
    return sum == 2 * k;
}

static bool are_of_version(const uint32_t *depth, uint64_t bound, uint64_t k)
{
    for (uint64_t u = 0; u < bound; u++)
        if (depth[u] != (u <= k ? u : UINT32_MAX))
            return false;
    return true;
}

static void *read_on(void *arg)
{
    struct reader *R = arg;
    uint32_t values[COLUMN_ROOM];
    uint64_t last = 0;
    while (!atomic_load(&R->stop)) {
        hy_live_info info;
        memset(values, 0, sizeof values);
        hy_live_copy(R->degrees, values, COLUMN_ROOM, &info);
        R->torn += !is_of_version(values, info.version - R->first);
        R->backwards += info.version < last;
        last = info.version;
        hy_live_copy(R->depths, values, COLUMN_ROOM, &info);
        R->torn += !are_of_version(values, info.bound, info.version - R->first);
        atomic_store(&R->reads, true);
    }
    return NULL;
}

static void readers_get_whole_versions(void **state)
{
    (void)state;
    enum { READERS = 2 };
    hy_graph *G = graph_of(true);
    hy_batch *B = batch_of(G);
    assert_int_equal(hy_batch_insert_vertex(B, 0, NULL), HY_OK);
    commit(G, B);
    static struct reader readers[READERS];
    hy_live *degrees = NULL, *depths = NULL;
    assert_int_equal(hy_live_degrees(G, &degrees), HY_OK);
    assert_int_equal(attach_bfs(G, &depths), HY_OK);
    for (size_t i = 0; i < READERS; i++) {
        readers[i] =
            (struct reader){ .degrees = degrees,
                             .depths = depths,
                             .first = hy_view_version(hy_graph_now(G)) };
        assert_int_equal(
            pthread_create(&readers[i].thread, NULL, read_on, &readers[i]), 0);
    }
    for (uint64_t u = 1; u < COLUMN_ROOM; u++) { /* arrays grow on the way */
        assert_int_equal(hy_batch_insert_vertex(B, u, NULL), HY_OK);
        insert(B, u - 1, u, 1);
        commit(G, B);
    }
    for (size_t i = 0; i < READERS; i++) {
        atomic_store(&readers[i].stop, true);
        (void)pthread_join(readers[i].thread, NULL);
        assert_int_equal(readers[i].torn, 0);
        assert_int_equal(readers[i].backwards, 0);
    }
    hy_live_detach(degrees);
    hy_live_detach(depths);
    hy_batch_free(B);
    hy_graph_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_tell_what_they_are),
        cmocka_unit_test(answers_come_and_go),
        cmocka_unit_test(twins_say_the_same),
        cmocka_unit_test(answers_outlive_their_graph),
        cmocka_unit_test(attaching_refuses_what_is_not_there),
        cmocka_unit_test(attaching_refuses_sources_that_are_not_alive),
        cmocka_unit_test(load_is_refused_while_answers_hang_on),
        cmocka_unit_test(rebalance_moves_no_answer),
        cmocka_unit_test(refused_commits_leave_the_version),
        cmocka_unit_test(vertices_that_come_and_go_are_changes),
        cmocka_unit_test(copies_are_cut_to_their_room),
        cmocka_unit_test(readers_get_whole_versions),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
