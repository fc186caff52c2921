/* SPDX-License-Identifier: GPL-2.0 */
/* Listeners: who may make this host the responder of a run, and within what. */
#ifndef ICB_LISTENER_H
#define ICB_LISTENER_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/socket.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <rdma/rdma_cm.h>

#include "cm/device.h"
#include "host/abort.h"
#include "model/params.h"

struct icb_job;

#define ICB_LISTENER_MEMORY	(256ULL << 20)
#define ICB_LISTENER_QPS	64

/* IPv6's, and IPv4's where it listens at all addresses, also by iWARP */
#define ICB_LISTENER_IDS	2

/**
 * struct icb_listener_limits - what a listener allows to all peers together
 * @memory: bytes of buffers
 * @qps: data QPs; no more peers than these at a time
 * @token: what a peer has to know
 * @token_len: bytes of it; 0 to serve whoever comes
 */
struct icb_listener_limits {
	u64 memory;
	u32 qps;
	u8 token[ICBENCH_MAX_TOKEN];
	u32 token_len;
};

/**
 * struct icb_listener - a listener
 * @ref: references
 * @list: among all listeners; empty for one of a run with this host itself
 * @orphan: among those whose socket has gone with it
 * @id: its number
 * @owner: netlink port of the socket that made it
 * @detach: outlives that socket
 * @counted: it is one of those that there may be
 * @addr: where it listens
 * @cm_ids: the connection manager's; NULL before it listens, and when it does no more
 * @limits: of all peers together
 * @initiator: the one job that a private listener is for; else NULL
 * @secret: that a private listener's peer has to show
 * @abort: ends when the device goes, and with it that of @initiator
 * @removed: ends the listening then, where there is no @initiator
 * @lock: protects what follows, and @cm_ids
 * @hold: on the device of the address where it listens; made before anybody else knows
 *	of the listener
 * @closing: it listens no more
 * @sessions: the responders that came by it
 * @left: wakes when one of them has gone
 * @answer: given when all have: to whoever has deleted it
 * @memory: bytes in use
 * @qps: data QPs in use
 * @ending: those of them whose run is over, but for taking it down
 * @count: peers connected
 * @agreed: of them, those that have a share of @memory and @qps
 * @accepted: runs served
 * @refused: peers turned away
 */
struct icb_listener {
	struct kref ref;
	struct list_head list;
	struct list_head orphan;
	u32 id;
	u32 owner;
	bool detach;
	bool counted;
	struct sockaddr_storage addr;
	struct rdma_cm_id *cm_ids[ICB_LISTENER_IDS];
	struct icb_listener_limits limits;
	struct icb_job *initiator;
	u64 secret;

	struct icb_abort abort;
	struct work_struct removed;
	struct mutex lock; /* what follows, and @cm_ids */
	struct icb_hold hold;
	bool closing;
	struct list_head sessions;
	wait_queue_head_t left;
	struct icb_answer *answer;
	u64 memory;
	u32 qps;
	u32 ending;
	u32 count;
	u32 agreed;
	u64 accepted;
	u64 refused;
};

void icb_listeners_report(void (*refused)(struct icb_listener *listener,
					  const char *peer, const char *why));
void icb_listeners_forbid(void);
void icb_listeners_take_orphans(u32 owner, struct list_head *orphans);

u32 icb_listener_next_id(void);
int icb_listener_publish(struct icb_listener *listener, u32 owner, bool detach,
			 struct icb_reason *why);
bool icb_listener_forget(struct icb_listener *listener);
struct icb_listener *icb_listener_get(u32 id);
struct icb_listener *icb_listener_next(u32 id);
void icb_listener_put(struct icb_listener *listener);

struct icb_job *icb_listener_responder(struct icb_listener *listener);
void icb_listener_heard(struct icb_job *job);
int icb_listener_reserve(struct icb_listener *listener, struct icb_job *job,
			 u64 bytes, u32 qps, struct icb_reason *why);
void icb_listener_turn_away(struct icb_listener *listener, const char *peer,
			    const char *why);
void icb_listener_accepted(struct icb_listener *listener);
void icb_listener_seal(struct icb_job *job);
void icb_listener_leave(struct icb_job *job);

#endif /* ICB_LISTENER_H */
