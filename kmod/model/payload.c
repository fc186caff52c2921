// SPDX-License-Identifier: GPL-2.0
#include "payload.h"

/**
 * icb_payload_of() - get the random numbers for the content of a side's messages
 * @seed: seed of the run
 * @initiator: true if the initiator sends the messages
 *
 * The sides send different patterns: a stale buffer is not mistaken for an answer.
 *
 * Return: a stream of random numbers.
 */
struct icb_random icb_payload_of(u64 seed, bool initiator)
{
	return icb_random_of(seed, initiator, ICB_RANDOM_PAYLOAD);
}

/* Bytes that were shifted, swapped or repeated differ from the expected bytes. */
static u8 payload_byte(struct icb_random message, size_t i)
{
	return icb_random_word(message, i / 8) >> (i % 8 * 8);
}

/**
 * icb_payload_at() - get one byte of the content of a message
 * @random: stream of the sending side, from icb_payload_of()
 * @number: number of the message
 * @at: offset of the byte
 *
 * Return: value of the byte.
 */
u8 icb_payload_at(struct icb_random random, u64 number, size_t at)
{
	return payload_byte(icb_random_part(random, number), at);
}

/* Bytes of a part before the first 64-bit word of the message that begins in the part. */
static size_t before_word(size_t at, size_t len)
{
	return min_t(size_t, -at & 7, len);
}

/**
 * icb_payload_fill() - write the content of a part of a message
 * @buf: buffer to fill
 * @at: offset of the part in the message, bytes
 * @len: length of the part, bytes
 * @random: stream of the sending side, from icb_payload_of()
 * @number: number of the message
 */
void icb_payload_fill(u8 *buf, size_t at, size_t len, struct icb_random random,
		      u64 number)
{
	const struct icb_random message = icb_random_part(random, number);
	size_t i, head = before_word(at, len);
	u64 word;

	for (i = 0; i < head; i++)
		buf[i] = payload_byte(message, at + i);
	for (; i + 8 <= len; i += 8) {
		word = icb_random_word(message, (at + i) / 8);
		memcpy(buf + i, &word, 8);
	}
	for (; i < len; i++)
		buf[i] = payload_byte(message, at + i);
}

/**
 * icb_payload_spoil() - change every byte of a buffer
 * @buf: the buffer
 * @len: size of the buffer, bytes
 */
void icb_payload_spoil(u8 *buf, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		buf[i] = ~buf[i];
}

/**
 * icb_payload_check() - compare a buffer with the content of a part of a message
 * @buf: buffer with the part that arrived
 * @at: offset of the part in the message, bytes
 * @len: length of the part, bytes
 * @random: stream of the sending side, from icb_payload_of()
 * @number: number of the message
 *
 * Return: offset of the first byte that differs; @len if none does.
 */
size_t icb_payload_check(const u8 *buf, size_t at, size_t len,
			 struct icb_random random, u64 number)
{
	const struct icb_random message = icb_random_part(random, number);
	size_t i, head = before_word(at, len);
	u64 word, have;

	for (i = 0; i < head; i++)
		if (buf[i] != payload_byte(message, at + i))
			return i;
	for (; i + 8 <= len; i += 8) {
		word = icb_random_word(message, (at + i) / 8);
		memcpy(&have, buf + i, 8);
		if (have != word)
			break;
	}
	for (; i < len; i++)
		if (buf[i] != payload_byte(message, at + i))
			break;
	return i;
}
