/* SPDX-License-Identifier: GPL-2.0 */
/* Rate limit of connection requests, which anyone can forge. */
#ifndef ICB_RATE_H
#define ICB_RATE_H

struct rdma_cm_id;

int icb_rate_init(void);
bool icb_rate_take(const struct rdma_cm_id *id);

#endif /* ICB_RATE_H */
