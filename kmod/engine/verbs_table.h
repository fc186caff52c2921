/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the loops, and the rules between parameters, must know of each verb.
 */
#ifndef ICB_VERBS_TABLE_H
#define ICB_VERBS_TABLE_H

#include "engine.h"
#include "params.h"

/* The modes in which callbacks, and not a thread, drive a run. */
#define ICB_COMPLETIONS_CALLBACK \
	(BIT(ICBENCH_COMPLETION_SOFTIRQ) | BIT(ICBENCH_COMPLETION_WORKQUEUE))
/* Each of them. */
#define ICB_VERBS_ALL	(BIT(ICBENCH_VERB_CMP_SWAP + 1) - 1)

/* The modes in which one thread can drive both sides of a run. */
#define ICB_COMPLETIONS_BUSY \
	(BIT(ICBENCH_COMPLETION_POLL) | BIT(ICBENCH_COMPLETION_MEMORY))

/**
 * struct icb_verb - what the loops must know of an operation
 * @completion: mode by which an arrival is noticed unless asked otherwise
 * @completions: BIT() of each mode that is possible
 * @min_size: least payload, bytes
 * @max_size: greatest payload; 0 where only the device knows
 * @divisor: of a timed round trip: 2 where the answer is a message of its own,
 *	1 where the operation is itself a round trip
 * @recv: takes a receive of the other side
 * @remote: reaches into memory that the other side has registered
 * @passive: the other side takes no part in it: what the initiator waits for
 *	is the completion of its own work request
 * @atomic: changes a 64-bit word of the other side and brings its old value
 * @imm: carries immediate data
 */
struct icb_verb {
	u32 completion;
	u32 completions;
	u32 min_size;
	u32 max_size;
	u32 divisor;
	bool recv;
	bool remote;
	bool passive;
	bool atomic;
	bool imm;
};

extern const struct icb_verb icb_verb_table[];

/**
 * icb_verb_of() - the verb of a run
 * @params: the run's
 *
 * Return: its row.
 */
static inline const struct icb_verb *icb_verb_of(const struct icb_params *params)
{
	return &icb_verb_table[params->verb];
}

int icb_verb_check(struct icb_params *params, struct icb_reason *why);
int icb_verb_refuse(const struct icb_params *params, const char *device,
		    u32 verbs, struct icb_reason *why);

#endif /* ICB_VERBS_TABLE_H */
