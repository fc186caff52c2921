/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PAIR_H
#define PAIR_H

#include "model/params.h"

/**
 * struct pair - parsed KEY=VALUE
 * @param: parameter; NULL if there is none of this name, or it is secret
 * @value: value, allocated, without NUL bytes
 */
struct pair {
	const struct icb_param *param;
	char *value;
};

void pair_read(struct pair *pair, const void *data, size_t len);

#endif /* PAIR_H */
