/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that the core calls when a work request has completed. */
#ifndef ICB_EP_CALLBACKS_H
#define ICB_EP_CALLBACKS_H

#include "verbs/verbs.h"

void icb_ep_send_done(struct vb_cq *cq, struct vb_wc *wc);
void icb_ep_sentinel_done(struct vb_cq *cq, struct vb_wc *wc);

#endif /* ICB_EP_CALLBACKS_H */
