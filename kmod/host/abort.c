// SPDX-License-Identifier: GPL-2.0

#include <linux/kernel.h>
#include "abort.h"

/**
 * icb_abort_init() - begin
 * @abort: which
 * @ended: called once when it ends
 */
void icb_abort_init(struct icb_abort *abort,
		    void (*ended)(struct icb_abort *abort))
{
	memset(abort, 0, sizeof(*abort));
	init_waitqueue_head(&abort->wait);
	spin_lock_init(&abort->lock);
	abort->ended = ended;
}

/* Whether what has come ends it, or tells why it has ended. */
static bool is_news(struct icb_abort *abort, int err, bool cut)
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
	news = is_news(abort, err, cut);
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
 * icb_abort_run() - have a side end
 * @abort: the side's
 * @err: negative error number; 0 for a request
 * @fmt: why, in words; NULL for nothing to say
 *
 * The first one counts, or the first failure after icb_abort_connection_lost(). Any context but
 * hard interrupts.
 */
void icb_abort_run(struct icb_abort *abort, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	end(abort, false, err, fmt, args);
	va_end(args);
}

/**
 * icb_abort_connection_lost() - have a side end by what follows from something else
 * @abort: the side's
 * @err: negative error number
 * @fmt: what has come, in words
 *
 * As who has failed closes its connections, or accepts no more of them, and has
 * said why over the control connection: what is said there may be seen later. Any
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
 * icb_abort_check() - whether a side is to end
 * @abort: the side's
 * @why: takes the reason if it failed
 *
 * Return: 0 if it goes on; -ECANCELED if it was asked to end; its error.
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
