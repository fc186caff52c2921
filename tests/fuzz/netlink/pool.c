// SPDX-License-Identifier: GPL-2.0
#include "pool.h"

/**
 * pool_get() - number of a recent object
 * @pool: pool
 * @slot: slot
 *
 * Return: the number in the slot; @slot if the slot is empty. Another slot is not used
 * instead:
 * objects would then be deleted as soon as they are created.
 */
uint32_t pool_get(const struct pool *pool, uint32_t slot)
{
	uint32_t id = __atomic_load_n(&pool->id[slot], __ATOMIC_RELAXED);

	return id ? id : slot;
}

/**
 * pool_put() - store the number of a new object
 * @pool: pool
 * @slot: slot for the number
 * @id: number
 *
 * Return: the previous number in the slot; 0 if the slot was empty.
 */
uint32_t pool_put(struct pool *pool, uint32_t slot, uint32_t id)
{
	return __atomic_exchange_n(&pool->id[slot], id, __ATOMIC_RELAXED);
}

/**
 * pool_remove() - remove a number
 * @pool: pool
 * @id: number
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
 * pool_has() - check whether a number is in a pool
 * @pool: pool
 * @id: number
 *
 * Return: true if it is.
 */
bool pool_has(const struct pool *pool, uint32_t id)
{
	uint32_t i;

	for (i = 0; i < POOL_SLOTS; i++)
		if (__atomic_load_n(&pool->id[i], __ATOMIC_RELAXED) == id)
			return true;
	return false;
}
