/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMMANDS_H
#define COMMANDS_H

/*
 * The subcommands. Each receives the whole command line, in which argv[1] is the
 * name of the subcommand, and returns an enum status.
 */
struct command {
	const char *name;
	int (*fn)(char **argv);
	const char *help;
};

/* The subcommands in the order of the help; the last has no name. */
extern const struct command commands[];

int cmd_run(char **argv);
int cmd_suite(char **argv);
int cmd_compare(char **argv);
int cmd_report(char **argv);
int cmd_list(char **argv);
int cmd_show(char **argv);
int cmd_devices(char **argv);
int cmd_doctor(char **argv);
int cmd_serve(char **argv);
int cmd_jobs(char **argv);
int cmd_stop(char **argv);
int cmd_monitor(char **argv);
int cmd_complete(char **argv);

#endif /* COMMANDS_H */
