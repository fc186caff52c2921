/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What can end a side of a run from anywhere, and wakes whatever in it waits.
 */
#ifndef ICB_LIFE_H
#define ICB_LIFE_H

#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "model/engine.h"

/**
 * struct icb_life - the end of a side, and why it came
 * @wait: where the side waits for connections, messages and its end
 * @over: set once, when the side is to end; then @err and @why stay, unless
 *	it was @cut
 * @cut: what ended it follows from something that may yet be heard of
 * @caused: that was heard of: @err and @why tell it
 * @err: negative error number; 0 if it was asked to end
 * @why: in words; empty if there is nothing to say
 * @lock: orders the first icb_life_end() before any other
 * @ended: called once, after @over was set, in the context that ended it
 */
struct icb_life {
	wait_queue_head_t wait;
	bool over;
	bool cut;
	bool caused;
	int err;
	struct icb_reason why;
	spinlock_t lock; /* the first icb_life_end() */
	void (*ended)(struct icb_life *life);
};

void icb_life_init(struct icb_life *life,
		   void (*ended)(struct icb_life *life));
void __printf(3, 4) icb_life_end(struct icb_life *life, int err,
				 const char *fmt, ...);
void __printf(3, 4) icb_life_cut(struct icb_life *life, int err,
				 const char *fmt, ...);
int icb_life_check(struct icb_life *life, struct icb_reason *why);

/**
 * icb_life_nap() - a wait that does not end too late
 * @left: jiffies until time is up
 *
 * The kernel ends a wait of more than 63 jiffies up to an eighth of it late.
 *
 * Return: jiffies; after some of these it is as many as are left.
 */
static inline unsigned long icb_life_nap(unsigned long left)
{
	return left < 64 ? left : left - left / 8;
}

/**
 * icb_life_left() - how long it is until then
 * @until: jiffies
 *
 * Return: jiffies; 0 if it has come.
 */
static inline unsigned long icb_life_left(unsigned long until)
{
	unsigned long now = jiffies;

	return time_before(now, until) ? until - now : 0;
}

/**
 * icb_life_wait() - sleep until something is true, or the side is to end
 * @life: the side's
 * @condition: what; whoever makes it true wakes @life's wait queue
 * @timeout: jiffies; ends on the jiffy, however many
 *
 * Return: true if @condition is; false if the side is to end or time is up.
 */
#define icb_life_wait(life, condition, timeout) ({			\
	struct icb_life *icb_life_ = (life);				\
	unsigned long icb_left_ = (timeout);				\
	unsigned long icb_until_ = jiffies + icb_left_;			\
	bool icb_true_ = false;						\
									\
	while (!wait_event_idle_timeout(icb_life_->wait,		\
					(icb_true_ = (condition)) ||	\
					READ_ONCE(icb_life_->over),	\
					icb_life_nap(icb_left_)) &&	\
	       (icb_left_ = icb_life_left(icb_until_)))			\
		;							\
	icb_true_ && !READ_ONCE(icb_life_->over); })

#endif /* ICB_LIFE_H */
