/* Measurements and how they are shown: a table, or one JSON object a line. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- numbers from trials ------------------------------------------------ */

/* Seconds of each trial. */
enum { TRIALS_MAX = 101 };
struct report_times {
    double s[TRIALS_MAX];
    size_t n;
};

void report_time(struct report_times *times, double s);
double report_median(const struct report_times *times);

/* (slowest - fastest) / median */
double report_spread(const struct report_times *times);

/* The q-quantile, 0 <= q <= 1, of n > 0 numbers, which it sorts. */
double report_quantile(double *x, size_t n, double q);

/* ---- rows ---------------------------------------------------------------- */

struct report_field {
    const char *key;
    const char *text; /* NULL: a number */
    double number;
    bool aside; /* only in JSON */
};

/* A measurement.  Strings are borrowed; numbers that are negative are not
 * there. */
struct report_row {
    const char *graph, *name;
    const char *edges; /* uniform, skewed or NULL */
    const char *unit;  /* of the rate: edges, vertices */
    double batch, median_s, spread, rate, ratio;
    bool verified;
    struct report_field fields[16]; /* and whatever else it found */
    size_t n_fields;
};

struct report_row report_row_of(const char *graph, const char *name);

/* Sets median, spread and, if `count` things were done in each trial, the
 * rate. */
void report_row_times(struct report_row *row, const struct report_times *times,
                      const char *unit, double count);
void report_row_number(struct report_row *row, const char *key, double x);
void report_row_text(struct report_row *row, const char *key, const char *text);

/* The same for what the table has no room for. */
void report_row_aside(struct report_row *row, const char *key, double x);

/* ---- output ----------------------------------------------------------- */

struct report {
    const char *suite;
    uint32_t threads;
    bool json;
    bool progress; /* standard error is a terminal, and may be written to */
    bool headed;   /* the table's header is printed */
    size_t rows, wrong;
};

void report_init(struct report *R, const char *suite, uint32_t threads,
                 bool json, bool quiet);
void report_print(struct report *R, const struct report_row *row);

/* What is being measured now, until the next row. */
void report_progress(struct report *R, const char *graph, const char *name,
                     uint64_t batch);

/* Says how it went; the result is false if something was not verified. */
bool report_finish(struct report *R, bool quiet);

/* Text for people: "41.2 M", "23.9 ms".  Returns `text`. */
enum { REPORT_TEXT = 24 };
char *report_si(double x, char text[REPORT_TEXT]);
char *report_seconds(double s, char text[REPORT_TEXT]);
char *report_bytes(double x, char text[REPORT_TEXT]);

/* "12,345,678", of any number. */
enum { REPORT_COUNT = 32 };
char *report_count(uint64_t x, char text[REPORT_COUNT]);

#endif
