/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What stands for numbers that only the kernel knows, while a datagram is made: so
 * that what is made depends on nothing that the kernel says.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "datagram.h"
#include "pool.h"

uint32_t reference(int set, uint32_t slot);
void reference_resolve(struct datagram *d, uint16_t family, const struct pool *pools);

#endif /* REFERENCE_H */
