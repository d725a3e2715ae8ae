#include "support/generate.h"

#include "support/random.h"

#include <string.h>

uint64_t external_of(const struct model *M, uint64_t k)
{
    /* Every other id is far away, and no two are the same. */
    if (M->is_mapped && k % 2)
        return (k + 1) * 0x9e3779b97f4a7c15u;
    return k;
}

static enum line_kind draw_kind(const struct mix *mix, uint64_t *rng)
{
    uint64_t total = 0;
    for (int k = 0; k < LINE_KINDS; k++)
        total += mix->kinds[k];
    uint64_t at = rng_below(rng, total);
    for (int k = 0; k < LINE_KINDS; k++) {
        if (at < mix->kinds[k])
            return (enum line_kind)k;
        at -= mix->kinds[k];
    }
    return LINE_INSERT_EDGE;
}

static uint64_t draw_id(const struct model *M, const struct mix *mix,
                        uint64_t *rng)
{
    if (rng_below(rng, 1000) < mix->past)
        return external_of(M, mix->ids + rng_below(rng, 4));
    return external_of(M, rng_below(rng, mix->ids));
}

/* Of a vertex to be inserted: now and then past the last one. */
static uint64_t draw_new_id(const struct model *M, const struct mix *mix,
                            uint64_t *rng)
{
    if (rng_chance(rng, 30))
        return external_of(M, mix->ids + rng_below(rng, 8));
    return draw_id(M, mix, rng);
}

/* The bound of ids after D, if it is committed and nothing is HY_ANY. */
static uint64_t bound_after(const struct lines *D, const struct model *M,
                            uint64_t bound)
{
    const struct line *last = D->n ? &D->at[D->n - 1] : NULL;
    if (!M->is_mapped && last && last->kind == LINE_INSERT_VERTEX &&
        last->u != HY_ANY && last->u >= bound)
        return last->u + 1;
    return bound;
}

static void draw_edge(struct line *l, const struct lines *D,
                      const struct model *M, const struct mix *mix,
                      uint64_t *rng)
{
    l->u = draw_id(M, mix, rng);
    l->v = draw_id(M, mix, rng);
    if (!M->is_mapped && rng_chance(rng, 5))
        l->v = mix->ids - 1; /* what came last */
    if (mix->hubs && rng_chance(rng, mix->at_hub))
        l->u = external_of(M, rng_below(rng, mix->hubs));
    if (D->n && rng_chance(rng, mix->repeat)) {
        const uint64_t back = rng_below(rng, D->n < 8 ? D->n : 8);
        const struct line *last = &D->at[D->n - 1 - back];
        if (line_is_edge(last)) {
            l->u = last->u;
            l->v = last->v;
        }
    }
    if (rng_chance(rng, 50) && M->is_undirected) {
        const uint64_t u = l->u;
        l->u = l->v;
        l->v = u;
    }
}

static struct line draw_line(const struct lines *D, const struct model *M,
                             const struct mix *mix, uint64_t *rng)
{
    struct line l = { .kind = draw_kind(mix, rng) };
    const bool is_edge = line_is_edge(&l);
    l.is_valued = rng_chance(rng, 60);
    l.values = layout_random(is_edge ? &M->edge : &M->vertex, rng);
    if (is_edge)
        draw_edge(&l, D, M, mix, rng);
    else if (l.kind == LINE_INSERT_VERTEX)
        l.u = draw_new_id(M, mix, rng);
    else
        l.u = draw_id(M, mix, rng);
    if (l.kind == LINE_INSERT_VERTEX && !M->is_mapped &&
        rng_chance(rng, mix->any))
        l.u = HY_ANY;
    return l;
}

/* ---- HY_ANY ----------------------------------------------------------- */

static bool has_line(const struct lines *D, enum line_kind kind, uint64_t u)
{
    for (size_t i = 0; i < D->n; i++)
        if (D->at[i].kind == kind && D->at[i].u == u)
            return true;
    return false;
}

static bool is_tame(struct line *l, const struct lines *kept,
                    const struct model *M)
{
    if (l->kind == LINE_INSERT_VERTEX)
        return l->u == HY_ANY && !has_line(kept, LINE_INSERT_VERTEX, HY_ANY);
    if (l->kind == LINE_DELETE_VERTEX)
        return model_find(M, l->u) != HY_NONE &&
               !has_line(kept, LINE_DELETE_VERTEX, l->u);
    if (M->bound == 0)
        return false;
    l->u %= M->bound;
    l->v %= M->bound;
    return true;
}

void lines_tame(struct lines *D, const struct model *M)
{
    struct lines kept = { .at = D->at };
    if (!has_line(D, LINE_INSERT_VERTEX, HY_ANY))
        return;
    for (size_t i = 0; i < D->n; i++) {
        struct line l = D->at[i];
        if (is_tame(&l, &kept, M))
            kept.at[kept.n++] = l;
    }
    D->n = kept.n;
}

/* ---- all of it -------------------------------------------------------- */

void generate(struct lines *D, const struct model *M, const struct mix *mix,
              size_t n, uint64_t *rng)
{
    struct mix now = *mix;
    const bool is_whole = !M->is_mapped && mix->ids >= M->bound;
    for (size_t i = 0; i < n; i++) {
        if (now.ids == 0) /* nothing else can be said */
            lines_vertex(D, LINE_INSERT_VERTEX, rng_below(rng, 4));
        else
            lines_add(D, draw_line(D, M, &now, rng));
        if (is_whole)
            now.ids = bound_after(D, M, now.ids);
    }
    lines_tame(D, M);
}

struct mix mix_random(const struct model *M, uint64_t *rng)
{
    struct mix mix = { .ids = rng_range(rng, 1, 40), .repeat = 20 };
    if (!M->is_mapped && mix.ids > M->bound)
        mix.ids = M->bound;
    mix.hubs = rng_below(rng, mix.ids < 3 ? mix.ids + 1 : 3);
    mix.at_hub = (unsigned)rng_below(rng, 80);
    mix.past = rng_chance(rng, 10) ? 20 : 0;
    mix.kinds[LINE_INSERT_EDGE] = 10 + (unsigned)rng_below(rng, 60);
    mix.kinds[LINE_DELETE_EDGE] = (unsigned)rng_below(rng, 50);
    mix.kinds[LINE_UPDATE_EDGE] = (unsigned)rng_below(rng, 20);
    if (rng_chance(rng, 50)) {
        mix.kinds[LINE_INSERT_VERTEX] = (unsigned)rng_below(rng, 20);
        mix.kinds[LINE_DELETE_VERTEX] = (unsigned)rng_below(rng, 10);
    }
    /* HY_ANY makes a batch tame, so most have none. */
    mix.any = rng_chance(rng, 20) ? 50 : 0;
    return mix;
}

void mix_one_kind(struct mix *mix, uint64_t *rng)
{
    const enum line_kind kind =
        rng_chance(rng, 60) ? LINE_INSERT_EDGE : LINE_DELETE_EDGE;
    memset(mix->kinds, 0, sizeof mix->kinds);
    mix->kinds[kind] = 1;
    mix->past = mix->any = 0;
}
