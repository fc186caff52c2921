/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LIMITS_H
#define LIMITS_H

#include "nl/device.h"
#include "plan/plan.h"

u64 limits_largest_size(const struct nl_devs *devs, const struct plan *plan,
			const struct nl_dev **limit);
u64 limits_largest_mtu(const struct nl_devs *devs, const struct plan *plan,
		       const struct nl_dev **limit);
u32 limits_most_sges(const struct nl_devs *devs, const struct plan *plan,
		     const struct nl_dev **limit);
int limits_check_devices(const struct nl_devs *devs, const struct plan *plan);
int limits_check_messages(const struct nl_devs *devs, const struct plan *plan);

#endif /* LIMITS_H */
