/* Records of columns, laid out as a C compiler would lay out a struct. */
#ifndef TESTS_RECORD_H
#define TESTS_RECORD_H

#include <hypha/base.h>

enum { RECORD_MAX = 32, RECORD_COLUMNS = 8 };

/* A record with its padding zeroed, so that memcmp compares it. */
struct record {
    unsigned char at[RECORD_MAX];
};

struct layout {
    uint32_t n;
    size_t size;
    size_t offset[RECORD_COLUMNS];
    hy_column column[RECORD_COLUMNS]; /* names are borrowed */
};

void layout_init(struct layout *L, const hy_column *columns, uint32_t n);

/* The record at `values`, cleaned; zeros if it is NULL. */
struct record layout_read(const struct layout *L, const void *values);

/* Random values from a small set, and garbage between the columns. */
struct record layout_random(const struct layout *L, uint64_t *rng);

bool record_equal(const struct record *a, const struct record *b);

#endif
