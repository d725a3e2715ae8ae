/* The product on a device: rows by items, see device/kernels/spmv.cl. */
#include "algo/spmv/spmv_impl.h"

#include "device/mirror.h"

enum { CHUNK = 64 };

struct product {
    hy_device *D;
    struct mirror *M;
    struct device_buf shape, x, y;
};

static hy_status multiply(struct product *P, const struct algo_weights *W,
                          bool in, const double *x, double *y)
{
    hy_device *const D = P->D;
    const size_t n = W->V->bound, bytes = n * sizeof *x;
    HY_TRY(mirror_sync(D, W->V, &P->M));
    HY_TRY(mirror_shape(D, W->V, W->column, &P->shape));
    HY_TRY(device_alloc(D, &P->x, bytes));
    HY_TRY(device_alloc(D, &P->y, bytes));
    HY_TRY(device_write(D, &P->x, 0, bytes, x));
    const uint32_t grain = device_grain(D, CHUNK, 1);
    const struct device_arg args[] = {
        MIRROR_ARGS(P->M, &P->shape),
        DEVICE_U32(in),
        DEVICE_BUF(&P->x),
        DEVICE_BUF(&P->y),
        DEVICE_U32(grain),
        DEVICE_U32(n),
    };
    HY_TRY(device_launch(D, "spmv_rows", bits_div_up(n, grain), args, 9));
    return device_read(D, &P->y, 0, bytes, y);
}

hy_status spmv_on_device(hy_device *D, const struct algo_weights *W,
                         const hy_spmv_opts *opts, const double *x, double *y)
{
    hy_device_info info;
    hy_device_info_get(D, &info);
    const bool in = opts->transposed && !view_is_undirected(W->V);
    if (!info.has_f64)
        return base_fail(HY_ENOTSUP, "%s has no doubles", info.name);
    if (in && !view_has_in(W->V))
        return base_fail(HY_ESTATE, "the graph has no reverse side: "
                                    "hy_graph_add_reverse makes one");
    struct product P = { .D = D };
    const hy_status status = multiply(&P, W, in, x, y);
    device_free(D, &P.y);
    device_free(D, &P.x);
    device_free(D, &P.shape);
    return status;
}
