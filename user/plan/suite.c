// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/alloc.h"
#include "base/datafile.h"
#include "base/text.h"
#include "keyfile.h"
#include "keys.h"
#include "number.h"
#include "recipe.h"
#include "suite.h"

static struct suite_item *last_item(struct suite *suite)
{
	return suite->count ? &suite->item[suite->count - 1] : NULL;
}

/* Number of runs that the last experiment's own keys make. */
static unsigned int last_runs(struct suite *suite)
{
	const struct suite_item *item = last_item(suite);
	unsigned int runs = 0;

	if (item)
		plan_count(&item->config, &runs, NULL);
	return runs;
}

static int check_item(struct keyfile *file, const struct suite_item *item)
{
	if (!item || item->recipe)
		return 0;
	return keyfile_refuse(file, -EINVAL,
			      "[%.32s] has no recipe; accepted: recipe = NAME",
			      item->name);
}

/* [NAME] */
static int begin_item(struct keyfile *file, const char *name)
{
	struct suite *suite = file->data;
	struct suite_item *item;
	unsigned int i;
	int err;

	err = check_item(file, last_item(suite));
	if (!err)
		err = keyfile_check_name(file, name);
	if (err)
		return err;
	for (i = 0; i < suite->count; i++)
		if (!strcmp(suite->item[i].name, name))
			return keyfile_refuse(file, -EINVAL,
					      "[%.32s] is given twice; accepted: once",
					      name);
	suite->runs += last_runs(suite);
	suite->item = alloc_grow(suite->item, suite->count,
				 sizeof(*suite->item));
	item = &suite->item[suite->count++];
	item->name = alloc_copy(name, strlen(name));
	item->line = file->line;
	return 0;
}

static int set_recipe(struct keyfile *file, struct suite_item *item,
		      const char *value)
{
	if (item->recipe)
		return keyfile_refuse(file, -EINVAL,
				      "recipe: set twice; accepted: once");
	item->recipe = alloc_copy(value, strlen(value));
	return 0;
}

static int set_repeat(struct keyfile *file, struct suite_item *item,
		      const char *value)
{
	struct icb_reason why;
	int err;

	if (item->repeat)
		return keyfile_refuse(file, -EINVAL,
				      "repeat: set twice; accepted: once");
	err = number_parse_repeat(&item->repeat, value, &why);
	return err ? keyfile_refuse(file, err, "%s", why.text) : 0;
}

/* A list that is separated by commas. */
static int set_figures(struct keyfile *file, struct suite_item *item,
		       const char *value)
{
	unsigned int count = 0;
	char *list, *rest, *name;
	int err = 0;

	if (item->figures)
		return keyfile_refuse(file, -EINVAL,
				      "figures: set twice; accepted: once");
	list = alloc_copy(value, strlen(value));
	for (rest = list; !err && (name = strsep(&rest, ",")); ) {
		name = text_trim(name);
		item->figures = alloc_grow(item->figures, count,
					   sizeof(*item->figures));
		if (*name)
			item->figures[count++] = alloc_copy(name, strlen(name));
		else
			err = keyfile_refuse(file, -EINVAL,
					     "figures: a name is empty; accepted: NAME,NAME,...");
	}
	free(list);
	item->figures = alloc_grow(item->figures, count, sizeof(*item->figures));
	return err;
}

static int set_param(struct keyfile *file, struct suite *suite,
		     const char *key, const char *value)
{
	int err = keys_add(file, &last_item(suite)->config, "recipe", key,
			     value);

	if (!err && suite->runs + last_runs(suite) > SUITE_MAX)
		err = keyfile_refuse(file, -ERANGE,
				     "%s: the experiments make more than %u runs; accepted: fewer values",
				     key, SUITE_MAX);
	return err;
}

static int set_key(struct keyfile *file, const char *key, const char *value)
{
	struct suite *suite = file->data;
	struct suite_item *item = last_item(suite);

	if (item && !strcmp(key, "recipe"))
		return set_recipe(file, item, value);
	if (item && !strcmp(key, "repeat"))
		return set_repeat(file, item, value);
	if (item && !strcmp(key, "figures"))
		return set_figures(file, item, value);
	if (item)
		return set_param(file, suite, key, value);
	if (!strcmp(key, "title"))
		return keyfile_prose(file, &suite->title, value);
	if (!strcmp(key, "about"))
		return keyfile_prose(file, &suite->about, value);
	return keyfile_refuse(file, -EINVAL,
			      "\"%.32s\" stands before the first experiment; accepted: title, about, or [NAME] before it",
			      key);
}

/**
 * suite_parse() - parse a suite
 * @suite: destination; @suite->path is set, all other members are empty
 * @data: content of the file, followed by a NUL; modified
 * @len: length of @data without the NUL, bytes
 * @why: receives the reason of a refusal, beginning FILE:LINE or FILE
 *
 * The recipes are not read: whether they exist and take the keys is not checked.
 *
 * Return: 0, or a negative error number with a reason. The caller frees @suite with
 * suite_free() in either case.
 */
int suite_parse(struct suite *suite, char *data, size_t len,
		struct icb_reason *why)
{
	struct keyfile file = {
		.path = suite->path,
		.noun = datafile_suite.noun,
		.key = set_key,
		.section = begin_item,
		.data = suite,
		.why = why,
	};
	int err;

	err = keyfile_parse(&file, data, len);
	if (!err)
		err = check_item(&file, last_item(suite));
	if (err)
		return err;
	if (!suite->title)
		return icb_refuse(why, -EINVAL,
				  "%.100s: has no title; accepted: title = WORDS",
				  suite->path);
	if (!suite->count)
		return icb_refuse(why, -EINVAL,
				  "%.100s: has no experiment; accepted: [NAME] and recipe = NAME",
				  suite->path);
	return 0;
}

/**
 * suite_load() - find and parse a suite
 * @suite: destination
 * @name: a suite's name, or a file if it contains "/" or ends in ".suite"
 * @why: receives the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason. The caller frees @suite with
 * suite_free() in either case.
 */
int suite_load(struct suite *suite, const char *name, struct icb_reason *why)
{
	size_t len;
	char *data;
	int err;

	memset(suite, 0, sizeof(*suite));
	suite->path = datafile_find(&datafile_suite, name, why);
	if (!suite->path)
		return -ENOENT;
	suite->name = datafile_name(&datafile_suite, suite->path);
	data = datafile_read(&datafile_suite, suite->path, &len, why);
	if (!data)
		return -EINVAL;
	err = suite_parse(suite, data, len, why);
	free(data);
	return err;
}

/**
 * suite_free() - free a suite
 * @suite: the suite; empty afterwards
 */
void suite_free(struct suite *suite)
{
	char **figure;
	unsigned int i;

	for (i = 0; i < suite->count; i++) {
		free(suite->item[i].name);
		free(suite->item[i].recipe);
		for (figure = suite->item[i].figures; figure && *figure; figure++)
			free(*figure);
		free(suite->item[i].figures);
		config_free(&suite->item[i].config);
	}
	free(suite->item);
	free(suite->name);
	free(suite->path);
	free(suite->title);
	free(suite->about);
	memset(suite, 0, sizeof(*suite));
}
