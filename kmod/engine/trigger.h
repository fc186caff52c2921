/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rules that come with a trigger, and the parts that it gives to the two
 * sides of a run.
 */
#ifndef ICB_TRIGGER_H
#define ICB_TRIGGER_H

#include "engine.h"
#include "params.h"
#include "verbs_table.h"

/**
 * icb_params_one_way() - whether operations go from one side to the other only
 * @params: of a run
 *
 * Return: true if the responder begins none, not even an answer.
 */
static inline bool icb_params_one_way(const struct icb_params *params)
{
	if (params->direction == ICBENCH_DIRECTION_BI)
		return false;
	return params->trigger != ICBENCH_TRIGGER_ECHO ||
	       icb_verb_of(params)->passive;
}

/**
 * icb_params_passive() - whether the responder has nothing to do
 * @params: of a run
 *
 * Return: true if it only offers memory.
 */
static inline bool icb_params_passive(const struct icb_params *params)
{
	return icb_params_one_way(params) && !icb_verb_of(params)->recv;
}

/**
 * icb_params_counts() - whether a side sees each message that arrives
 * @params: of a run
 *
 * Return: true if so: by a completion, or as the answer to its own.
 */
static inline bool icb_params_counts(const struct icb_params *params)
{
	return icb_verb_of(params)->recv ||
	       (params->trigger == ICBENCH_TRIGGER_ECHO &&
		!icb_params_one_way(params));
}

/**
 * icb_params_begins() - whether a side begins operations, or answers with one
 * @params: of a run
 * @initiator: which side
 *
 * Return: true if it does.
 */
static inline bool icb_params_begins(const struct icb_params *params,
				     bool initiator)
{
	return initiator || !icb_params_one_way(params);
}

/**
 * icb_params_fills() - whether operations bring content to a side
 * @params: of a run
 * @initiator: which side
 *
 * Return: true if they do.
 */
static inline bool icb_params_fills(const struct icb_params *params,
				    bool initiator)
{
	if (params->trigger == ICBENCH_TRIGGER_RETURN)
		return false;
	return !icb_params_one_way(params) ||
	       icb_verb_of(params)->passive == initiator;
}

/**
 * icb_params_windowed() - whether more than one operation may be on its way
 * @params: of a run
 *
 * Return: true if as many as the window has.
 */
static inline bool icb_params_windowed(const struct icb_params *params)
{
	return params->trigger == ICBENCH_TRIGGER_COMPLETION ||
	       params->trigger == ICBENCH_TRIGGER_CLOCK;
}

/**
 * icb_params_waits_own() - whether a side waits for its own work requests
 * @params: of a run
 * @initiator: which side
 *
 * Return: true if so; it may wait for arrivals, too.
 */
static inline bool icb_params_waits_own(const struct icb_params *params,
					bool initiator)
{
	return icb_params_begins(params, initiator) && !params->reply &&
	       (params->trigger != ICBENCH_TRIGGER_ECHO ||
		icb_verb_of(params)->passive);
}

int icb_trigger_check(struct icb_params *params, struct icb_reason *why);

#endif /* ICB_TRIGGER_H */
