// SPDX-License-Identifier: GPL-2.0
#include "payload.h"

/*
 * Word i of message n is a 64-bit finalizer over a counter, so that no shift,
 * swap or repetition of a part gives the same bytes again.
 */
static u64 payload_word(u64 key, u64 i)
{
	u64 x = key + (i + 1) * 0x9e3779b97f4a7c15ULL;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
	return x ^ (x >> 31);
}

static u64 payload_key(u64 seed, u64 number)
{
	return payload_word(seed, number);
}

static u8 payload_byte(u64 key, size_t i)
{
	return payload_word(key, i / 8) >> (i % 8 * 8);
}

/**
 * icb_payload_at() - one byte of the content of a message
 * @seed: of the run and the sending side
 * @number: of the message
 * @at: which byte
 *
 * Return: its value.
 */
u8 icb_payload_at(u64 seed, u64 number, size_t at)
{
	return payload_byte(payload_key(seed, number), at);
}

/* Bytes of a part up to the first word of the message that begins in it. */
static size_t before_word(size_t at, size_t len)
{
	return min_t(size_t, -at & 7, len);
}

/**
 * icb_payload_fill() - write the content of a part of a message
 * @buf: where to
 * @at: where the part begins in the message
 * @len: bytes
 * @seed: of the run and the sending side
 * @number: of the message
 */
void icb_payload_fill(u8 *buf, size_t at, size_t len, u64 seed, u64 number)
{
	size_t i, head = before_word(at, len);
	u64 key = payload_key(seed, number), word;

	for (i = 0; i < head; i++)
		buf[i] = payload_byte(key, at + i);
	for (; i + 8 <= len; i += 8) {
		word = payload_word(key, (at + i) / 8);
		memcpy(buf + i, &word, 8);
	}
	for (; i < len; i++)
		buf[i] = payload_byte(key, at + i);
}

/**
 * icb_payload_spoil() - make a buffer differ from what it holds
 * @buf: which
 * @len: bytes
 */
void icb_payload_spoil(u8 *buf, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		buf[i] = ~buf[i];
}

/**
 * icb_payload_check() - compare a buffer with the content of a part of a message
 * @buf: what arrived
 * @at: where the part begins in the message
 * @len: bytes
 * @seed: of the run and the sending side
 * @number: of the message
 *
 * Return: offset of the first byte that differs; @len if none does.
 */
size_t icb_payload_check(const u8 *buf, size_t at, size_t len, u64 seed,
			 u64 number)
{
	u64 key = payload_key(seed, number), word, have;
	size_t i, head = before_word(at, len);

	for (i = 0; i < head; i++)
		if (buf[i] != payload_byte(key, at + i))
			return i;
	for (; i + 8 <= len; i += 8) {
		word = payload_word(key, (at + i) / 8);
		memcpy(&have, buf + i, 8);
		if (have != word)
			break;
	}
	for (; i < len; i++)
		if (buf[i] != payload_byte(key, at + i))
			break;
	return i;
}
