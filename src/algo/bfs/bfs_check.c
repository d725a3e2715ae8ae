/* Verifies a breadth-first search by another one: serial, with a queue.
 *
 *   1 depths are those of the plain search
 *   2 the source is its own parent; any other vertex that was reached has a
 *     parent one hop nearer, with an edge to it (the smallest such, if asked
 *     for)
 *   3 nothing else has a parent
 *   4 the counts are right
 */
#include "base/mem.h"
#include "store/view.h"

#include <hypha/bfs.h>

#include <string.h>

struct truth {
    uint32_t *depth;
    hy_vid *queue;  /* those reached, nearest first */
    hy_vid *parent; /* the smallest */
    hy_bfs_info info;
};

static void note_parent(struct truth *T, hy_vid u, hy_vid v)
{
    if (T->depth[v] == T->depth[u] + 1 && u < T->parent[v])
        T->parent[v] = u;
}

static void search(const hy_view *V, struct truth *T, hy_vid source)
{
    memset(T->depth, 0xff, V->bound * sizeof *T->depth);
    memset(T->parent, 0xff, V->bound * sizeof *T->parent);
    uint64_t end = 0;
    T->depth[source] = 0;
    T->parent[source] = source;
    T->queue[end++] = source;
    for (uint64_t at = 0; at < end; at++) {
        const hy_vid u = T->queue[at];
        T->info.max_depth = T->depth[u];
        T->info.edges += view_degree(V, u);
        view_for_out (s, V, u)
            for (size_t i = 0; i < s.n; i++) {
                const hy_vid v = s.v[i * s.step];
                if (T->depth[v] == UINT32_MAX) {
                    T->depth[v] = T->depth[u] + 1;
                    T->queue[end++] = v;
                }
                note_parent(T, u, v);
            }
    }
    T->info.reached = end;
}

static hy_status check_parent(const hy_view *V, const struct truth *T,
                              const hy_bfs_opts *opts, hy_vid v, hy_vid p)
{
    const uint32_t depth = T->depth[v];
    if (depth == UINT32_MAX || v == opts->source || opts->deterministic)
        return p == T->parent[v]
                   ? HY_OK
                   : base_fail(HY_EBUG, "the parent of %u is %u, not %u",
                               (unsigned)v, (unsigned)p,
                               (unsigned)T->parent[v]);
    if (p >= V->bound || T->depth[p] != depth - 1)
        return base_fail(HY_EBUG, "parent %u of %u is not at depth %u",
                         (unsigned)p, (unsigned)v, (unsigned)depth - 1);
    if (!hy_view_has_edge(V, p, v))
        return base_fail(HY_EBUG, "there is no edge from parent %u to %u",
                         (unsigned)p, (unsigned)v);
    return HY_OK;
}

static hy_status check_info(const struct truth *T, const hy_bfs_info *info)
{
    if (info->reached != T->info.reached)
        return base_fail(HY_EBUG, "%llu vertices are reached, not %llu",
                         (unsigned long long)T->info.reached,
                         (unsigned long long)info->reached);
    if (info->edges != T->info.edges)
        return base_fail(HY_EBUG, "%llu edges are reached, not %llu",
                         (unsigned long long)T->info.edges,
                         (unsigned long long)info->edges);
    if (info->max_depth != T->info.max_depth)
        return base_fail(HY_EBUG, "the largest depth is %u, not %u",
                         (unsigned)T->info.max_depth,
                         (unsigned)info->max_depth);
    return HY_OK;
}

static hy_status compare(const hy_view *V, const struct truth *T,
                         const hy_bfs_opts *opts, const uint32_t *depth,
                         const hy_vid *parent)
{
    for (hy_vid v = 0; v < V->bound; v++) {
        if (depth && depth[v] != T->depth[v])
            return base_fail(HY_EBUG, "the depth of %u is %u, not %u",
                             (unsigned)v, (unsigned)T->depth[v],
                             (unsigned)depth[v]);
        if (parent)
            HY_TRY(check_parent(V, T, opts, v, parent[v]));
    }
    return HY_OK;
}

bool hy_bfs_check(const hy_view *V, const hy_bfs_opts *opts,
                  const uint32_t *depth, const hy_vid *parent,
                  const hy_bfs_info *info, const char **why)
{
    static const hy_bfs_opts defaults = { 0 };
    opts = opts ? opts : &defaults;
    hy_ctx *const ctx = view_ctx(V);
    struct truth T = {
        .depth = base_alloc_raw(ctx, V->bound, sizeof *T.depth),
        .parent = base_alloc_raw(ctx, V->bound, sizeof *T.parent),
        .queue = base_alloc_raw(ctx, V->bound, sizeof *T.queue),
    };
    hy_status status = HY_ENOMEM;
    if (T.depth && T.parent && T.queue) {
        if (opts->source < V->bound && view_has_vertex(V, opts->source)) {
            search(V, &T, opts->source);
            status = compare(V, &T, opts, depth, parent);
            if (status == HY_OK && info)
                status = check_info(&T, info);
        } else {
            status = base_fail(HY_EINVAL, "there is no vertex %u",
                               (unsigned)opts->source);
        }
    }
    base_free(ctx, T.queue);
    base_free(ctx, T.parent);
    base_free(ctx, T.depth);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
