/* SPDX-License-Identifier: GPL-2.0 */
/* Events that a run waits for: the functions of kmod/verbs/events.h, in virtual time. */
#ifndef ICB_EP_EVENTS_H
#define ICB_EP_EVENTS_H

#include "host/clock.h"
#include "model/endpoint.h"
#include "verbs/types.h"

int icb_ep_arm(struct icb_ep *ep);
void icb_ep_event(struct icb_ep *ep, struct icb_event *event);
void icb_ep_watch(struct icb_ep *ep, const u8 *byte, u8 was);
u64 icb_ep_arrival(struct icb_ep *ep);
u64 icb_ep_wait(struct icb_ep *ep, struct icb_consumer *consumer,
		enum icb_wait wait);
void icb_ep_over(struct icb_ep *ep, struct icb_consumer *consumer);
void icb_ep_alarm(struct icb_ep *ep, struct icb_consumer *consumer, u64 ticks);

#endif /* ICB_EP_EVENTS_H */
