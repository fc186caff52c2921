/* SPDX-License-Identifier: GPL-2.0 */
/* Listeners: which peers may start runs on this host, and the limits of these runs. */
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

/* One for IPv6, and one for IPv4 if a listener at all addresses also serves iWARP. */
#define ICB_LISTENER_IDS	2

/**
 * struct icb_listener_limits - limits of a listener for all peers together
 * @memory: buffer memory, bytes
 * @qps: number of data QPs; also limits how many peers have a run at a time
 * @token: secret that a peer has to prove it has
 * @token_len: length of @token, bytes; 0 to serve any peer
 */
struct icb_listener_limits {
	u64 memory;
	u32 qps;
	u8 token[ICBENCH_MAX_TOKEN];
	u32 token_len;
};

/**
 * struct icb_listener - a listener
 * @ref: reference count
 * @list: link in the list of all listeners; empty for a private listener
 * @orphan: link in the list of listeners whose socket was closed
 * @id: number of the listener; 0 for a private one
 * @owner: netlink port of the socket that made the listener
 * @detach: true if the listener outlives that socket
 * @counted: true if the listener counts toward the maximum number of listeners
 * @addr: address and port where the listener listens
 * @cm_ids: identifiers of the connection manager; NULL before and after listening
 * @limits: limits for all peers together
 * @initiator: the only job that a private listener serves; else NULL
 * @secret: cookie that the peer of a private listener has to present; else 0
 * @abort: end of the listener, run when its device goes; also ends @initiator, if there
 *	is one
 * @removed: work that stops the listening when the device goes; unused with @initiator
 * @lock: protects @cm_ids and the members below
 * @hold: hold on the device of @addr; made before the listener is published
 * @closing: true once the listener takes no more requests
 * @sessions: responders that the listener has made
 * @left: wait queue, woken when a responder has left
 * @answer: acknowledgment to send when the last responder has left; NULL for none
 * @memory: reserved buffer memory, bytes
 * @qps: number of reserved data QPs
 * @ending: number of reserved data QPs whose run is over and is being taken down
 * @count: number of connected peers
 * @accepted: number of runs served
 * @refused: number of peers refused
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
	struct mutex lock; /* the members below, and @cm_ids */
	struct icb_hold hold;
	bool closing;
	struct list_head sessions;
	wait_queue_head_t left;
	struct icb_answer *answer;
	u64 memory;
	u32 qps;
	u32 ending;
	u32 count;
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
void icb_listener_restart_timer(struct icb_job *job);
int icb_listener_reserve(struct icb_listener *listener, struct icb_job *job,
			 u64 bytes, u32 qps, struct icb_reason *why);
void icb_listener_turn_away(struct icb_listener *listener, const char *peer,
			    const char *why);
void icb_listener_accepted(struct icb_listener *listener);
void icb_listener_seal(struct icb_job *job);
void icb_listener_leave(struct icb_job *job);

#endif /* ICB_LISTENER_H */
