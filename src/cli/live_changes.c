/* What a commit changed of an answer, as the user sees it: by external ids,
 * groups by their smallest id. */
#include "cli/live.h"

#include <stdlib.h>
#include <string.h>

/* ---- who lived at a place ------------------------------------------------ */

/* Where v is in an ascending list; its length if it is not. */
static uint64_t place_in(hy_vid_list list, hy_vid v)
{
    uint64_t lo = 0, hi = list.n;
    while (lo < hi) {
        const uint64_t mid = lo + (hi - lo) / 2;
        if (list.at[mid] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < list.n && list.at[lo] == v ? lo : list.n;
}

/* The external id that v had before the commit. */
static uint64_t id_before(const struct live_keeper *K, hy_vid v)
{
    const hy_vid_list out = K->delta->vertices_deleted;
    const hy_vid_list in = K->delta->vertices_inserted;
    const uint64_t i = place_in(out, v);
    if (i < out.n)
        return K->gone[i];
    return place_in(in, v) < in.n ? HY_ANY : K->ids[v];
}

/* ---- the list ------------------------------------------------------------ */

/* An id may leave one place and come to another in the same commit. */
static bool may_move(const struct live_keeper *K)
{
    return K->delta->vertices_deleted.n && K->delta->vertices_inserted.n;
}

static void note(const struct live_keeper *K, struct live_answer *a,
                 struct live_change c)
{
    a->changed++;
    if (!a->want->changes && !may_move(K))
        return;
    if (a->n_changes == a->room_changes) {
        const size_t room = 2 * a->room_changes + 64;
        struct live_change *const more = cli_alloc(room, sizeof *more);
        if (a->n_changes)
            memcpy(more, a->changes, a->n_changes * sizeof *more);
        cli_free(a->changes);
        a->changes = more;
        a->room_changes = room;
    }
    a->changes[a->n_changes++] = c;
}

static void look_at(const struct live_keeper *K, struct live_answer *a,
                    hy_vid v)
{
    const uint64_t was = a->seen[v], now = live_value(K, a, v);
    const uint64_t id_now = K->ids[v], id_was = id_before(K, v);
    const uint64_t nothing = a->kind->nothing;
    a->seen[v] = now;
    if (id_was == id_now) {
        if (was != now)
            note(K, a,
                 (struct live_change){ .id = id_now, .was = was, .now = now });
        return;
    }
    if (id_was != HY_ANY && was != nothing)
        note(K, a,
             (struct live_change){ .id = id_was, .was = was, .went = true });
    if (id_now != HY_ANY && now != nothing)
        note(K, a,
             (struct live_change){ .id = id_now, .now = now, .came = true });
}

/* ---- order --------------------------------------------------------------- */

/* Merges c[0 .. mid) and c[mid .. n) by way of `to`. */
static void merge(const struct live_keeper *K, struct live_change *c,
                  size_t mid, size_t n, struct live_change *to)
{
    size_t i = 0, j = mid, k = 0;
    while (i < mid && j < n)
        to[k++] = live_id_before(K, c[j].id, c[i].id) ? c[j++] : c[i++];
    while (i < mid)
        to[k++] = c[i++];
    memcpy(c, to, k * sizeof *c);
}

static void sort(const struct live_keeper *K, struct live_change *c, size_t n,
                 struct live_change *scratch)
{
    bool ascends = true;
    for (size_t i = 1; i < n && ascends; i++)
        ascends = !live_id_before(K, c[i].id, c[i - 1].id);
    if (ascends)
        return;
    sort(K, c, n / 2, scratch);
    sort(K, c + n / 2, n - n / 2, scratch);
    merge(K, c, n / 2, n, scratch);
}

/* One entry of two: what it was, and what it is now. */
static struct live_change joined(struct live_change a, struct live_change b)
{
    const struct live_change *const out = a.went ? &a : &b;
    const struct live_change *const in = a.went ? &b : &a;
    return (struct live_change){ .id = a.id, .was = out->was, .now = in->now };
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The ids that went, ascending; the caller frees them. */
static uint64_t *sorted_gone(const struct live_keeper *K)
{
    const size_t n = (size_t)K->delta->vertices_deleted.n;
    uint64_t *const gone = cli_alloc(n, sizeof *gone);
    if (n)
        memcpy(gone, K->gone, n * sizeof *gone);
    qsort(gone, n, sizeof *gone, by_number);
    return gone;
}

/* The only entry of an id.  One that left its place may have come to another
 * all the same, and be nothing there, or have been: such places are not told.
 */
static struct live_change alone(const struct live_keeper *K,
                                const struct live_answer *a,
                                struct live_change c, const uint64_t *gone)
{
    const size_t n = (size_t)K->delta->vertices_deleted.n;
    if (c.went && hy_view_find(K->R->V, c.id) != HY_NONE) {
        c.went = false;
        c.now = a->kind->nothing;
    } else if (c.came && bsearch(&c.id, gone, n, sizeof *gone, by_number)) {
        c.came = false;
        c.was = a->kind->nothing;
    }
    return c;
}

void live_sort_changes(const struct live_keeper *K, struct live_answer *a)
{
    struct live_change *const c = a->changes;
    struct live_change *const scratch = cli_alloc(a->n_changes, sizeof *c);
    sort(K, c, a->n_changes, scratch);
    cli_free(scratch);
    uint64_t *const gone = may_move(K) ? sorted_gone(K) : NULL;
    size_t n = 0;
    for (size_t i = 0; i < a->n_changes; i++) {
        if (i + 1 == a->n_changes || c[i].id != c[i + 1].id) {
            c[n++] = gone ? alone(K, a, c[i], gone) : c[i];
            continue;
        }
        const struct live_change both = joined(c[i], c[i + 1]);
        if (both.was != both.now)
            c[n++] = both;
        i++;
    }
    cli_free(gone);
    a->n_changes = n;
    a->changed = n;
}

/* ---- finding ------------------------------------------------------------- */

/* Places that are not the same vertex's any more, though a value may be the
 * same; those that the library lists too were looked at before. */
static void look_at_replaced(const struct live_keeper *K, struct live_answer *a,
                             hy_vid_list listed)
{
    const hy_vid_list out = K->delta->vertices_deleted;
    for (uint64_t i = 0; i < out.n; i++) {
        const hy_vid v = out.at[i];
        if (K->ids[v] != HY_ANY && place_in(listed, v) == listed.n)
            look_at(K, a, v);
    }
}

void live_find_changes(struct live_keeper *K, struct live_answer *a)
{
    const hy_delta *const delta = K->delta;
    const bool vertices =
        delta->vertices_deleted.n || delta->vertices_inserted.n;
    const hy_vid_list listed =
        a->L ? hy_live_changed(a->L) : (hy_vid_list){ .n = 0 };
    a->changed = 0;
    a->n_changes = 0;
    const bool groups = live_kind_is_groups(a->kind);
    if (groups && (listed.n || vertices))
        live_name_groups(K, a);
    if (a->is_other || (groups && (listed.n || vertices))) {
        for (hy_vid v = 0; v < K->bound; v++)
            look_at(K, a, v);
    } else if (!groups) {
        for (uint64_t i = 0; i < listed.n; i++)
            look_at(K, a, listed.at[i]);
        look_at_replaced(K, a, listed);
    }
    if (a->n_changes)
        live_sort_changes(K, a);
}
