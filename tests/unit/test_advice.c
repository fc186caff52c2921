// SPDX-License-Identifier: GPL-2.0
/* Recommendation of a mode, from synthetic results. */
#include "base/alloc.h"
#include "plan/derive.h"
#include "plan/repeat.h"
#include "plan/result.h"
#include "print/print.h"
#include "printed.h"
#include "unit.h"

enum {
	PARETO, LEAST_LATENCY, LEAST_CPU, RECOMMENDED, TIED, LATENCY, CPU,
	COST, INTERRUPT,
	WAKE_SAME, WAKE_FROM_IDLE, WAKE_OTHER, WAKE_IDLE, HANDLER, WAIT, REST,
	DRIVER, DEVICE, UNSEEN, EACHS,
};

#define COMMON \
	"title = x\nderive = advice\ntrigger = echo\nverb = send\n" \
	"completion = poll,softirq,block,adaptive\niterations = 100\n"
#define STAGES	"[stages]\ncompletion = block\nstages = yes\n"
#define FLOOR	"[floor]\ntrigger = return\nverb = floor\n"

static int parse(struct recipe *recipe, const char *text,
		 struct icb_reason *why)
{
	char *copy = alloc_copy(text, strlen(text));
	int err;

	memset(recipe, 0, sizeof(*recipe));
	recipe->path = alloc_text("r.icb");
	err = recipe_parse(recipe, copy, strlen(text), why);
	free(copy);
	return err;
}

static struct metric *add(struct metrics *metrics, const char *name)
{
	struct metric *metric;

	metrics->metric = alloc_grow(metrics->metric, metrics->count,
				     sizeof(*metric));
	metric = &metrics->metric[metrics->count++];
	memset(metric, 0, sizeof(*metric));
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->kind = ICBENCH_METRIC_KIND_SCALAR;
	metric->unit = ICBENCH_UNIT_NS;
	metric->divisor = 1;
	return metric;
}

static void add_scalar(struct metrics *metrics, const char *name, u64 value)
{
	add(metrics, name)->value = value;
}

/* The median is @value, and the mean is not. */
static void add_dist(struct metrics *metrics, const char *name, u64 value)
{
	struct metric *metric = add(metrics, name);
	unsigned int i;

	metric->kind = ICBENCH_METRIC_KIND_DISTRIBUTION;
	metric->hist = alloc_zero(1, sizeof(*metric->hist));
	icb_hist_reset(metric->hist);
	for (i = 0; i < 99; i++)
		icb_hist_add(metric->hist, value);
	icb_hist_add(metric->hist, 1000000);
	assert_int_equal(stats_of(&metric->stats, metric->hist, 1), 0);
	metric->stats.percentile[STATS_50] = value;
}

struct mode {
	u64 latency, cpu;
};

/**
 * struct machine - other results than those of the modes
 * @hardirq: handlers in hard interrupt context, of 100
 * @same: wake-ups on the same CPU, of 100
 * @idle: events that found an idle CPU, of 100
 * @wakes: wake-ups of an idle CPU, of 100; more than 100 if unknown
 * @unseen: messages in addition to these 100 whose arrival the shadow CPU did not see
 * @late: messages in addition to these 100 whose arrival the shadow CPU saw too late
 */
struct machine {
	unsigned int hardirq, same, idle, wakes, unseen, late;
};

struct fixture {
	struct recipe recipe;
	struct plan plan;
	struct result result;
	struct derived derived[DERIVE_MAX];
};

static void fill(struct metrics *metrics, const struct icb_params *params,
		 const struct mode *mode, const struct machine *machine)
{
	if (params->verb == ICBENCH_VERB_FLOOR) {
		add_dist(metrics, "floor", 3500);
		add_dist(metrics, "hrtimer_hard", 600);
		add_dist(metrics, "wake_same", 3100);
		add_dist(metrics, "wake_other", 4100);
		add_dist(metrics, "wake_idle", 5200);
		return;
	}
	add_dist(metrics, "latency", mode->latency);
	add_scalar(metrics, "cpu_per_message", mode->cpu);
	if (!params->stages)
		return;
	add_dist(metrics, "interrupt", 4000);
	add_dist(metrics, "handler", 50);
	add_dist(metrics, "wake", 3700);
	add_scalar(metrics, "wakes_same_cpu", machine->same);
	add_scalar(metrics, "wakes_cross_cpu", 100 - machine->same);
	add_scalar(metrics, "events_from_idle", machine->idle);
	add_scalar(metrics, "delivered_hardirq", machine->hardirq);
	if (machine->wakes <= 100)
		add_scalar(metrics, "wakes_from_idle", machine->wakes);
	if (!icb_params_has(params, ICBENCH_A_PARAMS_SHADOW_CPU))
		return;
	add_dist(metrics, "deliver", 9000);
	add_scalar(metrics, "arrivals_unseen", machine->unseen);
	add_scalar(metrics, "arrivals_late", machine->late);
}

static void begin(struct fixture *f, const char *text, const struct mode *mode,
		  const struct machine *machine)
{
	struct point *point;
	unsigned int i;

	memset(f, 0, sizeof(*f));
	assert_int_equal(parse(&f->recipe, text, NULL), 0);
	assert_int_equal(recipe_plan(&f->recipe, &f->plan, NULL), 0);
	f->result.recipe = &f->recipe;
	f->result.plan = &f->plan;
	for (i = 0; i < f->plan.count; i++) {
		point = result_add(&f->result);
		memset(point, 0, sizeof(*point));
		point->job.outcome = ICBENCH_OUTCOME_COMPLETE;
		point->job.params = f->plan.point[i].params;
		fill(&point->metrics, &point->job.params, &mode[i % 4],
		     machine);
	}
}

static void end(struct fixture *f)
{
	result_free(&f->result);
	plan_free(&f->plan);
	recipe_free(&f->recipe);
}

static bool is(const struct derived *derived, double value)
{
	return derived->known && derived->value > value - 1e-6 &&
	       derived->value < value + 1e-6;
}

/* Return: bit mask of the first four runs for which a derived value holds. */
static unsigned int which(struct fixture *f, unsigned int what)
{
	unsigned int i, bits = 0;

	for (i = 0; i < 4; i++) {
		derive_each(&f->result, i, f->derived);
		if (!f->derived[what].known)
			return 16;
		bits |= !!f->derived[what].value << i;
	}
	return bits;
}

static void test_front(void **state)
{
	static const struct {
		struct mode mode[4];
		unsigned int pareto, latency, cpu;
	} rows[] = {
		/* one is better than all others */
		{ { { 10, 5 }, { 11, 6 }, { 12, 7 }, { 13, 8 } }, 1, 1, 1 },
		/* each one is best in some respect */
		{ { { 10, 9 }, { 11, 8 }, { 12, 7 }, { 13, 6 } }, 15, 1, 8 },
		/* one between the extremes, and one that is worse than it */
		{ { { 10, 20 }, { 14, 12 }, { 20, 5 }, { 15, 13 } }, 7, 1, 4 },
		/* as fast but dearer; as cheap but slower */
		{ { { 10, 20 }, { 10, 21 }, { 20, 5 }, { 21, 5 } }, 5, 1, 4 },
		/* two equal ones */
		{ { { 10, 5 }, { 10, 5 }, { 12, 6 }, { 12, 6 } }, 3, 3, 3 },
	};
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&f, COMMON "[modes]\n", rows[i].mode, NULL);
		assert_row(i, which(&f, PARETO) == rows[i].pareto);
		assert_row(i, which(&f, LEAST_LATENCY) == rows[i].latency);
		assert_row(i, which(&f, LEAST_CPU) == rows[i].cpu);
		/* without a budget */
		assert_row(i, which(&f, RECOMMENDED) == 16);
		assert_row(i, derive_values(&f.result, f.derived) == 0);
		end(&f);
	}
}

/**
 * struct spread - results of the three runs of a mode
 * @latency: median of the three, ns
 * @wide: distance of the other two from the median, ns
 * @cpu: median CPU time of the three, ns
 * @cpu_wide: distance of the other two from the median CPU time, ns
 */
struct spread {
	u64 latency, wide, cpu, cpu_wide;
};

static void begin_repeated(struct fixture *f, const char *text,
			   const struct spread *spread)
{
	struct point run;
	struct mode mode;
	unsigned int i, r;

	memset(f, 0, sizeof(*f));
	assert_int_equal(parse(&f->recipe, text, NULL), 0);
	assert_int_equal(recipe_plan(&f->recipe, &f->plan, NULL), 0);
	assert_int_equal(f->plan.repeat, 3);
	f->result.recipe = &f->recipe;
	f->result.plan = &f->plan;
	for (i = 0; i < f->plan.count; i++) {
		result_add(&f->result);
		for (r = 0; r < 3; r++) {
			memset(&run, 0, sizeof(run));
			run.job.outcome = ICBENCH_OUTCOME_COMPLETE;
			run.job.params = f->plan.point[i].params;
			mode.latency = spread[i % 4].latency +
				       r * spread[i % 4].wide -
				       spread[i % 4].wide;
			mode.cpu = spread[i % 4].cpu +
				   r * spread[i % 4].cpu_wide -
				   spread[i % 4].cpu_wide;
			fill(&run.metrics, &run.job.params, &mode, NULL);
			repeat_add(&f->result.point[i], &run);
		}
	}
}

/* Modes that differ by no more than runs of the same mode are tied. */
static void test_ties(void **state)
{
	static const struct {
		struct spread mode[4];
		unsigned int pareto, latency, cpu, tied;
	} rows[] = {
		/* as without spread: one is better than all others */
		{ { { 10, 0, 5, 0 }, { 11, 0, 6, 0 }, { 12, 0, 7, 0 },
		    { 13, 0, 8, 0 } }, 1, 1, 1, 0 },
		/* the better one cannot be distinguished from the next */
		{ { { 100, 5, 50, 3 }, { 104, 5, 51, 3 }, { 200, 1, 90, 1 },
		    { 210, 1, 95, 1 } }, 3, 3, 3, 3 },
		/* with less spread, the same medians can be distinguished */
		{ { { 100, 1, 50, 0 }, { 106, 1, 51, 0 }, { 200, 1, 90, 1 },
		    { 210, 1, 95, 1 } }, 1, 1, 1, 0 },
		/* tied in latency, but cheaper: it alone is on the front */
		{ { { 100, 5, 90, 1 }, { 104, 5, 50, 1 }, { 200, 1, 90, 1 },
		    { 210, 1, 95, 1 } }, 2, 2, 2, 0 },
		/* faster, and tied in CPU time */
		{ { { 100, 1, 52, 5 }, { 150, 1, 50, 5 }, { 200, 1, 90, 1 },
		    { 210, 1, 95, 1 } }, 1, 1, 1, 0 },
		/*
		 * one with a large spread is tied with two that are not tied with each
		 * other
		 */
		{ { { 100, 1, 50, 0 }, { 110, 1, 50, 0 }, { 105, 20, 50, 0 },
		    { 210, 1, 95, 1 } }, 5, 5, 5, 7 },
	};
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin_repeated(&f, COMMON "[modes]\n", rows[i].mode);
		assert_row(i, which(&f, PARETO) == rows[i].pareto);
		assert_row(i, which(&f, LEAST_LATENCY) == rows[i].latency);
		assert_row(i, which(&f, LEAST_CPU) == rows[i].cpu);
		assert_row(i, which(&f, TIED) == rows[i].tied);
		end(&f);
	}
	/* with a budget, all tied modes are recommended */
	begin_repeated(&f, COMMON "budget-latency = 150ns\n[modes]\n",
		       rows[1].mode);
	assert_int_equal(which(&f, RECOMMENDED), 3);
	end(&f);
}

/* The cost of blocking has an interval, which may contain 0. */
static void test_cost(void **state)
{
	static const struct {
		u64 wide;
		bool zero;
	} rows[] = { { 10, false }, { 300, true } };
	struct spread mode[4] = {
		{ 1000, 0, 50, 0 }, { 1000, 0, 50, 0 }, { 1500, 0, 50, 0 },
		{ 1000, 0, 50, 0 },
	};
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		mode[2].wide = rows[i].wide;
		begin_repeated(&f, COMMON "[modes]\n", mode);
		derive_each(&f.result, 2, f.derived);
		assert_row(i, is(&f.derived[COST], 500));
		assert_row(i, f.derived[COST].bounded);
		/* t(2) / sqrt(3) */
		assert_row(i, f.derived[COST].range.high - 500 >
			   2.48 * rows[i].wide &&
			   f.derived[COST].range.high - 500 <
			   2.49 * rows[i].wide);
		assert_row(i, range_has_zero(&f.derived[COST].range) ==
			   rows[i].zero);
		assert_row(i, f.derived[LATENCY].bounded &&
			   is(&f.derived[LATENCY], 1500));
		end(&f);
	}
}

static const struct mode usual[4] = {
	{ 10000, 20000 }, { 14000, 12000 }, { 20000, 5000 }, { 15000, 13000 },
};

static void test_budget(void **state)
{
	static const struct {
		const char *keys;
		unsigned int recommended, within;
	} rows[] = {
		{ "budget-latency = 10us\n", 1, 1 },
		{ "budget-latency = 9999ns\n", 0, 0 },
		{ "budget-latency = 15us\n", 2, 3 },
		{ "budget-latency = 1s\n", 4, 4 },
		{ "budget-cpu = 20us\n", 1, 4 },
		{ "budget-cpu = 13us\n", 2, 3 },
		{ "budget-cpu = 5us\n", 4, 1 },
		{ "budget-cpu = 4us\n", 0, 0 },
		{ "budget-latency = 15us\nbudget-cpu = 13us\n", 2, 2 },
		{ "budget-cpu = 5us\nbudget-latency = 10us\n", 0, 0 },
	};
	char text[512];
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(text, sizeof(text), COMMON "%s[modes]\n",
			 rows[i].keys);
		begin(&f, text, usual, NULL);
		assert_row(i, which(&f, RECOMMENDED) == rows[i].recommended);
		derive_values(&f.result, f.derived);
		assert_row(i, is(&f.derived[2], rows[i].within));
		assert_row(i, f.derived[0].known ==
			   !!strstr(rows[i].keys, "latency"));
		end(&f);
	}
}

/* A budget of latency is for the trimmed mean: most samples may be shorter. */
static void test_budget_mean(void **state)
{
	static const struct mode modes[4] = {
		{ 10000, 20000 }, { 10000, 20000 }, { 10000, 20000 }, { 10000, 20000 },
	};
	struct metric *metric;
	struct fixture f;
	unsigned int i;

	(void)state;
	begin(&f, COMMON "budget-latency = 11us\n[modes]\n", modes, NULL);
	metric = (struct metric *)metrics_find(&f.result.point[0].metrics, "latency");
	for (i = 0; i < 80; i++)
		icb_hist_add(metric->hist, 20000);
	assert_int_equal(stats_of(&metric->stats, metric->hist, 1), 0);
	assert_in_range(metric->stats.percentile[STATS_50], 9900, 10100);
	derive_values(&f.result, f.derived);
	assert_true(is(&f.derived[2], 3));
	end(&f);
}

/* Modes are compared only with modes that have the same message size. */
static void test_groups(void **state)
{
	struct fixture f;
	unsigned int i;

	(void)state;
	begin(&f, COMMON "[modes]\nsize = 64,128\n", usual, NULL);
	assert_int_equal(f.plan.count, 8);
	/* the last key varies fastest: sizes 64 and 128 for each mode */
	for (i = 0; i < 8; i++) {
		struct metrics *metrics = &f.result.point[i].metrics;

		metrics_find(metrics, "cpu_per_message")->value = 100 + i;
		metrics_find(metrics, "latency")->stats.percentile[STATS_50] =
			100 + i;
	}
	for (i = 0; i < 8; i++) {
		derive_each(&f.result, i, f.derived);
		assert_row(i, is(&f.derived[PARETO], i < 2));
	}
	end(&f);
}

/* Each run is also made beside a load, except the floor, wherever its section is. */
static void test_loads(void **state)
{
	static const char *const texts[] = {
		"[modes]\n" STAGES FLOOR, FLOOR "[modes]\n" STAGES,
		"[modes]\n" FLOOR STAGES,
	};
	static const struct machine machine = { 0, 100, 0, 0, 0, 0 };
	unsigned int i, alone, modes;
	char text[512];
	struct fixture f;
	size_t t;

	(void)state;
	for (t = 0; t < ARRAY_SIZE(texts); t++) {
		snprintf(text, sizeof(text), COMMON
			 "baseline = completion:poll\nload.trigger = completion\n"
			 "load.window = 2,4\n%s", texts[t]);
		begin(&f, text, usual, &machine);
		assert_row(t, f.plan.count == 3 * 5 + 1);
		alone = modes = 0;
		for (i = 0; i < f.plan.count; i++) {
			const struct plan_point *point = &f.plan.point[i];

			alone += !point->beside;
			if (point->params.verb == ICBENCH_VERB_FLOOR) {
				assert_row(t, !point->beside);
				assert_row(t, !icb_params_has(&point->params,
							      ICBENCH_A_PARAMS_SIZE));
			}
			if (point->baseline < 0)
				continue;
			modes++;
			assert_row(t, f.plan.point[point->baseline].beside ==
				   point->beside);
			assert_row(t, f.plan.point[point->baseline].section ==
				   point->section);
			assert_row(t, f.plan.point[point->baseline].params.completion ==
				   ICBENCH_COMPLETION_POLL);
		}
		assert_row(t, alone == 6 && modes == 3 * 3);
		end(&f);
	}
}

static void test_split(void **state)
{
	static const struct {
		struct machine machine;
		u64 row[EACHS];
	} rows[] = {
		{ { 0, 100, 0, 0, 0, 0 }, { [WAKE_SAME] = 3100 } },
		{ { 0, 90, 89, 0, 0, 0 }, { [WAKE_SAME] = 3100 } },
		{ { 0, 100, 95, 0, 0, 0 }, { [WAKE_FROM_IDLE] = 2900 } },
		{ { 0, 10, 0, 90, 0, 0 }, { [WAKE_IDLE] = 5200 } },
		{ { 100, 0, 50, 100, 0, 0 }, { [WAKE_IDLE] = 5200, [INTERRUPT] = 600 } },
		{ { 0, 0, 0, 0, 0, 0 }, { [WAKE_OTHER] = 4100 } },
		{ { 100, 5, 50, 9, 0, 0 }, { [WAKE_OTHER] = 4100, [INTERRUPT] = 600 } },
		{ { 100, 0, 0, 10, 0, 0 }, { 0 } },
		{ { 100, 0, 0, 89, 0, 0 }, { 0 } },
		{ { 100, 0, 0, 101, 0, 0 }, { 0 } },
		/* handlers in both contexts, wake-ups on both kinds of CPUs */
		{ { 100, 50, 0, 0, 0, 0 }, { 0 } },
		{ { 89, 100, 0, 0, 0, 0 }, { [WAKE_SAME] = 3100 } },
	};
	double machine, interrupt;
	struct fixture f;
	unsigned int k;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&f, COMMON "[modes]\n" STAGES FLOOR, usual,
		      &rows[i].machine);
		derive_each(&f.result, 2, f.derived);
		assert_row(i, is(&f.derived[COST], 10000));
		machine = 0;
		for (k = INTERRUPT; k <= WAKE_IDLE; k++) {
			assert_row(i, f.derived[k].known == !!rows[i].row[k]);
			assert_row(i, f.derived[k].value == rows[i].row[k]);
			machine += rows[i].row[k];
		}
		interrupt = rows[i].row[INTERRUPT];
		assert_row(i, f.derived[REST].known == (machine > 0));
		if (machine > 0) {
			assert_row(i, is(&f.derived[HANDLER], 50));
			assert_row(i, is(&f.derived[WAIT],
					 3700 - (machine - interrupt)));
			assert_row(i, is(&f.derived[REST],
					 10000 - 3700 - 50 - interrupt));
		}
		/* no other run has a cost */
		for (k = 0; k < 6; k++) {
			derive_each(&f.result, k, f.derived);
			assert_row(i, f.derived[COST].known == (k == 2));
		}
		end(&f);
	}
}

/* Runs with a shadow CPU, which is not used in sections without stages. */
static void test_arrivals(void **state)
{
	static const struct {
		struct machine machine;
		u64 interrupt, missed;
	} rows[] = {
		{ { 0, 100, 0, 0, 0, 0 }, 0, 0 },
		{ { 100, 100, 0, 0, 0, 0 }, 600, 0 },
		/* of 111 and of 112 messages */
		{ { 0, 100, 0, 0, 11, 0 }, 0, 0 },
		{ { 0, 100, 0, 0, 6, 5 }, 0, 0 },
		{ { 0, 100, 0, 0, 12, 0 }, 0, 12 },
		{ { 0, 100, 0, 0, 2, 10 }, 0, 12 },
		{ { 100, 100, 0, 0, 900, 0 }, 600, 900 },
	};
	const double rest = 10000 - 3700 - 50;
	struct fixture f;
	unsigned int k;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&f, COMMON "shadow-cpu = 2\n[modes]\n" STAGES FLOOR,
		      usual, &rows[i].machine);
		for (k = 0; k < f.plan.count; k++)
			assert_row(i, icb_params_has(&f.plan.point[k].params,
						     ICBENCH_A_PARAMS_SHADOW_CPU) ==
				   (k == 4));
		derive_each(&f.result, 2, f.derived);
		assert_row(i, is(&f.derived[COST], 10000));
		assert_row(i, !f.derived[REST].known);
		assert_row(i, f.derived[UNSEEN].known == !!rows[i].missed);
		assert_row(i, f.derived[UNSEEN].value == rows[i].missed);
		for (k = INTERRUPT; rows[i].missed && k < UNSEEN; k++)
			assert_row(i, !f.derived[k].known);
		if (!rows[i].missed) {
			assert_row(i, is(&f.derived[DRIVER],
					 rest - rows[i].interrupt));
			assert_row(i, is(&f.derived[DEVICE], 9000 - rest));
		}
		end(&f);
	}
	/* the shadow CPU saw no arrival: there are no stages */
	begin(&f, COMMON "shadow-cpu = 2\n[modes]\n" STAGES FLOOR, usual,
	      &rows[4].machine);
	strcpy(metrics_find(&f.result.point[4].metrics, "interrupt")->name, "x");
	derive_each(&f.result, 2, f.derived);
	assert_true(is(&f.derived[UNSEEN], 12) && !f.derived[DRIVER].known);
	end(&f);
}

/* Missing or incomplete results count as absent. */
static void test_absent(void **state)
{
	static const struct machine machine = { 100, 100, 0, 0, 0, 0 };
	static const struct {
		unsigned int point;
		const char *metric;
		bool front, cost, split;
	} rows[] = {
		{ 1, NULL, false, true, true },
		{ 0, NULL, false, false, false },
		{ 2, NULL, false, false, false },
		{ 4, NULL, true, true, false },
		{ 5, NULL, true, true, false },
		{ 1, "cpu_per_message", false, true, true },
		{ 1, "latency", false, true, true },
		{ 0, "latency", false, false, false },
		{ 4, "handler", true, true, false },
		{ 4, "wake", true, true, false },
		{ 4, "interrupt", true, true, false },
		{ 4, "wakes_same_cpu", true, true, false },
		{ 5, "wake_same", true, true, false },
		{ 5, "hrtimer_hard", true, true, false },
		{ 5, "wake_idle", true, true, true },
	};
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct point *point;

		begin(&f, COMMON "[modes]\n" STAGES FLOOR, usual, &machine);
		point = &f.result.point[rows[i].point];
		if (rows[i].metric)
			strcpy(metrics_find(&point->metrics,
					    rows[i].metric)->name, "other");
		else
			point->job.outcome = ICBENCH_OUTCOME_STOPPED;
		derive_each(&f.result, 2, f.derived);
		assert_row(i, f.derived[PARETO].known == rows[i].front);
		assert_row(i, f.derived[COST].known == rows[i].cost);
		assert_row(i, f.derived[REST].known == rows[i].split);
		end(&f);
	}
	/* a floor of another CPU, or with another priority */
	for (i = 0; i < 2; i++) {
		begin(&f, COMMON "[modes]\n" STAGES FLOOR, usual, &machine);
		if (i)
			f.result.point[5].job.params.cpu++;
		else
			f.result.point[5].job.params.priority++;
		derive_each(&f.result, 2, f.derived);
		assert_row(i, f.derived[COST].known && !f.derived[REST].known);
		end(&f);
	}
	/* not all points were run */
	begin(&f, COMMON "[modes]\n" STAGES FLOOR, usual, &machine);
	while (f.result.count > 3)
		point_clear(&f.result.point[--f.result.count]);
	derive_each(&f.result, 2, f.derived);
	assert_true(f.derived[COST].known && !f.derived[PARETO].known);
	assert_int_equal(derive_each(&f.result, 3, f.derived), 0);
	end(&f);
}

static void test_refused(void **state)
{
	static const struct {
		const char *text;
		const char *words;
	} rows[] = {
		{ COMMON, "there is no [modes]; advice needs [modes], and uses [floor] and [stages] if the recipe has them" },
		{ COMMON STAGES FLOOR, "there is no [modes]" },
		{ COMMON "[modes]\n[floor]\n",
		  "[floor] does not measure the machine; accepted: trigger return, verb floor" },
		{ COMMON "[modes]\n[stages]\n",
		  "[stages] does not time the stages of a sleep; accepted: completion block, stages yes" },
		{ COMMON "[modes]\n[stages]\nstages = yes\ncompletion = softirq\n",
		  "[stages] does not time the stages of a sleep" },
		{ "title = x\nderive = advice\nverb = send\n[modes]\ntrigger = completion\n",
		  "[modes] has no latency of messages" },
		{ "title = x\nbudget-cpu = 1us\ntrigger = echo\nverb = send\n",
		  "budget-cpu: this benchmark does not choose a mode; accepted: " },
		{ "title = x\nderive = loggp\nbudget-latency = 1us\n"
		  "verb = send\nsize = 8\n[message]\ntrigger = echo\noverhead = yes\n"
		  "[rate]\ntrigger = completion\n[bytes]\ntrigger = completion\n"
		  "size = 1K,2K\n",
		  "budget-latency: this benchmark does not choose a mode" },
		/* the floor's section has to comply with its own rules */
		/* without stages in any section, a shadow CPU has no use */
		{ COMMON "shadow-cpu = 2\n[modes]\n" FLOOR,
		  "[modes] completion=poll: shadow-cpu: only with stages; accepted: stages yes" },
		{ COMMON "[modes]\nshadow-cpu = 2\n" STAGES FLOOR,
		  "[modes] completion=poll: shadow-cpu: only with stages; accepted: stages yes" },
		{ COMMON "[modes]\n" FLOOR "size = 4\n",
		  "[floor] size: not with verb floor" },
	};
	struct icb_reason why;
	struct recipe recipe;
	struct plan plan;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_row(i, !parse(&recipe, rows[i].text, &why));
		assert_row(i, recipe_plan(&recipe, &plan, &why) < 0);
		if (!strstr(why.text, rows[i].words))
			fail_msg("row %zu: \"%s\"", i, why.text);
		plan_free(&plan);
		recipe_free(&recipe);
	}
	assert_true(parse(&recipe, "title = x\nbudget-cpu = 1us\nbudget-cpu = 2us\n",
			  &why) < 0);
	assert_non_null(strstr(why.text, "budget-cpu: set twice; accepted: once"));
	recipe_free(&recipe);
}

static void print_end(FILE *f, const struct result *result)
{
	text_full.end(f, result, false);
}

static void print_compact(FILE *f, const struct result *result)
{
	text_compact.end(f, result, false);
}

static void test_printed(void **state)
{
	static const struct machine machine = { 0, 100, 0, 0, 0, 0 };
	char *argv[] = { "icbenchctl", NULL };
	struct nl_devs devs = { 0 };
	struct fixture f;
	char *text;

	(void)state;
	begin(&f, COMMON "budget-latency = 15us\n[modes]\n" STAGES FLOOR, usual,
	      &machine);
	f.recipe.name = alloc_text("name");
	f.result.devs = &devs;
	f.result.argv = argv;

	text = print(&f.result, print_end);
	assert_non_null(strstr(text, "\n [modes] completion=poll: on the front, least latency\n"));
	assert_non_null(strstr(text, "\n [modes] completion=softirq: on the front, recommended within the budget\n"));
	assert_non_null(strstr(text, "\n [modes] completion=adaptive: -\n"));
	assert_non_null(strstr(text, "\n wake_same      :         3.100 us "));
	assert_null(strstr(text, "wake_idle      "));
	assert_non_null(strstr(text, "\n within_budget  :             3       runs"));
	free(text);
	text = print(&f.result, print_compact);
	assert_non_null(strstr(text, "  least latency\n"));
	assert_non_null(strstr(text, "  recommended within the budget\n"));
	assert_non_null(strstr(text, "worse than softirq in both"));
	assert_non_null(strstr(text, "\n Parts          : completion=block: cost "));
	assert_non_null(strstr(text, "\n within_budget  : "));
	assert_null(strstr(text, "\n Recommended    : "));
	free(text);
	text = print(&f.result, print_json);
	assert_non_null(strstr(text, "\"pareto\":"));
	assert_non_null(strstr(text, "\"within_budget\""));
	assert_null(strstr(text, "wake_idle\":{"));
	free(text);
	text = print(&f.result, print_csv);
	assert_non_null(strstr(text, ",advice.pareto,,1,"));
	assert_non_null(strstr(text, ",advice.pareto,,0,"));
	assert_non_null(strstr(text, ",advice.handler,ns,50,"));
	assert_non_null(strstr(text, ",advice.within_budget,count,3,"));
	free(text);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_front),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_cost),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_budget_mean),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_arrivals),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
