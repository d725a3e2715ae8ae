#include "line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void lines_add(struct lines *D, struct line line)
{
    if (D->n == D->room) {
        D->room = D->room ? 2 * D->room : 64;
        D->at = realloc(D->at, D->room * sizeof *D->at);
        if (!D->at)
            abort();
    }
    D->at[D->n++] = line;
}

void lines_edge(struct lines *D, enum line_kind kind, uint64_t u, uint64_t v)
{
    lines_add(D, (struct line){ .kind = kind, .u = u, .v = v });
}

void lines_vertex(struct lines *D, enum line_kind kind, uint64_t u)
{
    lines_add(D, (struct line){ .kind = kind, .u = u });
}

void lines_fini(struct lines *D)
{
    free(D->at);
    *D = (struct lines){ 0 };
}

hy_status line_put(const struct line *l, hy_batch *B)
{
    const void *values = l->is_valued ? l->values.at : NULL;
    switch (l->kind) {
    case LINE_INSERT_EDGE:
        return hy_batch_insert_edge(B, l->u, l->v, values);
    case LINE_DELETE_EDGE:
        return hy_batch_delete_edge(B, l->u, l->v);
    case LINE_UPDATE_EDGE: /* its values are never NULL */
        return hy_batch_update_edge(B, l->u, l->v, l->values.at);
    case LINE_INSERT_VERTEX:
        return hy_batch_insert_vertex(B, l->u, values);
    case LINE_DELETE_VERTEX:
        return hy_batch_delete_vertex(B, l->u);
    case LINE_KINDS:
        break;
    }
    return HY_EINVAL;
}

hy_status lines_put(const struct lines *D, hy_batch *B)
{
    for (size_t i = 0; i < D->n; i++) {
        const hy_status status = line_put(&D->at[i], B);
        if (status != HY_OK)
            return status;
    }
    return HY_OK;
}

/* A line other than those of HY_ANY that inserts (or deletes) u. */
static bool is_named(const struct lines *D, enum line_kind kind, uint64_t u)
{
    for (size_t i = 0; i < D->n; i++)
        if (D->at[i].kind == kind && D->at[i].u == u)
            return true;
    return false;
}

static bool give_next(struct lines *D, size_t *next, hy_vid u)
{
    while (*next < D->n && !line_is_any(&D->at[*next]))
        ++*next;
    if (*next == D->n)
        return false;
    D->at[(*next)++].any = u;
    return true;
}

static size_t count_any(const struct lines *D)
{
    size_t n = 0;
    for (size_t i = 0; i < D->n; i++)
        n += line_is_any(&D->at[i]);
    return n;
}

static bool learn_new(struct lines *D, const hy_delta *delta, size_t *next)
{
    const hy_vid_list *came = &delta->vertices_inserted;
    for (uint64_t i = 0; i < came->n; i++)
        if (!is_named(D, LINE_INSERT_VERTEX, came->at[i]) &&
            !give_next(D, next, came->at[i]))
            return false;
    return true;
}

static bool learn_reused(struct lines *D, const hy_view *V, size_t *next)
{
    for (size_t i = 0; i < D->n; i++) {
        const struct line *l = &D->at[i];
        if (l->kind == LINE_DELETE_VERTEX && l->u < HY_NONE &&
            hy_view_has_vertex(V, (hy_vid)l->u) &&
            !is_named(D, LINE_INSERT_VERTEX, l->u) &&
            !give_next(D, next, (hy_vid)l->u))
            return false;
    }
    return true;
}

bool lines_learn(struct lines *D, const hy_delta *delta, const hy_view *V)
{
    size_t next = 0;
    if (count_any(D) == 0)
        return true;
    if (!learn_new(D, delta, &next) || !learn_reused(D, V, &next))
        return false;
    while (next < D->n && !line_is_any(&D->at[next]))
        next++;
    return next == D->n;
}

void lines_print(const struct lines *D)
{
    static const char *const names[LINE_KINDS] = { "insert edge", "delete edge",
                                                   "update edge",
                                                   "insert vertex",
                                                   "delete vertex" };
    for (size_t i = 0; i < D->n; i++) {
        const struct line *l = &D->at[i];
        (void)fprintf(stderr, "  %zu: %s %" PRIu64, i, names[l->kind], l->u);
        if (line_is_edge(l))
            (void)fprintf(stderr, " %" PRIu64, l->v);
        if (line_is_any(l))
            (void)fprintf(stderr, " (any: %" PRIu32 ")", l->any);
        (void)fprintf(stderr, "%s\n", l->is_valued ? " with values" : "");
    }
}
