/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "nl/jobs.h"

/**
 * struct progress - the progress of a run, as a line of a terminal or as lines of a log
 * @on: true if stderr is a terminal
 * @quiet: true if no progress is printed
 * @shown: true while the line is on the screen
 * @last: time of the last update, ns
 * @name: name of the run
 * @of: name of the experiment that the run is part of, shown before @name; empty for none
 * @done: number of runs that have ended
 * @total: number of all runs, for the estimate of the time that is left; 0 for no
 *	estimate
 * @began: time of progress_begin(), ns
 */
struct progress {
	bool on;
	bool quiet;
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
