/* Ids eight at a time, and short blocks as a whole, next to loops that go one
 * by one. */
#include "support/tens.h"

#include "store/oct.h"

#if HAS_OCTS

enum { MOST = 90, ROOM = MOST + 16 };

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
                tens_fill(id, ROOM, n,
                          v); /* what is behind the ids does not count */
                id[units * QUAD] = 77;
                assert_false(units_delete_as(id, n, v, units));
                tens_must_stay(id, n);
                assert_true(units_insert_as(id, n, v, units));
                tens_must_have(id, n, v);
                assert_false(units_insert_as(id, n + 1, v, units));
                tens_must_have(id, n, v);
                assert_true(units_delete_as(id, n + 1, v, units));
                tens_must_stay(id, n);
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
                tens_fill(id, ROOM, n, v);
                assert_true(octs_insert_as(id, n, v, start));
                tens_must_have(id, n, v);
                assert_int_equal(id[n / QUAD * QUAD + QUAD], v);
            }
}

static void octs_insert_into_another_block(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < MOST; n++)
        for (uint32_t i = 0; i <= n; i++) {
            _Alignas(UNIT) hy_vid id[ROOM], to[ROOM];
            tens_fill(id, ROOM, n, 10 * i + 5);
            tens_fill(to, ROOM, 0, 77);
            assert_true(octs_insert_into_as(to, id, n, 10 * i + 5));
            tens_must_have(to, n, 10 * i + 5);
            assert_int_equal(to[n / QUAD * QUAD + QUAD], 77);
            tens_must_stay(id, n);
        }
}

static void octs_insert_of_what_is_there_is_undone(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < MOST; n++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t start = 0; start <= n / OCT; start++) {
                _Alignas(UNIT) hy_vid id[ROOM];
                tens_fill(id, ROOM, n, HY_NONE);
                assert_false(octs_insert_as(id, n, 10 * (i + 1), start));
                tens_must_stay(id, n);
            }
}

static void octs_delete_keeps_the_others(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < MOST; n++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t start = 0; start <= n / OCT; start++) {
                _Alignas(UNIT) hy_vid id[ROOM];
                tens_fill(id, ROOM, n, 10 * n + 5);
                assert_false(octs_delete_as(id, n, 10 * i + 5, start));
                assert_false(octs_delete_as(id, n, 10 * n + 5, start));
                tens_must_stay(id, n);
                assert_true(octs_delete_as(id, n, 10 * (i + 1), start));
                tens_must_lack(id, n, i);
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
