// SPDX-License-Identifier: GPL-2.0
#include "pool.h"

/**
 * pool_get() - a number that was made lately
 * @pool: of these
 * @slot: which
 *
 * Return: what the slot has; @slot itself where there is nothing, or no more: things
 * would be deleted as soon as they are made if another one took its place.
 */
uint32_t pool_get(const struct pool *pool, uint32_t slot)
{
	uint32_t id = __atomic_load_n(&pool->id[slot], __ATOMIC_RELAXED);

	return id ? id : slot;
}

/**
 * pool_put() - remember a number
 * @pool: where
 * @slot: for it
 * @id: it
 *
 * Return: the number that had its slot; 0 if that was free.
 */
uint32_t pool_put(struct pool *pool, uint32_t slot, uint32_t id)
{
	return __atomic_exchange_n(&pool->id[slot], id, __ATOMIC_RELAXED);
}

/**
 * pool_remove() - forget a number
 * @pool: where
 * @id: it
 */
void pool_remove(struct pool *pool, uint32_t id)
{
	uint32_t i, old;

	for (i = 0; i < POOL_SLOTS; i++) {
		old = id;
		__atomic_compare_exchange_n(&pool->id[i], &old, 0, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

/**
 * pool_has() - whether a number is remembered
 * @pool: where
 * @id: it
 *
 * Return: true if so.
 */
bool pool_has(const struct pool *pool, uint32_t id)
{
	uint32_t i;

	for (i = 0; i < POOL_SLOTS; i++)
		if (__atomic_load_n(&pool->id[i], __ATOMIC_RELAXED) == id)
			return true;
	return false;
}
