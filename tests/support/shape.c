#include "support/shape.h"

#include "support/random.h"

#include <stdio.h>

static const hy_column odd[] = {
    { "kind", HY_U8 }, { "lane", HY_U16 }, { "cost", HY_F64 }, { "x", HY_I32 }
};
static const hy_column byte[] = { { "mark", HY_U8 } };
static const hy_column label[] = { { "label", HY_U32 } };
static const hy_column rank[] = { { "rank", HY_F64 }, { "mark", HY_U8 } };

void shape_edge_columns(hy_graph_opts *opts, unsigned kind)
{
    static const hy_model models[] = { HY_SIMPLE, HY_WEIGHTED, HY_SEMANTIC };
    if (kind < 3) {
        hy_graph_opts_model(opts, models[kind]);
    } else {
        opts->edge_columns = kind == 3 ? odd : byte;
        opts->n_edge_columns = kind == 3 ? 4 : 1;
    }
}

void shape_vertex_columns(hy_graph_opts *opts, unsigned kind)
{
    opts->vertex_columns = kind == 0 ? NULL : kind == 1 ? label : rank;
    opts->n_vertex_columns = kind;
}

/* Takes the next digit of a mixed-radix number. */
static unsigned digit(uint64_t *code, unsigned radix)
{
    const unsigned d = (unsigned)(*code % radix);
    *code /= radix;
    return d;
}

hy_graph_opts shape_of(uint64_t code)
{
    hy_graph_opts opts = { 0 };
    const unsigned direction = digit(&code, 3);
    opts.undirected = direction == 2;
    opts.reverse = direction == 1;
    opts.ids = digit(&code, 2) ? HY_IDS_MAPPED : HY_IDS_DENSE;
    shape_edge_columns(&opts, digit(&code, SHAPE_EDGE_KINDS));
    shape_vertex_columns(&opts, digit(&code, SHAPE_VERTEX_KINDS));
    opts.interleaved = digit(&code, 2);
    opts.slack = (hy_slack)digit(&code, 3);
    opts.slack_amount = opts.slack ? 1u + 25u * digit(&code, 2) : 0;
    opts.no_loops = digit(&code, 3) == 0;
    opts.keep_memory = digit(&code, 4) == 0;
    opts.reserve = (uint64_t)256 << 20;
    return opts;
}

hy_graph_opts shape_random(uint64_t *rng)
{
    return shape_of(rng_next(rng));
}

const char *shape_text(const hy_graph_opts *opts)
{
    static _Thread_local char text[160];
    (void)snprintf(text, sizeof text,
                   "%s%s ids, %u edge and %u vertex columns%s, slack %d/%u%s%s",
                   opts->undirected ? "undirected, "
                   : opts->reverse  ? "directed + reverse, "
                                    : "directed, ",
                   opts->ids == HY_IDS_MAPPED ? "mapped" : "dense",
                   opts->n_edge_columns, opts->n_vertex_columns,
                   opts->interleaved ? " interleaved" : "", (int)opts->slack,
                   opts->slack_amount, opts->no_loops ? ", no loops" : "",
                   opts->keep_memory ? ", keeps memory" : "");
    return text;
}
