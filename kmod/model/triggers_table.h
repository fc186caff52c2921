/* SPDX-License-Identifier: GPL-2.0 */
/* The table of triggers: the properties of each trigger that rules and sides depend on. */
#ifndef ICB_TRIGGERS_TABLE_H
#define ICB_TRIGGERS_TABLE_H

#include "engine.h"
#include "params.h"

/**
 * struct icb_trigger - the properties of a trigger
 * @answers: true if the arrival of a message triggers the next operation
 * @refills: true if the completion of operations triggers the next ones
 * @scheduled: true if each operation is posted when it is due
 * @times_calls: true if calls are timed and no message moves
 * @keys: BIT_ULL(attribute) of each parameter that this trigger accepts and some other
 *	trigger refuses
 *
 * Exactly one of the first four is true.
 */
struct icb_trigger {
	bool answers;
	bool refills;
	bool scheduled;
	bool times_calls;
	u64 keys;
};

extern const struct icb_trigger icb_trigger_table[];

/**
 * icb_trigger_windowed() - check whether several operations may be in flight
 * @trigger: the properties of the trigger
 *
 * Return: true if up to a window of operations may be in flight on each QP.
 */
static inline bool icb_trigger_windowed(const struct icb_trigger *trigger)
{
	return trigger->refills || trigger->scheduled;
}

/**
 * icb_trigger_of() - get the properties of the trigger of a run
 * @params: parameters of the run
 *
 * Return: the row of icb_trigger_table.
 */
static inline const struct icb_trigger *
icb_trigger_of(const struct icb_params *params)
{
	return &icb_trigger_table[params->trigger];
}

bool icb_trigger_takes(u32 trigger, unsigned int attr);

#endif /* ICB_TRIGGERS_TABLE_H */
