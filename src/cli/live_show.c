/* Live answers shown: a table for people, JSON for programs, files. */
#include "cli/live.h"
#include "cli/report.h"

#include <math.h>
#include <string.h>

/* ---- texts --------------------------------------------------------------- */

static double real_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static const char *id_text(const struct live_keeper *K, uint64_t id,
                           char text[RUN_VALUE])
{
    size_t n;
    if (K->R->input.names)
        return hy_names_text(K->R->input.names, id, &n);
    snprintf(text, RUN_VALUE, "%llu", (unsigned long long)id);
    return text;
}

static bool is_inf(const struct live_answer *a, uint64_t value)
{
    return a->kind->nothing && value == a->kind->nothing;
}

static const char *value_text(const struct live_keeper *K,
                              const struct live_answer *a, uint64_t value,
                              char text[RUN_VALUE])
{
    if (is_inf(a, value))
        return "inf";
    if (live_kind_is_groups(a->kind))
        return id_text(K, value, text);
    if (a->kind->type == HY_F64)
        snprintf(text, RUN_VALUE, "%.6g", real_of(value));
    else
        snprintf(text, RUN_VALUE, "%llu", (unsigned long long)value);
    return text;
}

static const char *how_text(hy_live_how how)
{
    return how == HY_LIVE_REPAIRED   ? "repaired"
           : how == HY_LIVE_ATTACHED ? "attached"
                                     : "recomputed";
}

/* How many times as long computing it from nothing took. */
static double speedup(double anew_s, double s)
{
    return s > 0 ? anew_s / s : 0;
}

static const char *speedup_text(double x, char text[REPORT_TEXT])
{
    if (x >= 10000)
        report_si(x, text);
    else
        snprintf(text, REPORT_TEXT, x < 10 ? "%.1f" : "%.0f", x);
    return text;
}

/* ---- the table ----------------------------------------------------------- */

static int name_width(const struct live_keeper *K)
{
    size_t most = strlen("answer");
    for (size_t i = 0; i < K->n; i++) {
        const size_t n = strlen(K->at[i].want->name);
        most = n > most ? n : most;
    }
    return (int)most;
}

/* What stands before the answers of a batch, once and then as blanks. */
enum { BATCH_WIDTH = 6 + 4 * 10 + 10 };

void live_print_head(const struct live_keeper *K)
{
    printf("%6s %9s %9s %9s %9s %9s  %-*s %-10s %9s %8s %9s\n", "batch",
           "inserted", "updated", "deleted", "edges", "commit ms",
           name_width(K), "answer", "how", "ms", "speed-up", "changed");
}

static void print_answer(const struct live_keeper *K,
                         const struct live_answer *a, bool is_first)
{
    if (!is_first)
        printf("%*s", BATCH_WIDTH, "");
    printf("  %-*s %-10s %9.3f", name_width(K), a->want->name,
           how_text(a->info.how), a->info.seconds * 1000);
}

void live_print_attached(const struct live_keeper *K)
{
    printf("%6d %9s %9s %9s %9llu %9s", 0, "", "", "",
           (unsigned long long)hy_view_edges(K->R->V), "");
    for (size_t i = 0; i < K->n; i++) {
        print_answer(K, &K->at[i], i == 0);
        putchar('\n');
    }
}

static void print_top(const struct live_keeper *K, const struct live_answer *a)
{
    const size_t most = (size_t)hy_view_vertices(K->R->V);
    const size_t k = a->want->top < most ? (size_t)a->want->top : most;
    struct live_top *const top = cli_alloc(k, sizeof *top);
    const size_t n = live_top_of(K, a, k, top);
    const bool groups = live_kind_is_groups(a->kind);
    printf("        largest %s of %s:",
           groups ? a->kind->total : a->kind->value, a->want->name);
    for (size_t i = 0; i < n; i++) {
        char id[RUN_VALUE], value[RUN_VALUE];
        printf("%s %s: ", i ? "," : "", id_text(K, top[i].id, id));
        if (groups)
            printf("%llu", (unsigned long long)top[i].value);
        else
            fputs(value_text(K, a, top[i].value, value), stdout);
    }
    puts(n ? "" : " none");
    cli_free(top);
}

static void print_changes(const struct live_keeper *K,
                          const struct live_answer *a)
{
    const size_t n = a->n_changes < a->want->changes ? a->n_changes
                                                     : (size_t)a->want->changes;
    if (!n)
        return;
    printf("        changed in %s:", a->want->name);
    for (size_t i = 0; i < n; i++) {
        const struct live_change *const c = &a->changes[i];
        char id[RUN_VALUE], was[RUN_VALUE], now[RUN_VALUE];
        printf("%s %s: ", i ? "," : "", id_text(K, c->id, id));
        if (!c->came)
            fputs(value_text(K, a, c->was, was), stdout);
        printf("%s", c->came ? "new " : c->went ? " gone" : " -> ");
        if (!c->went)
            fputs(value_text(K, a, c->now, now), stdout);
    }
    if (n < a->changed)
        printf(", and %llu more", (unsigned long long)(a->changed - n));
    putchar('\n');
}

void live_print_batch(const struct live_keeper *K, const struct live_batch *b,
                      bool verbose)
{
    const hy_counts *const c = &b->counts;
    char text[REPORT_TEXT];
    printf("%6llu %9llu %9llu %9llu %9llu %9.3f", (unsigned long long)b->number,
           (unsigned long long)c->inserted, (unsigned long long)c->updated,
           (unsigned long long)(c->deleted + c->detached),
           (unsigned long long)b->edges, b->s * 1000);
    for (size_t i = 0; i < K->n; i++) {
        const struct live_answer *const a = &K->at[i];
        print_answer(K, a, i == 0);
        printf(" %8s %9llu%s%s\n",
               speedup_text(speedup(a->anew_s, a->info.seconds), text),
               (unsigned long long)a->changed, verbose ? "  " : "",
               verbose ? a->info.why : "");
    }
    if (verbose)
        printf("        %llu line%s: %llu duplicate, %llu missing, %llu "
               "rejected\n",
               (unsigned long long)b->lines, b->lines == 1 ? "" : "s",
               (unsigned long long)c->duplicate, (unsigned long long)c->missing,
               (unsigned long long)c->rejected);
    for (size_t i = 0; i < K->n; i++) {
        if (K->at[i].want->changes)
            print_changes(K, &K->at[i]);
        if (K->at[i].want->top)
            print_top(K, &K->at[i]);
    }
}

void live_print_sums(const struct live_keeper *K)
{
    char text[REPORT_TEXT], s[REPORT_TEXT], count[REPORT_COUNT];
    const int width = name_width(K);
    if (!K->commits)
        return;
    printf("\n%-*s %9s %10s %9s %9s %8s\n", width, "answer", "repaired",
           "recomputed", "in all", "a batch", "speed-up");
    for (size_t i = 0; i < K->n; i++) {
        const struct live_answer *const a = &K->at[i];
        printf("%-*s %9llu %10llu %9s", width, a->want->name,
               (unsigned long long)a->repaired,
               (unsigned long long)a->recomputed, report_seconds(a->sum_s, s));
        printf(" %9s %8s", report_seconds(a->sum_s / (double)K->commits, s),
               speedup_text(speedup(a->sum_anew_s, a->sum_s), text));
        if (a->kind->total)
            printf("  %s %s", report_count(a->L ? a->info.total : 0, count),
                   a->kind->total);
        putchar('\n');
    }
    if (K->is_checked)
        printf("Compared after each of %s batches: every answer is what "
               "recomputing gives.\n",
               report_count(K->commits, count));
}

/* ---- for programs -------------------------------------------------------- */

static void json_id(const struct live_keeper *K, struct json *J,
                    const char *key, uint64_t id)
{
    char text[RUN_VALUE];
    if (K->R->input.names)
        json_text(J, key, id_text(K, id, text));
    else
        json_count(J, key, id);
}

static void json_value(const struct live_keeper *K, struct json *J,
                       const struct live_answer *a, const char *key,
                       uint64_t value)
{
    if (is_inf(a, value))
        json_text(J, key, "inf");
    else if (live_kind_is_groups(a->kind))
        json_id(K, J, key, value);
    else if (a->kind->type == HY_F64)
        json_number(J, key, real_of(value));
    else
        json_count(J, key, value);
}

static void json_top(const struct live_keeper *K, struct json *J,
                     const struct live_answer *a)
{
    const size_t most = (size_t)hy_view_vertices(K->R->V);
    const size_t k = a->want->top < most ? (size_t)a->want->top : most;
    struct live_top *const top = cli_alloc(k, sizeof *top);
    const size_t n = live_top_of(K, a, k, top);
    json_open(J, "top", '[');
    for (size_t i = 0; i < n; i++) {
        json_open(J, NULL, '{');
        json_id(K, J, "id", top[i].id);
        if (live_kind_is_groups(a->kind))
            json_count(J, "vertices", top[i].value);
        else
            json_value(K, J, a, a->kind->value, top[i].value);
        json_close(J, '}');
    }
    json_close(J, ']');
    cli_free(top);
}

static void json_changes(const struct live_keeper *K, struct json *J,
                         const struct live_answer *a)
{
    json_open(J, "changes", '[');
    for (size_t i = 0; i < a->n_changes && i < a->want->changes; i++) {
        const struct live_change *const c = &a->changes[i];
        json_open(J, NULL, '{');
        json_id(K, J, "id", c->id);
        if (!c->came)
            json_value(K, J, a, "was", c->was);
        if (!c->went)
            json_value(K, J, a, "now", c->now);
        json_close(J, '}');
    }
    json_close(J, ']');
}

void live_json(const struct live_keeper *K, struct json *J)
{
    json_open(J, "live", '[');
    for (size_t i = 0; i < K->n; i++) {
        const struct live_answer *const a = &K->at[i];
        json_open(J, NULL, '{');
        json_text(J, "name", a->want->name);
        json_text(J, "kind", a->kind->name);
        if (a->terms.device)
            json_text(J, "device", K->R->device_info.name);
        json_text(J, "how", how_text(a->info.how));
        json_text(J, "why", a->info.why);
        json_number(J, "s", a->info.seconds);
        json_count(J, "changed", a->changed);
        json_number(J, "recompute_s", a->anew_s);
        json_number(J, "speedup", speedup(a->anew_s, a->info.seconds));
        if (a->kind->total)
            json_count(J, a->kind->total, a->L ? a->info.total : 0);
        if (a->kind->keys & LIVE_TOLERANCE)
            json_number(J, "error", a->info.error);
        if (K->is_checked)
            json_bool(J, "right", true); /* else there is no line */
        if (a->want->top)
            json_top(K, J, a);
        if (a->want->changes)
            json_changes(K, J, a);
        json_close(J, '}');
    }
    json_close(J, ']');
}

/* ---- files --------------------------------------------------------------- */

/* What is written of a search whose source is gone. */
static void *all_nothing(const struct live_keeper *K,
                         const struct live_answer *a)
{
    uint64_t *const x = cli_alloc(K->bound, sizeof *x);
    for (hy_vid v = 0; v < K->bound; v++)
        if (a->kind->type == HY_F64)
            x[v] = a->kind->nothing;
        else
            ((uint32_t *)x)[v] = (uint32_t)a->kind->nothing;
    return x;
}

void live_write(struct live_keeper *K, const char *dir)
{
    struct run *const R = K->R;
    for (size_t i = 0; i < K->n; i++) {
        const struct live_answer *const a = &K->at[i];
        char path[4096];
        if ((size_t)snprintf(path, sizeof path, "%s/%s.tsv", dir,
                             a->want->name) >= sizeof path)
            cli_die(CLI_FAILED, "%s: the name is too long", dir);
        const struct run_opts opts = { .output = path };
        void *const none = a->L ? NULL : all_nothing(K, a);
        R->o = &opts;
        R->n_columns = 0;
        if (a->named)
            run_column(R, a->kind->value, RUN_VERTEX, a->named);
        else
            run_column(R, a->kind->value,
                       a->kind->type == HY_F64   ? RUN_F64
                       : a->kind->type == HY_U64 ? RUN_U64
                                                 : RUN_U32,
                       a->L ? hy_live_values(a->L) : none);
        run_write(R);
        R->o = NULL;
        cli_free(none);
    }
}
