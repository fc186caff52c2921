// SPDX-License-Identifier: GPL-2.0
/* Messages in segments: the location of each byte, and limits of devices. */
#include "unit.h"
#include <unistd.h>
#include "model/payload.h"
#include "model/segments.h"
#include "model/verbs_table.h"

#define MOST_SIZE	300
#define MOST_COUNT	40

/* Segments have equal sizes, do not touch, and sum up to the message. */
static void check_layout(const struct icb_segments *seg, u32 size, u32 count)
{
	u64 sum = 0, begin, end, before = 0;
	u32 i;

	assert_row(size, seg->count == count);
	for (i = 0; i < count; i++) {
		begin = icb_segments_begin(seg, i);
		end = icb_segments_end(seg, i);
		assert_row(size, end - begin == (i + 1 < count ? size / count :
					size - (count - 1) * (size / count)));
		assert_row(size, !i || begin > before);
		sum += end - begin;
		before = end;
	}
	assert_row(size, sum == size);
	assert_row(size, seg->extent == before);
}

static void test_layout(void **state)
{
	struct icb_segments seg;
	u32 size, count;

	(void)state;
	for (size = 0; size <= MOST_SIZE; size++)
		for (count = 1; count <= MOST_COUNT; count++) {
			if (count > 1 && count > size)
				break;
			icb_segments_cut(&seg, size, count);
			check_layout(&seg, size, count);
		}
}

/* Only a segment larger than a piece of a buffer crosses pieces. */
static void test_pieces(void **state)
{
	static const u32 sizes[] = {
		1, 63, 64, 65, 4095, 4096, 4097, ICB_PIECE_SIZE / 2 - 64,
		ICB_PIECE_SIZE / 2 - 63, ICB_PIECE_SIZE / 2,
		ICB_PIECE_SIZE - 64, ICB_PIECE_SIZE - 63, ICB_PIECE_SIZE - 1,
		ICB_PIECE_SIZE, ICB_PIECE_SIZE + 1, 3 * ICB_PIECE_SIZE - 1,
	};
	struct icb_segments seg;
	u64 first, last, pieces;
	size_t k;
	u32 i;

	(void)state;
	for (k = 0; k < ARRAY_SIZE(sizes); k++) {
		icb_segments_cut(&seg, 5 * sizes[k], 5);
		pieces = (sizes[k] + ICB_PIECE_SIZE - 1) / ICB_PIECE_SIZE;
		for (i = 0; i < 5; i++) {
			first = icb_segments_begin(&seg, i) / ICB_PIECE_SIZE;
			last = (icb_segments_end(&seg, i) - 1) / ICB_PIECE_SIZE;
			assert_row(k, last - first + 1 == pieces);
		}
	}
	/* the largest values in the table of parameters */
	icb_segments_cut(&seg, ICBENCH_MAX_SIZE, ICBENCH_MAX_SGES);
	assert_true(seg.extent <= 2ULL * ICBENCH_MAX_SIZE);
}

/* Location of byte i of a message. */
static u64 place(const struct icb_segments *seg, u32 i)
{
	u32 part = 0;

	while (part + 1 < seg->count && i >= seg->size) {
		i -= seg->size;
		part++;
	}
	return icb_segments_begin(seg, part) + i;
}

/* The content equals that of a contiguous message; nothing is written between segments. */
static void test_content(void **state)
{
	static const u32 sizes[] = { 1, 2, 7, 8, 9, 31, 64, 65, 100, 257 };
	static const u32 counts[] = { 1, 2, 3, 4, 7, 8, 9, 31 };
	const struct icb_random random = icb_payload_of(11, true);
	u8 whole[MOST_SIZE], *buf;
	struct icb_segments seg;
	u32 size, count, at;
	size_t i, j, left;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		for (j = 0; j < ARRAY_SIZE(counts); j++) {
			size = sizes[i];
			count = counts[j];
			if (count > size)
				continue;
			icb_segments_cut(&seg, size, count);
			buf = calloc(1, seg.extent);
			icb_payload_fill(whole, 0, size, random, 12);
			icb_segments_fill(&seg, buf, random, 12);
			assert_row(size, icb_segments_check(&seg, buf, size, random,
							    12) == size);
			for (at = 0; at < size; at++) {
				u8 *byte = &buf[place(&seg, at)];

				assert_row(at, *byte == whole[at]);
				/* a wrong byte is found, up to the checked length */
				*byte ^= 1;
				assert_row(at, icb_segments_check(&seg, buf,
						size, random, 12) == at);
				assert_row(at, icb_segments_check(&seg, buf,
						at, random, 12) == at);
				*byte ^= 1;
			}
			icb_segments_spoil(&seg, buf);
			assert_row(size, !icb_segments_check(&seg, buf, size,
							     random, 12));
			for (at = 0; at < size; at++)
				buf[place(&seg, at)] = 0;
			for (left = 0; left < seg.extent; left++)
				assert_row(left, !buf[left]);
			free(buf);
		}
}

static void prepare(struct icb_params *params, u32 trigger, u32 verb, u32 sges)
{
	icb_params_init(params);
	params->trigger = trigger;
	params->verb = verb;
	params->sges = sges;
}

/* Which buffers have segments: those of work requests and of receives. */
static void test_sides(void **state)
{
	static const struct {
		u32 verb;
		u32 tx;
		u32 rx;
	} rows[] = {
		{ ICBENCH_VERB_SEND, 4, 4 },
		{ ICBENCH_VERB_WRITE, 4, 1 },
		{ ICBENCH_VERB_WRITE_IMM, 4, 1 },
		{ ICBENCH_VERB_READ, 1, 4 },
		{ ICBENCH_VERB_DESCRIPTOR, 4, 1 },
	};
	struct icb_segments tx, rx;
	struct icb_params params;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		prepare(&params, ICBENCH_TRIGGER_ECHO, rows[i].verb, 4);
		icb_segments_of(&params, &tx, &rx);
		assert_row(i, tx.count == rows[i].tx);
		assert_row(i, rx.count == rows[i].rx);
	}
}

/* Refusals by a device, with the limit that was exceeded. */
static void test_refuse(void **state)
{
	static const struct {
		u32 verb;
		u32 sges;
		u32 max_sges;
		struct icb_sge_limits limits;
		const char *words;
	} rows[] = {
		{ ICBENCH_VERB_SEND, 32, 0, { 32, 32, 32 }, "" },
		{ ICBENCH_VERB_SEND, 33, 0, { 32, 32, 32 },
		  "sges: 33 is more than dev0 takes for verb send; accepted: 1 to 32 (max_send_sge)" },
		{ ICBENCH_VERB_SEND, 7, 0, { 32, 6, 32 },
		  "sges: 7 is more than dev0 takes for verb send; accepted: 1 to 6 (max_recv_sge)" },
		/* the data of a write needs no receive */
		{ ICBENCH_VERB_WRITE, 7, 0, { 32, 6, 2 }, "" },
		{ ICBENCH_VERB_WRITE_IMM, 33, 0, { 32, 6, 2 },
		  "sges: 33 is more than dev0 takes for verb write-imm; accepted: 1 to 32 (max_send_sge)" },
		{ ICBENCH_VERB_READ, 3, 0, { 32, 6, 2 },
		  "sges: 3 is more than dev0 takes for verb read; accepted: 1 to 2 (max_sge_rd)" },
		/* without max_sge_rd, the limit of a read is that of a send */
		{ ICBENCH_VERB_READ, 32, 0, { 32, 6, 0 }, "" },
		{ ICBENCH_VERB_READ, 33, 0, { 32, 6, 64 },
		  "sges: 33 is more than dev0 takes for verb read; accepted: 1 to 32 (max_send_sge)" },
		{ ICBENCH_VERB_DESCRIPTOR, 7, 0, { 32, 6, 2 },
		  "sges: 7 is more than dev0 takes for verb descriptor; accepted: 1 to 6 (max_recv_sge)" },
		/* any message has one segment */
		{ ICBENCH_VERB_CONNECT, 1, 0, { 0, 0, 0 }, "" },
		{ ICBENCH_VERB_WRITE, 2, 6, { 32, 6, 2 }, "" },
		{ ICBENCH_VERB_WRITE, 2, 7, { 32, 6, 2 },
		  "max-sges: 7 is more than dev0 takes; accepted: 2 to 6 (max_recv_sge)" },
		{ ICBENCH_VERB_FETCH_ADD, 1, 9, { 8, 16, 2 },
		  "max-sges: 9 is more than dev0 takes; accepted: 1 to 8 (max_send_sge)" },
	};
	struct icb_params params;
	struct icb_reason why;
	size_t i;
	int err;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		prepare(&params, ICBENCH_TRIGGER_ECHO, rows[i].verb,
			rows[i].sges);
		if (rows[i].max_sges)
			icb_params_preset(&params, ICBENCH_A_PARAMS_MAX_SGES,
					  rows[i].max_sges);
		memset(&why, 0, sizeof(why));
		err = icb_segments_refuse(&params, "dev0", &rows[i].limits,
					  &why);
		assert_row(i, err == (rows[i].words[0] ? -EOPNOTSUPP : 0));
		assert_string_equal(why.text, rows[i].words);
		assert_row(i, icb_segments_refuse(&params, "dev0",
						  &rows[i].limits, NULL) == err);
	}
}

/* A datagram's receive has one more segment, for the GRH. */
static void test_datagrams(void **state)
{
	const struct icb_sge_limits limits = { 32, 32, 32 };
	struct icb_params params;
	struct icb_reason why;

	(void)state;
	prepare(&params, ICBENCH_TRIGGER_ECHO, ICBENCH_VERB_SEND, 31);
	params.transport = ICBENCH_TRANSPORT_UD;
	assert_int_equal(icb_segments_refuse(&params, "dev0", &limits, &why), 0);
	params.sges = 32;
	assert_int_equal(icb_segments_refuse(&params, "dev0", &limits, &why),
			 -EOPNOTSUPP);
	assert_string_equal(why.text,
			    "sges: 32 is more than dev0 takes for verb send; accepted: 1 to 31 (max_recv_sge)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_content),
		cmocka_unit_test(test_sides),
		cmocka_unit_test(test_refuse),
		cmocka_unit_test(test_datagrams),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
