/* `hypha help formats`: what can be read and written. */
#include "cli/input.h"

/* Extensions that are tried; the library knows what they stand for. */
static const char *const extensions[] = {
    ".el", ".txt",   ".edges", ".wel", ".konect", ".csv", ".tsv", ".mtx",
    ".gr", ".graph", ".metis", ".v",   ".e",      ".sg",  ".wsg", ".hyg"
};

static void print_extensions(hy_format format)
{
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
        char path[32];
        snprintf(path, sizeof path, "x%s", extensions[i]);
        if (hy_format_of_path(path) == format)
            printf(" %s", extensions[i]);
    }
}

int cli_help_formats(void)
{
    puts("formats of graphs, for --from and --to:\n");
    for (size_t i = HY_FORMAT_AUTO; i < HY_FORMATS; i++) {
        const hy_format format = (hy_format)i;
        printf("  %-7s %s", hy_format_name(format), hy_format_text(format));
        if (format != HY_FORMAT_AUTO) {
            fputs(";", stdout);
            print_extensions(format);
        }
        putchar('\n');
    }
    puts("\n.gz and .zst after any of these: packed by gzip or zstd.  Without "
         "--from the\nextension tells, else the first bytes do.\n\n"
         "formats of changes, for --stream-from:\n\n"
         "  hys      + u v [w ...], - u v, = u v w, + u, - u, commit\n"
         "  delta    libgrape: a u v [w], d u v, u u v w\n"
         "  temporal edges in the order of time: u v [w] t");
    return CLI_OK;
}
