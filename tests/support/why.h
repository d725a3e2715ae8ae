/* What a comparison found wrong, as text. */
#ifndef TESTS_WHY_H
#define TESTS_WHY_H

#include <stdbool.h>

struct why {
    char text[512];
};

/* Writes the text, unless there is one already; returns false. */
bool why_not(struct why *why, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
