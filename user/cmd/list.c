// SPDX-License-Identifier: GPL-2.0
#include <json-c/json.h>

#include "base/args.h"
#include "base/datafile.h"
#include "base/json_add.h"
#include "base/message.h"
#include "base/status.h"
#include "commands.h"
#include "plan/recipe.h"
#include "plan/suite.h"

static const char *const options[] = {
	"--suites", "--json", "--names", "--help", NULL,
};

enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_NAMES,
};

static void help(void)
{
	puts("usage: icbenchctl list [--suites] [--json | --names]\n"
	     "\n"
	     "List the benchmarks, one per line, and then the suites.\n"
	     "\n"
	     "  --suites  only the suites; without it, --json and --names list the benchmarks\n"
	     "  --json    in JSON\n"
	     "  --names   only the names");
}

static void put_item(struct json_object *items, const char *name,
		     const char *title)
{
	struct json_object *item;

	if (!items) {
		printf("%-18s %s\n", name, title);
		return;
	}
	item = json_object_new_object();
	json_add_string(item, "name", name);
	json_add_string(item, "title", title);
	json_object_array_add(items, item);
}

static int put_recipe(struct json_object *items, const char *name,
		      struct icb_reason *why)
{
	struct recipe recipe;
	int err = recipe_load(&recipe, name, why);

	if (!err)
		put_item(items, name, recipe.title);
	recipe_free(&recipe);
	return err;
}

static int put_suite(struct json_object *items, const char *name,
		     struct icb_reason *why)
{
	struct suite suite;
	int err = suite_load(&suite, name, why);

	if (!err)
		put_item(items, name, suite.title);
	suite_free(&suite);
	return err;
}

/* A file that cannot be read is reported, and the others are still listed. */
static int list(const struct datafile_kind *kind, char **names,
		struct json_object *items)
{
	struct icb_reason why;
	int status = 0;

	for (; *names; names++) {
		if (!(kind == &datafile_suite ? put_suite : put_recipe)
		    (items, *names, &why))
			continue;
		message("%s", why.text);
		status = STATUS_FAILED;
	}
	return status;
}

static int list_json(const struct datafile_kind *kind, char **names)
{
	struct json_object *items = json_object_new_array();
	int status;

	status = list(kind, names, items);
	json_print(stdout, items);
	return status;
}

static int print(const struct datafile_kind *kind, enum format format)
{
	char **names = datafile_names(kind), **name;
	int status = 0;

	if (!*names) {
		message("no %ss found; set the directory of their %ss: %s=DIR",
			kind->what, kind->noun, kind->env);
		status = STATUS_FAILED;
	} else if (format == FORMAT_NAMES) {
		for (name = names; *name; name++)
			puts(*name);
	} else if (format == FORMAT_JSON) {
		status = list_json(kind, names);
	} else {
		status = list(kind, names, NULL);
	}
	datafile_names_free(names);
	return status;
}

static int print_all(void)
{
	int status, other;

	status = print(&datafile_recipe, FORMAT_TEXT);
	puts("\nSuites, for icbenchctl suite:\n");
	other = print(&datafile_suite, FORMAT_TEXT);
	return status ? status : other;
}

/* Refuse both formats at once: JSON contains the names, so one of them is a mistake. */
static int set_format(enum format *format, enum format wanted)
{
	if (*format != FORMAT_TEXT && *format != wanted)
		return message_usage("list: --json and --names; accepted: one of them");
	*format = wanted;
	return 0;
}

int cmd_list(char **argv)
{
	const struct datafile_kind *kind = &datafile_recipe;
	enum format format = FORMAT_TEXT;
	struct args args;
	int status;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		if (args_help(&args))
			return args_show_help(&args, help);
		status = 0;
		if (args_is(&args, "--suites", NULL))
			kind = &datafile_suite;
		else if (args_is(&args, "--json", NULL))
			status = set_format(&format, FORMAT_JSON);
		else if (args_is(&args, "--names", NULL))
			status = set_format(&format, FORMAT_NAMES);
		else
			return args_unknown(&args, "list", options);
		if (status || args_no_value(&args))
			return STATUS_USAGE;
	}
	if (kind == &datafile_recipe && format == FORMAT_TEXT)
		return print_all();
	return print(kind, format);
}
