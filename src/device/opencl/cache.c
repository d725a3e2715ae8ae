/* A program is a file, written under another name first, so that it is there
 * as a whole or not at all:
 *
 *   bytes 0 .. 7    "HYKERN1\0"
 *         8 .. 15   length of the binary
 *        16 .. 23   its sum
 *        24 ..      the binary, as the driver gave it
 *
 * Whatever goes wrong, the program is built from its text, and not kept.
 */
#include "device/opencl/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096, MOST_BYTES = 64 << 20 };

struct head {
    char magic[8];
    uint64_t bytes, sum;
};

static const char magic[8] = "HYKERN1";

/* ---- sums ---------------------------------------------------------------- */

/* Odd; the first is FNV-1a's. */
static const uint64_t prime[2] = { UINT64_C(0x100000001b3),
                                   UINT64_C(0x9e3779b97f4a7c15) };

static uint64_t add_bytes(uint64_t sum, uint64_t factor, const void *at,
                          size_t n)
{
    const unsigned char *const bytes = at;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ bytes[i]) * factor;
    return sum;
}

static void add_text(struct cache_key *key, const char *text)
{
    for (int i = 0; i < 2; i++)
        key->sum[i] = add_bytes(key->sum[i], prime[i], text, strlen(text) + 1);
}

struct cache_key cache_key_of(const struct opencl_api *cl, cl_device_id device,
                              const char *const *texts, size_t n)
{
    static const cl_device_info what[] = { CL_DEVICE_NAME, CL_DEVICE_VENDOR,
                                           CL_DEVICE_VERSION,
                                           CL_DRIVER_VERSION };
    struct cache_key key = { { UINT64_C(0xcbf29ce484222325), 1 } };
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        char text[256] = "";
        (void)cl->GetDeviceInfo(device, what[i], sizeof text - 1, text, NULL);
        add_text(&key, text);
    }
    for (size_t i = 0; i < n; i++)
        add_text(&key, texts[i]);
    return key;
}

/* ---- files --------------------------------------------------------------- */

static bool path_of(char path[PATH], const hy_device *D,
                    const struct cache_key *key, const char *more)
{
    if (!D->opts.cache)
        return false;
    const int n = snprintf(path, PATH, "%s/%016llx%016llx%s", D->opts.cache,
                           (unsigned long long)key->sum[0],
                           (unsigned long long)key->sum[1], more);
    return n > 0 && n < PATH;
}

/* The binary, to be freed; NULL: there is none that is whole. */
static unsigned char *read_binary(hy_ctx *ctx, FILE *from, size_t *bytes)
{
    struct head head;
    if (fread(&head, sizeof head, 1, from) != 1 ||
        memcmp(head.magic, magic, sizeof magic) != 0 || head.bytes == 0 ||
        head.bytes > MOST_BYTES)
        return NULL;
    *bytes = (size_t)head.bytes;
    unsigned char *binary = base_alloc_raw(ctx, *bytes, 1);
    if (binary && (fread(binary, 1, *bytes, from) != *bytes ||
                   add_bytes(1, prime[0], binary, *bytes) != head.sum)) {
        base_free(ctx, binary);
        binary = NULL;
    }
    return binary;
}

static bool write_all(int fd, const void *from, size_t bytes)
{
    const char *at = from;
    while (bytes) {
        const ssize_t n = write(fd, at, bytes);
        if (n <= 0)
            return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

static bool write_binary(int fd, const unsigned char *binary, size_t bytes)
{
    struct head head = { .bytes = bytes,
                         .sum = add_bytes(1, prime[0], binary, bytes) };
    memcpy(head.magic, magic, sizeof magic);
    const bool is_whole =
        write_all(fd, &head, sizeof head) && write_all(fd, binary, bytes);
    return close(fd) == 0 && is_whole;
}

static void keep(const hy_device *D, const struct cache_key *key,
                 const unsigned char *binary, size_t bytes)
{
    char path[PATH], fresh[PATH];
    if (!path_of(path, D, key, "") || !path_of(fresh, D, key, ".XXXXXX"))
        return;
    const int fd = mkstemp(fresh);
    if (fd < 0)
        return;
    if (!write_binary(fd, binary, bytes) || rename(fresh, path) != 0)
        (void)unlink(fresh);
}

/* ---- programs ------------------------------------------------------------ */

static cl_program make(const struct opencl_api *cl, cl_context context,
                       cl_device_id device, const unsigned char *binary,
                       size_t bytes)
{
    cl_int code = CL_SUCCESS, state = CL_SUCCESS;
    cl_program program = cl->CreateProgramWithBinary(
        context, 1, &device, &bytes, &binary, &state, &code);
    if (code != CL_SUCCESS)
        return NULL;
    if (state == CL_SUCCESS &&
        cl->BuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS)
        return program;
    (void)cl->ReleaseProgram(program);
    return NULL;
}

cl_program cache_load(const struct opencl_api *cl, hy_device *D,
                      cl_context context, cl_device_id device,
                      const struct cache_key *key)
{
    char path[PATH];
    FILE *const from = path_of(path, D, key, "") ? fopen(path, "rbe") : NULL;
    if (!from)
        return NULL;
    size_t bytes = 0;
    unsigned char *const binary = read_binary(D->ctx, from, &bytes);
    (void)fclose(from);
    cl_program program = NULL;
    if (binary)
        program = make(cl, context, device, binary, bytes);
    base_free(D->ctx, binary);
    return program;
}

void cache_store(const struct opencl_api *cl, hy_device *D, cl_program program,
                 const struct cache_key *key)
{
    size_t bytes = 0;
    if (!D->opts.cache ||
        cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes,
                           &bytes, NULL) != CL_SUCCESS ||
        bytes == 0 || bytes > MOST_BYTES)
        return;
    unsigned char *binary = base_alloc_raw(D->ctx, bytes, 1);
    if (binary &&
        cl->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(binary),
                           &binary, NULL) == CL_SUCCESS)
        keep(D, key, binary, bytes);
    base_free(D->ctx, binary);
}
