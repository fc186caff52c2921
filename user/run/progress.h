/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "nl/jobs.h"

/**
 * struct progress - a line on the terminal that says how far a run is
 * @on: whether there is a terminal
 * @shown: whether the line is there now
 * @last: when it was last written, ns
 * @name: what is shown in front
 * @of: what @name is a part of, shown before it; empty for nothing
 * @done: runs that are over
 * @total: runs that there are, where the time that all of them take is shown;
 *	0 where not
 * @began: when the first one began, ns
 */
struct progress {
	bool on;
	bool shown;
	u64 last;
	char name[120];
	char of[80];
	unsigned int done;
	unsigned int total;
	u64 began;
};

void progress_begin(struct progress *progress);
void progress_update(struct progress *progress, const struct nl_job *job);
double progress_left(const struct progress *progress, double part);
void progress_erase(struct progress *progress);

#endif /* PROGRESS_H */
