/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads, which run while a point is measured: the keys that begin with "load.".
 */
#ifndef LOAD_H
#define LOAD_H

#include "plan.h"

/* Prefix of the keys of a load. */
#define LOAD_PREFIX	"load."

const struct icb_param *load_param(const char *name);
int load_plan(struct plan *plan, const struct config *load, bool compared,
	      struct icb_reason *why);
void load_name(const struct plan *plan, unsigned int index, char *buf,
	       size_t size);

#endif /* LOAD_H */
