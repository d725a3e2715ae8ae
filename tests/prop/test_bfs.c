/* Searches of random graphs: the checker, which is a plain search, agrees,
 * whatever arrays are wanted and however many threads there are. */
#include "support/some_graph.h"

#include <hypha/bfs.h>
#include <hypha/gen.h>

#include <stdlib.h>
#include <string.h>

struct answer {
    uint32_t *depth;
    hy_vid *parent;
    hy_bfs_info info;
};

static struct answer answer_new(const hy_view *V)
{
    struct answer A = { .depth = calloc(hy_view_bound(V), sizeof *A.depth),
                        .parent = calloc(hy_view_bound(V), sizeof *A.parent) };
    assert_true(A.depth && A.parent);
    return A;
}

static void answer_free(struct answer *A)
{
    free(A->parent);
    free(A->depth);
}

static void accept(const hy_view *V, const hy_bfs_opts *opts,
                   const uint32_t *depth, const hy_vid *parent,
                   const hy_bfs_info *info, uint64_t seed)
{
    const char *why;
    if (!hy_bfs_check(V, opts, depth, parent, info, &why))
        fail_msg("%s; HYPHA_TEST_SEED=0x%llx", why, (unsigned long long)seed);
}

static void search_all_ways(const hy_view *V, hy_vid source, uint64_t seed)
{
    struct answer A = answer_new(V);
    for (unsigned way = 0; way < 8; way++) {
        const hy_bfs_opts opts = { .source = source, .deterministic = way & 4 };
        uint32_t *const depth = way & 1 ? A.depth : NULL;
        hy_vid *const parent = way & 2 ? A.parent : NULL;
        assert_int_equal(hy_bfs(V, &opts, depth, parent, &A.info), HY_OK);
        accept(V, &opts, depth, parent, &A.info, seed);
    }
    answer_free(&A);
}

static void search_of_a_random_graph_is_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(1200); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G = some_graph(test_ctx((unsigned)i), NULL, rng);
        const hy_view *V = hy_graph_now(G);
        const hy_vid source = some_vertex(V, &rng);
        if (source != HY_NONE)
            search_all_ways(V, source, test_seed_at(i));
        hy_graph_free(G);
    }
}

/* Large enough for both directions, several threads, and hubs that are
 * cut. */
static void search_of_a_large_graph_is_right(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(12); i++) {
        uint64_t rng = test_seed_at(i);
        const struct some_graph how = {
            .n = (hy_vid)rng_range(&rng, 20000, 60000),
            .m = rng_range(&rng, 30000, 300000),
            .has_hub = rng_chance(&rng, 50),
        };
        hy_graph *G = some_graph(test_ctx((unsigned)i), &how, rng);
        const hy_view *V = hy_graph_now(G);
        search_all_ways(V, some_vertex(V, &rng), test_seed_at(i));
        hy_graph_free(G);
    }
}

/* Changes one entry, if that makes it wrong; restores it. */
/* Many short levels, which are dealt out by place. */
static void search_of_a_grid_is_right(void **state)
{
    (void)state;
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        uint64_t rng = test_seed_at(c);
        const hy_gen_opts how = { .kind = HY_GEN_GRID,
                                  .rows = rng_range(&rng, 300, 700),
                                  .columns = rng_range(&rng, 300, 700) };
        hy_graph *G;
        assert_int_equal(hy_gen_graph(test_ctx(c), &how, &G), HY_OK);
        const hy_view *V = hy_graph_now(G);
        search_all_ways(V, 0, test_seed_at(c));
        search_all_ways(V, some_vertex(V, &rng), test_seed_at(c));
        hy_graph_free(G);
    }
}

static void reject_entry(const hy_view *V, const hy_bfs_opts *opts,
                         struct answer *A, uint32_t *entry, uint32_t value)
{
    const char *why = "";
    const uint32_t right = *entry;
    if (right == value)
        return;
    *entry = value;
    assert_false(hy_bfs_check(V, opts, A->depth, A->parent, &A->info, &why));
    assert_true(strlen(why) > 0);
    *entry = right;
}

static void check_rejects_what_is_wrong(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < test_scaled(200); i++) {
        uint64_t rng = test_seed_at(i);
        hy_graph *G = some_graph(test_ctx((unsigned)i), NULL, rng);
        const hy_view *V = hy_graph_now(G);
        const hy_bfs_opts opts = { .source = some_vertex(V, &rng),
                                   .deterministic = true };
        struct answer A = answer_new(V);
        if (opts.source != HY_NONE) {
            const hy_vid bound = hy_view_bound(V);
            const hy_vid v = (hy_vid)rng_below(&rng, bound);
            assert_int_equal(hy_bfs(V, &opts, A.depth, A.parent, &A.info),
                             HY_OK);
            reject_entry(V, &opts, &A, &A.depth[v],
                         (uint32_t)rng_below(&rng, 3));
            reject_entry(V, &opts, &A, &A.parent[v],
                         (hy_vid)rng_below(&rng, bound));
            reject_entry(V, &opts, &A, &A.parent[v], HY_NONE);
            reject_entry(V, &opts, &A, &A.parent[v], bound);
            reject_entry(V, &opts, &A, &A.info.max_depth, A.info.max_depth + 1);
            A.info.reached++;
            assert_false(hy_bfs_check(V, &opts, NULL, NULL, &A.info, NULL));
        }
        answer_free(&A);
        hy_graph_free(G);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_of_a_random_graph_is_right),
        cmocka_unit_test(search_of_a_large_graph_is_right),
        cmocka_unit_test(search_of_a_grid_is_right),
        cmocka_unit_test(check_rejects_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
