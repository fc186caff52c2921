/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DATAGRAM_H
#define DATAGRAM_H

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "table.h"

#define DATAGRAM_MAX	(512 << 10)
#define REQUESTS_MAX	16
/* Stands for the type of the module's messages, until a datagram is sent. */
#define FAMILY		0x77

/* What a message is, as it was made. */
enum class {
	CLASS_VALID,
	CLASS_NEAR_VALID,
	CLASS_TRUNCATED,
	CLASS_OVERSIZED,
	CLASS_RANDOM,
	CLASSES,
};

/**
 * struct request - a message, as the kernel sees it
 * @at: where it begins
 * @seq: its number
 * @op: what it asks for; NULL if that is nothing of ours
 * @mode: in which way
 * @sound: it gets as far as its attributes: it has to be answered, and a refusal
 *	has to be in words
 * @bad: name of the one attribute that is not as specified; NULL
 * @answered: its last answer has come
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
 * struct datagram - what is sent at a time
 * @len: bytes
 * @request: the messages in it
 * @count: how many
 * @made: how many were made, by enum class; cut short, the kernel may see others
 * @abandon: the socket is closed with the answers unread
 * @buf: the bytes
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
