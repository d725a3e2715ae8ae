/* Measurements and how they are shown. */
#include "cli/report.h"

#include "cli/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- numbers from trials ------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void report_time(struct report_times *times, double s)
{
    if (times->n < TRIALS_MAX)
        times->s[times->n++] = s;
}

double report_quantile(double *x, size_t n, double q)
{
    qsort(x, n, sizeof *x, by_value);
    const size_t i = (size_t)(q * (double)n);
    return x[i < n ? i : n - 1];
}

double report_median(const struct report_times *times)
{
    struct report_times copy = *times;
    if (!copy.n)
        return 0;
    qsort(copy.s, copy.n, sizeof *copy.s, by_value);
    return (copy.s[(copy.n - 1) / 2] + copy.s[copy.n / 2]) / 2;
}

double report_spread(const struct report_times *times)
{
    const double median = report_median(times);
    if (median <= 0)
        return 0;
    double least = times->s[0], most = times->s[0];
    for (size_t i = 1; i < times->n; i++) {
        least = times->s[i] < least ? times->s[i] : least;
        most = times->s[i] > most ? times->s[i] : most;
    }
    return (most - least) / median;
}

/* ---- rows ---------------------------------------------------------------- */

struct report_row report_row_of(const char *graph, const char *name)
{
    return (struct report_row){ .graph = graph,
                                .name = name,
                                .batch = -1,
                                .median_s = -1,
                                .spread = -1,
                                .rate = -1,
                                .ratio = -1,
                                .verified = true };
}

void report_row_times(struct report_row *row, const struct report_times *times,
                      const char *unit, double count)
{
    row->median_s = report_median(times);
    row->spread = report_spread(times);
    if (unit && row->median_s > 0) {
        row->unit = unit;
        row->rate = count / row->median_s;
    }
}

static void add_field(struct report_row *row, struct report_field field)
{
    if (row->n_fields < sizeof row->fields / sizeof *row->fields)
        row->fields[row->n_fields++] = field;
}

void report_row_number(struct report_row *row, const char *key, double x)
{
    add_field(row, (struct report_field){ .key = key, .number = x });
}

void report_row_text(struct report_row *row, const char *key, const char *text)
{
    add_field(row, (struct report_field){ .key = key, .text = text });
}

void report_row_aside(struct report_row *row, const char *key, double x)
{
    add_field(row,
              (struct report_field){ .key = key, .number = x, .aside = true });
}

/* ---- text for people ----------------------------------------------------- */

char *report_si(double x, char text[REPORT_TEXT])
{
    static const char *const units[] = { "", " k", " M", " G", " T" };
    size_t i = 0;
    for (; x >= 999.5 && i < 4; i++)
        x /= 1000;
    snprintf(text, REPORT_TEXT, "%.3g%s", x, units[i]);
    return text;
}

char *report_seconds(double s, char text[REPORT_TEXT])
{
    static const char *const units[] = { " s", " ms", " us", " ns" };
    size_t i = 0;
    for (; s > 0 && s < 0.9995 && i < 3; i++)
        s *= 1000;
    snprintf(text, REPORT_TEXT, "%.3g%s", s, units[i]);
    return text;
}

char *report_bytes(double x, char text[REPORT_TEXT])
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    size_t i = 0;
    for (; x >= 999.5 && i < 4; i++)
        x /= 1024;
    snprintf(text, REPORT_TEXT, "%.3g %s", x, units[i]);
    return text;
}

char *report_count(uint64_t x, char text[REPORT_COUNT])
{
    char digits[REPORT_COUNT];
    const int n =
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)x);
    char *to = text;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

/* ---- output ----------------------------------------------------------- */

void report_init(struct report *R, const char *suite, uint32_t threads,
                 bool json, bool quiet)
{
    *R = (struct report){ .suite = suite, .threads = threads, .json = json };
    R->progress = !quiet && isatty(STDERR_FILENO);
}

static void clear_progress(const struct report *R)
{
    if (R->progress)
        fputs("\r\033[K", stderr);
}

void report_progress(struct report *R, const char *graph, const char *name,
                     uint64_t batch)
{
    if (!R->progress)
        return;
    clear_progress(R);
    fprintf(stderr, "%s %s", graph, name);
    if (batch)
        fprintf(stderr, " %llu", (unsigned long long)batch);
    fputs(" ...", stderr);
    fflush(stderr);
}

static void print_json(const struct report *R, const struct report_row *row)
{
    struct json J = { .to = stdout };
    json_open(&J, NULL, '{');
    json_text(&J, "suite", R->suite);
    json_text(&J, "graph", row->graph);
    json_text(&J, "case", row->name);
    if (row->edges)
        json_text(&J, "edges", row->edges);
    if (row->batch >= 0)
        json_number(&J, "batch", row->batch);
    if (row->rate >= 0) {
        char key[32];
        snprintf(key, sizeof key, "%s_per_s", row->unit);
        json_number(&J, key, row->rate);
        json_number(&J, "rate", row->rate);
    }
    if (row->median_s >= 0)
        json_number(&J, "median_s", row->median_s);
    if (row->spread >= 0)
        json_number(&J, "spread", row->spread);
    if (row->ratio >= 0)
        json_number(&J, "ratio", row->ratio);
    for (size_t i = 0; i < row->n_fields; i++) {
        const struct report_field *const f = &row->fields[i];
        if (f->text)
            json_text(&J, f->key, f->text);
        else
            json_number(&J, f->key, f->number);
    }
    json_count(&J, "threads", R->threads);
    json_bool(&J, "verified", row->verified);
    json_close(&J, '}');
    json_end(&J);
}

/* A number of unknown kind, in few digits. */
static const char *plain(double x, char text[REPORT_TEXT])
{
    if (x >= 10000)
        return report_si(x, text);
    snprintf(text, REPORT_TEXT, "%.4g", x);
    return text;
}

static const char *or_blank(double x, const char *text)
{
    return x >= 0 ? text : "";
}

static void print_line(struct report *R, const struct report_row *row)
{
    if (!R->headed)
        printf("%-9s %-24s %-8s %9s %10s %8s %7s %6s  %s\n", "graph", "case",
               "edges", "batch", "rate /s", "median", "spread", "ratio",
               "more");
    R->headed = true;
    char batch[REPORT_TEXT], rate[REPORT_TEXT], median[REPORT_TEXT];
    char spread[REPORT_TEXT], ratio[REPORT_TEXT];
    snprintf(batch, sizeof batch, "%.0f", row->batch);
    snprintf(spread, sizeof spread, "%.0f %%", row->spread * 100);
    snprintf(ratio, sizeof ratio, row->ratio < 100 ? "%.2f" : "%.0f",
             row->ratio);
    report_si(row->rate, rate);
    report_seconds(row->median_s, median);
    printf("%-9s %-24s %-8s %9s %10s %8s %7s %6s ", row->graph, row->name,
           row->edges ? row->edges : "", or_blank(row->batch, batch),
           or_blank(row->rate, rate), or_blank(row->median_s, median),
           or_blank(row->spread, spread), or_blank(row->ratio, ratio));
    for (size_t i = 0; i < row->n_fields; i++) {
        const struct report_field *const f = &row->fields[i];
        if (f->aside)
            continue;
        char number[REPORT_TEXT];
        printf(" %s %s ", f->key, f->text ? f->text : plain(f->number, number));
    }
    puts(row->verified ? "" : " WRONG");
}

void report_print(struct report *R, const struct report_row *row)
{
    clear_progress(R);
    if (R->json)
        print_json(R, row);
    else
        print_line(R, row);
    fflush(stdout);
    R->rows++;
    R->wrong += !row->verified;
}

bool report_finish(struct report *R, bool quiet)
{
    clear_progress(R);
    if (R->wrong)
        fprintf(stderr, "hypha: %zu of %zu results are wrong\n", R->wrong,
                R->rows);
    else if (!R->json && !quiet)
        printf("\n%zu measurement%s, all verified.\n", R->rows,
               R->rows == 1 ? "" : "s");
    return R->wrong == 0;
}
