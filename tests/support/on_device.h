/* What tests of algorithms on devices share: every device that is there,
 * graphs with histories, and drivers that refuse a call. */
#ifndef TESTS_ON_DEVICE_H
#define TESTS_ON_DEVICE_H

#include "support/test.h"

#include <hypha/device.h>

/* Compares what D answers about the newest version of G with what the host
 * answers. */
typedef void on_device_compare(hy_device *D, hy_graph *G, uint64_t *rng);

/* On the host as a device, and on each that OpenCL finds: graphs of all
 * shapes while commits, hubs, rebalances and deleted vertices pass. */
void on_device_histories(on_device_compare *compare, unsigned host_trials,
                         unsigned other_trials);

/* The same for graphs of `weighted.h`, and `some_graph.h` with a hub. */
void on_device_weighted(on_device_compare *compare, unsigned host_trials,
                        unsigned other_trials);
void on_device_hubs(on_device_compare *compare, unsigned host_trials,
                    unsigned other_trials);

/* Asks D once. */
typedef hy_status on_device_ask(hy_device *D, const hy_view *V);

/* The k-th call of a driver fails, for k = 1, 2, ...: HY_EDEVICE, nothing
 * leaks, and the next question is answered.  Then too little memory:
 * HY_EFULL, likewise. */
void on_device_faults(on_device_ask *ask, const hy_graph_opts *opts);

#endif
