/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRACE_H
#define TRACE_H

#include "tracefs.h"

struct plan;
struct result;

#define TRACE_FILE	"icbench-trace.txt"

/**
 * enum trace_state - state of a trace
 * @TRACE_NONE: nothing is traced
 * @TRACE_ON: tracing is prepared or running; no sample has ended it
 * @TRACE_KEPT: a sample has ended the trace, which is in its file
 * @TRACE_LOST: a sample has ended the trace, which could not be written
 */
enum trace_state {
	TRACE_NONE,
	TRACE_ON,
	TRACE_KEPT,
	TRACE_LOST,
};

/**
 * struct trace - a kernel trace that ends at the first sample above the threshold
 * @name: name of the file; NULL for no trace
 * @asked: true if the user has named the file: nothing is run without a trace then
 * @wanted: true if some run has a threshold
 * @state: state of the trace
 * @fs: instance of the kernel's tracing
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
