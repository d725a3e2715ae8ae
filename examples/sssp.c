/* Shortest paths written with operators: a frontier of the vertices that came
 * nearer in the last round (Bellman, Ford; Moore). */
#include <hypha/hypha.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct paths {
    const hy_view *V;
    double *dist;
};

static void relax(void *arg, const hy_span *s, hy_emit *emit)
{
    const struct paths *S = arg;
    const double d = hy_emit_peek(emit, &S->dist[s->u]);
    size_t step;
    const char *w = hy_span_column(S->V, s, 0, &step);
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        const int32_t weight = *(const int32_t *)(const void *)(w + i * step);
        if (hy_emit_lower(emit, &S->dist[v], d + weight))
            hy_emit_put(emit, v);
    }
}

static hy_status shortest(const hy_view *V, hy_vid source, double *dist)
{
    const hy_program step = { .push = relax };
    struct paths S = { V, dist };
    for (hy_vid v = 0; v < hy_view_bound(V); v++)
        dist[v] = INFINITY;
    dist[source] = 0;
    return hy_advance_from(V, source, &step, &S);
}

int main(void)
{
    const hy_gen_opts grid = { .kind = HY_GEN_GRID, .rows = 50, .weights = 99 };
    hy_ctx *ctx;
    hy_graph *G;
    if (hy_ctx_new(NULL, &ctx) || hy_gen_graph(ctx, &grid, &G))
        return 1;
    const hy_view *V = hy_graph_now(G);
    double *dist = malloc(hy_view_bound(V) * sizeof *dist);
    bool ok = dist && shortest(V, 0, dist) == HY_OK &&
              hy_sssp_check(V, NULL, dist, NULL, NULL);
    printf("%s\n", ok ? "right" : hy_error_text());
    free(dist);
    hy_graph_free(G);
    hy_ctx_free(ctx);
    return !ok;
}
