/* SPDX-License-Identifier: GPL-2.0 */
/* Combinations of the main parameters, for tests that run all combinations. */
#ifndef MODE_H
#define MODE_H

#include "pair.h"

/**
 * struct mode - one combination of parameters
 * @name: name, for messages
 * @verb: enum icbench_verb
 * @notify: enum icbench_notify
 * @completion: enum icbench_completion
 * @trigger: enum icbench_trigger
 * @direction: enum icbench_direction
 * @reply: 1 if the responder answers each window, else 0
 * @one_thread: one thread drives both sides
 */
struct mode {
	const char *name;
	u32 verb;
	u32 notify;
	u32 completion;
	u32 trigger;
	u32 direction;
	u32 reply;
	bool one_thread;
};

/*
 * Numbers of modes: ping-pongs with one message in flight; ping-pongs whose messages
 * cross; streams; streams whose windows are answered.
 */
#define MODES		31
#define CROSSINGS	11
#define STREAMS		50
#define ANSWERS		4

extern const struct mode mode_table[MODES];
extern const struct mode crossing_table[CROSSINGS];
extern const struct mode stream_table[STREAMS];
extern const struct mode answer_table[ANSWERS];

static inline const struct icb_verb *mode_verb(const struct mode *mode)
{
	return mode->notify == ICBENCH_NOTIFY_MESSAGE ?
		&icb_verb_noted : &icb_verb_table[mode->verb];
}

/* Return true if a side does anything: the responder of a passive verb does not. */
static inline bool mode_acts(const struct mode *mode, unsigned int side)
{
	return !side || !mode_verb(mode)->passive;
}

static inline bool mode_callbacks(const struct mode *mode)
{
	return BIT(mode->completion) & ICB_COMPLETIONS_CALLBACK;
}

u32 mode_size(const struct mode *mode, u32 size);
u32 mode_sges(const struct mode *mode, u32 size, u32 sges);
u32 mode_signal(const struct mode *mode, u32 every);
void mode_params(const struct mode *mode, struct icb_params *params);
void mode_config(const struct mode *mode, u64 seed, struct pair_config *config);
void mode_expect(const struct pair *pair, const struct mode *mode,
		 const char *wrong, const char *where, u64 number);

#endif /* MODE_H */
