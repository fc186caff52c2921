/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANSWER_H
#define ANSWER_H

#include <linux/netlink.h>

#include "table.h"

/**
 * struct answer - what the kernel says, taken apart
 * @error: positive error number; 0 of an ack, a reply, an event
 * @words: of a refusal; NULL
 * @last: nothing more comes
 * @op: of a reply or an event; NULL
 * @wrong: what it has that the specification does not allow; NULL
 * @id: number of the thing that it is about; 0
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
