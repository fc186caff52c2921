/* SPDX-License-Identifier: GPL-2.0 */
/* One connection of the connection manager, in steps that wait for its events. */
#ifndef ICB_CONN_H
#define ICB_CONN_H

#include <linux/types.h>
#include <rdma/rdma_cm.h>

#include "model/wire.h"
#include "source.h"

struct icb_hold;
struct icb_abort;
struct icb_ticket;

/* Registrations that are on their way at a time; also by the control connection. */
#define ICB_CONN_REGISTRATIONS	5

/**
 * enum icb_conn_state - how far a connection is
 * @ICB_CONN_IDLE: nothing has happened, or a step is under way
 * @ICB_CONN_UNANSWERED: nobody has answered, and there is time to ask again
 * @ICB_CONN_ADDRESS: the address is resolved, a device is bound
 * @ICB_CONN_ROUTE: the route is resolved
 * @ICB_CONN_REQUESTED: the other side asks for it
 * @ICB_CONN_ACCEPTED: it may have it; messages may come and go
 * @ICB_CONN_ESTABLISHED: it is there
 */
enum icb_conn_state {
	ICB_CONN_IDLE,
	ICB_CONN_UNANSWERED,
	ICB_CONN_ADDRESS,
	ICB_CONN_ROUTE,
	ICB_CONN_REQUESTED,
	ICB_CONN_ACCEPTED,
	ICB_CONN_ESTABLISHED,
};

/**
 * struct icb_conn - one end of a connection
 * @id: the manager's; NULL where there is none
 * @abort: of the side that it belongs to; ended when the connection fails
 * @source: its own address
 * @asks_until: jiffies until which the other side's address is asked for again
 * @patience: how long an answer may take until then, ns
 * @state: enum icb_conn_state; its changes wake @abort
 * @closing: from now on its end is no failure
 * @gone: the other side has ended it; over iWARP also the own interface, going down
 * @welcome: what the other side accepted it with; valid once it is established
 * @welcomed: it did accept with that
 * @asked: the other side has asked for it
 * @follows: this end, which has asked for it, has a control connection already
 * @ticket: what this end, which has asked for it, has shown
 * @reads_in: most reads and atomics on their way here that are of use
 * @reads_out: the same from here
 */
struct icb_conn {
	struct rdma_cm_id *id;
	struct icb_abort *abort;
	struct icb_source source;
	unsigned long asks_until;
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
 * icb_wire_say() - put words in a message
 * @to: ICB_WIRE_WORDS bytes
 * @words: the words, of which those that do not fit are not left out in silence
 */
static inline void icb_wire_say(char *to, const char *words)
{
	if (strscpy(to, words, ICB_WIRE_WORDS) < 0)
		memcpy(to + ICB_WIRE_WORDS - 4, "...", 4);
}

#endif /* ICB_CONN_H */
