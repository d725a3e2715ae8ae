/* Heap and address space: limits, counting, failing.  Neither needs threads,
 * so that a bare context will do. */
#include "support/fault.h"
#include "support/scroll.h"
#include "support/test.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 2 << 20 }; /* spaces are opened in steps of a huge page */

static bool is_zero(const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i])
            return false;
    return true;
}

/* ---- heap -------------------------------------------------------------- */

static void alloc_is_zeroed_and_counted(void **state)
{
    hy_ctx ctx = { .may_alloc = NULL };
    (void)state;
    unsigned char *p = base_alloc(&ctx, 1000, 7);
    assert_non_null(p);
    assert_true(is_zero(p, 7000));
    assert_int_equal(ctx.bytes, 7000);
    base_free(&ctx, p);
    assert_int_equal(ctx.bytes, 0);
}

/* Large blocks that were freed come back; nobody can tell. */
static void blocks_used_again_are_as_new(void **state)
{
    enum { BLOCKS = 12, LEAST = 1 << 20 };
    (void)state;
    hy_ctx ctx = { 0 };
    for (size_t round = 0; round < 3; round++) {
        char *block[BLOCKS];
        uint64_t bytes = 0;
        for (size_t i = 0; i < BLOCKS; i++) {
            const size_t n = LEAST + i * 300000 + round;
            block[i] = base_alloc(&ctx, n, 1);
            assert_non_null(block[i]);
            bytes += n;
            for (size_t k = 0; k < n; k += 1000)
                assert_int_equal(block[i][k], 0);
            assert_int_equal(block[i][n - 1], 0);
            memset(block[i], 1, n);
        }
        assert_int_equal(atomic_load(&ctx.bytes), bytes);
        for (size_t i = 0; i < BLOCKS; i++)
            base_free(&ctx, block[i]);
        assert_int_equal(atomic_load(&ctx.bytes), 0);
    }
    base_trim(&ctx);
}

static void alloc_is_aligned_for_vectors(void **state)
{
    hy_ctx ctx = { .may_alloc = NULL };
    (void)state;
    for (size_t n = 1; n < 100; n++) {
        void *p = base_alloc_raw(&ctx, n, 1);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % 16, 0);
        memset(p, 1, n);
        base_free(&ctx, p);
    }
    assert_int_equal(ctx.bytes, 0);
}

static void alloc_past_the_largest_size_fails(void **state)
{
    static const size_t sizes[][2] = {
        { SIZE_MAX, 1 },     { SIZE_MAX / 2 + 1, 2 }, { SIZE_MAX / 8 + 2, 8 },
        { 8, SIZE_MAX / 8 }, { SIZE_MAX, SIZE_MAX },  { SIZE_MAX - 8, 1 },
    };
    hy_ctx ctx = { .may_alloc = NULL };
    (void)state;
    void *p = base_alloc(&ctx, 10, 10);
    assert_non_null(p);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_null(base_alloc(&ctx, sizes[i][0], sizes[i][1]));
        assert_true(strlen(hy_error_text()) > 0);
        assert_null(base_alloc_raw(&ctx, sizes[i][0], sizes[i][1]));
        assert_null(base_resize(&ctx, p, sizes[i][0], sizes[i][1]));
        assert_int_equal(ctx.bytes, 100);
    }
    base_free(&ctx, p);
    assert_int_equal(ctx.bytes, 0);
}

static void alloc_of_nothing_is_a_block(void **state)
{
    hy_ctx ctx = { .may_alloc = NULL };
    (void)state;
    void *p = base_alloc(&ctx, 0, 8), *q = base_alloc(&ctx, 8, 0);
    assert_true(p && q && p != q);
    assert_int_equal(ctx.bytes, 0);
    base_free(&ctx, p);
    base_free(&ctx, q);
    base_free(&ctx, NULL);
    assert_int_equal(ctx.bytes, 0);
}

static void resize_keeps_what_was_there(void **state)
{
    hy_ctx ctx = { .may_alloc = NULL };
    (void)state;
    uint32_t *p = base_resize(&ctx, NULL, 10, sizeof *p);
    assert_non_null(p);
    for (uint32_t i = 0; i < 10; i++)
        p[i] = i;
    p = base_resize(&ctx, p, 100000, sizeof *p);
    assert_non_null(p);
    assert_int_equal(ctx.bytes, 400000);
    p = base_resize(&ctx, p, 5, sizeof *p);
    assert_non_null(p);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(p[i], i);
    assert_int_equal(ctx.bytes, 20);
    base_free(&ctx, p);
    assert_int_equal(ctx.bytes, 0);
}

static void heap_that_may_not_grow_stays_as_it_was(void **state)
{
    struct fault fault = { .is_lasting = true };
    hy_ctx ctx = { .may_alloc = fault_may_alloc, .user = &fault };
    (void)state;
    uint32_t *p = base_alloc(&ctx, 4, sizeof *p);
    assert_non_null(p);
    p[3] = 7;
    fault_arm(&fault, 1);
    assert_null(base_alloc(&ctx, 1, 1));
    assert_null(base_alloc_raw(&ctx, 1, 1));
    assert_null(base_resize(&ctx, p, 1000, sizeof *p));
    assert_true(fault_disarm(&fault));
    assert_int_equal(p[3], 7);
    assert_int_equal(ctx.bytes, 16);
    base_free(&ctx, p);
    assert_int_equal(ctx.bytes, 0);
}

/* ---- spaces ------------------------------------------------------------ */

static void space_is_usable_as_far_as_it_grew(void **state)
{
    hy_ctx ctx = { .may_alloc = NULL };
    struct base_space space = { 0 };
    (void)state;
    assert_int_equal(base_space_init(&ctx, &space, 16 * STEP, STEP), HY_OK);
    assert_true(space.reserved >= 16 * STEP);
    assert_int_equal(space.usable, 0);
    assert_int_equal((uintptr_t)space.base % STEP, 0);
    char *const base = space.base;
    for (size_t bytes = 1; bytes <= space.reserved; bytes += STEP / 2) {
        assert_int_equal(base_space_grow(&ctx, &space, bytes), HY_OK);
        assert_ptr_equal(space.base, base);
        assert_true(space.usable >= bytes && space.usable <= space.reserved);
        assert_int_equal(base[bytes - 1], 0);
        base[bytes - 1] = 1;
    }
    assert_int_equal(base[0], 1);
    base_space_fini(&ctx, &space);
    assert_null(space.base);
    assert_int_equal(ctx.bytes, 0);
}

static void space_counts_what_may_be_touched(void **state)
{
    hy_ctx ctx = { .may_alloc = NULL };
    struct base_space space = { 0 };
    (void)state;
    assert_int_equal(base_space_init(&ctx, &space, 8 * STEP, STEP), HY_OK);
    assert_int_equal(ctx.bytes, 0);
    assert_int_equal(base_space_grow(&ctx, &space, 3 * STEP), HY_OK);
    assert_int_equal(ctx.bytes, space.usable);
    base_space_fini(&ctx, &space);
    assert_int_equal(ctx.bytes, 0);
}

static void space_past_its_end_is_full(void **state)
{
    hy_ctx ctx = { .may_alloc = NULL };
    struct base_space space = { 0 };
    (void)state;
    assert_int_equal(base_space_init(&ctx, &space, 4 * STEP, STEP), HY_OK);
    assert_int_equal(base_space_grow(&ctx, &space, STEP), HY_OK);
    const size_t usable = space.usable;
    assert_int_equal(base_space_grow(&ctx, &space, space.reserved + 1),
                     HY_EFULL);
    assert_int_equal(base_space_grow(&ctx, &space, SIZE_MAX), HY_EFULL);
    assert_int_equal(space.usable, usable);
    assert_int_equal(base_space_grow(&ctx, &space, space.reserved), HY_OK);
    assert_int_equal(space.usable, space.reserved);
    space.base[space.reserved - 1] = 1;
    base_space_fini(&ctx, &space);
}

static void space_takes_less_where_there_is_less(void **state)
{
    const size_t huge = (size_t)1 << 62; /* beyond any address */
    hy_ctx ctx = { .may_alloc = NULL };
    struct base_space space = { 0 };
    (void)state;
    assert_int_equal(base_space_init(&ctx, &space, huge, STEP), HY_OK);
    assert_true(space.reserved >= STEP && space.reserved < huge);
    base_space_fini(&ctx, &space);
    assert_int_equal(base_space_init(&ctx, &space, huge, huge), HY_ENOMEM);
    assert_int_equal(base_space_init(&ctx, &space, SIZE_MAX, SIZE_MAX),
                     HY_ENOMEM);
    assert_null(space.base);
}

static void space_that_may_not_grow_stays_as_it_was(void **state)
{
    struct fault fault = { .is_lasting = true };
    hy_ctx ctx = { .may_alloc = fault_may_alloc, .user = &fault };
    struct base_space space = { 0 };
    (void)state;
    fault_arm(&fault, 1);
    assert_int_equal(base_space_init(&ctx, &space, STEP, STEP), HY_ENOMEM);
    assert_null(space.base);
    assert_true(fault_disarm(&fault));
    assert_int_equal(base_space_init(&ctx, &space, 8 * STEP, STEP), HY_OK);
    assert_int_equal(base_space_grow(&ctx, &space, 1), HY_OK);
    const size_t usable = space.usable;
    fault_arm(&fault, 1);
    assert_int_equal(base_space_grow(&ctx, &space, usable), HY_OK);
    assert_int_equal(base_space_grow(&ctx, &space, usable + 1), HY_ENOMEM);
    assert_true(fault_disarm(&fault));
    assert_int_equal(space.usable, usable);
    assert_int_equal(ctx.bytes, usable);
    base_space_fini(&ctx, &space);
    assert_int_equal(ctx.bytes, 0);
}

static void space_never_made_may_be_ended(void **state)
{
    hy_ctx ctx = { .may_alloc = NULL };
    struct base_space space = { 0 };
    (void)state;
    base_space_fini(&ctx, &space);
    assert_int_equal(ctx.bytes, 0);
}

static void space_of_a_file_is_private_and_not_counted(void **state)
{
    hy_ctx ctx = { .may_alloc = NULL };
    struct base_space space = { 0 };
    struct scroll S;
    char text[8192];
    (void)state;
    memset(text, 'x', sizeof text);
    scroll_init(&S);
    assert_int_equal(scroll_put(&S, text, sizeof text), HY_OK);
    assert_int_equal(base_space_init(&ctx, &space, 2 * STEP, STEP), HY_OK);
    assert_int_equal(base_space_map(&ctx, &space, S.fd, 4096, 3 * STEP),
                     HY_EFULL);
    assert_int_equal(base_space_map(&ctx, &space, S.fd, 4096, 4096), HY_OK);
    assert_int_equal(ctx.bytes, 0);
    assert_memory_equal(space.base, text, 4096);
    space.base[0] = 'y';
    assert_int_equal(base_space_grow(&ctx, &space, STEP), HY_OK);
    assert_true(is_zero((unsigned char *)space.base + 4096, STEP - 4096));
    space.base[4096] = 'z';
    unsigned char *bytes = scroll_bytes(&S);
    assert_memory_equal(bytes, text, sizeof text);
    free(bytes);
    base_space_fini(&ctx, &space);
    assert_int_equal(ctx.bytes, 0);
    scroll_fini(&S);
}

static void space_reads_a_file_from_between_pages(void **state)
{
    hy_ctx ctx = { .may_alloc = NULL };
    struct base_space space = { 0 };
    struct scroll S;
    (void)state;
    scroll_init(&S);
    assert_int_equal(scroll_put(&S, "0123456789", 10), HY_OK);
    assert_int_equal(base_space_init(&ctx, &space, STEP, STEP), HY_OK);
    assert_int_equal(base_space_map(&ctx, &space, S.fd, 3, 8), HY_EIO);
    base_space_fini(&ctx, &space);
    assert_int_equal(base_space_init(&ctx, &space, STEP, STEP), HY_OK);
    assert_int_equal(base_space_map(&ctx, &space, S.fd, 3, 7), HY_OK);
    assert_memory_equal(space.base, "3456789", 7);
    base_space_fini(&ctx, &space);
    assert_int_equal(ctx.bytes, 0);
    scroll_fini(&S);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alloc_is_zeroed_and_counted),
        cmocka_unit_test(blocks_used_again_are_as_new),
        cmocka_unit_test(alloc_is_aligned_for_vectors),
        cmocka_unit_test(alloc_past_the_largest_size_fails),
        cmocka_unit_test(alloc_of_nothing_is_a_block),
        cmocka_unit_test(resize_keeps_what_was_there),
        cmocka_unit_test(heap_that_may_not_grow_stays_as_it_was),
        cmocka_unit_test(space_is_usable_as_far_as_it_grew),
        cmocka_unit_test(space_counts_what_may_be_touched),
        cmocka_unit_test(space_past_its_end_is_full),
        cmocka_unit_test(space_takes_less_where_there_is_less),
        cmocka_unit_test(space_that_may_not_grow_stays_as_it_was),
        cmocka_unit_test(space_never_made_may_be_ended),
        cmocka_unit_test(space_of_a_file_is_private_and_not_counted),
        cmocka_unit_test(space_reads_a_file_from_between_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
