/* Filling empty graphs at once. */
#include "support/small.h"

static void load_repeats_are_merged_last_wins(void **state)
{
    const hy_edge edges[] = { { 0, 1 }, { 2, 0 }, { 0, 1 }, { 1, 0 } };
    const float weights[] = { 1, 2, 3, 4 };
    hy_graph_opts opts = { 0 };
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_edges(G, 3, 4, edges, weights), HY_OK);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 3);
    assert_true(small_weight(hy_graph_now(G), 0, 1) == 3);
    assert_true(small_weight(hy_graph_now(G), 1, 0) == 4);
    small_free(G);
}

static void load_undirected_repeats_merge_in_both_orders(void **state)
{
    const hy_edge edges[] = { { 0, 1 }, { 1, 0 }, { 2, 2 } };
    const float weights[] = { 1, 2, 3 };
    hy_graph_opts opts = { .undirected = true };
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_edges(G, 3, 3, edges, weights), HY_OK);
    const hy_view *V = hy_graph_now(G);
    assert_int_equal(hy_view_edges(V), 2);
    assert_int_equal(hy_view_arcs(V), 3);
    assert_true(small_weight(V, 0, 1) == 2);
    assert_true(small_weight(V, 1, 0) == 2);
    small_free(G);
}

static void load_endpoint_past_n_is_out_of_range(void **state)
{
    const hy_edge edges[] = { { 0, 1 }, { 1, 3 } };
    hy_graph *G = small_graph(NULL, 0);
    (void)state;
    assert_int_equal(hy_graph_load_edges(G, 3, 2, edges, NULL), HY_ERANGE);
    assert_string_not_equal(hy_error_text(), "");
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 0);
    assert_int_equal(hy_graph_load_edges(G, 4, 2, edges, NULL), HY_OK);
    small_free(G);
}

static void load_of_a_full_graph_is_refused(void **state)
{
    const uint64_t offsets[] = { 0, 0 };
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    assert_int_equal(hy_graph_load_edges(G, 1, 0, NULL, NULL), HY_ESTATE);
    assert_int_equal(hy_graph_load_csr(G, 1, offsets, NULL, NULL), HY_ESTATE);
    assert_string_not_equal(hy_error_text(), "");
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 3);
    small_free(G);
}

static void load_too_many_vertices_is_refused(void **state)
{
    hy_graph *G = small_graph(NULL, 0);
    (void)state;
    assert_int_not_equal(
        hy_graph_load_edges(G, (uint64_t)UINT32_MAX + 1, 0, NULL, NULL), HY_OK);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 0);
    small_free(G);
}

static void load_loops_under_no_loops_are_left_out(void **state)
{
    const hy_edge edges[] = { { 0, 0 }, { 0, 1 }, { 1, 1 } };
    const hy_graph_opts opts = { .no_loops = true };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_edges(G, 2, 3, edges, NULL), HY_OK);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 1);
    small_free(G);
}

static void load_csr_rows_need_no_order(void **state)
{
    const uint64_t offsets[] = { 0, 3, 3, 5 };
    const hy_vid targets[] = { 2, 1, 2, 2, 0 };
    hy_graph *G = small_graph(NULL, 0);
    (void)state;
    assert_int_equal(hy_graph_load_csr(G, 3, offsets, targets, NULL), HY_OK);
    const hy_span s = hy_span_out(hy_graph_now(G), 0);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.v[0], 1);
    assert_int_equal(s.v[1], 2);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 4);
    small_free(G);
}

static void load_csr_undirected_asymmetric_is_invalid(void **state)
{
    const uint64_t offsets[] = { 0, 1, 1 };
    const hy_vid targets[] = { 1 };
    const hy_graph_opts opts = { .undirected = true };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_csr(G, 2, offsets, targets, NULL),
                     HY_EINVAL);
    assert_string_not_equal(hy_error_text(), "");
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 0);
    small_free(G);
}

static void load_csr_undirected_unsorted_asymmetric_is_invalid(void **state)
{
    const uint64_t offsets[] = { 0, 2, 3, 3 };
    const hy_vid targets[] = { 2, 1, 0 };
    const hy_graph_opts opts = { .undirected = true };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_csr(G, 3, offsets, targets, NULL),
                     HY_EINVAL);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 0);
    small_free(G);
}

static void load_csr_undirected_symmetric_counts_once(void **state)
{
    const uint64_t offsets[] = { 0, 2, 3, 4 };
    const hy_vid targets[] = { 1, 2, 0, 0 };
    const hy_graph_opts opts = { .undirected = true };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_csr(G, 3, offsets, targets, NULL), HY_OK);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 2);
    assert_int_equal(hy_view_arcs(hy_graph_now(G)), 4);
    small_free(G);
}

static void load_csr_target_past_n_is_out_of_range(void **state)
{
    const uint64_t offsets[] = { 0, 1, 2 };
    const hy_vid targets[] = { 1, 2 };
    hy_graph *G = small_graph(NULL, 0);
    (void)state;
    assert_int_equal(hy_graph_load_csr(G, 2, offsets, targets, NULL),
                     HY_ERANGE);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 0);
    small_free(G);
}

static void load_csr_offsets_that_go_back_are_invalid(void **state)
{
    const uint64_t offsets[] = { 0, 2, 1, 2 };
    const hy_vid targets[] = { 1, 2 };
    hy_graph *G = small_graph(NULL, 0);
    (void)state;
    assert_int_equal(hy_graph_load_csr(G, 3, offsets, targets, NULL),
                     HY_EINVAL);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 0);
    small_free(G);
}

static void load_pairs_brings_vertices_along(void **state)
{
    const uint64_t far = UINT64_MAX - 1;
    const hy_pair pairs[] = { { far, 7 }, { 7, 1ull << 40 } };
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_pairs(G, 2, pairs, NULL), HY_OK);
    const hy_view *V = hy_graph_now(G);
    const hy_vid u = hy_view_find(V, far), v = hy_view_find(V, 7);
    assert_int_equal(hy_view_vertices(V), 3);
    assert_true(hy_view_has_edge(V, u, v));
    assert_false(hy_view_has_edge(V, v, u));
    assert_true(hy_view_external(V, u) == far);
    assert_int_equal(hy_view_find(V, 8), HY_NONE);
    small_free(G);
}

static void load_pairs_needs_mapped_ids(void **state)
{
    const hy_pair pairs[] = { { 0, 1 } };
    hy_graph *G = small_graph(NULL, 0);
    (void)state;
    assert_int_not_equal(hy_graph_load_pairs(G, 1, pairs, NULL), HY_OK);
    assert_string_not_equal(hy_error_text(), "");
    small_free(G);
}

static void load_pairs_numbers_ascending_by_external_id(void **state)
{
    const hy_pair pairs[] = { { 1ull << 50, 9 }, { 9, 3 }, { 3, 1ull << 50 } };
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_pairs(G, 3, pairs, NULL), HY_OK);
    const hy_view *V = hy_graph_now(G);
    assert_int_equal(hy_view_find(V, 3), 0);
    assert_int_equal(hy_view_find(V, 9), 1);
    assert_int_equal(hy_view_find(V, 1ull << 50), 2);
    small_free(G);
}

static void load_pairs_of_rejected_loops_brings_no_vertex(void **state)
{
    const hy_pair pairs[] = { { 5, 5 }, { 1ull << 50, 1ull << 50 } };
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED, .no_loops = true };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_pairs(G, 2, pairs, NULL), HY_OK);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 0);
    small_free(G);
}

static void load_pairs_of_many_finds_all_on_threads(void **state)
{
    enum { M = 150000, SMALL = 5000, GREAT = 7000, BOTH = 35000 };
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    hy_pair *pairs = test_malloc(M * sizeof *pairs);
    (void)state;
    for (uint64_t i = 0; i < M; i++)
        pairs[i] = (hy_pair){ i % SMALL, i % GREAT << 30 };
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        hy_graph *G = NULL;
        assert_int_equal(hy_graph_new(test_ctx(c), &opts, &G), HY_OK);
        assert_int_equal(hy_graph_load_pairs(G, M, pairs, NULL), HY_OK);
        const hy_view *V = hy_graph_now(G);
        assert_int_equal(hy_view_vertices(V), SMALL + GREAT - 1);
        assert_int_equal(hy_view_edges(V), BOTH);
        assert_int_equal(hy_view_find(V, SMALL - 1), SMALL - 1);
        assert_int_equal(hy_view_find(V, 3ull << 30), SMALL + 2);
        small_free(G);
    }
    test_free(pairs);
}

static void load_named_keeps_numbers_and_names(void **state)
{
    const uint64_t external[] = { 1ull << 63, 0, 17, 5 };
    const hy_edge edges[] = { { 0, 1 }, { 1, 3 } };
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED, .undirected = true };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_named(G, 4, external, 2, edges, NULL),
                     HY_OK);
    const hy_view *V = hy_graph_now(G);
    assert_int_equal(hy_view_vertices(V), 4);
    assert_int_equal(hy_view_edges(V), 2);
    assert_true(hy_view_has_edge(V, 3, 1));
    for (hy_vid u = 0; u < 4; u++) {
        assert_int_equal(hy_view_find(V, external[u]), u);
        assert_true(hy_view_external(V, u) == external[u]);
    }
    assert_int_equal(hy_view_find(V, 1), HY_NONE);
    (void)small_insert(G, 5, 99, NULL);
    assert_int_equal(hy_view_find(hy_graph_now(G), 99), 4);
    small_free(G);
}

static void load_named_needs_distinct_ids(void **state)
{
    const uint64_t bad[][3] = { { 1, 2, 1 },
                                { 1ull << 40, 0, 1ull << 40 },
                                { 0, HY_ANY, 1 } };
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(hy_graph_load_named(G, 3, bad[i], 0, NULL, NULL),
                         HY_EINVAL);
        assert_string_not_equal(hy_error_text(), "");
        assert_int_equal(hy_view_vertices(hy_graph_now(G)), 0);
        assert_int_equal(hy_view_find(hy_graph_now(G), 0), HY_NONE);
    }
    const uint64_t good[] = { 1 };
    const hy_edge far[] = { { 0, 1 } };
    assert_int_equal(hy_graph_load_named(G, 1, good, 1, far, NULL), HY_ERANGE);
    assert_int_equal(hy_graph_load_named(G, 1, NULL, 0, NULL, NULL), HY_EINVAL);
    assert_int_equal(hy_graph_load_named(G, 1, good, 0, NULL, NULL), HY_OK);
    assert_int_equal(hy_graph_load_named(G, 1, good, 0, NULL, NULL), HY_ESTATE);
    small_free(G);
    G = small_graph(NULL, 0);
    assert_int_equal(hy_graph_load_named(G, 1, good, 0, NULL, NULL), HY_EINVAL);
    small_free(G);
}

static void load_edges_of_mapped_ids_keeps_numbers(void **state)
{
    const hy_edge edges[] = { { 2, 0 } };
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    assert_int_equal(hy_graph_load_edges(G, 3, 1, edges, NULL), HY_OK);
    const hy_view *V = hy_graph_now(G);
    assert_int_equal(hy_view_vertices(V), 3);
    assert_true(hy_view_has_edge(V, hy_view_find(V, 2), hy_view_find(V, 0)));
    assert_int_equal(hy_view_external(V, hy_view_find(V, 1)), 1);
    small_free(G);
}

/* Full leaves side by side are one span; the last leaf may lie elsewhere. */
static void load_of_a_hub_makes_few_spans(void **state)
{
    enum { DEGREE = 5 * 512 + 100, N = DEGREE + 1 };
    static hy_edge edges[DEGREE];
    (void)state;
    for (hy_vid i = 0; i < DEGREE; i++)
        edges[i] = (hy_edge){ 0, i + 1 };
    hy_graph *G = small_graph(NULL, 0);
    assert_int_equal(hy_graph_load_edges(G, N, DEGREE, edges, NULL), HY_OK);
    for (int pass = 0; pass < 2; pass++) {
        uint32_t spans = 0;
        hy_vid next = 1;
        hy_for_out_span (s, hy_graph_now(G), 0) {
            spans++;
            for (uint32_t i = 0; i < s.n; i++)
                assert_int_equal(s.v[i], next++);
        }
        assert_in_range(spans, 1, 2);
        assert_int_equal(next, N);
        assert_int_equal(hy_graph_rebalance(G), HY_OK);
    }
    small_free(G);
}

/* Room for one more in full blocks is left out where it would be too much. */
static void load_under_a_cap_does_without_spare_room(void **state)
{
    enum { N = 4096, LEAST = 32, MOST = 96 };
    static uint64_t offset[N + 1];
    static hy_vid target[N * MOST];
    hy_graph_opts opts = { 0 };
    hy_graph_stats stats[2];
    (void)state;
    for (hy_vid u = 0; u < N; u++) {
        const uint64_t degree = LEAST + u % (MOST - LEAST);
        for (uint64_t i = 0; i < degree; i++)
            target[offset[u] + i] = (hy_vid)i;
        offset[u + 1] = offset[u] + degree;
    }
    for (int i = 0; i < 2; i++) {
        hy_graph *G;
        assert_int_equal(hy_graph_new(test_ctx(0), &opts, &G), HY_OK);
        assert_int_equal(hy_graph_load_csr(G, N, offset, target, NULL), HY_OK);
        hy_graph_stats_get(G, &stats[i]);
        opts.memory_cap = stats[i].bytes - 64;
        small_free(G);
    }
    assert_true(stats[1].bytes < stats[0].bytes);
    assert_int_equal(stats[1].edges, stats[0].edges);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_repeats_are_merged_last_wins),
        cmocka_unit_test(load_undirected_repeats_merge_in_both_orders),
        cmocka_unit_test(load_endpoint_past_n_is_out_of_range),
        cmocka_unit_test(load_of_a_full_graph_is_refused),
        cmocka_unit_test(load_too_many_vertices_is_refused),
        cmocka_unit_test(load_loops_under_no_loops_are_left_out),
        cmocka_unit_test(load_csr_rows_need_no_order),
        cmocka_unit_test(load_csr_undirected_asymmetric_is_invalid),
        cmocka_unit_test(load_csr_undirected_unsorted_asymmetric_is_invalid),
        cmocka_unit_test(load_csr_undirected_symmetric_counts_once),
        cmocka_unit_test(load_csr_target_past_n_is_out_of_range),
        cmocka_unit_test(load_csr_offsets_that_go_back_are_invalid),
        cmocka_unit_test(load_pairs_brings_vertices_along),
        cmocka_unit_test(load_pairs_needs_mapped_ids),
        cmocka_unit_test(load_pairs_numbers_ascending_by_external_id),
        cmocka_unit_test(load_pairs_of_rejected_loops_brings_no_vertex),
        cmocka_unit_test(load_pairs_of_many_finds_all_on_threads),
        cmocka_unit_test(load_named_keeps_numbers_and_names),
        cmocka_unit_test(load_named_needs_distinct_ids),
        cmocka_unit_test(load_edges_of_mapped_ids_keeps_numbers),
        cmocka_unit_test(load_of_a_hub_makes_few_spans),
        cmocka_unit_test(load_under_a_cap_does_without_spare_room),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
