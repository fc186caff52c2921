// SPDX-License-Identifier: GPL-2.0
/*
 * Which way of waiting to choose, of measurements of each; and where the time
 * goes that sleeping costs over polling, of the machine's floor and of the stages
 * of an event that were measured beside them.
 *
 * All of it is from medians: a tick in a sample is not what a mode costs.
 */
#include "derive.h"
#include "result.h"
#include "verbs_table.h"

/* What the sections are called. */
static const char MODES[] = "modes", FLOOR[] = "floor", STAGES[] = "stages";

/* A kind of event is what is told of where so many of a hundred were of it. */
#define MOST_PERCENT	90

enum {
	PARETO,
	LEAST_LATENCY,
	LEAST_CPU,
	RECOMMENDED,
	COST,
	INTERRUPT,
	WAKE_SAME,
	WAKE_FROM_IDLE,
	WAKE_OTHER,
	WAKE_IDLE,
	HANDLER,
	WAIT,
	REST,
	DRIVER,
	DEVICE,
	UNSEEN,
};

static const struct quantity each[] = {
	[PARETO] = { "pareto", NULL, "on the front", true },
	[LEAST_LATENCY] = { "least_latency", NULL, "least latency", true },
	[LEAST_CPU] = { "least_cpu", NULL, "least CPU time", true },
	[RECOMMENDED] = { "recommended", NULL,
			  "recommended within the budget", true },
	[COST] = { "cost", "ns", "more than with completion=poll, of which", true },
	[INTERRUPT] = { "interrupt", "ns",
			"machine: expiry of a timer to its handler", true },
	[WAKE_SAME] = { "wake_same", "ns",
			"machine: to wake a thread on the same CPU", true },
	[WAKE_FROM_IDLE] = { "wake_from_idle", "ns",
			     "machine: the same, from an interrupt of an idle CPU",
			     true },
	[WAKE_OTHER] = { "wake_other", "ns",
			 "machine: to wake a thread on another CPU, which is busy",
			 true },
	[WAKE_IDLE] = { "wake_idle", "ns",
			"machine: to wake a thread on another CPU, which is idle",
			true },
	[HANDLER] = { "handler", "ns",
		      "from the handler's entry until it has told", true },
	[WAIT] = { "wait", "ns",
		   "to wake took longer than that: others had the CPU", true },
	[REST] = { "rest", "ns",
		   "device and driver before the handler, not told apart", true },
	[DRIVER] = { "driver", "ns",
		     "driver: from the completion to the handler, less the interrupt",
		     true },
	[DEVICE] = { "device", "ns",
		     "device: from the last byte to the completion, no part of the cost: polling takes it, too",
		     true },
	[UNSEEN] = { "arrivals_missed", "count",
		     "arrivals that the shadow has missed: too many to take the cost apart",
		     true },
};

enum {
	BUDGET_LATENCY,
	BUDGET_CPU,
	WITHIN,
};

static const struct quantity quantities[] = {
	[BUDGET_LATENCY] = { "budget_latency", "ns", "median latency, at most",
			     true },
	[BUDGET_CPU] = { "budget_cpu", "ns", "CPU time for a message, at most",
			 true },
	[WITHIN] = { "within_budget", "count", "runs that keep to it", true },
};

/* By what runs that are to be compared differ. */
#define WAYS						\
	(BIT_ULL(ICBENCH_A_PARAMS_COMPLETION) |		\
	 BIT_ULL(ICBENCH_A_PARAMS_SPIN) |		\
	 BIT_ULL(ICBENCH_A_PARAMS_INTERVAL))

static bool is_of(const struct sections *sections, const struct plan *plan,
		  unsigned int index, const char *name)
{
	unsigned int section = section_find(sections, name);

	return section && plan->point[index].section == section;
}

static int check_modes(const struct plan_point *point, struct icb_reason *why)
{
	if (point->params.trigger == ICBENCH_TRIGGER_ECHO ||
	    point->params.trigger == ICBENCH_TRIGGER_CLOCK)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "derive: [%s] has no latency of messages; accepted: trigger echo, clock",
			  MODES);
}

static int check_floor(const struct plan_point *point, struct icb_reason *why)
{
	if (point->params.verb == ICBENCH_VERB_FLOOR)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "derive: [%s] does not measure the machine; accepted: trigger return, verb floor",
			  FLOOR);
}

static int check_stages(const struct plan_point *point, struct icb_reason *why)
{
	if (point->params.stages &&
	    point->params.completion == ICBENCH_COMPLETION_BLOCK)
		return 0;
	return icb_refuse(why, -EINVAL,
			  "derive: [%s] does not take a sleep apart; accepted: completion block, stages yes",
			  STAGES);
}

static int check(const struct sections *sections, const struct plan *plan,
		 struct icb_reason *why)
{
	unsigned int i, modes = 0;
	int err = 0;

	for (i = 0; !err && i < plan->count; i++) {
		if (is_of(sections, plan, i, MODES)) {
			err = check_modes(&plan->point[i], why);
			modes++;
		} else if (is_of(sections, plan, i, FLOOR)) {
			err = check_floor(&plan->point[i], why);
		} else if (is_of(sections, plan, i, STAGES)) {
			err = check_stages(&plan->point[i], why);
		}
	}
	if (!err && !modes)
		err = icb_refuse(why, -EINVAL,
				 "derive: there is no [%s]; advice takes [%s], and [%s] and [%s], if they are there",
				 MODES, MODES, FLOOR, STAGES);
	return err;
}

static bool median_of(const struct metrics *metrics, const char *name,
		      double *median)
{
	const struct metric *metric = metrics ? metrics_find(metrics, name) :
						NULL;

	if (!metric || !metric->hist || !metric->stats.count)
		return false;
	*median = metric->stats.percentile[STATS_50];
	return true;
}

static bool scalar_of(const struct metrics *metrics, const char *name,
		      double *value)
{
	const struct metric *metric = metrics ? metrics_find(metrics, name) :
						NULL;

	if (!metric || metric->hist)
		return false;
	*value = (double)metric->value / metric->divisor;
	return true;
}

static double count_of(const struct metrics *metrics, const char *name)
{
	double value;

	return scalar_of(metrics, name, &value) ? value : 0;
}

/**
 * struct way - what a run has come to
 * @latency: the median, ns
 * @cpu: of a message, ns
 */
struct way {
	double latency;
	double cpu;
};

static bool way_of(const struct result *result, unsigned int index,
		   struct way *way)
{
	const struct metrics *metrics = result_metrics(result, index);

	return median_of(metrics, "latency", &way->latency) &&
	       scalar_of(metrics, "cpu_per_message", &way->cpu);
}

static bool is_mode(const struct result *result, unsigned int index)
{
	return is_of(&result->recipe->sections, result->plan, index, MODES);
}

static bool are_rivals(const struct result *result, unsigned int a,
		       unsigned int b)
{
	return is_mode(result, b) && plan_alike(result->plan, a, b, WAYS);
}

static bool is_within(const struct budget *budget, const struct way *way)
{
	return (!budget->latency || way->latency <= budget->latency) &&
	       (!budget->cpu || way->cpu <= budget->cpu);
}

static bool has_budget(const struct budget *budget)
{
	return budget->latency || budget->cpu;
}

static bool is_before(double first, double second, double other_first,
		      double other_second)
{
	return first < other_first ||
	       (first == other_first && second < other_second);
}

/* Least CPU time where only the latency is bounded, else least latency. */
static bool is_better(const struct budget *budget, const struct way *a,
		      const struct way *b)
{
	if (budget->latency && !budget->cpu)
		return is_before(a->cpu, a->latency, b->cpu, b->latency);
	return is_before(a->latency, a->cpu, b->latency, b->cpu);
}

static void set(struct derived *derived, double value)
{
	derived->known = true;
	derived->value = value;
}

/* Nothing is said of runs some of which are not there to be compared with. */
static void find_front(const struct result *result, unsigned int index,
		       struct derived *derived)
{
	const struct budget *budget = &result->recipe->budget;
	bool pareto = true, latency = true, cpu = true, best;
	struct way way, other;
	unsigned int i;

	if (!way_of(result, index, &way))
		return;
	best = is_within(budget, &way);
	for (i = 0; i < result->plan->count; i++) {
		if (!are_rivals(result, index, i))
			continue;
		if (!way_of(result, i, &other))
			return;
		pareto &= !(other.latency <= way.latency &&
			    is_before(other.cpu, other.latency, way.cpu,
				      way.latency)) &&
			  !(other.cpu <= way.cpu &&
			    is_before(other.latency, other.cpu, way.latency,
				      way.cpu));
		latency &= !is_before(other.latency, other.cpu, way.latency,
				      way.cpu);
		cpu &= !is_before(other.cpu, other.latency, way.cpu,
				  way.latency);
		best &= !is_within(budget, &other) ||
			!is_better(budget, &other, &way);
	}
	set(&derived[PARETO], pareto);
	set(&derived[LEAST_LATENCY], latency);
	set(&derived[LEAST_CPU], cpu);
	if (has_budget(budget))
		set(&derived[RECOMMENDED], best);
}

/* The same messages, by polling. */
static bool find_cost(const struct result *result, unsigned int index,
		      double *cost)
{
	double own, polling;
	unsigned int i;

	if (!median_of(result_metrics(result, index), "latency", &own))
		return false;
	for (i = 0; i < result->plan->count; i++) {
		if (result->plan->point[i].params.completion !=
			    ICBENCH_COMPLETION_POLL ||
		    !are_rivals(result, index, i) ||
		    !median_of(result_metrics(result, i), "latency", &polling))
			continue;
		*cost = own - polling;
		return true;
	}
	return false;
}

/* The machine, as it is for who waits in a run. */
static const struct metrics *find_floor(const struct result *result,
					const struct icb_params *params)
{
	const struct icb_params *floor;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		floor = &result->point[i].job.params;
		if (is_of(&result->recipe->sections, result->plan, i, FLOOR) &&
		    floor->cpu == params->cpu &&
		    floor->priority == params->priority)
			return result_metrics(result, i);
	}
	return NULL;
}

static const struct metrics *find_stages(const struct result *result,
					 unsigned int index)
{
	unsigned int i;

	for (i = 0; i < result->count; i++)
		if (is_of(&result->recipe->sections, result->plan, i, STAGES) &&
		    plan_alike(result->plan, index, i, WAYS |
			       BIT_ULL(ICBENCH_A_PARAMS_STAGES) |
			       BIT_ULL(ICBENCH_A_PARAMS_SHADOW_CPU)))
			return result_metrics(result, i);
	return NULL;
}

static bool is_share(const struct metrics *stages, double count,
		     unsigned int percent)
{
	const struct metric *all = metrics_find(stages, "interrupt");

	return all && all->hist && all->stats.count &&
	       count * 100 >= (double)all->stats.count * percent;
}

static bool is_most(const struct metrics *stages, const char *name)
{
	return is_share(stages, count_of(stages, name), MOST_PERCENT);
}

/* Of a CPU that is told to do something by another one: whether it was busy. */
static int find_cross(const struct metrics *floor,
		      const struct metrics *stages, double *wake)
{
	double idle;

	if (!scalar_of(stages, "wakes_from_idle", &idle))
		return -1;
	if (is_most(stages, "wakes_from_idle"))
		return median_of(floor, "wake_idle", wake) ? WAKE_IDLE : -1;
	if (is_share(stages, idle, 100 - MOST_PERCENT))
		return -1;
	return median_of(floor, "wake_other", wake) ? WAKE_OTHER : -1;
}

/*
 * What waking takes here, where most were woken alike.
 *
 * Return: which row of the floor it is; -1 where that cannot be told.
 */
static int find_wake(const struct metrics *floor, const struct metrics *stages,
		     double *wake)
{
	double interrupt;

	if (is_most(stages, "wakes_cross_cpu"))
		return find_cross(floor, stages, wake);
	if (!is_most(stages, "wakes_same_cpu"))
		return -1;
	if (!is_most(stages, "events_from_idle"))
		return median_of(floor, "wake_same", wake) ? WAKE_SAME : -1;
	if (!median_of(floor, "floor", wake) ||
	    !median_of(floor, "hrtimer_hard", &interrupt))
		return -1;
	*wake -= interrupt;
	return WAKE_FROM_IDLE;
}

/*
 * A message whose arrival was missed is in no stage, and those that are there need
 * not be like it.
 *
 * Return: how many were missed; 0 where so few were that the others stand for all,
 * or nobody watched.
 */
static double find_missed(const struct metrics *stages)
{
	const struct metric *all = metrics_find(stages, "interrupt");
	double missed = count_of(stages, "arrivals_unseen") +
			count_of(stages, "arrivals_late");
	double seen = all && all->hist ? (double)all->stats.count : 0;

	return seen * 100 >= (seen + missed) * MOST_PERCENT ? 0 : missed;
}

/*
 * Where the arrival is known, so is what lies between it and the handler: an
 * interrupt; what blocking takes there beyond polling, which is to be told; and what
 * both take, which is until the completion is there.
 */
static void split_rest(const struct metrics *stages, double interrupt,
		       double rest, struct derived *derived)
{
	double deliver;

	if (!median_of(stages, "deliver", &deliver)) {
		set(&derived[REST], rest);
		return;
	}
	set(&derived[DRIVER], rest);
	set(&derived[DEVICE], deliver - interrupt - rest);
}

/*
 * Where the handler runs in a software interrupt or a work queue, polling may
 * need the same one, and nothing is taken for it.
 */
static void find_split(const struct metrics *floor,
		       const struct metrics *stages, double cost,
		       struct derived *derived)
{
	double wake, handler, waking, missed, interrupt = 0;
	int row;

	if (!floor || !stages)
		return;
	missed = find_missed(stages);
	if (missed > 0) {
		set(&derived[UNSEEN], missed);
		return;
	}
	if (!median_of(stages, "handler", &handler) ||
	    !median_of(stages, "wake", &waking))
		return;
	row = find_wake(floor, stages, &wake);
	if (row < 0)
		return;
	if (is_most(stages, "delivered_hardirq")) {
		if (!median_of(floor, "hrtimer_hard", &interrupt))
			return;
		set(&derived[INTERRUPT], interrupt);
	}
	set(&derived[row], wake);
	set(&derived[HANDLER], handler);
	set(&derived[WAIT], waking - wake);
	split_rest(stages, interrupt, cost - interrupt - handler - waking,
		   derived);
}

static void find_each(const struct result *result, unsigned int index,
		      struct derived *derived)
{
	const struct icb_params *params;
	double cost;

	if (index >= result->count || !is_mode(result, index))
		return;
	find_front(result, index, derived);
	params = &result->point[index].job.params;
	if (params->completion != ICBENCH_COMPLETION_BLOCK ||
	    params->trigger != ICBENCH_TRIGGER_ECHO ||
	    !find_cost(result, index, &cost))
		return;
	set(&derived[COST], cost);
	find_split(find_floor(result, params), find_stages(result, index), cost,
		   derived);
}

static void find(const struct result *result, struct derived *derived)
{
	const struct budget *budget = &result->recipe->budget;
	unsigned int i, within = 0, seen = 0;
	struct way way;

	for (i = 0; i < result->count; i++) {
		if (!is_mode(result, i) || !way_of(result, i, &way))
			continue;
		seen++;
		within += is_within(budget, &way);
	}
	if (!seen || !has_budget(budget))
		return;
	if (budget->latency)
		set(&derived[BUDGET_LATENCY], budget->latency);
	if (budget->cpu)
		set(&derived[BUDGET_CPU], budget->cpu);
	set(&derived[WITHIN], within);
}

const struct derivation derive_advice = {
	.name = "advice",
	.title = "Advice",
	.basis = "from the median latency and the CPU time for a message of these runs",
	.quantity = quantities,
	.quantities = ARRAY_SIZE(quantities),
	.each = each,
	.eachs = ARRAY_SIZE(each),
	.check = check,
	.find = find,
	.find_each = find_each,
};
