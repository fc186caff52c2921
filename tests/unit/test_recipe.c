// SPDX-License-Identifier: GPL-2.0
#include "unit.h"
#include <sys/stat.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/datafile.h"
#include "plan/recipe.h"

#define LINE_100 \
	"1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"

static int parse_bytes(struct recipe *recipe, const char *text, size_t len,
		       struct icb_reason *why)
{
	char *copy = alloc_copy(text, len);
	int err;

	memset(recipe, 0, sizeof(*recipe));
	recipe->path = alloc_text("r.icb");
	err = recipe_parse(recipe, copy, len, why);
	free(copy);
	return err;
}

static int parse(struct recipe *recipe, const char *text,
		 struct icb_reason *why)
{
	return parse_bytes(recipe, text, strlen(text), why);
}

static void test_good(void **state)
{
	struct recipe recipe;

	(void)state;
	assert_int_equal(parse(&recipe,
			       "# a comment\n"
			       "\n"
			       "title = two  words\n"
			       "about\t=\tlong\n"
			       "\tand = longer\n"
			       "  and longest\n"
			       "reading = so\n"
			       "\tor so\n"
			       "published = none\n"
			       "published-figure = latency verb:send  size:64 | 7.5 us | A, B | C 2004\n"
			       "published-figure = bandwidth|1 MB/s|D|E\n"
			       "size=1..4\n"
			       "verify = yes   \n"
			       "baseline = size:2\n"
			       "knee = size:bandwidth_p1\n"
			       "refine = 7\nstartup = cut\n"
			       "load.size = 2,4\n"
			       "load.verb = write\n"
			       "warmup = 7", NULL), 0);
	assert_string_equal(recipe.title, "two  words");
	assert_string_equal(recipe.about, "long and = longer and longest");
	assert_string_equal(recipe.reading, "so or so");
	assert_string_equal(recipe.published, "none");
	assert_int_equal(recipe.figures, 2);
	assert_string_equal(recipe.figure[0].metric, "latency");
	assert_string_equal(recipe.figure[0].conditions, "verb:send  size:64");
	assert_true(recipe.figure[0].number == 7500);
	assert_string_equal(recipe.figure[0].unit, "ns");
	assert_string_equal(recipe.figure[0].text, "7.5 us");
	assert_string_equal(recipe.figure[0].system, "A, B");
	assert_string_equal(recipe.figure[0].source, "C 2004");
	assert_string_equal(recipe.figure[1].metric, "bandwidth");
	assert_string_equal(recipe.figure[1].conditions, "");
	assert_true(recipe.figure[1].number == 1e6);
	assert_string_equal(recipe.figure[1].unit, "B/s");
	assert_int_equal(recipe.config.count, 3);
	assert_int_equal(config_find(&recipe.config,
				     icb_param_by_name("size"))->count, 3);
	assert_ptr_equal(recipe.baseline.param, icb_param_by_name("size"));
	assert_int_equal(recipe.baseline.value->number, 2);
	assert_ptr_equal(recipe.knee, icb_param_by_name("size"));
	assert_string_equal(recipe.knee_metric, "bandwidth_p1");
	assert_int_equal(recipe.refine, 7);
	assert_true(recipe.startup);
	assert_int_equal(recipe.load.count, 2);
	assert_int_equal(config_find(&recipe.load,
				     icb_param_by_name("size"))->count, 2);
	recipe_free(&recipe);
}

static const struct {
	const char *text;
	const char *words;
} bad[] = {
	{ "", "r.icb: has no title" },
	{ "size = 1\n", "r.icb: has no title" },
	{ "title = x\nsize\n", "r.icb:2: \"size\"; accepted: KEY = VALUE" },
	{ "title = x\n= 1\n", "r.icb:2: " },
	{ "title = x\nsize = 12x\n", "r.icb:2: size: \"12x\" is not a size" },
	{ "title = x\nsize =\n", "r.icb:2: size: \"\" is not a size" },
	{ "title = x\nsize = 1\nsize = 2\n", "r.icb:3: size: set twice" },
	{ "title = x\ntitle = y\n", "r.icb:2: set twice" },
	{ "title = x\nabout = y\nabout = z\n", "r.icb:3: set twice" },
	{ "title = x\nreading = y\n z\nreading = z\n", "r.icb:4: set twice" },
	{ "title = x\npublished = y\npublished = z\n", "r.icb:3: set twice" },
	{ "title = x\npublished-figure = latency | 1 us | a\n",
	  "r.icb:2: published-figure: accepted: METRIC [KEY:VALUE ...] | VALUE UNIT" },
	{ "title = x\npublished-figure = latency | 1 us | a | b | c\n",
	  "r.icb:2: published-figure: accepted: METRIC" },
	{ "title = x\npublished-figure = latency | 1 us || b\n",
	  "r.icb:2: published-figure: accepted: METRIC" },
	{ "title = x\npublished-figure = Latency | 1 us | a | b\n",
	  "r.icb:2: published-figure: \"Latency\" names no metric; accepted: METRIC" },
	{ "title = x\npublished-figure = latency | 1 | a | b\n",
	  "r.icb:2: published-figure: \"1\" is no value; accepted: NUMBER UNIT" },
	{ "title = x\npublished-figure = latency | nan us | a | b\n",
	  "r.icb:2: published-figure: \"nan us\" is no value" },
	{ "title = x\npublished-figure = latency | 1e999 us | a | b\n",
	  "r.icb:2: published-figure: \"1e999 us\" is no value" },
	{ "title = x\npublished-figure = latency | 1 ly | a | b\n",
	  "r.icb:2: published-figure: unknown unit \"ly\"; accepted: ns, us" },
	{ "title = x\npublished-figure = latency size | 1 us | a | b\n",
	  "r.icb:2: published-figure: \"size\" is no condition; accepted: KEY:VALUE" },
	{ "title = x\npublished-figure = latency frob:1 | 1 us | a | b\n",
	  "r.icb:2: published-figure: \"frob\" names no key; accepted: keys of" },
	{ "title = x\nfrob = 1\n", "r.icb:2: unknown key \"frob\"" },
	{ "title = x\nload.frob = 1\n", "r.icb:2: unknown key \"load.frob\"" },
	{ "title = x\nsize = 1..101+1\nwarmup = 1..100+1\nfrob = 1\n",
	  "r.icb:3: warmup: makes the sweep more than 10000 runs" },
	{ "title = x\nload.size = 1..101+1\nload.warmup = 1..100+1\nfrob = 1\n",
	  "r.icb:3: warmup: makes the sweep more than 10000 runs" },
	{ "title = x\n[a]\nsize = 1..101+1\nwarmup = 1..100+1\nfrob = 1\n",
	  "r.icb:4: warmup: makes the sweep more than 10000 runs" },
	{ "title = x\n[a]\nsize = 1..5000+1\n[b]\nsize = 1..5001+1\nfrob = 1\n",
	  "r.icb:5: size: the sections make more than 10000 runs" },
	{ "title = x\n[a]\nsize = 1..5000+1\n[b]\nsize = 1..5000+1\nfrob = 1\n",
	  "r.icb:6: unknown key \"frob\"" },
	{ "title = x\nload = 1\n", "r.icb:2: unknown key \"load\"" },
	{ "title = x\nload.size = x\n", "r.icb:2: size: \"x\" is not" },
	{ "title = x\nload.size = 1\nload.size = 2\n", "r.icb:3: size: set twice" },
	{ "title = x\nload.token = secretsecret\n", "r.icb:2: token: a secret" },
	{ "title = x\nSIZE = 1\n", "r.icb:2: unknown key \"SIZE\"" },
	{ "title = x\ntoken = secretsecret\n", "r.icb:2: token: a secret" },
	{ "\ttitle = x\n", "r.icb:1: an indented line" },
	{ "title = x\nsize = 1\n and on\n", "r.icb:3: an indented line" },
	{ "title = x\n size = 1\n", "r.icb:2: \"size = 1\" is indented" },
	{ "\xef\xbb\xbftitle = x\n", "r.icb:1: begins with a byte order mark" },
	{ "title = x\r\n", "r.icb:1: ends in CR LF" },
	{ "title = \x1b[2J\n", "r.icb:1: has bytes that are not text" },
	{ "title = \xff\xfe\n", "r.icb:1: has bytes that are not text" },
	{ "\x7f" "ELF\n", "r.icb:1: has bytes that are not text" },
	{ "title = x\nbaseline = poll\n", "r.icb:2: baseline: accepted" },
	{ "title = x\nbaseline = frob:1\n", "r.icb:2: baseline: \"frob:1\"" },
	{ "title = x\nbaseline = timeout:1\n", "r.icb:2: baseline: " },
	{ "title = x\nbaseline = completion:x\n", "r.icb:2: baseline: comp" },
	{ "title = x\nbaseline = size:1,2\n", "r.icb:2: baseline: accepted" },
	{ "title = x\nknee = size\n", "r.icb:2: knee: accepted: KEY:METRIC" },
	{ "title = x\nknee = size:\n", "r.icb:2: knee: accepted: KEY:METRIC" },
	{ "title = x\nknee = size:A b\n", "r.icb:2: knee: accepted: KEY" },
	{ "title = x\nknee = frob:bandwidth\n", "r.icb:2: knee: \"frob:" },
	{ "title = x\nknee = verb:bandwidth\n", "r.icb:2: knee: \"verb:" },
	{ "title = x\nknee = device:bandwidth\n", "r.icb:2: knee: \"device:" },
	{ "title = x\nknee = timeout:bandwidth\n", "r.icb:2: knee: \"time" },
	{ "title = x\nrefine = 0\n",
	  "r.icb:2: refine: 0 is out of range; accepted: 1 to 64" },
	{ "title = x\nrefine = 65\n", "r.icb:2: refine: 65 is out of range" },
	{ "title = x\nrefine = x\n", "r.icb:2: refine: " },
	{ "title = x\nrefine = 1\nrefine = 1\n",
	  "r.icb:3: refine: set twice; accepted: once" },
	{ "title = x\nstartup = no\n",
	  "r.icb:2: startup: unknown \"no\"; accepted: cut" },
	{ "title = x\nstartup = cut\nstartup = cut\n",
	  "r.icb:3: startup: set twice; accepted: once" },
	{ "title = x\nknee = size:a\nknee = size:a\n",
	  "r.icb:3: set twice" },
	{ "title = x\nbaseline = size:1\nbaseline = size:1\n",
	  "r.icb:3: set twice" },
	{ "title = x\nderive = frob\n",
	  "r.icb:2: derive: unknown \"frob\"; accepted: advice, loggp" },
	{ "title = x\nderive = loggp\nderive = loggp\n",
	  "r.icb:3: set twice" },
	{ "title = x\n[a\n", "r.icb:2: \"[a\"; accepted: [NAME]" },
	{ "title = x\n[]\n", "r.icb:2: \"\" is not a name" },
	{ "title = x\n[A]\n", "r.icb:2: \"A\" is not a name" },
	{ "title = x\n[" LINE_100 "]\n", "is not a name" },
	{ "title = x\n[a]\n[b]\n[a]\n", "r.icb:4: [a] is given twice" },
	{ "title = x\n[a]\nsize = 1\nsize = 2\n",
	  "r.icb:4: size: set twice" },
	{ "title = x\n[a]\nabout = y\n", "r.icb:3: unknown key \"about\"" },
	{ "title = x\n[a]\nload.size = 1\n", "r.icb:3: unknown key" },
	{ "title = x\n[a]\nderive = loggp\n", "r.icb:3: unknown key" },
	{ "title = x\n[a]\ntoken = secretsecret\n", "r.icb:3: token: a" },
	{ "title = x\nabout = y\n[a]\n and on\n", "r.icb:4: an indented" },
	{ "[a]\nsize = 1\n", "r.icb: has no title" },
	{ "title = " LINE_100 LINE_100 LINE_100 LINE_100 LINE_100 LINE_100
	  LINE_100 LINE_100 LINE_100 LINE_100 "\n", "r.icb:1: has 1008 bytes" },
};

static void test_bad(void **state)
{
	struct icb_reason why;
	struct recipe recipe;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_row(i, parse(&recipe, bad[i].text, &why) < 0);
		if (!strstr(why.text, bad[i].words))
			fail_msg("row %zu: \"%s\"", i, why.text);
		recipe_free(&recipe);
	}
}

/* The runs of each section, in the order of the file, with the common keys. */
static void test_sections(void **state)
{
	static const struct {
		u32 size;
		u32 trigger;
		u32 iterations;
		unsigned int section;
		int baseline;
		const char *name;
	} rows[] = {
		{ 4, ICBENCH_TRIGGER_ECHO, 9, 1, -1, "[one]" },
		{ 8, ICBENCH_TRIGGER_ECHO, 7, 2, -1, "[two] size=8" },
		{ 4, ICBENCH_TRIGGER_ECHO, 7, 2, 1, "[two] size=4" },
		{ 16, ICBENCH_TRIGGER_ECHO, 7, 2, 1, "[two] size=16" },
		{ 4, ICBENCH_TRIGGER_COMPLETION, 0, 3, -1, "[three]" },
	};
	const struct plan_point *point;
	struct config over = { 0 };
	struct icb_reason why;
	struct recipe recipe;
	struct plan plan;
	char name[64];
	size_t i;

	(void)state;
	assert_int_equal(parse(&recipe,
			       "title = x\nsize = 4\niterations = 7\n"
			       "baseline = size:8\n"
			       "[one]\niterations = 9\n"
			       "[ two ]\nsize = 4,8,16\n"
			       "[three]\ntrigger = completion\nduration = 1s\n",
			       NULL), 0);
	assert_int_equal(recipe.sections.count, 3);
	assert_int_equal(section_find(&recipe.sections, "two"), 2);
	assert_int_equal(section_find(&recipe.sections, "four"), 0);
	assert_int_equal(recipe_plan(&recipe, &plan, NULL), 0);
	assert_int_equal(plan.count, ARRAY_SIZE(rows));
	for (i = 0; i < plan.count; i++) {
		point = &plan.point[i];
		assert_row(i, point->params.size == rows[i].size);
		assert_row(i, point->params.trigger == rows[i].trigger);
		assert_row(i, point->params.iterations == rows[i].iterations);
		assert_row(i, point->section == rows[i].section);
		assert_row(i, point->baseline == rows[i].baseline);
		assert_row(i, section_point(&recipe.sections, &plan, i, name,
					    sizeof(name)) ==
			   strlen(rows[i].name));
		assert_row(i, !strcmp(name, rows[i].name));
	}
	assert_true(plan.varying & BIT_ULL(ICBENCH_A_PARAMS_TRIGGER));
	/* the same parameters, but another measurement */
	assert_false(plan_differs_only_in(&plan, 0, 2,
				 icb_param_by_name("iterations")));
	assert_true(plan_differs_only_in(&plan, 1, 2, icb_param_by_name("size")));
	/* the buffer is too short for the name */
	assert_int_equal(section_point(&recipe.sections, &plan, 1, name, 8), 7);
	assert_string_equal(name, "[two] s");
	plan_free(&plan);

	/* only common keys can be overridden */
	assert_int_equal(config_set(&over, icb_param_by_name("trigger"), "echo",
				    NULL), 0);
	assert_true(recipe_override(&recipe, &over, &why) < 0);
	assert_non_null(strstr(why.text, "trigger: section [three] of the recipe sets"));
	config_free(&over);
	assert_int_equal(config_set(&over, icb_param_by_name("size"), "5",
				    NULL), 0);
	assert_int_equal(recipe_override(&recipe, &over, &why), 0);
	assert_int_equal(recipe_plan(&recipe, &plan, NULL), 0);
	assert_int_equal(plan.point[0].params.size, 5);
	assert_int_equal(plan.point[1].params.size, 8);
	plan_free(&plan);
	recipe_free(&recipe);
}

/* The sections together have at most as many runs as one sweep may have. */
static void test_too_many(void **state)
{
	struct icb_reason why;
	struct recipe recipe;
	struct plan plan;

	(void)state;
	assert_int_equal(parse(&recipe,
			       "title = x\nsize = 1..100+1\n"
			       "[one]\nwarmup = 1..60+1\n"
			       "[two]\nwarmup = 1..60+1\n", NULL), 0);
	assert_int_equal(recipe_plan(&recipe, &plan, &why), -ERANGE);
	assert_non_null(strstr(why.text, "the sections make more than 10000"));
	plan_free(&plan);
	recipe_free(&recipe);
}

static void test_nul(void **state)
{
	struct icb_reason why;
	struct recipe recipe;

	(void)state;
	assert_true(parse_bytes(&recipe, "title = x\nsize\0 = 1\n", 20, &why) <
		    0);
	assert_non_null(strstr(why.text, "r.icb:2: has a NUL byte"));
	recipe_free(&recipe);
}

/* No prefix of a recipe, and no change of a byte, causes a crash. */
static void test_mutations(void **state)
{
	static const char text[] =
		"title = x\nabout = y\n z\nsize = 1..8+2,3\nbaseline = size:1\n"
		"completion = poll,block\nknee = size:rate\n[a]\nqps = 2\n";
	struct icb_reason why;
	struct recipe recipe;
	char copy[sizeof(text)];
	size_t i, c;

	(void)state;
	for (i = 0; i < sizeof(text); i++) {
		parse_bytes(&recipe, text, i, &why);
		recipe_free(&recipe);
		for (c = 0; c < 256; c++) {
			memcpy(copy, text, sizeof(text));
			copy[i] = c;
			parse_bytes(&recipe, copy, sizeof(text) - 1, &why);
			recipe_free(&recipe);
		}
	}
}

static char dir[] = "/tmp/icbench-test-XXXXXX";

static void put(const char *name, const char *text, size_t len)
{
	char *path = alloc_text("%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	fclose(f);
	free(path);
}

static int load(struct recipe *recipe, const char *name, struct icb_reason *why)
{
	char *path = alloc_text("%s/%s", dir, name);
	int err = recipe_load(recipe, path, why);

	free(path);
	return err;
}

static void remove_all(void)
{
	char *command = alloc_text("rm -rf %s", dir);

	assert_int_equal(system(command), 0);
	free(command);
}

static void test_files(void **state)
{
	struct icb_reason why;
	struct recipe recipe;
	char *big, *path, **names;
	bool found = false;
	size_t i;

	(void)state;
	assert_non_null(mkdtemp(dir));
	put("mine.icb", "title = mine\n", 13);
	put("Bad Name.icb", "title = x\n", 10);
	put("other.txt", "title = x\n", 10);
	assert_int_equal(load(&recipe, "mine.icb", &why), 0);
	assert_string_equal(recipe.name, "mine");
	recipe_free(&recipe);
	assert_int_equal(load(&recipe, "other.txt", &why), 0);
	assert_string_equal(recipe.name, "other.txt");
	recipe_free(&recipe);

	/* names are searched first in the directory of the environment variable */
	setenv("ICBENCH_RECIPES", dir, 1);
	assert_int_equal(recipe_load(&recipe, "mine", &why), 0);
	recipe_free(&recipe);
	assert_true(recipe_load(&recipe, "mime", &why) < 0);
	assert_non_null(strstr(why.text, "did you mean mine?"));
	recipe_free(&recipe);
	names = datafile_names(&datafile_recipe);
	for (i = 0; names[i]; i++) {
		assert_null(strchr(names[i], ' '));
		found |= !strcmp(names[i], "mine");
	}
	assert_true(found);
	datafile_names_free(names);

	assert_true(load(&recipe, "nosuch.icb", &why) < 0);
	assert_non_null(strstr(why.text, "No such file"));
	recipe_free(&recipe);
	assert_true(load(&recipe, ".", &why) < 0);
	assert_non_null(strstr(why.text, "not a regular file"));
	recipe_free(&recipe);
	path = alloc_text("%s/fifo.icb", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	free(path);
	assert_true(load(&recipe, "fifo.icb", &why) < 0);
	assert_non_null(strstr(why.text, "not a regular file"));
	recipe_free(&recipe);
	big = alloc_zero(70000, 1);
	memset(big, '\n', 70000);
	put("big.icb", big, 70000);
	free(big);
	assert_true(load(&recipe, "big.icb", &why) < 0);
	assert_non_null(strstr(why.text, "65536 bytes"));
	recipe_free(&recipe);
	remove_all();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_nul),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
