/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ADDRESS_H
#define ADDRESS_H

#include "model/engine.h"

int address_resolve(const char *key, const char *name, char *buf, size_t size,
		    struct icb_reason *why);

#endif /* ADDRESS_H */
