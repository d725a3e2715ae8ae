/* Hops, live: depths and smallest parents through all that a history can do. */
#include "support/live_ask.h"
#include "support/small.h"

#include <stdlib.h>

static struct live_ask ask;
static const struct live_case bfs = { .attach = live_ask_bfs,
                                      .compare = live_is_bfs,
                                      .arg = &ask };

static void bfs_follows_histories(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_histories(&bfs, test_scaled(3000), &counts);
    assert_true(counts.repaired > 0 && counts.recomputed > 0);
    assert_true(counts.changed > 0);
}

static void bfs_survives_emptying(void **state)
{
    (void)state;
    struct live_counts counts = { 0 };
    live_empty_and_refill(&bfs, test_scaled(30), 7, &counts);
    assert_true(counts.repaired > 0);
}

static void bfs_of_one_batch_or_many(void **state)
{
    (void)state;
    live_one_by_one(&bfs, test_scaled(300));
}

static void bfs_stays_when_commits_fail(void **state)
{
    (void)state;
    live_commit_fails(&bfs, test_scaled(100));
}

/* An edge of the source that comes or goes moves thousands of vertices: a look
 * at it is enough to know. */
static void must_be_foreseen(hy_graph *G, hy_live *L, hy_batch *B)
{
    struct why why = { "" };
    hy_live_info info;
    small_commit(G, B);
    hy_live_info_get(L, &info);
    assert_int_equal(info.how, HY_LIVE_RECOMPUTED);
    assert_true(info.work < 200);
    if (!live_is_bfs(L, hy_graph_now(G), &ask, &why))
        fail_msg("%s", why.text);
}

static void bfs_sees_what_is_to_come(void **state)
{
    enum { N = 20000, M = 10 * N };
    const hy_graph_opts opts = { .undirected = true };
    uint64_t rng = 1; /* of some graphs few vertices are so far away */
    hy_edge *edges = calloc(M, sizeof *edges);
    hy_graph *G = NULL;
    hy_live *L = NULL;
    (void)state;
    if (!edges)
        abort();
    for (uint64_t i = 0; i < M; i++)
        edges[i] =
            (hy_edge){ (hy_vid)rng_below(&rng, N), (hy_vid)rng_below(&rng, N) };
    assert_int_equal(hy_graph_new(test_ctx(0), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, N, M, edges, NULL), HY_OK);
    assert_int_equal(live_ask_bfs(G, &ask, &L), HY_OK);
    const hy_vid s = (hy_vid)ask.external;
    hy_vid far = 0;
    while (((const uint32_t *)hy_live_values(L))[far] < 4)
        far++;
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_insert_edge(B, s, far, NULL), HY_OK);
    must_be_foreseen(G, L, B);
    assert_int_equal(hy_live_parents(L)[far], s);
    B = small_batch(G);
    assert_int_equal(hy_batch_delete_edge(B, s, far), HY_OK);
    must_be_foreseen(G, L, B);
    hy_live_detach(L);
    small_free(G);
    free(edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs_follows_histories),
        cmocka_unit_test(bfs_survives_emptying),
        cmocka_unit_test(bfs_of_one_batch_or_many),
        cmocka_unit_test(bfs_stays_when_commits_fail),
        cmocka_unit_test(bfs_sees_what_is_to_come),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
