#include "why.h"

#include <stdarg.h>
#include <stdio.h>

bool why_not(struct why *why, const char *format, ...)
{
    if (why->text[0])
        return false;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
    return false;
}
