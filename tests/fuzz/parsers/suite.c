// SPDX-License-Identifier: GPL-2.0
/* Fuzz target for suites. */
#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/datafile.h"
#include "base/text.h"
#include "check.h"
#include "plan/suite.h"
#include "target.h"

static void check_item(const struct suite_item *item)
{
	unsigned int i;

	/* the name becomes a file name */
	assert(datafile_is_name(item->name, strlen(item->name)));
	assert(item->recipe && text_is_clean(item->recipe));
	for (i = 0; i < item->config.count; i++)
		check_sweep(&item->config.sweep[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct suite suite = { .path = alloc_text("s.suite") };
	char *copy = alloc_copy((const char *)data, size);
	struct icb_reason why;
	unsigned int i;
	int err;

	err = suite_parse(&suite, copy, size, &why);
	check_reason(err, &why);
	assert(!err || !strncmp(why.text, "s.suite:", 8));
	if (!err)
		assert(text_is_clean(suite.title) && suite.count);
	for (i = 0; !err && i < suite.count; i++)
		check_item(&suite.item[i]);
	suite_free(&suite);
	free(copy);
	return 0;
}
