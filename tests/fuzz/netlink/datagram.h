/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DATAGRAM_H
#define DATAGRAM_H

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "table.h"

#define DATAGRAM_MAX	(512 << 10)
#define REQUESTS_MAX	16
/* Placeholder for the module's message type, until a datagram is sent. */
#define FAMILY		0x77

/* How a message was made. */
enum class {
	CLASS_VALID,
	CLASS_NEAR_VALID,
	CLASS_TRUNCATED,
	CLASS_OVERSIZED,
	CLASS_RANDOM,
	CLASSES,
};

/**
 * struct request - message as the kernel sees it
 * @at: offset in the datagram, bytes
 * @seq: sequence number
 * @op: operation; NULL if it is none of the module's
 * @mode: DO or DUMP
 * @sound: true if the kernel parses its attributes: it has to be answered, and a refusal
 *	has to have text
 * @bad: name of the one attribute that violates the specification; NULL if none does
 * @answered: true if the last answer has arrived
 */
struct request {
	size_t at;
	uint32_t seq;
	const struct op *op;
	enum request_mode mode;
	bool sound;
	const char *bad;
	bool answered;
};

/**
 * struct datagram - data of one send call
 * @len: length, bytes
 * @request: messages in the datagram
 * @count: number of messages
 * @made: number of messages made, by enum class; the kernel may see others if one was cut
 * @abandon: true if the socket is closed without reading the answers
 * @buf: content
 */
struct datagram {
	size_t len;
	struct request request[REQUESTS_MAX];
	int count;
	unsigned int made[CLASSES];
	bool abandon;
	unsigned char buf[DATAGRAM_MAX] __attribute__((aligned(8)));
};

size_t datagram_begin(struct datagram *d, const struct op *op, enum request_mode mode,
		      uint32_t seq);
void datagram_end(struct datagram *d, size_t begin);
void *datagram_put(struct datagram *d, unsigned int type, const void *data,
		   size_t len);
size_t datagram_nest(struct datagram *d, unsigned int type);
void datagram_nest_end(struct datagram *d, size_t nest);
void datagram_walk(struct datagram *d);
bool datagram_number(const struct datagram *d, const struct request *request,
		     const struct attr *attr, uint32_t *value);

#endif /* DATAGRAM_H */
