/* Answers kept on a device: after a commit what it touched is sent there, and
 * not the graph. */
#include <hypha/hypha.h>

#include <stdio.h>

enum { N = 10000 };

/* A ring of N vertices. */
static bool make_ring(hy_graph *G)
{
    static hy_edge edges[N];
    for (hy_vid u = 0; u < N; u++)
        edges[u] = (hy_edge){ u, (u + 1) % N };
    return hy_graph_load_edges(G, N, N, edges, NULL) == HY_OK;
}

static void show(const char *what, const hy_live *parts, const hy_device *D)
{
    hy_live_info info;
    hy_device_stats stats;
    hy_live_info_get(parts, &info);
    hy_device_stats_get(D, &stats);
    printf("%s: %llu parts (%s), %s\n", what, (unsigned long long)info.total,
           info.why, stats.whole == 1 ? "sent once" : "sent more than once");
}

int main(void)
{
    const hy_graph_opts opts = { .undirected = true };
    hy_ctx *ctx = NULL;
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    hy_device *D = NULL;
    hy_live *parts = NULL;
    if (hy_ctx_new(NULL, &ctx) || hy_graph_new(ctx, &opts, &G) ||
        !make_ring(G) || hy_batch_new(G, &B) ||
        hy_device_open(ctx, "auto", NULL, &D) ||
        hy_live_wcc(G, &(hy_wcc_opts){ .device = D }, &parts))
        return fprintf(stderr, "%s\n", hy_error_text()), 1;

    if (hy_batch_delete_edge(B, 0, 1) || hy_batch_delete_edge(B, 5, 6) ||
        hy_graph_commit(G, B, NULL))
        return fprintf(stderr, "%s\n", hy_error_text()), 1;
    show("two cuts", parts, D);

    hy_batch_clear(B);
    if (hy_batch_insert_edge(B, 3, 5000, NULL) || hy_graph_commit(G, B, NULL))
        return fprintf(stderr, "%s\n", hy_error_text()), 1;
    show("a bridge", parts, D);

    const char *why = "";
    const bool right = hy_live_check(parts, &why);
    printf("%s%s\n", right ? "right" : "wrong: ", right ? "" : why);
    hy_live_detach(parts); /* before its device */
    hy_device_close(D);
    hy_batch_free(B);
    hy_graph_free(G);
    hy_ctx_free(ctx);
    return !right;
}
