/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One side of a run, in user space: the control and the data connection, and
 * nothing that keeps it from using them as it should not.
 */
#ifndef PEER_H
#define PEER_H

#include <rdma/rdma_cma.h>
#include <stdbool.h>

#include "model/wire.h"

#define SLOTS		8
#define SLOT_SIZE	1024
#define TX_SIZE		(128 << 10)
#define DATA_SIZE	4096

/* QPs of a run that has several. */
#define LANES		3

/* What a datagram brings in front of its payload. */
#define GRH_SIZE	40

/* Of the QPs here that take datagrams. */
#define OWN_QKEY	0x1badcafe

enum end_state {
	END_NONE,
	END_ADDRESS,
	END_ROUTE,
	END_REQUESTED,
	END_CONNECTED,
	END_REJECTED,
	END_CLOSED,
};

/**
 * struct end - one connection
 * @id: the connection manager's
 * @state: how far it got
 * @status: of the first work request that failed
 * @sent: sends that were posted and have not completed
 * @words: what a rejection said
 */
struct end {
	struct rdma_cm_id *id;
	enum end_state state;
	enum ibv_wc_status status;
	unsigned int sent;
	char words[ICB_WIRE_WORDS + 1];
};

/* All that the device reads and writes; atomics work on @target. */
struct peer_memory {
	u8 rx[SLOTS][SLOT_SIZE];
	u8 tx[TX_SIZE];
	u8 data_rx[SLOTS][DATA_SIZE];
	u8 target[DATA_SIZE];
	u8 source[DATA_SIZE];
	u8 data_tx[DATA_SIZE];
};

struct message {
	u32 len;
	u8 data[SLOT_SIZE];
};

/**
 * struct peer - one side
 * @channel: where events of the connection manager come
 * @listener: of a responder
 * @ctl: control connection
 * @data: data connection, the first one
 * @more: the others, by lane, from 1 on
 * @comp: where events of @cq come
 * @cq: of both connections
 * @pd: of both
 * @memory: of both
 * @mr: over @memory, to which the other side has every right
 * @closed: the same, without any
 * @rx: messages of the control connection, in order
 * @head: next to read
 * @tail: next to arrive
 * @ud: in the place of the data connection: a QP that takes datagrams
 * @other: another one, that nobody was told of
 * @ah: the way that they go
 * @to: the other side's QP and Q_Key
 * @seen: data messages that arrived by a receive
 * @last: which receive the last of them took
 * @deaf: no receive is given back, so that the other side's data, or nudges,
 *	wait
 * @knock: when the other side may be thought to have overlooked what was said
 *	first, ms; 0 if nothing was
 * @hello: what a responder was told last
 * @welcome: what an initiator was told first
 */
struct peer {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *listener;
	struct end ctl;
	struct end data;
	struct end more[LANES - 1];
	struct ibv_comp_channel *comp;
	struct ibv_cq *cq;
	struct ibv_pd *pd;
	struct peer_memory *memory;
	struct ibv_mr *mr;
	struct ibv_mr *closed;
	struct message rx[SLOTS];
	unsigned int head;
	unsigned int tail;
	struct ibv_qp *ud;
	struct ibv_qp *other;
	struct ibv_ah *ah;
	struct {
		u32 qpn;
		u32 qkey;
	} to;
	u64 seen;
	unsigned int last;
	bool deaf;
	u64 knock;
	struct icb_wire_hello hello;
	struct icb_wire_welcome welcome;
};

u64 now_ms(void);
u64 given_ms(void);
void peer_open(struct peer *peer);
void peer_close(struct peer *peer);
void peer_listen(struct peer *peer, const char *addr, u16 port);
void peer_pump(struct peer *peer, int ms);
bool peer_resolve(struct peer *peer, struct end *end, const char *addr,
		  u16 port, int ms);
void peer_connect(struct end *end, const void *hello, u8 len);
void peer_accept(struct peer *peer, struct end *end, const void *welcome,
		 u8 len);
void peer_disconnect(struct end *end);
void peer_post(struct peer *peer, struct end *end, struct ibv_send_wr *wr,
	       void *buf, u32 len);
void peer_take_datagrams(struct peer *peer);
void peer_datagram(struct peer *peer, struct ibv_qp *from,
		   struct ibv_send_wr *wr, void *buf, u32 len);
void peer_break(struct end *end);
bool peer_over(const struct peer *peer);
struct end *peer_lane(struct peer *peer, u32 lane);

/* Handle what happens until something is true. */
#define peer_wait(peer, condition, ms) ({				\
	u64 end_ = given_ms() + (ms);					\
									\
	while (!(condition) && given_ms() < end_)				\
		peer_pump(peer, end_ - given_ms());			\
	(condition); })

#endif /* PEER_H */
