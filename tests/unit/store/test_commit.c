/* What lines about edges do, and what a commit says about them. */
#include "support/small.h"

#include <string.h>

static hy_graph *weighted(hy_graph_opts opts, uint64_t n)
{
    hy_graph_opts_model(&opts, HY_WEIGHTED);
    return small_graph(&opts, n);
}

static const hy_graph_opts plain = { .reverse = false };
static const hy_graph_opts undirected = { .undirected = true };
static const hy_graph_opts mapped = { .ids = HY_IDS_MAPPED };

static void check_edge(const hy_edge_list *list, uint64_t i, hy_vid u, hy_vid v)
{
    assert_true(i < list->n);
    assert_int_equal(list->at[i].u, u);
    assert_int_equal(list->at[i].v, v);
}

static float weight_at(const void *records, uint64_t i)
{
    return ((const float *)records)[i];
}

/* ---- lines about edges ------------------------------------------------ */

static void insert_of_a_new_edge_is_inserted(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    const hy_delta d = small_insert(G, 2, 1, NULL);
    assert_int_equal(d.counts.inserted, 1);
    assert_int_equal(d.inserted.n, 1);
    check_edge(&d.inserted, 0, 2, 1);
    assert_int_equal(d.version, hy_view_version(hy_graph_now(G)));
    assert_true(small_has_edge(G, 2, 1));
    assert_false(small_has_edge(G, 1, 2));
    small_free(G);
}

static void insert_of_what_is_there_is_duplicate(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    (void)small_insert(G, 2, 1, NULL);
    const hy_delta d = small_insert(G, 2, 1, NULL);
    assert_int_equal(d.counts.inserted, 0);
    assert_int_equal(d.counts.duplicate, 1);
    assert_int_equal(d.inserted.n, 0);
    small_free(G);
}

static void insert_with_other_values_is_updated(void **state)
{
    const float one = 1, two = 2;
    hy_graph *G = weighted(plain, 3);
    (void)state;
    (void)small_insert(G, 0, 1, &one);
    const hy_delta d = small_insert(G, 0, 1, &two);
    assert_int_equal(d.counts.updated, 1);
    assert_int_equal(d.updated.n, 1);
    assert_true(weight_at(d.updated.values, 0) == 2);
    assert_true(weight_at(d.updated.old, 0) == 1);
    assert_true(small_weight(hy_graph_now(G), 0, 1) == 2);
    small_free(G);
}

static void insert_with_equal_values_is_duplicate(void **state)
{
    const float one = 1;
    hy_graph *G = weighted(plain, 3);
    (void)state;
    (void)small_insert(G, 0, 1, &one);
    const hy_delta d = small_insert(G, 0, 1, &one);
    assert_int_equal(d.counts.duplicate, 1);
    assert_int_equal(d.updated.n, 0);
    small_free(G);
}

static void insert_without_values_leaves_columns(void **state)
{
    const float one = 1;
    hy_graph *G = weighted(plain, 3);
    (void)state;
    (void)small_insert(G, 0, 1, &one);
    const hy_delta d = small_insert(G, 0, 1, NULL);
    assert_int_equal(d.counts.duplicate, 1);
    assert_true(small_weight(hy_graph_now(G), 0, 1) == 1);
    (void)small_insert(G, 0, 2, NULL);
    assert_true(small_weight(hy_graph_now(G), 0, 2) == 0);
    small_free(G);
}

static void delete_of_an_edge_is_deleted(void **state)
{
    const float one = 1;
    hy_graph *G = weighted(plain, 3);
    (void)state;
    (void)small_insert(G, 0, 1, &one);
    const hy_delta d = small_delete(G, 0, 1);
    assert_int_equal(d.counts.deleted, 1);
    check_edge(&d.deleted, 0, 0, 1);
    assert_true(weight_at(d.deleted.values, 0) == 1);
    assert_false(small_has_edge(G, 0, 1));
    small_free(G);
}

static void delete_of_what_is_not_there_is_missing(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    (void)small_insert(G, 0, 1, NULL);
    const hy_delta d = small_delete(G, 1, 0);
    assert_int_equal(d.counts.missing, 1);
    assert_int_equal(d.deleted.n, 0);
    small_free(G);
}

static void update_of_an_edge_is_updated(void **state)
{
    const float one = 1, two = 2;
    hy_graph *G = weighted(plain, 3);
    (void)state;
    (void)small_insert(G, 0, 1, &one);
    assert_int_equal(small_update(G, 0, 1, &two).counts.updated, 1);
    assert_int_equal(small_update(G, 0, 1, &two).counts.duplicate, 1);
    assert_true(small_weight(hy_graph_now(G), 0, 1) == 2);
    small_free(G);
}

static void update_of_what_is_not_there_is_missing(void **state)
{
    const float two = 2;
    hy_graph *G = weighted(plain, 3);
    (void)state;
    assert_int_equal(small_update(G, 0, 1, &two).counts.missing, 1);
    assert_false(small_has_edge(G, 0, 1));
    small_free(G);
}

static void undirected_edge_is_seen_from_both_ends(void **state)
{
    const float one = 1;
    hy_graph *G = weighted(undirected, 3);
    (void)state;
    const hy_delta d = small_insert(G, 2, 1, &one);
    assert_int_equal(d.counts.inserted, 1);
    assert_int_equal(d.inserted.n, 1);
    check_edge(&d.inserted, 0, 1, 2);
    assert_true(small_weight(hy_graph_now(G), 1, 2) == 1);
    assert_true(small_weight(hy_graph_now(G), 2, 1) == 1);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 1);
    assert_int_equal(hy_view_arcs(hy_graph_now(G)), 2);
    assert_int_equal(small_delete(G, 1, 2).counts.deleted, 1);
    small_free(G);
}

static void undirected_loop_is_one_arc(void **state)
{
    hy_graph *G = small_graph(&undirected, 3);
    (void)state;
    (void)small_insert(G, 1, 1, NULL);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 1);
    assert_int_equal(hy_view_arcs(hy_graph_now(G)), 1);
    assert_int_equal(hy_view_degree(hy_graph_now(G), 1), 1);
    small_free(G);
}

static void loop_under_no_loops_is_rejected(void **state)
{
    const hy_graph_opts opts = { .no_loops = true };
    hy_graph *G = small_graph(&opts, 3);
    (void)state;
    assert_int_equal(small_insert(G, 1, 1, NULL).counts.rejected, 1);
    assert_int_equal(small_delete(G, 1, 1).counts.missing, 1);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 0);
    small_free(G);
}

/* A batch is for all graphs of its shape, whatever these think of loops. */
static void loop_is_what_the_graph_says(void **state)
{
    const hy_graph_opts opts = { .no_loops = true };
    hy_graph *never = small_graph(&opts, 3), *ever = small_graph(NULL, 3);
    hy_batch *B = small_batch(ever), *C = small_batch(never);
    hy_delta d;
    (void)state;
    assert_int_equal(hy_batch_insert_edge(B, 1, 1, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_vertex(B, 2, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(never, B, &d), HY_OK);
    assert_int_equal(d.counts.rejected, 1);
    assert_false(small_has_edge(never, 1, 1));
    assert_int_equal(hy_batch_insert_edge(C, 1, 1, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_vertex(C, 2, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(ever, C, &d), HY_OK);
    assert_int_equal(d.counts.inserted, 1);
    hy_batch_free(B);
    hy_batch_free(C);
    small_free(never);
    small_free(ever);
}

static void rejected_loop_brings_no_vertex(void **state)
{
    const hy_graph_opts opts = { .no_loops = true, .ids = HY_IDS_MAPPED };
    hy_graph *G = small_graph(&opts, 0);
    (void)state;
    const hy_delta d = small_insert(G, 77, 77, NULL);
    assert_int_equal(d.counts.rejected, 1);
    assert_int_equal(d.vertices_inserted.n, 0);
    assert_int_equal(hy_view_find(hy_graph_now(G), 77), HY_NONE);
    small_free(G);
}

/* ---- lines in their order --------------------------------------------- */

static void lines_of_one_edge_apply_in_order(void **state)
{
    const float one = 1, two = 2;
    hy_graph *G = weighted(plain, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_delete_edge(B, 0, 1), HY_OK); /* missing */
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, &one), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, &one), HY_OK); /* dup */
    assert_int_equal(hy_batch_update_edge(B, 0, 1, &two), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, NULL), HY_OK); /* dup */
    assert_int_equal(hy_batch_lines(B), 5);
    const hy_delta d = small_commit(G, B);
    assert_int_equal(d.counts.missing, 1);
    assert_int_equal(d.counts.inserted, 1);
    assert_int_equal(d.counts.duplicate, 2);
    assert_int_equal(d.counts.updated, 1);
    assert_int_equal(d.inserted.n, 1);
    assert_int_equal(d.updated.n, 0);
    assert_true(weight_at(d.inserted.values, 0) == 2);
    small_free(G);
}

static void lines_that_undo_each_other_leave_no_delta(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, NULL), HY_OK);
    assert_int_equal(hy_batch_delete_edge(B, 0, 1), HY_OK);
    const hy_delta d = small_commit(G, B);
    assert_int_equal(d.counts.inserted, 1);
    assert_int_equal(d.counts.deleted, 1);
    assert_int_equal(d.inserted.n + d.deleted.n + d.updated.n, 0);
    small_free(G);
}

static void deleted_and_inserted_anew_is_an_update(void **state)
{
    const float one = 1, two = 2;
    hy_graph *G = weighted(plain, 3);
    (void)state;
    (void)small_insert(G, 0, 1, &one);
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_delete_edge(B, 0, 1), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, &two), HY_OK);
    const hy_delta d = small_commit(G, B);
    assert_int_equal(d.counts.deleted, 1);
    assert_int_equal(d.counts.inserted, 1);
    assert_int_equal(d.updated.n, 1);
    assert_true(weight_at(d.updated.old, 0) == 1);
    assert_true(weight_at(d.updated.values, 0) == 2);
    small_free(G);
}

static void delta_is_sorted(void **state)
{
    const hy_edge edges[] = { { 2, 1 }, { 0, 2 }, { 2, 0 }, { 0, 1 } };
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_edges(B, 4, edges, NULL), HY_OK);
    const hy_delta d = small_commit(G, B);
    check_edge(&d.inserted, 0, 0, 1);
    check_edge(&d.inserted, 1, 0, 2);
    check_edge(&d.inserted, 2, 2, 0);
    check_edge(&d.inserted, 3, 2, 1);
    small_free(G);
}

static void empty_batch_changes_nothing(void **state)
{
    static const hy_counts none;
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    const hy_delta d = small_commit(G, small_batch(G));
    assert_memory_equal(&d.counts, &none, sizeof none);
    assert_int_equal(d.inserted.n + d.deleted.n + d.updated.n, 0);
    small_free(G);
}

static void commit_without_delta_is_fine(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    assert_true(small_has_edge(G, 0, 1));
    hy_batch_free(B);
    small_free(G);
}

static void cleared_batch_forgets_its_lines(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, NULL), HY_OK);
    hy_batch_clear(B);
    assert_int_equal(hy_batch_lines(B), 0);
    assert_int_equal(small_commit(G, B).counts.inserted, 0);
    small_free(G);
}

static void batch_of_many_edges_takes_records(void **state)
{
    const hy_edge edges[] = { { 0, 1 }, { 1, 2 } };
    const float weights[] = { 5, 6 };
    hy_graph *G = weighted(plain, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_edges(B, 2, edges, weights), HY_OK);
    assert_int_equal(hy_batch_lines(B), 2);
    assert_int_equal(small_commit(G, B).counts.inserted, 2);
    assert_true(small_weight(hy_graph_now(G), 1, 2) == 6);
    B = small_batch(G);
    assert_int_equal(hy_batch_delete_edges(B, 2, edges), HY_OK);
    assert_int_equal(small_commit(G, B).counts.deleted, 2);
    small_free(G);
}

static void batch_of_another_graph_of_the_shape_is_taken(void **state)
{
    hy_graph *G = small_graph(NULL, 3), *H = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, NULL), HY_OK);
    assert_int_equal(small_commit(H, B).counts.inserted, 1);
    small_free(G);
    small_free(H);
}

static void batch_of_another_shape_is_invalid(void **state)
{
    hy_graph *G = small_graph(NULL, 3), *W = weighted(plain, 3);
    hy_graph *M = small_graph(&mapped, 3);
    hy_batch *B = small_batch(W), *C = small_batch(M);
    (void)state;
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_EINVAL);
    assert_string_not_equal(hy_error_text(), "");
    assert_int_equal(hy_graph_commit(G, C, NULL), HY_EINVAL);
    hy_batch_free(B);
    hy_batch_free(C);
    small_free(G);
    small_free(W);
    small_free(M);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(insert_of_a_new_edge_is_inserted),
        cmocka_unit_test(insert_of_what_is_there_is_duplicate),
        cmocka_unit_test(insert_with_other_values_is_updated),
        cmocka_unit_test(insert_with_equal_values_is_duplicate),
        cmocka_unit_test(insert_without_values_leaves_columns),
        cmocka_unit_test(delete_of_an_edge_is_deleted),
        cmocka_unit_test(delete_of_what_is_not_there_is_missing),
        cmocka_unit_test(update_of_an_edge_is_updated),
        cmocka_unit_test(update_of_what_is_not_there_is_missing),
        cmocka_unit_test(undirected_edge_is_seen_from_both_ends),
        cmocka_unit_test(undirected_loop_is_one_arc),
        cmocka_unit_test(loop_under_no_loops_is_rejected),
        cmocka_unit_test(loop_is_what_the_graph_says),
        cmocka_unit_test(rejected_loop_brings_no_vertex),
        cmocka_unit_test(lines_of_one_edge_apply_in_order),
        cmocka_unit_test(lines_that_undo_each_other_leave_no_delta),
        cmocka_unit_test(deleted_and_inserted_anew_is_an_update),
        cmocka_unit_test(delta_is_sorted),
        cmocka_unit_test(empty_batch_changes_nothing),
        cmocka_unit_test(commit_without_delta_is_fine),
        cmocka_unit_test(cleared_batch_forgets_its_lines),
        cmocka_unit_test(batch_of_many_edges_takes_records),
        cmocka_unit_test(batch_of_another_graph_of_the_shape_is_taken),
        cmocka_unit_test(batch_of_another_shape_is_invalid),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
