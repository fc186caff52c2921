/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STATUS_H
#define STATUS_H

/**
 * enum status - exit status of icbenchctl
 * @STATUS_DONE: everything that was requested has been done
 * @STATUS_FAILED: a run failed or was cut short, or its result was not written
 * @STATUS_USAGE: the request is invalid
 * @STATUS_SETUP: module, device or permission missing
 * @STATUS_REGRESSION: compare found a regression
 * @STATUS_INCOMPARABLE: compare cannot compare
 */
enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_SETUP = 3,
	STATUS_REGRESSION = 4,
	STATUS_INCOMPARABLE = 5,
};

#endif /* STATUS_H */
