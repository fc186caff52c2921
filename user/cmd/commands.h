/* SPDX-License-Identifier: GPL-2.0 */
#ifndef COMMANDS_H
#define COMMANDS_H

/*
 * The subcommands. Each receives the whole command line, in which argv[1] is the
 * name of the subcommand, and returns an enum status.
 */
int cmd_run(char **argv);
int cmd_suite(char **argv);
int cmd_compare(char **argv);
int cmd_list(char **argv);
int cmd_show(char **argv);
int cmd_devices(char **argv);
int cmd_serve(char **argv);
int cmd_jobs(char **argv);
int cmd_stop(char **argv);
int cmd_monitor(char **argv);

#endif /* COMMANDS_H */
