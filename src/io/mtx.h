/* A Matrix Market file: what its head says, and how entries become edges. */
#ifndef IO_MTX_H
#define IO_MTX_H

#include "io/head.h"

enum mtx_symmetry { MTX_GENERAL, MTX_SYMMETRIC, MTX_SKEW };

/* What values may be. */
struct mtx_type {
    const char *name;
    bool is_integer, is_unsigned;
    int64_t lo, hi; /* of integers; not used for those of 64 bits unsigned */
};

struct mtx {
    bool has_banner, is_array, is_pattern;
    enum mtx_symmetry symmetry;
    struct mtx_type type;
    uint64_t size_line;  /* its number */
    uint64_t n, entries; /* vertices, values announced */
    /* Edges: */
    bool undirected;
    bool mirrors; /* an entry off the diagonal is two arcs */
    bool keeps;   /* the values */
    struct io_form form;
};

/* Whether x may be a value of the file; else why not, for "%s %s". */
bool mtx_accepts(const struct mtx *M, struct io_value x);

/* Says why the value at `at` is bad.  True: go on with the next line. */
bool mtx_bad_value(const struct mtx *M, struct io_chunk *C, const char *line,
                   const char *at);

/* Adds what an entry stands for to the rows. */
void mtx_add(const struct mtx *M, struct io_rows *rows,
             const struct io_entry *e);

/* The body of a dense file: values alone, column by column. */
uint64_t mtx_array_entries(const struct mtx *M);
uint64_t mtx_count(const void *state, const char *at, const char *end);
void mtx_array_parse(const void *state, struct io_chunk *C);

#endif
