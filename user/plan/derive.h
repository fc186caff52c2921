/* SPDX-License-Identifier: GPL-2.0 */
/* What is worked out of all the runs of a benchmark, once they are done. */
#ifndef DERIVE_H
#define DERIVE_H

#include "derivation.h"

unsigned int derive_values(const struct result *result,
			   struct derived derived[DERIVE_MAX]);
unsigned int derive_each(const struct result *result, unsigned int index,
			 struct derived derived[DERIVE_MAX]);

#endif /* DERIVE_H */
