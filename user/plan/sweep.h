/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SWEEP_H
#define SWEEP_H

#include "model/params.h"

/* Most values of a key, and most points of a run. */
#define SWEEP_MAX	10000

/**
 * struct value - one value of a key
 * @number: of a number or a word
 * @text: of a string or a secret, allocated
 * @len: bytes of @text
 */
struct value {
	u64 number;
	char *text;
	size_t len;
};

/**
 * struct sweep - the values of a key
 * @param: the key
 * @value: its values in the order in which they are to be run, allocated
 * @count: how many
 */
struct sweep {
	const struct icb_param *param;
	struct value *value;
	unsigned int count;
};

int sweep_parse(struct sweep *sweep, const struct icb_param *param,
		const char *text, struct icb_reason *why);
void sweep_secret(struct sweep *sweep, const struct icb_param *param,
		  const void *data, size_t len);
int sweep_set(const struct sweep *sweep, unsigned int index,
	      struct icb_params *params, struct icb_reason *why);
void sweep_copy(struct sweep *copy, const struct sweep *sweep);
int sweep_add(struct sweep *sweep, const char *text, struct icb_reason *why);
void sweep_free(struct sweep *sweep);

#endif /* SWEEP_H */
