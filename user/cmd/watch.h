/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WATCH_H
#define WATCH_H

#include "nl/events.h"

/**
 * struct watch - somebody who wants to hear of events
 * @event: called for each
 * @idle: called when there was none for a second; may be NULL.
 *	Return: an exit status, STATUS_DONE to go on.
 * @data: for both
 */
struct watch {
	void (*event)(void *data, const struct nl_event *event);
	int (*idle)(void *data);
	void *data;
};

int watch_pending(struct nl *nl, const struct watch *watch);
int watch_events(struct nl *nl, int signals, const struct watch *watch);

#endif /* WATCH_H */
