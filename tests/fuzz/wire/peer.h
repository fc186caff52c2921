/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One side of a run in user space: the control and the data connection. The functions do
 * not check how they are used, so that a test can violate the protocol.
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

/* Number of QPs of a run with several QPs. */
#define QPS		3

/* Bytes of the global routing header in front of a datagram's payload. */
#define GRH_SIZE	40

/* Q_Key of the QPs that receive datagrams here. */
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
 * struct end - connection
 * @id: identifier of the connection manager
 * @state: state of the connection
 * @status: status of the first work request that failed
 * @sent: sends that were posted and have not completed
 * @words: reason in a rejection
 */
struct end {
	struct rdma_cm_id *id;
	enum end_state state;
	enum ibv_wc_status status;
	unsigned int sent;
	char words[ICB_WIRE_WORDS + 1];
};

/* All memory that the device reads and writes; atomics work on @target. */
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
 * struct peer - one side of a run
 * @channel: event channel of the connection manager
 * @listener: listening identifier of a responder
 * @ctl: control connection
 * @data: first data connection
 * @more: other data connections, by QP index, from 1
 * @comp: completion channel of @cq
 * @cq: CQ of all connections
 * @pd: protection domain of all connections
 * @memory: memory of all connections
 * @mr: MR over @memory with every remote access right
 * @closed: MR over @memory without remote access rights
 * @rx: ring of messages that arrived on the control connection
 * @head: number of the next message to read
 * @tail: number of the next message to arrive
 * @ud: QP that receives datagrams, instead of the data connection
 * @other: second datagram QP, whose number the other side does not have
 * @ah: address handle of the other side's datagram QPs
 * @to: QP number and Q_Key of the other side
 * @seen: number of data messages that arrived by a receive
 * @last: index of the receive of the last data message
 * @deaf: true if receives are not posted again, so that data and nudges of the other side
 *	have to wait
 * @knock: when to send the next empty write, for a message that the other side may have
 *	overlooked, ms; 0 if no message was sent
 * @hello: last connection request that a responder received
 * @welcome: private data of the acceptance that an initiator received
 */
struct peer {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *listener;
	struct end ctl;
	struct end data;
	struct end more[QPS - 1];
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
u64 withheld_ms(u64 now);
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
struct end *peer_qp(struct peer *peer, u32 qp);

/* Time left until @end, ms; 0 if @end is over. */
static inline int peer_left(u64 end)
{
	const u64 now = given_ms();

	return now < end ? end - now : 0;
}

/* Handle events until a condition is true or a time is over. */
#define peer_wait(peer, condition, ms) ({				\
	const u64 end_ = given_ms() + (ms);				\
	int left_;							\
									\
	while (!(condition) && (left_ = peer_left(end_)))		\
		peer_pump(peer, left_);					\
	(condition); })

#endif /* PEER_H */
