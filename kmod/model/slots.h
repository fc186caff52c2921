/* SPDX-License-Identifier: GPL-2.0 */
/* How many jobs there may be: of this host's users, and of its peers. */
#ifndef ICB_SLOTS_H
#define ICB_SLOTS_H

#include "engine.h"

/* Jobs of this host and runs that it serves, together; so many of them served. */
#define ICB_SLOTS		1024
#define ICB_SLOTS_SERVED	768
/* Peers that no run was granted yet, beside those. */
#define ICB_SLOTS_STRANGERS	1024

/**
 * enum icb_slot - what a job is counted as
 * @ICB_SLOT_NONE: not at all
 * @ICB_SLOT_OWN: one of this host's users
 * @ICB_SLOT_STRANGER: of a peer that no run was granted yet
 * @ICB_SLOT_SERVED: a run that this host serves
 */
enum icb_slot {
	ICB_SLOT_NONE,
	ICB_SLOT_OWN,
	ICB_SLOT_STRANGER,
	ICB_SLOT_SERVED,
	ICB_SLOT_KINDS
};

/**
 * struct icb_slots - how many jobs there are
 * @used: of each enum icb_slot
 */
struct icb_slots {
	u32 used[ICB_SLOT_KINDS];
};

bool icb_slots_move(struct icb_slots *slots, enum icb_slot from,
		    enum icb_slot to);

#endif /* ICB_SLOTS_H */
