/* Deep hubs: adjacencies of several levels of pages, grown and cut.
 *
 * Wide records make a page hold few edges, so that 10^5 neighbours take as
 * many levels as 10^8 without columns.  The model is an array: when the edge
 * to v was last written, or 0 if it is not there.  Its columns follow from v
 * and that number.
 */
#include "store/graph.h"
#include "store/hub.h"
#include "support/test.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 24, PINS = 2 };

struct hub {
    hy_graph *G;
    hy_batch *B;
    uint32_t n, columns;
    bool is_inward; /* the edges are v -> 0, else 0 -> v */
    uint32_t *tick; /* by v */
    uint32_t now;
    uint64_t degree, rng;
    const hy_view *pin[PINS];
    uint32_t *pin_tick[PINS];
    struct why why;
};

static uint64_t value_of(uint32_t v, uint32_t tick, uint32_t column)
{
    return ((uint64_t)v << 32 | tick) * 0x9e3779b97f4a7c15u + column;
}

/* ---- verifying --------------------------------------------------------- */

/* All columns of some entries, one column of the others. */
static bool verify_entry(struct hub *H, const hy_view *V, const hy_span *s,
                         uint32_t i, uint32_t v, uint32_t tick)
{
    const uint32_t first = H->columns ? v % H->columns : 0;
    const uint32_t n = v % 64 == 0 ? H->columns : H->columns ? 1 : 0;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t c = (first + k) % H->columns;
        size_t step;
        const char *at = hy_span_column(V, s, c, &step);
        uint64_t have;
        memcpy(&have, at + i * step, sizeof have);
        if (have != value_of(v, tick, c))
            return why_not(&H->why, "column %u of neighbour %u", c, v);
    }
    return true;
}

static bool verify_spans(struct hub *H, const hy_view *V, const uint32_t *tick)
{
    uint32_t v = 0;
    uint64_t seen = 0;
    hy_span s = H->is_inward ? hy_span_in(V, 0) : hy_span_out(V, 0);
    for (; s.n; hy_span_next(V, &s))
        for (uint32_t i = 0; i < s.n; i++, v++, seen++) {
            while (v < H->n && !tick[v])
                v++;
            if (v == H->n || s.v[(size_t)i * s.step] != v)
                return why_not(&H->why, "want neighbour %u, have %u", v,
                               s.v[(size_t)i * s.step]);
            if (!verify_entry(H, V, &s, i, v, tick[v]))
                return false;
        }
    for (; v < H->n; v++)
        if (tick[v])
            return why_not(&H->why, "neighbour %u is lost", v);
    const uint32_t degree =
        H->is_inward ? hy_view_in_degree(V, 0) : hy_view_degree(V, 0);
    return (degree == seen && hy_view_edges(V) == seen) ||
           why_not(&H->why, "degree %u of %" PRIu64, degree, seen);
}

static bool verify_questions(struct hub *H, const hy_view *V,
                             const uint32_t *tick)
{
    for (int i = 0; i < 64; i++) {
        const uint32_t v = (uint32_t)rng_below(&H->rng, H->n);
        const bool have = H->is_inward ? hy_view_has_edge(V, v, 0)
                                       : hy_view_has_edge(V, 0, v);
        if (have != (tick[v] != 0))
            return why_not(&H->why, "has_edge of %u", v);
    }
    return true;
}

static bool verify(struct hub *H)
{
    const char *text = "(no text)";
    const hy_view *now = hy_graph_now(H->G);
    if (!hy_graph_check(H->G, &text))
        return why_not(&H->why, "hy_graph_check: %s", text);
    if (!verify_spans(H, now, H->tick) || !verify_questions(H, now, H->tick))
        return false;
    for (size_t i = 0; i < PINS; i++)
        if (H->pin[i] && !verify_spans(H, H->pin[i], H->pin_tick[i]))
            return why_not(&H->why, "a view moved");
    return true;
}

/* ---- changing ---------------------------------------------------------- */

static hy_status put_line(struct hub *H, enum line_kind kind, uint32_t v)
{
    uint64_t values[COLUMNS] = { 0 };
    const uint32_t from = H->is_inward ? v : 0, to = H->is_inward ? 0 : v;
    for (uint32_t c = 0; c < H->columns; c++)
        values[c] = value_of(v, H->now, c);
    if (kind == LINE_DELETE_EDGE)
        return hy_batch_delete_edge(H->B, from, to);
    return kind == LINE_INSERT_EDGE
               ? hy_batch_insert_edge(H->B, from, to, values)
               : hy_batch_update_edge(H->B, from, to, values);
}

static void note(struct hub *H, enum line_kind kind, uint32_t v)
{
    const bool was = H->tick[v] != 0;
    const bool is =
        kind == LINE_INSERT_EDGE || (was && kind == LINE_UPDATE_EDGE);
    H->tick[v] = is ? H->now : 0;
    H->degree += (uint64_t)is - (uint64_t)was;
}

static bool add(struct hub *H, enum line_kind kind, uint32_t v)
{
    if (put_line(H, kind, v) != HY_OK)
        return why_not(&H->why, "line: %s", hy_error_text());
    note(H, kind, v);
    return true;
}

static bool add_run(struct hub *H, enum line_kind kind, uint32_t from,
                    uint32_t n)
{
    for (uint32_t v = from; v < H->n && v < from + n; v++)
        if (!add(H, kind, v))
            return false;
    return true;
}

static bool add_scattered(struct hub *H, enum line_kind kind, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (!add(H, kind, (uint32_t)rng_below(&H->rng, H->n)))
            return false;
    return true;
}

static enum line_kind draw_kind(struct hub *H, bool grows)
{
    const uint64_t dice = rng_below(&H->rng, 100);
    if (dice < 10)
        return LINE_UPDATE_EDGE;
    return grows == (dice < 80) ? LINE_INSERT_EDGE : LINE_DELETE_EDGE;
}

static bool fill(struct hub *H, bool grows)
{
    const enum line_kind kind = draw_kind(H, grows);
    switch (rng_below(&H->rng, 4)) {
    case 0:
        return add(H, kind, (uint32_t)rng_below(&H->rng, H->n));
    case 1:
        return add_scattered(H, kind, rng_below(&H->rng, 300)) &&
               add_run(H, draw_kind(H, grows),
                       (uint32_t)rng_below(&H->rng, H->n),
                       (uint32_t)rng_below(&H->rng, 500));
    case 2:
        return add_scattered(H, kind, rng_below(&H->rng, H->n / 4));
    default:
        return add_run(H, kind, (uint32_t)rng_below(&H->rng, H->n), H->n / 2);
    }
}

static bool commit(struct hub *H)
{
    const hy_status status = hy_graph_commit(H->G, H->B, NULL);
    hy_batch_clear(H->B);
    return status == HY_OK || why_not(&H->why, "commit: %s", hy_error_text());
}

static bool toggle_pin(struct hub *H)
{
    const size_t i = rng_below(&H->rng, PINS);
    const size_t bytes = H->n * sizeof(uint32_t);
    if (H->pin[i]) {
        hy_view_release(H->pin[i]);
        H->pin[i] = NULL;
        return true;
    }
    memcpy(H->pin_tick[i], H->tick, bytes);
    return hy_view_acquire(H->G, &H->pin[i]) == HY_OK;
}

static bool step(struct hub *H, bool grows)
{
    H->now++;
    if (rng_chance(&H->rng, 30) && !toggle_pin(H))
        return false;
    if (rng_chance(&H->rng, 5) && hy_graph_rebalance(H->G) != HY_OK)
        return why_not(&H->why, "rebalance: %s", hy_error_text());
    return fill(H, grows) && commit(H) && verify(H);
}

/* ---- histories --------------------------------------------------------- */

static hy_graph *make_graph(hy_ctx *ctx, struct hub *H)
{
    static const char *const names[COLUMNS] = { "a", "b", "c", "d", "e", "f",
                                                "g", "h", "i", "j", "k", "l",
                                                "m", "n", "o", "p", "q", "r",
                                                "s", "t", "u", "v", "w", "x" };
    hy_column columns[COLUMNS];
    for (uint32_t c = 0; c < COLUMNS; c++)
        columns[c] = (hy_column){ names[c], HY_U64 };
    const hy_graph_opts opts = { .reverse = H->is_inward,
                                 .interleaved = rng_chance(&H->rng, 50),
                                 .edge_columns = columns,
                                 .n_edge_columns = H->columns,
                                 .reserve = (uint64_t)1 << 30 };
    hy_graph *G;
    assert_int_equal(hy_graph_new(ctx, &opts, &G), HY_OK);
    assert_int_equal(hy_graph_load_edges(G, H->n, 0, NULL, NULL), HY_OK);
    return G;
}

static uint32_t *make_ticks(uint32_t n)
{
    uint32_t *tick = calloc(n, sizeof *tick);
    assert_non_null(tick);
    return tick;
}

static void hub_init(struct hub *H, hy_ctx *ctx, uint64_t rng, bool is_inward,
                     uint32_t columns, uint32_t n)
{
    *H = (struct hub){
        .rng = rng, .is_inward = is_inward, .columns = columns, .n = n
    };
    H->G = make_graph(ctx, H);
    H->tick = make_ticks(H->n);
    for (size_t i = 0; i < PINS; i++)
        H->pin_tick[i] = make_ticks(H->n);
    assert_int_equal(hy_batch_new(H->G, &H->B), HY_OK);
}

static void hub_draw(struct hub *H, hy_ctx *ctx, uint64_t seed)
{
    static const uint32_t columns[] = { 0, 8, COLUMNS, COLUMNS };
    uint64_t rng = seed;
    const uint32_t c = columns[rng_below(&rng, 4)];
    const bool is_inward = rng_chance(&rng, 25);
    const uint32_t n =
        (uint32_t)rng_range(&rng, 2000, is_inward ? 20000 : 80000);
    hub_init(H, ctx, rng, is_inward, c, n);
}

static void hub_fini(struct hub *H)
{
    for (size_t i = 0; i < PINS; i++) {
        hy_view_release(H->pin[i]);
        free(H->pin_tick[i]);
    }
    free(H->tick);
    hy_batch_free(H->B);
    hy_graph_free(H->G);
}

static void run(uint64_t seed)
{
    struct hub H;
    hub_draw(&H, test_ctx((unsigned)(seed % TEST_CTXS)), seed);
    const uint64_t steps = rng_range(&H.rng, 10, 30);
    for (uint64_t i = 0; i < steps; i++)
        if (!step(&H, i < steps / 2))
            fail_msg("%s; HYPHA_TEST_SEED=0x%" PRIx64 " runs it first",
                     H.why.text, seed);
    hub_fini(&H);
}

static void hubs_of_many_levels_keep_their_order(void **state)
{
    (void)state;
    for (uint64_t i = 0, n = test_scaled(40); i < n; i++)
        run(test_seed_at(i));
}

/* ---- what an insertion moves --------------------------------------------- */

/* The first id from v on that is no neighbour, 0 if there is none. */
static uint32_t absent_from(const struct hub *H, uint32_t v)
{
    while (v < H->n && H->tick[v])
        v++;
    return v < H->n ? v : 0;
}

/* An id behind some entry of the leaf of v: where a split is dear. */
static uint32_t behind_entry(struct hub *H, uint32_t v)
{
    const hy_view *V = hy_graph_now(H->G);
    const struct slot *s = view_slot(V, OUT, 0);
    if (!slot_is_hub(s))
        return v;
    uint64_t end = V->bound;
    const struct twig t =
        hub_leaf(V->blocks, slot_at(s), slot_units(s), (hy_vid)v, &end);
    assert_true(t.first < end && (v >= end) <= (end == V->bound));
    const uint32_t half = t.count / 2;
    const uint32_t at[] = { 0, half ? half - 1 : 0, half, t.count - 1 };
    return block_id(V->shape, view_block(V, t.at), at[rng_below(&H->rng, 4)]) +
           1;
}

struct aim {
    uint32_t at;
    uint64_t way;
};

/* Here and there, one after another either way, or at one place. */
static uint32_t next_target(struct hub *H, struct aim *A)
{
    if (rng_chance(&H->rng, 2))
        *A = (struct aim){ .at = (uint32_t)rng_below(&H->rng, H->n),
                           .way = rng_below(&H->rng, 5) };
    switch (A->way) {
    case 0:
        return (uint32_t)rng_below(&H->rng, H->n);
    case 1:
        return A->at = absent_from(H, A->at);
    case 2:
        A->at -= A->at > 1;
        return A->at;
    case 3:
        return behind_entry(H, A->at);
    default:
        return behind_entry(H, (uint32_t)rng_below(&H->rng, H->n));
    }
}

/* Full leaves, as a load leaves them. */
static void load_half(struct hub *H)
{
    H->now++;
    for (uint32_t v = 0; v < H->n; v += 2)
        assert_true(add(H, LINE_INSERT_EDGE, v));
    assert_true(commit(H));
    assert_int_equal(hy_graph_rebalance(H->G), HY_OK);
}

static void insert_singly(uint64_t seed, uint32_t columns, uint32_t n)
{
    struct hub H;
    hub_init(&H, test_ctx((unsigned)(seed % TEST_CTXS)), seed, false, columns,
             n);
    struct aim A = { 0 };
    uint64_t most = 0;
    load_half(&H);
    for (uint64_t i = 0, end = test_scaled(2000); i < end; i++) {
        const uint32_t v = absent_from(&H, next_target(&H, &A));
        H.now++;
        if (!add(&H, LINE_INSERT_EDGE, v) || !commit(&H))
            fail_msg("%s; seed 0x%" PRIx64, H.why.text, seed);
        most = H.G->bytes_moved > most ? H.G->bytes_moved : most;
    }
    if (!verify(&H) || most > PAGE_BYTES)
        fail_msg("%s, %" PRIu64 " bytes moved; seed 0x%" PRIx64, H.why.text,
                 most, seed);
    hub_fini(&H);
}

static void an_insertion_moves_a_page_at_most(void **state)
{
    (void)state;
    const uint64_t seed = test_seed_at(0);
    insert_singly(seed, 0, 2000000);
    insert_singly(seed + 1, 1, 100000);
    insert_singly(seed + 2, 8, 50000);
    insert_singly(seed + 3, COLUMNS, 20000);
}

/* A neighbour that is there gets new values, where it is: the first of a leaf
 * that is full, too. */
static void an_update_moves_its_entry_alone(void **state)
{
    (void)state;
    enum { ENTRY = 16, NOTES = 64 };
    struct hub H;
    hub_init(&H, test_ctx(0), test_seed_at(0), false, 1, 100000);
    load_half(&H);
    H.now++;
    assert_true(add(&H, LINE_INSERT_EDGE, 0));
    assert_true(commit(&H));
    assert_in_range(H.G->bytes_moved, 1, ENTRY + NOTES);
    assert_true(verify(&H));
    hub_fini(&H);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hubs_of_many_levels_keep_their_order),
        cmocka_unit_test(an_insertion_moves_a_page_at_most),
        cmocka_unit_test(an_update_moves_its_entry_alone),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
