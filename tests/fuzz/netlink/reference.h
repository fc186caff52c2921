/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Placeholders for numbers that the kernel assigns. With these, a generated datagram does
 * not depend on the kernel's answers.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "datagram.h"
#include "pool.h"

uint32_t reference(int set, uint32_t slot);
void reference_resolve(struct datagram *d, uint16_t family, const struct pool *pools);

#endif /* REFERENCE_H */
