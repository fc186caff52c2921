// SPDX-License-Identifier: GPL-2.0
/* A comparison: a row for each figure of each point that all documents have. */
#include <stdlib.h>
#include <string.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "comparison.h"

/* Length at which a list of metrics in a message is cut, bytes. */
#define LIST_MAX	600

static bool all_icount(const struct side *side)
{
	unsigned int i;

	for (i = 0; i < side->count; i++)
		if (!side->doc[i].icount)
			return false;
	return true;
}

/**
 * comparison_read() - read the documents of a comparison, and match their points
 * @comparison: comparison to fill; comparison_free() it in any case
 * @paths: paths of each side, ending in NULL
 * @why: the reason of a refusal
 *
 * Return: 0, also if @comparison->notes has differences; or a negative error number with a
 * reason.
 */
int comparison_read(struct comparison *comparison,
		    char *const *const paths[SIDES], struct icb_reason *why)
{
	const struct group *group;
	unsigned int i;
	int err;

	memset(comparison, 0, sizeof(*comparison));
	err = groups_read(&comparison->groups, paths, why);
	if (err)
		return err;
	comparison->icount = true;
	for (i = 0; i < comparison->groups.count; i++) {
		group = &comparison->groups.group[i];
		comparison->icount &= all_icount(&group->side[SIDE_BASE]) &&
				      all_icount(&group->side[SIDE_NEW]);
	}
	conditions_check(&comparison->notes, &comparison->groups);
	pairs_find(&comparison->pairs, &comparison->groups, &comparison->notes);
	return 0;
}

static struct json_object *find_metric(const struct pair *pair,
				       enum side_index side, unsigned int index,
				       const char *name)
{
	struct json_object *metrics =
		json_object_object_get(pair->point[side][index], "metrics");

	return json_object_object_get(metrics, name);
}

static const char *unit_of(struct json_object *metric)
{
	return json_object_get_string(json_object_object_get(metric, "unit"));
}

/* Return: false if a document lacks the figure, or has it in another unit. */
static bool find_figures(struct figures *figures, const struct row *row,
			 enum side_index index, enum statistic statistic)
{
	const struct side *side = &row->pair->group->side[index];
	struct json_object *metric;
	unsigned int i;

	figures->count = side->count;
	figures->exact = all_icount(side);
	for (i = 0; i < side->count; i++) {
		metric = find_metric(row->pair, index, i, row->metric);
		if (!metric || strcmp(unit_of(metric), row->unit) ||
		    !estimate_of(&figures->estimate[i], metric, statistic,
				 side->doc[i].icount))
			return false;
	}
	return true;
}

static double mean_of(const struct figures *figures)
{
	double sum = 0;
	unsigned int i;

	for (i = 0; i < figures->count; i++)
		sum += figures->estimate[i].value / figures->count;
	return sum;
}

static void add_row(struct comparison *comparison, const struct row *like,
		    enum statistic statistic)
{
	struct figures figures[SIDES];
	struct difference *difference;
	struct row row = *like;
	int side;

	snprintf(row.name, sizeof(row.name), "%s%s", row.metric,
		 estimate_suffix(statistic));
	for (side = 0; side < SIDES; side++)
		row.has[side] = find_figures(&figures[side], &row, side,
					     statistic);
	difference = &row.difference;
	if (row.has[SIDE_BASE] && row.has[SIDE_NEW]) {
		verdict_find(difference, &figures[SIDE_BASE],
			     &figures[SIDE_NEW], row.better,
			     comparison->threshold);
	} else if (row.has[SIDE_BASE] || row.has[SIDE_NEW]) {
		difference->why_not = row.has[SIDE_BASE] ?
			"not in all new documents" :
			"not in all base documents";
		if (row.has[SIDE_BASE])
			difference->base = mean_of(&figures[SIDE_BASE]);
		else
			difference->new = mean_of(&figures[SIDE_NEW]);
	} else {
		return;
	}
	comparison->row = alloc_grow(comparison->row, comparison->rows,
				     sizeof(*comparison->row));
	comparison->row[comparison->rows++] = row;
}

static void add_metric(struct comparison *comparison, const struct pair *pair,
		       const char *name, struct json_object *metric)
{
	struct row row = { .pair = pair, .metric = name };
	enum statistic statistic;

	row.unit = unit_of(metric);
	row.better = estimate_better(name, row.unit);
	for (statistic = 0; statistic < STATISTICS; statistic++)
		add_row(comparison, &row, statistic);
}

/* Add the metrics of the base, and then those that only the new side has. */
static void add_pair(struct comparison *comparison, const struct pair *pair)
{
	struct json_object *base, *new;

	base = json_object_object_get(pair->point[SIDE_BASE][0], "metrics");
	new = json_object_object_get(pair->point[SIDE_NEW][0], "metrics");
	json_object_object_foreach(base, name, metric)
		add_metric(comparison, pair, name, metric);
	json_object_object_foreach(new, key, member)
		if (!json_object_object_get(base, key))
			add_metric(comparison, pair, key, member);
}

/**
 * comparison_make() - compare all figures
 * @comparison: comparison from comparison_read()
 * @threshold: least change that is a regression, percent; negative for the default
 */
void comparison_make(struct comparison *comparison, double threshold)
{
	unsigned int i;

	comparison->threshold = threshold >= 0 ? threshold :
		comparison->icount ? THRESHOLD_ICOUNT : THRESHOLD_TIME;
	for (i = 0; i < comparison->pairs.count; i++)
		add_pair(comparison, &comparison->pairs.pair[i]);
}

static bool is_named(const struct row *row, const char *name)
{
	return !strcmp(row->metric, name) || !strcmp(row->name, name);
}

/* True if @row is of the files named @file, or if @file is NULL. */
static bool is_of_file(const struct row *row, const char *file)
{
	const char *name = row->pair->group->name;

	return !file || (name && !strcmp(name, file));
}

/* Return: the names of metrics, each once, as many as a message has; to free(). */
static char *list_metrics(const struct comparison *comparison, const char *file)
{
	char *list = NULL, *longer;
	unsigned int i, j;

	for (i = 0; i < comparison->rows; i++) {
		if (!is_of_file(&comparison->row[i], file))
			continue;
		for (j = 0; j < i; j++)
			if (is_of_file(&comparison->row[j], file) &&
			    !strcmp(comparison->row[j].metric,
				    comparison->row[i].metric))
				break;
		if (j < i)
			continue;
		if (list && strlen(list) > LIST_MAX)
			break;
		longer = alloc_text("%s%s%s", list ? list : "",
				    list ? ", " : "",
				    comparison->row[i].metric);
		free(list);
		list = longer;
	}
	return list;
}

static bool is_wanted(const struct row *row, char *const *names)
{
	if (!names || !*names)
		return row->better != BETTER_NEITHER;
	for (; *names; names++)
		if (is_named(row, *names))
			return true;
	return false;
}

/* Return: NULL; or the reason why no row has one of the names, to free(). */
static char *check_names(const struct comparison *comparison, const char *file,
			 char *const *names)
{
	char *list, *refusal;
	unsigned int i;

	for (; names && *names; names++) {
		for (i = 0; i < comparison->rows; i++)
			if (is_of_file(&comparison->row[i], file) &&
			    is_named(&comparison->row[i], *names))
				break;
		if (i < comparison->rows)
			continue;
		list = list_metrics(comparison, file);
		refusal = alloc_text("%s: no metric \"%.60s\"; accepted: %.700s",
				     file ? file : "--metric", *names,
				     list ? list : "none");
		free(list);
		return refusal;
	}
	return NULL;
}

static char *select_rows(struct comparison *comparison, const char *file,
			 char *const *names)
{
	char *refusal = check_names(comparison, file, names);
	unsigned int i, kept = 0;

	if (refusal)
		return refusal;
	for (i = 0; i < comparison->rows; i++)
		if (!is_of_file(&comparison->row[i], file) ||
		    is_wanted(&comparison->row[i], names))
			comparison->row[kept++] = comparison->row[i];
	comparison->rows = kept;
	return NULL;
}

/**
 * comparison_select() - keep the wanted rows only
 * @comparison: comparison from comparison_make()
 * @names: names of metrics or figures, ending in NULL; without any, the rows that have no
 *	direction are removed
 *
 * Return: NULL; or the reason of a refusal, for the caller to free().
 */
char *comparison_select(struct comparison *comparison, char *const *names)
{
	return select_rows(comparison, NULL, names);
}

/**
 * comparison_select_file() - keep the wanted rows of one file only
 * @comparison: comparison of directories, from comparison_make()
 * @file: name of the file; rows of other files are kept
 * @names: as for comparison_select()
 *
 * Return: NULL; or the reason of a refusal, for the caller to free().
 */
char *comparison_select_file(struct comparison *comparison, const char *file,
			     char *const *names)
{
	return select_rows(comparison, file, names);
}

/**
 * comparison_count() - count the verdicts
 * @comparison: the comparison
 */
void comparison_count(struct comparison *comparison)
{
	const struct difference *difference;
	unsigned int i;

	memset(comparison->verdicts, 0, sizeof(comparison->verdicts));
	comparison->regressions = 0;
	for (i = 0; i < comparison->rows; i++) {
		difference = &comparison->row[i].difference;
		comparison->verdicts[difference->verdict]++;
		comparison->regressions += difference->regression;
	}
}

/**
 * comparison_free() - free a comparison
 * @comparison: the comparison
 */
void comparison_free(struct comparison *comparison)
{
	free(comparison->row);
	pairs_free(&comparison->pairs);
	notes_free(&comparison->notes);
	groups_free(&comparison->groups);
	memset(comparison, 0, sizeof(*comparison));
}
