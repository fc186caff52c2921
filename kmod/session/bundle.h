/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data connections of a run except for the first: made through the connection
 * manager, several at a time, before the run starts.
 */
#ifndef ICB_BUNDLE_H
#define ICB_BUNDLE_H

#include "cm/conn.h"

struct icb_ep;

/**
 * struct icb_route - addresses of the connections of one device
 * @src: this host's address; of family 0 to let the route decide
 * @dst: address of the peer
 */
struct icb_route {
	struct sockaddr_storage src;
	struct sockaddr_storage dst;
};

/**
 * struct icb_bundle - the data connections except for the first
 * @conn: connections of the second QP and of those after it
 * @count: number of elements in @conn
 * @asked: at a responder: QPs that the peer has requested a connection for, in this
 *	order; the first element of @conn is QP 1
 * @tail: number of valid elements in @asked
 */
struct icb_bundle {
	struct icb_conn *conn;
	u32 count;
	u32 *asked;
	u32 tail;
};

int icb_bundle_new(struct icb_bundle *bundle, u32 qps, struct icb_reason *why);
int icb_bundle_connect(struct icb_bundle *bundle, struct icb_ep *ep,
		       const struct icb_conn *first, const struct icb_route *routes,
		       u32 mtu, u64 timeout, struct icb_reason *why);
bool icb_bundle_take(struct icb_bundle *bundle, u32 qp,
		     struct icb_abort *abort, struct rdma_cm_id *id,
		     const struct rdma_cm_event *event);
int icb_bundle_accept(struct icb_bundle *bundle, struct icb_ep *ep,
		      struct icb_abort *abort, u64 timeout,
		      struct icb_reason *why);
void icb_bundle_may_end(struct icb_bundle *bundle);
void icb_bundle_free(struct icb_bundle *bundle);

#endif /* ICB_BUNDLE_H */
