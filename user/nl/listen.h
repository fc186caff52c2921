/* SPDX-License-Identifier: GPL-2.0 */
#ifndef NL_LISTEN_H
#define NL_LISTEN_H

#include "base/token.h"
#include "nl.h"

struct nl_listen {
	u64 has;
	u32 id;
	char bind[ICBENCH_MAX_NAME + 1];
	u32 cm_port;
	u64 max_memory;
	u32 max_qps;
	u64 memory;
	u32 qps;
	u32 sessions;
	u64 accepted;
	u64 refused;
};

/**
 * struct nl_listen_ask - properties of a listener to be made
 * @bind: numeric address to listen on; NULL for every address
 * @cm_port: connection manager port to listen on; 0 for the default
 * @max_memory: limit of the buffers for all peers, bytes; 0 for the default
 * @max_qps: limit of the data QPs for all peers; 0 for the default
 * @token: secret that a peer must present; @token.len is 0 for none
 */
struct nl_listen_ask {
	const char *bind;
	u32 cm_port;
	u64 max_memory;
	u32 max_qps;
	struct token token;
};

int nl_listen_new(struct nl *nl, const struct nl_listen_ask *ask, u32 *id,
		  struct icb_reason *why);
int nl_listen_del(struct nl *nl, u32 id, struct icb_reason *why);
int nl_listen_get(struct nl *nl, u32 id, struct nl_listen *listen,
		  struct icb_reason *why);

#endif /* NL_LISTEN_H */
