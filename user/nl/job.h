/* SPDX-License-Identifier: GPL-2.0 */
/* A job, as the module reports it. */
#ifndef NL_JOB_H
#define NL_JOB_H

#include "model/params.h"
#include "nl.h"

struct nlmsghdr;

struct nl_clock {
	u64 has;
	char source[32];
	u32 invariant;
	u32 khz;
	u32 read_ps;
	s32 error_ppm;
	u32 step_ps;
};

/* @params has only the parameters that the message has, without defaults */
struct nl_job {
	u64 has;
	u32 id;
	struct icb_params params;
	u32 role;
	u32 state;
	u32 outcome;
	u32 err;
	char reason[NL_TEXT_MAX];
	u64 done;
	u64 total;
	u64 elapsed;
	u64 began;
	u64 ended;
	char target[64];
	u32 listener;
	u32 threads;
	u32 group;
	struct nl_clock clock;
};

int job_decode(struct nl_job *job, struct nlmsghdr *msg,
	       struct icb_reason *why);

#endif /* NL_JOB_H */
