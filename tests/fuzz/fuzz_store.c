/* Bytes -> options and batches -> commits; graph and model must agree.
 *
 *   byte 0..2      options (shape_of)
 *   byte 3         vertices at the start, kind of load
 *   then lines of 4 bytes:
 *     0  bits 0..2 kind, bit 3 with values, bits 4..7 a seed of the values
 *     1  u
 *     2  v
 *     3  0..7: what ends the batch here, 8..: the batch goes on
 *
 * Ids are below 64, and some of them past the bound.
 */
#include "support/random.h"
#include "support/trial.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 4, LINE = 4, IDS = 64 };

struct pin {
    const hy_view *V;
    struct model *M;
};

static void must(const struct trial *T, bool ok)
{
    if (ok)
        return;
    (void)fprintf(stderr, "%s\n%s\n", T->why.text, shape_text(&T->opts));
    lines_print(&T->lines);
    abort();
}

static struct line decode(const struct trial *T, const uint8_t *at)
{
    static const enum line_kind kinds[8] = {
        LINE_INSERT_EDGE,   LINE_DELETE_EDGE,   LINE_UPDATE_EDGE,
        LINE_INSERT_VERTEX, LINE_DELETE_VERTEX, LINE_INSERT_EDGE,
        LINE_INSERT_EDGE,   LINE_INSERT_VERTEX
    };
    const bool is_any = at[0] % 8 == 7 && !T->M->is_mapped;
    uint64_t rng = at[0] >> 4;
    struct line l = { .kind = kinds[at[0] % 8], .is_valued = at[0] & 8 };
    l.u = is_any ? HY_ANY : external_of(T->M, at[1] % IDS);
    l.v = external_of(T->M, at[2] % IDS);
    l.values =
        layout_random(line_is_edge(&l) ? &T->M->edge : &T->M->vertex, &rng);
    return l;
}

/* Most ids past the bound would fail whole batches: few stay so. */
static void keep_in_range(struct trial *T, struct line *l, uint8_t whim)
{
    if (T->M->is_mapped || !line_is_edge(l) || T->M->bound == 0 || whim > 250)
        return;
    l->u %= T->M->bound;
    l->v %= T->M->bound;
}

static void toggle(struct trial *T, struct pin *p)
{
    if (p->V) {
        must(T, model_compare(p->M, p->V, &T->why));
        hy_view_release(p->V);
        model_free(p->M);
        *p = (struct pin){ 0 };
    } else {
        must(T, hy_view_acquire(T->G, &p->V) == HY_OK);
        p->M = model_copy(T->M);
    }
}

static void end_batch(struct trial *T, struct pin *p, uint8_t how)
{
    lines_tame(&T->lines, T->M);
    must(T, trial_commit(T));
    T->lines.n = 0;
    if (how == 1)
        must(T, trial_rebalance(T));
    else if (how == 2)
        must(T, trial_add_reverse(T));
    else if (how >= 5)
        toggle(T, p);
}

static void run(struct trial *T, const uint8_t *data, size_t size)
{
    struct pin p = { 0 };
    T->lines.n = 0;
    for (; size >= LINE; data += LINE, size -= LINE) {
        struct line l = decode(T, data);
        keep_in_range(T, &l, data[3]);
        lines_add(&T->lines, l);
        if (data[3] < 8)
            end_batch(T, &p, data[3]);
    }
    end_batch(T, &p, 0);
    if (p.V)
        toggle(T, &p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hy_ctx_opts ctx_opts = { .threads = 1 };
    struct trial T;
    hy_ctx *ctx;
    if (size < HEAD)
        return 0;
    if (hy_ctx_new(&ctx_opts, &ctx) != HY_OK)
        abort();
    const uint64_t code =
        data[0] | (uint64_t)data[1] << 8 | (uint64_t)data[2] << 16;
    const hy_graph_opts opts = shape_of(code);
    must(&T, trial_init(&T, ctx, &opts, code));
    must(&T, trial_load(&T, (enum trial_start)(data[3] % TRIAL_STARTS),
                        data[3] / 4, data[3]));
    run(&T, data + HEAD, size - HEAD);
    trial_fini(&T);
    if (hy_ctx_bytes(ctx) != 0)
        abort();
    hy_ctx_free(ctx);
    return 0;
}
