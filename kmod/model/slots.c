// SPDX-License-Identifier: GPL-2.0
#include "slots.h"

static bool has_room(const struct icb_slots *slots, enum icb_slot kind)
{
	const u32 *used = slots->used;

	switch (kind) {
	case ICB_SLOT_STRANGER:
		return used[kind] < ICB_SLOTS_STRANGERS;
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
 * icb_slots_move() - count a job as something else
 * @slots: zeroed at first; one caller at a time
 * @from: what it is counted as now
 * @to: what it is to be counted as; ICB_SLOT_NONE always has room
 *
 * Peers can take a share of the slots and no more, so that the host's own users always
 * find some.
 *
 * Return: false if there is no room, and nothing has changed.
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
