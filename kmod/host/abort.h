/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What can end a side of a run from anywhere, and wakes whatever in it waits.
 */
#ifndef ICB_ABORT_H
#define ICB_ABORT_H

#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "model/engine.h"

/**
 * struct icb_abort - the end of a side, and why it came
 * @wait: where the side waits for connections, messages and its end
 * @over: set once, when the side is to end; then @err and @why stay, unless
 *	it was @cut
 * @cut: what ended it follows from something that may yet be heard of
 * @caused: that was heard of: @err and @why tell it
 * @err: negative error number; 0 if it was asked to end
 * @why: in words; empty if there is nothing to say
 * @lock: orders the first icb_abort_run() before any other
 * @ended: called once, after @over was set, in the context that ended it
 */
struct icb_abort {
	wait_queue_head_t wait;
	bool over;
	bool cut;
	bool caused;
	int err;
	struct icb_reason why;
	spinlock_t lock; /* the first icb_abort_run() */
	void (*ended)(struct icb_abort *abort);
};

void icb_abort_init(struct icb_abort *abort,
		    void (*ended)(struct icb_abort *abort));
void __printf(3, 4) icb_abort_run(struct icb_abort *abort, int err,
				  const char *fmt, ...);
void __printf(3, 4) icb_abort_connection_lost(struct icb_abort *abort, int err,
					      const char *fmt, ...);
int icb_abort_check(struct icb_abort *abort, struct icb_reason *why);

/**
 * icb_abort_sleep() - a wait that does not end too late
 * @left: jiffies until time is up
 *
 * The kernel ends a wait of more than 63 jiffies up to an eighth of it late.
 *
 * Return: jiffies; after some of these it is as many as are left.
 */
static inline unsigned long icb_abort_sleep(unsigned long left)
{
	return left < 64 ? left : left - left / 8;
}

/**
 * icb_abort_left() - how long it is until then
 * @until: jiffies
 *
 * Return: jiffies; 0 if it has come.
 */
static inline unsigned long icb_abort_left(unsigned long until)
{
	unsigned long now = jiffies;

	return time_before(now, until) ? until - now : 0;
}

/**
 * icb_abort_wait() - sleep until something is true, or the side is to end
 * @abort: the side's
 * @condition: what; whoever makes it true wakes @abort's wait queue
 * @timeout: jiffies; ends on the jiffy, however many
 *
 * Return: true if @condition is; false if the side is to end or time is up.
 */
#define icb_abort_wait(abort, condition, timeout) ({			\
	struct icb_abort *icb_abort_ = (abort);				\
	unsigned long icb_left_ = (timeout);				\
	unsigned long icb_until_ = jiffies + icb_left_;			\
	bool icb_true_ = false;						\
									\
	while (!wait_event_idle_timeout(icb_abort_->wait,		\
					(icb_true_ = (condition)) ||	\
					READ_ONCE(icb_abort_->over),	\
					icb_abort_sleep(icb_left_)) &&	\
	       (icb_left_ = icb_abort_left(icb_until_)))			\
		;							\
	icb_true_ && !READ_ONCE(icb_abort_->over); })

#endif /* ICB_ABORT_H */
