/* A step of one's own on a device: in-degrees and sums of weights, counted by
 * a function in OpenCL C.
 *
 * The text is compiled for whatever device is there.  The graph is uploaded
 * once; after a commit only what it touched goes there. */
#include <hypha/hypha.h>

#include <stdio.h>

enum { N = 1 << 12 };

static const char count[] =
    "void count(u32 u, u32 v, f64 w, GLOBAL u32 *degree, GLOBAL u64 *weight)\n"
    "{\n"
    "    ATOMIC_ADD(&degree[v], 1);\n"
    "    ATOMIC_ADD_64(&weight[v], (u64)w);\n"
    "}\n";

int main(void)
{
    const hy_gen_opts kron = { .kind = HY_GEN_KRON, .n = N, .weights = 255 };
    static uint32_t degree[N];
    static uint64_t weight[N];
    const hy_step_arg args[] = { { .type = HY_U32, .n = N, .result = degree },
                                 { .type = HY_U64, .n = N, .result = weight } };
    const hy_step step = { .name = "count",
                           .source = count,
                           .weight = "weight",
                           .args = args,
                           .n_args = 2 };
    hy_device_info infos[2];
    hy_ctx *ctx;
    hy_graph *G;
    hy_device *D;
    uint32_t n;
    if (hy_ctx_new(NULL, &ctx) || hy_gen_graph(ctx, &kron, &G) ||
        hy_devices(ctx, 2, infos, &n))
        return 1;
    const hy_view *V = hy_graph_now(G);
    bool ok = n < 2; /* no device but the host: nothing to show */
    if (n >= 2 && !hy_device_open(ctx, "1", NULL, &D)) {
        uint64_t sum = 0;
        ok = hy_device_run(D, V, &step) == HY_OK;
        for (hy_vid u = 0; u < N; u++)
            sum += degree[u];
        ok = ok && sum == hy_view_arcs(V);
        hy_device_close(D);
    }
    printf("%s\n", ok ? "right" : hy_error_text());
    hy_graph_free(G);
    hy_ctx_free(ctx);
    return !ok;
}
