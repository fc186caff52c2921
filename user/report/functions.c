// SPDX-License-Identifier: GPL-2.0
/*
 * Matches the functions of two profiles as tests/vm/profile does: by module and name without
 * the suffixes of a compiler, and else by a name that is unique on both sides.
 */
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "compare/document.h"
#include "functions.h"
#include "model/engine.h"

static bool is_digits(const char *s)
{
	const char *p = s;

	while (isdigit((unsigned char)*p))
		p++;
	return p > s && !*p;
}

/* True if the last part of a name, which begins with ".", is from a compiler. */
static bool is_suffix(const char *part)
{
	static const char *const words[] = {
		".isra", ".constprop", ".part", ".cold", ".llvm", ".lto_priv",
	};
	unsigned int i;

	if (is_digits(part + 1))
		return true;
	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], part))
			return true;
	return false;
}

/* Remove the suffixes of a compiler and of the kernel's build from a name. */
static void make_plain(char *name)
{
	static const char noprof[] = "_noprof";
	size_t len;
	char *part;

	for (;;) {
		part = strrchr(name, '.');
		len = strlen(name);
		if (part && part > name && is_suffix(part))
			*part = '\0';
		else if (len > strlen(noprof) &&
			 !strcmp(name + len - strlen(noprof), noprof))
			name[len - strlen(noprof)] = '\0';
		else
			return;
	}
}

static void add_side(struct functions *functions, struct json_object *root,
		     unsigned int side)
{
	struct json_object *rows = json_object_object_get(root, "functions"), *row;
	struct function *function;
	size_t i;

	for (i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		functions->function = alloc_grow(functions->function,
						 functions->count,
						 sizeof(*functions->function));
		function = &functions->function[functions->count++];
		function->name = document_text(row, "name");
		function->module = document_text(row, "module");
		document_number(row, "instructions", &function->instructions[side]);
		make_plain(function->name);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct function *one = a, *other = b;
	int order = strcmp(one->name, other->name);

	return order ? order : strcmp(one->module, other->module);
}

static int by_difference(const void *a, const void *b)
{
	const struct function *one = a, *other = b;
	double sizes[2] = {
		fabs(one->instructions[1] - one->instructions[0]),
		fabs(other->instructions[1] - other->instructions[0]),
	};

	if (sizes[0] != sizes[1])
		return sizes[0] > sizes[1] ? -1 : 1;
	return by_name(a, b);
}

/* True if two neighbours of one name are the function of another module on each side. */
static bool has_moved(const struct function *function, unsigned int left,
		      const struct function *before)
{
	bool one, other;

	if (left < 2 || strcmp(function[0].name, function[1].name) ||
	    (left > 2 && !strcmp(function[1].name, function[2].name)) ||
	    (before && !strcmp(before->name, function[0].name)))
		return false;
	one = function[0].instructions[0] > 0;
	other = function[1].instructions[0] > 0;
	return one != other && one != (function[0].instructions[1] > 0) &&
	       other != (function[1].instructions[1] > 0);
}

static void merge_into(struct function *to, struct function *from)
{
	to->instructions[0] += from->instructions[0];
	to->instructions[1] += from->instructions[1];
	free(from->name);
	free(from->module);
}

/* Merge neighbours that are one function: of one module, or if @moved, of two modules. */
static void merge(struct functions *functions, bool moved)
{
	struct function *row = functions->function, kept, gone;
	unsigned int i, made = 0;

	for (i = 0; i < functions->count; i++) {
		if (moved && has_moved(&row[i], functions->count - i,
				       made ? &row[made - 1] : NULL)) {
			/* the module of the new profile is kept */
			kept = row[i].instructions[1] > 0 ? row[i] : row[i + 1];
			gone = row[i].instructions[1] > 0 ? row[i + 1] : row[i];
			merge_into(&kept, &gone);
			row[made++] = kept;
			i++;
		} else if (!moved && made && !by_name(&row[made - 1], &row[i])) {
			merge_into(&row[made - 1], &row[i]);
		} else {
			row[made++] = row[i];
		}
	}
	functions->count = made;
}

/**
 * functions_match() - match the functions of two profiles
 * @functions: destination; functions_free() it
 * @base: the one profile
 * @new: the other profile
 */
void functions_match(struct functions *functions, struct json_object *base,
		     struct json_object *new)
{
	memset(functions, 0, sizeof(*functions));
	add_side(functions, base, 0);
	add_side(functions, new, 1);
	qsort(functions->function, functions->count,
	      sizeof(*functions->function), by_name);
	merge(functions, false);
	merge(functions, true);
	qsort(functions->function, functions->count,
	      sizeof(*functions->function), by_difference);
}

/**
 * functions_free() - free the functions
 * @functions: the functions
 */
void functions_free(struct functions *functions)
{
	unsigned int i;

	for (i = 0; i < functions->count; i++) {
		free(functions->function[i].name);
		free(functions->function[i].module);
	}
	free(functions->function);
	memset(functions, 0, sizeof(*functions));
}
