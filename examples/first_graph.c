/* A first graph: load edges, change some, see what changed, walk a view. */
#include <hypha/hypha.h>

#include <stdio.h>

static void show(const hy_view *V)
{
    for (hy_vid u = 0; u < hy_view_bound(V); u++) {
        printf("%u:", u);
        hy_for_out_span (s, V, u)
            for (uint32_t i = 0; i < s.n; i++)
                printf(" %u", s.v[i * s.step]);
        printf("\n");
    }
}

static hy_status change(hy_graph *G, hy_batch *B, hy_delta *delta)
{
    hy_status status = hy_batch_insert_edge(B, 3, 0, NULL);
    if (status == HY_OK)
        status = hy_batch_insert_edge(B, 0, 1, NULL); /* is there: duplicate */
    if (status == HY_OK)
        status = hy_batch_delete_edge(B, 0, 2);
    if (status == HY_OK)
        status = hy_graph_commit(G, B, delta);
    return status;
}

int main(void)
{
    const hy_edge edges[] = { { 0, 1 }, { 0, 2 }, { 1, 2 }, { 2, 3 } };
    hy_ctx *ctx = NULL;
    hy_graph *G = NULL;
    hy_batch *B = NULL;
    const hy_view *before = NULL;
    hy_delta delta = { 0 };

    hy_status status = hy_ctx_new(NULL, &ctx);
    if (status == HY_OK)
        status = hy_graph_new(ctx, NULL, &G);
    if (status == HY_OK)
        status = hy_graph_load_edges(G, 4, 4, edges, NULL);
    if (status == HY_OK)
        status = hy_view_acquire(G, &before); /* stays as it is now */
    if (status == HY_OK)
        status = hy_batch_new(G, &B);
    if (status == HY_OK)
        status = change(G, B, &delta);

    if (status == HY_OK) {
        printf("%llu inserted, %llu deleted, %llu duplicate\n",
               (unsigned long long)delta.counts.inserted,
               (unsigned long long)delta.counts.deleted,
               (unsigned long long)delta.counts.duplicate);
        printf("before:\n");
        show(before);
        printf("now:\n");
        show(hy_graph_now(G));
    } else {
        fprintf(stderr, "%s: %s\n", hy_status_text(status), hy_error_text());
    }
    hy_view_release(before);
    hy_batch_free(B);
    hy_graph_free(G);
    hy_ctx_free(ctx);
    return status == HY_OK ? 0 : 1;
}
