/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of the module's end of generic netlink, in a thread of icbenchctl. */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <time.h>
#include <netlink/msg.h>

#include "model/params.h"

#define FAMILY	77

/* One job, as the module would have it. */
struct fake_job {
	u32 id;
	u32 group;
	bool exists;
	struct icb_params params;
	u32 state;
	u32 outcome;
	u32 err;
	char reason[128];
	u64 done;
	struct timespec since;
	bool stop;
};

/* The job of the current request. */
#define job	(*fake_current)

extern struct fake_job *fake_current;

bool fake_is(const char *word);
void fake_send(int fd, struct nl_msg *msg);
struct nl_msg *fake_answer(const struct nlmsghdr *to, int cmd, int flags);
void fake_send_metric(int fd, struct nlmsghdr *to, const char *name, u64 from,
		      u64 sample);

#endif /* FAKE_KERNEL_H */
