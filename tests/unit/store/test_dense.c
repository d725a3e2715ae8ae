/* Batches with some lines for most vertices, next to a table of what is there.
 */
#include "support/small.h"

#include "store/view.h"

#include <stdlib.h>
#include <string.h>

/* Sources are the first two table pages; the last vertex has no edge. */
enum { SOURCES = 128, IDS = 4096, LINES = 4000 };

struct rig {
    uint64_t rng;
    hy_graph *G;
    bool there[SOURCES][IDS];
    hy_edge line[LINES];
    size_t n;
};

/* Around each size at which another way is taken: units of four, the ninth
 * unit, a page of 512. */
static const uint32_t degrees[] = { 0,   1,   2,   3,   4,   5,    7,
                                    8,   12,  15,  16,  20,  31,   32,
                                    33,  36,  60,  64,  99,  200,  400,
                                    508, 511, 512, 513, 700, 2000, 4000 };

static hy_vid any_id(struct rig *T)
{
    return (hy_vid)rng_below(&T->rng, IDS - 1);
}

/* Half of the sources have loaded degrees; in the same order each time. */
static void load(struct rig *T, const hy_graph_opts *opts, unsigned threads)
{
    const size_t sizes = sizeof degrees / sizeof *degrees;
    hy_edge *edges = malloc((size_t)SOURCES * IDS * sizeof *edges);
    size_t m = 0;
    memset(T->there, 0, sizeof T->there);
    for (hy_vid u = 0; u < SOURCES; u++) {
        const uint32_t want = degrees[rng_below(&T->rng, sizes)];
        for (uint32_t k = 0; k < want;) {
            const hy_vid v = any_id(T);
            k += !T->there[u][v];
            T->there[u][v] = true;
            if (opts->undirected && v < SOURCES)
                T->there[v][u] = true;
        }
    }
    for (hy_vid u = 0; u < SOURCES; u++)
        for (hy_vid v = 0; v < IDS; v++)
            if (T->there[u][v])
                edges[m++] = (hy_edge){ u, v };
    assert_int_equal(hy_graph_new(test_ctx(threads), opts, &T->G), HY_OK);
    assert_int_equal(hy_graph_load_edges(T->G, IDS, m, edges, NULL), HY_OK);
    free(edges);
}

/* Every tenth line comes twice, and some of the others are about what is there,
 * or is not. */
static void draw(struct rig *T, size_t n)
{
    T->n = n;
    for (size_t i = 0; i < n; i++) {
        const hy_vid u = (hy_vid)rng_below(&T->rng, SOURCES);
        T->line[i] = (hy_edge){ u, any_id(T) };
        if (i && rng_chance(&T->rng, 10))
            T->line[i] = T->line[i - 1];
        else if (rng_chance(&T->rng, 70))
            for (uint32_t k = 0; k < 8 && !T->there[u][T->line[i].v]; k++)
                T->line[i].v = any_id(T);
    }
}

static bool *place_of(struct rig *T, hy_edge e)
{
    return &T->there[e.u][e.v];
}

static int by_ends(const void *a, const void *b)
{
    const hy_edge *const x = a, *const y = b;
    if (x->u != y->u)
        return x->u < y->u ? -1 : 1;
    return x->v < y->v ? -1 : x->v > y->v;
}

/* What lines change, as the table says; in order. */
static size_t expect(struct rig *T, bool inserts, bool undirected,
                     hy_edge *changed)
{
    size_t n = 0;
    for (size_t i = 0; i < T->n; i++) {
        hy_edge e = T->line[i];
        if (*place_of(T, e) == inserts)
            continue;
        *place_of(T, e) = inserts;
        if (undirected && e.v < SOURCES)
            *place_of(T, (hy_edge){ e.v, e.u }) = inserts;
        if (undirected && e.u > e.v)
            e = (hy_edge){ e.v, e.u };
        changed[n++] = e;
    }
    qsort(changed, n, sizeof *changed, by_ends);
    return n;
}

static void check_graph(struct rig *T)
{
    const hy_view *V = hy_graph_now(T->G);
    const char *why = "";
    for (hy_vid u = 0; u < SOURCES; u++) {
        hy_vid v = 0;
        hy_for_out_span (s, V, u) {
            for (uint32_t i = 0; i < s.n; i++, v++) {
                while (v < IDS && !T->there[u][v])
                    v++;
                assert_int_equal(s.v[(size_t)i * s.step], v);
            }
        }
        while (v < IDS && !T->there[u][v])
            v++;
        assert_int_equal(v, IDS);
    }
    if (!hy_graph_check(T->G, &why))
        fail_msg("%s", why);
}

static void commit(struct rig *T, bool inserts, bool undirected)
{
    static hy_edge changed[LINES];
    hy_batch *B = small_batch(T->G);
    const hy_status status = inserts
                                 ? hy_batch_insert_edges(B, T->n, T->line, NULL)
                                 : hy_batch_delete_edges(B, T->n, T->line);
    assert_int_equal(status, HY_OK);
    const size_t n = expect(T, inserts, undirected, changed);
    const hy_delta d = small_commit(T->G, B);
    const hy_edge_list *const list = inserts ? &d.inserted : &d.deleted;
    assert_int_equal(list->n, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(list->at[i].u, changed[i].u);
        assert_int_equal(list->at[i].v, changed[i].v);
    }
    assert_int_equal(inserts ? d.inserted.n + d.counts.duplicate
                             : d.deleted.n + d.counts.missing,
                     T->n);
    check_graph(T);
}

/* Few lines, some, so many that a page has more than are sorted at a time. */
static void run(struct rig *T, const hy_graph_opts *opts, unsigned threads)
{
    static const size_t sizes[] = { 40, 200, 900, LINES };
    load(T, opts, threads);
    for (uint32_t i = 0; i < 24; i++) {
        const bool inserts = i < 8 || rng_chance(&T->rng, 50);
        draw(T, sizes[rng_below(&T->rng, 4)]);
        commit(T, inserts, opts->undirected);
    }
    small_free(T->G);
}

static void run_all(const hy_graph_opts *opts)
{
    struct rig *T = malloc(sizeof *T);
    for (uint64_t i = 0; i < test_scaled(6); i++) {
        T->rng = test_seed_at(i);
        run(T, opts, (unsigned)(i % 2));
    }
    free(T);
}

static void dense_lines_do_what_they_say(void **state)
{
    (void)state;
    run_all(&(hy_graph_opts){ 0 });
}

static void dense_lines_reach_the_reverse_side(void **state)
{
    (void)state;
    run_all(&(hy_graph_opts){ .reverse = true });
}

static void dense_lines_of_undirected_edges_count_once(void **state)
{
    (void)state;
    run_all(&(hy_graph_opts){ .undirected = true });
}

/* A line for what is there leaves a full block where it is. */
static void dense_lines_in_vain_move_no_block(void **state)
{
    static hy_edge edges[SOURCES * 4];
    hy_graph_stats before, after;
    hy_graph *G;
    (void)state;
    for (hy_vid i = 0; i < SOURCES * 4; i++)
        edges[i] = (hy_edge){ i / 4, 1 + i % 4 };
    assert_int_equal(hy_graph_new(test_ctx(0), NULL, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, IDS, SOURCES * 4, edges, NULL),
                     HY_OK);
    hy_graph_stats_get(G, &before);
    hy_batch *B = small_batch(G);
    assert_int_equal(hy_batch_insert_edges(B, SOURCES * 4, edges, NULL), HY_OK);
    const hy_delta d = small_commit(G, B);
    hy_graph_stats_get(G, &after);
    assert_int_equal(d.counts.duplicate, SOURCES * 4);
    assert_int_equal(d.inserted.n, 0);
    assert_int_equal(after.bytes_arena, before.bytes_arena);
    assert_int_equal(after.bytes_free, before.bytes_free);
    small_free(G);
}

/* Blocks that lose entries are as large as if each vertex had been alone. */
static void dense_deletions_trim_as_others_do(void **state)
{
    enum { MOST = 40 };
    static hy_edge edges[64 * MOST], gone[64 * 8];
    (void)state;
    for (uint32_t k = 1; k <= 8; k++) {
        hy_graph *G[2];
        size_t m = 0, n = 0;
        for (hy_vid u = 0; u < 64; u++) {
            const uint32_t degree = 9 + u % 32;
            for (hy_vid v = 0; v < degree; v++)
                edges[m++] = (hy_edge){ u, v };
            for (hy_vid v = 0; v < k; v++)
                gone[n++] = (hy_edge){ u, v };
        }
        for (int i = 0; i < 2; i++) {
            assert_int_equal(hy_graph_new(test_ctx(0), NULL, &G[i]), HY_OK);
            assert_int_equal(hy_graph_load_edges(G[i], IDS, m, edges, NULL),
                             HY_OK);
        }
        for (uint32_t round = 0; round < 3; round++) {
            hy_batch *B = small_batch(G[0]);
            assert_int_equal(hy_batch_delete_edges(B, n, gone), HY_OK);
            (void)small_commit(G[0], B);
            for (hy_vid u = 0; u < 64; u++) {
                B = small_batch(G[1]);
                assert_int_equal(hy_batch_delete_edges(B, k, gone + u * k),
                                 HY_OK);
                (void)small_commit(G[1], B);
            }
            for (size_t i = 0; i < n; i++)
                gone[i].v += k;
        }
        for (hy_vid u = 0; u < 64; u++)
            assert_int_equal(slot_units(view_slot(hy_graph_now(G[0]), OUT, u)),
                             slot_units(view_slot(hy_graph_now(G[1]), OUT, u)));
        small_free(G[0]);
        small_free(G[1]);
    }
}

/* Deletes neighbours lo .. hi - 1 of sources 0 .. n - 1, each a line. */
static void delete_range(hy_graph *G, hy_vid u, hy_vid n, hy_vid lo, hy_vid hi)
{
    hy_batch *B = small_batch(G);
    for (const hy_vid end = u + n; u < end; u++)
        for (hy_vid v = lo; v < hi; v++)
            assert_int_equal(hy_batch_delete_edge(B, u, v), HY_OK);
    (void)small_commit(G, B);
}

/* A hub of half a page is a block again. */
static void dense_deletions_end_hubs(void **state)
{
    enum { MANY = 520, LEFT = 259, SOME = 32 };
    static hy_edge edges[SOME * MANY];
    const hy_graph_opts opts = { .keep_memory = true };
    hy_graph *G;
    (void)state;
    for (hy_vid i = 0; i < SOME * MANY; i++)
        edges[i] = (hy_edge){ i / MANY, i % MANY };
    assert_int_equal(hy_graph_new(test_ctx(0), &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, IDS, SOME * MANY, edges, NULL),
                     HY_OK);
    for (hy_vid u = 0; u < SOME; u++)
        delete_range(G, u, 1, LEFT, MANY);
    for (hy_vid u = 0; u < SOME; u++)
        assert_true(slot_is_hub(view_slot(hy_graph_now(G), OUT, u)));
    delete_range(G, 0, SOME, 0, 8);
    for (hy_vid u = 0; u < SOME; u++) {
        const struct slot *s = view_slot(hy_graph_now(G), OUT, u);
        assert_int_equal(s->degree, LEFT - 8);
        assert_false(slot_is_hub(s));
    }
    small_free(G);
}

/* Vertex 0 has more leaves than fit a root. */
static void dense_lines_reach_wide_hubs(void **state)
{
    enum { WIDE = 60000, MORE = 40 };
    static hy_edge edges[WIDE], come[2 * MORE];
    hy_graph *G;
    (void)state;
    for (hy_vid i = 0; i < WIDE; i++)
        edges[i] = (hy_edge){ 0, 2 * i + 1 };
    for (hy_vid i = 0; i < MORE; i++) {
        come[2 * i] = (hy_edge){ 0, 2 * i * (WIDE / MORE) };
        come[2 * i + 1] = (hy_edge){ 1 + i, i };
    }
    assert_int_equal(hy_graph_new(test_ctx(0), NULL, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, 2 * WIDE, WIDE, edges, NULL),
                     HY_OK);
    assert_true(slot_units(view_slot(hy_graph_now(G), OUT, 0)) > 0);
    for (int inserts = 1; inserts >= 0; inserts--) {
        hy_batch *B = small_batch(G);
        const hy_status status =
            inserts ? hy_batch_insert_edges(B, (uint64_t)2 * MORE, come, NULL)
                    : hy_batch_delete_edges(B, (uint64_t)2 * MORE, come);
        const char *why = "";
        assert_int_equal(status, HY_OK);
        const hy_delta d = small_commit(G, B);
        assert_int_equal(inserts ? d.inserted.n : d.deleted.n, 2 * MORE);
        for (size_t i = 0; i < 2 * MORE; i++)
            assert_int_equal(small_has_edge(G, come[i].u, come[i].v), inserts);
        if (!hy_graph_check(G, &why))
            fail_msg("%s", why);
    }
    small_free(G);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_lines_do_what_they_say),
        cmocka_unit_test(dense_lines_reach_the_reverse_side),
        cmocka_unit_test(dense_lines_of_undirected_edges_count_once),
        cmocka_unit_test(dense_lines_in_vain_move_no_block),
        cmocka_unit_test(dense_deletions_trim_as_others_do),
        cmocka_unit_test(dense_deletions_end_hubs),
        cmocka_unit_test(dense_lines_reach_wide_hubs),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
