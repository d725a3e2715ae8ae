/* Ids eight at a time, and short blocks as a whole, next to loops that go one
 * by one. */
#include "support/test.h"

#include "store/oct.h"

#if HAS_OCTS

enum { MOST = 90, ROOM = MOST + 16 };

/* Ids 10, 20, ..., and behind them what a block may hold there. */
static void fill(hy_vid *id, uint32_t n, hy_vid behind)
{
    for (uint32_t i = 0; i < ROOM; i++)
        id[i] = i < n ? 10 * (i + 1) : behind;
}

static void check_inserted(const hy_vid *id, uint32_t n, hy_vid v)
{
    uint32_t below = 0;
    for (uint32_t i = 0; i < n; i++)
        below += 10 * (i + 1) < v;
    for (uint32_t i = 0; i <= n; i++) {
        const hy_vid want = i < below ? 10 * (i + 1) : i == below ? v : 10 * i;
        assert_int_equal(id[i], want);
    }
}

static void check_deleted(const hy_vid *id, uint32_t n, uint32_t i)
{
    for (uint32_t j = 0; j + 1 < n; j++)
        assert_int_equal(id[j], 10 * (j + 1 + (j >= i)));
}

static void check_same(const hy_vid *id, uint32_t n)
{
    for (uint32_t j = 0; j < n; j++)
        assert_int_equal(id[j], 10 * (j + 1));
}

HY_AVX2
static bool units_insert_as(hy_vid *id, uint32_t n, hy_vid v, uint32_t units)
{
    return units_insert(id, n, v, units);
}

HY_AVX2
static bool units_delete_as(hy_vid *id, uint32_t n, hy_vid v, uint32_t units)
{
    return units_delete(id, n, v, units);
}

HY_AVX2
static bool octs_insert_as(hy_vid *id, uint32_t n, hy_vid v, uint32_t start)
{
    return octs_insert(id, n, v, start);
}

HY_AVX2
static bool octs_delete_as(hy_vid *id, uint32_t n, hy_vid v, uint32_t start)
{
    return octs_delete(id, n, v, start);
}

HY_AVX2
static bool octs_insert_into_as(hy_vid *to, const hy_vid *id, uint32_t n,
                                hy_vid v)
{
    return octs_insert_into(to, id, n, v, 0);
}

/* Blocks of so many units, whatever fills them, and nothing behind them. */
static void short_blocks_are_edited_within(void **state)
{
    (void)state;
    for (uint32_t units = 1; units <= UNITS_FEW; units++)
        for (uint32_t n = 0; n < units * QUAD; n++)
            for (uint32_t i = 0; i <= n; i++) {
                _Alignas(UNIT) hy_vid id[ROOM];
                const hy_vid v = 10 * i + 5;
                fill(id, n, v); /* what is behind the ids does not count */
                id[units * QUAD] = 77;
                assert_false(units_delete_as(id, n, v, units));
                check_same(id, n);
                assert_true(units_insert_as(id, n, v, units));
                check_inserted(id, n, v);
                assert_false(units_insert_as(id, n + 1, v, units));
                check_inserted(id, n, v);
                assert_true(units_delete_as(id, n + 1, v, units));
                check_same(id, n);
                assert_int_equal(id[units * QUAD], 77);
            }
}

static void octs_insert_keeps_order(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < MOST; n++)
        for (uint32_t i = 0; i <= n; i++)
            for (uint32_t start = 0; start <= n / OCT; start++) {
                _Alignas(UNIT) hy_vid id[ROOM];
                const hy_vid v = 10 * i + 5;
                fill(id, n, v);
                assert_true(octs_insert_as(id, n, v, start));
                check_inserted(id, n, v);
                assert_int_equal(id[n / QUAD * QUAD + QUAD], v);
            }
}

static void octs_insert_into_another_block(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < MOST; n++)
        for (uint32_t i = 0; i <= n; i++) {
            _Alignas(UNIT) hy_vid id[ROOM], to[ROOM];
            fill(id, n, 10 * i + 5);
            fill(to, 0, 77);
            assert_true(octs_insert_into_as(to, id, n, 10 * i + 5));
            check_inserted(to, n, 10 * i + 5);
            assert_int_equal(to[n / QUAD * QUAD + QUAD], 77);
            check_same(id, n);
        }
}

static void octs_insert_of_what_is_there_is_undone(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < MOST; n++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t start = 0; start <= n / OCT; start++) {
                _Alignas(UNIT) hy_vid id[ROOM];
                fill(id, n, HY_NONE);
                assert_false(octs_insert_as(id, n, 10 * (i + 1), start));
                check_same(id, n);
            }
}

static void octs_delete_keeps_the_others(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < MOST; n++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t start = 0; start <= n / OCT; start++) {
                _Alignas(UNIT) hy_vid id[ROOM];
                fill(id, n, 10 * n + 5);
                assert_false(octs_delete_as(id, n, 10 * i + 5, start));
                assert_false(octs_delete_as(id, n, 10 * n + 5, start));
                check_same(id, n);
                assert_true(octs_delete_as(id, n, 10 * (i + 1), start));
                check_deleted(id, n, i);
            }
}

static void order_is_of_unsigned_ids(void **state)
{
    _Alignas(UNIT) hy_vid id[ROOM] = { 1, 0x7fffffff, 0x80000000, 0xfffffff0 };
    (void)state;
    assert_true(units_insert_as(id, 4, 0x80000001, 2));
    assert_int_equal(id[3], 0x80000001);
    assert_int_equal(id[4], 0xfffffff0);
    assert_true(octs_insert_as(id, 5, 0x7ffffff0, 0));
    assert_int_equal(id[1], 0x7ffffff0);
    assert_int_equal(id[5], 0xfffffff0);
    assert_true(octs_delete_as(id, 6, 0x80000000, 0));
    assert_int_equal(id[3], 0x80000001);
    assert_int_equal(id[4], 0xfffffff0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_blocks_are_edited_within),
        cmocka_unit_test(octs_insert_keeps_order),
        cmocka_unit_test(octs_insert_into_another_block),
        cmocka_unit_test(octs_insert_of_what_is_there_is_undone),
        cmocka_unit_test(octs_delete_keeps_the_others),
        cmocka_unit_test(order_is_of_unsigned_ids),
    };
    if (!HY_HAS_AVX2()) {
        print_message("no AVX2 here\n");
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
