#include "support/matrix.h"
#include "support/test.h"

#include <stdlib.h>

void matrix_init(struct matrix *M, const hy_view *V)
{
    const size_t n = hy_view_bound(V);
    M->n = (hy_vid)n;
    M->edge = calloc(n * n + 1, 1);
    M->near = calloc(n * n + 1, 1);
    assert_true(M->edge && M->near);
    for (hy_vid u = 0; u < n; u++)
        for (hy_vid v = 0; v < n; v++)
            if (hy_view_has_edge(V, u, v)) {
                M->edge[u * n + v] = 1;
                M->near[u * n + v] |= u != v;
                M->near[v * n + u] |= u != v;
            }
}

void matrix_fini(struct matrix *M)
{
    free(M->near);
    free(M->edge);
}
