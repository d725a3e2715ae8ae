/* What every test file starts with: cmocka, and failing with a seed. */
#ifndef TESTS_TEST_H
#define TESTS_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "support/random.h"
#include "support/trial.h"

/* Fails the test unless `ok`: says what T found, its shape, its last batch
 * if that is short, and the seed of its history. */
void must(const struct trial *T, bool ok, uint64_t seed);

/* Contexts with 1, 2 and 4 threads, shared by the tests of a file. */
enum { TEST_CTXS = 3 };
hy_ctx *test_ctx(unsigned i);

/* Group setup and teardown: makes the contexts; frees them, and fails if
 * something made with one is still there. */
int test_ctxs_new(void **state);
int test_ctxs_free(void **state);

#endif
