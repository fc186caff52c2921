/* SPDX-License-Identifier: GPL-2.0 */
/* Quantities derived from all runs of a benchmark after the last run. */
#ifndef DERIVE_H
#define DERIVE_H

#include "derivation.h"

unsigned int derive_values(const struct result *result,
			   struct derived derived[DERIVE_MAX]);
unsigned int derive_each(const struct result *result, unsigned int index,
			 struct derived derived[DERIVE_MAX]);

#endif /* DERIVE_H */
