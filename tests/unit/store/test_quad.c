/* Ids four at a time, next to loops that go one by one. */
#include "support/tens.h"

#include "store/quad.h"

enum { MOST = 40, ROOM = MOST + 8 };

static void quads_insert_keeps_order(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < MOST; n++)
        for (uint32_t i = 0; i <= n; i++) {
            _Alignas(UNIT) hy_vid id[ROOM], to[ROOM];
            const hy_vid v = 10 * i + 5;
            tens_fill(id, ROOM, n,
                      v); /* what is behind the ids does not count */
            const quad end = quad_get(id, n / QUAD);
            assert_false(quads_insert(to, id, n, end, v));
            tens_must_have(to, n, v);
            assert_false(quads_insert(id, id, n, end, v));
            tens_must_have(id, n, v);
        }
}

static void quads_insert_tells_of_what_is_there(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < MOST; n++)
        for (uint32_t i = 0; i < n; i++) {
            _Alignas(UNIT) hy_vid id[ROOM];
            const hy_vid v = 10 * (i + 1);
            tens_fill(id, ROOM, n, HY_NONE);
            assert_true(quads_insert(id, id, n, quad_get(id, n / QUAD), v));
            quads_delete(id, n + 1, v);
            tens_must_stay(id, n);
        }
}

static void quads_delete_keeps_the_others(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < MOST; n++)
        for (uint32_t i = 0; i < n; i++) {
            _Alignas(UNIT) hy_vid id[ROOM];
            tens_fill(id, ROOM, n, 0);
            assert_true(quads_have(id, n, 10 * (i + 1)));
            quads_delete(id, n, 10 * (i + 1));
            tens_must_lack(id, n, i);
        }
}

static void long_insert_keeps_order(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < MOST; n++)
        for (uint32_t i = 0; i <= n; i++) {
            _Alignas(UNIT) hy_vid id[ROOM];
            const hy_vid v = 10 * i + 5;
            uint32_t first;
            tens_fill(id, ROOM, n, v);
            assert_false(quads_insert_long(id, n, v, &first));
            assert_int_equal(first, i / QUAD);
            tens_must_have(id, n, v);
        }
}

static void long_insert_of_what_is_there_is_undone(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < MOST; n++)
        for (uint32_t i = 0; i < n; i++) {
            _Alignas(UNIT) hy_vid id[ROOM];
            const hy_vid v = 10 * (i + 1);
            uint32_t first;
            tens_fill(id, ROOM, n, HY_NONE);
            assert_true(quads_insert_long(id, n, v, &first));
            assert_true(quads_delete_long(id, n + 1, v, &first));
            tens_must_stay(id, n);
        }
}

static void long_delete_keeps_the_others(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < MOST; n++)
        for (uint32_t i = 0; i < n; i++) {
            _Alignas(UNIT) hy_vid id[ROOM];
            uint32_t first;
            tens_fill(id, ROOM, n, 10 * n + 5);
            assert_false(quads_delete_long(id, n, 10 * i + 5, &first));
            assert_false(quads_delete_long(id, n, 10 * n + 5, &first));
            assert_true(quads_delete_long(id, n, 10 * (i + 1), &first));
            tens_must_lack(id, n, i);
        }
}

static void quads_have_looks_at_no_more(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < MOST; n++) {
        _Alignas(UNIT) hy_vid id[ROOM];
        tens_fill(id, ROOM, n, 7);
        assert_false(quads_have(id, n, 7));
        assert_false(quads_have(id, n, 15));
        assert_false(quads_have(id, n, 10 * (n + 1)));
    }
}

static void quads_order_is_of_unsigned_ids(void **state)
{
    (void)state;
    _Alignas(UNIT) hy_vid id[ROOM] = { 1, 0x7fffffff, 0x80000000, 0xfffffff0 };
    assert_false(quads_insert(id, id, 4, quad_get(id, 1), 0x80000001));
    assert_int_equal(id[3], 0x80000001);
    assert_int_equal(id[4], 0xfffffff0);
    quads_delete(id, 5, 0x80000000);
    assert_int_equal(id[2], 0x80000001);
    assert_int_equal(id[3], 0xfffffff0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quads_insert_keeps_order),
        cmocka_unit_test(quads_insert_tells_of_what_is_there),
        cmocka_unit_test(quads_delete_keeps_the_others),
        cmocka_unit_test(long_insert_keeps_order),
        cmocka_unit_test(long_insert_of_what_is_there_is_undone),
        cmocka_unit_test(long_delete_keeps_the_others),
        cmocka_unit_test(quads_have_looks_at_no_more),
        cmocka_unit_test(quads_order_is_of_unsigned_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
