// SPDX-License-Identifier: GPL-2.0
/* Peers get a share of all jobs, and a peer counts from its acceptance on. */
#include "model/slots.h"
#include "unit.h"

/* Move as many jobs as possible. Return: their number. */
static unsigned int fill(struct icb_slots *slots, enum icb_slot from,
			 enum icb_slot to)
{
	unsigned int n = 0;

	while (n < 10000 && icb_slots_move(slots, from, to))
		n++;
	return n;
}

static void test_peers_leave_some(void **state)
{
	struct icb_slots slots = {};

	(void)state;
	/* however many peers arrive */
	assert_int_equal(fill(&slots, ICB_SLOT_NONE, ICB_SLOT_PENDING),
			 ICB_SLOTS_PENDING);
	assert_int_equal(fill(&slots, ICB_SLOT_PENDING, ICB_SLOT_SERVED),
			 ICB_SLOTS_SERVED);
	assert_int_equal(fill(&slots, ICB_SLOT_NONE, ICB_SLOT_PENDING),
			 ICB_SLOTS_SERVED);
	assert_int_equal(fill(&slots, ICB_SLOT_NONE, ICB_SLOT_OWN),
			 ICB_SLOTS - ICB_SLOTS_SERVED);
	assert_true(ICB_SLOTS - ICB_SLOTS_SERVED >= 256);
}

static void test_strangers_take_none(void **state)
{
	struct icb_slots slots = {};

	(void)state;
	fill(&slots, ICB_SLOT_NONE, ICB_SLOT_PENDING);
	assert_int_equal(fill(&slots, ICB_SLOT_NONE, ICB_SLOT_OWN), ICB_SLOTS);
	/* there is no free slot, so the job stays in its class */
	assert_false(icb_slots_move(&slots, ICB_SLOT_PENDING, ICB_SLOT_SERVED));
	assert_int_equal(slots.used[ICB_SLOT_PENDING], ICB_SLOTS_PENDING);
	/* one job ends, and another one starts */
	assert_true(icb_slots_move(&slots, ICB_SLOT_OWN, ICB_SLOT_NONE));
	assert_true(icb_slots_move(&slots, ICB_SLOT_PENDING, ICB_SLOT_SERVED));
	assert_true(icb_slots_move(&slots, ICB_SLOT_SERVED, ICB_SLOT_NONE));
	assert_int_equal(fill(&slots, ICB_SLOT_NONE, ICB_SLOT_OWN), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_peers_leave_some),
		cmocka_unit_test(test_strangers_take_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
