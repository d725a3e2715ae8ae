#include "support/test.h"

#include <inttypes.h>
#include <stdio.h>

static hy_ctx *ctxs[TEST_CTXS];

hy_ctx *test_ctx(unsigned i)
{
    return ctxs[i % TEST_CTXS];
}

int test_ctxs_new(void **state)
{
    (void)state;
    (void)test_seed();
    for (unsigned i = 0; i < TEST_CTXS; i++) {
        const hy_ctx_opts opts = { .threads = 1u << i };
        if (hy_ctx_new(&opts, &ctxs[i]) != HY_OK)
            return 1;
    }
    return 0;
}

int test_ctxs_free(void **state)
{
    int leaks = 0;
    (void)state;
    for (unsigned i = 0; i < TEST_CTXS; i++) {
        leaks += hy_ctx_bytes(ctxs[i]) != 0;
        hy_ctx_free(ctxs[i]);
        ctxs[i] = NULL;
    }
    return leaks;
}

void must(const struct trial *T, bool ok, uint64_t seed)
{
    enum { SHORT = 64 };
    if (ok)
        return;
    (void)fprintf(stderr, "%s\nshape: %s; threads: %" PRIu32 "\n", T->why.text,
                  shape_text(&T->opts), hy_ctx_threads(T->ctx));
    (void)fprintf(stderr, "last batch: %zu lines\n", T->lines.n);
    if (T->lines.n <= SHORT)
        lines_print(&T->lines);
    fail_msg("run it again first: HYPHA_TEST_SEED=0x%" PRIx64, seed);
}

/* ---- leaks --------------------------------------------------------------- */

/* Asked by the leak sanitizer.  PoCL compiles kernels in this process, and
 * LLVM keeps some of what it allocates for that. */
__attribute__((visibility("default"))) const char *
__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libLLVM\nleak:libclang-cpp\nleak:libpocl\n";
}
