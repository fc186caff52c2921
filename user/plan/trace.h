/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRACE_H
#define TRACE_H

#include "tracefs.h"

struct plan;
struct result;

#define TRACE_FILE	"icbench-trace.txt"

/**
 * enum trace_state - what has become of a trace
 * @TRACE_NONE: there is none
 * @TRACE_ON: nothing has ended it yet
 * @TRACE_KEPT: a sample has ended it, and it is in its file
 * @TRACE_LOST: a sample has ended it, and it could not be written
 */
enum trace_state {
	TRACE_NONE,
	TRACE_ON,
	TRACE_KEPT,
	TRACE_LOST,
};

/**
 * struct trace - the kernel's trace of what led to a sample beyond the threshold
 * @name: the file that it goes to; NULL for nowhere
 * @asked: the user has named it: without a trace nothing is to be run
 * @wanted: there is a run that has a threshold
 * @state: what has become of it
 * @fs: where the kernel traces
 */
struct trace {
	const char *name;
	bool asked;
	bool wanted;
	enum trace_state state;
	struct tracefs fs;
};

int trace_name(struct trace *trace, const char *name, struct icb_reason *why);
int trace_plan(struct trace *trace, const struct plan *plan,
	       struct icb_reason *why);
int trace_begin(struct trace *trace, u32 owner);
void trace_start(struct trace *trace);
void trace_keep(struct trace *trace, const struct result *result,
		const char *point);
void trace_end(struct trace *trace);
int trace_check_file(const char *name, struct icb_reason *why);

#endif /* TRACE_H */
