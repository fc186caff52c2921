// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target for lines KEY=VALUES: those of a recipe, and after an empty line the
 * user's.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "check.h"
#include "pair.h"
#include "target.h"

static void set(struct config *config, const char *line, size_t len)
{
	struct icb_reason why;
	struct pair pair;
	int err;

	pair_read(&pair, line, len);
	if (pair.param) {
		err = config_set(config, pair.param, pair.value, &why);
		check_reason(err, &why);
		/* a repeated key replaces the earlier one and becomes the last entry */
		assert(err || config_find(config, pair.param) ==
			      &config->sweep[config->count - 1]);
	}
	free(pair.value);
}

static void check_unique(const struct config *config)
{
	unsigned int i;

	for (i = 0; i < config->count; i++)
		assert(config_find(config, config->sweep[i].param) ==
		       &config->sweep[i]);
}

static bool both(const struct config *config)
{
	return config_find(config, icb_param_by_name("iterations")) &&
	       config_find(config, icb_param_by_name("duration"));
}

/* The user's keys come last and override contradicting keys of the recipe. */
static void check_override(struct config *config, struct config *over)
{
	bool user_wants_both = both(over), recipe_has_both = both(config);
	unsigned int i, count = over->count;
	const struct icb_param **order;

	order = alloc_zero(count, sizeof(*order));
	for (i = 0; i < count; i++)
		order[i] = over->sweep[i].param;
	config_override(config, over);
	assert(!over->count && config->count >= count);
	for (i = 0; i < count; i++)
		assert(config->sweep[config->count - count + i].param == order[i]);
	assert(!both(config) || user_wants_both || recipe_has_both);
	check_unique(config);
	free(order);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config recipe = { 0 }, user = { 0 }, *config = &recipe;
	char *copy = alloc_copy((const char *)data, size);
	char *next = copy, *line;

	while ((line = strsep(&next, "\n"))) {
		if (!*line)
			config = &user;
		else
			set(config, line, strlen(line));
	}
	check_unique(&recipe);
	check_unique(&user);
	check_override(&recipe, &user);
	check_plan(&recipe, NULL);
	config_free(&recipe);
	free(copy);
	return 0;
}
