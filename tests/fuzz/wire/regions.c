// SPDX-License-Identifier: GPL-2.0
#include "regions.h"

#define FEW(_len, _due)	"a region of " #_len " bytes instead of " #_due
#define OTHER(_count, _due)	#_count " regions instead of " #_due

#define OFFER(_name, _buffers, _words, ...) {				\
	.name = (_name), .buffers = (_buffers), .words = (_words),	\
	.count = sizeof((u32[]){ __VA_ARGS__ }) / sizeof(u32),		\
	.len = { __VA_ARGS__ } }

const struct regions regions_tried[] = {
	OFFER("one region for each buffer", 4, NULL, 64, 64, 64, 64),
	OFFER("one region for every two", 4, NULL, 128, 128),
	OFFER("the last one has one buffer", 3, NULL, 128, 64),
	OFFER("longer ones, which hold no more", 4, NULL, 127, 65, 4000, 127),
	OFFER("the first is one byte short", 4, FEW(63, 64), 63, 64, 64, 64),
	OFFER("the second is one byte short", 4, FEW(63, 64), 64, 63, 64, 64),
	OFFER("the third is one byte short", 4, FEW(63, 64), 64, 64, 63, 64),
	OFFER("the last is one byte short", 4, FEW(63, 64), 64, 64, 64, 63),
	OFFER("the second is empty", 4, FEW(0, 64), 64, 0, 64, 64),
	OFFER("the last is empty", 4, FEW(0, 64), 64, 64, 64, 0),
	OFFER("the last of two is one byte short", 4, FEW(127, 128), 128, 127),
	OFFER("the last of two lacks a buffer", 4, FEW(64, 128), 128, 64),
	OFFER("the last has less than one", 3, FEW(63, 64), 128, 63),
	OFFER("the second of three lacks one", 5, FEW(64, 128), 128, 64, 128),
	OFFER("one is missing", 4, OTHER(3, 4), 64, 64, 64),
	OFFER("the first holds less than the next", 4, OTHER(3, 4),
	      64, 128, 64),
	OFFER("one too many", 4, OTHER(5, 4), 64, 64, 64, 64, 64),
	OFFER("all is in the first of two", 4, OTHER(2, 1), 256, 64),
	{ 0 }
};

/**
 * regions_write() - write a ready message with regions, all at one address
 * @regions: regions
 * @session: session of either side
 * @msg: message to write
 */
void regions_write(const struct regions *regions, struct session *session,
		   struct icb_wire_ready *msg)
{
	u32 i;

	session_ready(session, msg);
	memset(&msg->region[1], 0, sizeof(msg->region) - sizeof(msg->region[0]));
	msg->count = regions->count;
	for (i = 0; i < regions->count; i++) {
		msg->region[i] = msg->region[0];
		msg->region[i].len = regions->len[i];
	}
}
