/* Text of kernels, written from what a step goes over:
 *
 *   EDGES, VERTICES    `grain` vertices for each item
 *   FILTER             `grain` entries of the list
 *   EDGES_BALANCED,    `grain` edges of the list, numbered by `offset`
 *   ADVANCE
 *   INTERSECT          `grain` pairs of the list; the neighbours of the end
 *                      that has fewer are looked for among the other's
 */
#include "device/step_text.h"

#include <stdio.h>
#include <string.h>

enum { MORE = 4096 };

struct text {
    char *at;
    size_t n, room;
};

static void add(struct text *T, const char *more)
{
    const size_t n = strlen(more);
    if (T->n + n < T->room)
        memcpy(T->at + T->n, more, n + 1);
    T->n += n;
}

/* ---- arguments ----------------------------------------------------------- */

static const char *type_text(hy_type type)
{
    static const char *const names[] = { "u8",  "u16", "u32", "u64",
                                         "i32", "i64", "f32", "f64" };
    return names[type];
}

static void add_arg(struct text *T, const hy_step_arg *arg, uint32_t i,
                    bool declares)
{
    const bool is_array = arg->n || arg->array;
    char name[24];
    (void)snprintf(name, sizeof name, "step_a%u", (unsigned)i);
    add(T, ", ");
    if (declares && is_array)
        add(T, "GLOBAL ");
    if (declares)
        add(T, type_text(arg->type));
    if (declares)
        add(T, is_array ? " *" : " ");
    add(T, name);
}

static void add_args(struct text *T, const hy_step *S, bool declares)
{
    for (uint32_t i = 0; i < S->n_args; i++)
        add_arg(T, &S->args[i], i, declares);
}

static bool finds(const hy_step *S)
{
    return S->over == HY_STEP_ADVANCE || S->over == HY_STEP_FILTER;
}

/* What the kernel calls: around the step, whose name may be that of anything
 * in the kernel. */
static void add_wrapper(struct text *T, const hy_step *S)
{
    static const char *const heads[][2] = {
        [HY_STEP_EDGES] = { "u32 step_u, u32 step_v, f64 step_w",
                            "step_u, step_v, step_w" },
        [HY_STEP_VERTICES] = { "u32 step_u", "step_u" },
        [HY_STEP_EDGES_BALANCED] = { "u32 step_u, u32 step_v, f64 step_w",
                                     "step_u, step_v, step_w" },
        [HY_STEP_ADVANCE] = { "u32 step_u, u32 step_v, f64 step_w",
                              "step_u, step_v, step_w" },
        [HY_STEP_FILTER] = { "u32 step_u", "step_u" },
        [HY_STEP_INTERSECT] = { "u32 step_u, u32 step_v, u32 step_x",
                                "step_u, step_v, step_x" },
    };
    add(T, finds(S) ? "\nINLINE int step_call(" : "\nINLINE void step_call(");
    add(T, heads[S->over][0]);
    add_args(T, S, true);
    add(T, finds(S) ? ")\n{\n    return " : ")\n{\n    ");
    add(T, S->name);
    add(T, "(");
    add(T, heads[S->over][1]);
    add_args(T, S, false);
    add(T, ");\n}\n");
}

static void add_call(struct text *T, const hy_step *S, const char *first)
{
    add(T, "step_call(");
    add(T, first);
    add_args(T, S, false);
    add(T, ")");
}

/* ---- loops --------------------------------------------------------------- */

static void add_share(struct text *T)
{
    add(T, "    const u64 lo = (u64)ITEM * grain;\n"
           "    const u64 hi = lo + grain < n ? lo + grain : n;\n");
}

static void add_vertices(struct text *T, const hy_step *S)
{
    add_share(T);
    add(T, "    for (u64 u = lo; u < hi; u++)\n"
           "        if (is_alive(&g, (u32)u))\n"
           "            ");
    add_call(T, S, "(u32)u");
    add(T, ";\n");
}

static void add_edges(struct text *T, const hy_step *S)
{
    add_share(T);
    add(T, "    for (u64 u = lo; u < hi; u++)\n"
           "        FOR_SPANS (s, &g, g.out, (u32)u) {\n"
           "            GLOBAL const u8 *const w = weights_of(&g, &s);\n"
           "            for (u32 i = 0; i < s.n; i++)\n"
           "                ");
    add_call(T, S, "(u32)u, s.v[i * g.step], weight_at(&g, w, i)");
    add(T, ";\n        }\n");
}

static void add_cut(struct text *T, const hy_step *S)
{
    const bool is_finding = finds(S);
    add(T, "    struct cut c = cut_first(offset, n, ITEM, grain);\n"
           "    while (cut_next(&g, g.out, list, offset, &c)) {\n"
           "        GLOBAL const u8 *const w = weights_of(&g, &c.s);\n"
           "        for (u32 i = c.lo; i < c.hi; i++) {\n"
           "            const u32 v = c.s.v[i * g.step];\n"
           "            ");
    add(T, is_finding ? "if (" : "");
    add_call(T, S, "c.u, v, weight_at(&g, w, i)");
    add(T, is_finding ? " && claim_bit(mark, v))\n"
                        "                found_put(&f, v, to, count)"
                      : "");
    add(T, ";\n        }\n    }\n");
}

static void add_filter(struct text *T, const hy_step *S)
{
    add_share(T);
    add(T, "    for (u64 i = lo; i < hi; i++) {\n"
           "        const u32 u = list[i];\n"
           "        if (is_alive(&g, u) && ");
    add_call(T, S, "u");
    add(T, " && claim_bit(mark, u))\n"
           "            found_put(&f, u, to, count);\n"
           "    }\n");
}

static void add_intersect(struct text *T, const hy_step *S)
{
    add_share(T);
    add(T, "    for (u64 i = lo; i < hi; i++) {\n"
           "        const u32 u = list[2 * i], v = list[2 * i + 1];\n"
           "        const int less = degree_of(&g, g.out, u) <\n"
           "                         degree_of(&g, g.out, v);\n"
           "        const u32 a = less ? u : v, b = less ? v : u;\n"
           "        FOR_SPANS (s, &g, g.out, a)\n"
           "            for (u32 k = 0; k < s.n; k++)\n"
           "                if (has_edge(&g, g.out, b, s.v[k * g.step]))\n"
           "                    ");
    add_call(T, S, "u, v, s.v[k * g.step]");
    add(T, ";\n    }\n");
}

/* ---- the kernel ---------------------------------------------------------- */

static void add_kernel(struct text *T, const hy_step *S)
{
    static void (*const loops[])(struct text *, const hy_step *) = {
        [HY_STEP_EDGES] = add_edges,        [HY_STEP_VERTICES] = add_vertices,
        [HY_STEP_EDGES_BALANCED] = add_cut, [HY_STEP_ADVANCE] = add_cut,
        [HY_STEP_FILTER] = add_filter,      [HY_STEP_INTERSECT] = add_intersect,
    };
    add(T, S->source);
    add_wrapper(T, S);
    add(T, "__kernel void step_over(GLOBAL const u32 *dir, "
           "GLOBAL const u64 *pages, GLOBAL const u32 *blocks, "
           "GLOBAL const u32 *shape, u32 grain, u32 n, "
           "GLOBAL const u32 *list, GLOBAL const u64 *offset, "
           "GLOBAL u32 *to, GLOBAL u32 *count, GLOBAL u32 *mark");
    add_args(T, S, true);
    add(T, ")\n{\n"
           "    const struct graph g = graph_of(dir, pages, blocks, shape);\n");
    add(T, finds(S) ? "    struct found f;\n    f.n = 0;\n" : "");
    loops[S->over](T, S);
    add(T, finds(S) ? "    found_flush(&f, to, count);\n" : "");
    add(T, "}\n");
}

hy_status step_text(hy_ctx *ctx, const hy_step *S, char **out)
{
    struct text T = { .room = strlen(S->source) + MORE };
    T.at = base_alloc_raw(ctx, T.room, 1);
    if (!T.at)
        return HY_ENOMEM;
    add_kernel(&T, S);
    if (T.n >= T.room) {
        base_free(ctx, T.at);
        return base_fail(HY_EINVAL, "the step's name is too long");
    }
    *out = T.at;
    return HY_OK;
}
