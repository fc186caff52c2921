/* SPDX-License-Identifier: GPL-2.0 */
#ifndef NL_EVENTS_H
#define NL_EVENTS_H

#include "job.h"
#include "nl.h"

/* A peer that was refused by listener @id. */
struct nl_refusal {
	u64 has;
	u32 id;
	char peer[64];
	char reason[NL_TEXT_MAX];
};

enum nl_event_type {
	NL_EVENT_NONE,
	NL_EVENT_JOB,
	NL_EVENT_REFUSAL,
	NL_EVENT_LOST,
};

/**
 * struct nl_event - an event of the module
 * @type: type of the event; NL_EVENT_NONE if none is pending; NL_EVENT_LOST if events
 *	were lost, because they arrived faster than they were read
 * @job: the job, for NL_EVENT_JOB
 * @refusal: the refused peer, for NL_EVENT_REFUSAL
 */
struct nl_event {
	enum nl_event_type type;
	struct nl_job job;
	struct nl_refusal refusal;
};

int nl_events_open(struct nl *nl, struct icb_reason *why);
int nl_events_fd(const struct nl *nl);
int nl_events_next(struct nl *nl, struct nl_event *event,
		   struct icb_reason *why);

#endif /* NL_EVENTS_H */
