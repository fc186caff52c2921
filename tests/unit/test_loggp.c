// SPDX-License-Identifier: GPL-2.0
/* Parameters of the LogGP model, from results that were computed from given parameters. */
#include "base/alloc.h"
#include "plan/derive.h"
#include "plan/result.h"
#include "print/print.h"
#include "printed.h"
#include "unit.h"

enum { L, O_S, O_R, G_SMALL, G_BYTE, REPOST, INTERCEPT, FIT };

#define COMMON \
	"title = x\nderive = loggp\nverb = send\nsize = 8\niterations = 100\n"
#define MESSAGE	"[message]\ntrigger = echo\noverhead = yes\n"
#define RECEIVE	"[receive]\ntrigger = return\nverb = descriptor\n"
#define RATE	"[rate]\ntrigger = completion\nwindow = 4\nwarmup = 0\n"
#define SIZES(s) \
	"[bytes]\ntrigger = completion\nwindow = 4\nwarmup = 0\nsize = " s "\n"

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

static void add_dist(struct metrics *metrics, const char *name, u64 value,
		     u32 divisor)
{
	struct metric *metric;

	metrics->metric = alloc_grow(metrics->metric, metrics->count,
				     sizeof(*metric));
	metric = &metrics->metric[metrics->count++];
	snprintf(metric->name, sizeof(metric->name), "%s", name);
	metric->kind = ICBENCH_METRIC_KIND_DISTRIBUTION;
	metric->unit = ICBENCH_UNIT_NS;
	metric->divisor = divisor;
	metric->hist = alloc_zero(1, sizeof(*metric->hist));
	icb_hist_reset(metric->hist);
	/* the mean is @value, and the median is not */
	icb_hist_add(metric->hist, value - 100);
	icb_hist_add(metric->hist, value - 100);
	icb_hist_add(metric->hist, value + 200);
	assert_int_equal(stats_of(&metric->stats, metric->hist, divisor), 0);
}

static void add_rate(struct metrics *metrics, u64 ns)
{
	struct metric *metric;

	metrics->metric = alloc_grow(metrics->metric, metrics->count,
				     sizeof(*metric));
	metric = &metrics->metric[metrics->count++];
	strcpy(metric->name, "message_rate");
	metric->kind = ICBENCH_METRIC_KIND_SCALAR;
	metric->unit = ICBENCH_UNIT_PER_SECOND;
	metric->divisor = ns;
	metric->value = 1000000000;
}

/**
 * struct model - LogGP parameters of a machine, ns
 * @l: latency
 * @o_s: overhead of a send
 * @o_r: overhead of a receive
 * @rearm: time to arm the next event
 * @g: gap between small messages
 * @g_byte: time per byte of a large message, in addition to @large
 * @large: constant time of a large message
 * @repost: time to post a receive again
 */
static const struct model {
	u64 l, o_s, o_r, rearm, g, g_byte, large, repost;
} models[] = {
	{ 1300, 1700, 1800, 0, 6100, 3, 0, 250 },
	{ 5000, 400, 300, 0, 500, 1, 4000, 180 },
	{ 5000, 400, 300, 170, 500, 1, 4000, 333 },
	{ 0, 10000, 200, 0, 10000, 10, 123, 1000 },
	/* the time per byte may be too short to be visible */
	{ 900, 300, 300, 0, 500, 0, 4000, 150 },
};

static void add_point(struct result *result, const struct model *model)
{
	unsigned int index = result->count;
	const struct plan_point *planned = &result->plan->point[index];
	struct point *point = result_add(result);
	struct metrics *metrics = &point->metrics;

	memset(point, 0, sizeof(*point));
	point->job.outcome = ICBENCH_OUTCOME_COMPLETE;
	point->job.params = planned->params;
	if (planned->params.trigger == ICBENCH_TRIGGER_ECHO) {
		add_dist(metrics, "overhead",
			 model->o_s + model->o_r + model->rearm, 1);
		add_dist(metrics, "latency",
			 2 * (model->l + model->o_s + model->o_r), 2);
		add_dist(metrics, "post", model->o_s, 1);
		add_dist(metrics, "poll", model->o_r, 1);
	} else if (planned->params.trigger == ICBENCH_TRIGGER_RETURN) {
		add_dist(metrics, "post_recv", model->repost, 1);
	} else {
		add_rate(metrics, planned->params.size == 8 ? model->g :
			 model->large + model->g_byte * planned->params.size);
	}
}

struct fixture {
	struct recipe recipe;
	struct plan plan;
	struct result result;
	struct derived derived[DERIVE_MAX];
};

static void begin(struct fixture *fixture, const char *text,
		  const struct model *model)
{
	unsigned int i;

	memset(fixture, 0, sizeof(*fixture));
	assert_int_equal(parse(&fixture->recipe, text, NULL), 0);
	assert_int_equal(recipe_plan(&fixture->recipe, &fixture->plan, NULL),
			 0);
	fixture->result.recipe = &fixture->recipe;
	fixture->result.plan = &fixture->plan;
	for (i = 0; i < fixture->plan.count; i++)
		add_point(&fixture->result, model);
}

static void end(struct fixture *fixture)
{
	result_free(&fixture->result);
	plan_free(&fixture->plan);
	recipe_free(&fixture->recipe);
}

static bool is(const struct derived *derived, double value)
{
	return derived->known && derived->value > value - 1e-6 &&
	       derived->value < value + 1e-6;
}

static void test_models(void **state)
{
	static const char *const texts[] = {
		COMMON MESSAGE RATE SIZES("1K,2K,4K,64K"),
		/* in any order, and with only two sizes */
		COMMON SIZES("64K,4K") RATE "[other]\ntrigger = echo\n" MESSAGE,
		COMMON MESSAGE RECEIVE RATE SIZES("1K,2K,4K,64K"),
	};
	/* a horizontal line has no R^2, nor has a line through two points */
	static const unsigned int known[] = { 7, 6, 8 };
	u64 repost;
	const struct model *model;
	struct fixture f;
	size_t i, t;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(models); i++) {
		for (t = 0; t < ARRAY_SIZE(texts); t++) {
			model = &models[i];
			begin(&f, texts[t], model);
			repost = t == 2 ? model->repost : 0;
			assert_row(i, derive_values(&f.result, f.derived) ==
				   known[t] - (t != 1 && !model->g_byte));
			assert_row(i, is(&f.derived[INTERCEPT], model->large));
			assert_row(i, f.derived[REPOST].known == (t == 2));
			assert_row(i, t == 1 || !model->g_byte ||
				   is(&f.derived[FIT], 100));
			assert_row(i, is(&f.derived[L], model->l));
			assert_row(i, is(&f.derived[O_S], model->o_s));
			assert_row(i, is(&f.derived[O_R],
					 model->o_r + model->rearm + repost));
			assert_row(i, is(&f.derived[G_SMALL], model->g));
			assert_row(i, is(&f.derived[G_BYTE], model->g_byte));
			end(&f);
		}
	}
}

/* Regression line through points that are not on a line. */
static void test_slope(void **state)
{
	static const u64 times[] = { 100, 90, 200, 210 };
	struct fixture f;
	unsigned int i;

	(void)state;
	begin(&f, COMMON MESSAGE RATE SIZES("10,20,30,40"), &models[0]);
	for (i = 0; i < 4; i++)
		f.result.point[2 + i].metrics.metric->divisor = times[i];
	derive_values(&f.result, f.derived);
	/* (-15 * -50 + -5 * -60 + 5 * 50 + 15 * 60) / (2 * (225 + 25)) */
	assert_true(is(&f.derived[G_BYTE], 4.4));
	/* through the centre, 25 and 150; R^2 = 2200^2 / 500 / 12200 */
	assert_true(is(&f.derived[INTERCEPT], 40));
	assert_true(is(&f.derived[FIT], 100 * 2200.0 * 2200 / 500 / 12200));
	end(&f);
}

/* If the time of reposting was requested but not measured, there is no o_r. */
static void test_repost(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, COMMON MESSAGE RECEIVE RATE SIZES("1K,2K,4K"), &models[1]);
	strcpy(f.result.point[1].metrics.metric->name, "other");
	derive_values(&f.result, f.derived);
	assert_true(f.derived[L].known && f.derived[O_S].known);
	assert_false(f.derived[O_R].known || f.derived[REPOST].known);
	end(&f);
}

/* Cut short after some runs: known parameters, and whether the last run is complete. */
static void test_partial(void **state)
{
	static const struct {
		unsigned int count;
		bool whole;
		unsigned int known;
	} rows[] = {
		{ 0, true, 0 }, { 1, false, 0 }, { 1, true, 3 },
		{ 2, false, 3 }, { 2, true, 4 }, { 3, true, 4 },
		{ 4, true, 4 }, { 5, false, 4 }, { 5, true, 7 },
	};
	struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&f, COMMON MESSAGE RATE SIZES("1K,2K,4K"), &models[1]);
		while (f.result.count > rows[i].count)
			point_clear(&f.result.point[--f.result.count]);
		if (!rows[i].whole)
			f.result.point[f.result.count - 1].job.outcome =
				ICBENCH_OUTCOME_STOPPED;
		assert_row(i, derive_values(&f.result, f.derived) ==
			   rows[i].known);
		assert_row(i, f.derived[G_BYTE].known == (rows[i].known == 7));
		assert_row(i, f.derived[G_SMALL].known == (rows[i].known >= 4));
		assert_row(i, f.derived[L].known == (rows[i].known >= 3));
		end(&f);
	}
}

/* A missing metric removes the parameters that need it, and no others. */
static void test_absent(void **state)
{
	static const struct {
		unsigned int point;
		const char *metric;
		bool known[5];
	} rows[] = {
		{ 0, "overhead", { true, true, false, true, true } },
		{ 0, "latency", { false, true, true, true, true } },
		{ 0, "post", { false, false, false, true, true } },
		{ 0, "poll", { false, true, false, true, true } },
		{ 1, "message_rate", { true, true, true, false, true } },
		{ 3, "message_rate", { true, true, true, true, false } },
	};
	struct metric *metric;
	struct fixture f;
	unsigned int k;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		begin(&f, COMMON MESSAGE RATE SIZES("1K,2K,4K"), &models[1]);
		metric = metrics_find(&f.result.point[rows[i].point].metrics,
				      rows[i].metric);
		strcpy(metric->name, "other");
		derive_values(&f.result, f.derived);
		for (k = 0; k < 5; k++)
			assert_row(i, f.derived[k].known == rows[i].known[k]);
		/* a rate of 0 is no rate */
		strcpy(metric->name, rows[i].metric);
		metric->value = 0;
		metric->stats.count = 0;
		derive_values(&f.result, f.derived);
		for (k = 0; k < 5; k++)
			assert_row(i, f.derived[k].known == rows[i].known[k]);
		end(&f);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *text;
		const char *words;
	} rows[] = {
		{ COMMON, "there is no [message]; loggp needs [message], [rate] and [bytes]" },
		{ COMMON RATE SIZES("1,2"), "there is no [message]" },
		{ COMMON MESSAGE SIZES("1,2"), "there is no [rate]" },
		{ COMMON MESSAGE RATE, "there is no [bytes]" },
		{ COMMON MESSAGE RATE SIZES("4K"),
		  "[bytes] has one size; accepted: two and more" },
		{ COMMON MESSAGE RATE SIZES("4K,4K"), "[bytes] has one size" },
		{ COMMON MESSAGE RATE SIZES("4K,8K") "qps = 1,2\n",
		  "[bytes] differ in more than size" },
		{ COMMON MESSAGE "qps = 1,2\n" RATE SIZES("4K,8K"),
		  "[message] makes 2 runs, and loggp needs one" },
		{ COMMON MESSAGE RATE "qps = 1,2\n" SIZES("4K,8K"),
		  "[rate] makes 2 runs" },
		{ COMMON "load.trigger = completion\n" MESSAGE RATE
		  SIZES("4K,8K"), "[message] makes 2 runs" },
		{ COMMON "[message]\ntrigger = echo\n" RATE SIZES("4K,8K"),
		  "[message] has no calls to time at both ends" },
		{ COMMON "[message]\ntrigger = completion\n" RATE
		  SIZES("4K,8K"), "[message] has no calls to time" },
		{ COMMON MESSAGE "verb = write\n" RATE SIZES("4K,8K"),
		  "[message] has no calls to time" },
		{ COMMON MESSAGE "direction = bi\n" RATE SIZES("4K,8K"),
		  "in [message] messages cross" },
		{ COMMON MESSAGE RATE "direction = bi\n" SIZES("4K,8K"),
		  "[rate] is not a stream in one direction" },
		{ COMMON MESSAGE "[rate]\n" SIZES("4K,8K"),
		  "[rate] is not a stream" },
		{ COMMON MESSAGE RATE SIZES("4K,8K") "direction = bi\n",
		  "[bytes] is not a stream" },
		{ COMMON MESSAGE "[receive]\n" RATE SIZES("4K,8K"),
		  "[receive] does not time the call that posts a receive" },
		{ COMMON MESSAGE RECEIVE "sges = 1,2\n" RATE SIZES("4K,8K"),
		  "[receive] makes 2 runs" },
		/* a refusal names the section */
		{ COMMON MESSAGE "compute-share = 5\n" RATE SIZES("4K,8K"),
		  "[message] compute-share: " },
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
}

static void print_end(FILE *f, const struct result *result)
{
	text_full.end(f, result, false);
}

/* Unknown parameters are absent in a result, and have a placeholder in a table. */
static void test_printed(void **state)
{
	char *argv[] = { "icbenchctl", NULL };
	struct nl_devs devs = { 0 };
	struct fixture f;
	char *text;

	(void)state;
	begin(&f, COMMON MESSAGE RATE SIZES("1K,2K,4K"), &models[1]);
	f.recipe.name = alloc_text("name");
	f.result.devs = &devs;
	f.result.argv = argv;
	point_clear(&f.result.point[--f.result.count]);
	strcpy(f.result.reason, "because");

	text = print(&f.result, print_end);
	assert_non_null(strstr(text, "\n LogGP, from the means of these runs\n"));
	assert_non_null(strstr(text, "\n o_s            :         0.400 us "));
	assert_non_null(strstr(text, "\n G              :             - ns/B "));
	free(text);
	text = print(&f.result, print_json);
	assert_non_null(strstr(text, "\"o_s\""));
	assert_null(strstr(text, "\"G\""));
	free(text);
	text = print(&f.result, print_csv);
	assert_non_null(strstr(text, "Z,name,,yes,"));
	/* only a figure of a point has a section */
	assert_non_null(strstr(text, "\nmessage,"));
	assert_non_null(strstr(text, ",loggp.o_s,ns,400,"));
	assert_null(strstr(text, "loggp.G,"));
	free(text);

	/* without any known parameter, the model is not mentioned */
	while (f.result.count)
		point_clear(&f.result.point[--f.result.count]);
	text = print(&f.result, print_end);
	assert_null(strstr(text, "LogGP"));
	free(text);
	text = print(&f.result, print_json);
	assert_null(strstr(text, "derived"));
	free(text);
	end(&f);
}

/* Without a request for the model, there are no parameters. */
static void test_none(void **state)
{
	struct fixture f;

	(void)state;
	begin(&f, "title = x\nverb = send\n" MESSAGE, &models[0]);
	assert_int_equal(derive_values(&f.result, f.derived), 0);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_models),
		cmocka_unit_test(test_slope),
		cmocka_unit_test(test_repost),
		cmocka_unit_test(test_partial),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_printed),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
