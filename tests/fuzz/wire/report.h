/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test results. Each test is one line: the name, and after a tab the reason of a failure
 * or a skip. The reader of the lines numbers them.
 */
#ifndef REPORT_H
#define REPORT_H

#include "session.h"

/**
 * struct tally - attempts of one test
 * @count: number of attempts
 * @failed: number of attempts that failed
 * @why: reason of the first failure
 * @longest: duration of the longest attempt, ms
 */
struct tally {
	unsigned int count;
	unsigned int failed;
	char why[240];
	u64 longest;
};

void ok(bool good, const char *name, const char *why);
bool skip(const char *name, const char *why);
bool left_out(unsigned int number);
void tally_ok(const struct tally *tally, const char *name);
void tally_fail(struct tally *tally, const char *what, const char *why);
void tally_session(struct tally *tally, const struct session *session,
		   bool must, const char *what);

extern unsigned int slow;

void attack_field(struct session *session, const struct field *field,
		  unsigned int at, enum value value);
void probe_tampered(struct session *session);
void probe_unproven(struct session *session);

int group_tables(char **args);
int group_good(char **args);
int group_fields(char **args);
int group_rules(char **args);
int group_params(char **args);
int group_lengths(char **args);
int group_order(char **args);
int group_token(char **args);
int group_probe(char **args);
int group_qps(char **args);
int group_offers(char **args);
int group_loopback(char **args);
int group_remote(char **args);
int group_leave(char **args);
int group_stay(char **args);
int group_crowd(char **args);
int group_storm(char **args);
int group_datagrams(char **args);
int group_mirror(char **args);

#endif /* REPORT_H */
