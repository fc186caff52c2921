// SPDX-License-Identifier: GPL-2.0
/* Fuzz target for recipes. */
#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"
#include "check.h"
#include "plan/recipe.h"
#include "target.h"

static void check_recipe(const struct recipe *recipe)
{
	const struct sweep *baseline = NULL;
	unsigned int i, j;

	assert(text_is_clean(recipe->title));
	assert(!recipe->about || text_is_clean(recipe->about));
	assert(!recipe->reading || text_is_clean(recipe->reading));
	assert(!recipe->published || text_is_clean(recipe->published));
	for (i = 0; i < recipe->config.count; i++)
		check_sweep(&recipe->config.sweep[i]);
	for (i = 0; i < recipe->sections.count; i++)
		for (j = 0; j < recipe->sections.section[i].config.count; j++)
			check_sweep(&recipe->sections.section[i].config.sweep[j]);
	if (recipe->baseline.param) {
		baseline = &recipe->baseline;
		assert(baseline->count == 1);
		check_sweep(baseline);
	}
	if (recipe->sections.count || recipe->derivation)
		check_runs(recipe);
	else
		check_plan(&recipe->config, baseline);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recipe recipe = { .path = alloc_text("r.icb") };
	char *copy = alloc_copy((const char *)data, size);
	struct icb_reason why;
	int err;

	err = recipe_parse(&recipe, copy, size, &why);
	check_reason(err, &why);
	/* the file may contain any bytes, but a reason is one line */
	assert(!err || !strncmp(why.text, "r.icb:", 6));
	if (!err)
		check_recipe(&recipe);
	recipe_free(&recipe);
	free(copy);
	return 0;
}
