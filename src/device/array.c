/* Arrays on both sides: the plan is in array.h. */
#include "device/array.h"

#include "base/bits.h"

#include <string.h>

enum { WORD = 64, PAGE = 4096 };

static size_t pages_of(size_t bytes)
{
    return bits_div_up(bytes, PAGE);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* ---- there --------------------------------------------------------------- */

static bool is_noted(const hy_array *A, size_t page)
{
    return A->noted[page / WORD] >> (page % WORD) & 1;
}

/* Pages first .. end of what the device has. */
static hy_status send(const hy_array *A, size_t first, size_t end)
{
    const size_t at = first * PAGE, to = least(end * PAGE, A->there_bytes);
    return device_write(A->D, &A->there, at, to - at, A->here + at);
}

/* Runs of noted pages, each at once. */
static hy_status send_noted(hy_array *A)
{
    const size_t pages = pages_of(A->there_bytes);
    for (size_t p = 0; p < pages;) {
        if (!A->noted[p / WORD]) {
            p = (p / WORD + 1) * WORD;
            continue;
        }
        size_t end = p;
        while (end < pages && is_noted(A, end))
            end++;
        if (end > p)
            HY_TRY(send(A, p, end));
        p = end + 1;
    }
    memset(A->noted, 0, bits_div_up(pages, WORD) * sizeof *A->noted);
    return HY_OK;
}

/* Room for all; what is new there is 0, as it was here. */
static hy_status grow_there(hy_array *A)
{
    if (A->there_bytes == A->bytes)
        return HY_OK;
    HY_TRY(device_grow(A->D, &A->there, A->bytes));
    HY_TRY(device_fill(A->D, &A->there, A->there_bytes,
                       A->bytes - A->there_bytes, 0));
    A->there_bytes = A->bytes;
    return HY_OK;
}

hy_status array_bring(hy_array *A)
{
    HY_TRY(grow_there(A));
    return A->is_newer_there ? HY_OK : send_noted(A);
}

/* ---- here ---------------------------------------------------------------- */

static hy_status fetch(hy_array *A)
{
    if (!A->is_newer_there)
        return HY_OK;
    HY_TRY(device_read(A->D, &A->there, 0, A->there_bytes, A->here));
    A->is_newer_there = false;
    return HY_OK;
}

hy_status hy_array_read(hy_array *A, const void **at)
{
    if (!A || !at)
        return base_fail(HY_EINVAL, "no array to read");
    HY_TRY(fetch(A));
    *at = A->here;
    return HY_OK;
}

static void note(hy_array *A, size_t at, size_t end)
{
    for (size_t p = at / PAGE; p < pages_of(end); p++)
        A->noted[p / WORD] |= (uint64_t)1 << (p % WORD);
}

hy_status hy_array_write(hy_array *A, uint64_t first, uint64_t n, void **at)
{
    if (!A || !at)
        return base_fail(HY_EINVAL, "no array to write");
    if (first > A->n || n > A->n - first)
        return base_fail(HY_EINVAL,
                         "an array of %llu has no entries %llu..%llu",
                         (unsigned long long)A->n, (unsigned long long)first,
                         (unsigned long long)(first + n));
    const size_t width = hy_type_width(A->type);
    HY_TRY(fetch(A)); /* what is not written stays, and is sent with it */
    note(A, first * width, n ? (first + n) * width : 0);
    *at = A->here + first * width;
    return HY_OK;
}

/* ---- life ---------------------------------------------------------------- */

static hy_status grow_here(hy_array *A, size_t bytes)
{
    hy_ctx *const ctx = A->D->ctx;
    const size_t old = bits_div_up(pages_of(A->bytes), WORD);
    const size_t words = bits_div_up(pages_of(bytes), WORD);
    uint64_t *noted = base_resize(ctx, A->noted, words, sizeof *noted);
    if (!noted)
        return HY_ENOMEM;
    memset(noted + old, 0, (words - old) * sizeof *noted);
    A->noted = noted;
    char *here = base_resize(ctx, A->here, bytes, 1);
    if (!here)
        return HY_ENOMEM;
    memset(here + A->bytes, 0, bytes - A->bytes);
    A->here = here;
    A->bytes = bytes;
    return HY_OK;
}

hy_status hy_array_grow(hy_array *A, uint64_t n)
{
    if (!A)
        return base_fail(HY_EINVAL, "no array to grow");
    const size_t width = hy_type_width(A->type);
    if (n > (SIZE_MAX / 2) / width)
        return base_fail(HY_ENOMEM, "%llu entries are too many",
                         (unsigned long long)n);
    const size_t bytes = bits_div_up(n * width, 4) * 4;
    if (bytes > A->bytes)
        HY_TRY(grow_here(A, bytes));
    if (n > A->n)
        A->n = n;
    return HY_OK;
}

hy_status hy_array_new(hy_device *D, hy_type type, uint64_t n, hy_array **out)
{
    if (!D || !out || !hy_type_width(type))
        return base_fail(HY_EINVAL, "an array needs a device and a type");
    hy_array *A = base_alloc(D->ctx, 1, sizeof *A);
    if (!A)
        return HY_ENOMEM;
    A->D = D;
    A->type = type;
    hy_status status = grow_here(A, 4); /* never nothing: there is a pointer */
    if (status == HY_OK)
        status = hy_array_grow(A, n);
    if (status != HY_OK) {
        hy_array_free(A);
        return status;
    }
    *out = A;
    return HY_OK;
}

void hy_array_free(hy_array *A)
{
    if (!A)
        return;
    device_free(A->D, &A->there);
    base_free(A->D->ctx, A->noted);
    base_free(A->D->ctx, A->here);
    base_free(A->D->ctx, A);
}

uint64_t hy_array_size(const hy_array *A)
{
    return A->n;
}
