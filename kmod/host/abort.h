/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The abort state of a side of a run: any context can end the side and wake its waiters.
 */
#ifndef ICB_ABORT_H
#define ICB_ABORT_H

#include <linux/jiffies.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "model/engine.h"

/**
 * struct icb_abort - whether a side has to end, and why
 * @wait: queue on which the side waits for connections, messages and its end
 * @over: set once, when the side is to end; @err and @why are final then, unless @cut
 * @cut: true if a lost connection ended the side, and the cause may be reported later
 * @caused: true if the cause was reported after @cut; @err and @why describe the cause
 * @err: negative error number; 0 if the end was requested
 * @why: reason in words; empty if there is none
 * @lock: serializes calls of icb_abort_run(), so that the first one counts
 * @ended: called once after @over is set, in the context that ended the side
 */
struct icb_abort {
	wait_queue_head_t wait;
	bool over;
	bool cut;
	bool caused;
	int err;
	struct icb_reason why;
	spinlock_t lock; /* so that the first icb_abort_run() counts */
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
 * icb_abort_sleep() - limit a sleep so that it does not end too late
 * @left: jiffies until the deadline
 *
 * The kernel ends a wait of more than 63 jiffies late by up to an eighth.
 *
 * Return: jiffies to sleep; the sleeps get shorter, and the last one is @left.
 */
static inline unsigned long icb_abort_sleep(unsigned long left)
{
	return left < 64 ? left : left - left / 8;
}

/**
 * icb_abort_left() - time until a deadline
 * @until: deadline, jiffies
 *
 * Return: jiffies; 0 if the deadline has passed.
 */
static inline unsigned long icb_abort_left(unsigned long until)
{
	unsigned long now = jiffies;

	return time_before(now, until) ? until - now : 0;
}

/**
 * icb_abort_wait() - sleep until a condition is true, or the side is to end
 * @abort: abort state of the side
 * @condition: the condition; a context that makes it true wakes @abort's wait queue
 * @timeout: jiffies; long timeouts end on time, too
 *
 * Return: true if @condition is true; false if the side is to end or time is up.
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
