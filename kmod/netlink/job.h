/* SPDX-License-Identifier: GPL-2.0 */
/* A job as netlink attributes. */
#ifndef ICB_NL_JOB_H
#define ICB_NL_JOB_H

struct icb_job;
struct sk_buff;

int icb_nl_put_job(struct sk_buff *skb, struct icb_job *job);

#endif /* ICB_NL_JOB_H */
