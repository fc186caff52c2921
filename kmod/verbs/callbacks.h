/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that the core calls when a work request has completed. */
#ifndef ICB_EP_CALLBACKS_H
#define ICB_EP_CALLBACKS_H

struct ib_cq;
struct ib_wc;

void icb_ep_send_done(struct ib_cq *cq, struct ib_wc *wc);
void icb_ep_sentinel_done(struct ib_cq *cq, struct ib_wc *wc);

#endif /* ICB_EP_CALLBACKS_H */
