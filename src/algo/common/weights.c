/* Reading weights of any type; what they are like over a whole graph. */
#include "algo/common/weights.h"

#include "par/par.h"

enum {
    /* Ranges of a survey.  Fixed, so that sums do not depend on threads. */
    PIECES = 128,
    /* Places and weights at each that an estimate looks at. */
    SAMPLES = 1024,
    SAMPLE_LENGTH = 8,
};

const uint8_t algo_weights_one = 1;

hy_status algo_weights_init(struct algo_weights *W, const hy_view *V,
                            const char *name)
{
    const char *const wanted = name ? name : "weight";
    const uint32_t column = hy_view_find_edge_column(V, wanted);
    *W = (struct algo_weights){ .V = V, .type = HY_U8, .column = column };
    if (column == HY_NONE && name)
        return base_fail(HY_EINVAL, "edges have no column %s", name);
    if (column == HY_NONE)
        return HY_OK;
    const struct shape *S = V->shape;
    const struct shape_field *f = &S->edge.field[column];
    W->type = f->type;
    W->is_real = f->type == HY_F32 || f->type == HY_F64;
    W->step = S->lane[f->lane].width;
    W->lead = S->lane[f->lane].lead;
    W->within = f->within;
    W->width = S->width;
    return HY_OK;
}

/* ---- one weight, one span ------------------------------------------------ */

/* Doubles as integers of the same order: of negative ones all bits are
 * turned, of others the sign. */
static uint64_t real_key(double w)
{
    uint64_t key;
    w += 0.0; /* -0.0 */
    if (isnan(w))
        return UINT64_MAX;
    memcpy(&key, &w, sizeof key);
    return key >> 63 ? ~key : key | (uint64_t)1 << 63;
}

uint64_t algo_weight_key(hy_type type, const char *at)
{
    const uint64_t sign = (uint64_t)1 << 63;
    const void *const p = at;
    switch (type) {
    case HY_U8:
        return *(const uint8_t *)p;
    case HY_U16:
        return *(const uint16_t *)p;
    case HY_U32:
        return *(const uint32_t *)p;
    case HY_U64:
        return *(const uint64_t *)p;
    case HY_I32:
        return (uint64_t)(int64_t) * (const int32_t *)p ^ sign;
    case HY_I64:
        return (uint64_t) * (const int64_t *)p ^ sign;
    case HY_F32:
    case HY_F64:
        return real_key(algo_weight_f64(type, at));
    }
    return UINT64_MAX;
}

double algo_weight_of_key(hy_type type, uint64_t key)
{
    const uint64_t sign = (uint64_t)1 << 63;
    double w;
    switch (type) {
    case HY_I32:
    case HY_I64:
        return (double)(int64_t)(key ^ sign);
    case HY_F32:
    case HY_F64:
        if (key == UINT64_MAX)
            return NAN;
        key = key >> 63 ? key ^ sign : ~key;
        memcpy(&w, &key, sizeof w);
        return w;
    default:
        return (double)key;
    }
}

bool algo_weights_find_key(const struct algo_weights *W, hy_vid u, hy_vid v,
                           uint64_t *key)
{
    _Alignas(8) char record[MAX_COLUMNS * 8];
    const hy_edge ways[] = { { u, v }, { v, u } };
    bool found = false;
    for (size_t i = 0; i < 2; i++) {
        if (!hy_view_edge_values(W->V, ways[i].u, ways[i].v, record))
            continue;
        const char *const at =
            W->column == HY_NONE
                ? (const char *)&algo_weights_one
                : record + W->V->shape->edge.field[W->column].offset;
        const uint64_t here = algo_weight_key(W->type, at);
        *key = found && *key < here ? *key : here;
        found = true;
    }
    return found;
}

HY_INLINE void load(hy_type type, const char *w, uint32_t step, uint32_t n,
                    double *to)
{
    for (uint32_t i = 0; i < n; i++)
        to[i] = algo_weight_f64(type, w + (size_t)i * step);
}

void algo_weights_load(const struct algo_weights *W, const hy_span *s,
                       uint32_t i, uint32_t n, double *to)
{
    const char *w = algo_weights_at(W, s) + (size_t)i * W->step;
    if (W->type == HY_I32 && W->step == 4)
        load(HY_I32, w, 4, n, to);
    else if (W->type == HY_F32 && W->step == 4)
        load(HY_F32, w, 4, n, to);
    else if (W->type == HY_F64 && W->step == 8)
        load(HY_F64, w, 8, n, to);
    else
        load(W->type, w, W->step, n, to);
}

/* ---- all weights --------------------------------------------------------- */

struct survey_job {
    const struct algo_weights *W;
    size_t length; /* vertices of a piece */
    struct algo_survey piece[PIECES];
};

static struct algo_survey survey_of_none(void)
{
    const hy_edge none = { .u = HY_NONE, .v = HY_NONE };
    return (struct algo_survey){
        .min = INFINITY, .max = -INFINITY, .negative = none, .odd = none
    };
}

static void note_edge(hy_edge *first, const hy_span *s, uint32_t i)
{
    if (first->u == HY_NONE)
        *first = (hy_edge){ .u = s->u, .v = s->v[(size_t)i * s->step] };
}

/* Looks again, at a span where something is wrong. */
static void survey_odd(const struct algo_weights *W, const hy_span *s,
                       struct algo_survey *out)
{
    const char *const at = algo_weights_at(W, s);
    for (uint32_t i = 0; i < s->n; i++) {
        const double w = algo_weight_f64(W->type, at + (size_t)i * W->step);
        if (!isfinite(w))
            note_edge(&out->odd, s, i);
        if (w < 0)
            note_edge(&out->negative, s, i);
    }
}

HY_INLINE void survey_span(const struct algo_weights *W, hy_type type,
                           uint32_t step, const hy_span *s,
                           struct algo_survey *out)
{
    const char *const at = algo_weights_at(W, s);
    double min = INFINITY, max = -INFINITY, sum = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const double w = algo_weight_f64(type, at + (size_t)i * step);
        min = w < min ? w : min;
        max = w > max ? w : max;
        sum += w;
    }
    if (HY_UNLIKELY(min < 0 || !isfinite(sum)))
        survey_odd(W, s, out);
    out->n += s->n;
    out->min = min < out->min ? min : out->min;
    out->max = max > out->max ? max : out->max;
    out->sum += sum;
}

HY_INLINE void survey_range(const struct algo_weights *W, hy_type type,
                            uint32_t step, hy_vid lo, hy_vid hi,
                            struct algo_survey *out)
{
    hy_scan scan = hy_scan_out(W->V, lo, hi);
    while (hy_scan_next(&scan)) {
        const hy_span s = scan.span;
        survey_span(W, type, step, &s, out);
    }
}

/* Writes its piece. */
static void survey_par(void *arg, size_t i)
{
    struct survey_job *job = arg;
    const struct algo_weights *W = job->W;
    const size_t bound = W->V->bound, from = i * job->length;
    const hy_vid lo = (hy_vid)(from < bound ? from : bound);
    const hy_vid hi =
        (hy_vid)(bound - lo < job->length ? bound : lo + job->length);
    struct algo_survey out = survey_of_none();
    if (W->type == HY_I32 && W->step == 4)
        survey_range(W, HY_I32, 4, lo, hi, &out);
    else if (W->type == HY_F32 && W->step == 4)
        survey_range(W, HY_F32, 4, lo, hi, &out);
    else
        survey_range(W, W->type, W->step, lo, hi, &out);
    job->piece[i] = out;
}

void algo_weights_survey(const struct algo_weights *W, struct algo_survey *out)
{
    struct survey_job job = { .W = W,
                              .length = bits_div_up(W->V->bound, PIECES) };
    par_run(view_ctx(W->V), PIECES, survey_par, &job);
    *out = survey_of_none();
    for (size_t i = 0; i < PIECES; i++) {
        const struct algo_survey *p = &job.piece[i];
        out->n += p->n;
        out->min = p->min < out->min ? p->min : out->min;
        out->max = p->max > out->max ? p->max : out->max;
        out->sum += p->sum;
        if (out->negative.u == HY_NONE)
            out->negative = p->negative;
        if (out->odd.u == HY_NONE)
            out->odd = p->odd;
    }
}

double algo_weights_mean(const struct algo_weights *W)
{
    double sum = 0;
    uint64_t n = 0;
    const uint64_t stride = bits_div_up(W->V->bound, SAMPLES);
    for (uint64_t u = 0; u < W->V->bound; u += stride) {
        /* The next one with neighbours, within the stride. */
        hy_scan scan = hy_scan_out(W->V, (hy_vid)u, (hy_vid)(u + stride));
        if (!hy_scan_next(&scan))
            continue;
        const hy_span s = scan.span;
        const char *const at = algo_weights_at(W, &s);
        for (uint32_t i = 0; i < s.n && i < SAMPLE_LENGTH; i++) {
            const double w = algo_weight_f64(W->type, at + (size_t)i * W->step);
            sum += isfinite(w) ? w : 0;
            n++;
        }
    }
    return n && isfinite(sum) ? sum / (double)n : 0;
}

hy_status algo_survey_must(const struct algo_survey *S, bool may_be_negative)
{
    if (S->odd.u != HY_NONE)
        return base_fail(HY_EINVAL, "the weight of edge %u %u is not finite",
                         (unsigned)S->odd.u, (unsigned)S->odd.v);
    if (S->negative.u != HY_NONE && !may_be_negative)
        return base_fail(HY_EINVAL, "the weight of edge %u %u is negative",
                         (unsigned)S->negative.u, (unsigned)S->negative.v);
    return HY_OK;
}
