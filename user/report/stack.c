// SPDX-License-Identifier: GPL-2.0
/*
 * Call stacks as a tree: from a folded file, in which a line has the functions of a stack,
 * separated by ";", and a number of instructions; or from a profile.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "base/file_read.h"
#include "compare/document.h"
#include "stack.h"

/* Most functions of a tree, and most functions of one call stack. */
#define NODES_MAX	1000000
#define FRAMES_MAX	256

#define ACCEPTED	"accepted: lines \"FUNCTION;FUNCTION;... NUMBER\" of tests/vm/profile --folded"

/* Replaces ";" in a line: the stacks of one caller are then neighbours when sorted. */
static const char separator[] = "\001";

/**
 * struct line - a call stack
 * @frames: names of its functions, separated by the separator
 * @count: number of instructions
 */
struct line {
	const char *frames;
	double count;
};

static int by_frames(const void *a, const void *b)
{
	const struct line *one = a, *other = b;

	return strcmp(one->frames, other->frames);
}

/* The callee of a name: the last one, because the lines are sorted; or a new one. */
static struct stack *callee(struct stack *caller, const char *name, size_t len,
			    unsigned int *nodes)
{
	struct stack *last;

	if (caller->callees) {
		last = &caller->callee[caller->callees - 1];
		if (!strncmp(last->name, name, len) && !last->name[len])
			return last;
	}
	caller->callee = alloc_grow(caller->callee, caller->callees,
				    sizeof(*caller->callee));
	last = &caller->callee[caller->callees++];
	last->name = alloc_copy(name, len);
	++*nodes;
	return last;
}

/* Add a line to a tree. A stack with too many functions ends at the last one that fits. */
static void add_line(struct stack *root, const struct line *line,
		     unsigned int *nodes)
{
	struct stack *stack = root;
	const char *name = line->frames;
	unsigned int depth = 0;
	size_t len;

	stack->total += line->count;
	while (depth++ < FRAMES_MAX && *nodes < NODES_MAX) {
		len = strcspn(name, separator);
		stack = callee(stack, name, len, nodes);
		stack->total += line->count;
		if (!name[len])
			break;
		name += len + 1;
	}
	stack->own += line->count;
}

static struct stack *make_tree(struct line *line, size_t lines)
{
	struct stack *root = alloc_zero(1, sizeof(*root));
	unsigned int nodes = 0;
	size_t i;

	root->name = alloc_text("all");
	if (lines)
		qsort(line, lines, sizeof(*line), by_frames);
	for (i = 0; i < lines; i++)
		add_line(root, &line[i], &nodes);
	return root;
}

/* Take a line apart; @text is changed. Return: false if it is no call stack. */
static bool parse_line(struct line *line, char *text)
{
	char *blank = strrchr(text, ' '), *end;

	if (!blank || blank == text || blank[1] < '0' || blank[1] > '9')
		return false;
	line->count = strtod(blank + 1, &end);
	if (*end || !isfinite(line->count))
		return false;
	*blank = '\0';
	line->frames = text;
	while ((text = strchr(text, ';')))
		*text++ = *separator;
	return true;
}

/**
 * stack_read() - read a folded file
 * @path: the file
 * @most: most bytes that are accepted
 * @why: the reason of a refusal
 *
 * Return: the root of the tree, for stack_free(); NULL with a reason.
 */
struct stack *stack_read(const char *path, size_t most, struct icb_reason *why)
{
	struct stack *root = NULL;
	struct line *line = NULL;
	char *text, *next, *end;
	size_t len, lines = 0;

	text = file_read(path, "call stacks in a text file", most, &len, why);
	if (!text)
		return NULL;
	for (next = text; *next; next = end) {
		end = next + strcspn(next, "\n");
		if (!*end) {
			icb_refuse(why, -EINVAL,
				   "%.80s: truncated in line %zu; " ACCEPTED,
				   path, lines + 1);
			goto out;
		}
		*end++ = '\0';
		line = alloc_grow(line, lines, sizeof(*line));
		if (!parse_line(&line[lines++], next)) {
			icb_refuse(why, -EINVAL,
				   "%.80s: line %zu is no call stack; " ACCEPTED,
				   path, lines);
			goto out;
		}
	}
	root = make_tree(line, lines);
	if (!(root->total > 0) || !isfinite(root->total)) {
		icb_refuse(why, -EINVAL, "%.80s: has no instructions; " ACCEPTED,
			   path);
		stack_free(root);
		root = NULL;
	}
out:
	free(line);
	free(text);
	return root;
}

static char *joined(struct json_object *frames)
{
	struct json_object *frame;
	char *text;
	size_t len, i;
	FILE *f = open_memstream(&text, &len);

	for (i = 0; i < json_object_array_length(frames); i++) {
		frame = json_object_array_get_idx(frames, i);
		if (i)
			fputs(separator, f);
		fputs(json_object_get_string(frame) ? : "?", f);
	}
	fclose(f);
	return text;
}

/**
 * stack_of() - make a tree from the call stacks of a profile
 * @stacks: member "stacks" of the profile; may be NULL
 *
 * Return: the root, for stack_free(); NULL if there are no call stacks. Entries that are
 * no call stack are left out.
 */
struct stack *stack_of(struct json_object *stacks)
{
	struct json_object *row, *frames;
	struct stack *root = NULL;
	struct line *line = NULL;
	size_t lines = 0, i;
	double count;

	if (!json_object_is_type(stacks, json_type_array))
		return NULL;
	for (i = 0; i < json_object_array_length(stacks); i++) {
		row = json_object_array_get_idx(stacks, i);
		if (!document_number(row, "instructions", &count) || count < 0 ||
		    !json_object_object_get_ex(row, "frames", &frames) ||
		    !json_object_is_type(frames, json_type_array) ||
		    !json_object_array_length(frames))
			continue;
		line = alloc_grow(line, lines, sizeof(*line));
		line[lines].frames = joined(frames);
		line[lines++].count = count;
	}
	if (lines)
		root = make_tree(line, lines);
	for (i = 0; i < lines; i++)
		free((char *)line[i].frames);
	free(line);
	if (root && !(root->total > 0)) {
		stack_free(root);
		root = NULL;
	}
	return root;
}

static void free_callees(struct stack *stack)
{
	unsigned int i;

	/* the depth is at most FRAMES_MAX */
	for (i = 0; i < stack->callees; i++) {
		free_callees(&stack->callee[i]);
		free(stack->callee[i].name);
	}
	free(stack->callee);
}

/**
 * stack_free() - free a tree of calls
 * @root: the root; may be NULL
 */
void stack_free(struct stack *root)
{
	if (!root)
		return;
	free_callees(root);
	free(root->name);
	free(root);
}
