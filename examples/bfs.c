/* A breadth-first search written with operators: depths from vertex 0.
 *
 * A round goes along the edges of a frontier, forwards or backwards; which
 * way, and on how many threads, is hy_advance's business. */
#include <hypha/hypha.h>

#include <stdio.h>
#include <string.h>

enum { N = 1 << 14 };

static void push(void *arg, const hy_span *s, hy_emit *emit)
{
    uint32_t *depth = arg;
    for (uint32_t i = 0; i < s->n; i++) {
        const hy_vid v = s->v[i * s->step];
        if (hy_emit_claim(emit, &depth[v], UINT32_MAX, emit->round))
            hy_emit_put(emit, v);
    }
}

static bool pull(void *d, const hy_span *s, const uint64_t *F, hy_emit *emit)
{
    uint32_t i = 0;
    while (i < s->n && !hy_bit(F, s->v[i * s->step]))
        i++;
    if (i < s->n)
        push(d, &(hy_span){ .v = &s->u, .n = 1, .step = 1 }, emit);
    return i < s->n;
}

static bool is_open(void *depth, hy_vid v)
{
    return ((uint32_t *)depth)[v] == UINT32_MAX;
}

int main(void)
{
    const hy_gen_opts kron = { .kind = HY_GEN_KRON, .n = N, .degree = 8 };
    const hy_program search = { push, pull, is_open, true };
    static uint32_t depth[N];
    hy_ctx *ctx;
    hy_graph *G;
    if (hy_ctx_new(NULL, &ctx) || hy_gen_graph(ctx, &kron, &G))
        return 1;
    const hy_view *V = hy_graph_now(G);
    memset(depth, 0xff, sizeof depth);
    depth[0] = 0;
    bool ok = hy_advance_from(V, 0, &search, depth) == HY_OK &&
              hy_bfs_check(V, NULL, depth, NULL, NULL, NULL);
    printf("%s\n", ok ? "right" : hy_error_text());
    hy_graph_free(G);
    hy_ctx_free(ctx);
    return !ok;
}
