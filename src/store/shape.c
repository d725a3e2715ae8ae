/* Layout of records and blocks. */
#include "store/shape.h"

#include "base/random.h"

static uint32_t align_up(uint32_t x, uint32_t to)
{
    return (x + to - 1) / to * to;
}

static hy_status record_init(struct shape_record *R, const hy_column *columns,
                             uint32_t n, const char *what)
{
    *R = (struct shape_record){ .n = n };
    if (n > MAX_COLUMNS || (n && !columns))
        return base_fail(HY_EINVAL, "%u %s columns: at most %d", n, what,
                         MAX_COLUMNS);
    uint32_t widest = 1, size = 0;
    for (uint32_t i = 0; i < n; i++) {
        struct shape_field *f = &R->field[i];
        const char *name = columns[i].name;
        f->type = columns[i].type;
        f->width = (uint32_t)hy_type_width(f->type);
        if (!name || !*name || strlen(name) >= NAME_BYTES || !f->width)
            return base_fail(HY_EINVAL, "%s column %u: bad name or type", what,
                             i);
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(R->field[j].name, name) == 0)
                return base_fail(HY_EINVAL, "two %s columns named %s", what,
                                 name);
        memcpy(f->name, name, strlen(name) + 1);
        f->offset = align_up(size, f->width);
        size = f->offset + f->width;
        widest = f->width > widest ? f->width : widest;
    }
    R->size = align_up(size, widest);
    return HY_OK;
}

static void lay_interleaved(struct shape *S)
{
    uint32_t size = sizeof(hy_vid), widest = sizeof(hy_vid);
    for (uint32_t i = 0; i < S->edge.n; i++) {
        struct shape_field *f = &S->edge.field[i];
        f->lane = 0;
        f->within = align_up(size, f->width);
        size = f->within + f->width;
        widest = f->width > widest ? f->width : widest;
    }
    S->n_lanes = 1;
    S->lane[0].width = S->width = align_up(size, widest);
}

static void lay_split(struct shape *S)
{
    S->n_lanes = 1;
    S->lane[0].width = S->width = sizeof(hy_vid);
    for (uint32_t width = 8; width; width /= 2)
        for (uint32_t i = 0; i < S->edge.n; i++) {
            struct shape_field *f = &S->edge.field[i];
            if (f->width != width)
                continue;
            S->even = width == 8 ? 2 : S->even;
            f->lane = S->n_lanes++;
            S->lane[f->lane] =
                (struct shape_lane){ .lead = S->width, .width = width };
            S->width += width;
        }
}

hy_status shape_init(struct shape *S, const hy_graph_opts *opts)
{
    *S = (struct shape){
        .undirected = opts->undirected,
        .mapped = opts->ids == HY_IDS_MAPPED,
        .no_loops = opts->no_loops,
        .interleaved = opts->interleaved,
        .slack = opts->slack,
        .slack_amount = opts->slack_amount,
        .even = 1,
    };
    if (opts->ids != HY_IDS_DENSE && opts->ids != HY_IDS_MAPPED)
        return base_fail(HY_EINVAL, "no such kind of ids: %d", (int)opts->ids);
    if (opts->slack > HY_SLACK_RATIO || opts->slack_amount > 1000)
        return base_fail(HY_EINVAL, "no such slack: %d, %u", (int)opts->slack,
                         opts->slack_amount);
    HY_TRY(record_init(&S->edge, opts->edge_columns, opts->n_edge_columns,
                       "edge"));
    HY_TRY(record_init(&S->vertex, opts->vertex_columns, opts->n_vertex_columns,
                       "vertex"));
    if (S->interleaved)
        lay_interleaved(S);
    else
        lay_split(S);
    S->page_room = shape_room(S, PAGE_UNITS);
    if (S->n_lanes == 1 && S->page_room * S->width == PAGE_BYTES)
        S->page_run = S->page_room;
    return HY_OK;
}

static bool record_is_same(const struct shape_record *A,
                           const struct shape_record *B)
{
    if (A->n != B->n)
        return false;
    for (uint32_t i = 0; i < A->n; i++)
        if (A->field[i].type != B->field[i].type ||
            strcmp(A->field[i].name, B->field[i].name) != 0)
            return false;
    return true;
}

bool shape_is_same(const struct shape *A, const struct shape *B)
{
    return A->mapped == B->mapped && record_is_same(&A->edge, &B->edge) &&
           record_is_same(&A->vertex, &B->vertex);
}

bool record_differs(const struct shape_record *R, const char *a, const char *b)
{
    if (a == b)
        return false;
    for (uint32_t i = 0; i < R->n; i++) {
        const struct shape_field *f = &R->field[i];
        if (memcmp(a + f->offset, b + f->offset, f->width) != 0)
            return true;
    }
    return false;
}

uint64_t record_hash(const struct shape_record *R, const char *record)
{
    uint64_t h = 0;
    for (uint32_t i = 0; i < R->n; i++) {
        uint64_t value = 0;
        memcpy(&value, record + R->field[i].offset, R->field[i].width);
        h = base_mix(h + value + i + 1);
    }
    return h;
}

static uint32_t units_with(const struct shape *S, uint32_t n, uint64_t more)
{
    const uint64_t want = n + more;
    return want >= S->page_room ? PAGE_UNITS : shape_units(S, (uint32_t)want);
}

static uint64_t slack_of(const struct shape *S, uint32_t n)
{
    switch (S->slack) {
    case HY_SLACK_EVEN:
        return S->slack_amount;
    case HY_SLACK_RATIO:
        return (uint64_t)n * S->slack_amount / 100;
    case HY_SLACK_NONE:
        break;
    }
    return 0;
}

uint32_t shape_units_loaded(const struct shape *S, uint32_t n)
{
    return n ? units_with(S, n, slack_of(S, n)) : 0;
}

uint32_t shape_units_grown_as_set(const struct shape *S, uint32_t n)
{
    return units_with(S, n, S->slack ? slack_of(S, n) : n / 8);
}

void block_copy_lanes(const struct shape *S, char *to, uint32_t to_room,
                      uint32_t at, const char *from, uint32_t from_room,
                      uint32_t first, uint32_t n)
{
    for (uint32_t l = 0; l < S->n_lanes; l++) {
        const size_t width = S->lane[l].width, lead = S->lane[l].lead;
        memcpy(to + lead * to_room + width * at,
               from + lead * from_room + width * first, width * n);
    }
}

void block_shift_lanes(const struct shape *S, char *block, uint32_t room,
                       uint32_t at, uint32_t first, uint32_t n)
{
    for (uint32_t l = 0; l < S->n_lanes; l++)
        memmove(block_at(S, block, room, l, at),
                block_at(S, block, room, l, first),
                (size_t)S->lane[l].width * n);
}

void block_set(const struct shape *S, char *block, uint32_t room, uint32_t i,
               const void *record)
{
    for (uint32_t c = 0; c < S->edge.n; c++) {
        const struct shape_field *f = &S->edge.field[c];
        static const uint64_t zero;
        const void *from =
            record ? (const char *)record + f->offset : (const char *)&zero;
        record_copy(block_at(S, block, room, f->lane, i) + f->within, from,
                    f->width);
    }
}

void block_get(const struct shape *S, const char *block, uint32_t room,
               uint32_t i, void *record)
{
    for (uint32_t c = 0; c < S->edge.n; c++) {
        const struct shape_field *f = &S->edge.field[c];
        const struct shape_lane *lane = &S->lane[f->lane];
        record_copy((char *)record + f->offset,
                    block + (size_t)lane->lead * room +
                        (size_t)lane->width * i + f->within,
                    f->width);
    }
}

void block_squeeze(const struct shape *S, char *block, uint32_t room,
                   uint32_t smaller, uint32_t n)
{
    for (uint32_t l = 1; l < S->n_lanes; l++)
        memmove(block_at(S, block, smaller, l, 0),
                block_at(S, block, room, l, 0), (size_t)S->lane[l].width * n);
}

uint32_t block_search_wide(const struct shape *S, const char *block,
                           uint32_t first, uint32_t n, hy_vid v)
{
    uint32_t lo = first, hi = n;
    while (lo < hi) {
        const uint32_t middle = lo + (hi - lo) / 2;
        if (block_id(S, block, middle) < v)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}
