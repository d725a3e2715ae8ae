/* Text into rows: windows, chunks, and the joining of what they hold. */
#include "io/lines.h"

#include "par/par.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 1 << 19, GRAIN = 1 << 15 };

/* ---- what is wrong ------------------------------------------------------- */

bool io_chunk_bad(struct io_chunk *C, const char *at, const char *format, ...)
{
    C->n_bad++;
    if (!C->bad_at) {
        va_list args;
        va_start(args, format);
        (void)vsnprintf(C->bad_text, sizeof C->bad_text, format, args);
        va_end(args);
        C->bad_at = at;
    }
    return C->skip_bad;
}

struct io_shown io_show(const char *at, const char *end)
{
    struct io_shown shown;
    const size_t most = sizeof shown.text - 4;
    const size_t n = (size_t)(end - at);
    const size_t cut = n < most ? n : most;
    for (size_t i = 0; i < cut; i++) {
        const unsigned char c = (unsigned char)at[i];
        shown.text[i] = c < 32 || c == 127 ? '?' : at[i];
    }
    memcpy(shown.text + cut, n > most ? "..." : "", n > most ? 4 : 1);
    return shown;
}

static void fill_diag(const struct io_reading *R, uint64_t line, hy_diag *out)
{
    *out = (hy_diag){ .line = line };
    (void)snprintf(out->file, sizeof out->file, "%s", R->path);
}

hy_status io_bad(const struct io_reading *R, uint64_t line, const char *format,
                 ...)
{
    fill_diag(R, line, R->diag);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(R->diag->text, sizeof R->diag->text, format, args);
    va_end(args);
    return base_fail(HY_EFORMAT, "%s:%llu: %s", R->diag->file,
                     (unsigned long long)line, R->diag->text);
}

/* ---- windows into chunks ------------------------------------------------- */

/* A chunk with its rows, which later windows use again. */
struct work {
    struct io_chunk chunk;
    struct io_rows rows;
    uint64_t first;      /* row of the table where its rows go */
    uint64_t first_lone; /* the same of lone vertices */
    uint64_t *name;      /* owned: the file's numbers of its texts */
    bool is_set;         /* rows are there */
};

struct engine {
    const struct io_reading *R;
    const struct io_body *body;
    struct io_table *T;
    struct work *work; /* owned */
    size_t n, room;    /* chunks of this window; of any so far */
    uint64_t room_rows, room_lone;
};

static hy_status add_chunk(struct engine *E, const char *at, const char *end)
{
    hy_ctx *const ctx = E->R->ctx;
    if (E->n == E->room) {
        const size_t room = 2 * E->room + 8;
        struct work *const work = base_resize(ctx, E->work, room, sizeof *work);
        if (!work)
            return HY_ENOMEM;
        memset(work + E->room, 0, (room - E->room) * sizeof *work);
        E->work = work;
        E->room = room;
    }
    struct work *const W = &E->work[E->n++];
    if (!W->is_set)
        io_rows_init(&W->rows, ctx, E->body->n_values);
    W->is_set = true;
    io_rows_clear(&W->rows);
    W->chunk = (struct io_chunk){ .at = at,
                                  .end = end,
                                  .skip_bad = E->R->opts->skip_bad };
    return E->body->texts ? io_rows_name(&W->rows) : HY_OK;
}

static hy_status cut(struct engine *E, const struct io_window *window)
{
    const size_t size = E->R->chunk ? E->R->chunk : CHUNK;
    const char *at = window->at, *const end = at + window->n;
    E->n = 0;
    while (at < end) {
        const char *stop = end;
        if ((size_t)(end - at) > size) {
            stop = memchr(at + size - 1, '\n', (size_t)(end - at) - size + 1);
            stop = stop ? stop + 1 : end;
        }
        HY_TRY(add_chunk(E, at, stop));
        at = stop;
    }
    /* The array does not move any more. */
    for (size_t i = 0; i < E->n; i++)
        E->work[i].chunk.rows = &E->work[i].rows;
    return HY_OK;
}

/* ---- chunks into rows ---------------------------------------------------- */

static void count_par(void *arg, size_t i)
{
    const struct engine *E = arg;
    struct io_chunk *const C = &E->work[i].chunk;
    C->item = E->body->count(E->body->state, C->at, C->end);
}

static void count_items(struct engine *E)
{
    if (!E->body->count)
        return;
    par_run(E->R->ctx, E->n, count_par, E);
    for (size_t i = 0; i < E->n; i++) {
        const uint64_t here = E->work[i].chunk.item;
        E->work[i].chunk.item = E->T->items;
        E->T->items += here;
    }
}

static void parse_par(void *arg, size_t i)
{
    const struct engine *E = arg;
    struct work *const W = &E->work[i];
    struct io_chunk *const C = &W->chunk;
    C->lines = io_count_lines(C->at, C->end) + (C->end[-1] != '\n');
    E->body->parse(E->body->state, C);
}

/* Adds up the lines; the first bad one is an error, or remembered. */
static hy_status judge(struct engine *E, uint64_t line)
{
    struct io_table *const T = E->T;
    uint64_t lines = 0;
    for (size_t i = 0; i < E->n; i++) {
        const struct work *const W = &E->work[i];
        const struct io_chunk *const C = &W->chunk;
        if (C->bad_at) {
            const uint64_t bad =
                line + lines + io_count_lines(C->at, C->bad_at);
            if (!C->skip_bad)
                return io_bad(E->R, bad, "%s", C->bad_text);
            if (!T->n_bad) {
                fill_diag(E->R, bad, &T->first_bad);
                memcpy(T->first_bad.text, C->bad_text, sizeof C->bad_text);
            }
        }
        if (W->rows.failed)
            return base_fail(HY_ENOMEM, "no memory for the rows of a chunk");
        T->n_bad += C->n_bad;
        lines += C->lines;
    }
    io_source_tell_lines(E->R->source, lines);
    return HY_OK;
}

/* ---- rows into the table ------------------------------------------------- */

/* Room for `more` words in one of the table's arrays. */
static hy_status grow(hy_ctx *ctx, uint64_t **array, uint64_t room)
{
    uint64_t *const to = base_resize(ctx, *array, room, sizeof *to);
    if (!to)
        return HY_ENOMEM;
    *array = to;
    return HY_OK;
}

/* How many rows there may be in the end, judging by those so far. */
static uint64_t foresee(const struct engine *E, uint64_t rows)
{
    const uint64_t used = io_source_used(E->R->source);
    const uint64_t bytes = io_source_bytes(E->R->source);
    double times = 1.5;
    if (bytes && used && bytes / used < 1000)
        times = 1.01 * (double)bytes / (double)used;
    return (uint64_t)((double)rows * times) + 16;
}

static hy_status widen_table(struct engine *E)
{
    struct io_table *const T = E->T;
    T->wide = base_alloc_raw(T->ctx, E->room_rows, sizeof *T->wide);
    if (!T->wide)
        return HY_ENOMEM;
    for (uint64_t i = 0; i < T->n; i++)
        T->wide[i] = (hy_pair){ T->narrow[i].u, T->narrow[i].v };
    base_free(T->ctx, T->narrow);
    T->narrow = NULL;
    return HY_OK;
}

static hy_status resize_table(struct engine *E, uint64_t room)
{
    struct io_table *const T = E->T;
    if (T->wide) {
        hy_pair *const to = base_resize(T->ctx, T->wide, room, sizeof *to);
        if (!to)
            return HY_ENOMEM;
        T->wide = to;
    } else {
        hy_edge *const to = base_resize(T->ctx, T->narrow, room, sizeof *to);
        if (!to)
            return HY_ENOMEM;
        T->narrow = to;
    }
    for (uint32_t c = 0; c < T->n_values; c++)
        HY_TRY(grow(T->ctx, &T->value[c], room));
    E->room_rows = room;
    return HY_OK;
}

/* Room for n rows, and for those to come if the limit allows. */
static hy_status grow_table(struct engine *E, uint64_t n)
{
    const struct io_table *const T = E->T;
    const uint64_t row = (T->wide ? sizeof *T->wide : sizeof *T->narrow) +
                         T->n_values * sizeof *T->value[0];
    const uint64_t room = foresee(E, n);
    if (io_check_memory(E->R, (room - E->room_rows) * row) == HY_OK)
        return resize_table(E, room);
    HY_TRY(io_check_memory(E->R, (n - E->room_rows) * row));
    return resize_table(E, n);
}

/* Room for all rows of the window, and what they ask of the table. */
static hy_status prepare(struct engine *E, uint64_t *rows, uint64_t *lone)
{
    struct io_table *const T = E->T;
    bool wide = false;
    bool real[IO_MAX_VALUES] = { false };
    *rows = T->n;
    *lone = T->n_lone;
    for (size_t i = 0; i < E->n; i++) {
        struct work *const W = &E->work[i];
        W->first = *rows;
        W->first_lone = *lone;
        *rows += W->rows.n;
        *lone += W->rows.n_lone;
        wide |= W->rows.wide != NULL;
        for (uint32_t c = 0; c < T->n_values; c++)
            real[c] |= W->rows.real[c];
    }
    if (*rows > E->room_rows)
        HY_TRY(grow_table(E, *rows));
    if (wide && !T->wide)
        HY_TRY(widen_table(E));
    for (uint32_t c = 0; c < T->n_values; c++)
        if (real[c] && !T->real[c]) {
            io_values_to_real(T->value[c], T->n);
            T->real[c] = true;
        }
    if (*lone > E->room_lone) {
        E->room_lone = foresee(E, *lone);
        HY_TRY(grow(T->ctx, &T->lone, E->room_lone));
    }
    return HY_OK;
}

/* The file's numbers of the chunk's texts: in the order they came. */
static hy_status name_texts(struct engine *E, struct work *W)
{
    const uint64_t n = hy_names_count(W->rows.texts);
    HY_TRY(grow(E->R->ctx, &W->name, n + 1));
    for (uint64_t i = 0; i < n; i++) {
        size_t length;
        const char *const text = hy_names_text(W->rows.texts, i, &length);
        HY_TRY(hy_names_add(E->T->names, text, length, &W->name[i]));
    }
    return HY_OK;
}

static uint64_t named(const struct work *W, uint64_t id)
{
    return W->rows.texts ? W->name[id] : id;
}

static void join_ids(struct io_table *T, const struct work *W)
{
    const struct io_rows *const R = &W->rows;
    if (R->narrow && T->narrow && !R->texts) {
        memcpy(T->narrow + W->first, R->narrow, R->n * sizeof *R->narrow);
        return;
    }
    for (size_t i = 0; i < R->n; i++) {
        const uint64_t u = named(W, R->wide ? R->wide[i].u : R->narrow[i].u);
        const uint64_t v = named(W, R->wide ? R->wide[i].v : R->narrow[i].v);
        if (T->wide)
            T->wide[W->first + i] = (hy_pair){ u, v };
        else
            T->narrow[W->first + i] = (hy_edge){ (hy_vid)u, (hy_vid)v };
    }
}

static void join_par(void *arg, size_t i)
{
    const struct engine *E = arg;
    struct io_table *const T = E->T;
    const struct work *const W = &E->work[i];
    const struct io_rows *const R = &W->rows;
    if (R->n)
        join_ids(T, W);
    for (uint32_t c = 0; R->n && c < R->n_values; c++) {
        uint64_t *const to = T->value[c] + W->first;
        memcpy(to, R->value[c], R->n * sizeof *to);
        if (T->real[c] && !R->real[c])
            io_values_to_real(to, R->n);
    }
    for (size_t k = 0; k < R->n_lone; k++)
        T->lone[W->first_lone + k] = named(W, R->lone[k]);
}

static hy_status join(struct engine *E)
{
    uint64_t rows, lone;
    if (E->body->texts)
        for (size_t i = 0; i < E->n; i++)
            HY_TRY(name_texts(E, &E->work[i]));
    HY_TRY(prepare(E, &rows, &lone));
    par_run(E->R->ctx, E->n, join_par, E);
    E->T->n = rows;
    E->T->n_lone = lone;
    return HY_OK;
}

/* ---- all of it ----------------------------------------------------------- */

hy_status io_check_memory(const struct io_reading *R, uint64_t more)
{
    const uint64_t limit = R->opts->memory;
    const uint64_t held = hy_ctx_bytes(R->ctx) - R->held;
    if (!limit || held + more <= limit)
        return HY_OK;
    return base_fail(HY_EFULL, "needs about %llu bytes, the limit is %llu",
                     (unsigned long long)(held + more),
                     (unsigned long long)limit);
}

hy_status io_progress(const struct io_reading *R, uint64_t done, uint64_t total)
{
    const hy_read_opts *const opts = R->opts;
    if (opts->progress && !opts->progress(opts->user, done, total))
        return base_fail(HY_ESTOPPED, "reading was stopped");
    return HY_OK;
}

static hy_status read_windows(struct engine *E)
{
    const struct io_reading *const R = E->R;
    for (;;) {
        struct io_window window;
        HY_TRY(io_source_next(R->source, &window));
        if (!window.n)
            return HY_OK;
        HY_TRY(cut(E, &window));
        count_items(E);
        par_run(R->ctx, E->n, parse_par, E);
        HY_TRY(judge(E, window.line));
        HY_TRY(join(E));
        HY_TRY(io_check_memory(R, 0));
        HY_TRY(io_progress(R, io_source_used(R->source),
                           io_source_bytes(R->source)));
    }
}

/* Gives back what was foreseen and did not come. */
static hy_status trim(struct engine *E)
{
    const uint64_t n = E->T->n;
    return n < E->room_rows ? resize_table(E, n ? n : 1) : HY_OK;
}

hy_status io_lines_read(const struct io_reading *R, const struct io_body *body,
                        struct io_table *out)
{
    *out = (struct io_table){ .ctx = R->ctx, .n_values = body->n_values };
    struct engine E = { .R = R, .body = body, .T = out };
    hy_status status = body->texts ? hy_names_new(R->ctx, &out->names) : HY_OK;
    if (status == HY_OK)
        status = read_windows(&E);
    for (size_t i = 0; i < E.room; i++) {
        if (E.work[i].is_set)
            io_rows_fini(&E.work[i].rows);
        base_free(R->ctx, E.work[i].name);
    }
    base_free(R->ctx, E.work);
    if (status == HY_OK)
        status = trim(&E);
    if (status != HY_OK)
        io_table_fini(out);
    return status;
}

void io_table_fini(struct io_table *T)
{
    base_free(T->ctx, T->narrow);
    base_free(T->ctx, T->wide);
    for (uint32_t c = 0; c < T->n_values; c++)
        base_free(T->ctx, T->value[c]);
    base_free(T->ctx, T->lone);
    hy_names_free(T->names);
    *T = (struct io_table){ 0 };
}
