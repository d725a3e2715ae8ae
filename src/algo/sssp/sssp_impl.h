/* Shortest paths: what its files share. */
#ifndef ALGO_SSSP_IMPL_H
#define ALGO_SSSP_IMPL_H

#include "algo/common/weights.h"

#include "base/atomic.h"

#include "device/device.h"

#include "par/par.h"

#include <hypha/live.h>
#include <hypha/sssp.h>

enum {
    SSSP_BINS = 1024,
    SSSP_WORDS = 126, /* of a chunk, which is a KiB then */
};

/* Part of a bin: entries of one word, distance << 32 | vertex, or of two, the
 * bits of an f64 and the vertex. */
struct sssp_chunk {
    struct sssp_chunk *next;
    uint32_t n; /* words */
    uint64_t word[SSSP_WORDS];
};

struct sssp_list {
    struct sssp_chunk *head;
    uint32_t n; /* chunks */
};

/* What one worker found.  Bucket b of the window is bin b % SSSP_BINS; what
 * lies beyond the window is in `far`. */
struct sssp_bins {
    struct sssp_list bin[SSSP_BINS];
    uint64_t filled[SSSP_BINS / 64]; /* which bins have chunks */
    struct sssp_list far;
    /* Which chunks of S->turn it brought: its own to settle first. */
    _Atomic size_t next; /* relaxed: deals them out */
    size_t end;
    struct sssp_chunk *spare;  /* chunks to be used again */
    struct sssp_slab *slabs;   /* owned: all memory of chunks */
    struct sssp_chunk discard; /* is written to when there is no memory */
    bool has_failed;           /* there was none */
    bool is_odd; /* met a weight or distance that needs a second look */
};

/* Distances are u32 if weights are integers (narrow), else f64 (wide); those
 * of f64 are compared as their bits, which for numbers >= 0 is the same. */
struct sssp {
    hy_ctx *ctx;
    const hy_view *V;
    struct algo_weights W;
    bool is_wide;
    uint32_t *near;  /* narrow distances; owned */
    uint64_t *wide;  /* wide ones: the caller's array */
    uint64_t bucket; /* the current one, first of the window */
    unsigned shift;  /* narrow: log2 of delta */
    double delta, inverse;
    uint64_t rounds;
    /* chunks of the current bucket, dealt out to the workers */
    struct sssp_chunk **turn; /* owned */
    size_t n_turn, turn_room;
    uint32_t n_bins;
    struct sssp_bins *bins; /* owned: one for each worker */
    struct sssp_kept *kept; /* on a device: where distances stay; or NULL */
};

#define SSSP_NEAR_NONE UINT32_MAX

/* Distances and parents that stay on a device; they have any contents after a
 * failure. */
struct sssp_kept {
    struct device_buf *dist, *parent;
    hy_vid n;      /* ids that they are of */
    bool is_wide;  /* the distances */
    bool has_flat; /* some hang by steps that add nothing */
};

/* Delta-stepping from the source.  All distances are set before.
 * HY_ENOMEM.  Some bins are odd afterwards: distances may be wrong. */
HY_CHECKED hy_status sssp_step(struct sssp *S, hy_vid source);

/* How many steps at the end of each path add nothing. */
struct sssp_ranks {
    uint32_t *at; /* written if, and only if, there are such steps */
    bool has_any;
};

/* hy_sssp; `ranks` is left as it is on failure. */
HY_CHECKED hy_status sssp_solve(const hy_view *V, const hy_sssp_opts *opts,
                                double *dist, hy_vid *parent,
                                struct sssp_ranks *ranks, hy_sssp_info *info);

/* Chooses delta, or takes what was asked for (not 0). */
void sssp_choose_delta(struct sssp *S, double asked);

/* sssp_solve on opts->device; W of S is prepared. */
HY_CHECKED hy_status sssp_on_device(struct sssp *S, const hy_sssp_opts *opts,
                                    double *dist, hy_vid *parent,
                                    struct sssp_ranks *ranks,
                                    hy_sssp_info *info);

/* hy_sssp on opts->device; the distances stay there. */
HY_CHECKED hy_status sssp_keep(const hy_view *V, const hy_sssp_opts *opts,
                               struct sssp_kept *kept, double *dist,
                               hy_vid *parent, hy_sssp_info *info);

/* Distances and parents after a commit that made no path longer, from those
 * kept of the version before.  `values` are f64, or u32 if all weights are 1
 * and hops are asked for (W.column = HY_NONE, is_hops).  V and W of S are set,
 * and kept.  HY_ENOTSUP: sums do not fit the distances that are kept. */
HY_CHECKED hy_status sssp_repair(struct sssp *S, const hy_sssp_opts *opts,
                                 const hy_delta *delta, bool is_hops,
                                 void *values, hy_vid *parent,
                                 uint64_t *reached);

/* Parents from distances; see hypha/sssp.h.  `ranks` may be NULL.
 * HY_ENOMEM. */
HY_CHECKED hy_status sssp_tree(const struct algo_weights *W, hy_vid source,
                               const double *dist, hy_vid *parent,
                               struct sssp_ranks *ranks);

/* ---- bins (sssp_bins.c) -------------------------------------------------- */

HY_CHECKED hy_status sssp_bins_init(struct sssp *S);
void sssp_bins_fini(struct sssp *S);

/* Gives the list a chunk with room; if there is no memory, one whose contents
 * are lost. */
struct sssp_chunk *sssp_bins_grow(hy_ctx *ctx, struct sssp_bins *B,
                                  struct sssp_list *L);

/* Makes the first bucket that has entries the current one, and hands its
 * chunks out.  False: there is none. */
bool sssp_bins_next(struct sssp *S);

HY_INLINE double sssp_real(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

HY_INLINE uint64_t sssp_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* The bucket of a distance: monotone, whatever delta is. */
HY_INLINE uint64_t sssp_bucket(const struct sssp *S, bool is_wide, uint64_t d)
{
    const double most = 0x1p62;
    if (!is_wide)
        return d >> S->shift;
    const double x = sssp_real(d) * S->inverse;
    return (uint64_t)(x < most ? x : most);
}

HY_INLINE void sssp_push(const struct sssp *S, struct sssp_bins *B,
                         bool is_wide, uint64_t d, hy_vid v)
{
    const uint64_t bucket = sssp_bucket(S, is_wide, d);
    struct sssp_list *const L =
        bucket - S->bucket < SSSP_BINS ? &B->bin[bucket % SSSP_BINS] : &B->far;
    struct sssp_chunk *c = L->head;
    if (HY_UNLIKELY(!c || c->n == SSSP_WORDS))
        c = sssp_bins_grow(S->ctx, B, L);
    if (is_wide) {
        c->word[c->n++] = d;
        c->word[c->n++] = v;
    } else {
        c->word[c->n++] = d << 32 | v;
    }
}

/* Entry i of a chunk, i counted in words. */
HY_INLINE hy_vid sssp_entry(const struct sssp_chunk *c, bool is_wide,
                            uint32_t i, uint64_t *d)
{
    *d = is_wide ? c->word[i] : c->word[i] >> 32;
    return (hy_vid)c->word[is_wide ? i + 1 : i];
}

HY_INLINE uint64_t sssp_now(const struct sssp *S, bool is_wide, hy_vid v)
{
    return is_wide ? __atomic_load_n(&S->wide[v], __ATOMIC_RELAXED)
                   : __atomic_load_n(&S->near[v], __ATOMIC_RELAXED);
}

/* Refuses (HY_EINVAL) a batch with a weight that is negative or not finite. */
HY_CHECKED hy_status sssp_judge(const struct algo_weights *W, const hy_graph *G,
                                const hy_batch *batch);

/* hy_live_sssp on opts->device. */
HY_CHECKED hy_status sssp_live_on_device(hy_graph *G, const hy_sssp_opts *opts,
                                         hy_live **out);

#endif
