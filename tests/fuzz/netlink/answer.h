/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANSWER_H
#define ANSWER_H

#include <linux/netlink.h>

#include "table.h"

/**
 * struct answer - parsed message of the kernel
 * @error: positive error number; 0 for an ack, a reply or an event
 * @words: text of a refusal; NULL if there is none
 * @last: true if no further answer to the request follows
 * @op: operation of a reply or an event; else NULL
 * @wrong: name of the part that violates the specification; NULL if there is none
 * @id: number of the object that the message is about; 0 if there is none
 */
struct answer {
	int error;
	const char *words;
	bool last;
	const struct op *op;
	const char *wrong;
	uint32_t id;
};

void answer_read(struct answer *answer, const struct nlmsghdr *head,
		 uint16_t family);

#endif /* ANSWER_H */
