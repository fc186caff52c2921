// SPDX-License-Identifier: GPL-2.0
/* Whole runs over other memory, QPs and devices than those of the other tests. */
#include "model/rules.h"
#include "unit.h"
#include "mode.h"

static struct pair pair;

/* Conditions of each run that is complete. */
static const char *sound(void)
{
	if (pair.net.wrong[0])
		return pair.net.wrong;
	if (pair.side[0].err || pair.side[1].err)
		return "a side failed";
	if (pair.side[0].compared || pair.side[1].compared)
		return "the sides do not agree";
	return pair.run[0].done + pair.run[0].unanswered == pair.params[0].iterations ?
		NULL : "operations are missing";
}

/**
 * struct layout - how messages lie in memory, and which devices carry them
 * @piece: as &net_config.piece
 * @max_cqe: as &net_config.max_cqe
 * @size: payload, bytes
 * @sges: segments of a message
 * @buffers: number of buffers
 * @qps: number of QPs
 * @devices: number of devices
 * @policy: enum icbench_policy
 * @registration: enum icbench_registration
 * @inline_size: largest message that is posted inline, bytes
 */
struct layout {
	u32 piece;
	u32 max_cqe;
	u32 size;
	u32 sges;
	u32 buffers;
	u32 qps;
	u32 devices;
	u32 policy;
	u32 registration;
	u32 inline_size;
};

static const struct layout layouts[] = {
	{ .size = 3000, .sges = 1, .piece = 1024 },
	{ .size = 3000, .sges = 3, .piece = 1024 },
	{ .size = 3000, .sges = 5, .piece = 4096, .buffers = 6 },
	{ .size = 3000, .sges = 3, .registration = ICBENCH_REGISTRATION_FRWR },
	{ .size = 60, .sges = 4, .inline_size = 60, .buffers = 3 },
	{ .size = 100, .sges = 1, .qps = 4, .max_cqe = 1200 },
	{ .size = 100, .sges = 1, .qps = 6, .devices = 3, .policy = ICBENCH_POLICY_BIND },
	{ .size = 1000, .sges = 1, .devices = 4, .policy = ICBENCH_POLICY_STRIPE },
	{ .size = 1001, .sges = 1, .devices = 3, .policy = ICBENCH_POLICY_STRIPE,
	  .buffers = 4 },
};

/* Return false if a mode cannot be run this way. */
static bool lay_out(const struct mode *mode, const struct layout *layout,
		    struct icb_params *p)
{
	mode_params(mode, p);
	p->size = mode_size(mode, layout->size);
	p->sges = mode_sges(mode, p->size, layout->sges);
	p->devices = max_t(u32, layout->devices, 1);
	icb_params_preset(p, ICBENCH_A_PARAMS_STRIPE_THRESHOLD, 0);
	p->inline_size = layout->inline_size;
	if (layout->policy)
		icb_params_preset(p, ICBENCH_A_PARAMS_POLICY, layout->policy);
	if (layout->qps)
		icb_params_preset(p, ICBENCH_A_PARAMS_QPS, layout->qps);
	if (layout->buffers) {
		p->buffers = layout->buffers;
		p->given |= BIT_ULL(ICBENCH_A_PARAMS_BUFFERS);
	}
	if (layout->registration)
		icb_params_preset(p, ICBENCH_A_PARAMS_REGISTRATION, layout->registration);
	p->verify = !icb_params_windowed(p) && mode->completion != ICBENCH_COMPLETION_MEMORY;
	if (icb_params_windowed(p)) {
		p->window = 8;
		p->refill = p->reply ? 8 : 4;
		p->signal_every = p->qps > 1 ? 1 : 2;
	}
	if (icb_params_check(p, NULL))
		return false;
	p->timeout = 5000000;
	return true;
}

static unsigned int run_layout(const struct mode *mode, unsigned int modes, size_t row)
{
	struct pair_config with;
	struct icb_params p;
	unsigned int tried = 0;
	u64 seed;

	for (; modes--; mode++)
		for (seed = 0; seed < 2; seed++) {
			if (!lay_out(mode, &layouts[row], &p))
				continue;
			mode_config(mode, seed, &with);
			with.net.piece = layouts[row].piece;
			with.net.max_cqe = layouts[row].max_cqe;
			with.net.lenient = p.reply;
			pair_run(&pair, &p, &with);
			mode_expect(&pair, mode, sound(), "layout", row);
			tried++;
		}
	return tried;
}

/* The content arrives however memory, QPs and devices are laid out. */
static void test_layouts(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(layouts); i++) {
		assert_row(i, run_layout(mode_table, MODES, i) +
			      run_layout(stream_table, STREAMS, i) >= 4);
	}
}

/* A datagram that was overtaken is late: it counts as lost, and as foreign. */
static const char *counts_losses(void)
{
	u64 dropped = pair.net.ep[0].own.dropped, lost = pair.run[0].lost;
	u64 late = pair.config.net.reorder ? pair.run[1].foreign : 0;

	return lost >= dropped && lost <= dropped + late ? NULL :
							   "losses are counted wrong";
}

/* Datagrams that are lost, that arrive twice and that overtake each other. */
static void test_datagrams(void **state)
{
	struct pair_config with;
	const struct mode *mode;
	unsigned int tried = 0;
	struct icb_params p;
	u64 seed;

	(void)state;
	for (mode = stream_table; mode < stream_table + STREAMS; mode++)
		for (seed = 0; seed < 8; seed++) {
			mode_params(mode, &p);
			p.transport = ICBENCH_TRANSPORT_UD;
			p.window = 8;
			p.refill = 4;
			p.signal_every = 2;
			if (icb_params_check(&p, NULL))
				continue;
			icb_params_preset(&p, ICBENCH_A_PARAMS_ITERATIONS, 200);
			p.timeout = 5000000;
			mode_config(mode, seed, &with);
			with.net.lenient = true;
			with.net.reorder = seed & 1 ? 300 : 0;
			with.net.faults[0].loss = seed & 2 ? 100 : 0;
			with.net.faults[0].duplicate = seed & 4 ? 30 : 0;
			pair_run(&pair, &p, &with);
			mode_expect(&pair, mode, sound(), "datagrams", seed);
			mode_expect(&pair, mode, counts_losses(), "datagrams", seed);
			tried++;
		}
	assert_true(tried >= 16);
}

static int teardown(void **state)
{
	(void)state;
	pair_free(&pair);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_datagrams),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
