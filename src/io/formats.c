/* The table of formats: what each is called, and who reads it. */
#include "io/formats.h"

#include "io/path.h"

/* In the order they are asked whether a content is theirs. */
static const struct io_format formats[] = {
    { HY_FORMAT_HYG, io_sniff_hyg, io_read_hyg, io_estimate_hyg },
    { HY_FORMAT_MTX, io_sniff_mtx, io_read_mtx, io_estimate_mtx },
    { HY_FORMAT_GR, io_sniff_gr, io_read_gr, io_estimate_gr },
    { HY_FORMAT_METIS, NULL, io_read_metis, io_estimate_metis },
    { HY_FORMAT_LDBC, NULL, io_read_ldbc, NULL },
    { HY_FORMAT_SG, io_sniff_sg, io_read_sg, io_estimate_sg },
    { HY_FORMAT_WSG, NULL, io_read_sg, io_estimate_sg },
    { HY_FORMAT_KONECT, io_sniff_konect, io_read_el, NULL },
    { HY_FORMAT_CSV, io_sniff_csv, io_read_csv, NULL },
    { HY_FORMAT_TSV, NULL, io_read_csv, NULL },
    { HY_FORMAT_WEL, NULL, io_read_el, NULL },
    { HY_FORMAT_EL, NULL, io_read_el, NULL },
};

enum { N_FORMATS = sizeof formats / sizeof *formats };

const struct io_format *io_format_at(hy_format format)
{
    for (size_t i = 0; i < N_FORMATS; i++)
        if (formats[i].format == format)
            return &formats[i];
    return NULL;
}

hy_format io_format_sniff(const char *at, size_t n)
{
    for (size_t i = 0; i < N_FORMATS; i++)
        if (formats[i].sniff && formats[i].sniff(at, n))
            return formats[i].format;
    return HY_FORMAT_EL;
}

/* ---- names --------------------------------------------------------------- */

const char *hy_format_name(hy_format format)
{
    switch (format) {
#define NAME(code, name, text)                                                 \
    case code:                                                                 \
        return name;
        HY_FORMAT_MAP(NAME)
#undef NAME
    default:
        return NULL;
    }
}

const char *hy_format_text(hy_format format)
{
    switch (format) {
#define TEXT(code, name, text)                                                 \
    case code:                                                                 \
        return text;
        HY_FORMAT_MAP(TEXT)
#undef TEXT
    default:
        return NULL;
    }
}

hy_format hy_format_find(const char *name)
{
    int i = 0;
    while (i < HY_FORMATS && strcmp(hy_format_name((hy_format)i), name) != 0)
        i++;
    return (hy_format)i;
}

/* ---- paths --------------------------------------------------------------- */

struct extension {
    const char *text;
    hy_format format;
};

static const struct extension extensions[] = {
    { ".el", HY_FORMAT_EL },         { ".edges", HY_FORMAT_EL },
    { ".wel", HY_FORMAT_WEL },       { ".csv", HY_FORMAT_CSV },
    { ".tsv", HY_FORMAT_TSV },       { ".mtx", HY_FORMAT_MTX },
    { ".gr", HY_FORMAT_GR },         { ".graph", HY_FORMAT_METIS },
    { ".metis", HY_FORMAT_METIS },   { ".e", HY_FORMAT_LDBC },
    { ".v", HY_FORMAT_LDBC },        { ".sg", HY_FORMAT_SG },
    { ".wsg", HY_FORMAT_WSG },       { ".hyg", HY_FORMAT_HYG },
    { ".konect", HY_FORMAT_KONECT },
};

hy_format hy_format_of_path(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;
    size_t n;
    (void)io_path_packing(name, &n);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (io_path_ends(name, n, extensions[i].text))
            return extensions[i].format;
    /* KONECT names its files so. */
    return strncmp(name, "out.", 4) == 0 ? HY_FORMAT_KONECT : HY_FORMAT_AUTO;
}
