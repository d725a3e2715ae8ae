/* Triangles: for each edge, the common neighbours of its ends. */
#include <hypha/hypha.h>

#include <stdio.h>

static uint64_t count(void *arg, size_t lo, size_t hi)
{
    const hy_view *V = arg;
    uint64_t sum = 0;
    for (hy_vid u = (hy_vid)lo; u < hi; u++)
        hy_for_out_span (s, V, u)
            for (uint32_t i = 0; i < s.n && s.v[i * s.step] < u; i++)
                sum += hy_intersect_count(V, u, s.v[i * s.step]);
    return sum;
}

int main(void)
{
    const hy_gen_opts complete = { .kind = HY_GEN_COMPLETE, .n = 100 };
    hy_ctx *ctx;
    hy_graph *G;
    if (hy_ctx_new(NULL, &ctx) || hy_gen_graph(ctx, &complete, &G))
        return 1;
    const hy_view *V = hy_graph_now(G);
    const uint64_t n = hy_view_bound(V);
    const uint64_t triangles = hy_par_sum(ctx, n, count, (void *)V) / 3;
    printf("%llu triangles\n", (unsigned long long)triangles);
    hy_graph_free(G);
    hy_ctx_free(ctx);
    return triangles != n * (n - 1) * (n - 2) / 6;
}
