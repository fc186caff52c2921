// SPDX-License-Identifier: GPL-2.0
/* Content of messages. */
#include "unit.h"
#include <unistd.h>
#include "model/payload.h"

#define MOST	4097

static void fill(u8 *buf, size_t at, size_t len, u64 seed, u64 number)
{
	icb_payload_fill(buf, at, len, icb_payload_of(seed, true), number);
}

static size_t check(const u8 *buf, size_t at, size_t len, u64 seed, u64 number)
{
	return icb_payload_check(buf, at, len, icb_payload_of(seed, true),
				 number);
}

/* Allocate exactly @len bytes: the sanitizer detects writes behind them. */
static u8 *fresh(size_t len, u8 with)
{
	u8 *buf = malloc(len + !len);

	memset(buf, with, len);
	return buf;
}

static void test_fill(void **state)
{
	size_t len;
	u8 *buf;

	(void)state;
	for (len = 0; len <= MOST; len++) {
		buf = fresh(len, 0);
		fill(buf, 0, len, 7, len);
		assert_row(len, check(buf, 0, len, 7, len) == len);
		free(buf);
	}
}

/* Bytes depend neither on the length nor on the address of the message. */
static void test_prefix(void **state)
{
	u8 whole[MOST], part[MOST + 8];
	size_t len, shift;

	(void)state;
	fill(whole, 0, MOST, 1, 2);
	for (len = 0; len <= 300; len++)
		for (shift = 0; shift < 8; shift++) {
			memset(part, 0xa5, sizeof(part));
			fill(part + shift, 0, len, 1, 2);
			assert_row(len, !memcmp(part + shift, whole, len));
			assert_row(len, part[shift + len] == 0xa5);
			assert_row(len, !shift || part[shift - 1] == 0xa5);
			assert_row(len, check(part + shift, 0, len, 1,
							  2) == len);
		}
}

/* Each bit of each byte is compared, and the first wrong byte is reported. */
static void test_flip(void **state)
{
	static const size_t lens[] = {
		1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, MOST,
	};
	size_t i, at, bit;
	u8 buf[MOST];

	(void)state;
	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		fill(buf, 0, lens[i], 3, 4);
		for (at = 0; at < lens[i]; at++) {
			bit = at % 8;
			buf[at] ^= 1 << bit;
			assert_row(at, check(buf, 0, lens[i], 3, 4) ==
				       at);
			/* later bytes do not matter */
			buf[lens[i] - 1] ^= 0x80;
			if (at != lens[i] - 1)
				assert_row(at, check(buf, 0, lens[i],
								 3, 4) == at);
			buf[lens[i] - 1] ^= 0x80;
			buf[at] ^= 1 << bit;
		}
		assert_row(i, check(buf, 0, lens[i], 3, 4) == lens[i]);
	}
	fill(buf, 0, 64, 3, 4);
	for (bit = 0; bit < 64 * 8; bit++) {
		buf[bit / 8] ^= 1 << (bit % 8);
		assert_row(bit, check(buf, 0, 64, 3, 4) == bit / 8);
		buf[bit / 8] ^= 1 << (bit % 8);
	}
}

/* Another seed, message or side gives different words everywhere. */
static void test_distinct(void **state)
{
	static const struct {
		u64 seed;
		u64 number;
	} rows[] = {
		{ 0, 0 }, { 0, 1 }, { 0, 2 }, { 1, 0 }, { 1, 1 }, { 2, 0 },
		{ ~0ULL, 0 }, { ~1ULL, 0 }, { ~1ULL, 1 }, { 0, ~0ULL },
		{ 1ULL << 32, 0 }, { 0, 1ULL << 32 }, { 1ULL << 63, 0 },
	};
	size_t i, j, k, l;
	u64 a[32], b[32];

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fill((u8 *)a, 0, sizeof(a), rows[i].seed,
				 rows[i].number);
		for (j = 0; j < ARRAY_SIZE(rows); j++) {
			if (i == j)
				continue;
			fill((u8 *)b, 0, sizeof(b), rows[j].seed,
					 rows[j].number);
			/* no word occurs at another place either */
			for (k = 0; k < ARRAY_SIZE(a); k++)
				for (l = 0; l < ARRAY_SIZE(b); l++)
					assert_row(i, a[k] != b[l]);
			assert_row(i, check((u8 *)a, 0, sizeof(a),
							rows[j].seed,
							rows[j].number) < 8);
		}
		/* no word occurs twice, so that a shift or repetition is detected */
		for (k = 0; k < ARRAY_SIZE(a); k++)
			for (j = 0; j < k; j++)
				assert_row(i, a[j] != a[k]);
	}
}

/* Each byte changes, no other byte does, and none has its expected value afterwards. */
static void test_spoil(void **state)
{
	size_t len, i;
	u8 *buf;

	(void)state;
	for (len = 0; len <= 300; len++) {
		buf = fresh(len, 0);
		fill(buf, 0, len, 7, len);
		icb_payload_spoil(buf, len);
		assert_row(len, check(buf, 0, len, 7, len) == 0);
		for (i = 0; i < len; i++)
			buf[i] ^= 0xff;
		assert_row(len, check(buf, 0, len, 7, len) == len);
		free(buf);
	}
	/* for any content, at any address */
	for (i = 0; i < 256; i++) {
		u8 around[4] = { i, i, i, i };

		icb_payload_spoil(around + 1, 2);
		assert_row(i, around[0] == i && around[3] == i);
		assert_row(i, around[1] != i && around[2] != i);
	}
}

/* If a spoilt buffer is overwritten in part, the missing bytes are detected. */
static void test_spoil_part(void **state)
{
	u8 sent[64], buf[64];
	size_t from, len;

	(void)state;
	fill(sent, 0, sizeof(sent), 5, 0);
	for (from = 0; from < sizeof(sent); from++)
		for (len = 1; from + len <= sizeof(sent); len++) {
			memcpy(buf, sent, sizeof(buf));
			icb_payload_spoil(buf, sizeof(buf));
			memcpy(buf, sent, from);
			memcpy(buf + from + len, sent + from + len,
			       sizeof(sent) - from - len);
			assert_row(from, check(buf, 0, sizeof(buf), 5,
							   0) == from);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_prefix),
		cmocka_unit_test(test_flip),
		cmocka_unit_test(test_distinct),
		cmocka_unit_test(test_spoil),
		cmocka_unit_test(test_spoil_part),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
