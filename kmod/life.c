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

/**
 * icb_life_end() - have a side end
 * @life: the side's
 * @err: negative error number; 0 for a request
 * @fmt: why, in words; NULL for nothing to say
 *
 * The first one counts. Any context but hard interrupts.
 */
void icb_life_end(struct icb_life *life, int err, const char *fmt, ...)
{
	bool first;
	va_list args;

	spin_lock_bh(&life->lock);
	first = !life->over;
	if (first) {
		life->err = err;
		if (fmt) {
			va_start(args, fmt);
			vsnprintf(life->why.text, sizeof(life->why.text), fmt,
				  args);
			va_end(args);
		}
		WRITE_ONCE(life->over, true);
	}
	spin_unlock_bh(&life->lock);
	if (!first)
		return;
	life->ended(life);
	wake_up_all(&life->wait);
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
