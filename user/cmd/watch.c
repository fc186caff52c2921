// SPDX-License-Identifier: GPL-2.0
#include <poll.h>

#include "base/interrupt.h"
#include "base/message.h"
#include "base/status.h"
#include "watch.h"

#define IDLE_MS	1000

/**
 * watch_pending() - deliver the pending events
 * @nl: connection on which nl_events_open() was called
 * @watch: receiver of the events
 *
 * Return: STATUS_DONE; STATUS_FAILED after an error, which has been printed.
 */
int watch_pending(struct nl *nl, const struct watch *watch)
{
	struct nl_event event;
	struct icb_reason why;

	for (;;) {
		if (nl_events_next(nl, &event, &why)) {
			message("%s", why.text);
			return STATUS_FAILED;
		}
		if (event.type == NL_EVENT_NONE)
			return STATUS_DONE;
		watch->event(watch->data, &event);
	}
}

/**
 * watch_events() - wait for events and deliver them, until a signal arrives
 * @nl: connection on which nl_events_open() was called
 * @signals: descriptor from interrupt_open()
 * @watch: receiver of the events
 *
 * Return: STATUS_DONE after a signal; another exit status after an error, which has been
 * printed, or if standard output cannot be written any more.
 */
int watch_events(struct nl *nl, int signals, const struct watch *watch)
{
	struct pollfd fds[] = {
		{ .fd = nl_events_fd(nl), .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	int status, count;

	for (;;) {
		count = poll(fds, ARRAY_SIZE(fds), IDLE_MS);
		status = watch_pending(nl, watch);
		if (!status && !count && watch->idle)
			status = watch->idle(watch->data);
		fflush(stdout);
		if (status || interrupt_take(signals))
			return status;
		if (ferror(stdout))
			return STATUS_FAILED;
	}
}
