/* SPDX-License-Identifier: GPL-2.0 */
/* Parses requests by the generated policies and refuses them with a text. */
#ifndef ICB_REFUSAL_H
#define ICB_REFUSAL_H

#include "model/params.h"

struct netlink_ext_ack;
struct nlattr;
struct nlmsghdr;

int icb_nl_refuse(struct netlink_ext_ack *extack, const struct nlattr *attr,
		  const struct icb_reason *why, int err);
int __printf(4, 5) icb_nl_refuse_words(struct netlink_ext_ack *extack,
				       const struct nlattr *attr, int err,
				       const char *fmt, ...);
void icb_nl_refusals_exit(void);
struct nlattr **icb_nl_parse(const struct nlmsghdr *nlh,
			     struct netlink_ext_ack *extack);
int icb_nl_parse_none(const struct nlmsghdr *nlh,
		      struct netlink_ext_ack *extack);

#endif /* ICB_REFUSAL_H */
