/* SPDX-License-Identifier: GPL-2.0 */
/* The description of an operation, by which an engine prepares a work request. */
#ifndef ICB_OPERATION_H
#define ICB_OPERATION_H

#include "engine.h"

/**
 * enum icb_operation_fields - fields of an operation that icb_ep_prep() sets
 * @ICB_OPERATION_QP: @qp: the QP to post to; holds for all slots and until it is set anew
 * @ICB_OPERATION_BUFFER: @buffer; not for atomics, which have one buffer
 * @ICB_OPERATION_LEN: @buffer and @len, where messages have different sizes
 * @ICB_OPERATION_NUMBER: @number
 * @ICB_OPERATION_OPERANDS: @compare_add and @swap
 * @ICB_OPERATION_SIGNAL: @signal, @reaped and @batched; each operation that is posted
 *	needs this field anew
 * @ICB_OPERATION_NOTIFY: an empty send follows, which notifies the peer of this write and
 *	those before it; one QP; set after ICB_OPERATION_SIGNAL
 */
enum icb_operation_fields {
	ICB_OPERATION_QP = 0x01,
	ICB_OPERATION_BUFFER = 0x02,
	ICB_OPERATION_LEN = 0x04,
	ICB_OPERATION_NUMBER = 0x08,
	ICB_OPERATION_OPERANDS = 0x10,
	ICB_OPERATION_SIGNAL = 0x20,
	ICB_OPERATION_NOTIFY = 0x40,
};

/**
 * struct icb_operation - description of an operation
 * @set: enum icb_operation_fields; a constant, so that the code for other fields is left
 *	out. Fields that are not set keep their values.
 * @qp: index of the QP to post to
 * @buffer: index of the buffer
 * @len: bytes of the buffer to use, at least 1
 * @number: number that the message carries to the peer, as immediate data
 * @signal: the operation has a completion, which frees the queue entries of those before
 * @reaped: the completion is taken by icb_ep_reap(), and not by icb_ep_poll(); a constant
 * @batched: operations in other slots may be posted by the same call; a constant
 * @compare_add: operand of an atomic: what to add, or to compare with
 * @swap: other operand of a compare-and-swap; fetch-and-add ignores it
 */
struct icb_operation {
	u32 set;
	u32 qp;
	u32 buffer;
	u32 len;
	u32 number;
	bool signal;
	bool reaped;
	bool batched;
	u64 compare_add;
	u64 swap;
};

#endif /* ICB_OPERATION_H */
