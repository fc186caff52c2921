/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WATCH_H
#define WATCH_H

#include "nl/events.h"

/**
 * struct watch - a receiver of events
 * @event: function called for each event
 * @idle: function called after a second without an event; may be NULL.
 *	Return: an exit status, STATUS_DONE to continue.
 * @data: private data of @event and @idle
 */
struct watch {
	void (*event)(void *data, const struct nl_event *event);
	int (*idle)(void *data);
	void *data;
};

int watch_pending(struct nl *nl, const struct watch *watch);
int watch_events(struct nl *nl, int signals, const struct watch *watch);

#endif /* WATCH_H */
