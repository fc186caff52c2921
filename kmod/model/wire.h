/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What two hosts say to each other: little-endian, every reserved byte zero.
 * Nothing that arrives is believed before it has been checked.
 *
 *	initiator				responder (listener)
 *	---------				--------------------
 *	connect, hello {control, cookie 0}  ->
 *					    <-	accept, welcome {nonce}; or
 *						reject {words}
 *	propose {parameters, MAC}	    ->
 *					    <-	answer {yes + cookie, or words}
 *	connect, hello {data, cookie, QP, proof}
 *					    ->		for each QP; the
 *					    <-	accept	first one before the others
 *	ready {regions}			    ->		for each device, in
 *	qps {numbers, Q_Key}		    ->		their order; the QPs' numbers
 *					    <-	ready {regions}		where they
 *					    <-	qps {numbers, Q_Key}	take datagrams
 *		... the run, on the data connection; where connections are what
 *		is timed, each by hello {probe, cookie, QP, proof} ...
 *					    <-	measured; where both stream
 *	end {messages sent}		    ->
 *					    <-	report {messages seen, own ones, words}
 *	disconnect both
 *
 * Where there are several devices, data connection n is one of the device n modulo
 * their number; the control connection goes over the first.
 *
 * QPs that take datagrams have no connections: nothing is between ready and the
 * answer then, and all that each side has to know of the other's is in qps.
 *
 * Over iWARP, who takes a stream that goes one way answers it on the data connection by
 * empty sends, each of which is credit for so many more messages: see credit.c.
 *
 * The initiator sends first on either connection, as iWARP wants it. A side that
 * ends early says bye {words}, at any time, if it still can.
 */
#ifndef ICB_WIRE_H
#define ICB_WIRE_H

#include <linux/build_bug.h>
#include <linux/types.h>

#include "engine.h"

#define ICB_WIRE_MAGIC		0x31424349	/* "ICB1" */
#define ICB_WIRE_VERSION	13
#define ICB_WIRE_WORDS		120
#define ICB_WIRE_NONCE		16
#define ICB_WIRE_MAC		32
#define ICB_WIRE_PROOF		16

enum icb_wire_kind {
	ICB_WIRE_CONTROL = 1,
	ICB_WIRE_DATA = 2,
	ICB_WIRE_PROBE = 3,	/* made and taken down to be timed */
	ICB_WIRE_KINDS
};

/* Private data of a connection request; the manager has room for 56 bytes. */
struct icb_wire_hello {
	__le32 magic;
	__le16 version;
	__le16 kind;
	__le64 cookie;
	__le32 qp;		/* of a data connection or probe, from 0 on; else 0 */
	__le32 reserved;
	u8 proof[ICB_WIRE_PROOF]; /* keyed by the token, of nonce and the above; or 0 */
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
	ICB_WIRE_NUDGE = 7,	/* a head alone: this side gets on */
	ICB_WIRE_MEASURED = 8,	/* a head alone: of a stream of its own */
	ICB_WIRE_QPS = 9,
	ICB_WIRE_TYPES
};

/* Begins each message of the control connection. */
struct icb_wire_head {
	__le32 magic;
	__le16 type;
	__le16 len;		/* of the whole message */
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
	__le32 devices;		/* of each side, from 1 on */
	__le32 worker;		/* of those that are measured together, from 0 on */
	__le32 reserved;
	struct icb_wire_param param[ICB_WIRE_PARAMS];
	u8 mac[ICB_WIRE_MAC];	/* keyed by the token, of nonce and the above */
};

static_assert(sizeof(struct icb_wire_propose) == 696);

struct icb_wire_answer {
	struct icb_wire_head head;
	__le32 error;		/* 0 for yes, else a positive error number */
	__le32 cpu;		/* of the responder's thread */
	__le64 cookie;		/* what the data connection has to show */
	char words[ICB_WIRE_WORDS];
};

static_assert(sizeof(struct icb_wire_answer) == 144);

struct icb_wire_region {
	__le64 addr;
	__le32 rkey;
	__le32 len;
};

static_assert(sizeof(struct icb_wire_region) == 16);

/* Regions that the buffers of a side lie in, at most. */
#define ICB_WIRE_REGIONS	47

/*
 * What the other side may reach into: buffers, in order, each so many bytes
 * behind the one before it in its region. All regions but the last one hold
 * equally many.
 */
struct icb_wire_ready {
	struct icb_wire_head head;
	__le32 count;
	__le32 stride;		/* 0 where there is no region */
	struct icb_wire_region region[ICB_WIRE_REGIONS];
};

static_assert(sizeof(struct icb_wire_ready) == 768);

/* Numbers of QPs that one message holds. */
#define ICB_WIRE_QPNS	186

/* Where datagrams go: QPs, in order, as many messages as they need. */
struct icb_wire_qps {
	struct icb_wire_head head;
	__le32 qkey;		/* of all; the first bit, a privileged one's, is 0 */
	__le32 first;		/* QP */
	__le32 count;		/* of QPs, from that one on */
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

struct icb_wire_report {
	struct icb_wire_head head;
	__le64 seen;
	__le64 done;		/* operations of its own that it measured */
	__le64 elapsed;		/* and the time that they took, ns */
	__le64 delivered;	/* of those seen, which may be lost: those that count */
	__le64 sent;		/* messages of its own stream, if the peer sees them */
	__le64 counted;		/* those that told to count; or, of a reliable one, completed */
	__le64 foreign;		/* what came and is none of these messages */
	__le64 bytes;		/* of those delivered, where their sizes differ */
	__le64 longest;		/* of the times in which a window of them came, ns */
	__le64 slow;		/* 99 of 100 of these take no longer */
	__le64 middle;		/* and half of them */
	__le32 error;		/* 0 if all is well, else a positive number */
	__le32 reserved;
	char words[ICB_WIRE_WORDS];
};

static_assert(sizeof(struct icb_wire_report) == 224);

struct icb_wire_bye {
	struct icb_wire_head head;
	char words[ICB_WIRE_WORDS];
};

static_assert(sizeof(struct icb_wire_bye) == 128);

#define ICB_WIRE_LARGEST	sizeof(struct icb_wire_ready)

/**
 * icb_wire_words() - take words that a peer sent
 * @why: where to
 * @prefix: what to put before them
 * @words: ICB_WIRE_WORDS bytes, with or without a NUL
 *
 * Bytes that do not print become dots.
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
