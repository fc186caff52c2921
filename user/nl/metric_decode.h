/* SPDX-License-Identifier: GPL-2.0 */
#ifndef METRIC_DECODE_H
#define METRIC_DECODE_H

struct icb_reason;
struct metric;
struct nlmsghdr;

int metric_decode(void *to, struct nlmsghdr *msg, struct icb_reason *why);
int metric_finish(struct metric *metric, struct icb_reason *why);

#endif /* METRIC_DECODE_H */
