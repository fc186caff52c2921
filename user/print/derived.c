// SPDX-License-Identifier: GPL-2.0
/* Prints the quantities derived from the runs, as text. */
#include "derived.h"
#include "plan/derive.h"
#include "plan/load.h"
#include "plan/result.h"

/* Width of a column, and size of a point's name. */
#define WIDTH	13
#define NAME	160

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

/* Print a row for each point for which a quantity is known. */
static void print_derived_table(FILE *f, const struct result *result)
{
	const struct derivation *derivation = result->recipe->derivation;
	struct derived derived[DERIVE_MAX];
	bool begun = false;
	char name[NAME];
	int width = 0;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		result_point_name(result, i, name, sizeof(name));
		width = max_t(int, width, strlen(name));
	}
	for (i = 0; i < result->count; i++) {
		if (!derive_each(result, i, derived))
			continue;
		if (!begun)
			print_titles(f, derivation, width);
		begun = true;
		result_point_name(result, i, name, sizeof(name));
		print_row(f, derivation, derived, name, width);
	}
}

static void print_range(FILE *f, const struct range *range, double factor)
{
	fprintf(f, "; 95 %% certain: %.3f..%.3f%s", range->low / factor,
		range->high / factor, range_has_zero(range) ?
		", not distinguishable from 0" : "");
}

static void print_quantity(FILE *f, const struct quantity *quantity,
			   const struct derived *derived)
{
	bool time = !strcmp(quantity->unit, "ns");
	bool count = !strcmp(quantity->unit, "count");
	char value[32] = "-";

	if (derived->known)
		snprintf(value, sizeof(value), "%.*f", count ? 0 : 3,
			 time ? derived->value / 1000 : derived->value);
	fprintf(f, " %-15s: %*s %-5s %s", quantity->name, WIDTH, value,
		time ? "us" : count ? "" : quantity->unit, quantity->what);
	if (derived->bounded)
		print_range(f, &derived->range, time ? 1000 : 1);
	putc('\n', f);
}

/* Print the true boolean quantities of a point in words, then the others in figures. */
static void print_derived_each(FILE *f, const struct result *result,
			       unsigned int index)
{
	const struct derivation *derivation = result->recipe->derivation;
	struct derived derived[DERIVE_MAX];
	char name[160], load[96] = "";
	const char *sep = "";
	bool told = false;
	unsigned int i;

	if (!derive_each(result, index, derived))
		return;
	section_point(&result->recipe->sections, result->plan, index, name,
		      sizeof(name));
	if (result->plan->loaded)
		load_name(result->plan, index, load, sizeof(load));
	fprintf(f, " %s%s%s:", name, *load ? " load:" : "", load);
	for (i = 0; i < derivation->eachs; i++) {
		if (derivation->each[i].unit || !derived[i].known)
			continue;
		told = true;
		if (!derived[i].value)
			continue;
		fprintf(f, "%s %s", sep, derivation->each[i].what);
		sep = ",";
	}
	fputs(told && !*sep ? " -\n" : "\n", f);
	for (i = 0; i < derivation->eachs; i++)
		if (derivation->each[i].unit && derived[i].known)
			print_quantity(f, &derivation->each[i], &derived[i]);
}

/**
 * print_derived() - print the quantities derived from the runs
 * @f: output stream
 * @result: the result
 */
void print_derived(FILE *f, const struct result *result)
{
	const struct derivation *derivation = result->recipe->derivation;
	struct derived derived[DERIVE_MAX];
	unsigned int i, known;

	if (!derivation)
		return;
	known = derive_values(result, derived);
	for (i = 0; !known && i < result->count; i++)
		known = derive_each(result, i, derived);
	if (!known)
		return;
	fprintf(f, " %s, %s\n", derivation->title, derivation->basis);
	if (!plan_repeats(result->plan))
		fputs(" No interval    : each point was run once (--repeat 3)\n", f);
	if (derivation->table)
		print_derived_table(f, result);
	for (i = 0; !derivation->table && i < result->count; i++)
		print_derived_each(f, result, i);
	derive_values(result, derived);
	for (i = 0; i < derivation->quantities; i++)
		if (derived[i].known || !derivation->quantity[i].optional)
			print_quantity(f, &derivation->quantity[i],
				       &derived[i]);
}
