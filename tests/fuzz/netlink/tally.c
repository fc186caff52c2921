// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tally.h"

/* Number of complaints of a kind that are printed. */
#define SHOWN	5

static const struct {
	const char *name;
	const char *words;
} complaints[COMPLAINTS] = {
	[COMPLAINT_WORDLESS] = { "wordless", "refused without words" },
	[COMPLAINT_MISNAMED] = { "misnamed", "refused in words that do not name what is wrong" },
	[COMPLAINT_LAX] = { "lax", "accepted though not as specified" },
	[COMPLAINT_UNANSWERED] = { "unanswered", "not answered" },
	[COMPLAINT_MALFORMED] = { "malformed", "answered not as specified" },
	[COMPLAINT_UNSENT] = { "unsent", "could not be sent" },
};

static const char *const classes[CLASSES] = {
	[CLASS_VALID] = "valid",
	[CLASS_NEAR_VALID] = "near-valid",
	[CLASS_TRUNCATED] = "of wrong length",
	[CLASS_OVERSIZED] = "oversized",
	[CLASS_RANDOM] = "random",
};

/**
 * tally_add() - add to a counter, atomically
 * @counter: counter
 * @n: number to add
 */
void tally_add(uint64_t *counter, uint64_t n)
{
	__atomic_fetch_add(counter, n, __ATOMIC_RELAXED);
}

/**
 * tally_complain() - count a violation, and print the first ones of each kind
 * @tally: tally
 * @kind: kind of violation
 * @fmt: format of the details
 */
void tally_complain(struct tally *tally, enum complaint kind,
		    const char *fmt, ...)
{
	char line[2000];
	va_list args;

	if (__atomic_fetch_add(&tally->complaints[kind], 1,
			       __ATOMIC_RELAXED) >= SHOWN)
		return;
	va_start(args, fmt);
	vsnprintf(line, sizeof(line), fmt, args);
	va_end(args);
	/* stderr is also shown if the test passes */
	fprintf(stderr, "# %s: %s\n", complaints[kind].words, line);
}

static void report_op(const struct tally *tally, int op)
{
	int mode, i;

	printf("# %-12s", ops[op].name);
	for (mode = 0; mode < MODES; mode++)
		if (ops[op].request[mode])
			printf(" %s %llu accepted, %llu refused;",
			       mode == DUMP ? "dump" : "do",
			       (unsigned long long)tally->accepted[op][mode],
			       (unsigned long long)tally->refused[op][mode]);
	for (i = 0; i < ERRORS; i++)
		if (tally->errors[op][i])
			printf(" %s %llu", strerrorname_np(i),
			       (unsigned long long)tally->errors[op][i]);
	printf("\n");
}

/**
 * tally_report() - print the tally: readable lines after "#", and NAME NUMBER for scripts
 * @tally: tally
 * @seed: seed of the run
 */
void tally_report(const struct tally *tally, uint64_t seed)
{
	unsigned long long accepted = 0, refused = tally->garbage, sent = 0;
	int i, mode, never = 0;

	for (i = 0; i < op_count; i++) {
		if (ops[i].event)
			continue;
		report_op(tally, i);
		for (mode = 0; mode < MODES; mode++) {
			accepted += tally->accepted[i][mode];
			refused += tally->refused[i][mode];
			never += ops[i].request[mode] && !tally->accepted[i][mode];
		}
	}
	printf("# refused as garbage: %llu; events heard: %llu\n",
	       (unsigned long long)tally->garbage,
	       (unsigned long long)tally->events);
	printf("# events came too fast %llu times, answers %llu times\n",
	       (unsigned long long)tally->lost,
	       (unsigned long long)tally->overruns);
	for (i = 0; i < CLASSES; i++)
		sent += tally->sent[i];
	printf("figures seed %llu: %llu messages sent,", (unsigned long long)seed, sent);
	for (i = 0; i < CLASSES; i++)
		printf(" %llu %s,", (unsigned long long)tally->sent[i], classes[i]);
	printf(" %llu accepted, %llu refused\n", accepted, refused);
	printf("sent %llu\nevents %llu\nnever %d\n", sent,
	       (unsigned long long)tally->events, never);
	for (i = 0; i < COMPLAINTS; i++)
		printf("%s %llu\n", complaints[i].name,
		       (unsigned long long)tally->complaints[i]);
}
