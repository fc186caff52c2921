/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probes: connections that carry no messages, made and destroyed in order to time this.
 */
#ifndef ICB_PROBE_H
#define ICB_PROBE_H

#include "cm/conn.h"

struct ib_cq;
struct ib_pd;
struct icb_params;

/*
 * The initiator makes one probe after another. The responder may still be destroying one
 * when the request for the next one arrives.
 */
#define ICB_PROBES	2

u32 icb_probe_qps(const struct icb_params *params);

/* For the initiator: one call for each step, in this order. */

int icb_probe_resolve_addr(struct icb_conn *probe, const struct icb_conn *data,
			   u64 timeout, struct icb_reason *why);
int icb_probe_resolve_route(struct icb_conn *probe, u32 mtu, u64 timeout,
			    struct icb_reason *why);
int icb_probe_create_qp(struct icb_conn *probe, struct ib_pd *pd,
			struct ib_cq *cq, struct icb_reason *why);
int icb_probe_connect(struct icb_conn *probe, const struct icb_conn *data,
		      u64 timeout, struct icb_reason *why);
int icb_probe_disconnect(struct icb_conn *probe, u64 timeout,
			 struct icb_reason *why);
void icb_probe_destroy(struct icb_conn *probe);

/* For the responder. */

bool icb_probes_take(struct icb_conn *probes, struct icb_abort *abort,
		     struct rdma_cm_id *id, const struct rdma_cm_event *event);
bool icb_probes_due(const struct icb_conn *probes);
int icb_probes_serve(struct icb_conn *probes, struct ib_pd *pd,
		     struct ib_cq *cq, struct icb_reason *why);
void icb_probes_destroy(struct icb_conn *probes);

#endif /* ICB_PROBE_H */
