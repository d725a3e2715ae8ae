/* `hypha run`: the answer as a file, as a page, as JSON. */
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/run.h"

#include <string.h>

/* ---- a line for each vertex ---------------------------------------------- */

/* Lines are made on all threads, a round of pieces at a time. */
enum { PIECE = 4096, ROUND = 64 };

struct piece {
    char *text;
    size_t n, room;
};

struct lines {
    const struct run *R;
    const hy_vid *order;
    size_t n, first; /* vertices, and where the round begins */
    struct piece pieces[ROUND];
};

static char *put(char *to, const char *text, size_t n)
{
    memcpy(to, text, n);
    return to + n;
}

/* Bytes that the lines lo .. hi-1 may take. */
static size_t room_of(const struct lines *L, size_t lo, size_t hi)
{
    const struct run *const R = L->R;
    size_t room = 0;
    for (size_t i = lo; i < hi; i++) {
        char text[RUN_VALUE];
        size_t n = 0;
        (void)run_id_text(R, L->order[i], text, &n);
        room += n + 2;
        for (size_t c = 0; c < R->n_columns; c++) {
            n = RUN_VALUE;
            if (R->columns[c].kind == RUN_VERTEX)
                (void)run_value_text(R, &R->columns[c], L->order[i], text, &n);
            room += n + 1;
        }
    }
    return room;
}

static size_t piece_end(const struct lines *L, size_t lo)
{
    return lo + PIECE < L->n ? lo + PIECE : L->n;
}

static void make_lines(const struct lines *L, size_t lo, struct piece *p)
{
    const struct run *const R = L->R;
    const size_t hi = piece_end(L, lo);
    char *to = p->text;
    for (size_t i = lo; i < hi; i++) {
        char text[RUN_VALUE];
        size_t n;
        const char *from = run_id_text(R, L->order[i], text, &n);
        to = put(to, from, n);
        for (size_t c = 0; c < R->n_columns; c++) {
            *to++ = '\t';
            from = run_value_text(R, &R->columns[c], L->order[i], text, &n);
            to = put(to, from, n);
        }
        *to++ = '\n';
    }
    p->n = (size_t)(to - p->text);
}

static void make_lines_par(void *arg, size_t lo, size_t hi)
{
    struct lines *const L = arg;
    for (size_t i = lo; i < hi; i++)
        make_lines(L, L->first + i * PIECE, &L->pieces[i]);
}

static hy_status write_round(struct lines *L, hy_out *out)
{
    size_t n = 0;
    for (size_t at = L->first; n < ROUND && at < L->n; n++, at += PIECE) {
        struct piece *const p = &L->pieces[n];
        const size_t room = room_of(L, at, piece_end(L, at));
        if (room > p->room) {
            cli_free(p->text);
            p->text = cli_alloc(room, 1);
            p->room = room;
        }
    }
    hy_par_for(L->R->ctx, n, 1, make_lines_par, L);
    hy_status status = HY_OK;
    for (size_t i = 0; i < n && status == HY_OK; i++)
        status = hy_out_put(out, L->pieces[i].text, L->pieces[i].n);
    return cli_stopped() ? HY_ESTOPPED : status;
}

void run_write(struct run *R)
{
    struct lines *const L = cli_alloc_zeroed(1, sizeof *L);
    L->R = R;
    L->order = run_order(R);
    L->n = (size_t)hy_view_vertices(R->V);
    hy_out *out = NULL;
    hy_status status = hy_out_open(R->ctx, R->o->output, &out);
    cli_must_write(status, R->o->output);
    for (; L->first < L->n && status == HY_OK;
         L->first += (size_t)ROUND * PIECE)
        status = write_round(L, out);
    if (status == HY_OK)
        status = hy_out_close(out);
    else
        hy_out_drop(out);
    for (size_t i = 0; i < ROUND; i++)
        cli_free(L->pieces[i].text);
    cli_free(L);
    cli_must_write(status, R->o->output);
}

/* ---- for people ---------------------------------------------------------- */

static void print_result(const struct run_result *r, FILE *to)
{
    char count[REPORT_COUNT];
    if (r->kind == RUN_COUNT)
        fprintf(to, "%-12s %s\n", r->key, report_count(r->count, count));
    else if (r->kind == RUN_NUMBER)
        fprintf(to, "%-12s %.6g\n", r->key, r->number);
    else
        fprintf(to, "%-12s %s\n", r->key, r->text);
}

static void print_top(struct run *R, FILE *to)
{
    const size_t most = (size_t)hy_view_vertices(R->V);
    const size_t k = R->o->top < most ? (size_t)R->o->top : most;
    hy_vid *const top = cli_alloc(k, sizeof *top);
    const size_t n = run_largest(R, k, top);
    fprintf(to, "\n%20s", "id");
    for (size_t c = 0; c < R->n_columns; c++)
        fprintf(to, "  %s", R->columns[c].name);
    fputc('\n', to);
    for (size_t i = 0; i < n; i++) {
        char text[RUN_VALUE];
        size_t length;
        const char *from = run_id_text(R, top[i], text, &length);
        fprintf(to, "%*s%.*s", length < 20 ? (int)(20 - length) : 0, "",
                (int)length, from);
        for (size_t c = 0; c < R->n_columns; c++) {
            from = run_value_text(R, &R->columns[c], top[i], text, &length);
            fprintf(to, "  %.*s", (int)length, from);
        }
        fputc('\n', to);
    }
    cli_free(top);
}

void run_print_text(struct run *R, FILE *to)
{
    char n[REPORT_COUNT], m[REPORT_COUNT], s[REPORT_TEXT], rate[REPORT_TEXT];
    fprintf(to, "%-12s %s\n", "algorithm", R->algorithm->name);
    fprintf(to, "%-12s %s: %s vertices, %s edges, %s\n", "graph", run_path(R),
            report_count(hy_view_vertices(R->V), n),
            report_count(hy_view_edges(R->V), m),
            hy_view_is_undirected(R->V) ? "undirected" : "directed");
    for (size_t i = 0; i < R->n_results; i++)
        print_result(&R->results[i], to);
    if (R->checked)
        fprintf(to, "%-12s %s%s\n", "check",
                R->right ? "right" : "WRONG: ", R->right ? "" : R->why);
    fprintf(to, "%-12s %s\n", "load", report_seconds(R->input.s, s));
    fprintf(to, "%-12s %s", "run", report_seconds(R->s, s));
    if (R->s > 0 && hy_view_edges(R->V))
        fprintf(to, ", %s edges/s",
                report_si((double)hy_view_edges(R->V) / R->s, rate));
    fputc('\n', to);
    if (R->o->top)
        print_top(R, to);
}

/* ---- for programs -------------------------------------------------------- */

static void json_id(struct json *J, const struct run *R, const char *key,
                    hy_vid u)
{
    size_t n;
    if (R->input.names)
        json_text(J, key, run_id_text(R, u, NULL, &n));
    else
        json_count(J, key, hy_view_external(R->V, u));
}

static void json_value(struct json *J, const struct run *R,
                       const struct run_column *c, hy_vid u)
{
    if (c->kind == RUN_VERTEX)
        json_id(J, R, c->name, ((const hy_vid *)c->at)[u]);
    else if (c->kind == RUN_U32)
        json_count(J, c->name, ((const uint32_t *)c->at)[u]);
    else if (c->kind == RUN_U64)
        json_count(J, c->name, ((const uint64_t *)c->at)[u]);
    else
        json_number(J, c->name, ((const double *)c->at)[u]);
}

static void json_top(struct json *J, struct run *R)
{
    const size_t most = (size_t)hy_view_vertices(R->V);
    const size_t k = R->o->top < most ? (size_t)R->o->top : most;
    hy_vid *const top = cli_alloc(k, sizeof *top);
    const size_t n = run_largest(R, k, top);
    json_open(J, "top", '[');
    for (size_t i = 0; i < n; i++) {
        json_open(J, NULL, '{');
        json_id(J, R, "id", top[i]);
        for (size_t c = 0; c < R->n_columns; c++)
            json_value(J, R, &R->columns[c], top[i]);
        json_close(J, '}');
    }
    json_close(J, ']');
    cli_free(top);
}

static void json_result(struct json *J, const struct run_result *r)
{
    if (r->kind == RUN_COUNT)
        json_count(J, r->key, r->count);
    else if (r->kind == RUN_NUMBER)
        json_number(J, r->key, r->number);
    else
        json_text(J, r->key, r->text);
}

void run_print_json(struct run *R, FILE *to)
{
    struct json J = { .to = to };
    json_open(&J, NULL, '{');
    json_text(&J, "algorithm", R->algorithm->name);
    json_text(&J, "graph", R->input.path);
    json_count(&J, "vertices", hy_view_vertices(R->V));
    json_count(&J, "edges", hy_view_edges(R->V));
    json_bool(&J, "directed", !hy_view_is_undirected(R->V));
    json_count(&J, "threads", hy_ctx_threads(R->ctx));
    json_number(&J, "load_s", R->input.s);
    json_number(&J, "run_s", R->s);
    json_open(&J, "result", '{');
    for (size_t i = 0; i < R->n_results; i++)
        json_result(&J, &R->results[i]);
    json_close(&J, '}');
    if (R->checked)
        json_bool(&J, "right", R->right);
    if (R->o->top)
        json_top(&J, R);
    json_close(&J, '}');
    json_end(&J);
}
