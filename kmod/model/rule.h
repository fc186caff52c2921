/* SPDX-License-Identifier: GPL-2.0 */
/* Rules between parameters as rows of a table: the condition, and the refusal. */
#ifndef ICB_RULE_H
#define ICB_RULE_H

#include "engine.h"
#include "params.h"

/* Facts about the parameters of a run, of which the condition of a row is made. */

/* the trigger, as in struct icb_trigger */
#define ICB_IF_ANSWERS		BIT_ULL(0)
#define ICB_IF_REFILLS		BIT_ULL(1)
#define ICB_IF_SCHEDULED	BIT_ULL(2)
#define ICB_IF_TIMES_CALLS	BIT_ULL(3)
#define ICB_IF_WINDOWED		BIT_ULL(4)
/* the verb, as in struct icb_verb */
#define ICB_IF_RECV		BIT_ULL(5)
#define ICB_IF_REMOTE		BIT_ULL(6)
#define ICB_IF_PASSIVE		BIT_ULL(7)
#define ICB_IF_ATOMIC		BIT_ULL(8)
#define ICB_IF_SWAPS		BIT_ULL(9)
#define ICB_IF_NOTE		BIT_ULL(10)
#define ICB_IF_CALLS		BIT_ULL(11)
#define ICB_IF_REHEARSES	BIT_ULL(12)
#define ICB_IF_DATAGRAM		BIT_ULL(13)
/* the completion mode */
#define ICB_IF_CALLBACK		BIT_ULL(14)
#define ICB_IF_SOFTIRQ		BIT_ULL(15)
#define ICB_IF_IN_MEMORY	BIT_ULL(16)
#define ICB_IF_TIMER		BIT_ULL(17)
#define ICB_IF_ADAPTIVE		BIT_ULL(18)
/* other parameters with a value other than 0, or the first word */
#define ICB_IF_BI		BIT_ULL(19)
#define ICB_IF_REPLY		BIT_ULL(20)
#define ICB_IF_VERIFY		BIT_ULL(21)
#define ICB_IF_OVERHEAD		BIT_ULL(22)
#define ICB_IF_STAGES		BIT_ULL(23)
#define ICB_IF_ATTRIBUTE	BIT_ULL(24)
#define ICB_IF_THREAD_CONTEXT	BIT_ULL(25)
#define ICB_IF_REALTIME		BIT_ULL(26)
#define ICB_IF_FRWR		BIT_ULL(27)
#define ICB_IF_PLACED		BIT_ULL(28)
#define ICB_IF_EMPTY		BIT_ULL(29)
#define ICB_IF_INLINE		BIT_ULL(30)
#define ICB_IF_SIZE_DIST	BIT_ULL(31)
#define ICB_IF_NEW_BUFFERS	BIT_ULL(32)
#define ICB_IF_LOSSY		BIT_ULL(33)
#define ICB_IF_UD		BIT_ULL(34)
#define ICB_IF_POLICY		BIT_ULL(35)
#define ICB_IF_STRIPE		BIT_ULL(36)
#define ICB_IF_BIND		BIT_ULL(37)
#define ICB_IF_CHANNELS		BIT_ULL(38)
#define ICB_IF_SEVERAL_QPS	BIT_ULL(39)
#define ICB_IF_SEVERAL_DEVICES	BIT_ULL(40)
#define ICB_IF_SEVERAL_WORKERS	BIT_ULL(41)
#define ICB_IF_SEVERAL_SGES	BIT_ULL(42)
/* parameters that have a value, given or by default */
#define ICB_IF_PEER		BIT_ULL(43)
#define ICB_IF_ITERATIONS	BIT_ULL(44)
#define ICB_IF_DURATION		BIT_ULL(45)
#define ICB_IF_UNTIL		BIT_ULL(46)
#define ICB_IF_SHADOW		BIT_ULL(47)
#define ICB_IF_COMPUTE		BIT_ULL(48)
#define ICB_IF_COMPUTE_SHARE	BIT_ULL(49)

/* Size of the text that a row's function writes, bytes. */
#define ICB_RULE_VALUE	128

/**
 * struct icb_rule - one row: a rule between parameters, or defaults that depend on others
 * @when: facts that all must be true
 * @unless: facts that all must be false
 * @holds: a further condition; NULL if there is none
 * @given: true if the rule is only about those of @keys that were given
 * @keys: ICBENCH_A_PARAMS_… of the parameters that are refused, ending in 0. The refusal
 *	names the first of them to which the rule applies.
 * @err: error number of the refusal, positive
 * @words: text of the refusal, behind the name of the parameter. {NAME} stands for the
 *	value of a parameter, and {} for what @value writes.
 * @value: writes a text of at most ICB_RULE_VALUE bytes that depends on the parameters
 * @preset: called instead of a refusal: sets defaults that depend on other parameters
 * @check: called instead of a refusal, for a rule that is more than one condition and one
 *	text. Returns 0; a negative error number with a reason.
 */
struct icb_rule {
	u64 when;
	u64 unless;
	bool (*holds)(const struct icb_params *params);
	bool given;
	u8 keys[5];
	u8 err;
	const char *words;
	void (*value)(const struct icb_params *params, char *text);
	void (*preset)(struct icb_params *params);
	int (*check)(struct icb_params *params, struct icb_reason *why);
};

/* The parameters that a row is about. */
#define ICB_KEY(_key)	.keys = { ICBENCH_A_PARAMS_##_key }

int icb_rules_check(const struct icb_rule *rule, struct icb_params *params,
		    struct icb_reason *why);
void icb_rule_threads(const struct icb_params *params, char *text);

#endif /* ICB_RULE_H */
