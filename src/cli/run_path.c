/* `hypha run`: searches, paths, trees, products. */
#include "cli/run.h"

#include <math.h>
#include <string.h>

void run_bfs(struct run *R)
{
    const hy_bfs_opts opts = { .source = R->source,
                               .deterministic = R->o->deterministic,
                               .device = R->device };
    uint32_t *const depth = run_array(R, sizeof *depth);
    hy_vid *const parent = R->o->check ? run_array(R, sizeof *parent) : NULL;
    hy_bfs_info info = { 0 };
    run_begin(R);
    run_end(R, hy_bfs(R->V, &opts, depth, parent, &info));
    run_column(R, "depth", RUN_U32, depth);
    run_count(R, "reached", info.reached);
    run_count(R, "max_depth", info.max_depth);
    if (R->o->check) {
        const char *why = NULL;
        const bool right =
            hy_bfs_check(R->V, &opts, depth, parent, &info, &why);
        run_checked(R, right, why);
    }
}

void run_bc(struct run *R)
{
    const bool one = R->source != HY_NONE;
    const hy_bc_opts opts = { .sources = one ? 1 : R->o->sources,
                              .seed = R->o->seed,
                              .list = one ? &R->source : NULL,
                              .deterministic = R->o->deterministic };
    double *const score = run_array(R, sizeof *score);
    hy_bc_info info = { 0 };
    run_begin(R);
    run_end(R, hy_bc(R->V, &opts, score, &info));
    run_column(R, "score", RUN_F64, score);
    run_count(R, "sources", info.sources);
    run_number(R, "largest", info.largest);
    run_count(R, "max_depth", info.max_depth);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_bc_check(R->V, &opts, score, &why);
        run_checked(R, right, why);
    }
}

void run_sssp(struct run *R)
{
    const hy_sssp_opts opts = { .source = R->source,
                                .weight = R->o->column,
                                .delta = R->o->delta,
                                .device = R->device };
    double *const dist = run_array(R, sizeof *dist);
    hy_vid *const parent = R->o->check ? run_array(R, sizeof *parent) : NULL;
    hy_sssp_info info = { 0 };
    run_begin(R);
    const hy_status status = hy_sssp(R->V, &opts, dist, parent, &info);
    run_weights_must(R, status, 0);
    run_end(R, status);
    run_column(R, "distance", RUN_F64, dist);
    run_count(R, "reached", info.reached);
    run_number(R, "max_distance", info.max_dist);
    run_number(R, "delta", info.delta);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_sssp_check(R->V, &opts, dist, parent, &why);
        run_checked(R, right, why);
    }
}

/* ---- the forest ---------------------------------------------------------- */

/* The forest's edges at each vertex: those of u are ends[first[u]] up to
 * ends[first[u + 1]]. */
struct forest {
    uint64_t *first;
    hy_vid *ends;
};

static struct forest forest_of(struct run *R, uint64_t m, const hy_edge *edges)
{
    struct forest F = { .first =
                            run_array_of(R, (size_t)hy_view_bound(R->V) + 2,
                                         sizeof *F.first),
                        .ends = run_array_of(R, 2 * m, sizeof *F.ends) };
    for (uint64_t i = 0; i < m; i++) {
        F.first[edges[i].u + 2]++;
        F.first[edges[i].v + 2]++;
    }
    for (size_t u = 0; u < hy_view_bound(R->V); u++)
        F.first[u + 2] += F.first[u + 1];
    for (uint64_t i = 0; i < m; i++) {
        F.ends[F.first[edges[i].u + 1]++] = edges[i].v;
        F.ends[F.first[edges[i].v + 1]++] = edges[i].u;
    }
    return F;
}

/* Parents in trees that hang on their smallest ids, which are their own. */
static const hy_vid *root_forest(struct run *R, uint64_t m,
                                 const hy_edge *edges)
{
    const size_t n = (size_t)hy_view_vertices(R->V);
    const hy_vid *const order = run_order(R);
    const struct forest F = forest_of(R, m, edges);
    hy_vid *const parent = run_array(R, sizeof *parent);
    hy_vid *const queue = run_array_of(R, n, sizeof *queue);
    memset(parent, 0xff, (size_t)hy_view_bound(R->V) * sizeof *parent);
    for (size_t i = 0; i < n; i++) {
        if (parent[order[i]] != HY_NONE)
            continue;
        size_t tail = 0;
        parent[order[i]] = queue[tail++] = order[i];
        for (size_t head = 0; head < tail; head++) {
            const hy_vid u = queue[head];
            for (uint64_t e = F.first[u]; e < F.first[u + 1]; e++)
                if (parent[F.ends[e]] == HY_NONE) {
                    parent[F.ends[e]] = u;
                    queue[tail++] = F.ends[e];
                }
        }
    }
    return parent;
}

void run_mst(struct run *R)
{
    const hy_mst_opts opts = { .weight = R->o->column };
    hy_edge *const edges =
        run_array_of(R, (size_t)hy_view_vertices(R->V), sizeof *edges);
    hy_mst_info info = { 0 };
    run_begin(R);
    const hy_status status = hy_mst(R->V, &opts, edges, &info);
    run_weights_must(R, status, -INFINITY);
    run_end(R, status);
    run_count(R, "edges", info.edges);
    run_count(R, "trees", info.trees);
    run_number(R, "weight", info.weight);
    if (R->o->output || R->o->top)
        run_column(R, "parent", RUN_VERTEX, root_forest(R, info.edges, edges));
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_mst_check(R->V, &opts, edges, &info, &why);
        run_checked(R, right, why);
    }
}

/* ---- products ------------------------------------------------------------ */

void run_spmv(struct run *R)
{
    const hy_spmv_opts opts = { .weight = R->o->column, .device = R->device };
    const hy_vid bound = hy_view_bound(R->V);
    double *const x = run_array(R, sizeof *x);
    double *const y = run_array(R, sizeof *y);
    if (R->o->input)
        run_read_values(R, 1, x);
    else
        for (hy_vid u = 0; u < bound; u++)
            x[u] = 1;
    run_begin(R);
    run_end(R, hy_spmv(R->V, &opts, x, y));
    double sum = 0;
    for (hy_vid u = 0; u < bound; u++)
        sum += y[u];
    run_column(R, "product", RUN_F64, y);
    run_number(R, "sum", sum);
    if (R->o->check) {
        const char *why = NULL;
        const bool right = hy_spmv_check(R->V, &opts, x, y, &why);
        run_checked(R, right, why);
    }
}
