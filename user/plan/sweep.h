/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SWEEP_H
#define SWEEP_H

#include "model/params.h"

/* Maximum number of values of a key, and of runs of a plan. */
#define SWEEP_MAX	10000

/**
 * struct value - one value of a key
 * @number: value of a number, or index of a word
 * @text: string or secret, allocated; NULL for a number or a word
 * @len: length of @text, bytes
 */
struct value {
	u64 number;
	char *text;
	size_t len;
};

/**
 * struct sweep - the values of a key
 * @param: the key
 * @value: values of the key, in the order in which they were given, allocated
 * @count: number of values
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
