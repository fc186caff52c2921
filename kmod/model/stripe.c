// SPDX-License-Identifier: GPL-2.0
#include "stripe.h"

/**
 * icb_stripe_cut() - get the place of a piece in its message
 * @size: size of the message, bytes
 * @count: number of pieces, at most @size
 * @index: index of the piece
 * @begin: output: offset of its first byte
 * @end: output: offset of the byte after its last
 *
 * All pieces have the same size, but the last one also holds the remainder.
 */
void icb_stripe_cut(u32 size, u32 count, u32 index, u32 *begin, u32 *end)
{
	u32 even = size / count;

	*begin = index * even;
	*end = index + 1 < count ? *begin + even : size;
}

/**
 * icb_stripes_take() - count the messages that have become complete
 * @stripes: the pieces; @piece was updated by the caller
 *
 * Return: number of messages that became complete since the last call.
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
