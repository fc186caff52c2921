/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PAIR_H
#define PAIR_H

#include "model/params.h"

/**
 * struct pair - KEY=VALUE
 * @param: the key; NULL if there is none, or it is secret
 * @value: the value, allocated, without NUL bytes in it
 */
struct pair {
	const struct icb_param *param;
	char *value;
};

void pair_read(struct pair *pair, const void *data, size_t len);

#endif /* PAIR_H */
