/* Keeping live answers: attaching, following commits, the places of ids. */
#include "cli/live.h"
#include "cli/progress.h"

#include <math.h>
#include <string.h>

static const char *source_is_gone = "its source is gone";
static const char *source_is_back = "its source has another place";

/* ---- places -------------------------------------------------------------- */

static void *grown(void *old, size_t used, size_t room, size_t size)
{
    char *const p = cli_alloc(room, size);
    if (used)
        memcpy(p, old, used * size);
    cli_free(old);
    return p;
}

/* Room for ids below `bound`; new ones are free, and nothing was seen of
 * them. */
static void make_room(struct live_keeper *K, hy_vid bound)
{
    const hy_vid used = K->bound;
    if (bound > K->room) {
        const uint64_t want = (uint64_t)bound + bound / 4 + 16;
        const hy_vid room = want < HY_NONE ? (hy_vid)want : HY_NONE;
        K->ids = grown(K->ids, used, room, sizeof *K->ids);
        for (size_t i = 0; i < K->n; i++) {
            struct live_answer *const a = &K->at[i];
            a->seen = grown(a->seen, used, room, sizeof *a->seen);
            if (live_kind_is_groups(a->kind))
                a->named = grown(a->named, used, room, sizeof *a->named);
        }
        K->room = room;
    }
    for (hy_vid v = used; v < bound; v++) {
        K->ids[v] = HY_ANY;
        for (size_t i = 0; i < K->n; i++)
            K->at[i].seen[v] = K->at[i].kind->nothing;
    }
    K->bound = bound > used ? bound : used;
}

/* Who lives where after the commit; `gone` tells who did before. */
static void move_in(struct live_keeper *K)
{
    const hy_view *const V = K->R->V;
    const hy_vid_list out = K->delta->vertices_deleted;
    const hy_vid_list in = K->delta->vertices_inserted;
    make_room(K, hy_view_bound(V));
    cli_free(K->gone);
    K->gone = NULL;
    if (out.n + in.n == 0)
        return;
    K->gone = cli_alloc((size_t)out.n, sizeof *K->gone);
    for (uint64_t i = 0; i < out.n; i++) {
        K->gone[i] = K->ids[out.at[i]];
        K->ids[out.at[i]] = HY_ANY;
    }
    for (uint64_t i = 0; i < in.n; i++)
        K->ids[in.at[i]] = hy_view_external(V, in.at[i]);
    cli_free(K->R->order); /* that of the vertices before */
    K->R->order = NULL;
}

bool live_id_before(const struct live_keeper *K, uint64_t a, uint64_t b)
{
    const hy_names *const names = K->R->input.names;
    if (!names)
        return a < b;
    size_t m, n;
    const char *const x = hy_names_text(names, a, &m);
    const char *const y = hy_names_text(names, b, &n);
    const int order = memcmp(x, y, m < n ? m : n);
    return order ? order < 0 : m < n;
}

/* ---- values -------------------------------------------------------------- */

void live_name_groups(const struct live_keeper *K, struct live_answer *a)
{
    const hy_vid *const label = hy_live_values(a->L);
    hy_vid *const first = cli_alloc(K->bound, sizeof *first);
    memset(first, 0xff, K->bound * sizeof *first);
    for (hy_vid v = 0; v < K->bound; v++) {
        if (K->ids[v] == HY_ANY)
            continue;
        hy_vid *const least = &first[label[v]];
        if (*least == HY_NONE || live_id_before(K, K->ids[v], K->ids[*least]))
            *least = v;
    }
    for (hy_vid v = 0; v < K->bound; v++)
        a->named[v] = K->ids[v] == HY_ANY ? HY_NONE : first[label[v]];
    cli_free(first);
}

uint64_t live_value(const struct live_keeper *K, const struct live_answer *a,
                    hy_vid v)
{
    if (!a->L)
        return a->kind->nothing;
    if (a->named)
        return a->named[v] == HY_NONE ? HY_ANY : K->ids[a->named[v]];
    const void *const values = hy_live_values(a->L);
    return hy_type_width(a->kind->type) == sizeof(uint32_t)
               ? ((const uint32_t *)values)[v]
               : ((const uint64_t *)values)[v];
}

/* ---- attaching ----------------------------------------------------------- */

static void attach(struct live_keeper *K, struct live_answer *a)
{
    struct run *const R = K->R;
    cli_signals_kill(true);
    const double start = hy_clock();
    const hy_status status = a->kind->attach(R->input.G, &a->terms, &a->L);
    const double s = hy_clock() - start;
    cli_signals_kill(false);
    if (status != HY_OK && (a->kind->keys & LIVE_WEIGHT)) {
        const struct run_algorithm named = { .name = a->want->name };
        const struct run_opts opts = { .column = a->terms.weight };
        struct run asked = *R;
        asked.algorithm = &named;
        asked.o = &opts;
        run_weights_must(&asked, status, 0);
    }
    cli_must(status, a->want->name);
    hy_live_info_get(a->L, &a->info);
    a->anew_s = a->info.seconds > 0 ? a->info.seconds : s;
}

static void find_source(struct live_keeper *K, struct live_answer *a)
{
    const char *const text = a->want->source;
    a->source_id = HY_ANY;
    if (!text)
        return;
    a->terms.source = run_find(K->R, text, strlen(text));
    if (a->terms.source == HY_NONE)
        cli_die(CLI_FAILED,
                "%s has no vertex `%s`, where %s starts; an edge list gets "
                "one by a line `# vertex %s`",
                run_path(K->R), text, a->want->name, text);
    a->source_id = hy_view_external(K->R->V, a->terms.source);
}

void live_keeper_init(struct live_keeper *K, struct run *R,
                      const struct live_want *wants, size_t n)
{
    *K = (struct live_keeper){ .R = R, .n = n };
    K->at = cli_alloc_zeroed(n, sizeof *K->at);
    R->V = hy_graph_now(R->input.G);
    for (size_t i = 0; i < n; i++) {
        K->at[i].want = &wants[i];
        K->at[i].kind = wants[i].kind;
        K->at[i].terms = wants[i].terms;
        K->at[i].terms.device = wants[i].kind->on_devices ? R->device : NULL;
        find_source(K, &K->at[i]);
    }
    make_room(K, hy_view_bound(R->V));
    for (hy_vid v = 0; v < K->bound; v++)
        if (hy_view_has_vertex(R->V, v))
            K->ids[v] = hy_view_external(R->V, v);
    for (size_t i = 0; i < n; i++) {
        struct live_answer *const a = &K->at[i];
        attach(K, a);
        if (a->named)
            live_name_groups(K, a);
        for (hy_vid v = 0; v < K->bound; v++)
            if (K->ids[v] != HY_ANY)
                a->seen[v] = live_value(K, a, v);
    }
    /* Attaching may have built the reverse side. */
    R->V = hy_graph_now(R->input.G);
}

void live_keeper_fini(struct live_keeper *K)
{
    for (size_t i = 0; i < K->n; i++) {
        hy_live_detach(K->at[i].L);
        cli_free(K->at[i].named);
        cli_free(K->at[i].seen);
        cli_free(K->at[i].changes);
    }
    cli_free(K->at);
    cli_free(K->ids);
    cli_free(K->gone);
    cli_free(K->fresh.values);
    cli_free(K->fresh.parents);
}

/* ---- following ----------------------------------------------------------- */

/* The library follows the place that the source had; we, its id.  Returns
 * whether the answer is another one now. */
static bool follow_source(struct live_keeper *K, struct live_answer *a)
{
    const hy_view *const V = K->R->V;
    if (a->source_id == HY_ANY)
        return false;
    const hy_vid at = hy_view_find(V, a->source_id);
    const bool is_free = !hy_view_has_vertex(V, a->terms.source);
    if (at == a->terms.source ? a->L != NULL : at == HY_NONE && is_free)
        return false;
    if (at == HY_NONE && !a->L)
        return false;
    hy_live_detach(a->L);
    a->L = NULL;
    a->info = (hy_live_info){ .version = hy_view_version(V),
                              .bound = hy_view_bound(V),
                              .how = HY_LIVE_RECOMPUTED,
                              .why = source_is_gone };
    if (at == HY_NONE)
        return true;
    a->terms.source = at;
    attach(K, a);
    a->info.how = HY_LIVE_RECOMPUTED;
    a->info.why = source_is_back;
    return true;
}

static void follow_one(struct live_keeper *K, struct live_answer *a)
{
    a->is_other = follow_source(K, a);
    if (a->L && !a->is_other)
        hy_live_info_get(a->L, &a->info);
    if (a->info.how == HY_LIVE_STALE)
        cli_die(CLI_FAILED, "%s could not follow: %s", a->want->name,
                a->info.why);
    if (a->info.how == HY_LIVE_RECOMPUTED) {
        a->recomputed++;
        if (a->L)
            a->anew_s = a->info.seconds;
    } else {
        a->repaired++;
    }
    a->sum_s += a->info.seconds;
    live_find_changes(K, a);
}

void live_follow(struct live_keeper *K, const hy_delta *delta)
{
    K->delta = delta;
    K->R->V = hy_graph_now(K->R->input.G);
    K->commits++;
    move_in(K);
    for (size_t i = 0; i < K->n; i++)
        follow_one(K, &K->at[i]);
    if (!K->is_checked)
        for (size_t i = 0; i < K->n; i++)
            K->at[i].sum_anew_s += K->at[i].anew_s;
}
