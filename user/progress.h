/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "nl.h"

/**
 * struct progress - a line on the terminal that says how far a run is
 * @on: whether there is a terminal
 * @shown: whether the line is there now
 * @last: when it was last written, ns
 * @name: what is shown in front
 */
struct progress {
	bool on;
	bool shown;
	u64 last;
	char name[120];
};

void progress_begin(struct progress *progress);
void progress_update(struct progress *progress, const struct nl_job *job);
void progress_erase(struct progress *progress);

#endif /* PROGRESS_H */
