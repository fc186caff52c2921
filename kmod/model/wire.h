/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The protocol between two hosts. Integers are little-endian; reserved bytes are zero.
 * Nothing that arrives is used before it has been checked.
 *
 *	initiator				responder (listener)
 *	---------				--------------------
 *	connect, hello {control, cookie 0}  ->
 *					    <-	accept, welcome {nonce}; or
 *						reject {words}
 *	propose {parameters, MAC}	    ->
 *					    <-	answer {yes + cookie, or words}
 *	connect, hello {data, cookie, QP, proof}
 *					    ->		for each QP; the first
 *					    <-	accept	QP before the others
 *	ready {regions}			    ->		for each device, in order
 *	qps {numbers, Q_Key}		    ->		only with datagrams
 *					    <-	ready {regions}
 *					    <-	qps {numbers, Q_Key}
 *		... the run, on the data connections. If connections are timed,
 *		each of them is requested by hello {probe, cookie, QP, proof} ...
 *					    <-	measured; if both sides stream
 *	end {messages sent}		    ->
 *					    <-	report {messages seen, messages of
 *						its own stream, words}
 *	disconnect all connections
 *
 * With several devices, data connection n uses device n modulo the number of devices. The
 * control connection uses the first device.
 *
 * Datagrams need no data connections: message ready follows the answer, and message qps
 * describes the QPs of its sender.
 *
 * Over iWARP, the receiver of a one-way stream grants credit by empty sends on the data
 * connection, each for a fixed number of further messages: see io/credit.c.
 *
 * The initiator sends first on each connection, as iWARP requires. A side that ends the
 * run early sends bye {words} at any time, if it still can.
 */
#ifndef ICB_WIRE_H
#define ICB_WIRE_H

#include <linux/build_bug.h>
#include <linux/types.h>

#include "engine.h"

#define ICB_WIRE_MAGIC		0x31424349	/* "ICB1" */
#define ICB_WIRE_VERSION	14
#define ICB_WIRE_WORDS		120
#define ICB_WIRE_NONCE		16
#define ICB_WIRE_MAC		32
#define ICB_WIRE_PROOF		16

enum icb_wire_kind {
	ICB_WIRE_CONTROL = 1,
	ICB_WIRE_DATA = 2,
	ICB_WIRE_PROBE = 3,	/* connection that is only made to be timed */
	ICB_WIRE_KINDS
};

/* Private data of a connection request; the manager has room for 56 bytes. */
struct icb_wire_hello {
	__le32 magic;
	__le16 version;
	__le16 kind;
	__le64 cookie;
	__le32 qp;		/* index of a data connection or probe, from 0; else 0 */
	__le32 reserved;
	u8 proof[ICB_WIRE_PROOF]; /* MAC of nonce and all above, keyed by token; or 0 */
};

static_assert(sizeof(struct icb_wire_hello) == 40);

/* Private data of an acceptance; the manager has room for 196 bytes. */
struct icb_wire_welcome {
	__le32 magic;
	__le32 reserved;
	u8 nonce[ICB_WIRE_NONCE];
};

static_assert(sizeof(struct icb_wire_welcome) == 24);

/* Private data of a rejection; the manager has room for 148 bytes. */
struct icb_wire_reject {
	__le32 magic;
	__le32 error;
	char words[ICB_WIRE_WORDS];
};

static_assert(sizeof(struct icb_wire_reject) == 128);

enum icb_wire_type {
	ICB_WIRE_PROPOSE = 1,
	ICB_WIRE_ANSWER = 2,
	ICB_WIRE_READY = 3,
	ICB_WIRE_END = 4,
	ICB_WIRE_REPORT = 5,
	ICB_WIRE_BYE = 6,
	ICB_WIRE_NUDGE = 7,	/* header only: the sender makes progress */
	ICB_WIRE_MEASURED = 8,	/* header only: the sender has measured its stream */
	ICB_WIRE_QPS = 9,
	ICB_WIRE_TYPES
};

/* Header of each message on the control connection. */
struct icb_wire_head {
	__le32 magic;
	__le16 type;
	__le16 len;		/* length of the whole message, bytes */
};

static_assert(sizeof(struct icb_wire_head) == 8);

/* One parameter: an attribute of the specification and its value. */
struct icb_wire_param {
	__le32 attr;
	__le32 reserved;
	__le64 value;
};

static_assert(sizeof(struct icb_wire_param) == 16);

#define ICB_WIRE_PARAMS		40

struct icb_wire_propose {
	struct icb_wire_head head;
	__le32 count;
	__le32 devices;		/* devices of each side, 1 or more */
	__le32 worker;		/* index among workers that measure together, from 0 */
	__le32 reserved;
	struct icb_wire_param param[ICB_WIRE_PARAMS];
	u8 mac[ICB_WIRE_MAC];	/* MAC of nonce and all above, keyed by token */
};

static_assert(sizeof(struct icb_wire_propose) == 696);

struct icb_wire_answer {
	struct icb_wire_head head;
	__le32 error;		/* 0 if accepted, else a positive error number */
	__le32 cpu;		/* CPU of the responder's thread */
	__le64 cookie;		/* cookie of data connections and probes of the run */
	char words[ICB_WIRE_WORDS];
};

static_assert(sizeof(struct icb_wire_answer) == 144);

struct icb_wire_region {
	__le64 addr;
	__le32 rkey;
	__le32 len;
};

static_assert(sizeof(struct icb_wire_region) == 16);

/* Largest number of regions for the buffers of a side. */
#define ICB_WIRE_REGIONS	47

/*
 * Buffers that the peer may access, in order. Within a region, the buffers are one stride
 * apart, in bytes. All regions but the last one hold the same number of buffers.
 */
struct icb_wire_ready {
	struct icb_wire_head head;
	__le32 count;
	__le32 stride;		/* 0 if there is no region */
	struct icb_wire_region region[ICB_WIRE_REGIONS];
};

static_assert(sizeof(struct icb_wire_ready) == 768);

/* Largest number of QPs in one message. */
#define ICB_WIRE_QPNS	186

/* Destination QPs of datagrams, in order, in as many messages as needed. */
struct icb_wire_qps {
	struct icb_wire_head head;
	__le32 qkey;		/* Q_Key of all QPs; bit 31 (privileged) is 0 */
	__le32 first;		/* index of the first QP of this message */
	__le32 count;		/* number of QPs of this message */
	__le32 reserved;
	__le32 qpn[ICB_WIRE_QPNS];
};

static_assert(sizeof(struct icb_wire_qps) == 768);

struct icb_wire_end {
	struct icb_wire_head head;
	__le64 sent;
	__le32 complete;	/* 0 if the run was cut short */
	__le32 reserved;
};

static_assert(sizeof(struct icb_wire_end) == 24);

/* Number of messages of a batch, and time in which they completed or arrived, ns. */
struct icb_wire_batch {
	__le64 over;
	__le64 under;
};

static_assert(sizeof(struct icb_wire_batch) == 16);

/* Largest number of batches in a report. */
#define ICB_WIRE_BATCHES	31

/*
 * Results of the responder. "lossy" stands for a transport that may lose messages; a
 * member for lossy transports only is 0 on any other transport. The batches are of the
 * responder's stream; in a one-way lossy stream, of the measured messages that arrived.
 */
struct icb_wire_report {
	struct icb_wire_head head;
	__le64 seen;		/* messages of the initiator that arrived */
	__le64 done;		/* operations of the responder that were measured */
	__le64 elapsed;		/* duration of these operations, ns */
	__le64 delivered;	/* lossy: measured messages among @seen */
	__le64 sent;		/* messages of the responder's stream */
	__le64 counted;		/* lossy: messages sent as measured; else completed */
	__le64 foreign;		/* lossy: messages not of this run, repeated or late */
	__le64 bytes;		/* lossy: bytes of @delivered messages, if sizes differ */
	__le64 longest;		/* lossy: longest arrival time of a window, ns */
	__le64 slow;		/* 99th percentile of the arrival times, ns */
	__le64 middle;		/* median of the arrival times, ns */
	__le64 even;		/* operations of @done in the steady part of the stream */
	__le64 even_ns;		/* duration of this part, ns */
	__le64 before;		/* operations of @done before this part */
	__le32 error;		/* 0 on success, else a positive error number */
	__le32 batches;		/* number of batches; the others are 0 */
	char words[ICB_WIRE_WORDS];
	struct icb_wire_batch batch[ICB_WIRE_BATCHES];
};

static_assert(sizeof(struct icb_wire_report) == 744);

struct icb_wire_bye {
	struct icb_wire_head head;
	char words[ICB_WIRE_WORDS];
};

static_assert(sizeof(struct icb_wire_bye) == 128);

#define ICB_WIRE_LARGEST	sizeof(struct icb_wire_ready)

/**
 * icb_wire_words() - store text that a peer sent as a reason
 * @why: the reason to write
 * @prefix: text to put before the peer's text
 * @words: the peer's text, ICB_WIRE_WORDS bytes, with or without a NUL
 *
 * Unprintable bytes are replaced by dots.
 */
static inline void icb_wire_words(struct icb_reason *why, const char *prefix,
				  const char *words)
{
	char text[ICB_WIRE_WORDS + 1];
	unsigned int i;

	for (i = 0; i < ICB_WIRE_WORDS && words[i]; i++)
		text[i] = words[i] < ' ' || words[i] > '~' ? '.' : words[i];
	text[i] = '\0';
	icb_refuse(why, 0, "%s%s", prefix, text);
}

#endif /* ICB_WIRE_H */
