// SPDX-License-Identifier: GPL-2.0
/*
 * Matches the points of documents by all their parameters. Points without a counterpart
 * are then matched in their order, and their difference is noted: a comparison of them has
 * to be forced.
 */
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "pair.h"

static struct json_object *parameters(struct json_object *point)
{
	return json_object_object_get(point, "parameters");
}

static struct json_object *load_parameters(struct json_object *point)
{
	struct json_object *load = json_object_object_get(point, "load");

	return json_object_is_type(load, json_type_object) ?
		json_object_object_get(load, "parameters") : NULL;
}

static bool same(struct json_object *a, struct json_object *b)
{
	return a == b || (a && b && json_object_equal(a, b));
}

static bool same_section(struct json_object *a, struct json_object *b)
{
	return same(json_object_object_get(a, "section"),
		    json_object_object_get(b, "section"));
}

static bool same_point(struct json_object *a, struct json_object *b)
{
	return same_section(a, b) && same(parameters(a), parameters(b)) &&
	       same(load_parameters(a), load_parameters(b));
}

static bool differs(struct json_object *one, struct json_object *other,
		    const char *key)
{
	return !same(json_object_object_get(one, key),
		     json_object_object_get(other, key));
}

/* The first parameter that differs; NULL if none does. */
static const char *first_difference(struct json_object *one,
				    struct json_object *other)
{
	json_object_object_foreach(one, key, value) {
		(void)value;
		if (differs(one, other, key))
			return key;
	}
	json_object_object_foreach(other, name, member) {
		(void)member;
		if (differs(one, other, name))
			return name;
	}
	return NULL;
}

/**
 * struct matching - state of matching the points of a group
 * @group: the group
 * @notes: list to which differences between points are added
 * @taken: for each document of each side, one flag per point: it has a counterpart
 * @pair: the pairs of the group: one for each point of the first base document
 * @pairs: number of pairs
 */
struct matching {
	const struct group *group;
	struct notes *notes;
	bool **taken[SIDES];
	struct pair *pair;
	size_t pairs;
};

static size_t length(const struct document *doc)
{
	return json_object_array_length(doc->points);
}

/* Take the first free point that is equal to @wanted; or of its section if @any. */
static struct json_object *take(const struct document *doc, bool *taken,
				struct json_object *wanted, bool any)
{
	struct json_object *point;
	size_t i;

	for (i = 0; i < length(doc); i++) {
		point = json_object_array_get_idx(doc->points, i);
		if (taken[i] || !(any ? same_section(point, wanted) :
					same_point(point, wanted)))
			continue;
		taken[i] = true;
		return point;
	}
	return NULL;
}

static void note_difference(struct matching *matching, size_t number,
			    const struct document *doc,
			    struct json_object *wanted,
			    struct json_object *found)
{
	const struct document *first = matching->group->side[SIDE_BASE].doc;
	const char *key, *load = "";
	char *a, *b;

	if (!found) {
		notes_add(matching->notes,
			  "point %zu of %.100s has no counterpart in %.100s",
			  number + 1, first->path, doc->path);
		return;
	}
	key = first_difference(parameters(wanted), parameters(found));
	if (!key) {
		wanted = load_parameters(wanted);
		found = load_parameters(found);
		load = "load of ";
		if (!json_object_is_type(wanted, json_type_object) ||
		    !json_object_is_type(found, json_type_object)) {
			notes_add(matching->notes,
				  "only one of %.100s and %.100s has a load at point %zu",
				  first->path, doc->path, number + 1);
			return;
		}
		key = first_difference(wanted, found);
		a = key ? document_text(wanted, key) : NULL;
		b = key ? document_text(found, key) : NULL;
	} else {
		a = document_text(parameters(wanted), key);
		b = document_text(parameters(found), key);
	}
	notes_add(matching->notes,
		  "parameter %.40s of %spoint %zu is %.60s in %.100s, %.60s in %.100s",
		  key ? key : "", load, number + 1, a ? a : "absent",
		  first->path, b ? b : "absent", doc->path);
	free(a);
	free(b);
}

/* Match all points of one document; first the equal ones, then the others in order. */
static void match_document(struct matching *matching, enum side_index side,
			   unsigned int index)
{
	const struct document *doc = &matching->group->side[side].doc[index];
	bool *taken = matching->taken[side][index];
	struct json_object *wanted, **found;
	size_t i, left = 0;
	int any;

	for (any = 0; any < 2; any++)
		for (i = 0; i < matching->pairs; i++) {
			wanted = matching->pair[i].point[SIDE_BASE][0];
			found = &matching->pair[i].point[side][index];
			if (*found)
				continue;
			*found = take(doc, taken, wanted, any);
			if (any)
				note_difference(matching, i, doc, wanted, *found);
		}
	for (i = 0; i < length(doc); i++)
		left += !taken[i];
	if (left)
		notes_add(matching->notes, "%.100s has %zu point%s that %.100s lacks",
			  doc->path, left, left == 1 ? "" : "s",
			  matching->group->side[SIDE_BASE].doc->path);
}

static void match_group(struct matching *matching)
{
	const struct group *group = matching->group;
	struct json_object *points = group->side[SIDE_BASE].doc->points;
	unsigned int side, j;
	size_t i;

	matching->pairs = json_object_array_length(points);
	matching->pair = alloc_zero(matching->pairs, sizeof(*matching->pair));
	for (i = 0; i < matching->pairs; i++) {
		matching->pair[i].group = group;
		for (side = 0; side < SIDES; side++)
			matching->pair[i].point[side] =
				alloc_zero(group->side[side].count,
					   sizeof(struct json_object *));
		matching->pair[i].point[SIDE_BASE][0] =
			json_object_array_get_idx(points, i);
	}
	for (side = 0; side < SIDES; side++) {
		matching->taken[side] = alloc_zero(group->side[side].count,
						   sizeof(bool *));
		for (j = 0; j < group->side[side].count; j++) {
			matching->taken[side][j] =
				alloc_zero(length(&group->side[side].doc[j]),
					   sizeof(bool));
			if (side || j)
				match_document(matching, side, j);
			free(matching->taken[side][j]);
		}
		free(matching->taken[side]);
	}
}

/* The parameters that differ between the points of a document; for json_object_put(). */
static struct json_object *find_varying(const struct document *doc)
{
	struct json_object *varying = json_object_new_object();
	struct json_object *first = json_object_array_get_idx(doc->points, 0);
	struct json_object *point;
	size_t i;

	for (i = 1; i < length(doc); i++) {
		point = json_object_array_get_idx(doc->points, i);
		json_object_object_foreach(parameters(point), key, value) {
			(void)value;
			if (differs(parameters(first), parameters(point), key))
				json_object_object_add(varying, key, NULL);
		}
	}
	return varying;
}

static void append(char **title, const char *key, const char *value)
{
	char *longer = alloc_text("%s%s%s%s%s", *title ? *title : "",
				  *title ? " " : "", key, *key ? "=" : "",
				  value);

	free(*title);
	*title = longer;
}

static char *make_title(struct json_object *point, struct json_object *varying)
{
	char *title = NULL, *text = document_text(point, "section");

	if (text)
		append(&title, "", text);
	free(text);
	json_object_object_foreach(varying, key, value) {
		(void)value;
		text = document_text(parameters(point), key);
		append(&title, key, text ? text : "-");
		free(text);
	}
	return title ? title : alloc_text("%s", "");
}

static bool is_complete(const struct pair *pair)
{
	unsigned int side, j;

	for (side = 0; side < SIDES; side++)
		for (j = 0; j < pair->group->side[side].count; j++)
			if (!pair->point[side][j])
				return false;
	return true;
}

static void free_pair(struct pair *pair)
{
	unsigned int side;

	for (side = 0; side < SIDES; side++)
		free(pair->point[side]);
	free(pair->title);
}

static void find_in_group(struct pairs *pairs, const struct group *group,
			  struct notes *notes)
{
	struct matching matching = { .group = group, .notes = notes };
	struct json_object *varying = find_varying(group->side[SIDE_BASE].doc);
	struct pair *pair;
	size_t i;

	match_group(&matching);
	for (i = 0; i < matching.pairs; i++) {
		pair = &matching.pair[i];
		if (!is_complete(pair)) {
			free_pair(pair);
			continue;
		}
		pair->title = make_title(pair->point[SIDE_BASE][0], varying);
		pairs->pair = alloc_grow(pairs->pair, pairs->count,
					 sizeof(*pairs->pair));
		pairs->pair[pairs->count++] = *pair;
	}
	free(matching.pair);
	json_object_put(varying);
}

/**
 * pairs_find() - match the points of all groups
 * @pairs: takes the matched points; pairs_free() it
 * @groups: the documents, to which the points refer
 * @notes: list to which differences between points are added between the points
 */
void pairs_find(struct pairs *pairs, const struct groups *groups,
		struct notes *notes)
{
	unsigned int i;

	memset(pairs, 0, sizeof(*pairs));
	for (i = 0; i < groups->count; i++)
		if (groups->group[i].side[SIDE_BASE].count &&
		    groups->group[i].side[SIDE_NEW].count)
			find_in_group(pairs, &groups->group[i], notes);
}

/**
 * pairs_free() - free matched points
 * @pairs: the points
 */
void pairs_free(struct pairs *pairs)
{
	unsigned int i;

	for (i = 0; i < pairs->count; i++)
		free_pair(&pairs->pair[i]);
	free(pairs->pair);
	memset(pairs, 0, sizeof(*pairs));
}
