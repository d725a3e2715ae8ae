/* Answers that follow a graph: who can reach whom, and over how many hops.
 *
 * Two questions are attached once; every commit moves the graph and both
 * answers together, and each says which vertices' values it moved. */
#include <hypha/hypha.h>

#include <stdio.h>

static void show(const char *what, hy_live *hops, hy_live *groups)
{
    hy_live_info info;
    hy_live_info_get(groups, &info);
    printf("%s: version %llu, %llu components\n", what,
           (unsigned long long)info.version, (unsigned long long)info.total);
    const uint32_t *depth = hy_live_values(hops);
    const hy_vid_list changed = hy_live_changed(hops);
    for (uint64_t i = 0; i < changed.n; i++)
        if (depth[changed.at[i]] == UINT32_MAX)
            printf("  %u is out of reach\n", changed.at[i]);
        else
            printf("  %u is %u hops away\n", changed.at[i],
                   depth[changed.at[i]]);
}

int main(void)
{
    const hy_edge edges[] = { { 0, 1 }, { 1, 2 }, { 3, 4 } };
    const hy_graph_opts opts = { .undirected = true };
    const hy_bfs_opts from_0 = { .source = 0 };
    hy_ctx *ctx = NULL;
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    hy_live *hops = NULL, *groups = NULL;
    if (hy_ctx_new(NULL, &ctx) || hy_graph_new(ctx, &opts, &G) ||
        hy_graph_load_edges(G, 5, 3, edges, NULL) || hy_batch_new(G, &B) ||
        hy_live_bfs(G, &from_0, &hops) || hy_live_wcc(G, NULL, &groups))
        return fprintf(stderr, "%s\n", hy_error_text()), 1;

    if (hy_batch_insert_edge(B, 2, 3, NULL) || hy_graph_commit(G, B, NULL))
        return fprintf(stderr, "%s\n", hy_error_text()), 1;
    show("a bridge", hops, groups);

    hy_batch_clear(B);
    if (hy_batch_delete_edge(B, 0, 1) || hy_batch_insert_edge(B, 0, 4, NULL) ||
        hy_graph_commit(G, B, NULL))
        return fprintf(stderr, "%s\n", hy_error_text()), 1;
    show("another way round", hops, groups);

    const uint32_t *depth = hy_live_values(hops);
    const char *why = "";
    const bool right = depth[1] == 4 && depth[4] == 1 &&
                       hy_live_check(hops, &why) && hy_live_check(groups, &why);
    printf("%s%s\n", right ? "right" : "wrong: ", right ? "" : why);
    hy_live_detach(groups);
    hy_live_detach(hops);
    hy_batch_free(B);
    hy_graph_free(G);
    hy_ctx_free(ctx);
    return !right;
}
