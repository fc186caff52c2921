// SPDX-License-Identifier: GPL-2.0
/*
 * Conditions that all parsed input has to meet. A failed assertion is a crash, for which
 * the fuzzer saves the input.
 */
#include <assert.h>
#include <stdlib.h>

#include "model/rules.h"
#include "base/alloc.h"
#include "check.h"

/**
 * check_reason() - check that a refusal has a text
 * @err: 0 or a negative error number
 * @why: reason of the refusal
 *
 * If ICBENCH_FUZZ_GOOD is in the environment, any refusal is an error. This checks the
 * seeds
 * that are meant to be valid.
 */
void check_reason(int err, const struct icb_reason *why)
{
	if (!err)
		return;
	assert(err < 0);
	assert(memchr(why->text, '\0', sizeof(why->text)) && why->text[0]);
	if (getenv("ICBENCH_FUZZ_GOOD")) {
		fprintf(stderr, "refused: %s\n", why->text);
		abort();
	}
}

/* A peer's name cannot be set before its address is known, so print the text itself. */
static void print_one(const struct sweep *sweep, unsigned int index, char *value,
		      size_t size)
{
	struct icb_params params;

	if (sweep->param->attr == ICBENCH_A_PARAMS_PEER) {
		snprintf(value, size, "%s", sweep->value[index].text);
		return;
	}
	icb_params_init(&params);
	assert(!sweep_set(sweep, index, &params, NULL));
	plan_value(sweep->param, &params, value, size);
}

static char *print_sweep(const struct sweep *sweep)
{
	/* as long as the longest input, which may be a single name */
	char value[4096];
	char *text, *end;
	unsigned int i;

	text = alloc_zero(sweep->count, sizeof(value) + 1);
	end = text;
	for (i = 0; i < sweep->count; i++) {
		print_one(sweep, i, value, sizeof(value));
		end += sprintf(end, "%s%s", i ? "," : "", value);
	}
	return text;
}

/* A list given name by name is one value; it must not be parsed as several. */
static void read_again(struct sweep *again, const struct sweep *sweep, char *text)
{
	bool names = sweep->count == 1 && sweep->param->flags & ICB_PARAM_LIST;
	char *first = names ? strsep(&text, ",") : text;

	assert(!sweep_parse(again, sweep->param, first, NULL));
	while (names && text)
		assert(!sweep_add(again, strsep(&text, ","), NULL));
}

/**
 * check_sweep() - check that values are in range, and that their text parses to the same
 * values
 * @sweep: parsed values
 */
void check_sweep(const struct sweep *sweep)
{
	struct sweep again;
	char *text = print_sweep(sweep);
	unsigned int i;

	assert(sweep->count && sweep->count <= SWEEP_MAX);
	assert(sweep->count == 1 || sweep->param->flags & ICB_PARAM_SWEEP);
	read_again(&again, sweep, text);
	assert(again.count == sweep->count);
	for (i = 0; i < sweep->count; i++) {
		const struct value *a = &sweep->value[i], *b = &again.value[i];

		assert(a->number == b->number && a->len == b->len);
		assert(!a->text == !b->text);
		assert(!a->text || !memcmp(a->text, b->text, a->len));
	}
	sweep_free(&again);
	free(text);
}

static void check_point(const struct plan *plan, unsigned int index)
{
	const struct plan_point *point = &plan->point[index];
	struct icb_params params = point->params;
	char name[96];

	/* the rules have accepted the point, and have no defaults left to set */
	assert(!icb_params_check(&params, NULL));
	assert(!memcmp(&params, &point->params, sizeof(params)));
	/* the baseline is an earlier point, which has no baseline itself */
	assert(point->baseline >= -1 && point->baseline < (int)index);
	assert(point->baseline < 0 || plan->point[point->baseline].baseline < 0);
	plan_name(plan, &point->params, name, sizeof(name));
	assert(!*name == !plan->varying);
}

/**
 * check_runs() - check the runs of a recipe and their sections
 * @recipe: parsed recipe
 */
void check_runs(const struct recipe *recipe)
{
	struct icb_reason why;
	struct plan plan;
	unsigned int i;
	int err;

	err = recipe_plan(recipe, &plan, &why);
	check_reason(err, &why);
	assert(err || (plan.count && plan.count <= SWEEP_MAX));
	for (i = 0; !err && i < plan.count; i++) {
		assert(plan.point[i].section <= recipe->sections.count);
		assert(!plan.point[i].section == !recipe->sections.count);
		assert(plan.point[i].baseline < (int)i);
	}
	plan_free(&plan);
}

/**
 * check_plan() - check that the runs of a configuration are its product, and are valid
 * @config: parsed keys
 * @baseline: values that the others are compared with; may be NULL
 */
void check_plan(const struct config *config, const struct sweep *baseline)
{
	unsigned long long product = 1;
	struct icb_reason why;
	struct plan plan;
	unsigned int i;
	int err;

	for (i = 0; i < config->count; i++)
		product *= product > SWEEP_MAX ? 1 : config->sweep[i].count;
	err = plan_make(&plan, config, baseline, &why);
	check_reason(err, &why);
	assert(err || plan.count == product);
	assert(product <= SWEEP_MAX || err == -ERANGE);
	for (i = 0; !err && i < plan.count; i++)
		check_point(&plan, i);
	plan_free(&plan);
}
