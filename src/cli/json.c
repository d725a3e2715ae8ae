/* JSON, written as it comes. */
#include "cli/json.h"

static void put_text(struct json *J, const char *text)
{
    fputc('"', J->to);
    for (const char *c = text; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\')
            fprintf(J->to, "\\%c", byte);
        else if (byte < ' ')
            fprintf(J->to, "\\u%04x", byte);
        else
            fputc(byte, J->to);
    }
    fputc('"', J->to);
}

static void begin(struct json *J, const char *key)
{
    if (J->more)
        fputc(',', J->to);
    J->more = true;
    if (key) {
        put_text(J, key);
        fputc(':', J->to);
    }
}

void json_open(struct json *J, const char *key, char kind)
{
    begin(J, key);
    fputc(kind, J->to);
    J->more = false;
}

void json_close(struct json *J, char kind)
{
    fputc(kind, J->to);
    J->more = true;
}

void json_text(struct json *J, const char *key, const char *text)
{
    begin(J, key);
    put_text(J, text);
}

void json_count(struct json *J, const char *key, uint64_t x)
{
    begin(J, key);
    fprintf(J->to, "%llu", (unsigned long long)x);
}

void json_bool(struct json *J, const char *key, bool x)
{
    begin(J, key);
    fputs(x ? "true" : "false", J->to);
}

void json_number(struct json *J, const char *key, double x)
{
    const bool whole = x < 9e15 && x > -9e15 && x == (double)(int64_t)x;
    begin(J, key);
    fprintf(J->to, whole ? "%.0f" : "%.6g", x);
}

void json_end(struct json *J)
{
    fputc('\n', J->to);
    J->more = false;
}
