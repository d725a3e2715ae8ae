/* The inside of a live answer, and what each kind of answer provides.
 *
 *   Attach    start: the answer for the view, from nothing.  May fail.
 *   Foresee   reserve: room for what the commit may need.  May fail; nothing
 *             that can be seen changes.  The frame has grown values and
 *             journal before.
 *   Follow    follow: the answer for the new view.  Cannot fail.  Where a
 *             static function is called and finds no memory, repair instead.
 *             Who cannot do that either (live_device.h) changes nothing, and
 *             says HY_LIVE_STALE.
 *
 * Values.  `values` has `bound` entries of the kind's type; entries of ids
 * that are not alive are what the static function gives them (`nothing`).
 * The frame gives new entries that value before it calls follow.
 *
 * Journal.  Before a value is changed for the first time in a commit, it is
 * noted: live_note, or live_note_par from several threads.  Noted values that
 * are what they were in the end are no changes.  A kind that writes all
 * values anew calls live_keep_all first instead, or hands in an array of them
 * with live_take_all: the frame compares.
 *
 * The costs of both ways are counted in edges and vertices looked at; trees,
 * triangles and clustering coefficients learn by the clock what these take.  A
 * repair that has cost a small part of a recomputation, and is not about to
 * end, gives up and recomputes.
 */
#ifndef ALGO_LIVE_LIVE_H
#define ALGO_LIVE_LIVE_H

#include "base/mem.h"
#include "par/lock.h"
#include "store/view.h"
#include "store/watch.h"

#include <hypha/live.h>

struct live_kind {
    const char *name;
    hy_type type;
    bool needs_in;    /* a directed graph gets a reverse side */
    uint64_t nothing; /* value of ids that are not alive, as bits */
    hy_status (*start)(hy_live *L, const hy_view *V);
    hy_status (*reserve)(hy_live *L, const struct watch_coming *coming);
    void (*follow)(hy_live *L, const hy_view *V, const hy_delta *delta);
    void (*fini)(hy_live *L); /* also after start failed */
    /* Own invariants and the static checker.  HY_EBUG with the text. */
    hy_status (*check)(hy_live *L, const hy_view *V);
};

struct hy_live {
    struct watcher watcher; /* first */
    const struct live_kind *kind;
    hy_graph *G; /* NULL: it is gone */
    hy_ctx *ctx;
    void *state; /* the kind's own */
    void *values;
    hy_vid *parents; /* NULL: the kind has none */
    hy_vid room;     /* entries in all arrays here */
    hy_live_info info;
    double began;         /* the commit at hand, by the clock */
    struct par_lock lock; /* held by follow and by hy_live_copy */

    /* The journal of the last commit. */
    uint32_t turn;   /* commits, modulo 2^32 - 1, from 1 */
    uint32_t *stamp; /* = turn: noted */
    hy_vid *noted;
    void *old;                /* old[v]: of noted v, or of all */
    _Atomic uint32_t n_noted; /* relaxed: deals out places */
    bool is_all_kept;         /* instead of notes */
    bool is_told;             /* `changed` is filled */
    hy_vid *changed;
    hy_vid n_changed;
};

/* Makes the frame, calls start, attaches.  Takes `state` in any case: fini
 * frees it. */
HY_CHECKED hy_status live_attach(hy_graph *G, const struct live_kind *kind,
                                 void *state, bool has_parents, hy_live **out);

/* Arrays of the kind's own, grown to `room` entries and filled with `fill`
 * bytes from `used` on; *p is as it was on failure. */
HY_CHECKED hy_status live_grow(hy_ctx *ctx, void *p, size_t used, size_t room,
                               size_t size, int fill);

/* Entries from .. to - 1 of `values` become those of ids that are not alive. */
void live_fill_nothing(const struct live_kind *kind, void *values, size_t from,
                       size_t to);

/* Room for an answer that is computed apart, for what computes it may fail:
 * as many entries as in the arrays of the frame.  Empty: all 0. */
struct live_spare {
    void *values;    /* owned */
    hy_vid *parents; /* owned; NULL: the kind has none */
    hy_vid room;
    hy_vid used; /* from there on all entries are nothing */
};

/* Entries below `bound` may be written then.  All pages of new arrays have
 * been touched: the system takes as long to clear them as a search takes. */
HY_CHECKED hy_status live_spare_reserve(struct live_spare *S, const hy_live *L,
                                        hy_vid bound);
void live_spare_fini(struct live_spare *S, hy_ctx *ctx);

/* What is in S below `known` becomes the answer, with nothing from there on;
 * S gets the arrays of the last one. */
void live_spare_take(struct live_spare *S, hy_live *L, hy_vid known);

/* Moves what is known of a rate towards x.  What others do to the machine for a
 * while is to move it by little. */
static inline void live_learn(double *rate, double x)
{
    const double low = *rate / 2, high = *rate * 2;
    *rate += ((x < low ? low : x > high ? high : x) - *rate) / 3;
}

/* What follow did. */
static inline void live_say(hy_live *L, hy_live_how how, const char *why)
{
    L->info.how = how;
    L->info.why = why;
}

/* Keeps the value of v as it was before the commit; may be called again. */
static inline void live_note(hy_live *L, hy_vid v)
{
    if (L->stamp[v] == L->turn || L->is_all_kept)
        return;
    L->stamp[v] = L->turn;
    const uint32_t i = atomic_load_explicit(&L->n_noted, memory_order_relaxed);
    atomic_store_explicit(&L->n_noted, i + 1, memory_order_relaxed);
    L->noted[i] = v;
    if (L->kind->type == HY_U32)
        ((uint32_t *)L->old)[v] = ((const uint32_t *)L->values)[v];
    else
        ((uint64_t *)L->old)[v] = ((const uint64_t *)L->values)[v];
}

/* The same where several threads note at once.  The value of v must not be
 * changed by another thread meanwhile. */
void live_note_par(hy_live *L, hy_vid v);

/* Keeps all values as they were before the commit: those noted so far stay.
 * On the calling thread, which shares the copying. */
void live_keep_all(hy_live *L);

/* The same without a copy, for a kind that writes all values below `bound`
 * next: what they are until then is not said. */
void live_turn_over(hy_live *L, hy_vid bound);

/* Takes *values, an array of L->room entries that is complete, for the values,
 * and gives another of that length for it, with any contents.  All values are
 * kept as they were before the commit, without being copied. */
void live_take_all(hy_live *L, void **values);

#endif
