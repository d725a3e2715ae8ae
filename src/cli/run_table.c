/* `hypha run`: the algorithms there are. */
#include "cli/run.h"

const struct run_algorithm run_algorithms[] = {
    { .name = "bfs",
      .help = "hops from one vertex: breadth-first search",
      .about = "The least number of edges from the source to each vertex, "
               "along their\ndirection.  -o writes the depth, `inf` where "
               "there is no way.  Searches\nforwards and backwards, whichever "
               "looks at fewer edges.",
      .example = "bfs roads.mtx --source 17 -o depths.tsv",
      .takes = RUN_NEEDS_SOURCE,
      .reverse = true,
      .on_devices = true,
      .run = run_bfs },
    { .name = "sssp",
      .help = "shortest paths from one vertex, by weight",
      .about = "The least sum of weights from the source to each vertex; "
               "without weights\nall are 1, negative ones are refused.  -o "
               "writes the distance, `inf` where\nthere is no way.  "
               "Delta-stepping; the delta changes the time, never the answer.",
      .example = "sssp rome99.gr --source 1 -o distances.tsv",
      .takes = RUN_NEEDS_SOURCE | RUN_DELTA | RUN_COLUMN,
      .on_devices = true,
      .run = run_sssp },
    { .name = "pagerank",
      .help = "rank of a random walk, as LDBC defines it",
      .about =
          "rank(v) = (1 - d)/n + d * (sum of rank(u)/outdegree(u) over edges "
          "u -> v\n+ rank of vertices without out-edges / n); d is the damping "
          "(0.85).  Ranks\nsum to 1; -o writes them.  Ends when an iteration "
          "changes them by no more\nthan the tolerance in all (1e-4), or "
          "after 100; with --iterations and no\n--tolerance after exactly as "
          "many.",
      .example = "pagerank wiki-Vote.txt --tolerance 1e-9 --top 10",
      .methods = "auto jacobi gauss-seidel",
      .takes = RUN_TOLERANCE | RUN_ITERATIONS | RUN_DAMPING | RUN_METHOD,
      .reverse = true,
      .on_devices = true,
      .run = run_pagerank },
    { .name = "wcc",
      .help = "components, directions left aside",
      .about = "Which vertices paths join, whatever the direction of their "
               "edges.  -o writes\nthe smallest id of the vertex's component.",
      .example = "wcc ca-AstroPh.txt --json",
      .methods = "afforest shiloach-vishkin label-propagation",
      .takes = RUN_METHOD,
      .on_devices = true,
      .run = run_wcc },
    { .name = "scc",
      .help = "strong components: paths both ways",
      .about = "Which vertices have paths to each other along the direction "
               "of edges.  -o\nwrites the smallest id of the vertex's "
               "component.",
      .example = "scc wiki-Vote.txt",
      .methods = "auto reach tarjan",
      .takes = RUN_METHOD,
      .reverse = true,
      .run = run_scc },
    { .name = "triangles",
      .help = "triangles, in all and at each vertex",
      .about = "Sets of three vertices that are all neighbours, directions "
               "and repeats left\naside.  -o writes the vertex's own count; "
               "their sum is three times the total.",
      .example = "triangles facebook_combined.txt --undirected",
      .methods = "auto ranked in-place",
      .takes = RUN_METHOD,
      .on_devices = true,
      .reverse_there = true,
      .run = run_triangles },
    { .name = "lcc",
      .help = "local clustering coefficients, as LDBC defines them",
      .about = "Edges among a vertex's neighbours over as many as could be "
               "there; directed\nedges count each, undirected ones once; 0 "
               "with less than two neighbours.\n-o writes the coefficient.",
      .example = "lcc email-Eu-core.txt --top 5",
      .reverse = true,
      .run = run_lcc },
    { .name = "spmv",
      .help = "the graph's matrix times a vector",
      .about = "y = A x, where A[u][v] is the weight of the edge u -> v, 1 "
               "without weights.\nx is 1 everywhere, or what --input says "
               "(`id value`, 0 for others).  -o\nwrites y.",
      .example = "spmv web.mtx --input x.tsv -o y.tsv",
      .takes = RUN_COLUMN | RUN_INPUT,
      .on_devices = true,
      .run = run_spmv },
    { .name = "bc",
      .help = "betweenness: shortest paths through a vertex",
      .about = "The sum over pairs of vertices of the part of their shortest "
               "paths, counted in\nedges, that leads through a vertex.  Exact "
               "over all sources, or over --sources\nof them drawn at random, "
               "or from one --source.  -o writes the score.",
      .example = "bc ca-AstroPh.txt --undirected --sources 100 --top 10",
      .takes = RUN_SOURCE | RUN_SOURCES | RUN_SEED,
      .reverse = true,
      .run = run_bc },
    { .name = "kcore",
      .help = "core numbers",
      .about = "The largest k such that the vertex is in a part of the graph "
               "where all have k\nneighbours, directions left aside.  -o "
               "writes it.",
      .example = "kcore facebook_combined.txt --undirected --top 5",
      .run = run_kcore },
    { .name = "coloring",
      .help = "colours, different at neighbours",
      .about = "Colours 0, 1, ... such that neighbours differ, as those of a "
               "greedy choice by\ndegree, the largest first.  -o writes the "
               "colour.",
      .example = "coloring roads.mtx -o colors.tsv",
      .takes = RUN_SEED,
      .run = run_coloring },
    { .name = "hits",
      .help = "hubs and authorities",
      .about = "A good hub points to good authorities.  -o writes `id "
               "authority hub`, each of\nlength 1 as a vector.  Ends when an "
               "iteration moves neither by more than the\ntolerance (1e-6); "
               "with --iterations and no --tolerance after exactly as many.",
      .example = "hits wiki-Vote.txt --top 10",
      .takes = RUN_TOLERANCE | RUN_ITERATIONS,
      .reverse = true,
      .run = run_hits },
    { .name = "katz",
      .help = "Katz centrality: all walks, shorter ones count more",
      .about = "katz(v) = 1 + a * (sum of katz(u) over edges u -> v); a is "
               "--damping, and by\ndefault 0.85 of the largest that is proven "
               "to converge.  -o writes it.",
      .example = "katz wiki-Vote.txt --top 10",
      .takes = RUN_TOLERANCE | RUN_ITERATIONS | RUN_DAMPING,
      .reverse = true,
      .run = run_katz },
    { .name = "mst",
      .help = "a minimum spanning forest",
      .about = "Edges of least weight that join whatever the graph joins, "
               "directions left\naside.  -o writes each vertex's neighbour on "
               "the way to the smallest id of its\ntree, which is its own.",
      .example = "mst rome99.gr",
      .takes = RUN_COLUMN,
      .run = run_mst },
    { .name = "cdlp",
      .help = "communities by label propagation, as LDBC defines them",
      .about = "Labels start as ids; in each iteration all vertices take the "
               "most frequent\nlabel of their neighbours, the smallest of "
               "several.  At most 10 iterations.\n-o writes the label.",
      .example = "cdlp email-Eu-core.txt --iterations 5",
      .takes = RUN_ITERATIONS,
      .reverse = true,
      .run = run_cdlp },
    { .name = "ktruss",
      .help = "trusses: edges on many triangles",
      .about = "The k-truss is the largest part of a graph in which every "
               "edge is on k - 2\ntriangles.  -o writes the largest k of the "
               "edges at a vertex; --k counts the\nedges of that truss alone.",
      .example = "ktruss facebook_combined.txt --undirected --k 20",
      .takes = RUN_K,
      .run = run_ktruss },
    { .name = "kclique",
      .help = "cliques of k vertices (4), in all and at each vertex",
      .about = "Sets of k vertices that are all neighbours, directions left "
               "aside.  -o writes\nthe vertex's own count.",
      .example = "kclique facebook_combined.txt --undirected --k 5",
      .takes = RUN_K,
      .run = run_kclique },
    { .name = "butterfly",
      .help = "cycles of four vertices, in all and at each vertex",
      .about = "Cycles of four vertices, directions left aside: the smallest "
               "ones of bipartite\ngraphs.  -o writes the vertex's own count.",
      .example = "butterfly ratings.csv --undirected",
      .run = run_butterfly },
    { .name = "localcluster",
      .help = "a cluster around a vertex, by PageRank-Nibble",
      .about = "Lets rank spread from the source (--damping, 0.85; what is "
               "below --tolerance,\n1e-5, times the degree stays) and takes, "
               "by rank per degree, the set of least\nconductance.  -o writes "
               "1 inside, 0 outside.",
      .example = "localcluster facebook_combined.txt --undirected --source 0",
      .takes = RUN_NEEDS_SOURCE | RUN_DAMPING | RUN_TOLERANCE,
      .reverse = true,
      .run = run_localcluster },
    { .name = "geolocate",
      .help = "positions from those of neighbours",
      .about = "--input has the known positions, `id latitude longitude` in "
               "degrees; others go\nto the spatial median of their "
               "neighbours until none moves by more than\n--tolerance (1 km), "
               "10 iterations at most.  -o writes `id latitude longitude`,\n"
               "`none` where unknown.",
      .example = "geolocate friends.el --input homes.tsv -o places.tsv",
      .takes = RUN_NEEDS_INPUT | RUN_TOLERANCE | RUN_ITERATIONS | RUN_COLUMN |
               RUN_SPREAD,
      .reverse = true,
      .run = run_geolocate },
};

const size_t run_algorithms_n = sizeof run_algorithms / sizeof *run_algorithms;
