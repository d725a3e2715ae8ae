/* Any bytes as a file of any format: an error with a reason, or a graph that
 * is sound; the same one on small windows and chunks.
 *
 *   byte 0      the format
 *   byte 1      options
 *   the rest    the file
 */
#include "support/reading.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 2, MOST = 1 << 26 };

static hy_read_opts options(const uint8_t *head)
{
    return (hy_read_opts){ .format = (hy_format)(head[0] % HY_FORMATS),
                           .sense = (hy_sense)(head[1] % 3),
                           .id_kind = (hy_id_kind)(head[1] / 4 % 3),
                           .weighting = (hy_weighting)(head[1] / 16 % 3),
                           .growing = head[1] & 64,
                           .skip_bad = head[1] & 128,
                           .reverse = head[0] & 64,
                           .verify = true,
                           .memory = MOST };
}

static void must(bool ok)
{
    if (!ok)
        abort();
}

static bool is_format(const struct reading *R)
{
    return R->status == HY_EFORMAT && R->diag.text[0];
}

/* The same text again, cut otherwise. */
static void compare(hy_ctx *ctx, const struct reading *A, const uint8_t *data,
                    size_t size, const hy_read_opts *opts)
{
    struct reading B = reading_of(ctx, "fuzz", (const char *)data, size, opts,
                                  64, 1 + size / 3);
    must(A->status == B.status || A->status == HY_EFULL ||
         B.status == HY_EFULL);
    if (A->status == HY_OK && B.status == HY_OK) {
        char *const a = reading_text(A->G, A->names);
        char *const b = reading_text(B.G, B.names);
        must(strcmp(a, b) == 0);
        must(A->info.bad == B.info.bad);
        free(a);
        free(b);
    } else if (is_format(A) && is_format(&B) && A->diag.line && B.diag.line) {
        /* Damage of packed data has no line, and is met window by window:
         * before a bad line or after it. */
        must(A->diag.line == B.diag.line);
    }
    reading_fini(&B);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD)
        return 0;
    const hy_ctx_opts ctx_opts = { .threads = 1 };
    const hy_read_opts opts = options(data);
    hy_ctx *ctx;
    must(hy_ctx_new(&ctx_opts, &ctx) == HY_OK);
    struct reading R = reading_of(ctx, "fuzz", (const char *)data + HEAD,
                                  size - HEAD, &opts, 0, 0);
    must(R.status == HY_OK || R.status == HY_EFULL || is_format(&R) ||
         R.status == HY_ENOTSUP || R.status == HY_EIO);
    if (R.status == HY_OK) {
        const char *why;
        must(hy_graph_check(R.G, &why));
        must(hy_view_edges(hy_graph_now(R.G)) + R.info.repeats == R.info.lines);
    }
    /* Where a head ends is seen within a window: 64 bytes are too few for
     * the tables of CSV. */
    if (opts.format != HY_FORMAT_CSV && opts.format != HY_FORMAT_TSV &&
        opts.format != HY_FORMAT_AUTO && opts.format != HY_FORMAT_HYG)
        compare(ctx, &R, data + HEAD, size - HEAD, &opts);
    reading_fini(&R);
    must(hy_ctx_bytes(ctx) == 0);
    hy_ctx_free(ctx);
    return 0;
}
