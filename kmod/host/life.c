// SPDX-License-Identifier: GPL-2.0

#include <linux/kernel.h>
#include "life.h"

/**
 * icb_life_init() - begin
 * @life: which
 * @ended: called once when it ends
 */
void icb_life_init(struct icb_life *life,
		   void (*ended)(struct icb_life *life))
{
	memset(life, 0, sizeof(*life));
	init_waitqueue_head(&life->wait);
	spin_lock_init(&life->lock);
	life->ended = ended;
}

/* Whether what has come ends it, or tells why it has ended. */
static bool is_news(struct icb_life *life, int err, bool cut)
{
	if (!life->over) {
		life->cut = cut;
		return true;
	}
	if (cut || !err || !life->cut || life->caused)
		return false;
	life->caused = true;
	return true;
}

static void __printf(4, 0) end(struct icb_life *life, bool cut, int err,
			       const char *fmt, va_list args)
{
	bool first, news;

	spin_lock_bh(&life->lock);
	first = !life->over;
	news = is_news(life, err, cut);
	if (news) {
		life->err = err;
		if (fmt)
			vsnprintf(life->why.text, sizeof(life->why.text), fmt,
				  args);
		WRITE_ONCE(life->over, true);
	}
	spin_unlock_bh(&life->lock);
	if (first)
		life->ended(life);
	if (news)
		wake_up_all(&life->wait);
}

/**
 * icb_life_end() - have a side end
 * @life: the side's
 * @err: negative error number; 0 for a request
 * @fmt: why, in words; NULL for nothing to say
 *
 * The first one counts, or the first failure after icb_life_cut(). Any context but
 * hard interrupts.
 */
void icb_life_end(struct icb_life *life, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	end(life, false, err, fmt, args);
	va_end(args);
}

/**
 * icb_life_cut() - have a side end by what follows from something else
 * @life: the side's
 * @err: negative error number
 * @fmt: what has come, in words
 *
 * As who has failed closes its connections, or accepts no more of them, and has
 * said why over the control connection: what is said there may be seen later. Any
 * context but hard interrupts.
 */
void icb_life_cut(struct icb_life *life, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	end(life, true, err, fmt, args);
	va_end(args);
}

/**
 * icb_life_check() - whether a side is to end
 * @life: the side's
 * @why: takes the reason if it failed
 *
 * Return: 0 if it goes on; -ECANCELED if it was asked to end; its error.
 */
int icb_life_check(struct icb_life *life, struct icb_reason *why)
{
	int err = 0;

	spin_lock_bh(&life->lock);
	if (life->over) {
		err = life->err ? : -ECANCELED;
		if (life->why.text[0])
			*why = life->why;
	}
	spin_unlock_bh(&life->lock);
	return err;
}
