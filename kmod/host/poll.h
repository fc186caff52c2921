/* SPDX-License-Identifier: GPL-2.0 */
/* Polling in process context, for conditions that nothing reports. */
#ifndef ICB_POLL_H
#define ICB_POLL_H

#include <linux/delay.h>
#include <linux/jiffies.h>

/**
 * icb_poll_until() - sleep in short steps until a condition is true
 * @condition: the condition, evaluated at least once
 * @until: deadline, jiffies
 * @us: shortest sleep between two polls, us; evaluated before each sleep
 * @most_us: longest sleep between two polls, us
 *
 * Return: true if @condition is true; false if the deadline has passed.
 */
#define icb_poll_until(condition, until, us, most_us) ({		\
	bool icb_met_;							\
									\
	while (!(icb_met_ = (condition)) &&				\
	       !time_after(jiffies, until))				\
		usleep_range(us, most_us);				\
	icb_met_; })

#endif /* ICB_POLL_H */
