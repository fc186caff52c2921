/* SPDX-License-Identifier: GPL-2.0 */
/* One connection of the connection manager, set up in steps that wait for its events. */
#ifndef ICB_CONN_H
#define ICB_CONN_H

#include <linux/types.h>
#include <rdma/rdma_cm.h>

#include "model/wire.h"
#include "source.h"

struct icb_hold;
struct icb_abort;
struct icb_ticket;

/**
 * enum icb_conn_state - progress of a connection
 * @ICB_CONN_IDLE: no step has completed, or a step is in progress
 * @ICB_CONN_RESOLVE_TIMEOUT: address resolution timed out, and there is time for another
 *	attempt
 * @ICB_CONN_ADDRESS: the address is resolved, a device is bound
 * @ICB_CONN_ROUTE: the route is resolved
 * @ICB_CONN_REQUESTED: the peer has requested the connection
 * @ICB_CONN_ACCEPTED: this end has accepted; messages may be sent and received
 * @ICB_CONN_ESTABLISHED: the connection is established
 */
enum icb_conn_state {
	ICB_CONN_IDLE,
	ICB_CONN_RESOLVE_TIMEOUT,
	ICB_CONN_ADDRESS,
	ICB_CONN_ROUTE,
	ICB_CONN_REQUESTED,
	ICB_CONN_ACCEPTED,
	ICB_CONN_ESTABLISHED,
};

/**
 * struct icb_conn - one end of a connection
 * @id: identifier of the connection manager; NULL if there is none
 * @abort: abort state of the side; the side ends when the connection fails
 * @source: watch of the local address
 * @resolve_deadline: deadline of address resolution attempts, jiffies
 * @patience: limit of one address resolution attempt, ns
 * @state: enum icb_conn_state; every change wakes @abort
 * @closing: true if the end of the connection is expected, and no failure
 * @gone: true if the peer has disconnected; over iWARP also if the local interface went
 *	down
 * @welcome: private data with which the peer accepted; valid once established
 * @welcomed: true if @welcome is valid
 * @asked: true if the peer requested the connection
 * @follows: true if this end requested the connection and already had a control
 *	connection
 * @ticket: ticket that this end showed when it requested the connection
 * @reads_in: most outstanding reads and atomics of the peer
 * @reads_out: most outstanding reads and atomics of this end
 */
struct icb_conn {
	struct rdma_cm_id *id;
	struct icb_abort *abort;
	struct icb_source source;
	unsigned long resolve_deadline;
	u64 patience;
	int state;
	bool closing;
	bool gone;
	struct icb_wire_welcome welcome;
	bool welcomed;
	bool asked;
	bool follows;
	struct icb_ticket *ticket;
	u8 reads_in;
	u8 reads_out;
};

int icb_conn_open(struct icb_conn *conn, struct icb_abort *abort,
		  enum ib_qp_type type, struct sockaddr *src,
		  struct icb_reason *why);
int icb_conn_ask(struct icb_conn *conn, struct sockaddr *dst, u64 timeout,
		 struct icb_reason *why);
int icb_conn_hold(const struct icb_conn *conn, struct icb_hold *hold,
		  struct icb_reason *why);
int icb_conn_addressed(struct icb_conn *conn, u64 timeout,
		       struct icb_reason *why);
int icb_conn_route(struct icb_conn *conn, u64 timeout, struct icb_reason *why);
int icb_conn_routed(struct icb_conn *conn, u64 timeout,
		    struct icb_reason *why);
int icb_conn_request(struct icb_conn *conn, enum icb_wire_kind kind,
		     struct icb_ticket *ticket, u32 qp, u64 timeout,
		     struct icb_reason *why);
int icb_conn_established(struct icb_conn *conn, u64 timeout,
			 struct icb_reason *why);
u32 icb_conn_mtu(const struct icb_conn *conn);
int icb_conn_set_mtu(struct icb_conn *conn, u32 mtu, struct icb_reason *why);
int icb_conn_connect(struct icb_conn *conn, enum icb_wire_kind kind,
		     struct icb_ticket *ticket, u32 qp, u64 timeout,
		     struct icb_reason *why);
void icb_conn_adopt(struct icb_conn *conn, struct icb_abort *abort,
		    struct rdma_cm_id *id, const struct rdma_cm_event *event);
void icb_conn_disown(struct icb_conn *conn);
int icb_conn_accept(struct icb_conn *conn,
		    const struct icb_wire_welcome *welcome,
		    struct icb_reason *why);
int icb_conn_reject(struct rdma_cm_id *id, int err, const char *words);
void icb_conn_close(struct icb_conn *conn);
int icb_conn_wait_gone(struct icb_conn *conn, u64 timeout,
		       struct icb_reason *why);
void icb_conn_free(struct icb_conn *conn);
bool icb_conn_connected(const struct icb_conn *conn);
int icb_conn_hello(const struct rdma_cm_event *event,
		   struct icb_wire_hello *hello);
int icb_conn_check_gid(const struct rdma_cm_id *id, const char *key,
		       struct icb_reason *why);
unsigned long icb_conn_jiffies(u64 ns);

/**
 * icb_wire_say() - copy words into a message
 * @to: ICB_WIRE_WORDS bytes
 * @words: the words; if they do not fit, the copy ends in "..."
 */
static inline void icb_wire_say(char *to, const char *words)
{
	if (strscpy(to, words, ICB_WIRE_WORDS) < 0)
		memcpy(to + ICB_WIRE_WORDS - 4, "...", 4);
}

#endif /* ICB_CONN_H */
