// SPDX-License-Identifier: GPL-2.0
/* In text: what is worked out for each run, a row for each. */
#include "derived.h"
#include "plan/derive.h"
#include "plan/load.h"
#include "plan/result.h"

/* Width of a column, and most of a name. */
#define WIDTH	13
#define NAME	160

static void name_of(const struct result *result, unsigned int index, char *buf,
		    size_t size)
{
	char load[96] = "";
	size_t len;

	len = section_point(&result->recipe->sections, result->plan, index, buf,
			    size);
	if (!result->plan->loaded || len >= size)
		return;
	load_name(result->plan, index, load, sizeof(load));
	snprintf(buf + len, size - len, "%sload:%s", len ? " " : "", load);
}

static bool is_time(const struct quantity *quantity)
{
	return !strcmp(quantity->unit, "ns");
}

static void print_titles(FILE *f, const struct derivation *derivation,
			 int width)
{
	char title[96];
	unsigned int i;

	fprintf(f, " %-*s", width, "");
	for (i = 0; i < derivation->eachs; i++) {
		snprintf(title, sizeof(title), "%s[%s]",
			 derivation->each[i].name,
			 is_time(&derivation->each[i]) ? "us" :
						derivation->each[i].unit);
		fprintf(f, " %*s", WIDTH, title);
	}
	putc('\n', f);
}

static void print_row(FILE *f, const struct derivation *derivation,
		      const struct derived *derived, const char *name, int width)
{
	unsigned int i;

	fprintf(f, " %-*s", width, name);
	for (i = 0; i < derivation->eachs; i++)
		if (derived[i].known)
			fprintf(f, " %*.3f", WIDTH, derived[i].value /
				(is_time(&derivation->each[i]) ? 1000 : 1));
		else
			fprintf(f, " %*s", WIDTH, "-");
	putc('\n', f);
}

/**
 * print_derived_table() - print what is worked out for each run, as a table
 * @f: where to
 * @result: all runs, of a recipe whose derivation has figures for each
 *
 * Runs for which nothing is known have no row.
 */
void print_derived_table(FILE *f, const struct result *result)
{
	const struct derivation *derivation = result->recipe->derivation;
	struct derived derived[DERIVE_MAX];
	bool begun = false;
	char name[NAME];
	int width = 0;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		name_of(result, i, name, sizeof(name));
		width = max_t(int, width, strlen(name));
	}
	for (i = 0; i < result->count; i++) {
		if (!derive_each(result, i, derived))
			continue;
		if (!begun)
			print_titles(f, derivation, width);
		begun = true;
		name_of(result, i, name, sizeof(name));
		print_row(f, derivation, derived, name, width);
	}
}
