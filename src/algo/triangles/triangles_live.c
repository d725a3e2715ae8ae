/* Triangles of each vertex, live.
 *
 *   Follow(delta)
 *     1 Count     triangles that came and went, each once; all anew if that is
 *                 cheaper (triangles_weigh.c)
 *     2 Apply     what each vertex got
 *
 * Invariant: the values are the counts of hy_triangles, and info.total their
 * third part.
 */
#include "algo/triangles/triangles_follow.h"
#include "algo/triangles/triangles_impl.h"

#include <hypha/triangles.h>

#include <string.h>

/* By the static function, and how long it took. */
static hy_status count_all(hy_live *L, const hy_view *V, uint64_t *count)
{
    hy_triangles_info info;
    const double begin = hy_clock();
    HY_TRY(hy_triangles(V, NULL, count, &info));
    triangles_follow_learn(L->state, V, hy_clock() - begin);
    L->info.total = info.triangles;
    return HY_OK;
}

static hy_status start(hy_live *L, const hy_view *V)
{
    ((struct triangles_follow *)L->state)->has_hubs = view_is_undirected(V);
    HY_TRY(triangles_follow_reserve(L->state, L->ctx, V->bound, 0));
    return count_all(L, V, L->values);
}

static hy_status reserve(hy_live *L, const struct watch_coming *coming)
{
    return triangles_follow_reserve(L->state, L->ctx, coming->bound,
                                    coming->edges);
}

/* Counts into `diff`, so that values are whole if there is no memory. */
static bool recompute(hy_live *L, const hy_view *V)
{
    struct triangles_follow *F = L->state;
    const size_t bytes = V->bound * sizeof *F->diff;
    if (count_all(L, V, (uint64_t *)F->diff) != HY_OK)
        return false;
    live_keep_all(L);
    memcpy(L->values, F->diff, bytes);
    memset(F->diff, 0, bytes);
    L->info.work = triangles_follow_all(V);
    live_say(L, HY_LIVE_RECOMPUTED, "too many edges changed");
    return true;
}

static void apply(hy_live *L)
{
    struct triangles_follow *F = L->state;
    uint64_t *const count = L->values;
    const uint32_t n = atomic_load_explicit(&L->n_noted, memory_order_relaxed);
    for (uint32_t i = 0; i < n; i++) {
        const hy_vid u = L->noted[i];
        count[u] += (uint64_t)F->diff[u];
        F->diff[u] = 0;
    }
    L->info.total +=
        (uint64_t)atomic_load_explicit(&F->total, memory_order_relaxed);
}

static void follow(hy_live *L, const hy_view *V, const hy_delta *delta)
{
    struct triangles_follow *F = L->state;
    if (!triangles_follow(F, L, V, delta)) {
        if (recompute(L, V))
            return;
        triangles_follow_anyhow(F, L, V, delta);
    }
    apply(L);
    live_say(L, HY_LIVE_REPAIRED, "at the ends of changed edges");
}

static void fini(hy_live *L)
{
    if (L->state)
        triangles_follow_fini(L->state, L->ctx);
    base_free(L->ctx, L->state);
}

static hy_status check(hy_live *L, const hy_view *V)
{
    const char *why;
    HY_TRY(triangles_follow_check(L->state, V->bound));
    return hy_triangles_check(V, L->values, L->info.total, &why) ? HY_OK
                                                                 : HY_EBUG;
}

hy_status hy_live_triangles(hy_graph *G, const hy_triangles_opts *opts,
                            hy_live **out)
{
    static const struct live_kind kind = {
        .name = "triangles",
        .type = HY_U64,
        .needs_in = true,
        .start = start,
        .reserve = reserve,
        .follow = follow,
        .fini = fini,
        .check = check,
    };
    if (!G || !out)
        return base_fail(HY_EINVAL, "triangles of no graph");
    if (opts && opts->device)
        return triangles_live_on_device(G, opts, out);
    struct triangles_follow *F = base_alloc(hy_graph_ctx(G), 1, sizeof *F);
    return F ? live_attach(G, &kind, F, false, out) : HY_ENOMEM;
}
