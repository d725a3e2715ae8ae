/* All kernels, by name; and their C side, which the host runs. */
#include "device/device.h"

#include "device/kernels/kernel.h"

#include "device/kernels/graph.cl"

#include "device/kernels/mirror.cl"

#include "device/kernels/ops.cl"

#include "device/kernels/frontier.cl"

#include "device/kernels/bfs.cl"

#include "device/kernels/pagerank.cl"

#include "device/kernels/spmv.cl"

#include "device/kernels/sssp.cl"

#include "device/kernels/triangles.cl"

#include "device/kernels/wcc.cl"

#define IN(file_name, kernel)                                                  \
    {                                                                          \
        .name = #kernel, .file = file_name, .run = kernel_##kernel             \
    }

const struct device_kernel device_kernels[] = {
    IN("mirror.cl", mirror_scatter),
    IN("ops.cl", scan_sum),
    IN("ops.cl", scan_write),
    IN("ops.cl", reduce),
    IN("ops.cl", filter_write),
    IN("ops.cl", sort_count),
    IN("ops.cl", sort_deal),
    IN("frontier.cl", frontier_sum),
    IN("frontier.cl", frontier_scan),
    IN("frontier.cl", frontier_all),
    IN("frontier.cl", frontier_to_bits),
    IN("frontier.cl", frontier_to_list),
    IN("bfs.cl", bfs_push),
    IN("bfs.cl", bfs_pull),
    IN("pagerank.cl", rank_start),
    IN("pagerank.cl", rank_resume),
    IN("pagerank.cl", rank_pull),
    IN("pagerank.cl", rank_publish),
    IN("pagerank.cl", rank_total),
    IN("pagerank.cl", rank_finish),
    IN("spmv.cl", spmv_rows),
    IN("sssp.cl", sssp_push),
    IN("sssp.cl", sssp_push_wide),
    IN("sssp.cl", sssp_split),
    IN("sssp.cl", sssp_split_wide),
    IN("sssp.cl", sssp_far_away),
    IN("sssp.cl", sssp_seed),
    IN("sssp.cl", sssp_look),
    IN("sssp.cl", sssp_pull_parents),
    IN("sssp.cl", sssp_push_parents),
    IN("sssp.cl", sssp_mend_pull),
    IN("sssp.cl", sssp_mend_push),
    IN("sssp.cl", sssp_open),
    IN("sssp.cl", sssp_wave),
    IN("triangles.cl", tri_degrees),
    IN("triangles.cl", tri_name),
    IN("triangles.cl", tri_count),
    IN("triangles.cl", tri_fill),
    IN("triangles.cl", tri_total),
    IN("triangles.cl", tri_give),
    IN("triangles.cl", tri_follow),
    IN("wcc.cl", wcc_begin),
    IN("wcc.cl", wcc_compress),
    IN("wcc.cl", wcc_link),
    IN("wcc.cl", wcc_rest),
    IN("wcc.cl", wcc_come),
    IN("wcc.cl", wcc_join),
    IN("wcc.cl", wcc_settle),
    IN("wcc.cl", wcc_bury),
    { 0 },
};
