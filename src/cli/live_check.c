/* Live answers compared with those that are computed from nothing. */
#include "cli/live.h"
#include "cli/progress.h"

#include <math.h>
#include <string.h>

struct found {
    hy_vid v;
    char text[160];
};

static size_t width(const struct live_answer *a)
{
    return hy_type_width(a->kind->type);
}

static const char *id_text(const struct live_keeper *K, hy_vid v,
                           char text[RUN_VALUE])
{
    size_t n = 0;
    if (!hy_view_has_vertex(K->R->V, v))
        return "none";
    const char *const id = run_id_text(K->R, v, text, &n);
    if (id == text)
        text[n] = '\0';
    return id;
}

/* ---- comparing ----------------------------------------------------------- */

/* A value of the library's, as a number for the message. */
static double number_of(const struct live_answer *a, const void *values,
                        hy_vid v)
{
    if (a->kind->type == HY_F64)
        return ((const double *)values)[v];
    if (a->kind->type == HY_U64)
        return (double)((const uint64_t *)values)[v];
    const uint32_t x = ((const uint32_t *)values)[v];
    return x == HY_NONE ? INFINITY : (double)x;
}

static bool differs(const struct live_keeper *K, const struct live_answer *a,
                    struct found *f)
{
    const char *const ours = hy_live_values(a->L);
    const char *const fresh = K->fresh.values;
    const size_t n = width(a);
    for (hy_vid v = 0; v < K->bound; v++) {
        if (!memcmp(ours + v * n, fresh + v * n, n))
            continue;
        f->v = v;
        snprintf(f->text, sizeof f->text, "%s %.17g, recomputed %.17g",
                 a->kind->value, number_of(a, ours, v), number_of(a, fresh, v));
        return true;
    }
    return false;
}

static bool parents_differ(const struct live_keeper *K,
                           const struct live_answer *a, struct found *f)
{
    const hy_vid *const ours = hy_live_parents(a->L);
    const hy_vid *const fresh = K->fresh.parents;
    char x[RUN_VALUE], y[RUN_VALUE];
    for (hy_vid v = 0; v < K->bound; v++) {
        if (ours[v] == fresh[v])
            continue;
        f->v = v;
        snprintf(f->text, sizeof f->text, "parent %.40s, recomputed %.40s",
                 id_text(K, ours[v], x), id_text(K, fresh[v], y));
        return true;
    }
    return false;
}

/* Both are near the true ranks: they are as near to each other as both
 * bounds, and what rounding adds. */
static bool ranks_differ(const struct live_keeper *K,
                         const struct live_answer *a, struct found *f)
{
    const double *const ours = hy_live_values(a->L);
    const double *const fresh = K->fresh.values;
    const double bound = a->info.error + K->fresh.error + 1e-12;
    double sum = 0, most = -1;
    for (hy_vid v = 0; v < K->bound; v++) {
        const double apart = fabs(ours[v] - fresh[v]);
        sum += apart;
        if (!(apart <= most)) {
            most = apart;
            f->v = v;
        }
    }
    if (sum <= bound)
        return false;
    snprintf(f->text, sizeof f->text,
             "rank %.17g, recomputed %.17g; all differ by %g, bound %g",
             ours[f->v], fresh[f->v], sum, bound);
    return true;
}

/* ---- computing ----------------------------------------------------------- */

static void make_room(struct live_keeper *K)
{
    struct live_fresh *const F = &K->fresh;
    if (K->fresh_room >= K->bound && F->values)
        return;
    cli_free(F->values);
    cli_free(F->parents);
    K->fresh_room = K->room;
    F->values = cli_alloc(K->room, sizeof(uint64_t));
    F->parents = cli_alloc(K->room, sizeof *F->parents);
}

/* What the static function would say if it took a source that is not there. */
static void nothing_is_reached(const struct live_keeper *K,
                               const struct live_answer *a)
{
    memset(K->fresh.parents, 0xff, K->bound * sizeof *K->fresh.parents);
    for (hy_vid v = 0; v < K->bound; v++)
        if (width(a) == sizeof(uint32_t))
            ((uint32_t *)K->fresh.values)[v] = (uint32_t)a->kind->nothing;
        else
            ((uint64_t *)K->fresh.values)[v] = a->kind->nothing;
}

static void compute(struct live_keeper *K, struct live_answer *a)
{
    const hy_view *const V = K->R->V;
    make_room(K);
    if (a->source_id != HY_ANY && !hy_view_has_vertex(V, a->terms.source)) {
        nothing_is_reached(K, a);
        return;
    }
    const double start = hy_clock();
    const hy_status status = a->kind->compute(V, &a->terms, &K->fresh);
    a->anew_s = hy_clock() - start;
    cli_must(status, a->want->name);
}

static bool is_wrong(const struct live_keeper *K, const struct live_answer *a,
                     struct found *f)
{
    if (a->info.version != hy_view_version(K->R->V)) {
        f->v = HY_NONE;
        snprintf(f->text, sizeof f->text, "version %llu of the graph's %llu",
                 (unsigned long long)a->info.version,
                 (unsigned long long)hy_view_version(K->R->V));
        return true;
    }
    if (a->kind->keys & LIVE_TOLERANCE)
        return ranks_differ(K, a, f);
    return differs(K, a, f) ||
           (a->kind->has_parents && parents_differ(K, a, f));
}

bool live_is_right(struct live_keeper *K, struct live_answer *a,
                   char why[LIVE_WHY])
{
    struct found f = { .v = HY_NONE };
    char id[RUN_VALUE];
    if (!a->L)
        return true; /* nothing is reached, and nothing is kept */
    K->R->V = hy_graph_now(K->R->input.G);
    hy_live_info_get(a->L, &a->info);
    compute(K, a);
    if (!is_wrong(K, a, &f))
        return true;
    snprintf(why, LIVE_WHY, "%s is wrong at vertex %.40s: %s", a->want->name,
             id_text(K, f.v, id), f.text);
    return false;
}

void live_check(struct live_keeper *K, uint64_t batch)
{
    for (size_t i = 0; i < K->n; i++) {
        struct live_answer *const a = &K->at[i];
        const hy_live_info info = a->info;
        char why[LIVE_WHY];
        cli_stop_if_asked();
        if (!live_is_right(K, a, why))
            cli_die(CLI_FAILED, "batch %llu: %s", (unsigned long long)batch,
                    why);
        a->info = info;
        a->sum_anew_s += a->anew_s;
    }
}
