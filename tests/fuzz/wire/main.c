// SPDX-License-Identifier: GPL-2.0
/*
 * usage: wire SEED SLOW GROUP [ARGUMENT...]
 *
 * SLOW is a factor for time limits, for slow machines. WIRE_EVERY, in the environment, is N if
 * only one in N wrong values and lengths is tried.
 */
#include <stdlib.h>
#include <sys/resource.h>

#include "report.h"

unsigned int slow;
static unsigned int every = 1;

static const struct {
	const char *name;
	int (*run)(char **args);
	int args;
} groups[] = {
	{ "tables", group_tables, 0 },
	{ "good", group_good, 2 },
	{ "fields", group_fields, 1 },
	{ "rules", group_rules, 1 },
	{ "params", group_params, 1 },
	{ "lengths", group_lengths, 1 },
	{ "order", group_order, 1 },
	{ "token", group_token, 2 },
	{ "probe", group_probe, 1 },
	{ "qps", group_qps, 1 },
	{ "offers", group_offers, 1 },
	{ "loopback", group_loopback, 2 },
	{ "remote", group_remote, 2 },
	{ "leave", group_leave, 3 },
	{ "stay", group_stay, 2 },
	{ "crowd", group_crowd, 2 },
	{ "storm", group_storm, 3 },
	{ "datagrams", group_datagrams, 1 },
	{ "mirror", group_mirror, 2 },
};

void ok(bool good, const char *name, const char *why)
{
	if (good)
		printf("ok %s\n", name);
	else
		printf("not ok %s\t%s\n", name, why);
	fflush(stdout);
}

/**
 * skip() - skip a test if there is a reason
 * @name: name of the test
 * @why: feature that the device lacks for the test; NULL if it lacks none
 *
 * Return: true if the test is skipped.
 */
bool skip(const char *name, const char *why)
{
	if (!why)
		return false;
	printf("skip %s\t%s\n", name, why);
	fflush(stdout);
	return true;
}

/**
 * left_out() - check whether an attempt is left out to save time
 * @number: number of the attempt among similar ones
 *
 * Return: true, except for one in WIRE_EVERY consecutive numbers.
 */
bool left_out(unsigned int number)
{
	return number % every;
}

/**
 * tally_ok() - report a test that passes if all its attempts passed
 * @tally: tally of the attempts
 * @name: name of the test
 */
void tally_ok(const struct tally *tally, const char *name)
{
	char text[160], why[320];

	snprintf(text, sizeof(text), "%s, %u", name, tally->count);
	snprintf(why, sizeof(why), "%u of them: %s", tally->failed,
		 tally->why);
	if (!tally->count)
		snprintf(why, sizeof(why), "nothing was tried");
	ok(tally->count && !tally->failed, text, why);
}

/**
 * tally_fail() - count an attempt that failed
 * @tally: tally of the attempts
 * @what: name of the attempt
 * @why: reason of the failure
 */
void tally_fail(struct tally *tally, const char *what, const char *why)
{
	if (!tally->failed++)
		snprintf(tally->why, sizeof(tally->why), "%s: %s", what, why);
}

/**
 * tally_session() - count an attempt by the outcome of its session
 * @tally: tally of the attempts
 * @session: session that has ended
 * @must: it has to be refused or closed; else it may also succeed
 * @what: name of the attempt
 */
void tally_session(struct tally *tally, const struct session *session,
		   bool must, const char *what)
{
	char why[200];

	tally->count++;
	if (session->outcome < SILENT && !(must && session->outcome == DONE))
		return;
	snprintf(why, sizeof(why), "%s at step %u (%s)",
		 outcome_names[session->outcome], session->step,
		 session->words);
	tally_fail(tally, what, why);
}

int group_tables(char **args)
{
	bool complete;
	char why[100];

	(void)args;
	complete = tamper_complete(why, sizeof(why));
	ok(complete, "the tables have all that wire.h has", why);
	return !complete;
}

int main(int argc, char **argv)
{
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	const char *one_in = getenv("WIRE_EVERY");
	unsigned int i;

	/*
	 * siw applies this limit to root, too; an error does not matter, as there is no
	 * device then
	 */
	setrlimit(RLIMIT_MEMLOCK, &all);

	for (i = 0; argc > 3 && i < ARRAY_SIZE(groups); i++) {
		if (strcmp(argv[3], groups[i].name) ||
		    argc != 4 + groups[i].args)
			continue;
		draw_seed(strtoull(argv[1], NULL, 0));
		slow = strtoul(argv[2], NULL, 0);
		if (one_in)
			every = max_t(unsigned int, strtoul(one_in, NULL, 0), 1);
		return groups[i].run(argv + 4);
	}
	fprintf(stderr, "wire: no such group, or other arguments\n");
	return 2;
}
