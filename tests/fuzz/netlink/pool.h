/* SPDX-License-Identifier: GPL-2.0 */
/* Numbers of the objects that all workers have created most recently. */
#ifndef POOL_H
#define POOL_H

#include <stdbool.h>
#include <stdint.h>

#define POOL_SLOTS	24

struct pool {
	uint32_t id[POOL_SLOTS];
};

uint32_t pool_get(const struct pool *pool, uint32_t slot);
uint32_t pool_put(struct pool *pool, uint32_t slot, uint32_t id);
void pool_remove(struct pool *pool, uint32_t id);
bool pool_has(const struct pool *pool, uint32_t id);

#endif /* POOL_H */
