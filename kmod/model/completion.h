/* SPDX-License-Identifier: GPL-2.0 */
/* Completions, as icb_ep_poll() and icb_ep_cpl() return them to an engine. */
#ifndef ICB_COMPLETION_H
#define ICB_COMPLETION_H

#include "engine.h"

/**
 * struct icb_cpl - a completion
 * @recv: true for a message that has arrived, false for an own work request
 * @foreign: true for a datagram from outside of the run: any host may send one
 * @qp: index of the QP; only for operations and receives of the run
 * @number: number that a message carries as immediate data; 0 if it has none
 * @len: payload length of a message, bytes; only where sizes differ
 */
struct icb_cpl {
	bool recv;
	bool foreign;
	u32 qp;
	u32 number;
	u32 len;
};

/**
 * enum icb_cpl_kind - what a completion is
 * @ICB_CPL_OWN: an operation of this side has completed
 * @ICB_CPL_ARRIVED: a message of the peer has arrived
 * @ICB_CPL_GRANT: the peer has granted credit
 */
enum icb_cpl_kind {
	ICB_CPL_OWN,
	ICB_CPL_ARRIVED,
	ICB_CPL_GRANT,
};

/**
 * struct icb_taken - numbers of completions that were taken
 * @own: number of completed operations of this side
 * @arrived: number of messages of the peer that have arrived
 */
struct icb_taken {
	unsigned int own;
	unsigned int arrived;
};

#endif /* ICB_COMPLETION_H */
