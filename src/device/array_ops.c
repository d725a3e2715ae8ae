/* Operators on arrays on both sides: those of ops.h, on the device. */
#include "device/array.h"
#include "device/ops.h"

static const hy_device *device_of(const hy_array *A)
{
    return A ? A->D : NULL;
}

/* An array of that type on that device, of at least n entries: it is there. */
static hy_status bring(hy_array *A, const hy_device *D, hy_type type,
                       uint64_t n)
{
    if (!A || A->type != type || A->D != D)
        return base_fail(HY_EINVAL,
                         "this needs an array of %s on the same device",
                         hy_type_name(type));
    HY_TRY(hy_array_grow(A, n));
    return array_bring(A);
}

/* One that is read: kernels count in 32 bits. */
static hy_status bring_input(hy_array *A, hy_type type)
{
    HY_TRY(bring(A, device_of(A), type, 0));
    if (A->n >= HY_NONE)
        return base_fail(HY_ENOTSUP, "%llu entries are too many for a device",
                         (unsigned long long)A->n);
    return HY_OK;
}

hy_status hy_array_reduce(hy_array *x, hy_reduce what, uint64_t *out)
{
    if (!out || (unsigned)what > HY_REDUCE_COUNT)
        return base_fail(HY_EINVAL, "nothing to be reduced to");
    HY_TRY(bring_input(x, HY_U32));
    return device_reduce(x->D, &x->there, x->n, (enum device_reduce)what, out);
}

hy_status hy_array_scan(hy_array *x, hy_array *sums)
{
    HY_TRY(bring_input(x, HY_U32));
    HY_TRY(bring(sums, x->D, HY_U64, x->n + 1));
    sums->is_newer_there = true;
    return device_scan(x->D, &x->there, x->n, &sums->there);
}

hy_status hy_array_filter(hy_array *x, hy_array *list, uint64_t *n)
{
    if (!n || x == list)
        return base_fail(HY_EINVAL, "no other array for what is found");
    HY_TRY(bring_input(x, HY_U32));
    HY_TRY(bring(list, x->D, HY_U32, x->n));
    list->is_newer_there = true;
    return device_filter(x->D, &x->there, x->n, &list->there, n);
}

/* Sorts keys and `value`, which is on their device. */
static hy_status sort(hy_array *keys, struct device_buf *value)
{
    hy_device *const D = keys->D;
    const bool is_wide = keys->type == HY_U64;
    struct device_buf key_tmp = { 0 }, value_tmp = { 0 };
    const struct device_keys K = { .key = &keys->there,
                                   .value = value,
                                   .key_tmp = &key_tmp,
                                   .value_tmp = &value_tmp,
                                   .n = keys->n,
                                   .is_wide = is_wide,
                                   .bits = is_wide ? 64 : 32 };
    /* The two change places: one is to be as large as the other. */
    hy_status status = device_alloc(D, &key_tmp, keys->there.bytes);
    if (status == HY_OK)
        status = device_alloc(D, &value_tmp, value->bytes);
    if (status == HY_OK)
        status = device_sort(D, &K);
    device_free(D, &key_tmp);
    device_free(D, &value_tmp);
    return status;
}

hy_status hy_array_sort(hy_array *keys, hy_array *values)
{
    const bool is_wide = keys && keys->type == HY_U64;
    HY_TRY(bring_input(keys, is_wide ? HY_U64 : HY_U32));
    if (values) {
        HY_TRY(bring(values, keys->D, HY_U32, 0));
        if (values == keys || values->n != keys->n)
            return base_fail(HY_EINVAL, "each key has one value");
        values->is_newer_there = true;
    }
    keys->is_newer_there = true;
    if (values)
        return sort(keys, &values->there);
    struct device_buf none;
    HY_TRY(device_alloc(keys->D, &none, keys->n * sizeof(uint32_t)));
    const hy_status status = sort(keys, &none);
    device_free(keys->D, &none);
    return status;
}
