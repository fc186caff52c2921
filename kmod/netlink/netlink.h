/* SPDX-License-Identifier: GPL-2.0 */
/* The generic netlink family and its events. */
#ifndef ICB_NETLINK_H
#define ICB_NETLINK_H

struct icb_job;
struct icb_listener;

int icb_netlink_init(void);
void icb_netlink_exit(void);
void icb_netlink_job_changed(struct icb_job *job);
void icb_netlink_refused(struct icb_listener *listener, const char *peer,
			 const char *why);

#endif /* ICB_NETLINK_H */
