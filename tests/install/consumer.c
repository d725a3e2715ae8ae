/* The smallest user of an installed hypha. */
#include <hypha/hypha.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    char built_with[32];
    (void)snprintf(built_with, sizeof built_with, "%d.%d.%d", HY_VERSION_MAJOR,
                   HY_VERSION_MINOR, HY_VERSION_PATCH);
    if (strcmp(built_with, hy_version()) != 0)
        return 1;

    hy_ctx *ctx = NULL;
    hy_graph *G = NULL;
    const hy_edge edges[] = { { 0, 1 }, { 1, 2 } };
    hy_status status = hy_ctx_new(NULL, &ctx);
    if (status == HY_OK)
        status = hy_graph_new(ctx, NULL, &G);
    if (status == HY_OK)
        status = hy_graph_load_edges(G, 3, 2, edges, NULL);
    if (status == HY_OK && hy_view_edges(hy_graph_now(G)) != 2)
        status = HY_EBUG;
    hy_graph_free(G);
    hy_ctx_free(ctx);
    return status == HY_OK ? 0 : 1;
}
