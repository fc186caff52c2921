/* SPDX-License-Identifier: GPL-2.0 */
#ifndef JOB_DECODE_H
#define JOB_DECODE_H

struct icb_reason;
struct nl_job;
struct nlmsghdr;

int job_decode(struct nl_job *job, struct nlmsghdr *msg,
	       struct icb_reason *why);

#endif /* JOB_DECODE_H */
