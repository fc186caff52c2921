// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "commands.h"

const struct command commands[] = {
	{ "run", cmd_run, "run a benchmark" },
	{ "suite", cmd_suite, "run a series of experiments, such as those of a paper" },
	{ "compare", cmd_compare, "compare results, and find regressions" },
	{ "report", cmd_report, "show results as an HTML page with plots" },
	{ "list", cmd_list, "list the benchmarks and the suites" },
	{ "show", cmd_show, "show what a benchmark measures, and its keys" },
	{ "devices", cmd_devices, "list the RDMA devices" },
	{ "doctor", cmd_doctor, "examine whether this host is set up for runs" },
	{ "serve", cmd_serve, "be the responder of other hosts' runs" },
	{ "jobs", cmd_jobs, "list the runs in progress" },
	{ "stop", cmd_stop, "stop a run" },
	{ "monitor", cmd_monitor, "print the events of runs" },
	{ "complete", cmd_complete, "print completions of a command line, for shells" },
	{ .name = NULL }
};
