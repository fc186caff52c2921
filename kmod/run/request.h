/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ICB_REQUEST_H
#define ICB_REQUEST_H

struct icb_job;
struct icb_listener;
struct icb_reason;
struct rdma_cm_event;
struct rdma_cm_id;

int icb_requests_init(int (*serve)(struct icb_job *job,
				   struct icb_reason *why));
int icb_request_take(struct icb_listener *listener, struct rdma_cm_id *id,
		     struct rdma_cm_event *event);

#endif /* ICB_REQUEST_H */
