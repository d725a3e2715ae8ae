/* Kernels that were built are found again, and nothing but themselves. */
#include "support/small.h"

#include <hypha/hypha.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N = 50, PATH = 512 };

static bool count_call(void *user)
{
    ++*(uint64_t *)user;
    return true;
}

/* A product on the device; how often the driver was called. */
static uint64_t ask(const char *folder)
{
    hy_graph *const G = small_graph(NULL, N);
    uint64_t calls = 0;
    const hy_device_opts opts = { .may_call = count_call,
                                  .user = &calls,
                                  .cache = folder };
    hy_device *D = NULL;
    double x[N], y[N];
    for (uint64_t u = 0; u < N; u++)
        x[u] = (double)u;
    for (uint64_t u = 0; u + 1 < N; u++)
        (void)small_insert(G, u, u + 1, NULL);
    assert_int_equal(hy_device_open(hy_graph_ctx(G), "1", &opts, &D), HY_OK);
    const hy_spmv_opts on = { .device = D };
    assert_int_equal(hy_spmv(hy_graph_now(G), &on, x, y), HY_OK);
    for (uint64_t u = 0; u < N; u++)
        assert_true(y[u] == (u + 1 < N ? (double)u + 1 : 0));
    hy_device_close(D);
    small_free(G);
    return calls;
}

/* Of each file: cut it, spoil a byte of it, or remove it. */
enum damage { CUT, SPOIL, REMOVE };

static size_t damage_all(const char *folder, enum damage how)
{
    DIR *const dir = opendir(folder);
    assert_non_null(dir);
    size_t n = 0;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char path[PATH];
        if (e->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        n++;
        if (how == CUT)
            assert_int_equal(truncate(path, 100), 0);
        if (how == REMOVE)
            assert_int_equal(unlink(path), 0);
        if (how != SPOIL)
            continue;
        FILE *const f = fopen(path, "r+b");
        assert_non_null(f);
        assert_int_equal(fseek(f, 1000, SEEK_SET), 0);
        const int c = fgetc(f);
        assert_int_equal(fseek(f, 1000, SEEK_SET), 0);
        assert_true(fputc(c ^ 1, f) != EOF);
        assert_int_equal(fclose(f), 0);
    }
    (void)closedir(dir);
    return n;
}

static void kernels_are_found_again(void **state)
{
    (void)state;
    uint32_t n = 0;
    assert_int_equal(hy_devices(test_ctx(0), 0, NULL, &n), HY_OK);
    if (n < 2)
        skip();
    char folder[] = "/tmp/hypha-cache-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const uint64_t built = ask(folder), found = ask(folder);
    assert_true(found < built);
    assert_true(ask(folder) == found);
    assert_true(damage_all(folder, CUT) > 0);
    assert_true(ask(folder) == built);
    assert_true(ask(folder) == found);
    (void)damage_all(folder, SPOIL);
    assert_true(ask(folder) == built);
    (void)damage_all(folder, REMOVE);
    assert_int_equal(rmdir(folder), 0);
    assert_true(ask(folder) == built);
    assert_true(ask(folder) == built);
    assert_true(ask(NULL) == built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_found_again),
    };
    return cmocka_run_group_tests(tests, test_ctxs_new, test_ctxs_free);
}
