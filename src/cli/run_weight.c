/* `hypha run`: names the edge whose weight an algorithm refused.  The library
 * knows vertices by its own ids; the user knows those of the file. */
#include "cli/run.h"

#include <math.h>
#include <string.h>

static double weight_of(hy_type type, const char *at)
{
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        int32_t i32;
        int64_t i64;
        float f32;
        double f64;
    } x;
    memcpy(&x, at, hy_type_width(type));
    switch (type) {
    case HY_U8:
        return x.u8;
    case HY_U16:
        return x.u16;
    case HY_U32:
        return x.u32;
    case HY_U64:
        return (double)x.u64;
    case HY_I32:
        return x.i32;
    case HY_I64:
        return (double)x.i64;
    case HY_F32:
        return (double)x.f32;
    case HY_F64:
        return x.f64;
    }
    return NAN;
}

static _Noreturn void die_of(const struct run *R, hy_vid u, hy_vid v, double w)
{
    char a[RUN_VALUE], b[RUN_VALUE];
    size_t m, n;
    const char *const from = run_id_text(R, u, a, &m);
    const char *const to = run_id_text(R, v, b, &n);
    cli_die(CLI_FAILED, "%s: the weight of the edge %.*s %.*s is %g",
            R->algorithm->name, (int)m, from, (int)n, to, w);
}

void run_weights_must(const struct run *R, hy_status status, double least)
{
    const char *const name = R->o->column ? R->o->column : "weight";
    const uint32_t column = hy_view_find_edge_column(R->V, name);
    if (status != HY_EINVAL || column == HY_NONE)
        return;
    const hy_type type = hy_view_edge_column(R->V, column).type;
    hy_scan scan = hy_scan_out(R->V, 0, hy_view_bound(R->V));
    while (hy_scan_next(&scan)) {
        size_t step;
        const hy_span s = scan.span;
        const char *const at = hy_span_column(R->V, &s, column, &step);
        for (uint32_t i = 0; i < s.n; i++) {
            const double w = weight_of(type, at + i * step);
            if (!isfinite(w) || w < least)
                die_of(R, s.u, s.v[i * s.step], w);
        }
    }
}
