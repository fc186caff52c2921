// SPDX-License-Identifier: GPL-2.0
#include "stripe.h"

/**
 * icb_stripe_cut() - where a piece of a message lies
 * @size: bytes of the message
 * @count: pieces, at most @size
 * @index: which of them
 * @begin: its first byte
 * @end: the one behind its last
 *
 * All are as long, but for the last one, which has the rest, too.
 */
void icb_stripe_cut(u32 size, u32 count, u32 index, u32 *begin, u32 *end)
{
	u32 even = size / count;

	*begin = index * even;
	*end = index + 1 < count ? *begin + even : size;
}

/**
 * icb_stripes_take() - see which messages have become whole
 * @stripes: with the pieces that have come since the last time
 *
 * Return: how many.
 */
u32 icb_stripes_take(struct icb_stripes *stripes)
{
	u64 least = stripes->piece[0];
	u32 more, i;

	for (i = 1; i < stripes->count; i++)
		least = min_t(u64, least, stripes->piece[i]);
	more = least - stripes->whole;
	stripes->whole = least;
	return more;
}
