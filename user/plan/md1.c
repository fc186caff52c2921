// SPDX-License-Identifier: GPL-2.0
/*
 * Derivation "md1": the latency of an open loop if the device were a single server with a
 * constant service time (M/D/1) and the capacity that was measured.
 */
#include "derive.h"
#include "result.h"

/* A run that serves less than this share of the offered rate is saturated, per cent. */
#define SATURATED	95

enum {
	CAPACITY,
	SERVICE,
};

enum {
	LOAD,
	MEASURED,
	MODEL,
};

static const struct quantity quantities[] = {
	[CAPACITY] = { "capacity", "1/s",
		       "operations served per second where more were offered" },
	[SERVICE] = { "service", "ns",
		      "service time of an operation, if operations are served in turn" },
};

static const struct quantity each[] = {
	[LOAD] = { "load", "%", "offered load, of the capacity" },
	[MEASURED] = { "measured", "ns", "mean latency as measured" },
	[MODEL] = { "model", "ns",
		    "mean latency by M/D/1: latency at the lowest rate, plus the wait" },
};

static const struct icb_param *rate(void)
{
	return icb_param_by_attr(ICBENCH_A_PARAMS_RATE);
}

static bool number_of(const struct result *result, unsigned int index,
		      const char *name, double *value)
{
	const struct metrics *metrics = result_metrics(result, index);
	const struct metric *metric = metrics ? metrics_find(metrics, name) :
						NULL;

	if (!metric || metric->hist)
		return false;
	*value = (double)metric->value / metric->divisor;
	return true;
}

static bool mean_of(const struct result *result, unsigned int index,
		    double *mean)
{
	const struct metrics *metrics = result_metrics(result, index);
	const struct metric *metric = metrics ? metrics_main(metrics) : NULL;

	if (!metric || !metric->stats.count)
		return false;
	*mean = metric->stats.mean;
	return true;
}

/* True if @other is on the curve of @index and has the arrivals of the model. */
static bool is_of(const struct result *result, unsigned int index,
		  unsigned int other)
{
	const struct icb_params *params = &result->plan->point[other].params;

	return plan_differs_only_in(result->plan, index, other, rate()) &&
	       params->trigger == ICBENCH_TRIGGER_CLOCK &&
	       params->arrival == ICBENCH_ARRIVAL_EXPONENTIAL;
}

/*
 * Capacity: the mean rate of the saturated runs within 5 % of the greatest rate. Far
 * beyond its capacity a system may serve less.
 */
static bool capacity_of(const struct result *result, unsigned int index,
			double *capacity)
{
	double accepted, served, most = 0, sum = 0;
	unsigned int count = 0, i, pass;

	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < result->count; i++) {
			if (!is_of(result, index, i) ||
			    !number_of(result, i, "accepted", &accepted) ||
			    accepted >= SATURATED ||
			    !number_of(result, i, "message_rate", &served))
				continue;
			if (!pass && served > most)
				most = served;
			if (!pass || served * 100 < most * SATURATED)
				continue;
			sum += served;
			count++;
		}
	if (count)
		*capacity = sum / count;
	return count;
}

/* Mean time in the queue of M/D/1, ns. */
static double wait_of(double capacity, double offered)
{
	const double rho = offered / capacity;

	return 1e9 / capacity * rho / 2 / (1 - rho);
}

/* Latency of an operation that does not wait, from the lowest offered rate, ns. */
static bool base_of(const struct result *result, unsigned int index,
		    double capacity, double *base)
{
	double offered, mean, least = 0;
	bool known = false;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		if (!is_of(result, index, i) ||
		    !number_of(result, i, "offered_rate", &offered) ||
		    offered >= capacity || (known && offered >= least) ||
		    !mean_of(result, i, &mean))
			continue;
		known = true;
		least = offered;
		*base = mean - wait_of(capacity, offered);
	}
	return known;
}

static void set(struct derived *derived, double value)
{
	derived->known = true;
	derived->value = value;
}

/* Derive the capacity only if all points are on one curve. */
static void find(const struct result *result, struct derived *derived)
{
	double capacity;
	unsigned int i;

	for (i = 0; i < result->count; i++)
		if (!is_of(result, 0, i))
			return;
	if (!result->count || !capacity_of(result, 0, &capacity))
		return;
	set(&derived[CAPACITY], capacity);
	set(&derived[SERVICE], 1e9 / capacity);
}

static void find_each(const struct result *result, unsigned int index,
		      struct derived *derived)
{
	double capacity, offered, mean, base = 0;

	if (!is_of(result, index, index) ||
	    !capacity_of(result, index, &capacity) ||
	    !number_of(result, index, "offered_rate", &offered) ||
	    !mean_of(result, index, &mean))
		return;
	set(&derived[LOAD], 100 * offered / capacity);
	set(&derived[MEASURED], mean);
	if (offered < capacity && base_of(result, index, capacity, &base))
		set(&derived[MODEL], base + wait_of(capacity, offered));
}

/* All runs are accepted: quantities of runs outside the model stay unknown. */
static int check(const struct sections *sections, const struct plan *plan,
		 struct icb_reason *why)
{
	(void)sections;
	(void)plan;
	(void)why;
	return 0;
}

const struct derivation derive_md1 = {
	.name = "md1",
	.title = "M/D/1",
	.basis = "a server of the measured capacity, whose operations arrive at random",
	.quantity = quantities,
	.quantities = ARRAY_SIZE(quantities),
	.each = each,
	.eachs = ARRAY_SIZE(each),
	.table = true,
	.once = true,
	.check = check,
	.find = find,
	.find_each = find_each,
};
