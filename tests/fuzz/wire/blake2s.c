// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "blake2s.h"

static const uint32_t iv[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const uint8_t sigma[10][16] = {
	{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	{ 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
	{ 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4 },
	{ 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8 },
	{ 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13 },
	{ 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9 },
	{ 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11 },
	{ 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10 },
	{ 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5 },
	{ 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0 },
};

/* State words that each of the eight mixing steps of a round uses. */
static const uint8_t columns[8][4] = {
	{ 0, 4, 8, 12 }, { 1, 5, 9, 13 }, { 2, 6, 10, 14 }, { 3, 7, 11, 15 },
	{ 0, 5, 10, 15 }, { 1, 6, 11, 12 }, { 2, 7, 8, 13 }, { 3, 4, 9, 14 },
};

static uint32_t ror(uint32_t x, unsigned int n)
{
	return x >> n | x << (32 - n);
}

static void mix(uint32_t *v, const uint8_t *c, uint32_t x, uint32_t y)
{
	v[c[0]] += v[c[1]] + x;
	v[c[3]] = ror(v[c[3]] ^ v[c[0]], 16);
	v[c[2]] += v[c[3]];
	v[c[1]] = ror(v[c[1]] ^ v[c[2]], 12);
	v[c[0]] += v[c[1]] + y;
	v[c[3]] = ror(v[c[3]] ^ v[c[0]], 8);
	v[c[2]] += v[c[3]];
	v[c[1]] = ror(v[c[1]] ^ v[c[2]], 7);
}

static void compress(uint32_t *h, const uint8_t *block, uint64_t count,
		     int last)
{
	uint32_t v[16], m[16];
	unsigned int i, round;

	for (i = 0; i < 16; i++)
		m[i] = block[4 * i] | block[4 * i + 1] << 8 |
		       block[4 * i + 2] << 16 |
		       (uint32_t)block[4 * i + 3] << 24;
	memcpy(v, h, 32);
	memcpy(v + 8, iv, 32);
	v[12] ^= (uint32_t)count;
	v[13] ^= count >> 32;
	if (last)
		v[14] = ~v[14];
	for (round = 0; round < 10; round++)
		for (i = 0; i < 8; i++)
			mix(v, columns[i], m[sigma[round][2 * i]],
			    m[sigma[round][2 * i + 1]]);
	for (i = 0; i < 8; i++)
		h[i] ^= v[i] ^ v[i + 8];
}

/**
 * blake2s() - hash, or authenticate with a key
 * @out: memory for the hash
 * @out_len: length of the hash, 1 to 32 bytes
 * @in: text
 * @in_len: length of the text, bytes
 * @key: the key
 * @key_len: length of the key, up to 32 bytes; 0 for no key
 */
void blake2s(uint8_t *out, size_t out_len, const uint8_t *in, size_t in_len,
	     const uint8_t *key, size_t key_len)
{
	uint8_t block[BLAKE2S_BLOCK] = { 0 };
	uint64_t count = 0;
	uint32_t h[8];
	size_t i, n;

	memcpy(h, iv, sizeof(h));
	h[0] ^= 0x01010000 ^ key_len << 8 ^ out_len;
	if (key_len) {
		memcpy(block, key, key_len);
		count = BLAKE2S_BLOCK;
		if (in_len)
			compress(h, block, count, 0);
	}
	while (in_len) {
		n = in_len < BLAKE2S_BLOCK ? in_len : BLAKE2S_BLOCK;
		memset(block, 0, sizeof(block));
		memcpy(block, in, n);
		in += n;
		in_len -= n;
		count += n;
		if (in_len)
			compress(h, block, count, 0);
	}
	compress(h, block, count, 1);
	for (i = 0; i < out_len; i++)
		out[i] = h[i / 4] >> i % 4 * 8;
}
