// SPDX-License-Identifier: GPL-2.0

#include <linux/kernel.h>
#include "abort.h"

/**
 * icb_abort_init() - initialize the abort state of a side
 * @abort: the abort state
 * @ended: called once when the side ends
 */
void icb_abort_init(struct icb_abort *abort,
		    void (*ended)(struct icb_abort *abort))
{
	memset(abort, 0, sizeof(*abort));
	init_waitqueue_head(&abort->wait);
	spin_lock_init(&abort->lock);
	abort->ended = ended;
}

/* True if an event ends the side, or is the cause of a connection loss that ended it. */
static bool is_new_cause(struct icb_abort *abort, int err, bool cut)
{
	if (!abort->over) {
		abort->cut = cut;
		return true;
	}
	if (cut || !err || !abort->cut || abort->caused)
		return false;
	abort->caused = true;
	return true;
}

static void __printf(4, 0) end(struct icb_abort *abort, bool cut, int err,
			       const char *fmt, va_list args)
{
	bool first, news;

	spin_lock_bh(&abort->lock);
	first = !abort->over;
	news = is_new_cause(abort, err, cut);
	if (news) {
		abort->err = err;
		if (fmt)
			vsnprintf(abort->why.text, sizeof(abort->why.text), fmt,
				  args);
		WRITE_ONCE(abort->over, true);
	}
	spin_unlock_bh(&abort->lock);
	if (first)
		abort->ended(abort);
	if (news)
		wake_up_all(&abort->wait);
}

/**
 * icb_abort_run() - end a side
 * @abort: abort state of the side
 * @err: negative error number; 0 if the end was requested
 * @fmt: reason in words; NULL for none
 *
 * The first call counts, or the first failure after icb_abort_connection_lost(). Any
 * context but hard interrupts.
 */
void icb_abort_run(struct icb_abort *abort, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	end(abort, false, err, fmt, args);
	va_end(args);
}

/**
 * icb_abort_connection_lost() - end a side by a consequence of another failure
 * @abort: abort state of the side
 * @err: negative error number
 * @fmt: description of the event
 *
 * For example, a peer that has failed closes its connections, or accepts no more of them.
 * It sends the cause over the control connection, where it may be received later. Any
 * context but hard interrupts.
 */
void icb_abort_connection_lost(struct icb_abort *abort, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	end(abort, true, err, fmt, args);
	va_end(args);
}

/**
 * icb_abort_check() - check whether a side is to end
 * @abort: abort state of the side
 * @why: takes the reason, if there is one
 *
 * Return: 0 if the side continues; -ECANCELED if the end was requested; the side's error.
 */
int icb_abort_check(struct icb_abort *abort, struct icb_reason *why)
{
	int err = 0;

	spin_lock_bh(&abort->lock);
	if (abort->over) {
		err = abort->err ? : -ECANCELED;
		if (abort->why.text[0])
			*why = abort->why;
	}
	spin_unlock_bh(&abort->lock);
	return err;
}
