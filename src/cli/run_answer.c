/* `hypha run`: what an algorithm found, in the ids of the file. */
#include "cli/progress.h"
#include "cli/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- collecting ---------------------------------------------------------- */

void *run_array_of(struct run *R, size_t n, size_t size)
{
    void *const p = cli_alloc_zeroed(n, size);
    if (R->n_arrays == RUN_ARRAYS)
        cli_die(CLI_FAILED, "too many arrays");
    return R->arrays[R->n_arrays++] = p;
}

void *run_array(struct run *R, size_t size)
{
    return run_array_of(R, hy_view_bound(R->V), size);
}

void run_begin(struct run *R)
{
    /* Nothing is half done that a signal could leave behind. */
    cli_signals_kill(true);
    R->start = hy_clock();
}

void run_end(struct run *R, hy_status status)
{
    R->s = hy_clock() - R->start;
    cli_must(status, R->algorithm->name);
}

void run_column(struct run *R, const char *name, enum run_kind kind,
                const void *at)
{
    if (R->n_columns < RUN_COLUMNS)
        R->columns[R->n_columns++] =
            (struct run_column){ .name = name, .kind = kind, .at = at };
}

static void add(struct run *R, struct run_result result)
{
    if (R->n_results < RUN_RESULTS)
        R->results[R->n_results++] = result;
}

void run_count(struct run *R, const char *key, uint64_t x)
{
    add(R, (struct run_result){ .key = key, .kind = RUN_COUNT, .count = x });
}

void run_number(struct run *R, const char *key, double x)
{
    add(R, (struct run_result){ .key = key, .kind = RUN_NUMBER, .number = x });
}

void run_text(struct run *R, const char *key, const char *text)
{
    add(R, (struct run_result){ .key = key, .kind = RUN_TEXT, .text = text });
}

void run_checked(struct run *R, bool right, const char *why)
{
    R->checked = true;
    R->right = right;
    if (!right)
        snprintf(R->why, sizeof R->why, "%s", why ? why : "");
}

/* ---- ids ----------------------------------------------------------------- */

hy_vid run_find(const struct run *R, const char *text, size_t n)
{
    uint64_t id = HY_ANY;
    if (R->input.names) {
        id = hy_names_find(R->input.names, text, n);
    } else if (n > 0 && n <= 20) {
        unsigned __int128 x = 0;
        bool good = true;
        for (size_t i = 0; i < n; i++) {
            good &= text[i] >= '0' && text[i] <= '9';
            x = x * 10 + (unsigned)(text[i] - '0');
        }
        id = good && x < HY_ANY ? (uint64_t)x : HY_ANY;
    }
    return id == HY_ANY ? HY_NONE : hy_view_find(R->V, id);
}

struct number_key {
    uint64_t id;
    hy_vid u;
};

struct text_key {
    const char *text;
    size_t n;
    hy_vid u;
};

static int by_number(const void *a, const void *b)
{
    const struct number_key *const x = a, *const y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int by_text(const void *a, const void *b)
{
    const struct text_key *const x = a, *const y = b;
    const int order = memcmp(x->text, y->text, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

static void order_numbers(const struct run *R, hy_vid *order, size_t n)
{
    bool ascending = true;
    for (size_t i = 1; i < n && ascending; i++)
        ascending = hy_view_external(R->V, order[i - 1]) <
                    hy_view_external(R->V, order[i]);
    if (ascending)
        return;
    struct number_key *const keys = cli_alloc(n, sizeof *keys);
    for (size_t i = 0; i < n; i++)
        keys[i] =
            (struct number_key){ hy_view_external(R->V, order[i]), order[i] };
    qsort(keys, n, sizeof *keys, by_number);
    for (size_t i = 0; i < n; i++)
        order[i] = keys[i].u;
    cli_free(keys);
}

static void order_texts(const struct run *R, hy_vid *order, size_t n)
{
    struct text_key *const keys = cli_alloc(n, sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        keys[i].u = order[i];
        keys[i].text = hy_names_text(
            R->input.names, hy_view_external(R->V, order[i]), &keys[i].n);
    }
    qsort(keys, n, sizeof *keys, by_text);
    for (size_t i = 0; i < n; i++)
        order[i] = keys[i].u;
    cli_free(keys);
}

const hy_vid *run_order(struct run *R)
{
    if (R->order)
        return R->order;
    size_t n = 0;
    R->order = cli_alloc((size_t)hy_view_vertices(R->V), sizeof *R->order);
    for (hy_vid u = 0; u < hy_view_bound(R->V); u++)
        if (hy_view_has_vertex(R->V, u))
            R->order[n++] = u;
    if (R->input.names)
        order_texts(R, R->order, n);
    else
        order_numbers(R, R->order, n);
    return R->order;
}

void run_name_groups(struct run *R, hy_vid *labels)
{
    const size_t n = (size_t)hy_view_vertices(R->V);
    const hy_vid bound = hy_view_bound(R->V);
    const hy_vid *const order = run_order(R);
    hy_vid *const first = cli_alloc(bound, sizeof *first);
    for (hy_vid u = 0; u < bound; u++)
        first[u] = HY_NONE;
    for (size_t i = 0; i < n; i++) {
        hy_vid *const name = &first[labels[order[i]]];
        *name = *name == HY_NONE ? order[i] : *name;
        labels[order[i]] = *name;
    }
    cli_free(first);
}

/* ---- texts --------------------------------------------------------------- */

/* Digits from the right; snprintf would take most of the time of writing. */
static size_t count_text(uint64_t x, char text[RUN_VALUE])
{
    char digits[20];
    size_t n = 0;
    do
        digits[n++] = (char)('0' + x % 10);
    while (x /= 10);
    for (size_t i = 0; i < n; i++)
        text[i] = digits[n - 1 - i];
    return n;
}

/* As few digits as are needed to read the same number back. */
static size_t real_text(double x, char text[RUN_VALUE])
{
    if (x >= 0 && x < 9e15 && x == floor(x))
        return count_text((uint64_t)x, text);
    int n = 0;
    for (int digits = 15; digits <= 17; digits++) {
        n = snprintf(text, RUN_VALUE, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    return (size_t)n;
}

static const char *constant(const char *text, size_t *n)
{
    *n = strlen(text);
    return text;
}

const char *run_id_text(const struct run *R, hy_vid u, char text[RUN_VALUE],
                        size_t *n)
{
    const uint64_t id = hy_view_external(R->V, u);
    if (R->input.names)
        return hy_names_text(R->input.names, id, n);
    *n = count_text(id, text);
    return text;
}

const char *run_value_text(const struct run *R, const struct run_column *c,
                           hy_vid u, char text[RUN_VALUE], size_t *n)
{
    if (c->kind == RUN_F64) {
        const double x = ((const double *)c->at)[u];
        if (isinf(x) || isnan(x))
            return constant(isnan(x) ? "none" : x > 0 ? "inf" : "-inf", n);
        *n = real_text(x, text);
        return text;
    }
    if (c->kind == RUN_U64) {
        const uint64_t x = ((const uint64_t *)c->at)[u];
        *n = count_text(x, text);
        return x == UINT64_MAX ? constant("inf", n) : text;
    }
    const uint32_t x = ((const uint32_t *)c->at)[u];
    if (c->kind == RUN_VERTEX)
        return x == HY_NONE ? constant("none", n) : run_id_text(R, x, text, n);
    *n = count_text(x, text);
    return x == HY_NONE ? constant("inf", n) : text;
}

/* ---- the largest --------------------------------------------------------- */

struct top_key {
    double value;
    size_t place;
};

static int by_value(const void *a, const void *b)
{
    const struct top_key *const x = a, *const y = b;
    const int order = (x->value < y->value) - (x->value > y->value);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static double value_of(const struct run_column *c, hy_vid u)
{
    if (c->kind == RUN_F64)
        return ((const double *)c->at)[u];
    if (c->kind == RUN_U64) {
        const uint64_t x = ((const uint64_t *)c->at)[u];
        return x == UINT64_MAX ? INFINITY : (double)x;
    }
    const uint32_t x = ((const uint32_t *)c->at)[u];
    return x == HY_NONE ? INFINITY : (double)x;
}

size_t run_largest(struct run *R, size_t k, hy_vid *out)
{
    const size_t n = (size_t)hy_view_vertices(R->V);
    const hy_vid *const order = run_order(R);
    struct top_key *const keys = cli_alloc(n, sizeof *keys);
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const double x = value_of(&R->columns[0], order[i]);
        if (isfinite(x))
            keys[found++] = (struct top_key){ x, i };
    }
    qsort(keys, found, sizeof *keys, by_value);
    k = k < found ? k : found;
    for (size_t i = 0; i < k; i++)
        out[i] = order[keys[i].place];
    cli_free(keys);
    return k;
}
