/* Verifies a cluster: its members, its volume, its cut. */
#include "base/status.h"
#include "store/view.h"

#include <hypha/localcluster.h>

#include <inttypes.h>
#include <math.h>

static bool is_member(const hy_vid *members, uint64_t n, hy_vid u)
{
    uint64_t lo = 0;
    while (n > 0) {
        const uint64_t half = n / 2;
        if (members[lo + half] < u) {
            lo += half + 1;
            n -= half + 1;
        } else {
            if (members[lo + half] == u)
                return true;
            n = half;
        }
    }
    return false;
}

static hy_status check_members(const hy_view *V, const hy_vid *members,
                               uint64_t n)
{
    if (!n)
        return base_fail(HY_EBUG, "a cluster without members");
    for (uint64_t i = 0; i < n; i++) {
        if (!hy_view_has_vertex(V, members[i]))
            return base_fail(HY_EBUG, "there is no vertex %u", members[i]);
        if (i && members[i - 1] >= members[i])
            return base_fail(HY_EBUG, "member %u is out of order", members[i]);
    }
    return HY_OK;
}

/* Edges of one side from the members: all, and those to others. */
static void count_side(const hy_view *V, bool in, const hy_vid *members,
                       uint64_t n, hy_localcluster_info *sum)
{
    for (uint64_t k = 0; k < n; k++) {
        hy_span s = in ? view_in(V, members[k]) : view_out(V, members[k]);
        for (; s.n != 0; hy_span_next(V, &s)) {
            sum->volume += s.n;
            for (size_t i = 0; i < s.n; i++)
                sum->cut += !is_member(members, n, s.v[i * s.step]);
        }
    }
}

static hy_status check(const hy_view *V, const hy_vid *members,
                       const hy_localcluster_info *info)
{
    const uint64_t n = info->members;
    HY_TRY(check_members(V, members, n));
    if (!view_has_in(V))
        return base_fail(HY_ESTATE, "no in-adjacency: hy_graph_add_reverse");
    hy_localcluster_info sum = { 0 };
    count_side(V, false, members, n, &sum);
    uint64_t all = hy_view_arcs(V);
    if (!view_is_undirected(V)) {
        count_side(V, true, members, n, &sum);
        all *= 2;
    }
    if (sum.volume != info->volume || sum.cut != info->cut)
        return base_fail(HY_EBUG,
                         "volume %" PRIu64 " and cut %" PRIu64 ", not %" PRIu64
                         " and %" PRIu64,
                         sum.volume, sum.cut, info->volume, info->cut);
    const uint64_t rest = all - sum.volume;
    const uint64_t less = sum.volume < rest ? sum.volume : rest;
    const double conductance = less ? (double)sum.cut / (double)less : 1;
    if (!(fabs(conductance - info->conductance) <= 1e-12))
        return base_fail(HY_EBUG, "conductance %g, not %g", conductance,
                         info->conductance);
    return HY_OK;
}

bool hy_localcluster_check(const hy_view *V, const hy_vid *members,
                           const hy_localcluster_info *info, const char **why)
{
    const hy_status status = check(V, members, info);
    if (why)
        *why = hy_error_text();
    return status == HY_OK;
}
