/* Bytes -> an image -> a graph, verified; what opens must check and change.
 *
 *   byte 0      even: the rest is the file
 *               odd: an image is made, and changed as follows
 *   byte 1..2   its options (shape_of)
 *   byte 3      vertices, edges; odd: sums are set right after the changes
 *   then changes of 4 bytes:
 *     0         which part; past the last: head, seal
 *     1..2      where in it
 *     3         what is added to that byte
 */
#include "support/scroll.h"
#include "support/seal.h"
#include "support/trial.h"

#include "store/image.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 4, CHANGE = 4 };

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    (void)fprintf(stderr, "%s: %s\n", what, hy_error_text());
    abort();
}

/* ---- an image, changed --------------------------------------------------- */

static void make_image(hy_ctx *ctx, const uint8_t *data, struct scroll *S)
{
    const uint64_t code = data[1] | (uint64_t)data[2] << 8;
    const hy_graph_opts opts = shape_of(code);
    struct trial T;
    must(trial_init(&T, ctx, &opts, code), "trial_init");
    must(trial_load(&T, (enum trial_start)(data[3] % TRIAL_STARTS),
                    (uint64_t)data[3] / 2, (uint64_t)data[3] * 3),
         "trial_load");
    const struct mix mix = mix_random(T.M, &T.rng);
    must(data[3] % 16 > 7 || trial_step(&T, &mix, 20), "trial_step");
    must(image_write(hy_graph_now(T.G), NULL, 0, scroll_put, S) == HY_OK,
         "image_write");
    trial_fini(&T);
}

static void change_image(struct scroll *S, const uint8_t *data, size_t size)
{
    unsigned char *bytes = scroll_bytes(S);
    for (size_t i = HEAD; i + CHANGE <= size; i += CHANGE)
        image_change(bytes, S->n, data + i);
    if (data[3] % 2)
        image_seal_again(bytes, S->n);
    scroll_set(S, bytes, S->n);
    free(bytes);
}

/* ---- the graph ----------------------------------------------------------- */

/* What was verified behaves. */
static void use(hy_graph *G)
{
    hy_batch *B = NULL;
    const char *why;
    const hy_vid bound = hy_view_bound(hy_graph_now(G));
    must(hy_batch_new(G, &B) == HY_OK, "batch");
    for (hy_vid u = 0; u < bound && u < 64; u++) {
        const uint64_t x = hy_view_external(hy_graph_now(G), u);
        must(u % 3 ? hy_batch_insert_edge(B, x, x, NULL) == HY_OK
                   : hy_batch_delete_vertex(B, x) == HY_OK,
             "line");
    }
    must(hy_graph_commit(G, B, NULL) == HY_OK, "commit");
    must(hy_graph_check(G, &why), "check");
    must(hy_graph_rebalance(G) == HY_OK, "rebalance");
    must(hy_graph_check(G, &why), "check");
    hy_batch_free(B);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hy_ctx_opts ctx_opts = { .threads = 1 };
    const struct image_opts opts = { .verify = true };
    struct image_names names;
    struct scroll S;
    hy_graph *G = NULL;
    hy_ctx *ctx;
    if (size < HEAD)
        return 0;
    must(hy_ctx_new(&ctx_opts, &ctx) == HY_OK, "ctx");
    scroll_init(&S);
    if (data[0] % 2) {
        make_image(ctx, data, &S);
        change_image(&S, data, size);
    } else {
        scroll_set(&S, data + 1, size - 1);
    }
    const hy_status status = image_open(ctx, S.fd, S.n, &opts, &G, &names);
    if (status == HY_OK)
        use(G);
    else
        must(hy_error_text()[0] != 0, "no reason");
    hy_graph_free(G);
    scroll_fini(&S);
    must(hy_ctx_bytes(ctx) == 0, "left");
    hy_ctx_free(ctx);
    return 0;
}
