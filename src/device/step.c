/* Steps of users: their text, and a kernel around it that is written here.
 *
 *   KERNEL: for each vertex u of the item, for each edge (u, v, w)
 *       name(u, v, w, args ...)
 */
#include "device/mirror.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK = 64, TEXT_MORE = 4096, GRAPH_ARGS = 6 };

struct running {
    hy_device *D;
    const hy_step *step;
    struct mirror *M;
    struct device_buf shape;
    struct device_buf arg[HY_STEP_ARGS];
};

/* ---- the kernel's text -----------------------------------------------------
 */

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

static const char *type_text(hy_type type)
{
    static const char *const names[] = { "u8",  "u16", "u32", "u64",
                                         "i32", "i64", "f32", "f64" };
    return names[type];
}

static void add_arg(struct text *T, const hy_step_arg *arg, uint32_t i,
                    bool declares)
{
    char name[16];
    (void)snprintf(name, sizeof name, "a%u", (unsigned)i);
    add(T, ", ");
    if (declares && arg->n)
        add(T, "GLOBAL ");
    if (declares)
        add(T, type_text(arg->type));
    if (declares)
        add(T, arg->n ? " *" : " ");
    add(T, name);
}

static void add_args(struct text *T, const hy_step *S, bool declares)
{
    for (uint32_t i = 0; i < S->n_args; i++)
        add_arg(T, &S->args[i], i, declares);
}

static void write_kernel(struct text *T, const hy_step *S)
{
    add(T, S->source);
    add(T, "\n__kernel void step_over(GLOBAL const u32 *dir, "
           "GLOBAL const u64 *pages, GLOBAL const u32 *blocks, "
           "GLOBAL const u32 *shape, u32 grain, u32 n");
    add_args(T, S, true);
    add(T, ")\n{\n"
           "    const struct graph g = graph_of(dir, pages, blocks, shape);\n"
           "    const u64 lo = (u64)ITEM * grain;\n"
           "    const u64 hi = lo + grain < n ? lo + grain : n;\n"
           "    for (u64 u = lo; u < hi; u++) {\n"
           "        if (!is_alive(&g, (u32)u))\n"
           "            continue;\n");
    if (S->over == HY_STEP_VERTICES) {
        add(T, "        ");
        add(T, S->name);
        add(T, "((u32)u");
    } else {
        add(T, "        FOR_SPANS (s, &g, g.out, (u32)u) {\n"
               "            GLOBAL const u8 *const w = weights_of(&g, &s);\n"
               "            for (u32 i = 0; i < s.n; i++)\n"
               "                ");
        add(T, S->name);
        add(T, "((u32)u, s.v[i * g.step], weight_at(&g, w, i)");
    }
    add_args(T, S, false);
    add(T, S->over == HY_STEP_VERTICES ? ");\n    }\n}\n"
                                       : ");\n        }\n    }\n}\n");
}

/* ---- running ---------------------------------------------------------------
 */

static size_t bytes_of(const hy_step_arg *arg)
{
    return (size_t)arg->n * hy_type_width(arg->type);
}

static hy_status bring(struct running *R)
{
    for (uint32_t i = 0; i < R->step->n_args; i++) {
        const hy_step_arg *const a = &R->step->args[i];
        if (!a->n)
            continue;
        const size_t bytes = bytes_of(a), whole = (bytes + 3) / 4 * 4;
        HY_TRY(device_alloc(R->D, &R->arg[i], whole));
        if (a->input)
            HY_TRY(device_write(R->D, &R->arg[i], 0, bytes, a->input));
        else
            HY_TRY(device_fill(R->D, &R->arg[i], 0, whole, 0));
    }
    return HY_OK;
}

static hy_status fetch(struct running *R)
{
    for (uint32_t i = 0; i < R->step->n_args; i++) {
        const hy_step_arg *const a = &R->step->args[i];
        if (a->n && a->result)
            HY_TRY(device_read(R->D, &R->arg[i], 0, bytes_of(a), a->result));
    }
    return device_finish(R->D);
}

static struct device_arg argument(const struct running *R, uint32_t i)
{
    const hy_step_arg *const a = &R->step->args[i];
    if (a->n)
        return DEVICE_BUF(&R->arg[i]);
    struct device_arg value = { .kind = DEVICE_ARG_VALUE,
                                .size = hy_type_width(a->type) };
    if (a->input)
        memcpy(&value.value, a->input, value.size);
    return value;
}

static hy_status launch(struct running *R, const hy_view *V, const char *text)
{
    const uint32_t grain = device_grain(R->D, CHUNK, 1);
    struct device_arg args[GRAPH_ARGS + HY_STEP_ARGS] = {
        MIRROR_ARGS(R->M, &R->shape), DEVICE_U32(grain), DEVICE_U32(V->bound)
    };
    for (uint32_t i = 0; i < R->step->n_args; i++)
        args[GRAPH_ARGS + i] = argument(R, i);
    const size_t items = bits_div_up(V->bound, grain);
    if (!items)
        return HY_OK;
    R->D->stats.launches++;
    return R->D->table->launch_text(R->D, text, "step_over", items, args,
                                    GRAPH_ARGS + R->step->n_args);
}

static hy_status run(struct running *R, const hy_view *V, uint32_t column,
                     const char *text)
{
    HY_TRY(mirror_sync(R->D, V, &R->M));
    HY_TRY(mirror_shape(R->D, V, column, &R->shape));
    HY_TRY(bring(R));
    HY_TRY(launch(R, V, text));
    return fetch(R);
}

static hy_status check(const hy_device *D, const hy_view *V, const hy_step *S)
{
    if (!D || !V || !S || !S->name || !S->source || S->n_args > HY_STEP_ARGS ||
        (S->n_args && !S->args))
        return base_fail(HY_EINVAL,
                         "a step needs a device, a view, a name, "
                         "a text, and at most %d arguments",
                         HY_STEP_ARGS);
    for (uint32_t i = 0; i < S->n_args; i++)
        if (!hy_type_width(S->args[i].type))
            return base_fail(HY_EINVAL, "argument %u has no type", (unsigned)i);
    if (!D->table->launch_text)
        return base_fail(HY_ENOTSUP, "%s runs no steps given as text",
                         D->info.name);
    if (!D->info.has_f64)
        return base_fail(HY_ENOTSUP, "%s has no doubles", D->info.name);
    return HY_OK;
}

hy_status hy_device_run(hy_device *D, const hy_view *V, const hy_step *step)
{
    HY_TRY(check(D, V, step));
    uint32_t column = HY_NONE;
    if (step->weight) {
        column = hy_view_find_edge_column(V, step->weight);
        if (column == HY_NONE)
            return base_fail(HY_EINVAL, "edges have no column `%s`",
                             step->weight);
    }
    struct text T = { .room = strlen(step->source) + TEXT_MORE };
    T.at = base_alloc_raw(D->ctx, T.room, 1);
    if (!T.at)
        return HY_ENOMEM;
    write_kernel(&T, step);
    struct running R = { .D = D, .step = step };
    const hy_status status =
        T.n < T.room ? run(&R, V, column, T.at)
                     : base_fail(HY_EINVAL, "the step's name is too long");
    for (uint32_t i = 0; i < HY_STEP_ARGS; i++)
        device_free(D, &R.arg[i]);
    device_free(D, &R.shape);
    base_free(D->ctx, T.at);
    return status;
}
