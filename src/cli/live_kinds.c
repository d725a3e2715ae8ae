/* The kinds of live answers: how each is attached, and computed from nothing
 * to be compared. */
#include "cli/live.h"

#include <math.h>
#include <string.h>

/* ---- searches ------------------------------------------------------------ */

static hy_status attach_bfs(hy_graph *G, const struct live_terms *t,
                            hy_live **out)
{
    const hy_bfs_opts opts = { .source = t->source, .device = t->device };
    return hy_live_bfs(G, &opts, out);
}

static hy_status compute_bfs(const hy_view *V, const struct live_terms *t,
                             struct live_fresh *out)
{
    const hy_bfs_opts opts = { .source = t->source, .deterministic = true };
    return hy_bfs(V, &opts, out->values, out->parents, NULL);
}

static hy_sssp_opts sssp_opts(const struct live_terms *t)
{
    return (hy_sssp_opts){ .source = t->source,
                           .weight = t->weight,
                           .delta = t->delta };
}

static hy_status attach_sssp(hy_graph *G, const struct live_terms *t,
                             hy_live **out)
{
    hy_sssp_opts opts = sssp_opts(t);
    opts.device = t->device;
    return hy_live_sssp(G, &opts, out);
}

static hy_status compute_sssp(const hy_view *V, const struct live_terms *t,
                              struct live_fresh *out)
{
    const hy_sssp_opts opts = sssp_opts(t);
    return hy_sssp(V, &opts, out->values, out->parents, NULL);
}

/* ---- ranks --------------------------------------------------------------- */

static hy_pagerank_opts pagerank_opts(const struct live_terms *t)
{
    return (hy_pagerank_opts){ .damping = t->damping,
                               .tolerance = t->tolerance,
                               .iterations = t->iterations };
}

static hy_status attach_pagerank(hy_graph *G, const struct live_terms *t,
                                 hy_live **out)
{
    hy_pagerank_opts opts = pagerank_opts(t);
    opts.device = t->device;
    return hy_live_pagerank(G, &opts, out);
}

/* One more iteration changes l1; all those to come d + d^2 + ... of it.  What
 * single precision adds is said in pagerank.h. */
static hy_status compute_pagerank(const hy_view *V, const struct live_terms *t,
                                  struct live_fresh *out)
{
    const hy_pagerank_opts opts = pagerank_opts(t);
    const double d = t->damping > 0 ? t->damping : 0.85;
    hy_pagerank_info info = { 0 };
    const hy_status status = hy_pagerank(V, &opts, out->values, &info);
    const bool is_single = t->tolerance == 0 || t->tolerance >= 1e-4;
    out->error = (info.l1 + (is_single ? 0x1p-19 * d : 0)) / (1 - d);
    return status;
}

/* ---- groups, counts ------------------------------------------------------ */

static hy_status attach_wcc(hy_graph *G, const struct live_terms *t,
                            hy_live **out)
{
    const hy_wcc_opts opts = { .device = t->device };
    return hy_live_wcc(G, &opts, out);
}

static hy_status compute_wcc(const hy_view *V, const struct live_terms *t,
                             struct live_fresh *out)
{
    (void)t;
    return hy_wcc(V, NULL, out->values, NULL);
}

static hy_status attach_triangles(hy_graph *G, const struct live_terms *t,
                                  hy_live **out)
{
    const hy_triangles_opts opts = { .device = t->device };
    return hy_live_triangles(G, &opts, out);
}

static hy_status compute_triangles(const hy_view *V, const struct live_terms *t,
                                   struct live_fresh *out)
{
    (void)t;
    return hy_triangles(V, NULL, out->values, NULL);
}

static hy_status attach_lcc(hy_graph *G, const struct live_terms *t,
                            hy_live **out)
{
    (void)t;
    return hy_live_lcc(G, out);
}

static hy_status compute_lcc(const hy_view *V, const struct live_terms *t,
                             struct live_fresh *out)
{
    (void)t;
    return hy_lcc(V, NULL, out->values, NULL);
}

static hy_status attach_kcore(hy_graph *G, const struct live_terms *t,
                              hy_live **out)
{
    (void)t;
    return hy_live_kcore(G, out);
}

static hy_status compute_kcore(const hy_view *V, const struct live_terms *t,
                               struct live_fresh *out)
{
    (void)t;
    return hy_kcore(V, NULL, out->values, NULL);
}

static hy_status attach_degrees(hy_graph *G, const struct live_terms *t,
                                hy_live **out)
{
    (void)t;
    return hy_live_degrees(G, out);
}

static hy_status compute_degrees(const hy_view *V, const struct live_terms *t,
                                 struct live_fresh *out)
{
    (void)t;
    uint32_t *const degree = out->values;
    for (hy_vid u = 0; u < hy_view_bound(V); u++)
        degree[u] = hy_view_degree(V, u);
    return HY_OK;
}

/* ---- the table ----------------------------------------------------------- */

#define LIVE_ALL (LIVE_NAME | LIVE_TOP | LIVE_CHANGES)
#define LIVE_INF 0x7ff0000000000000u /* the bits of an infinite double */

const struct live_kind live_kinds[] = {
    { .name = "bfs",
      .help = "hops from a vertex",
      .value = "depth",
      .total = "reached",
      .keys = LIVE_SOURCE | LIVE_ALL,
      .type = HY_U32,
      .has_parents = true,
      .nothing = HY_NONE,
      .on_devices = true,
      .attach = attach_bfs,
      .compute = compute_bfs },
    { .name = "sssp",
      .help = "shortest paths from a vertex, by weight",
      .value = "distance",
      .total = "reached",
      .keys = LIVE_SOURCE | LIVE_WEIGHT | LIVE_DELTA | LIVE_ALL,
      .type = HY_F64,
      .has_parents = true,
      .nothing = LIVE_INF,
      .on_devices = true,
      .attach = attach_sssp,
      .compute = compute_sssp },
    { .name = "pagerank",
      .help = "rank of a random walk",
      .value = "rank",
      .keys = LIVE_TOLERANCE | LIVE_DAMPING | LIVE_ITERATIONS | LIVE_ALL,
      .type = HY_F64,
      .on_devices = true,
      .attach = attach_pagerank,
      .compute = compute_pagerank },
    { .name = "wcc",
      .help = "components, directions left aside",
      .value = "component",
      .total = "components",
      .keys = LIVE_ALL,
      .type = HY_U32,
      .nothing = HY_ANY,
      .on_devices = true,
      .attach = attach_wcc,
      .compute = compute_wcc },
    { .name = "triangles",
      .help = "triangles at each vertex, and in all",
      .value = "triangles",
      .total = "triangles",
      .keys = LIVE_ALL,
      .type = HY_U64,
      .on_devices = true,
      .attach = attach_triangles,
      .compute = compute_triangles },
    { .name = "lcc",
      .help = "local clustering coefficients",
      .value = "coefficient",
      .keys = LIVE_ALL,
      .type = HY_F64,
      .attach = attach_lcc,
      .compute = compute_lcc },
    { .name = "kcore",
      .help = "core numbers",
      .value = "core",
      .total = "max_core",
      .keys = LIVE_ALL,
      .type = HY_U32,
      .nothing = HY_NONE,
      .attach = attach_kcore,
      .compute = compute_kcore },
    { .name = "degrees",
      .help = "out-degrees",
      .value = "degree",
      .keys = LIVE_ALL,
      .type = HY_U32,
      .attach = attach_degrees,
      .compute = compute_degrees },
};

const size_t live_kinds_n = sizeof live_kinds / sizeof *live_kinds;

const struct live_kind *live_kind_find(const char *name, size_t n)
{
    for (size_t i = 0; i < live_kinds_n; i++)
        if (strlen(live_kinds[i].name) == n &&
            !memcmp(live_kinds[i].name, name, n))
            return &live_kinds[i];
    return NULL;
}

const char *live_names_on_devices(void)
{
    static char list[128];
    size_t n = 0;
    for (size_t i = 0; i < live_kinds_n && n < sizeof list; i++)
        if (live_kinds[i].on_devices)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%s",
                                  n ? ", " : "", live_kinds[i].name);
    return list;
}

bool live_kind_is_groups(const struct live_kind *k)
{
    return k->nothing == HY_ANY;
}
