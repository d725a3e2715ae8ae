/* All of hypha's public interface. */
#ifndef HY_HYPHA_H
#define HY_HYPHA_H

#include <hypha/base.h>
#include <hypha/batch.h>
#include <hypha/bc.h>
#include <hypha/bfs.h>
#include <hypha/butterfly.h>
#include <hypha/cdlp.h>
#include <hypha/coloring.h>
#include <hypha/device.h>
#include <hypha/gen.h>
#include <hypha/geolocate.h>
#include <hypha/graph.h>
#include <hypha/hits.h>
#include <hypha/io.h>
#include <hypha/katz.h>
#include <hypha/kclique.h>
#include <hypha/kcore.h>
#include <hypha/ktruss.h>
#include <hypha/lcc.h>
#include <hypha/live.h>
#include <hypha/localcluster.h>
#include <hypha/mst.h>
#include <hypha/ops.h>
#include <hypha/ops_intersect.h>
#include <hypha/ops_sets.h>
#include <hypha/pagerank.h>
#include <hypha/par.h>
#include <hypha/scc.h>
#include <hypha/spmv.h>
#include <hypha/sssp.h>
#include <hypha/triangles.h>
#include <hypha/wcc.h>

#endif
