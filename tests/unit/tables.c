// SPDX-License-Identifier: GPL-2.0
/*
 * Print which triggers, verbs, transports and completion modes the rules of the engine
 * accept together, as tables of the page Documentation/reference/combinations.rst.
 * tables.t compares them with the page.
 */
#include <stdlib.h>

#include "model/params.h"
#include "model/rules.h"
#include "model/triggers_table.h"
#include "model/verbs_table.h"

#define CELL	64
#define REASONS	64

/* Reasons of one trigger, without the values that they name. */
static char reasons[REASONS][sizeof(((struct icb_reason *)0)->text)];
static unsigned int reason_count;

static const char *const *words_of(unsigned int attr)
{
	return icb_param_by_attr(attr)->words;
}

static void set(struct icb_params *params, unsigned int attr, const char *word)
{
	if (icb_params_set_word(params, icb_param_by_attr(attr), word, NULL))
		abort();
}

static void rule_line(const int *widths, unsigned int columns)
{
	unsigned int i;
	int n;

	for (i = 0; i < columns; i++) {
		if (i)
			putchar(' ');
		for (n = 0; n < widths[i]; n++)
			putchar('=');
	}
	putchar('\n');
}

/* Replace the first @word that follows @before by @name. */
static void replace(char *text, const char *before, const char *word,
		    const char *name)
{
	char rest[sizeof(*reasons)], found[CELL];
	char *at;

	snprintf(found, sizeof(found), "%s%s", before, word);
	at = strstr(text, found);
	if (!at)
		return;
	at += strlen(before);
	strcpy(rest, at + strlen(word));
	snprintf(at, sizeof(*reasons) - (at - text), "%s%s", name, rest);
}

/*
 * Keep the reason of a refusal, once, without its values and without the accepted values,
 * which the table shows.
 */
static void keep(const struct icb_reason *why, const struct icb_params *params)
{
	static const struct {
		unsigned int attr;
		const char *name;
	} values[] = {
		{ ICBENCH_A_PARAMS_VERB, "VERB" },
		{ ICBENCH_A_PARAMS_TRANSPORT, "TRANSPORT" },
		{ ICBENCH_A_PARAMS_COMPLETION, "MODE" },
	};
	char text[sizeof(*reasons)], before[CELL];
	const char *key, *word;
	unsigned int i;

	snprintf(text, sizeof(text), "%s", why->text);
	if (strstr(text, "; accepted: "))
		*strstr(text, "; accepted: ") = '\0';
	for (i = 0; i < ARRAY_SIZE(values); i++) {
		key = icb_param_by_attr(values[i].attr)->name;
		word = icb_params_word(params, values[i].attr);
		snprintf(before, sizeof(before), "%s: ", key);
		replace(text, before, word, values[i].name);
		snprintf(before, sizeof(before), "%s ", key);
		replace(text, before, word, values[i].name);
	}
	for (i = 0; i < reason_count; i++)
		if (!strcmp(reasons[i], text))
			return;
	if (reason_count == REASONS)
		abort();
	strcpy(reasons[reason_count++], text);
}

/**
 * struct row - a row of the table of combinations
 * @verb: word of the verb
 * @notify: word of notify; NULL for the default
 */
struct row {
	const char *verb;
	const char *notify;
};

/* Write the transports that the rules accept in one cell. */
static void accepted(const char *trigger, const struct row *row,
		     const char *completion, char *cell)
{
	const char *const *transport = words_of(ICBENCH_A_PARAMS_TRANSPORT);
	struct icb_reason why = { };
	struct icb_params params;

	*cell = '\0';
	for (; *transport; transport++) {
		icb_params_init(&params);
		set(&params, ICBENCH_A_PARAMS_TRIGGER, trigger);
		set(&params, ICBENCH_A_PARAMS_VERB, row->verb);
		if (row->notify)
			set(&params, ICBENCH_A_PARAMS_NOTIFY, row->notify);
		set(&params, ICBENCH_A_PARAMS_TRANSPORT, *transport);
		set(&params, ICBENCH_A_PARAMS_COMPLETION, completion);
		if (icb_params_check(&params, &why))
			keep(&why, &params);
		else
			snprintf(cell + strlen(cell), CELL - strlen(cell), "%s%s",
				 *cell ? ", " : "", *transport);
	}
	if (!*cell)
		strcpy(cell, "no");
}

static void print_row(const char *trigger, const struct row *row,
		      const int *widths)
{
	const char *const *mode = words_of(ICBENCH_A_PARAMS_COMPLETION);
	char cell[CELL];

	snprintf(cell, sizeof(cell), "%s%s%s", row->verb,
		 row->notify ? ", notify " : "", row->notify ? : "");
	printf("%-*s", widths[0], cell);
	for (; *mode; mode++) {
		accepted(trigger, row, *mode, cell);
		printf(" %-*s", mode[1] ? *++widths : 0, cell);
	}
	putchar('\n');
}

static void print_trigger(unsigned int trigger)
{
	const char *const *modes = words_of(ICBENCH_A_PARAMS_COMPLETION);
	const char *const *verbs = words_of(ICBENCH_A_PARAMS_VERB);
	const char *const *notify = words_of(ICBENCH_A_PARAMS_NOTIFY);
	const char *name = words_of(ICBENCH_A_PARAMS_TRIGGER)[trigger];
	int widths[16] = { 22 };
	unsigned int i, columns = 1, n;

	i = printf("Trigger %s\n", name);
	while (--i)
		putchar('=');
	printf("\n\n");
	for (i = 0; modes[i]; i++)
		widths[columns++] = 10;
	rule_line(widths, columns);
	printf("%-*s", widths[0], "verb");
	for (i = 0; modes[i]; i++)
		printf(" %-*s", modes[i + 1] ? widths[i + 1] : 0, modes[i]);
	putchar('\n');
	rule_line(widths, columns);
	reason_count = 0;
	for (i = 0; i < icb_verb_count; i++) {
		if (icb_verb_table[i].local ||
		    !icb_verb_table[i].calls == icb_trigger_table[trigger].times_calls)
			continue;
		print_row(name, &(struct row){ verbs[i], NULL }, widths);
		for (n = 1; icb_verb_table[i].with_imm && notify[n]; n++)
			print_row(name, &(struct row){ verbs[i], notify[n] }, widths);
	}
	rule_line(widths, columns);
	printf("\nReasons of the refusals:\n\n");
	for (i = 0; i < reason_count; i++)
		printf("- %s\n", reasons[i]);
	putchar('\n');
}

int main(void)
{
	const char *const *triggers = words_of(ICBENCH_A_PARAMS_TRIGGER);
	unsigned int i;

	printf(".. SPDX-License-Identifier: GPL-2.0\n"
	       ".. Generated by \"make tables\" from the rules in kmod/model. Do not edit.\n\n");
	for (i = 0; triggers[i]; i++)
		print_trigger(i);
	return EXIT_SUCCESS;
}
