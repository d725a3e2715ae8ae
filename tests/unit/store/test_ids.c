/* External ids: direct or hashed, against a plain list. */
#include "support/test.h"

#include "store/ids.h"

enum { MOST = 3000 };

struct listing {
    uint64_t external[MOST];
    hy_vid vertex[MOST];
    size_t n;
};

static size_t where(const struct listing *L, uint64_t external)
{
    size_t i = 0;
    while (i < L->n && L->external[i] != external)
        i++;
    return i;
}

static void compare(const struct ids *I, const struct listing *L)
{
    assert_true(I->n_mapped == L->n);
    for (size_t i = 0; i < L->n; i++)
        assert_int_equal(ids_find(I, L->external[i]), L->vertex[i]);
}

static void add(struct ids *I, struct listing *L, uint64_t external)
{
    if (where(L, external) < L->n || L->n == MOST)
        return;
    L->external[L->n] = external;
    L->vertex[L->n] = (hy_vid)L->n;
    ids_map(I, external, (hy_vid)L->n++);
}

/* Makes room for ids, then maps them. */
static void add_all(struct ids *I, struct listing *L, const uint64_t *external,
                    size_t n)
{
    struct ids_widths coming = { 0 };
    for (size_t i = 0; i < n; i++)
        ids_widths_add(&coming, external[i]);
    assert_int_equal(ids_reserve(test_ctx(0), I, 0, 0, &coming), HY_OK);
    for (size_t i = 0; i < n; i++)
        add(I, L, external[i]);
}

static void dense_ids_are_not_hashed(void **state)
{
    static struct listing L;
    struct ids I = { 0 };
    (void)state;
    L.n = 0;
    for (uint64_t i = 0; i < MOST; i++)
        add_all(&I, &L, &i, 1);
    compare(&I, &L);
    assert_int_equal(I.map_room, 0);
    assert_true(I.direct_room <= MOST + MOST / 8 + 1);
    assert_int_equal(ids_find(&I, MOST), HY_NONE);
    assert_int_equal(ids_find(&I, UINT64_MAX), HY_NONE);
    ids_fini(test_ctx(0), &I);
}

static void scattered_ids_are_hashed(void **state)
{
    static struct listing L;
    struct ids I = { 0 };
    (void)state;
    L.n = 0;
    for (uint64_t i = 1; i < MOST; i++) {
        const uint64_t far = i << 32;
        add_all(&I, &L, &far, 1);
    }
    compare(&I, &L);
    assert_int_equal(I.direct_room, 0);
    assert_true(I.n_hashed == L.n);
    ids_fini(test_ctx(0), &I);
}

static void hashed_ids_move_when_their_range_fills(void **state)
{
    static struct listing L;
    struct ids I = { 0 };
    (void)state;
    L.n = 0;
    for (uint64_t i = 0; i < 2048; i++) { /* from the far end */
        const uint64_t x = 2047 - i;
        add_all(&I, &L, &x, 1);
        compare(&I, &L);
    }
    assert_int_equal(I.n_hashed, 0);
    assert_true(I.limit >= 2048);
    ids_fini(test_ctx(0), &I);
}

static void a_range_that_empties_gives_memory_back(void **state)
{
    static struct listing L;
    static uint64_t many[MOST];
    struct ids I = { 0 };
    const uint64_t one = 1ull << 40;
    (void)state;
    L.n = 0;
    for (uint64_t i = 0; i < MOST; i++)
        many[i] = 2 * i;
    add_all(&I, &L, many, MOST);
    const uint64_t bytes = ids_bytes(&I);
    assert_int_equal(I.n_hashed, 0);
    while (L.n > 3)
        ids_unmap(&I, L.external[--L.n]);
    add_all(&I, &L, &one, 1);
    compare(&I, &L);
    assert_true(ids_bytes(&I) < bytes / 4);
    ids_fini(test_ctx(0), &I);
}

static void any_history_finds_what_is_there(void **state)
{
    static struct listing L;
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct ids I = { 0 };
        uint64_t rng = seed, batch[64];
        L.n = 0;
        for (int step = 0; step < 60; step++) {
            const uint64_t n = 1 + rng_below(&rng, 64);
            const uint64_t range =
                rng_chance(&rng, 20) ? UINT64_MAX - 1 : 64ull << seed % 12;
            for (uint64_t i = 0; i < n; i++)
                batch[i] = rng_below(&rng, range);
            add_all(&I, &L, batch, n);
            while (L.n && rng_chance(&rng, 97) && step % 3 == 2) {
                const size_t i = rng_below(&rng, L.n--);
                ids_unmap(&I, L.external[i]);
                assert_int_equal(ids_find(&I, L.external[i]), HY_NONE);
                L.external[i] = L.external[L.n];
                L.vertex[i] = L.vertex[L.n];
            }
            compare(&I, &L);
        }
        ids_fini(test_ctx(0), &I);
    }
}

static void growth_is_what_room_takes(void **state)
{
    struct ids I = { 0 };
    struct ids_widths coming = { 0 };
    (void)state;
    for (uint64_t i = 0; i < 5000; i++)
        ids_widths_add(&coming, i * (i % 3 ? 1 : 1ull << 40));
    const uint64_t bytes = ids_growth(&I, 1000, 20, &coming);
    assert_int_equal(ids_reserve(test_ctx(0), &I, 1000, 20, &coming), HY_OK);
    assert_true(ids_bytes(&I) == bytes);
    assert_true(ids_growth(&I, 1000, 20, &coming) == 0);
    ids_fini(test_ctx(0), &I);
}

static void fill_on_threads_maps_all(void **state)
{
    enum { N = 200000 };
    uint64_t *external = test_malloc(N * sizeof *external);
    (void)state;
    for (uint64_t i = 0; i < N; i++)
        external[i] = i % 2 ? i * 7919 % N : (i + 1) << 30;
    for (unsigned c = 0; c < TEST_CTXS; c++) {
        struct ids I = { 0 };
        uint64_t mapped = 0;
        const hy_status status = ids_fill(test_ctx(c), &I, N, true, external);
        assert_int_equal(status, HY_OK);
        for (hy_vid u = 0; u < N; u++)
            mapped += ids_find(&I, external[u]) == u && ids_is_alive(&I, u);
        assert_int_equal(mapped, N);
        assert_true(I.n_hashed == N / 2);
        external[N - 2] = external[4]; /* hashed twice */
        ids_fini(test_ctx(c), &I);
        assert_int_equal(ids_fill(test_ctx(c), &I, N, true, external),
                         HY_EINVAL);
        assert_int_equal(ids_bytes(&I), 0);
        external[N - 2] = (uint64_t)(N - 1) << 30;
    }
    test_free(external);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_ids_are_not_hashed),
        cmocka_unit_test(scattered_ids_are_hashed),
        cmocka_unit_test(hashed_ids_move_when_their_range_fills),
        cmocka_unit_test(a_range_that_empties_gives_memory_back),
        cmocka_unit_test(any_history_finds_what_is_there),
        cmocka_unit_test(growth_is_what_room_takes),
        cmocka_unit_test(fill_on_threads_maps_all),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
