// SPDX-License-Identifier: GPL-2.0
/*
 * Derivation "advice": which completion mode to choose, from a measurement of each
 * mode. The cost of blocking over polling is also split into its parts, from the floor
 * of the machine and the stages of an event, which are measured in other sections.
 *
 * All latencies compared are trimmed means, because a timer tick within a sample is not
 * a cost of the mode. If the runs were repeated, modes whose intervals overlap are tied.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "derive.h"
#include "model/verbs_table.h"
#include "repeat.h"
#include "result.h"

/* Names of the recipe's sections. */
static const char MODES[] = "modes", FLOOR[] = "floor", STAGES[] = "stages";

/* Share of the events, per cent, that is large enough to stand for all of them. */
#define MOST_PERCENT	90

enum {
	PARETO,
	LEAST_LATENCY,
	LEAST_CPU,
	RECOMMENDED,
	TIED,
	LATENCY,
	CPU,
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
	MISSED,
};

static const struct quantity each[] = {
	[PARETO] = { "pareto", NULL, "on the front", true },
	[LEAST_LATENCY] = { "least_latency", NULL, "least latency", true },
	[LEAST_CPU] = { "least_cpu", NULL, "least CPU time", true },
	[RECOMMENDED] = { "recommended", NULL,
			  "recommended within the budget", true },
	[TIED] = { "tied", NULL, "tied with another mode", true },
	[LATENCY] = { "latency", "ns",
		      "latency: mean without the lowest 10 % and the highest 10 %",
		      true, .column = true },
	[CPU] = { "cpu", "ns", "CPU time per message", true, .column = true },
	[COST] = { "cost", "ns",
		   "increase over completion=poll, divided into the following", true },
	[INTERRUPT] = { "interrupt", "ns",
			"machine: expiry of a timer to its handler", true, true },
	[WAKE_SAME] = { "wake_same", "ns",
			"machine: wake-up of a thread on the same CPU", true, true },
	[WAKE_FROM_IDLE] = { "wake_from_idle", "ns",
			     "machine: wake-up on the same CPU, from an interrupt that finds it idle",
			     true, true },
	[WAKE_OTHER] = { "wake_other", "ns",
			 "machine: wake-up of a thread on another, busy CPU",
			 true, true },
	[WAKE_IDLE] = { "wake_idle", "ns",
			"machine: wake-up of a thread on another, idle CPU",
			true, true },
	[HANDLER] = { "handler", "ns",
		      "from the handler's entry to its wake-up call", true, true },
	[WAIT] = { "wait", "ns",
		   "wake-up beyond the machine's time: other tasks used the CPU", true, true },
	[REST] = { "rest", "ns",
		   "device and driver before the handler, not separable", true, true },
	[DRIVER] = { "driver", "ns",
		     "driver: from the completion to the handler, less the interrupt",
		     true, true },
	[DEVICE] = { "device", "ns",
		     "device: from the last byte to the completion; not part of the cost, since polling has it, too",
		     true, true },
	[MISSED] = { "arrivals_missed", "count",
		     "arrivals that the shadow CPU missed: too many to divide the cost",
		     true, .fixed = true },
};

enum {
	BUDGET_LATENCY,
	BUDGET_CPU,
	WITHIN,
};

static const struct quantity quantities[] = {
	[BUDGET_LATENCY] = { "budget_latency", "ns", "trimmed mean latency, at most",
			     true, .fixed = true },
	[BUDGET_CPU] = { "budget_cpu", "ns", "CPU time per message, at most",
			 true, .fixed = true },
	[WITHIN] = { "within_budget", "count", "runs within the budget", true,
		     .fixed = true },
};

/* Parameters in which the runs that are compared may differ. */
#define MODE_ATTRS						\
	(BIT_ULL(ICBENCH_A_PARAMS_COMPLETION) |		\
	 BIT_ULL(ICBENCH_A_PARAMS_SPIN) |		\
	 BIT_ULL(ICBENCH_A_PARAMS_INTERVAL))

static bool in_section(const struct sections *sections, const struct plan *plan,
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
			  "derive: [%s] does not time the stages of a sleep; accepted: completion block, stages yes",
			  STAGES);
}

static int check(const struct sections *sections, const struct plan *plan,
		 struct icb_reason *why)
{
	unsigned int i, modes = 0;
	int err = 0;

	for (i = 0; !err && i < plan->count; i++) {
		if (in_section(sections, plan, i, MODES)) {
			err = check_modes(&plan->point[i], why);
			modes++;
		} else if (in_section(sections, plan, i, FLOOR)) {
			err = check_floor(&plan->point[i], why);
		} else if (in_section(sections, plan, i, STAGES)) {
			err = check_stages(&plan->point[i], why);
		}
	}
	if (!err && !modes)
		err = icb_refuse(why, -EINVAL,
				 "derive: there is no [%s]; advice needs [%s], and uses [%s] and [%s] if the recipe has them",
				 MODES, MODES, FLOOR, STAGES);
	return err;
}

static bool figure_of(const struct metrics *metrics, const char *name,
		      struct figure *figure)
{
	const struct metric *metric = metrics ? metrics_find(metrics, name) :
						NULL;

	return metric && repeat_trimmed(figure, metric);
}

/* Difference of two figures; their errors add up. */
static struct figure less(const struct figure *a, const struct figure *b)
{
	const struct figure figure = {
		.value = a->value - b->value,
		.error = a->error + b->error,
	};

	return figure;
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
 * struct way - latency and CPU time of a mode
 * @latency: trimmed mean latency and its interval, ns
 * @cpu: CPU time per message and its interval, ns
 * @bounded: true if both intervals come from several runs
 */
struct way {
	struct range latency;
	struct range cpu;
	bool bounded;
};

/* The interval of a single run is the resolution of its histogram. */
static void bound_by_error(struct range *range,
			   const struct figure *figure)
{
	range->value = figure->value;
	range->low = figure->value - figure->error;
	range->high = figure->value + figure->error;
}

static bool mode_result_of(const struct result *result, unsigned int index,
			   struct way *way)
{
	const struct metrics *metrics = result_metrics(result, index);
	struct figure latency, cpu = { 0 };
	const struct point *point;

	if (!figure_of(metrics, "latency", &latency) ||
	    !scalar_of(metrics, "cpu_per_message", &cpu.value))
		return false;
	point = &result->point[index];
	way->bounded = repeat_range(&way->latency, point, "latency",
				    repeat_trimmed) &&
		       repeat_range(&way->cpu, point, "cpu_per_message",
				    repeat_mean);
	if (way->bounded)
		return true;
	bound_by_error(&way->latency, &latency);
	bound_by_error(&way->cpu, &cpu);
	return true;
}

static bool is_mode(const struct result *result, unsigned int index)
{
	return in_section(&result->recipe->sections, result->plan, index, MODES);
}

static bool are_rivals(const struct result *result, unsigned int a,
		       unsigned int b)
{
	return is_mode(result, b) && plan_same_given(result->plan, a, b, MODE_ATTRS);
}

static bool is_within(const struct budget *budget, const struct way *way)
{
	return (!budget->latency || way->latency.value <= budget->latency) &&
	       (!budget->cpu || way->cpu.value <= budget->cpu);
}

static bool has_budget(const struct budget *budget)
{
	return budget->latency || budget->cpu;
}

static void set(struct derived *derived, double value)
{
	derived->known = true;
	derived->value = value;
}

static void set_figure(struct derived *derived, const struct figure *figure)
{
	set(derived, figure->value);
	derived->error = figure->error;
}

/**
 * struct rivals - modes that are compared with each other
 * @way: latency and CPU time of each mode, allocated
 * @count: number of modes
 * @own: index in @way of the mode in question
 */
struct candidates {
	struct way *way;
	unsigned int count;
	unsigned int own;
};

/* Return: false if a mode has no complete result: the comparison would lack it. */
static bool find_rivals(const struct result *result, unsigned int index,
			struct candidates *candidates)
{
	unsigned int i;

	memset(candidates, 0, sizeof(*candidates));
	candidates->way = alloc_zero(result->plan->count, sizeof(*candidates->way));
	for (i = 0; i < result->plan->count; i++) {
		if (!are_rivals(result, index, i))
			continue;
		if (i == index)
			candidates->own = candidates->count;
		if (!mode_result_of(result, i, &candidates->way[candidates->count++]))
			return false;
	}
	return true;
}

/* True if @a is better in latency or CPU time, and not worse in the other quantity. */
static bool dominates(const struct way *a, const struct way *b)
{
	return (range_below(&a->latency, &b->latency) &&
		!range_below(&b->cpu, &a->cpu)) ||
	       (range_below(&a->cpu, &b->cpu) &&
		!range_below(&b->latency, &a->latency));
}

static bool are_tied(const struct way *a, const struct way *b)
{
	return !range_below(&a->latency, &b->latency) &&
	       !range_below(&b->latency, &a->latency) &&
	       !range_below(&a->cpu, &b->cpu) &&
	       !range_below(&b->cpu, &a->cpu);
}

static const struct range *first_of(const struct way *way, bool latency)
{
	return latency ? &way->latency : &way->cpu;
}

/* True if no mode within the budget is below mode @index, which is within it, too. */
static bool is_lowest(const struct candidates *candidates, const struct budget *budget,
		      unsigned int index, bool latency)
{
	const struct range *own = first_of(&candidates->way[index], latency);
	unsigned int i;

	for (i = 0; i < candidates->count; i++)
		if (is_within(budget, &candidates->way[i]) &&
		    range_below(first_of(&candidates->way[i], latency), own))
			return false;
	return true;
}

/*
 * True if the mode is within the budget and has the lowest latency (or CPU time), and no
 * other mode tied for the lowest is lower in the other quantity. If several modes are
 * tied in both quantities, the result is true for each of them.
 */
static bool is_least(const struct candidates *candidates, const struct budget *budget,
		     bool latency)
{
	const struct way *own = &candidates->way[candidates->own];
	unsigned int i;

	if (!is_within(budget, own) ||
	    !is_lowest(candidates, budget, candidates->own, latency))
		return false;
	for (i = 0; i < candidates->count; i++)
		if (is_within(budget, &candidates->way[i]) &&
		    is_lowest(candidates, budget, i, latency) &&
		    range_below(first_of(&candidates->way[i], !latency),
				first_of(own, !latency)))
			return false;
	return true;
}

static void find_front(const struct result *result,
		       const struct candidates *candidates, struct derived *derived)
{
	static const struct budget any;
	const struct budget *budget = &result->recipe->budget;
	const struct way *own = &candidates->way[candidates->own];
	bool pareto = true, tied = false;
	unsigned int i;

	for (i = 0; i < candidates->count; i++) {
		pareto &= !dominates(&candidates->way[i], own);
		tied |= i != candidates->own && are_tied(&candidates->way[i], own);
	}
	set(&derived[PARETO], pareto);
	set(&derived[LEAST_LATENCY], is_least(candidates, &any, true));
	set(&derived[LEAST_CPU], is_least(candidates, &any, false));
	if (own->bounded)
		set(&derived[TIED], tied);
	/* least CPU time if the budget limits only the latency, else least latency */
	if (has_budget(budget))
		set(&derived[RECOMMENDED],
		    is_least(candidates, budget, !budget->latency || budget->cpu));
}

static void derive_mode(const struct result *result, unsigned int index,
			struct derived *derived)
{
	const struct metrics *metrics = result_metrics(result, index);
	struct candidates candidates;
	struct figure figure;
	double cpu;

	if (find_rivals(result, index, &candidates))
		find_front(result, &candidates, derived);
	free(candidates.way);
	if (figure_of(metrics, "latency", &figure))
		set_figure(&derived[LATENCY], &figure);
	if (scalar_of(metrics, "cpu_per_message", &cpu))
		set(&derived[CPU], cpu);
}

/* Latency above that of the same messages with completion=poll. */
static bool find_cost(const struct result *result, unsigned int index,
		      struct figure *cost)
{
	struct figure own, polling;
	unsigned int i;

	if (!figure_of(result_metrics(result, index), "latency", &own))
		return false;
	for (i = 0; i < result->plan->count; i++) {
		if (result->plan->point[i].params.completion !=
			    ICBENCH_COMPLETION_POLL ||
		    !are_rivals(result, index, i) ||
		    !figure_of(result_metrics(result, i), "latency", &polling))
			continue;
		*cost = less(&own, &polling);
		return true;
	}
	return false;
}

/* Floor of the machine for a thread with the CPU and priority of @params. */
static const struct metrics *find_floor(const struct result *result,
					const struct icb_params *params)
{
	const struct icb_params *floor;
	unsigned int i;

	for (i = 0; i < result->count; i++) {
		floor = &result->point[i].job.params;
		if (in_section(&result->recipe->sections, result->plan, i, FLOOR) &&
		    floor->cpu == params->cpu &&
		    floor->peer_cpu == params->peer_cpu &&
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
		if (in_section(&result->recipe->sections, result->plan, i, STAGES) &&
		    plan_same_given(result->plan, index, i, MODE_ATTRS |
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

/* Wake-up from another CPU: the cost depends on whether the thread's CPU was idle. */
static int find_cross(const struct metrics *floor,
		      const struct metrics *stages, struct figure *wake)
{
	double idle;

	if (!scalar_of(stages, "wakes_from_idle", &idle))
		return -1;
	if (is_most(stages, "wakes_from_idle"))
		return figure_of(floor, "wake_idle", wake) ? WAKE_IDLE : -1;
	if (is_share(stages, idle, 100 - MOST_PERCENT))
		return -1;
	return figure_of(floor, "wake_other", wake) ? WAKE_OTHER : -1;
}

/*
 * Find the floor's time for the kind of wake-up that most events had.
 *
 * Return: the quantity for this kind of wake-up; -1 if no kind has most of the events, or
 * if the floor lacks it.
 */
static int find_wake(const struct metrics *floor, const struct metrics *stages,
		     struct figure *wake)
{
	struct figure interrupt;

	if (is_most(stages, "wakes_cross_cpu"))
		return find_cross(floor, stages, wake);
	if (!is_most(stages, "wakes_same_cpu"))
		return -1;
	if (!is_most(stages, "events_from_idle"))
		return figure_of(floor, "wake_same", wake) ? WAKE_SAME : -1;
	if (!figure_of(floor, "floor", wake) ||
	    !figure_of(floor, "hrtimer_hard", &interrupt))
		return -1;
	*wake = less(wake, &interrupt);
	return WAKE_FROM_IDLE;
}

/*
 * A message whose arrival the shadow CPU missed has no stages, and the messages that have
 * stages need not be like it.
 *
 * Return: number of missed arrivals; 0 if the messages with stages stand for all, or if
 * there was no shadow CPU.
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
 * If the arrival is known, the time from the arrival to the handler has three parts: the
 * interrupt; the part that blocking takes and polling does not, which is @rest (driver);
 * and the part that both take, until the completion is in the CQ (device).
 */
static void split_rest(const struct metrics *stages,
		       const struct figure *interrupt,
		       const struct figure *rest, struct derived *derived)
{
	struct figure deliver;

	if (!figure_of(stages, "deliver", &deliver)) {
		set_figure(&derived[REST], rest);
		return;
	}
	set_figure(&derived[DRIVER], rest);
	deliver = less(&deliver, interrupt);
	deliver = less(&deliver, rest);
	set_figure(&derived[DEVICE], &deliver);
}

/*
 * If the handler runs in softirq context or in a workqueue, polling may need the same
 * softirq or work item, so no interrupt time is subtracted from the cost.
 */
static void find_split(const struct metrics *floor,
		       const struct metrics *stages, const struct figure *cost,
		       struct derived *derived)
{
	struct figure wake, handler, waking, wait, rest, interrupt = { 0 };
	double missed;
	int row;

	if (!floor || !stages)
		return;
	missed = find_missed(stages);
	if (missed > 0) {
		set(&derived[MISSED], missed);
		return;
	}
	if (!figure_of(stages, "handler", &handler) ||
	    !figure_of(stages, "wake", &waking))
		return;
	row = find_wake(floor, stages, &wake);
	if (row < 0)
		return;
	if (is_most(stages, "delivered_hardirq")) {
		if (!figure_of(floor, "hrtimer_hard", &interrupt))
			return;
		set_figure(&derived[INTERRUPT], &interrupt);
	}
	set_figure(&derived[row], &wake);
	set_figure(&derived[HANDLER], &handler);
	wait = less(&waking, &wake);
	set_figure(&derived[WAIT], &wait);
	rest = less(cost, &interrupt);
	rest = less(&rest, &handler);
	rest = less(&rest, &waking);
	split_rest(stages, &interrupt, &rest, derived);
}

static void find_each(const struct result *result, unsigned int index,
		      struct derived *derived)
{
	const struct icb_params *params;
	struct figure cost;

	if (index >= result->count || !is_mode(result, index))
		return;
	derive_mode(result, index, derived);
	params = &result->point[index].job.params;
	if (params->completion != ICBENCH_COMPLETION_BLOCK ||
	    params->trigger != ICBENCH_TRIGGER_ECHO ||
	    !find_cost(result, index, &cost))
		return;
	set_figure(&derived[COST], &cost);
	find_split(find_floor(result, params), find_stages(result, index),
		   &cost, derived);
}

static void find(const struct result *result, struct derived *derived)
{
	const struct budget *budget = &result->recipe->budget;
	unsigned int i, within = 0, seen = 0;
	struct way way;

	for (i = 0; i < result->count; i++) {
		if (!is_mode(result, i) || !mode_result_of(result, i, &way))
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

/* Write the name of a mode: its completion and the other keys that vary. */
static void name_mode(const struct result *result, unsigned int index,
		      char *buf, size_t size)
{
	const char *equals;

	section_point(&result->recipe->sections, result->plan, index, buf, size);
	equals = strchr(buf, '=');
	if (equals && !strchr(equals, ' '))
		memmove(buf, equals + 1, strlen(equals));
}

/* Write which mode is better than mode @index, and in what; prefer one that is in both. */
static void write_better(const struct result *result, unsigned int index,
			 char *buf, size_t size)
{
	struct way own, other;
	char name[160];
	bool latency, cpu;
	unsigned int i;

	if (!mode_result_of(result, index, &own))
		return;
	for (i = 0; i < result->count; i++) {
		if (!are_rivals(result, index, i) ||
		    !mode_result_of(result, i, &other) ||
		    !dominates(&other, &own))
			continue;
		latency = range_below(&other.latency, &own.latency);
		cpu = range_below(&other.cpu, &own.cpu);
		name_mode(result, i, name, sizeof(name));
		if (latency && cpu)
			snprintf(buf, size, "worse than %s in both", name);
		else
			snprintf(buf, size, "worse than %s in %s, and not better in %s",
				 name, latency ? "latency" : "CPU time",
				 latency ? "CPU time" : "latency");
		if (latency && cpu)
			return;
	}
}

/* Write why a mode that no other mode dominates would be chosen. */
static void write_merit(const struct derived *derived, bool recommends,
			char *buf, size_t size)
{
	const bool latency = derived[LEAST_LATENCY].value;
	const bool cpu = derived[LEAST_CPU].value;

	/* several modes are the best ones, as far as these runs show */
	if (derived[TIED].value && !recommends)
		snprintf(buf, size, "no mode is better");
	else if (recommends && derived[RECOMMENDED].value)
		snprintf(buf, size, "recommended within the budget");
	else if (latency && cpu)
		snprintf(buf, size, "%sleast latency and least CPU time",
			 recommends ? "" : "recommended: ");
	else if (latency || cpu)
		snprintf(buf, size, "least %s",
			 latency ? "latency" : "CPU time");
	else
		snprintf(buf, size, "no mode is better in both");
}

static void judge(const struct result *result, unsigned int index, char *buf,
		  size_t size)
{
	const struct budget *budget = &result->recipe->budget;
	struct derived derived[DERIVE_MAX] = { 0 };
	struct way way;
	size_t len;

	buf[0] = '\0';
	if (!is_mode(result, index))
		return;
	derive_mode(result, index, derived);
	if (!derived[PARETO].known)
		return;
	if (derived[PARETO].value)
		write_merit(derived, has_budget(budget), buf, size);
	else
		write_better(result, index, buf, size);
	len = strlen(buf);
	if (derived[TIED].known && derived[TIED].value && len < size)
		len += snprintf(buf + len, size - len,
				"; tied with another one");
	if (has_budget(budget) && mode_result_of(result, index, &way) &&
	    !is_within(budget, &way) && len < size)
		snprintf(buf + len, size - len, "; beyond the budget");
}

static void conclude(const struct result *result, char *buf, size_t size)
{
	const struct budget *budget = &result->recipe->budget;
	struct derived derived[DERIVE_MAX];
	unsigned int i, known = 0, both = 0, tied = 0, recommended = 0;

	buf[0] = '\0';
	for (i = 0; i < result->count; i++) {
		memset(derived, 0, sizeof(derived));
		if (is_mode(result, i))
			derive_mode(result, i, derived);
		known += derived[PARETO].known;
		both += derived[LEAST_LATENCY].value && derived[LEAST_CPU].value;
		tied += derived[PARETO].value && derived[TIED].value;
		recommended += derived[RECOMMENDED].value > 0;
	}
	if (!known)
		return;
	if (has_budget(budget) && !recommended)
		snprintf(buf, size, "no mode is within the budget");
	else if (!has_budget(budget) && tied)
		snprintf(buf, size,
			 "tied modes differ by no more than their runs do: --repeat 20, or a quieter host");
	else if (!has_budget(budget) && !both)
		snprintf(buf, size,
			 "it depends on the use: --budget-latency TIME or --budget-cpu TIME chooses a mode");
}

const struct derivation derive_advice = {
	.name = "advice",
	.title = "Advice",
	.basis = "from the trimmed mean latency and the CPU time per message of these runs",
	.quantity = quantities,
	.quantities = ARRAY_SIZE(quantities),
	.each = each,
	.eachs = ARRAY_SIZE(each),
	.check = check,
	.find = find,
	.find_each = find_each,
	.judge = judge,
	.conclude = conclude,
};
