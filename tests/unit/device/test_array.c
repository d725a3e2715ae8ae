/* Arrays on both sides, beside plain ones; what they send and fetch. */
#include "device/array.h"

#include "support/fault.h"
#include "support/test.h"

#include <hypha/hypha.h>

#include <stdio.h>

enum { MAX_DEVICES = 8, MOST = 20000, STEPS = 300, PAGE = 4096 };

static hy_device_stats stats_of(const hy_device *D)
{
    hy_device_stats stats;
    hy_device_stats_get(D, &stats);
    return stats;
}

/* ---- histories ----------------------------------------------------------- */

struct pair {
    hy_array *A;
    uint16_t right[MOST]; /* u16: words have two */
};

static void write_some(struct pair *P, uint64_t *rng)
{
    const uint64_t n = hy_array_size(P->A);
    const bool is_all = rng_below(rng, 10) == 0;
    const uint64_t first = is_all ? 0 : rng_below(rng, n + 1);
    const uint64_t many = is_all ? n : rng_below(rng, n - first + 1) % 3000;
    void *at = NULL;
    assert_int_equal(hy_array_write(P->A, first, many, &at), HY_OK);
    for (uint64_t i = 0; i < many; i++)
        ((uint16_t *)at)[i] = P->right[first + i] = (uint16_t)rng_below(rng, 9);
}

/* As a step would: some entries there. */
static void step(struct pair *P, uint64_t *rng)
{
    const uint64_t n = hy_array_size(P->A);
    const uint64_t at = n ? rng_below(rng, n) : 0;
    const uint16_t value = (uint16_t)rng_below(rng, 9);
    assert_int_equal(array_bring(P->A), HY_OK);
    if (!n)
        return;
    assert_int_equal(device_write(P->A->D, &P->A->there, at * sizeof value,
                                  sizeof value, &value),
                     HY_OK);
    P->right[at] = value;
    P->A->is_newer_there = true;
}

static void grow(struct pair *P, uint64_t *rng)
{
    const uint64_t n = hy_array_size(P->A), more = rng_below(rng, 700);
    const uint64_t to = n + more < MOST ? n + more : n;
    assert_int_equal(hy_array_grow(P->A, to), HY_OK);
    assert_int_equal(hy_array_grow(P->A, to / 2), HY_OK); /* no less */
    assert_int_equal(hy_array_size(P->A), to);
}

static void compare(struct pair *P)
{
    const void *at = NULL;
    assert_int_equal(hy_array_read(P->A, &at), HY_OK);
    assert_memory_equal(at, P->right, hy_array_size(P->A) * sizeof *P->right);
}

static void live_through(hy_device *D, uint64_t *rng)
{
    struct pair P = { 0 };
    assert_int_equal(hy_array_new(D, HY_U16, rng_below(rng, 2) * 5000, &P.A),
                     HY_OK);
    for (int i = 0; i < STEPS; i++)
        switch (rng_below(rng, 4)) {
        case 0:
            write_some(&P, rng);
            break;
        case 1:
            step(&P, rng);
            break;
        case 2:
            grow(&P, rng);
            break;
        default:
            compare(&P);
            break;
        }
    compare(&P);
    hy_array_free(P.A);
    assert_int_equal(stats_of(D).bytes, 0);
}

static void on_each(void (*test)(hy_device *D, uint64_t *rng))
{
    hy_ctx *const ctx = test_ctx(0);
    uint32_t n = 0;
    uint64_t rng = test_seed_at(0);
    assert_int_equal(hy_devices(ctx, 0, NULL, &n), HY_OK);
    for (uint32_t d = 0; d < n && d < MAX_DEVICES; d++) {
        char name[16];
        hy_device *D = NULL;
        (void)snprintf(name, sizeof name, "%u", (unsigned)d);
        assert_int_equal(hy_device_open(ctx, name, NULL, &D), HY_OK);
        test(D, &rng);
        hy_device_close(D);
    }
}

static void live_often(hy_device *D, uint64_t *rng)
{
    for (int i = 0; i < 20; i++)
        live_through(D, rng);
}

static void are_as_plain_ones(void **state)
{
    (void)state;
    on_each(live_often);
}

/* ---- what is sent -------------------------------------------------------- */

static void only_pages_are_sent(void **state)
{
    (void)state;
    hy_device *D = NULL;
    hy_array *A = NULL;
    void *at = NULL;
    const void *all = NULL;
    assert_int_equal(hy_device_open(test_ctx(0), "host", NULL, &D), HY_OK);
    assert_int_equal(hy_array_new(D, HY_U64, 100000, &A), HY_OK);
    assert_int_equal(array_bring(A), HY_OK);
    assert_int_equal(stats_of(D).uploaded, 0); /* zeros are made there */
    assert_int_equal(hy_array_write(A, 5, 1, &at), HY_OK);
    assert_int_equal(hy_array_write(A, 99999, 1, &at), HY_OK);
    assert_int_equal(array_bring(A), HY_OK);
    assert_true(stats_of(D).uploaded <= 2 * PAGE);
    assert_int_equal(array_bring(A), HY_OK);
    assert_true(stats_of(D).uploaded <= 2 * PAGE);
    assert_int_equal(hy_array_grow(A, 200000), HY_OK);
    assert_int_equal(array_bring(A), HY_OK);
    assert_true(stats_of(D).uploaded <= 2 * PAGE);
    assert_int_equal(hy_array_read(A, &all), HY_OK);
    assert_int_equal(stats_of(D).downloaded, 0);
    /* what is there is seen before it is written, all of it too */
    const uint64_t nine = 9;
    assert_int_equal(device_write(D, &A->there, 8, sizeof nine, &nine), HY_OK);
    A->is_newer_there = true;
    assert_int_equal(hy_array_write(A, 0, 200000, &at), HY_OK);
    assert_int_equal(((uint64_t *)at)[1], nine);
    assert_int_equal(hy_array_write(A, 200000, 1, &at), HY_EINVAL);
    assert_int_equal(hy_array_write(A, 7, UINT64_MAX, &at), HY_EINVAL);
    assert_int_equal(hy_array_grow(A, UINT64_MAX / 2), HY_ENOMEM);
    hy_array_free(A);
    hy_device_close(D);
}

static void bad_ones_say_why(void **state)
{
    (void)state;
    hy_device *D = NULL;
    hy_array *A = NULL;
    const void *at = NULL;
    assert_int_equal(hy_device_open(test_ctx(0), "host", NULL, &D), HY_OK);
    assert_int_equal(hy_array_new(NULL, HY_U8, 1, &A), HY_EINVAL);
    assert_int_equal(hy_array_new(D, (hy_type)99, 1, &A), HY_EINVAL);
    assert_int_equal(hy_array_new(D, HY_U8, UINT64_MAX, &A), HY_ENOMEM);
    assert_int_equal(hy_array_read(NULL, &at), HY_EINVAL);
    hy_array_free(NULL);
    hy_device_close(D);
}

/* ---- in steps ------------------------------------------------------------ */

static void must_run(hy_device *D, const hy_view *V, const hy_step *step)
{
    if (hy_device_run(D, V, step) != HY_OK)
        fail_msg("%s", hy_error_text());
}

/* One that is only read is not fetched; an empty one is an array too. */
static void read_only(hy_device *D, const hy_view *V)
{
    hy_array *x = NULL, *y = NULL, *none = NULL;
    const void *at = NULL;
    const size_t n = hy_view_bound(V);
    assert_int_equal(hy_array_new(D, HY_F64, n, &x), HY_OK);
    assert_int_equal(hy_array_new(D, HY_F64, n, &y), HY_OK);
    assert_int_equal(hy_array_new(D, HY_U8, 0, &none), HY_OK);
    const hy_step_arg args[] = { { .array = x, .is_only_read = true },
                                 { .array = y },
                                 { .array = none } };
    const hy_step step = {
        .name = "one",
        .source = "void one(u32 u, GLOBAL f64 *x, GLOBAL f64 *y,"
                  " GLOBAL u8 *none) { y[u] = x[u] + 1; }",
        .over = HY_STEP_VERTICES,
        .args = args,
        .n_args = 3,
    };
    must_run(D, V, &step);
    const uint64_t before = stats_of(D).downloaded;
    assert_int_equal(hy_array_read(x, &at), HY_OK);
    assert_int_equal(stats_of(D).downloaded, before);
    assert_int_equal(hy_array_read(y, &at), HY_OK);
    for (hy_vid u = 0; u < n; u++)
        assert_true(((const double *)at)[u] == hy_view_has_vertex(V, u));
    hy_array_free(x);
    hy_array_free(y);
    hy_array_free(none);
}

static void misused(hy_device *D, const hy_view *V)
{
    hy_device *host = NULL;
    hy_array *A = NULL, *B = NULL;
    uint8_t byte = 0;
    assert_int_equal(hy_device_open(test_ctx(0), "host", NULL, &host), HY_OK);
    assert_int_equal(hy_array_new(host, HY_U8, 4, &A), HY_OK);
    assert_int_equal(hy_array_new(D, HY_U8, 4, &B), HY_OK);
    const hy_step_arg args[] = { { .array = A },
                                 { .array = B, .result = &byte } };
    hy_step step = { .name = "f",
                     .source = "void f(u32 u, GLOBAL u8 *x) { }",
                     .over = HY_STEP_VERTICES,
                     .args = args,
                     .n_args = 1 };
    assert_int_equal(hy_device_run(D, V, &step), HY_EINVAL);
    step.args = args + 1;
    assert_int_equal(hy_device_run(D, V, &step), HY_EINVAL);
    hy_array_free(A);
    hy_array_free(B);
    hy_device_close(host);
}

static void steps_take_arrays(void **state)
{
    (void)state;
    hy_ctx *const ctx = test_ctx(0);
    hy_graph *G = NULL;
    hy_device *D = NULL;
    uint32_t n = 0;
    const hy_gen_opts kron = { .kind = HY_GEN_KRON, .n = 1 << 10 };
    assert_int_equal(hy_devices(ctx, 0, NULL, &n), HY_OK);
    if (n < 2)
        skip();
    assert_int_equal(hy_gen_graph(ctx, &kron, &G), HY_OK);
    assert_int_equal(hy_device_open(ctx, "1", NULL, &D), HY_OK);
    read_only(D, hy_graph_now(G));
    misused(D, hy_graph_now(G));
    hy_device_close(D);
    hy_graph_free(G);
}

/* ---- operators ----------------------------------------------------------- */

static hy_array *of(hy_device *D, hy_type type, uint64_t n, void **at)
{
    hy_array *A = NULL;
    assert_int_equal(hy_array_new(D, type, n, &A), HY_OK);
    assert_int_equal(hy_array_write(A, 0, n, at), HY_OK);
    return A;
}

static const void *read_of(hy_array *A)
{
    const void *at = NULL;
    assert_int_equal(hy_array_read(A, &at), HY_OK);
    return at;
}

static void scan_and_filter(hy_device *D, uint64_t n, uint64_t *rng)
{
    void *here = NULL, *unused = NULL;
    hy_array *const x = of(D, HY_U32, n, &here);
    hy_array *const sums = of(D, HY_U64, 0, &unused);
    hy_array *const list = of(D, HY_U32, 0, &unused);
    for (uint64_t i = 0; i < n; i++)
        ((uint32_t *)here)[i] = (uint32_t)rng_below(rng, 3);
    uint64_t sum = 0, most = 0, count = 0, found = 0, reduced[2];
    assert_int_equal(hy_array_scan(x, sums), HY_OK);
    assert_int_equal(hy_array_filter(x, list, &count), HY_OK);
    assert_int_equal(hy_array_reduce(x, HY_REDUCE_SUM, &reduced[0]), HY_OK);
    assert_int_equal(hy_array_reduce(x, HY_REDUCE_MAX, &reduced[1]), HY_OK);
    const uint32_t *const at = read_of(x), *const in = read_of(list);
    const uint64_t *const y = read_of(sums);
    for (uint64_t i = 0; i < n; i++) {
        assert_true(y[i] == sum);
        sum += at[i];
        most = at[i] > most ? at[i] : most;
        if (at[i])
            assert_int_equal(in[found++], i);
    }
    assert_true(y[n] == sum && reduced[0] == sum && reduced[1] == most);
    assert_int_equal(count, found);
    hy_array_free(x);
    hy_array_free(sums);
    hy_array_free(list);
}

static void sort(hy_device *D, hy_type type, uint64_t n, uint64_t *rng)
{
    void *k = NULL, *v = NULL;
    const bool is_wide = type == HY_U64;
    hy_array *const keys = of(D, type, n, &k);
    hy_array *const values = of(D, HY_U32, n, &v);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t key = rng_below(rng, n / 2 + 1) << (is_wide ? 30 : 10);
        if (is_wide)
            ((uint64_t *)k)[i] = key;
        else
            ((uint32_t *)k)[i] = (uint32_t)key;
        ((uint32_t *)v)[i] = (uint32_t)i;
    }
    assert_int_equal(hy_array_sort(keys, values), HY_OK);
    assert_int_equal(hy_array_sort(keys, NULL), HY_OK); /* sorted already */
    const void *const key = read_of(keys);
    const uint32_t *const value = read_of(values);
    for (uint64_t i = 1; i < n; i++) {
        const uint64_t a = is_wide ? ((const uint64_t *)key)[i - 1]
                                   : ((const uint32_t *)key)[i - 1];
        const uint64_t b =
            is_wide ? ((const uint64_t *)key)[i] : ((const uint32_t *)key)[i];
        assert_true(a < b || (a == b && value[i - 1] < value[i]));
    }
    hy_array_free(keys);
    hy_array_free(values);
}

static void operators_refuse(hy_device *D)
{
    void *at = NULL;
    uint64_t n = 0;
    hy_array *const x = of(D, HY_U32, 4, &at), *const y = of(D, HY_U8, 4, &at);
    assert_int_equal(hy_array_scan(x, y), HY_EINVAL);
    assert_int_equal(hy_array_scan(NULL, y), HY_EINVAL);
    assert_int_equal(hy_array_filter(x, x, &n), HY_EINVAL);
    assert_int_equal(hy_array_reduce(y, HY_REDUCE_SUM, &n), HY_EINVAL);
    assert_int_equal(hy_array_reduce(x, (hy_reduce)9, &n), HY_EINVAL);
    assert_int_equal(hy_array_sort(x, x), HY_EINVAL);
    assert_int_equal(hy_array_sort(y, NULL), HY_EINVAL);
    hy_array_free(x);
    hy_array_free(y);
}

static void operate(hy_device *D, uint64_t *rng)
{
    static const uint64_t sizes[] = { 0, 1, 2, 2049, 30001 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        scan_and_filter(D, sizes[i], rng);
        sort(D, HY_U32, sizes[i], rng);
        sort(D, HY_U64, sizes[i], rng);
    }
    operators_refuse(D);
    assert_int_equal(stats_of(D).bytes, 0);
}

static void operators_are_plain_loops(void **state)
{
    (void)state;
    on_each(operate);
}

/* ---- faults -------------------------------------------------------------- */

static bool may_call(void *user)
{
    uint64_t *const left = user;
    return *left == 0 || --*left > 0;
}

/* A write, a step and a read, as far as they go. */
static hy_status use(hy_array *A)
{
    const uint32_t seven = 7;
    const void *all = NULL;
    void *at = NULL;
    HY_TRY(hy_array_write(A, 3000, 1, &at));
    *(uint32_t *)at = 5;
    HY_TRY(hy_array_grow(A, hy_array_size(A) + 2000));
    HY_TRY(array_bring(A));
    HY_TRY(device_write(A->D, &A->there, 0, sizeof seven, &seven));
    A->is_newer_there = true;
    return hy_array_read(A, &all);
}

static void must_be_used(hy_array *A)
{
    const void *at = NULL;
    assert_int_equal(use(A), HY_OK);
    assert_int_equal(hy_array_read(A, &at), HY_OK);
    for (uint64_t i = 0; i < hy_array_size(A); i++)
        assert_int_equal(((const uint32_t *)at)[i], i == 0      ? 7
                                                    : i == 3000 ? 5
                                                                : 0);
}

static void failing_calls_lose_nothing(void **state)
{
    (void)state;
    uint64_t left = 0;
    const hy_device_opts opts = { .may_call = may_call, .user = &left };
    hy_device *D = NULL;
    assert_int_equal(hy_device_open(test_ctx(0), "host", &opts, &D), HY_OK);
    hy_status status = HY_EDEVICE;
    for (uint64_t k = 1; status != HY_OK; k++) {
        hy_array *A = NULL;
        assert_true(k < 100);
        assert_int_equal(hy_array_new(D, HY_U32, 4000, &A), HY_OK);
        left = k;
        status = use(A);
        left = 0;
        assert_true(status == HY_OK || status == HY_EDEVICE);
        must_be_used(A);
        hy_array_free(A);
    }
    hy_device_close(D);
}

static void failing_allocations_lose_nothing(void **state)
{
    (void)state;
    struct fault fault = { 0 };
    const hy_ctx_opts opts = { .threads = 1,
                               .may_alloc = fault_may_alloc,
                               .user = &fault };
    hy_ctx *ctx = NULL;
    hy_device *D = NULL;
    assert_int_equal(hy_ctx_new(&opts, &ctx), HY_OK);
    assert_int_equal(hy_device_open(ctx, "host", NULL, &D), HY_OK);
    bool was_hit = true;
    for (uint64_t k = 1; was_hit; k++) {
        hy_array *A = NULL;
        fault_arm(&fault, k);
        hy_status status = hy_array_new(D, HY_U32, 4000, &A);
        if (status == HY_OK)
            status = use(A);
        was_hit = fault_disarm(&fault);
        assert_int_equal(status, was_hit ? HY_ENOMEM : HY_OK);
        if (A)
            must_be_used(A);
        hy_array_free(A);
    }
    hy_device_close(D);
    hy_ctx_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_as_plain_ones),
        cmocka_unit_test(only_pages_are_sent),
        cmocka_unit_test(bad_ones_say_why),
        cmocka_unit_test(steps_take_arrays),
        cmocka_unit_test(operators_are_plain_loops),
        cmocka_unit_test(failing_calls_lose_nothing),
        cmocka_unit_test(failing_allocations_lose_nothing),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
