/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Derivations: ways to compute quantities from all runs of a benchmark. The printers use
 * the tables of struct derivation and depend on no particular derivation.
 */
#ifndef DERIVATION_H
#define DERIVATION_H

#include "section.h"
#include "stats/compare_stats.h"

struct result;

/* Maximum number of quantities of a derivation. */
#define DERIVE_MAX	24

/**
 * struct quantity - a derived quantity
 * @name: name of the quantity
 * @unit: unit, as in results; NULL for a truth value
 * @what: description in a few words
 * @optional: true if the text omits the quantity when it is unknown
 * @part: true for one of several parts of a sum; if the passes differ in which parts are
 *	known, all parts are unknown
 * @fixed: true for a quantity that does not differ between runs: it has no interval
 * @column: true if the quantity is a column of the table of verdicts
 */
struct quantity {
	const char *name;
	const char *unit;
	const char *what;
	bool optional;
	bool part;
	bool fixed;
	bool column;
};

/**
 * struct derived - value of a derived quantity
 * @known: true if everything was measured that the quantity depends on
 * @value: value, in the unit of the quantity
 * @error: maximum difference from the true value, because histograms were read
 * @bounded: true if there is an interval, from several runs
 * @range: interval of @value; valid if @bounded
 */
struct derived {
	bool known;
	double value;
	double error;
	bool bounded;
	struct range range;
};

/**
 * struct derivation - a way to compute quantities from runs
 * @name: name of the derivation
 * @title: name of the derivation in the text
 * @basis: description of the measurements that the derivation uses
 * @quantity: quantities of all runs together
 * @quantities: number of entries in @quantity, DERIVE_MAX at most
 * @each: quantities of each run
 * @eachs: number of entries in @each, DERIVE_MAX at most
 * @table: true if the text shows @each as a table
 * @once: true if nothing is subtracted, so that one run of each point is enough
 * @check: check whether the derivation applies to these runs.
 *	Return: 0; -EINVAL with a reason
 * @find: compute @quantity from the measurements; all values are unknown before
 * @find_each: compute @each for the run of an index; NULL if @each is empty
 * @judge: write a verdict on the run of an index, with its reason, in words; empty if
 *	there is none. NULL if the derivation judges no runs.
 * @conclude: write what follows from all verdicts; NULL if @judge is
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
	void (*judge)(const struct result *result, unsigned int index,
		      char *buf, size_t size);
	void (*conclude)(const struct result *result, char *buf, size_t size);
};

extern const struct derivation derive_advice;
extern const struct derivation derive_loggp;
extern const struct derivation derive_md1;

const struct derivation *derive_find(const char *name);
void derive_list(char *buf, size_t size);
#endif /* DERIVATION_H */
