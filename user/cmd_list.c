// SPDX-License-Identifier: GPL-2.0
#include <json-c/json.h>

#include "args.h"
#include "commands.h"
#include "datafile.h"
#include "json_add.h"
#include "message.h"
#include "recipe.h"
#include "status.h"

static const char *const options[] = { "--json", "--names", "--help", NULL };

enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_NAMES,
};

static void help(void)
{
	puts("usage: icbenchctl list [--json | --names]\n"
	     "\n"
	     "List the benchmarks, a line each.\n"
	     "\n"
	     "  --json    in JSON\n"
	     "  --names   the names only");
}

static void add_item(struct json_object *items, const struct recipe *recipe)
{
	struct json_object *item = json_object_new_object();

	json_add_string(item, "name", recipe->name);
	json_add_string(item, "title", recipe->title);
	json_object_array_add(items, item);
}

/* One that cannot be read is told of, and the others are listed. */
static int list(char **names, struct json_object *items)
{
	struct recipe recipe;
	struct icb_reason why;
	int status = 0;

	for (; *names; names++) {
		if (recipe_load(&recipe, *names, &why)) {
			message("%s", why.text);
			status = STATUS_FAILED;
		} else if (items) {
			add_item(items, &recipe);
		} else {
			printf("%-18s %s\n", recipe.name, recipe.title);
		}
		recipe_free(&recipe);
	}
	return status;
}

static int list_json(char **names)
{
	struct json_object *items = json_object_new_array();
	int status;

	status = list(names, items);
	json_print(stdout, items);
	return status;
}

static int print(enum format format)
{
	char **names = datafile_names(&datafile_recipe), **name;
	int status = 0;

	if (!*names) {
		message("no benchmarks found; say where their recipes are: ICBENCH_RECIPES=DIR");
		status = STATUS_FAILED;
	} else if (format == FORMAT_NAMES) {
		for (name = names; *name; name++)
			puts(*name);
	} else if (format == FORMAT_JSON) {
		status = list_json(names);
	} else {
		status = list(names, NULL);
	}
	datafile_names_free(names);
	return status;
}

int cmd_list(char **argv)
{
	enum format format = FORMAT_TEXT;
	struct args args;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		if (args_help(&args)) {
			help();
			return STATUS_DONE;
		}
		if (args_is(&args, "--json", NULL))
			format = FORMAT_JSON;
		else if (args_is(&args, "--names", NULL))
			format = FORMAT_NAMES;
		else
			return args_unknown(&args, "list", options);
		if (args_no_value(&args))
			return STATUS_USAGE;
	}
	return print(format);
}
