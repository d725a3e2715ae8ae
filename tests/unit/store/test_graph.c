/* Making graphs and looking at them. */
#include "support/small.h"

#include <string.h>

/* ---- options ---------------------------------------------------------- */

static hy_status status_of(const hy_graph_opts *opts)
{
    hy_graph *G = NULL;
    const hy_status status = hy_graph_new(test_ctx(0), opts, &G);
    assert_true((status == HY_OK) == (G != NULL));
    if (status != HY_OK)
        assert_string_not_equal(hy_error_text(), "");
    hy_graph_free(G);
    return status;
}

static void graph_new_without_options_is_empty(void **state)
{
    hy_graph *G = small_graph(NULL, 0);
    const hy_view *V = hy_graph_now(G);
    (void)state;
    assert_ptr_equal(hy_graph_ctx(G), test_ctx(0));
    assert_int_equal(hy_view_bound(V), 0);
    assert_int_equal(hy_view_vertices(V), 0);
    assert_int_equal(hy_view_edges(V), 0);
    assert_int_equal(hy_view_arcs(V), 0);
    assert_false(hy_view_is_undirected(V));
    assert_false(hy_view_has_reverse(V));
    assert_int_equal(hy_view_edge_columns(V), 0);
    assert_int_equal(hy_view_edge_record_size(V), 0);
    small_free(G);
}

static void graph_new_column_twice_is_invalid(void **state)
{
    const hy_column twice[] = { { "a", HY_U8 }, { "a", HY_F32 } };
    const hy_graph_opts edges = { .edge_columns = twice, .n_edge_columns = 2 };
    const hy_graph_opts vertices = { .vertex_columns = twice,
                                     .n_vertex_columns = 2 };
    (void)state;
    assert_int_equal(status_of(&edges), HY_EINVAL);
    assert_int_equal(status_of(&vertices), HY_EINVAL);
}

static void graph_new_column_of_no_type_is_invalid(void **state)
{
    const hy_column odd = { "a", (hy_type)99 };
    const hy_graph_opts opts = { .edge_columns = &odd, .n_edge_columns = 1 };
    (void)state;
    assert_int_equal(status_of(&opts), HY_EINVAL);
}

static void graph_new_column_name_has_at_most_31_bytes(void **state)
{
    hy_column column = { "0123456789012345678901234567890", HY_U8 };
    const hy_graph_opts opts = { .edge_columns = &column, .n_edge_columns = 1 };
    (void)state;
    assert_int_equal(strlen(column.name), 31);
    assert_int_equal(status_of(&opts), HY_OK);
    column.name = "01234567890123456789012345678901";
    assert_int_equal(status_of(&opts), HY_EINVAL);
}

static void graph_new_columns_without_list_are_invalid(void **state)
{
    const hy_graph_opts opts = { .n_edge_columns = 1 };
    (void)state;
    assert_int_equal(status_of(&opts), HY_EINVAL);
}

static void graph_new_unknown_enums_are_invalid(void **state)
{
    const hy_graph_opts ids = { .ids = (hy_ids)7 };
    const hy_graph_opts slack = { .slack = (hy_slack)7 };
    (void)state;
    assert_int_equal(status_of(&ids), HY_EINVAL);
    assert_int_equal(status_of(&slack), HY_EINVAL);
}

/* ---- models ----------------------------------------------------------- */

static void check_column(const hy_view *V, uint32_t i, const char *name,
                         hy_type type)
{
    assert_string_equal(hy_view_edge_column(V, i).name, name);
    assert_int_equal(hy_view_edge_column(V, i).type, type);
    assert_int_equal(hy_view_find_edge_column(V, name), i);
}

static void model_weighted_has_a_float(void **state)
{
    hy_graph_opts opts = { 0 };
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    hy_graph *G = small_graph(&opts, 0);
    const hy_view *V = hy_graph_now(G);
    (void)state;
    assert_int_equal(hy_view_edge_columns(V), 1);
    check_column(V, 0, "weight", HY_F32);
    assert_int_equal(hy_view_edge_record_size(V), sizeof(float));
    assert_int_equal(hy_view_find_edge_column(V, "type"), HY_NONE);
    small_free(G);
}

static void model_semantic_has_four_columns(void **state)
{
    hy_graph_opts opts = { 0 };
    hy_graph_opts_model(&opts, HY_SEMANTIC);
    hy_graph *G = small_graph(&opts, 0);
    const hy_view *V = hy_graph_now(G);
    (void)state;
    assert_int_equal(hy_view_edge_columns(V), 4);
    check_column(V, 0, "weight", HY_F32);
    check_column(V, 1, "type", HY_U32);
    check_column(V, 2, "from", HY_U64);
    check_column(V, 3, "until", HY_U64);
    assert_int_equal(hy_view_edge_record_size(V), 24);
    small_free(G);
}

static void model_simple_takes_columns_away(void **state)
{
    hy_graph_opts opts = { 0 };
    (void)state;
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    hy_graph_opts_model(&opts, HY_SIMPLE);
    assert_int_equal(opts.n_edge_columns, 0);
}

/* ---- views ------------------------------------------------------------ */

static void view_does_not_move(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    const hy_view *V;
    (void)state;
    (void)small_insert(G, 0, 1, NULL);
    assert_int_equal(hy_view_acquire(G, &V), HY_OK);
    (void)small_insert(G, 0, 2, NULL);
    (void)small_delete(G, 0, 1);
    (void)small_delete_vertex(G, 1);
    (void)small_insert_vertex(G, 9, NULL);
    assert_true(hy_view_has_edge(V, 0, 1));
    assert_false(hy_view_has_edge(V, 0, 2));
    assert_true(hy_view_has_vertex(V, 1));
    assert_int_equal(hy_view_bound(V), 3);
    assert_int_equal(hy_view_edges(V), 1);
    assert_true(hy_view_version(V) < hy_view_version(hy_graph_now(G)));
    hy_view_release(V);
    small_free(G);
}

static void view_outlives_the_graph(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    const hy_view *V;
    (void)state;
    (void)small_insert(G, 0, 1, NULL);
    assert_int_equal(hy_view_acquire(G, &V), HY_OK);
    (void)small_delete(G, 0, 1);
    small_free(G);
    assert_true(hy_view_has_edge(V, 0, 1));
    assert_int_equal(hy_span_out(V, 0).n, 1);
    hy_view_release(V);
    assert_int_equal(hy_ctx_bytes(test_ctx(0)), 0);
}

static void view_of_a_version_is_shared(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    const hy_view *a, *b;
    hy_graph_stats stats;
    (void)state;
    assert_int_equal(hy_view_acquire(G, &a), HY_OK);
    assert_int_equal(hy_view_acquire(G, &b), HY_OK);
    assert_int_equal(hy_view_version(a), hy_view_version(b));
    hy_graph_stats_get(G, &stats);
    assert_int_equal(stats.views, 1);
    hy_view_release(a);
    (void)small_insert(G, 0, 1, NULL);
    assert_int_equal(hy_view_edges(b), 0);
    hy_view_release(b);
    hy_graph_stats_get(G, &stats);
    assert_int_equal(stats.views, 0);
    small_free(G);
}

static void view_release_of_null_does_nothing(void **state)
{
    (void)state;
    hy_view_release(NULL);
    hy_graph_free(NULL);
    hy_batch_free(NULL);
}

static void view_finds_an_id_that_was_deleted_since(void **state)
{
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    hy_graph *G = small_graph(&opts, 0);
    const hy_view *V;
    (void)state;
    (void)small_insert(G, 100, 200, NULL);
    assert_int_equal(hy_view_acquire(G, &V), HY_OK);
    const hy_vid u = hy_view_find(V, 100);
    (void)small_delete_vertex(G, 100);
    (void)small_insert_vertex(G, 300, NULL);
    assert_int_equal(hy_view_find(hy_graph_now(G), 100), HY_NONE);
    assert_int_equal(hy_view_find(V, 100), u);
    assert_int_equal(hy_view_external(V, u), 100);
    assert_int_equal(hy_view_find(V, 300), HY_NONE);
    hy_view_release(V);
    small_free(G);
}

static void view_questions_out_of_range_are_answered_no(void **state)
{
    hy_graph *G = small_graph(NULL, 2);
    const hy_view *V = hy_graph_now(G);
    const hy_edge edges[] = { { 5, 0 }, { 0, 5 }, { HY_NONE, HY_NONE } };
    bool found[] = { true, true, true };
    (void)state;
    assert_false(hy_view_has_vertex(V, 2));
    assert_int_equal(hy_view_degree(V, HY_NONE), 0);
    assert_int_equal(hy_view_in_degree(V, 77), 0);
    assert_false(hy_view_has_edge(V, 0, 5));
    assert_false(hy_view_has_edge(V, 5, 0));
    hy_view_has_edges(V, 3, edges, found);
    assert_false(found[0] || found[1] || found[2]);
    assert_int_equal(hy_span_out(V, 2).n, 0);
    assert_int_equal(hy_view_find(V, UINT64_MAX), HY_NONE);
    small_free(G);
}

/* ---- reverse side, rebalance ------------------------------------------ */

static void add_reverse_shows_who_points_here(void **state)
{
    hy_graph *G = small_graph(NULL, 4);
    (void)state;
    (void)small_insert(G, 3, 1, NULL);
    (void)small_insert(G, 0, 1, NULL);
    assert_int_equal(hy_view_in_degree(hy_graph_now(G), 1), 0);
    assert_int_equal(hy_span_in(hy_graph_now(G), 1).n, 0);
    assert_int_equal(hy_graph_add_reverse(G), HY_OK);
    assert_int_equal(hy_graph_add_reverse(G), HY_OK);
    assert_true(hy_view_has_reverse(hy_graph_now(G)));
    (void)small_insert(G, 2, 1, NULL);
    (void)small_delete(G, 3, 1);
    const hy_span s = hy_span_in(hy_graph_now(G), 1);
    assert_int_equal(s.n, 2);
    assert_int_equal(s.v[0], 0);
    assert_int_equal(s.v[1], 2);
    small_free(G);
}

static void add_reverse_of_undirected_changes_nothing(void **state)
{
    const hy_graph_opts opts = { .undirected = true };
    hy_graph *G = small_graph(&opts, 3);
    (void)state;
    (void)small_insert(G, 0, 1, NULL);
    assert_int_equal(hy_graph_add_reverse(G), HY_OK);
    assert_int_equal(hy_view_in_degree(hy_graph_now(G), 1), 1);
    small_free(G);
}

static void rebalance_changes_no_answer(void **state)
{
    hy_graph *G = small_graph(NULL, 4);
    (void)state;
    (void)small_insert(G, 3, 1, NULL);
    (void)small_insert(G, 0, 2, NULL);
    assert_int_equal(hy_graph_rebalance(G), HY_OK);
    assert_true(small_has_edge(G, 3, 1));
    assert_true(small_has_edge(G, 0, 2));
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 2);
    small_free(G);
}

static void rebalance_of_an_empty_graph_is_fine(void **state)
{
    hy_graph *G = small_graph(NULL, 0);
    (void)state;
    assert_int_equal(hy_graph_rebalance(G), HY_OK);
    assert_int_equal(hy_graph_add_reverse(G), HY_OK);
    small_free(G);
}

/* ---- spans ------------------------------------------------------------ */

static void span_column_of_interleaved_graph_has_its_step(void **state)
{
    const hy_edge edges[] = { { 0, 1 }, { 0, 2 }, { 0, 3 } };
    const float weights[] = { 1, 2, 3 };
    hy_graph_opts opts = { .interleaved = true };
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    hy_graph *G = small_graph(&opts, 0);
    size_t step;
    (void)state;
    assert_int_equal(hy_graph_load_edges(G, 4, 3, edges, weights), HY_OK);
    const hy_span s = hy_span_out(hy_graph_now(G), 0);
    const char *w = hy_span_column(hy_graph_now(G), &s, 0, &step);
    assert_int_equal(s.n, 3);
    for (uint32_t i = 0; i < 3; i++) {
        float weight;
        memcpy(&weight, w + i * step, sizeof weight);
        assert_int_equal(s.v[i * s.step], i + 1);
        assert_true(weight == weights[i]);
    }
    small_free(G);
}

static void span_step_is_one_unless_interleaved(void **state)
{
    hy_graph *G = small_graph(NULL, 2);
    (void)state;
    (void)small_insert(G, 0, 1, NULL);
    assert_int_equal(hy_span_out(hy_graph_now(G), 0).step, 1);
    small_free(G);
}

static void scan_of_a_range_shows_it_only(void **state)
{
    hy_graph *G = small_graph(NULL, 5);
    uint64_t seen = 0;
    (void)state;
    for (uint64_t u = 0; u < 5; u++)
        (void)small_insert(G, u, (u + 1) % 5, NULL);
    hy_scan scan = hy_scan_out(hy_graph_now(G), 1, 3);
    while (hy_scan_next(&scan)) {
        assert_true(scan.span.u == 1 || scan.span.u == 2);
        seen += scan.span.n;
    }
    assert_int_equal(seen, 2);
    small_free(G);
}

static void scan_without_reverse_side_shows_nothing_in(void **state)
{
    hy_graph *G = small_graph(NULL, 2);
    (void)state;
    (void)small_insert(G, 0, 1, NULL);
    hy_scan scan = hy_scan_in(hy_graph_now(G), 0, 2);
    assert_false(hy_scan_next(&scan));
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graph_new_without_options_is_empty),
        cmocka_unit_test(graph_new_column_twice_is_invalid),
        cmocka_unit_test(graph_new_column_of_no_type_is_invalid),
        cmocka_unit_test(graph_new_column_name_has_at_most_31_bytes),
        cmocka_unit_test(graph_new_columns_without_list_are_invalid),
        cmocka_unit_test(graph_new_unknown_enums_are_invalid),
        cmocka_unit_test(model_weighted_has_a_float),
        cmocka_unit_test(model_semantic_has_four_columns),
        cmocka_unit_test(model_simple_takes_columns_away),
        cmocka_unit_test(view_does_not_move),
        cmocka_unit_test(view_outlives_the_graph),
        cmocka_unit_test(view_of_a_version_is_shared),
        cmocka_unit_test(view_release_of_null_does_nothing),
        cmocka_unit_test(view_finds_an_id_that_was_deleted_since),
        cmocka_unit_test(view_questions_out_of_range_are_answered_no),
        cmocka_unit_test(add_reverse_shows_who_points_here),
        cmocka_unit_test(add_reverse_of_undirected_changes_nothing),
        cmocka_unit_test(rebalance_changes_no_answer),
        cmocka_unit_test(rebalance_of_an_empty_graph_is_fine),
        cmocka_unit_test(span_column_of_interleaved_graph_has_its_step),
        cmocka_unit_test(span_step_is_one_unless_interleaved),
        cmocka_unit_test(scan_of_a_range_shows_it_only),
        cmocka_unit_test(scan_without_reverse_side_shows_nothing_in),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
