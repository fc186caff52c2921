/* SPDX-License-Identifier: GPL-2.0 */
/* The own address that a connection goes by: it may be taken away. */
#ifndef ICB_SOURCE_H
#define ICB_SOURCE_H

#include <linux/list.h>
#include <linux/socket.h>
#include <linux/types.h>

struct icb_abort;
struct rdma_cm_id;

/**
 * struct icb_source - the own address of a connection
 * @list: among all that are watched
 * @abort: ended when the address goes; NULL for one that is not watched
 * @addr: the address
 * @ifindex: of the network device that has it; 0 for any
 * @lost: it has gone
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
