/* JSON, written as it comes. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *to;
    bool more; /* something stands before, in the same list or object */
};

/* `key` is NULL within lists and at the top.  kind: '{' or '['. */
void json_open(struct json *J, const char *key, char kind);
void json_close(struct json *J, char kind); /* '}' or ']' */

/* Control characters are escaped; other bytes are taken as UTF-8. */
void json_text(struct json *J, const char *key, const char *text);
void json_count(struct json *J, const char *key, uint64_t x);
void json_bool(struct json *J, const char *key, bool x);

/* Six digits, or all of them if it is whole. */
void json_number(struct json *J, const char *key, double x);

/* Ends the line. */
void json_end(struct json *J);

#endif
