/* SPDX-License-Identifier: GPL-2.0 */
/* Limits on the number of jobs: of users of this host, and of its peers. */
#ifndef ICB_SLOTS_H
#define ICB_SLOTS_H

#include "engine.h"

/* Most jobs of this host and served runs together, and most served runs. */
#define ICB_SLOTS		1024
#define ICB_SLOTS_SERVED	768
/* Most peers without an accepted run; these are in addition to ICB_SLOTS. */
#define ICB_SLOTS_PENDING	1024

/**
 * enum icb_slot - the kind of a job
 * @ICB_SLOT_NONE: job that is not counted
 * @ICB_SLOT_OWN: job of a user of this host
 * @ICB_SLOT_PENDING: responder of a peer whose run is not accepted yet
 * @ICB_SLOT_SERVED: responder of a run that this host serves
 * @ICB_SLOT_KINDS: number of kinds
 */
enum icb_slot {
	ICB_SLOT_NONE,
	ICB_SLOT_OWN,
	ICB_SLOT_PENDING,
	ICB_SLOT_SERVED,
	ICB_SLOT_KINDS
};

/**
 * struct icb_slots - numbers of jobs
 * @used: number of jobs of each enum icb_slot; that of ICB_SLOT_NONE has no meaning
 */
struct icb_slots {
	u32 used[ICB_SLOT_KINDS];
};

bool icb_slots_move(struct icb_slots *slots, enum icb_slot from,
		    enum icb_slot to);

#endif /* ICB_SLOTS_H */
