// SPDX-License-Identifier: GPL-2.0
#include "base/alloc.h"
#include "base/datafile.h"
#include "model/buffers.h"
#include "plan/plan.h"
#include "plan/recipe.h"
#include "plan/suite.h"
#include "unit.h"

/* Regions of a side, as ICB_WIRE_REGIONS of wire.h, and bytes of a region of soft-RoCE. */
#define REGIONS		47
#define SOFT_REGION	(2 << 20)

static int parse_bytes(struct suite *suite, const char *text, size_t len,
		       struct icb_reason *why)
{
	char *copy = alloc_copy(text, len);
	int err;

	memset(suite, 0, sizeof(*suite));
	suite->path = alloc_text("s.suite");
	err = suite_parse(suite, copy, len, why);
	free(copy);
	return err;
}

static int parse(struct suite *suite, const char *text, struct icb_reason *why)
{
	return parse_bytes(suite, text, strlen(text), why);
}

static void test_good(void **state)
{
	const struct icb_param *size = icb_param_by_name("size");
	struct suite suite;

	(void)state;
	assert_int_equal(parse(&suite,
			       "# a comment\n"
			       "title = two  words\n"
			       "about = long\n"
			       "\tand longer\n"
			       "[one]\n"
			       "recipe = latency\n"
			       "size = 1..4\n"
			       "\n"
			       "[ two-2 ]\n"
			       "size = 8\n"
			       "figures = a.min , b\n"
			       "recipe = nosuch", NULL), 0);
	assert_string_equal(suite.title, "two  words");
	assert_string_equal(suite.about, "long and longer");
	assert_int_equal(suite.count, 2);
	assert_string_equal(suite.item[0].name, "one");
	assert_string_equal(suite.item[0].recipe, "latency");
	assert_int_equal(suite.item[0].line, 5);
	assert_int_equal(config_find(&suite.item[0].config, size)->count, 3);
	assert_string_equal(suite.item[1].name, "two-2");
	assert_int_equal(suite.item[1].line, 9);
	assert_int_equal(suite.item[1].config.count, 1);
	assert_null(suite.item[0].figures);
	assert_string_equal(suite.item[1].figures[0], "a.min");
	assert_string_equal(suite.item[1].figures[1], "b");
	assert_null(suite.item[1].figures[2]);
	suite_free(&suite);
}

/* Ten experiments, with the largest number of runs of a suite, in 30 lines. */
#define ONE(name)	"[" name "]\nrecipe = x\nsize = 1..10000+1\n"
#define TEN(name) \
	ONE(name "0") ONE(name "1") ONE(name "2") ONE(name "3") ONE(name "4") \
	ONE(name "5") ONE(name "6") ONE(name "7") ONE(name "8") ONE(name "9")

static const struct {
	const char *text;
	const char *words;
} bad[] = {
	{ "", "s.suite: has no title" },
	{ "title = x\n", "s.suite: has no experiment" },
	{ "title = x\n[a]\n", "s.suite:2: [a] has no recipe" },
	{ "title = x\n[a]\nsize = 1\n[b]\nrecipe = x\n",
	  "s.suite:4: [a] has no recipe" },
	{ "[a]\nrecipe = x\n", "s.suite: has no title" },
	{ "[a]\nrecipe = x\ntitle = x\n", "s.suite:3: unknown key \"title\"" },
	{ "title = x\n[a]\nrecipe = x\n[a]\n", "s.suite:4: [a] is given twice" },
	{ "title = x\n[A]\n", "s.suite:2: \"A\" is not a name" },
	{ "title = x\n[]\n", "s.suite:2: \"\" is not a name" },
	{ "title = x\n[../a]\n", "s.suite:2: \"../a\" is not a name" },
	{ "title = x\n[a\n", "s.suite:2: \"[a\"; accepted: [NAME]" },
	{ "title = x\n[\n", "s.suite:2: \"[\"; accepted: [NAME]" },
	{ "title = x\n[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]\n",
	  "is not a name; accepted: lower-case" },
	{ "title = x\nsize = 1\n", "s.suite:2: \"size\" stands before" },
	{ "title = x\nrecipe = x\n", "s.suite:2: \"recipe\" stands before" },
	{ "title = x\n[a]\nrecipe = x\nrecipe = x\n",
	  "s.suite:4: recipe: set twice" },
	{ "title = x\n[a]\nsize = 1\nsize = 1\n", "s.suite:4: size: set twice" },
	{ "title = x\n[a]\nsize = 12x\n", "s.suite:3: size: \"12x\" is not" },
	{ "title = x\n[a]\nfrob = 1\n",
	  "s.suite:3: unknown key \"frob\"; accepted: recipe and" },
	{ "title = x\n[a]\nbaseline = size:1\n",
	  "s.suite:3: unknown key \"baseline\"" },
	{ "title = x\n[a]\ntoken = secretsecret\n",
	  "s.suite:3: token: a secret must not be in a suite" },
	{ "title = x\n[a]\nsize = 1..101+1\nwarmup = 1..100+1\nfrob = 1\n",
	  "s.suite:4: warmup: makes the sweep more than 10000 runs" },
	{ "title = x\n" TEN("a") "[b]\nrecipe = x\nsize = 1\nfrob = 1\n",
	  "s.suite:34: size: the experiments make more than 100000 runs" },
	{ "title = x\n" TEN("a") "[b]\nfrob = 1\n", "s.suite:33: unknown key" },
	{ "title = x\nabout = y\n[a]\n more\n",
	  "s.suite:4: an indented line" },
	{ "title = x\nlatency\n", "s.suite:2: \"latency\"; accepted: KEY" },
	{ "title = x\n[a]\nrecipe = x\nfigures = a\nfigures = b\n",
	  "s.suite:5: figures: set twice; accepted: once" },
	{ "title = x\n[a]\nfigures = a,,b\n",
	  "s.suite:3: figures: a name is empty; accepted: NAME,NAME" },
	{ "title = x\n[a]\nfigures = a,b,\n", "s.suite:3: figures: a name" },
	{ "title = x\n[a]\nfigures =\n", "s.suite:3: " },
	{ "figures = a\n", "s.suite:1: \"figures\" stands before" },
	{ "title = \xff\n", "s.suite:1: has bytes that are not text: not a suite" },
};

static void test_bad(void **state)
{
	struct icb_reason why;
	struct suite suite;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_row(i, parse(&suite, bad[i].text, &why) < 0);
		if (!strstr(why.text, bad[i].words))
			fail_msg("row %zu: \"%s\"", i, why.text);
		suite_free(&suite);
	}
}

/* No prefix of a suite, and no change of a byte, causes a crash. */
static void test_mutations(void **state)
{
	static const char text[] =
		"title = x\nabout = y\n z\n[a]\nrecipe = b\nsize = 1,2\n[b]\n"
		"recipe = c\nfigures = d,e\n";
	char copy[sizeof(text)];
	struct icb_reason why;
	struct suite suite;
	size_t i, c;

	(void)state;
	for (i = 0; i < sizeof(text); i++) {
		parse_bytes(&suite, text, i, &why);
		suite_free(&suite);
		for (c = 0; c < 256; c++) {
			memcpy(copy, text, sizeof(text));
			copy[i] = c;
			parse_bytes(&suite, copy, sizeof(text) - 1, &why);
			suite_free(&suite);
		}
	}
}

/* Set the devices of a run over several devices, as the user has to. */
static void give_devices(struct config *config)
{
	const struct icb_param *device = icb_param_by_name("device");

	if (!config_find(config, icb_param_by_name("policy")))
		return;
	assert_int_equal(config_add(config, device, "a", NULL), 0);
	assert_int_equal(config_add(config, device, "b", NULL), 0);
}

/*
 * The bandwidth with many buffers: at least ten windows a run, so that filling and draining
 * a window does not decide the rate, and at least 1,000 messages of a point. New buffers fit
 * into the regions of a side, which hold 2 MiB each on soft-RoCE.
 */
static unsigned int expect_windows(const struct suite_item *item,
				   const struct plan *plan)
{
	const u32 repeat = item->repeat ? : 1;
	const struct icb_params *params;
	unsigned int i, streams = 0;

	if (strncmp(item->recipe, "reuse-", 6))
		return 0;
	for (i = 0; i < plan->count; i++) {
		params = &plan->point[i].params;
		if (params->trigger != ICBENCH_TRIGGER_COMPLETION)
			continue;
		streams++;
		assert_int_equal(params->window, 16);
		assert_true(params->iterations >= 10 * params->window);
		assert_true(params->iterations * repeat >= 1000);
		assert_true(icb_buffers_count(params) <=
			    REGIONS * (SOFT_REGION / params->size));
	}
	return streams;
}

/* Each experiment of the shipped suites can be run. */
static void test_shipped(void **state)
{
	char **names = datafile_names(&datafile_suite), **name;
	struct icb_reason why;
	struct recipe recipe;
	struct suite suite;
	struct plan plan;
	unsigned int i, streams = 0;

	(void)state;
	assert_non_null(*names);
	for (name = names; *name; name++) {
		if (suite_load(&suite, *name, &why))
			fail_msg("%s", why.text);
		assert_string_equal(suite.name, *name);
		for (i = 0; i < suite.count; i++) {
			if (recipe_load(&recipe, suite.item[i].recipe, &why))
				fail_msg("%s", why.text);
			config_override(&recipe.config, &suite.item[i].config);
			give_devices(&recipe.config);
			if (plan_make(&plan, &recipe.config, NULL, &why))
				fail_msg("%s: %s", suite.item[i].name,
					 why.text);
			streams += expect_windows(&suite.item[i], &plan);
			plan_free(&plan);
			recipe_free(&recipe);
		}
		suite_free(&suite);
	}
	datafile_names_free(names);
	assert_true(streams >= 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_shipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
