/* SPDX-License-Identifier: GPL-2.0 */
/* The responder's script, from the request of a peer to the last message. */
#ifndef ICB_RESPONDER_H
#define ICB_RESPONDER_H

struct icb_job;
struct icb_reason;

int icb_respond(struct icb_job *job, struct icb_reason *why);

#endif /* ICB_RESPONDER_H */
