// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/datafile.h"
#include "derivation.h"
#include "keyfile.h"
#include "keys.h"
#include "load.h"
#include "number.h"
#include "recipe.h"

/* One hour, ns. */
#define BUDGET_MAX	3600000000000ULL

/* baseline = KEY:VALUE */
static int set_baseline(struct keyfile *file, const char *value)
{
	struct recipe *recipe = file->data;
	struct sweep *baseline = &recipe->baseline;
	const char *colon = strchr(value, ':');
	const struct icb_param *param;
	struct icb_reason why;
	char *key;
	int err;

	if (baseline->param)
		return keyfile_refuse(file, -EINVAL,
				      "set twice; accepted: once");
	if (!colon)
		return keyfile_refuse(file, -EINVAL,
				      "baseline: accepted: KEY:VALUE");
	key = alloc_copy(value, colon - value);
	param = icb_param_by_name(key);
	free(key);
	if (!param || !(param->flags & ICB_PARAM_SWEEP))
		return keyfile_refuse(file, -EINVAL,
				      "baseline: \"%.32s\" names no key that can be swept",
				      value);
	err = sweep_parse(baseline, param, colon + 1, &why);
	if (err)
		return keyfile_refuse(file, err, "baseline: %s", why.text);
	if (baseline->count > 1)
		return keyfile_refuse(file, -EINVAL,
				      "baseline: accepted: one value");
	return 0;
}

static bool is_metric(const char *name)
{
	const char *p = name;

	while (islower((unsigned char)*p) || isdigit((unsigned char)*p) ||
	       *p == '_')
		p++;
	return p > name && !*p;
}

/* knee = KEY:METRIC */
static int set_knee(struct keyfile *file, const char *value)
{
	struct recipe *recipe = file->data;
	const char *colon = strchr(value, ':');
	const struct icb_param *param;
	char *key;

	if (recipe->knee)
		return keyfile_refuse(file, -EINVAL,
				      "set twice; accepted: once");
	if (!colon || !is_metric(colon + 1))
		return keyfile_refuse(file, -EINVAL,
				      "knee: accepted: KEY:METRIC");
	key = alloc_copy(value, colon - value);
	param = icb_param_by_name(key);
	free(key);
	if (!param || !(param->flags & ICB_PARAM_SWEEP) ||
	    param->type == ICB_PARAM_WORD || param->type == ICB_PARAM_STRING ||
	    param->type == ICB_PARAM_PLACE)
		return keyfile_refuse(file, -EINVAL,
				      "knee: \"%.32s\" names no number that can be swept",
				      value);
	recipe->knee = param;
	recipe->knee_metric = alloc_copy(colon + 1, strlen(colon + 1));
	return 0;
}

/* refine = N */
static int set_refine(struct keyfile *file, const char *value)
{
	const struct icb_param count = { .name = "refine",
		.type = ICB_PARAM_COUNT, .min = 1, .max = REFINE_MAX };
	struct recipe *recipe = file->data;
	struct icb_reason why;
	u64 number;
	int err;

	if (recipe->refine)
		return keyfile_refuse(file, -EINVAL,
				      "refine: set twice; accepted: once");
	err = number_parse(&count, value, &number, &why);
	if (!err)
		err = number_check(&count, number, &why);
	if (err)
		return keyfile_refuse(file, err, "%s", why.text);
	recipe->refine = number;
	return 0;
}

/* startup = cut */
static int set_startup(struct keyfile *file, const char *value)
{
	struct recipe *recipe = file->data;

	if (recipe->startup)
		return keyfile_refuse(file, -EINVAL,
				      "startup: set twice; accepted: once");
	if (strcmp(value, "cut"))
		return keyfile_refuse(file, -EINVAL,
				      "startup: unknown \"%.32s\"; accepted: cut",
				      value);
	recipe->startup = true;
	return 0;
}

/* columns = METRIC,METRIC... */
static int set_columns(struct keyfile *file, const char *value)
{
	struct recipe *recipe = file->data;
	const char *end;
	char *name;

	if (recipe->columns)
		return keyfile_refuse(file, -EINVAL,
				      "set twice; accepted: once");
	for (;; value = end + 1) {
		end = value + strcspn(value, ",");
		name = alloc_copy(value, end - value);
		if (!is_metric(name) || recipe->columns == RECIPE_COLUMNS) {
			free(name);
			return keyfile_refuse(file, -EINVAL,
					      "columns: accepted: METRIC,METRIC..., at most %u",
					      RECIPE_COLUMNS);
		}
		recipe->column[recipe->columns++] = name;
		if (!*end)
			return 0;
	}
}

/* derive = WHAT */
static int set_derivation(struct keyfile *file, const char *value)
{
	struct recipe *recipe = file->data;
	char names[96];

	if (recipe->derivation)
		return keyfile_refuse(file, -EINVAL,
				      "set twice; accepted: once");
	recipe->derivation = derive_find(value);
	if (recipe->derivation)
		return 0;
	derive_list(names, sizeof(names));
	return keyfile_refuse(file, -EINVAL,
			      "derive: unknown \"%.32s\"; accepted: %s", value,
			      names);
}

/* isolate = no|warn|require */
static int set_isolate(struct keyfile *file, const char *value)
{
	struct recipe *recipe = file->data;
	struct icb_reason why;

	if (recipe->isolates)
		return keyfile_refuse(file, -EINVAL,
				      "isolate: set twice; accepted: once");
	recipe->isolates = true;
	if (isolate_parse(&recipe->isolate, value, &why))
		return keyfile_refuse(file, -EINVAL, "%s", why.text);
	return 0;
}

/**
 * recipe_budget() - parse a limit on the latency or CPU time of a message
 * @budget: destination
 * @key: "budget-latency" or "budget-cpu"
 * @value: a time, as text
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL or -ERANGE with a reason.
 */
int recipe_budget(struct budget *budget, const char *key, const char *value,
		  struct icb_reason *why)
{
	const struct icb_param time = { .name = key, .type = ICB_PARAM_TIME,
		.min = 1, .max = BUDGET_MAX, .flags = ICB_PARAM_UNIT };
	u64 *ns = strcmp(key, "budget-cpu") ? &budget->latency : &budget->cpu;
	int err;

	err = number_parse(&time, value, ns, why);
	return err ? err : number_check(&time, *ns, why);
}

/* budget-latency = TIME, budget-cpu = TIME */
static int set_budget(struct keyfile *file, const char *key, const char *value)
{
	struct recipe *recipe = file->data;
	struct budget budget = { 0 };
	struct icb_reason why;
	int err;

	err = recipe_budget(&budget, key, value, &why);
	if (err)
		return keyfile_refuse(file, err, "%s", why.text);
	if ((budget.latency && recipe->budget.latency) ||
	    (budget.cpu && recipe->budget.cpu))
		return keyfile_refuse(file, -EINVAL,
				      "%s: set twice; accepted: once", key);
	recipe->budget.latency += budget.latency;
	recipe->budget.cpu += budget.cpu;
	return 0;
}

/* repeat = N */
static int set_repeat(struct keyfile *file, const char *value)
{
	struct recipe *recipe = file->data;
	struct icb_reason why;
	int err;

	if (recipe->repeat)
		return keyfile_refuse(file, -EINVAL,
				      "repeat: set twice; accepted: once");
	err = number_parse_repeat(&recipe->repeat, value, &why);
	return err ? keyfile_refuse(file, err, "%s", why.text) : 0;
}

/* published-figure = METRIC [KEY:VALUE ...] | VALUE UNIT | SYSTEM | SOURCE */
static int add_figure(struct keyfile *file, const char *value)
{
	struct recipe *recipe = file->data;
	struct icb_reason why;
	int err;

	if (recipe->figures == PUBLISHED_MAX)
		return keyfile_refuse(file, -E2BIG,
				      "published-figure: accepted: up to %u of them",
				      PUBLISHED_MAX);
	recipe->figure = alloc_grow(recipe->figure, recipe->figures,
				    sizeof(*recipe->figure));
	err = published_parse(&recipe->figure[recipe->figures++], value, &why);
	return err ? keyfile_refuse(file, err, "%s", why.text) : 0;
}

#define OTHERS	"title, about, reading, published, published-figure, baseline, knee, refine, startup, columns, derive, isolate, budget-latency, budget-cpu, repeat, load.KEY"

static int set_key(struct keyfile *file, const char *key, const char *value)
{
	struct recipe *recipe = file->data;

	if (recipe->sections.count && !strcmp(key, "repeat"))
		return keyfile_refuse(file, -EINVAL,
				      "repeat: all sections have the same; accepted: before the first one");
	if (recipe->sections.count)
		return section_key(file, &recipe->sections, key, value);
	if (!strcmp(key, "title"))
		return keyfile_prose(file, &recipe->title, value);
	if (!strcmp(key, "about"))
		return keyfile_prose(file, &recipe->about, value);
	if (!strcmp(key, "reading"))
		return keyfile_prose(file, &recipe->reading, value);
	if (!strcmp(key, "published"))
		return keyfile_prose(file, &recipe->published, value);
	if (!strcmp(key, "published-figure"))
		return add_figure(file, value);
	if (!strcmp(key, "baseline"))
		return set_baseline(file, value);
	if (!strcmp(key, "knee"))
		return set_knee(file, value);
	if (!strcmp(key, "refine"))
		return set_refine(file, value);
	if (!strcmp(key, "startup"))
		return set_startup(file, value);
	if (!strcmp(key, "columns"))
		return set_columns(file, value);
	if (!strcmp(key, "derive"))
		return set_derivation(file, value);
	if (!strcmp(key, "isolate"))
		return set_isolate(file, value);
	if (!strcmp(key, "budget-latency") || !strcmp(key, "budget-cpu"))
		return set_budget(file, key, value);
	if (!strcmp(key, "repeat"))
		return set_repeat(file, value);
	if (load_param(key))
		return keys_add(file, &recipe->load, OTHERS,
				  key + strlen(LOAD_PREFIX), value);
	return keys_add(file, &recipe->config, OTHERS, key, value);
}

static int begin_section(struct keyfile *file, const char *name)
{
	struct recipe *recipe = file->data;

	return section_begin(file, &recipe->sections, name);
}

/**
 * recipe_parse() - parse a recipe
 * @recipe: destination; @recipe->path is set, all other members are empty
 * @data: content of the file, followed by a NUL; modified
 * @len: length of @data without the NUL, bytes
 * @why: receives the reason of a refusal, beginning FILE:LINE or FILE
 *
 * Return: 0, or a negative error number with a reason. The caller frees @recipe with
 * recipe_free() in either case.
 */
int recipe_parse(struct recipe *recipe, char *data, size_t len,
		 struct icb_reason *why)
{
	struct keyfile file = {
		.path = recipe->path,
		.noun = datafile_recipe.noun,
		.key = set_key,
		.section = begin_section,
		.data = recipe,
		.why = why,
	};
	int err;

	err = keyfile_parse(&file, data, len);
	if (!err && !recipe->title)
		err = icb_refuse(why, -EINVAL,
				 "%.100s: has no title; accepted: title = WORDS",
				 recipe->path);
	return err;
}

/**
 * recipe_load() - find and parse a recipe
 * @recipe: destination
 * @name: a benchmark's name, or a file if it contains "/" or ends in ".icb"
 * @why: receives the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason. The caller frees @recipe with
 * recipe_free() in either case.
 */
int recipe_load(struct recipe *recipe, const char *name,
		struct icb_reason *why)
{
	size_t len;
	char *data;
	int err;

	memset(recipe, 0, sizeof(*recipe));
	recipe->path = datafile_find(&datafile_recipe, name, why);
	if (!recipe->path)
		return -ENOENT;
	recipe->name = datafile_name(&datafile_recipe, recipe->path);
	data = datafile_read(&datafile_recipe, recipe->path, &len, why);
	if (!data)
		return -EINVAL;
	err = recipe_parse(recipe, data, len, why);
	free(data);
	return err;
}

/**
 * recipe_override() - override a recipe's keys by the user's
 * @recipe: the recipe
 * @over: the user's keys; empty afterwards, unless refused
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL with a reason.
 */
int recipe_override(struct recipe *recipe, struct config *over,
		    struct icb_reason *why)
{
	return section_override(&recipe->sections, &recipe->config, over, why);
}

/* Unless the number of runs is set, points that are subtracted are run several times. */
static unsigned int choose_repeat(const struct recipe *recipe,
				  const struct plan *plan)
{
	if (recipe->repeat)
		return recipe->repeat;
	if (recipe->derivation && !recipe->derivation->once)
		return REPEAT_DEFAULT;
	return plan_subtracts(plan) ? REPEAT_DEFAULT : 1;
}

/**
 * recipe_plan() - make the runs that a recipe asks for
 * @recipe: the recipe
 * @plan: destination; plan_free() it in any case
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL, -ERANGE or -EOPNOTSUPP with a reason.
 */
int recipe_plan(const struct recipe *recipe, struct plan *plan,
		struct icb_reason *why)
{
	const struct sweep *baseline = recipe->baseline.param ?
		&recipe->baseline : NULL;
	int err;

	if (recipe->sections.count)
		err = section_plan(&recipe->sections, &recipe->config, baseline,
				   plan, why);
	else
		err = plan_make(plan, &recipe->config, baseline, why);
	if (!err)
		err = load_plan(plan, &recipe->load, !baseline, why);
	if (!err && recipe->derivation)
		err = recipe->derivation->check(&recipe->sections, plan, why);
	if (!err)
		err = plan_repeat(plan, choose_repeat(recipe, plan), why);
	plan->shrinks = recipe->knee && recipe->refine;
	if (!err && recipe->derivation != &derive_advice &&
	    (recipe->budget.latency || recipe->budget.cpu))
		err = icb_refuse(why, -EINVAL,
				 "%s: this benchmark does not choose a mode; accepted: with benchmark completion-modes, or a recipe with derive = advice",
				 recipe->budget.latency ? "budget-latency" :
							  "budget-cpu");
	return err;
}

/**
 * recipe_free() - free a recipe
 * @recipe: the recipe; empty afterwards
 */
void recipe_free(struct recipe *recipe)
{
	free(recipe->name);
	free(recipe->path);
	free(recipe->title);
	free(recipe->about);
	free(recipe->reading);
	free(recipe->published);
	while (recipe->figures)
		published_free(&recipe->figure[--recipe->figures]);
	free(recipe->figure);
	free(recipe->knee_metric);
	while (recipe->columns)
		free(recipe->column[--recipe->columns]);
	if (recipe->baseline.param)
		sweep_free(&recipe->baseline);
	config_free(&recipe->config);
	config_free(&recipe->load);
	section_free(&recipe->sections);
	memset(recipe, 0, sizeof(*recipe));
}
