/* SPDX-License-Identifier: GPL-2.0 */
/* Watches the local address of a connection, which may be removed. */
#ifndef ICB_SOURCE_H
#define ICB_SOURCE_H

#include <linux/list.h>
#include <linux/socket.h>
#include <linux/types.h>

struct icb_abort;
struct rdma_cm_id;

/**
 * struct icb_source - watch of the local address of a connection
 * @list: entry in the list of all watches
 * @abort: abort state to end when the address is removed; NULL if the watch is unused
 * @addr: the address
 * @ifindex: index of the network interface that has the address; 0 for any
 * @lost: true if the address was removed
 */
struct icb_source {
	struct list_head list;
	struct icb_abort *abort;
	struct sockaddr_storage addr;
	int ifindex;
	bool lost;
};

int icb_source_init(void);
void icb_source_exit(void);
void icb_source_watch(struct icb_source *source, const struct rdma_cm_id *id,
		      struct icb_abort *abort);
bool icb_source_lost(const struct icb_source *source);
void icb_source_forget(struct icb_source *source);

#endif /* ICB_SOURCE_H */
