/* Sets of vertices: lists, bitmaps, and one made of the other. */
#include "ops/frontier.h"

#include "ops/bitmap.h"

#include "par/par.h"
#include "store/view.h"

#include <string.h>

enum {
    /* Words and ids that are one thread's work at a time. */
    WORDS = 1 << 12,
    IDS = 1 << 13,
};

/* ---- life -------------------------------------------------------------- */

hy_status hy_frontier_new(const hy_view *V, hy_frontier **out)
{
    if (!V || !out)
        return base_fail(HY_EINVAL, "hy_frontier_new: no view or no out");
    hy_ctx *const ctx = view_ctx(V);
    hy_frontier *F = base_alloc(ctx, 1, sizeof *F);
    if (!F)
        return HY_ENOMEM;
    F->ctx = ctx;
    F->bound = V->bound;
    F->has_list = true;
    F->edges = UINT64_MAX;
    F->bag.at = base_alloc_raw(ctx, F->bound, sizeof *F->bag.at);
    F->bits = base_alloc(ctx, bits_words(F->bound), sizeof *F->bits);
    if (!F->bag.at || !F->bits) {
        hy_frontier_free(F);
        return HY_ENOMEM;
    }
    *out = F;
    return HY_OK;
}

void hy_frontier_free(hy_frontier *F)
{
    if (!F)
        return;
    base_free(F->ctx, F->bits);
    base_free(F->ctx, F->bag.at);
    base_free(F->ctx, F);
}

void hy_frontier_swap(hy_frontier *a, hy_frontier *b)
{
    if (a == b)
        return;
    hy_frontier *const x[] = { a, b };
    char copy[sizeof *a];
    memcpy(copy, x[0], sizeof copy);
    memcpy(x[0], x[1], sizeof copy);
    memcpy(x[1], copy, sizeof copy);
}

/* ---- from one form to the other ------------------------------------------ */

/* Sets the bits of its ids; words may be shared with other ranges. */
static void set_bits_par(void *arg, size_t lo, size_t hi)
{
    hy_frontier *F = arg;
    for (size_t i = lo; i < hi; i++)
        bitmap_add(F->bits, F->bag.at[i]);
}

void frontier_need_bits(hy_frontier *F)
{
    if (F->has_bits)
        return;
    par_for(F->ctx, frontier_count(F), IDS, set_bits_par, F);
    F->has_bits = true;
}

/* Lists the ids of its words. */
static void list_bits_par(void *arg, size_t lo, size_t hi)
{
    hy_frontier *F = arg;
    struct bag_part part;
    bag_part_init(&part, &F->bag);
    for (size_t w = lo; w < hi; w++)
        bitmap_each (v, F->bits[w], w * 64)
            bag_put(&part, (hy_vid)v);
    bag_flush(&part);
}

void frontier_need_list(hy_frontier *F)
{
    if (F->has_list)
        return;
    frontier_set_count(F, 0);
    par_for(F->ctx, bits_words(F->bound), WORDS, list_bits_par, F);
    F->has_list = true;
}

/* Clears its words. */
static void clear_words_par(void *arg, size_t lo, size_t hi)
{
    hy_frontier *F = arg;
    memset(F->bits + lo, 0, (hi - lo) * sizeof *F->bits);
}

static void clear_bits(hy_frontier *F)
{
    const size_t words = bits_words(F->bound);
    if (!F->has_list || frontier_count(F) > words / 8) {
        par_for(F->ctx, words, 8 * (size_t)WORDS, clear_words_par, F);
        return;
    }
    for (size_t i = 0; i < frontier_count(F); i++)
        F->bits[F->bag.at[i] / 64] = 0;
}

void hy_frontier_clear(hy_frontier *F)
{
    if (F->has_bits)
        clear_bits(F);
    frontier_set_count(F, 0);
    F->has_bits = false;
    F->has_list = true;
    F->was_pulled = false;
    F->edges = UINT64_MAX;
    F->before = F->explored = 0;
    F->round = 0;
}

/* ---- one by one ---------------------------------------------------------- */

void hy_frontier_add(hy_frontier *F, hy_vid v)
{
    frontier_need_bits(F);
    if (v >= F->bound || bits_has(F->bits, v))
        return;
    frontier_need_list(F);
    F->edges = UINT64_MAX;
    bits_add(F->bits, v);
    bag_append(&F->bag, &v, 1);
}

bool hy_frontier_has(hy_frontier *F, hy_vid v)
{
    if (v >= F->bound)
        return false;
    frontier_need_bits(F);
    return bits_has(F->bits, v);
}

uint64_t hy_frontier_count(const hy_frontier *F)
{
    return frontier_count(F);
}

const hy_vid *hy_frontier_list(hy_frontier *F)
{
    frontier_need_list(F);
    return F->bag.at;
}

const uint64_t *hy_frontier_bits(hy_frontier *F)
{
    frontier_need_bits(F);
    return F->bits;
}

/* ---- all ----------------------------------------------------------------- */

struct fill {
    hy_frontier *F;
    const hy_view *V;
};

/* Lists the vertices of its range that are alive. */
static void fill_par(void *arg, size_t lo, size_t hi)
{
    const struct fill *fill = arg;
    struct bag_part part;
    bag_part_init(&part, &fill->F->bag);
    for (size_t v = lo; v < hi; v++)
        if (view_has_vertex(fill->V, (hy_vid)v))
            bag_put(&part, (hy_vid)v);
    bag_flush(&part);
}

void hy_frontier_fill(hy_frontier *F, const hy_view *V)
{
    hy_frontier_clear(F);
    struct fill fill = { .F = F, .V = V };
    const hy_vid bound = V->bound < F->bound ? V->bound : F->bound;
    par_for(F->ctx, bound, IDS, fill_par, &fill);
}
