// SPDX-License-Identifier: GPL-2.0
/*
 * The conditions of a comparison: what has to be equal in all documents, and what has to
 * be equal in the documents of one side. The kernel and icbench may differ between the
 * sides: they are what is compared.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "base/text.h"
#include "condition.h"

/**
 * notes_add() - add a difference
 * @notes: the differences
 * @fmt: format as for printf()
 */
void notes_add(struct notes *notes, const char *fmt, ...)
{
	va_list args;
	char *text;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = alloc_text("%s", fmt);
	va_end(args);
	text_one_line(text);
	notes->text = alloc_grow(notes->text, notes->count,
				 sizeof(*notes->text));
	notes->text[notes->count++] = text;
}

/**
 * notes_free() - free the differences
 * @notes: the differences
 */
void notes_free(struct notes *notes)
{
	unsigned int i;

	for (i = 0; i < notes->count; i++)
		free(notes->text[i]);
	free(notes->text);
	memset(notes, 0, sizeof(*notes));
}

static char *environment_text(const struct document *doc, const char *key)
{
	return document_text(doc->environment, key);
}

/**
 * condition_machine() - the machine type of a document's kernel
 * @doc: the document
 *
 * Return: the last word of the kernel, such as "x86_64", for the caller to free(); NULL if
 * the document has no kernel.
 */
char *condition_machine(const struct document *doc)
{
	char *kernel = document_text(doc->environment, "kernel"), *machine;
	const char *blank = kernel ? strrchr(kernel, ' ') : NULL;

	machine = blank ? alloc_text("%s", blank + 1) : NULL;
	free(kernel);
	return machine;
}

static char *machine_text(const struct document *doc, const char *key)
{
	(void)key;
	return condition_machine(doc);
}

static char *benchmark_text(const struct document *doc, const char *key)
{
	return document_text(doc->root, key);
}

static char *clock_text(const struct document *doc, const char *key)
{
	(void)key;
	return alloc_text("%s", doc->icount ? "executed instructions" :
			  "time");
}

/* Rows of conditions: @is_pool is for documents of one side only. */
static const struct condition {
	const char *what;
	const char *key;
	char *(*text)(const struct document *doc, const char *key);
	bool is_pool;
} conditions[] = {
	{ "the benchmark", "benchmark", benchmark_text, false },
	{ "the clock's unit", "icount", clock_text, false },
	{ "the machine type", "kernel", machine_text, false },
	{ "the CPU", "cpu", environment_text, false },
	{ "the number of CPUs", "cpus", environment_text, false },
	{ "the hypervisor", "hypervisor", environment_text, false },
	{ "the device", "device", environment_text, false },
	{ "the driver", "driver", environment_text, false },
	{ "the link", "link", environment_text, false },
	{ "the MTU", "mtu", environment_text, false },
	{ "the clock source", "clocksource", environment_text, false },
	{ "the kernel", "kernel", environment_text, true },
	{ "the build", "build", environment_text, true },
	{ "the version of icbench", "icbench", environment_text, true },
};

static void check(struct notes *notes, const struct condition *condition,
		  const struct document *one, const struct document *other)
{
	char *a = condition->text(one, condition->key);
	char *b = condition->text(other, condition->key);

	if (a != b && (!a || !b || strcmp(a, b)))
		notes_add(notes, "%s is %.60s in %.100s, %.60s in %.100s%s",
			  condition->what, a ? a : "absent", one->path,
			  b ? b : "absent", other->path,
			  condition->is_pool ?
			  ": documents of one side are repeats of one run" : "");
	free(a);
	free(b);
}

/* Compare with the first base document, and with the first document of its own side. */
static void check_document(struct notes *notes, const struct group *group,
			   enum side_index index, unsigned int number)
{
	const struct document *doc = &group->side[index].doc[number];
	unsigned int i;

	if (doc->partial)
		notes_add(notes, "%.100s is partial", doc->path);
	for (i = 0; i < ARRAY_SIZE(conditions); i++)
		check(notes, &conditions[i],
		      conditions[i].is_pool ? group->side[index].doc :
					      group->side[SIDE_BASE].doc, doc);
}

/**
 * conditions_check() - find out whether documents can be compared
 * @notes: takes each difference that makes them incomparable
 * @groups: the documents
 */
void conditions_check(struct notes *notes, const struct groups *groups)
{
	const struct group *group;
	unsigned int i, j;
	int side;

	for (i = 0; i < groups->count; i++) {
		group = &groups->group[i];
		if (!group->side[SIDE_BASE].count ||
		    !group->side[SIDE_NEW].count) {
			notes_add(notes, "only the %s has %.100s",
				  group->side[SIDE_NEW].count ? "new side" :
								"base", group->name);
			continue;
		}
		for (side = 0; side < SIDES; side++)
			for (j = 0; j < group->side[side].count; j++)
				check_document(notes, group, side, j);
	}
}
