/* JSON, written as it comes. */
#include "cli/json.h"

/* Characters of UTF-8, by their first and second byte.  (RFC 3629) */
struct utf8 {
    unsigned char from, to;
    unsigned char from2, to2;
    int n; /* bytes */
};

/* Bytes of the character at c; 0 if it is none. */
static int utf8_length(const char *c)
{
    static const struct utf8 kinds[] = {
        { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
        { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
        { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };
    const unsigned char *const b = (const unsigned char *)c;
    const struct utf8 *k = kinds, *const end = k + sizeof kinds / sizeof *kinds;
    if (b[0] < 0x80)
        return 1;
    while (k < end && (b[0] < k->from || b[0] > k->to))
        k++;
    if (k == end || b[1] < k->from2 || b[1] > k->to2)
        return 0;
    for (int i = 2; i < k->n; i++)
        if ((b[i] & 0xc0) != 0x80)
            return 0;
    return k->n;
}

/* A path may hold any bytes; JSON may not. */
static void put_text(struct json *J, const char *text)
{
    fputc('"', J->to);
    for (const char *c = text; *c; c++) {
        const unsigned char byte = (unsigned char)*c;
        const int n = utf8_length(c);
        if (byte == '"' || byte == '\\')
            fprintf(J->to, "\\%c", byte);
        else if (byte < ' ')
            fprintf(J->to, "\\u%04x", byte);
        else if (n == 0)
            fputs("\\ufffd", J->to);
        else
            fwrite(c, 1, (size_t)n, J->to);
        c += n ? n - 1 : 0;
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
