/* SPDX-License-Identifier: GPL-2.0 */
/* The RDMA devices that the module reports, one entry for each port. */
#ifndef NL_DEVICE_H
#define NL_DEVICE_H

#include "model/engine.h"
#include "nl.h"

struct nl_gid {
	u64 has;
	u32 index;
	u8 value[16];
	char type[16];
	char netdev[32];
};

/* A port of a device. @gid is an allocated array of @gids entries. */
struct nl_dev {
	u64 has;
	char name[ICBENCH_MAX_NAME + 1];
	char driver[64];
	u64 node_guid;
	s32 node;
	u32 max_qp;
	u32 max_cqe;
	u32 max_sge;
	u32 max_recv_sge;
	u32 max_read_sge;
	u64 max_mr_size;
	u64 max_msg_size;
	u32 vectors;
	u32 port;
	char state[32];
	char link_layer[32];
	char protocol[32];
	u32 speed;
	u32 mtu;
	char netdev[32];
	u32 verbs;
	struct nl_gid *gid;
	unsigned int gids;
};

struct nl_devs {
	struct nl_dev *dev;
	unsigned int count;
};

int nl_dev_list(struct nl *nl, struct nl_devs *devs, struct icb_reason *why);
void nl_devs_free(struct nl_devs *devs);

#endif /* NL_DEVICE_H */
