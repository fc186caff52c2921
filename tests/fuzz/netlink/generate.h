/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GENERATE_H
#define GENERATE_H

#include "datagram.h"

void generate(struct datagram *d, uint64_t seed, uint32_t worker,
	      uint64_t index);
void generate_about(struct datagram *d, const struct op *op, enum request_mode mode,
		    uint32_t id);

#endif /* GENERATE_H */
