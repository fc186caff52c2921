/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ways to work something out of all the runs of a benchmark. The printers know what
 * a derivation has, and none of them by itself.
 */
#ifndef DERIVATION_H
#define DERIVATION_H

#include "section.h"
#include "stats/compare_stats.h"

struct result;

/* Most quantities of a derivation. */
#define DERIVE_MAX	24

/**
 * struct quantity - something that is worked out
 * @name: its name
 * @unit: its unit, as results have it; NULL of what is so or is not
 * @what: what it is, in a few words
 * @optional: where it is not known, it is not looked for either
 * @part: one of several that add up to another: where passes differ in which of these
 *	are known, none is
 * @fixed: it is not a figure that differs between runs: it has no interval
 */
struct quantity {
	const char *name;
	const char *unit;
	const char *what;
	bool optional;
	bool part;
	bool fixed;
};

/**
 * struct derived - its value
 * @known: whether all that it takes was measured
 * @value: in its unit
 * @error: most that it can differ from the true one, because histograms were read
 * @bounded: whether it has an interval: there were several runs
 * @range: of @value, likewise
 */
struct derived {
	bool known;
	double value;
	double error;
	bool bounded;
	struct range range;
};

/**
 * struct derivation - a way to work something out
 * @name: its name
 * @title: the same for people
 * @basis: what of the runs it takes
 * @quantity: what comes of it
 * @quantities: how many, DERIVE_MAX at most
 * @each: what comes of it for each run
 * @eachs: how many, DERIVE_MAX at most
 * @table: these are figures, which the text has in a table
 * @once: nothing is subtracted: it does not ask for several runs of a point
 * @check: whether it can work with these runs.
 *	Return: 0; -EINVAL with a reason
 * @find: work it out of what has been measured; the values are unknown before
 * @find_each: the same of @each, for the run of that index; NULL where there is none
 */
struct derivation {
	const char *name;
	const char *title;
	const char *basis;
	const struct quantity *quantity;
	unsigned int quantities;
	const struct quantity *each;
	unsigned int eachs;
	bool table;
	bool once;
	int (*check)(const struct sections *sections, const struct plan *plan,
		     struct icb_reason *why);
	void (*find)(const struct result *result, struct derived *derived);
	void (*find_each)(const struct result *result, unsigned int index,
			  struct derived *derived);
};

extern const struct derivation derive_advice;
extern const struct derivation derive_loggp;
extern const struct derivation derive_md1;

const struct derivation *derive_find(const char *name);
void derive_list(char *buf, size_t size);
#endif /* DERIVATION_H */
