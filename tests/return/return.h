/* SPDX-License-Identifier: GPL-2.0 */
/* What return.c and way_out.c tell each other. */
#ifndef RETURN_H
#define RETURN_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* In /proc. */
#define RETURN_NAME	"icbench-return"

/* Sleep until this time, ns of CLOCK_MONOTONIC. */
#define RETURN_SLEEP	_IOW('i', 1, __u64)

/* When the thread ran again after that. */
#define RETURN_RAN	_IOR('i', 2, __u64)

#endif /* RETURN_H */
