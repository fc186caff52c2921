// SPDX-License-Identifier: GPL-2.0
#include "slots.h"

static bool has_room(const struct icb_slots *slots, enum icb_slot kind)
{
	const u32 *used = slots->used;

	switch (kind) {
	case ICB_SLOT_PENDING:
		return used[kind] < ICB_SLOTS_PENDING;
	case ICB_SLOT_SERVED:
		return used[kind] < ICB_SLOTS_SERVED &&
		       used[ICB_SLOT_OWN] + used[kind] < ICB_SLOTS;
	case ICB_SLOT_OWN:
		return used[kind] + used[ICB_SLOT_SERVED] < ICB_SLOTS;
	default:
		return true;
	}
}

/**
 * icb_slots_move() - change the kind as which a job is counted
 * @slots: the numbers; zeroed before the first call; one caller at a time
 * @from: present kind of the job
 * @to: new kind of the job; ICB_SLOT_NONE always has room
 *
 * Peers can use only a part of the slots, so that some are left for users of this host.
 *
 * Return: false if there is no room; nothing has changed then.
 */
bool icb_slots_move(struct icb_slots *slots, enum icb_slot from,
		    enum icb_slot to)
{
	if (!has_room(slots, to))
		return false;
	slots->used[from]--;
	slots->used[to]++;
	return true;
}
