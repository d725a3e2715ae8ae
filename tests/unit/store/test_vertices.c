/* Lines about vertices, dense and mapped ids, HY_ANY. */
#include "support/small.h"

#include <string.h>

static const hy_graph_opts undirected = { .undirected = true };
static const hy_graph_opts mapped = { .ids = HY_IDS_MAPPED };

static void check_edge(const hy_edge_list *list, uint64_t i, hy_vid u, hy_vid v)
{
    assert_true(i < list->n);
    assert_int_equal(list->at[i].u, u);
    assert_int_equal(list->at[i].v, v);
}

/* ---- ids -------------------------------------------------------------- */

static void id_past_the_bound_fails_the_whole_batch(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    hy_delta untouched, d;
    (void)state;
    memset(&d, 0x5a, sizeof d);
    untouched = d;
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, NULL), HY_OK);
    assert_int_equal(hy_batch_delete_edge(B, 0, 3), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, &d), HY_ERANGE);
    assert_string_not_equal(hy_error_text(), "");
    assert_memory_equal(&d, &untouched, sizeof d);
    assert_false(small_has_edge(G, 0, 1));
    hy_batch_free(B);
    small_free(G);
}

static void id_inserted_earlier_in_the_batch_counts(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_vertex(B, 4, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, 4, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, 3, NULL), HY_OK);
    const hy_delta d = small_commit(G, B);
    assert_int_equal(d.counts.inserted, 1);
    assert_int_equal(d.counts.rejected, 1); /* 3 is room, no vertex */
    assert_true(small_has_edge(G, 0, 4));
    small_free(G);
}

static void id_inserted_later_in_the_batch_is_too_late(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_edge(B, 0, 4, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_vertex(B, 4, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_ERANGE);
    assert_int_equal(hy_view_bound(hy_graph_now(G)), 3);
    hy_batch_free(B);
    small_free(G);
}

static void id_that_no_graph_can_hold_adds_no_line(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_edge(B, 0, HY_NONE, NULL), HY_ERANGE);
    assert_string_not_equal(hy_error_text(), "");
    assert_int_equal(hy_batch_delete_edge(B, 1ull << 32, 0), HY_ERANGE);
    assert_int_equal(hy_batch_update_edge(B, HY_ANY, 0, NULL), HY_ERANGE);
    assert_int_equal(hy_batch_insert_vertex(B, HY_NONE, NULL), HY_ERANGE);
    assert_int_equal(hy_batch_lines(B), 0);
    hy_batch_free(B);
    small_free(G);
}

static void largest_mapped_id_is_no_vertex(void **state)
{
    const hy_graph_opts opts = { .ids = HY_IDS_MAPPED };
    hy_graph *G = small_graph(&opts, 0);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_edge(B, HY_ANY, 0, NULL), HY_ERANGE);
    assert_int_equal(hy_batch_delete_edge(B, 0, HY_ANY), HY_ERANGE);
    assert_int_equal(hy_batch_delete_vertex(B, HY_ANY), HY_ERANGE);
    assert_int_equal(hy_batch_lines(B), 0);
    assert_int_equal(hy_batch_insert_edge(B, HY_ANY - 1, 0, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_OK);
    assert_int_not_equal(hy_view_find(hy_graph_now(G), HY_ANY - 1), HY_NONE);
    hy_batch_free(B);
    small_free(G);
}

static void any_takes_an_id_that_is_free(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    const hy_delta d = small_insert_vertex(G, HY_ANY, NULL);
    assert_int_equal(d.counts.vertices_inserted, 1);
    assert_int_equal(d.vertices_inserted.n, 1);
    assert_int_equal(d.vertices_inserted.at[0], 3);
    assert_int_equal(hy_view_bound(hy_graph_now(G)), 4);
    small_free(G);
}

static void any_reuses_deleted_ids_first(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    (void)small_delete_vertex(G, 1);
    const hy_delta d = small_insert_vertex(G, HY_ANY, NULL);
    assert_int_equal(d.vertices_inserted.at[0], 1);
    assert_int_equal(hy_view_bound(hy_graph_now(G)), 3);
    small_free(G);
}

static void any_many_get_ids_of_their_own(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    (void)small_delete_vertex(G, 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(hy_batch_insert_vertex(B, HY_ANY, NULL), HY_OK);
    const hy_delta d = small_commit(G, B);
    const hy_vid want[] = { 0, 3, 4, 5 };
    assert_int_equal(d.counts.vertices_inserted, 4);
    assert_int_equal(d.vertices_inserted.n, 4);
    assert_memory_equal(d.vertices_inserted.at, want, sizeof want);
    small_free(G);
}

static void any_next_id_may_be_named_later_in_the_batch(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_vertex(B, HY_ANY, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, 3, NULL), HY_OK);
    assert_int_equal(small_commit(G, B).counts.inserted, 1);
    assert_true(small_has_edge(G, 0, 3));
    small_free(G);
}

/* Commits what HY_ANY takes together with an edge out of range. */
static void fail_to_commit(hy_graph *G, uint64_t also)
{
    hy_batch *B = small_batch(G);
    if (also != HY_ANY)
        assert_int_equal(hy_batch_insert_vertex(B, also, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_vertex(B, HY_ANY, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 0, 1000, NULL), HY_OK);
    assert_int_equal(hy_graph_commit(G, B, NULL), HY_ERANGE);
    hy_batch_free(B);
}

static void any_after_a_failed_commit_goes_on_in_order(void **state)
{
    hy_graph *G = small_graph(NULL, 5);
    (void)state;
    (void)small_delete_vertex(G, 3);
    (void)small_delete_vertex(G, 1);
    fail_to_commit(G, HY_ANY);
    assert_int_equal(
        small_insert_vertex(G, HY_ANY, NULL).vertices_inserted.at[0], 3);
    assert_int_equal(
        small_insert_vertex(G, HY_ANY, NULL).vertices_inserted.at[0], 1);
    small_free(G);
}

static void any_after_a_failed_commit_loses_no_id(void **state)
{
    hy_graph *G = small_graph(NULL, 5);
    (void)state;
    (void)small_delete_vertex(G, 3);
    fail_to_commit(G, 3); /* 3 was free, but not any more when any comes */
    assert_int_equal(
        small_insert_vertex(G, HY_ANY, NULL).vertices_inserted.at[0], 3);
    small_free(G);
}

static void any_with_mapped_ids_is_invalid(void **state)
{
    hy_graph *G = small_graph(&mapped, 0);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_vertex(B, HY_ANY, NULL), HY_EINVAL);
    assert_string_not_equal(hy_error_text(), "");
    assert_int_equal(hy_batch_lines(B), 0);
    hy_batch_free(B);
    small_free(G);
}

/* ---- vertices --------------------------------------------------------- */

static void vertex_past_the_last_makes_room(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    const hy_delta d = small_insert_vertex(G, 9, NULL);
    assert_int_equal(d.vertices_inserted.n, 1);
    assert_int_equal(hy_view_bound(hy_graph_now(G)), 10);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 4);
    assert_false(hy_view_has_vertex(hy_graph_now(G), 5));
    assert_int_equal(small_insert_vertex(G, 5, NULL).counts.vertices_inserted,
                     1);
    small_free(G);
}

static void vertex_there_already_is_duplicate(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    assert_int_equal(small_insert_vertex(G, 1, NULL).counts.vertices_duplicate,
                     1);
    small_free(G);
}

static void vertex_values_are_kept_and_updated(void **state)
{
    const hy_column label = { "label", HY_U32 };
    const hy_graph_opts opts = { .vertex_columns = &label,
                                 .n_vertex_columns = 1 };
    const uint32_t five = 5, six = 6;
    uint32_t have = 77;
    hy_graph *G = small_graph(&opts, 2);
    (void)state;
    assert_true(hy_view_vertex_values(hy_graph_now(G), 1, &have));
    assert_int_equal(have, 0);
    assert_int_equal(small_insert_vertex(G, 1, &five).counts.vertices_updated,
                     1);
    assert_int_equal(small_insert_vertex(G, 1, &five).counts.vertices_duplicate,
                     1);
    assert_int_equal(small_insert_vertex(G, 1, NULL).counts.vertices_duplicate,
                     1);
    assert_int_equal(small_insert_vertex(G, 2, &six).counts.vertices_inserted,
                     1);
    assert_true(hy_view_vertex_values(hy_graph_now(G), 1, &have));
    assert_int_equal(have, 5);
    assert_true(hy_view_vertex_values(hy_graph_now(G), 2, &have));
    assert_int_equal(have, 6);
    small_free(G);
}

static void vertex_back_again_starts_from_zeros(void **state)
{
    const hy_column label = { "label", HY_U32 };
    const hy_graph_opts opts = { .vertex_columns = &label,
                                 .n_vertex_columns = 1 };
    const uint32_t five = 5;
    uint32_t have = 77;
    hy_graph *G = small_graph(&opts, 2);
    (void)state;
    (void)small_insert_vertex(G, 1, &five);
    (void)small_delete_vertex(G, 1);
    assert_false(hy_view_vertex_values(hy_graph_now(G), 1, &have));
    assert_int_equal(have, 77);
    (void)small_insert_vertex(G, 1, NULL);
    assert_true(hy_view_vertex_values(hy_graph_now(G), 1, &have));
    assert_int_equal(have, 0);
    assert_int_equal(hy_view_degree(hy_graph_now(G), 1), 0);
    small_free(G);
}

/* The edges 0-1, 1-2, 2-1, 1-1, 0-2; vertex 1 goes. */
static hy_delta delete_middle(hy_graph *G)
{
    const hy_edge edges[] = {
        { 0, 1 }, { 1, 2 }, { 2, 1 }, { 1, 1 }, { 0, 2 }
    };
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_insert_edges(B, 5, edges, NULL), HY_OK);
    (void)small_commit(G, B);
    return small_delete_vertex(G, 1);
}

static void check_middle_gone(const hy_graph *G, const hy_delta *d)
{
    assert_int_equal(d->counts.vertices_deleted, 1);
    assert_int_equal(d->counts.deleted, 0);
    assert_int_equal(d->counts.detached, 4);
    assert_int_equal(d->deleted.n, 4);
    check_edge(&d->deleted, 0, 0, 1);
    check_edge(&d->deleted, 3, 2, 1);
    assert_int_equal(d->vertices_deleted.n, 1);
    assert_int_equal(d->vertices_deleted.at[0], 1);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 1);
    assert_true(small_has_edge(G, 0, 2));
    assert_false(small_has_edge(G, 0, 1));
    assert_int_equal(hy_view_degree(hy_graph_now(G), 2), 0);
}

static void vertex_deleted_takes_edges_without_reverse(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    const hy_delta d = delete_middle(G);
    check_middle_gone(G, &d);
    small_free(G);
}

static void vertex_deleted_takes_edges_with_reverse(void **state)
{
    const hy_graph_opts opts = { .reverse = true };
    hy_graph *G = small_graph(&opts, 3);
    (void)state;
    const hy_delta d = delete_middle(G);
    check_middle_gone(G, &d);
    assert_int_equal(hy_view_in_degree(hy_graph_now(G), 2), 1);
    small_free(G);
}

static void vertex_deleted_takes_undirected_edges(void **state)
{
    hy_graph *G = small_graph(&undirected, 3);
    (void)state;
    const hy_delta d = delete_middle(G); /* 1-2 and 2-1 are one */
    assert_int_equal(d.counts.detached, 3);
    assert_int_equal(d.deleted.n, 3);
    assert_int_equal(hy_view_edges(hy_graph_now(G)), 1);
    assert_int_equal(hy_view_degree(hy_graph_now(G), 2), 1);
    small_free(G);
}

static void vertex_deleted_rejects_edges(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    (void)small_delete_vertex(G, 1);
    assert_int_equal(small_insert(G, 0, 1, NULL).counts.rejected, 1);
    assert_int_equal(small_delete(G, 1, 0).counts.missing, 1);
    assert_int_equal(small_update(G, 1, 0, "").counts.missing, 1);
    assert_int_equal(small_delete_vertex(G, 1).counts.vertices_missing, 1);
    assert_int_equal(small_delete_vertex(G, 99).counts.vertices_missing, 1);
    small_free(G);
}

static void vertex_deleted_then_inserted_is_in_no_list(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    (void)state;
    (void)small_insert(G, 0, 1, NULL);
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_delete_vertex(B, 1), HY_OK);
    assert_int_equal(hy_batch_insert_vertex(B, 1, NULL), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 1, 2, NULL), HY_OK);
    const hy_delta d = small_commit(G, B);
    assert_int_equal(d.counts.vertices_deleted, 1);
    assert_int_equal(d.counts.vertices_inserted, 1);
    assert_int_equal(d.vertices_deleted.n, 0);
    assert_int_equal(d.vertices_inserted.n, 0);
    assert_int_equal(d.deleted.n, 1);
    assert_int_equal(d.inserted.n, 1);
    small_free(G);
}

static void vertex_deletion_takes_edges_of_its_batch(void **state)
{
    hy_graph *G = small_graph(NULL, 3);
    hy_batch *B = small_batch(G);
    (void)state;
    assert_int_equal(hy_batch_insert_edge(B, 0, 1, NULL), HY_OK);
    assert_int_equal(hy_batch_delete_vertex(B, 1), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 2, 1, NULL), HY_OK);
    const hy_delta d = small_commit(G, B);
    assert_int_equal(d.counts.inserted, 1);
    assert_int_equal(d.counts.detached, 1);
    assert_int_equal(d.counts.rejected, 1);
    assert_int_equal(d.inserted.n + d.deleted.n, 0);
    small_free(G);
}

/* ---- mapped ids ------------------------------------------------------- */

static void mapped_edge_brings_its_vertices(void **state)
{
    hy_graph *G = small_graph(&mapped, 0);
    (void)state;
    const hy_delta d = small_insert(G, 1ull << 60, 5, NULL);
    assert_int_equal(d.counts.inserted, 1);
    assert_int_equal(d.counts.vertices_inserted, 0);
    assert_int_equal(d.vertices_inserted.n, 2);
    const hy_view *V = hy_graph_now(G);
    assert_true(
        hy_view_has_edge(V, hy_view_find(V, 1ull << 60), hy_view_find(V, 5)));
    small_free(G);
}

static void mapped_deletion_brings_no_vertices(void **state)
{
    hy_graph *G = small_graph(&mapped, 0);
    (void)state;
    const hy_delta d = small_delete(G, 1, 2);
    assert_int_equal(d.counts.missing, 1);
    assert_int_equal(d.vertices_inserted.n, 0);
    assert_int_equal(hy_view_vertices(hy_graph_now(G)), 0);
    assert_int_equal(small_delete_vertex(G, 9).counts.vertices_missing, 1);
    small_free(G);
}

static void mapped_vertex_back_again_has_a_new_number(void **state)
{
    hy_graph *G = small_graph(&mapped, 0);
    (void)state;
    (void)small_insert(G, 10, 20, NULL);
    const hy_vid before = hy_view_find(hy_graph_now(G), 20);
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_delete_vertex(B, 20), HY_OK);
    assert_int_equal(hy_batch_insert_edge(B, 10, 20, NULL), HY_OK);
    const hy_delta d = small_commit(G, B);
    const hy_vid after = hy_view_find(hy_graph_now(G), 20);
    assert_int_not_equal(before, after);
    assert_int_equal(d.vertices_deleted.n, 1);
    assert_int_equal(d.vertices_deleted.at[0], before);
    assert_int_equal(d.vertices_inserted.n, 1);
    assert_int_equal(d.vertices_inserted.at[0], after);
    assert_int_equal(d.deleted.n, 1);
    assert_int_equal(d.inserted.n, 1);
    small_free(G);
}

static void mapped_numbers_are_used_again(void **state)
{
    hy_graph *G = small_graph(&mapped, 0);
    (void)state;
    (void)small_insert_vertex(G, 1000, NULL);
    for (uint64_t i = 0; i < 50; i++) {
        (void)small_delete_vertex(G, 1000 + i);
        (void)small_insert_vertex(G, 1001 + i, NULL);
    }
    assert_true(hy_view_bound(hy_graph_now(G)) <= 2);
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(id_past_the_bound_fails_the_whole_batch),
        cmocka_unit_test(id_inserted_earlier_in_the_batch_counts),
        cmocka_unit_test(id_inserted_later_in_the_batch_is_too_late),
        cmocka_unit_test(id_that_no_graph_can_hold_adds_no_line),
        cmocka_unit_test(largest_mapped_id_is_no_vertex),
        cmocka_unit_test(any_takes_an_id_that_is_free),
        cmocka_unit_test(any_reuses_deleted_ids_first),
        cmocka_unit_test(any_many_get_ids_of_their_own),
        cmocka_unit_test(any_next_id_may_be_named_later_in_the_batch),
        cmocka_unit_test(any_after_a_failed_commit_goes_on_in_order),
        cmocka_unit_test(any_after_a_failed_commit_loses_no_id),
        cmocka_unit_test(any_with_mapped_ids_is_invalid),
        cmocka_unit_test(vertex_past_the_last_makes_room),
        cmocka_unit_test(vertex_there_already_is_duplicate),
        cmocka_unit_test(vertex_values_are_kept_and_updated),
        cmocka_unit_test(vertex_back_again_starts_from_zeros),
        cmocka_unit_test(vertex_deleted_takes_edges_without_reverse),
        cmocka_unit_test(vertex_deleted_takes_edges_with_reverse),
        cmocka_unit_test(vertex_deleted_takes_undirected_edges),
        cmocka_unit_test(vertex_deleted_rejects_edges),
        cmocka_unit_test(vertex_deleted_then_inserted_is_in_no_list),
        cmocka_unit_test(vertex_deletion_takes_edges_of_its_batch),
        cmocka_unit_test(mapped_edge_brings_its_vertices),
        cmocka_unit_test(mapped_deletion_brings_no_vertices),
        cmocka_unit_test(mapped_vertex_back_again_has_a_new_number),
        cmocka_unit_test(mapped_numbers_are_used_again),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
