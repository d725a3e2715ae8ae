/* A search by levels on a device, with a step of one's own: depths are an
 * array on both sides, which stays on the device until it is read. */
#include <hypha/hypha.h>

#include <stdio.h>
#include <string.h>

enum { N = 1 << 12 };

static const char reach[] =
    "int reach(u32 u, u32 v, f64 w, GLOBAL u32 *depth, u32 d)\n"
    "{\n"
    "    return ATOMIC_CAS(&depth[v], 0xffffffffu, d) == 0xffffffffu;\n"
    "}\n";

/* Levels from vertex 0; depth is 0xffffffff but there. */
static bool search(hy_device *D, const hy_view *V, hy_array *depth)
{
    static hy_vid F[N];
    uint64_t n = 1;
    for (uint32_t d = 1; n; d++) {
        const hy_step_arg args[] = { { .array = depth },
                                     { .type = HY_U32, .input = &d } };
        const hy_step step = { .name = "reach",
                               .source = reach,
                               .over = HY_STEP_ADVANCE,
                               .args = args,
                               .n_args = 2,
                               .from = F,
                               .n_from = n,
                               .to = F,
                               .n_to = &n };
        if (hy_device_run(D, V, &step))
            return false;
    }
    return true;
}

static bool show(hy_device *D, const hy_view *V)
{
    static uint32_t right[N];
    hy_array *A;
    void *here;
    const void *found;
    if (hy_bfs(V, NULL, right, NULL, NULL) || hy_array_new(D, HY_U32, N, &A) ||
        hy_array_write(A, 0, N, &here))
        return false;
    memset(here, 0xff, N * sizeof *right);
    *(uint32_t *)here = 0;
    const bool ok = search(D, V, A) && hy_array_read(A, &found) == HY_OK &&
                    memcmp(found, right, sizeof right) == 0;
    hy_array_free(A);
    return ok;
}

int main(void)
{
    const hy_gen_opts kron = { .kind = HY_GEN_KRON, .n = N };
    hy_ctx *ctx;
    hy_graph *G;
    hy_device *D;
    uint32_t n;
    if (hy_ctx_new(NULL, &ctx) || hy_gen_graph(ctx, &kron, &G) ||
        hy_devices(ctx, 0, NULL, &n))
        return 1;
    bool ok = n < 2; /* no device but the host: nothing to show */
    if (n >= 2 && !hy_device_open(ctx, "1", NULL, &D)) {
        ok = show(D, hy_graph_now(G));
        hy_device_close(D);
    }
    printf("%s\n", ok ? "right" : hy_error_text());
    hy_graph_free(G);
    hy_ctx_free(ctx);
    return !ok;
}
