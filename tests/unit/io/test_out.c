/* Files that appear whole or not at all. */
#include "io/source.h"

#include "support/folder.h"
#include "support/test.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct folder F;

static int setup(void **state)
{
    folder_init(&F);
    return test_ctxs_new(state);
}

static int teardown(void **state)
{
    folder_fini(&F);
    return test_ctxs_free(state);
}

static void assert_content(const char *path, const char *text)
{
    size_t n;
    char *bytes = file_read(path, &n);
    assert_non_null(bytes);
    assert_string_equal(bytes, text);
    free(bytes);
}

static void put_text(const char *path, const char *text)
{
    hy_out *O;
    assert_int_equal(hy_out_open(test_ctx(1), path, &O), HY_OK);
    assert_int_equal(hy_out_put(O, text, strlen(text)), HY_OK);
    assert_int_equal(hy_out_close(O), HY_OK);
}

static void a_file_appears_when_closed(void **state)
{
    const char *path = folder_file(&F, "x.txt");
    hy_out *O;
    (void)state;
    assert_int_equal(hy_out_open(test_ctx(0), path, &O), HY_OK);
    assert_int_equal(hy_out_put(O, "hello\n", 6), HY_OK);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(hy_out_close(O), HY_OK);
    assert_content(path, "hello\n");
    assert_int_equal(folder_count(&F), 1);
    assert_int_equal(unlink(path), 0);
}

static void a_dropped_file_leaves_the_old_one(void **state)
{
    const char *path = folder_file(&F, "x.txt");
    hy_out *O;
    (void)state;
    file_write(path, "old");
    assert_int_equal(hy_out_open(test_ctx(0), path, &O), HY_OK);
    assert_int_equal(hy_out_put(O, "new", 3), HY_OK);
    hy_out_drop(O);
    hy_out_drop(NULL);
    assert_content(path, "old");
    assert_int_equal(folder_count(&F), 1);
    assert_int_equal(unlink(path), 0);
}

static void permissions_stay(void **state)
{
    const char *path = folder_file(&F, "x.txt");
    struct stat about;
    (void)state;
    file_write(path, "old");
    assert_int_equal(chmod(path, 0640), 0);
    put_text(path, "new");
    assert_content(path, "new");
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 07777, 0640);
    assert_int_equal(unlink(path), 0);
}

static void links_stay_links(void **state)
{
    const char *file = folder_file(&F, "file");
    const char *near = folder_file(&F, "near");
    const char *far = folder_file(&F, "far");
    struct stat about;
    (void)state;
    assert_int_equal(symlink("file", near), 0);
    assert_int_equal(symlink(near, far), 0);
    for (unsigned i = 0; i < 2; i++) { /* to nothing, then to a file */
        put_text(far, i ? "two" : "one");
        assert_content(file, i ? "two" : "one");
        assert_int_equal(lstat(far, &about), 0);
        assert_true(S_ISLNK(about.st_mode));
    }
    assert_int_equal(folder_count(&F), 3);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(unlink(near), 0);
    assert_int_equal(symlink("far", near), 0);
    hy_out *O;
    assert_int_equal(hy_out_open(test_ctx(0), far, &O), HY_EIO);
    assert_int_equal(unlink(near), 0);
    assert_int_equal(unlink(far), 0);
}

static void *read_fifo(void *path)
{
    size_t n;
    return file_read(path, &n);
}

static void other_than_files_are_written_as_they_stand(void **state)
{
    const char *fifo = folder_file(&F, "fifo");
    pthread_t reader;
    void *text;
    (void)state;
    put_text("/dev/null", "nothing");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(
        pthread_create(&reader, NULL, read_fifo, (void *)(uintptr_t)fifo), 0);
    put_text(fifo, "through");
    assert_int_equal(pthread_join(reader, &text), 0);
    assert_string_equal(text, "through");
    free(text);
    assert_int_equal(unlink(fifo), 0);
}

/* Standard output is a file here: it gets the bytes where it stands. */
static void standard_output_is_written(void **state)
{
    const char *path = folder_file(&F, "stdout");
    const int keep = dup(STDOUT_FILENO);
    const int fd = open(path, O_WRONLY | O_CREAT, 0600);
    (void)state;
    assert_true(dup2(fd, STDOUT_FILENO) >= 0);
    put_text("-", "one ");
    put_text("/dev/stdout", "two");
    assert_true(dup2(keep, STDOUT_FILENO) >= 0);
    (void)close(fd);
    (void)close(keep);
    assert_content(path, "one two");
    assert_int_equal(unlink(path), 0);
}

static void failures_say_why_and_stick(void **state)
{
    static char many[3 << 20];
    hy_out *O;
    (void)state;
    assert_int_equal(hy_out_open(test_ctx(0), "/nowhere/x", &O), HY_EIO);
    assert_non_null(strstr(hy_error_text(), "/nowhere/x"));
    assert_int_equal(hy_out_open(test_ctx(0), "/tmp", &O), HY_EIO);
    assert_int_equal(hy_out_open(test_ctx(0), "/dev/full", &O), HY_OK);
    assert_int_equal(hy_out_put(O, many, sizeof many), HY_EIO);
    assert_int_equal(hy_out_put(O, many, 1), HY_EIO);
    assert_int_equal(hy_out_close(O), HY_EIO);
    assert_non_null(strstr(hy_error_text(), "No space left"));
    assert_int_equal(hy_out_open(test_ctx(0), "/dev/full", &O), HY_OK);
    assert_int_equal(hy_out_put(O, many, 1), HY_OK);
    assert_int_equal(hy_out_close(O), HY_EIO);
    assert_int_equal(hy_out_open(NULL, "x", &O), HY_EINVAL);
    assert_int_equal(hy_out_close(NULL), HY_EINVAL);
}

/* ---- packed ----------------------------------------------------------------
 */

static char *unpack(const char *path, size_t n)
{
    struct io_source *S;
    char *bytes = malloc(n + 1);
    size_t got;
    assert_non_null(bytes);
    assert_int_equal(io_source_open(test_ctx(0), path, 0, &S), HY_OK);
    assert_int_equal(io_source_read(S, bytes, n + 1, &got), HY_OK);
    assert_int_equal(got, n);
    io_source_close(S);
    return bytes;
}

static void assert_packs(const char *name, size_t n)
{
    const char *path = folder_file(&F, name);
    char *text = malloc(n + 1), *first = NULL;
    size_t n_first = 0;
    for (size_t i = 0; i < n; i++)
        text[i] = (char)('a' + i * i % 26);
    for (unsigned t = 0; t < TEST_CTXS; t++) {
        hy_out *O;
        const hy_status status = hy_out_open(test_ctx(t), path, &O);
        if (status == HY_ENOTSUP)
            break;
        assert_int_equal(status, HY_OK);
        for (size_t i = 0; i < n; i += 70001)
            assert_int_equal(
                hy_out_put(O, text + i, n - i < 70001 ? n - i : 70001), HY_OK);
        assert_int_equal(hy_out_close(O), HY_OK);
        char *back = unpack(path, n);
        assert_memory_equal(back, text, n);
        free(back);
        size_t n_bytes;
        char *bytes = file_read(path, &n_bytes);
        assert_true(n < 1000 || n_bytes < n);
        if (first) { /* the same bytes on any number of threads */
            assert_int_equal(n_bytes, n_first);
            assert_memory_equal(bytes, first, n_first);
        }
        free(first);
        first = bytes;
        n_first = n_bytes;
        assert_int_equal(unlink(path), 0);
    }
    free(first);
    free(text);
}

static void packed_files_unpack(void **state)
{
    static const size_t sizes[] = { 0, 1, 1000, 1 << 20, 5000000 };
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_packs("x.gz", sizes[i]);
        assert_packs("x.zst", sizes[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_appears_when_closed),
        cmocka_unit_test(a_dropped_file_leaves_the_old_one),
        cmocka_unit_test(permissions_stay),
        cmocka_unit_test(links_stay_links),
        cmocka_unit_test(other_than_files_are_written_as_they_stand),
        cmocka_unit_test(standard_output_is_written),
        cmocka_unit_test(failures_say_why_and_stick),
        cmocka_unit_test(packed_files_unpack),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
