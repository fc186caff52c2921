/* SPDX-License-Identifier: GPL-2.0 */
#ifndef STATUS_H
#define STATUS_H

/**
 * enum status - how icbenchctl exits
 * @STATUS_DONE: all that was asked for was done
 * @STATUS_FAILED: a run failed or was cut short, or its result was not written
 * @STATUS_USAGE: what was asked for makes no sense
 * @STATUS_SETUP: no module, no device or no permission
 */
enum status {
	STATUS_DONE = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_SETUP = 3,
};

#endif /* STATUS_H */
