/* Steps of users: their text, and a kernel around it (step_text.c).
 *
 *   Run(step)
 *     1 Bring     the graph, the arguments, the list it starts from
 *     2 Weigh     the list, if its edges are dealt out in equal parts
 *     3 Launch
 *     4 Fetch     results, and the list that was made
 */
#include "device/step_text.h"

#include "device/array.h"
#include "device/frontier.h"

#include "base/bits.h"

#include <string.h>

enum {
    VERTICES_CHUNK = 64, /* with their edges */
    LIST_CHUNK = 1024,
    EDGES_CHUNK = 1024,
    PAIRS_CHUNK = 16,
};

/* The set of counts of the list that is read. */
enum { FROM };

enum { SHAPE, LIST, MADE, COUNT, MARK, BUFS };

struct running {
    hy_device *D;
    const hy_view *V;
    const hy_step *step;
    hy_step own; /* it is this, with these arguments */
    hy_step_arg args[HY_STEP_ARGS];
    struct mirror *M;
    struct frontier_work W;
    struct device_buf buf[BUFS];
    struct device_buf arg[HY_STEP_ARGS];
    uint32_t n;     /* vertices, entries or pairs */
    uint64_t items; /* of work, each of which has a `grain` */
    uint32_t grain;
};

static bool is_cut(const hy_step *S)
{
    return S->over == HY_STEP_EDGES_BALANCED || S->over == HY_STEP_ADVANCE;
}

static bool makes_list(const hy_step *S)
{
    return S->over == HY_STEP_ADVANCE || S->over == HY_STEP_FILTER;
}

/* ---- 1 bring ------------------------------------------------------------- */

static size_t bytes_of(const hy_step_arg *arg)
{
    return (size_t)arg->n * hy_type_width(arg->type);
}

static hy_status bring_arg(struct running *R, uint32_t i)
{
    const hy_step_arg *const a = &R->args[i];
    if (a->array)
        return array_bring(a->array);
    if (!a->n)
        return HY_OK;
    const size_t bytes = bytes_of(a), whole = (bytes + 3) / 4 * 4;
    HY_TRY(device_alloc(R->D, &R->arg[i], whole));
    if (a->input)
        return device_write(R->D, &R->arg[i], 0, bytes, a->input);
    return device_fill(R->D, &R->arg[i], 0, whole, 0);
}

static hy_status bring_args(struct running *R)
{
    for (uint32_t i = 0; i < R->step->n_args; i++)
        HY_TRY(bring_arg(R, i));
    return HY_OK;
}

static hy_status bring_pairs(struct running *R)
{
    const size_t bytes = R->n * sizeof *R->step->pairs;
    HY_TRY(device_alloc(R->D, &R->buf[LIST], bytes));
    return device_write(R->D, &R->buf[LIST], 0, bytes, R->step->pairs);
}

/* The list, and room for the one that is made: a vertex is in it once. */
static hy_status bring_list(struct running *R)
{
    const hy_step *const S = R->step;
    const size_t bound = R->V->bound, words = bits_div_up(bound, 32);
    const size_t made = makes_list(S) ? bound * sizeof(hy_vid) : 0;
    const size_t mark = makes_list(S) ? words * sizeof(uint32_t) : 0;
    HY_TRY(device_alloc(R->D, &R->buf[LIST], R->n * sizeof(hy_vid)));
    HY_TRY(device_alloc(R->D, &R->buf[MADE], made));
    HY_TRY(device_alloc(R->D, &R->buf[MARK], mark));
    HY_TRY(device_fill(R->D, &R->buf[MARK], 0, mark, 0));
    HY_TRY(frontier_work_init(&R->W, R->D, R->M, &R->buf[SHAPE], R->n));
    return frontier_begin(&R->W, &R->buf[LIST], FROM, S->from, R->n);
}

/* ---- 2 weigh ------------------------------------------------------------- */

static hy_status weigh(struct running *R)
{
    struct frontier_size size;
    R->grain = device_grain(R->D, EDGES_CHUNK, 1);
    HY_TRY(frontier_weigh(&R->W, &R->buf[LIST], FROM, R->n));
    HY_TRY(frontier_size(&R->W, FROM, &size));
    R->items = size.edges;
    return HY_OK;
}

static hy_status prepare(struct running *R)
{
    const hy_step *const S = R->step;
    R->items = R->n;
    if (S->over == HY_STEP_EDGES || S->over == HY_STEP_VERTICES) {
        R->grain = device_grain(R->D, VERTICES_CHUNK, 1);
        return HY_OK;
    }
    if (S->over == HY_STEP_INTERSECT) {
        R->grain = device_grain(R->D, PAIRS_CHUNK, 1);
        return bring_pairs(R);
    }
    R->grain = device_grain(R->D, LIST_CHUNK, 1);
    HY_TRY(bring_list(R));
    return is_cut(S) ? weigh(R) : HY_OK;
}

/* ---- 3 launch ------------------------------------------------------------ */

static struct device_arg argument(const struct running *R, uint32_t i)
{
    const hy_step_arg *const a = &R->args[i];
    if (a->array)
        return DEVICE_BUF(&a->array->there);
    if (a->n)
        return DEVICE_BUF(&R->arg[i]);
    struct device_arg value = { .kind = DEVICE_ARG_VALUE,
                                .size = hy_type_width(a->type) };
    if (a->input)
        memcpy(&value.value, a->input, value.size);
    return value;
}

static hy_status launch(struct running *R, const char *text)
{
    struct device_arg args[STEP_GRAPH_ARGS + HY_STEP_ARGS] = {
        MIRROR_ARGS(R->M, &R->buf[SHAPE]),
        DEVICE_U32(R->grain),
        DEVICE_U32(R->n),
        DEVICE_BUF(&R->buf[LIST]),
        DEVICE_BUF(&R->W.offset),
        DEVICE_BUF(&R->buf[MADE]),
        DEVICE_BUF(&R->buf[COUNT]),
        DEVICE_BUF(&R->buf[MARK]),
    };
    if (!R->items)
        return HY_OK;
    for (uint32_t i = 0; i < R->step->n_args; i++) {
        args[STEP_GRAPH_ARGS + i] = argument(R, i);
        if (R->args[i].array && !R->args[i].is_only_read)
            R->args[i].array->is_newer_there = true;
    }
    R->D->stats.launches++;
    return R->D->table->launch_text(R->D, text, "step_over",
                                    bits_div_up(R->items, R->grain), args,
                                    STEP_GRAPH_ARGS + R->step->n_args);
}

/* ---- 4 fetch ------------------------------------------------------------- */

static hy_status fetch(struct running *R)
{
    const hy_step *const S = R->step;
    for (uint32_t i = 0; i < S->n_args; i++) {
        const hy_step_arg *const a = &R->args[i];
        if (a->n && a->result)
            HY_TRY(device_read(R->D, &R->arg[i], 0, bytes_of(a), a->result));
    }
    if (!makes_list(S))
        return device_finish(R->D);
    uint32_t n = 0;
    HY_TRY(device_read(R->D, &R->buf[COUNT], 0, sizeof n, &n));
    if (S->to)
        HY_TRY(device_read(R->D, &R->buf[MADE], 0, n * sizeof *S->to, S->to));
    if (S->n_to)
        *S->n_to = n;
    return HY_OK;
}

static hy_status run(struct running *R, uint32_t column, const char *text)
{
    const uint32_t zero = 0;
    HY_TRY(mirror_sync(R->D, R->V, &R->M));
    HY_TRY(mirror_shape(R->D, R->V, column, &R->buf[SHAPE]));
    HY_TRY(device_alloc(R->D, &R->buf[COUNT], sizeof zero));
    HY_TRY(device_write(R->D, &R->buf[COUNT], 0, sizeof zero, &zero));
    HY_TRY(bring_args(R));
    HY_TRY(prepare(R));
    HY_TRY(launch(R, text));
    return fetch(R);
}

/* ---- the call ------------------------------------------------------------ */

static bool are_vertices(const hy_view *V, const hy_vid *at, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (at[i] >= V->bound)
            return false;
    return true;
}

/* Sets *n, of what the step goes over. */
static hy_status check_list(const hy_view *V, const hy_step *S, uint32_t *n)
{
    *n = V->bound;
    if (makes_list(S) && S->from) {
        if (S->n_from >= HY_NONE || !are_vertices(V, S->from, S->n_from))
            return base_fail(HY_EINVAL, "a step starts from no vertex");
        *n = (uint32_t)S->n_from;
    }
    if (S->over == HY_STEP_INTERSECT) {
        if (S->n_pairs >= HY_NONE / 2 || (S->n_pairs && !S->pairs) ||
            !are_vertices(V, (const hy_vid *)S->pairs, 2 * S->n_pairs))
            return base_fail(HY_EINVAL, "a step has no pairs of vertices");
        *n = (uint32_t)S->n_pairs;
    }
    return HY_OK;
}

static hy_status check_arg(const hy_device *D, const hy_step_arg *a, uint32_t i)
{
    if (!hy_type_width(a->type))
        return base_fail(HY_EINVAL, "argument %u has no type", (unsigned)i);
    if (a->array && a->array->D != D)
        return base_fail(HY_EINVAL, "argument %u is on another device",
                         (unsigned)i);
    if (a->array && (a->n || a->input || a->result))
        return base_fail(HY_EINVAL,
                         "argument %u is an array and something else",
                         (unsigned)i);
    return HY_OK;
}

static hy_status check(const hy_device *D, const hy_view *V, const hy_step *S)
{
    if (!D || !V || !S || !S->name || !S->source || S->n_args > HY_STEP_ARGS ||
        (S->n_args && !S->args) || (unsigned)S->over > HY_STEP_INTERSECT)
        return base_fail(HY_EINVAL,
                         "a step needs a device, a view, a name, "
                         "a text, and at most %d arguments",
                         HY_STEP_ARGS);
    for (uint32_t i = 0; i < S->n_args; i++)
        HY_TRY(check_arg(D, &S->args[i], i));
    if (!D->table->launch_text)
        return base_fail(HY_ENOTSUP, "%s runs no steps given as text",
                         D->info.name);
    if (!D->info.has_f64)
        return base_fail(HY_ENOTSUP, "%s has no doubles", D->info.name);
    return HY_OK;
}

/* The step with arguments as they are: an array has its type and entries. */
static void keep_step(struct running *R, const hy_step *step)
{
    R->own = *step;
    R->own.args = R->args;
    R->step = &R->own;
    for (uint32_t i = 0; i < step->n_args; i++) {
        hy_step_arg *const a = &R->args[i];
        *a = step->args[i];
        if (a->array) {
            a->type = a->array->type;
            a->n = a->array->n;
        }
    }
}

hy_status hy_device_run(hy_device *D, const hy_view *V, const hy_step *step)
{
    struct running R = { .D = D, .V = V };
    uint32_t column = HY_NONE;
    char *text = NULL;
    HY_TRY(check(D, V, step));
    keep_step(&R, step);
    HY_TRY(check_list(V, step, &R.n));
    if (step->weight) {
        column = hy_view_find_edge_column(V, step->weight);
        if (column == HY_NONE)
            return base_fail(HY_EINVAL, "edges have no column `%s`",
                             step->weight);
    }
    HY_TRY(step_text(D->ctx, R.step, &text));
    const hy_status status = run(&R, column, text);
    frontier_work_fini(&R.W);
    for (uint32_t i = 0; i < HY_STEP_ARGS; i++)
        device_free(D, &R.arg[i]);
    for (int i = 0; i < BUFS; i++)
        device_free(D, &R.buf[i]);
    base_free(D->ctx, text);
    return status;
}
