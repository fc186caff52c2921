// SPDX-License-Identifier: GPL-2.0
/*
 * The documents of both sides: files, or all results in directories, as icbenchctl suite
 * writes them. Files of a side are pooled; so are files of the same name in several
 * directories.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <json-c/json.h>

#include "base/alloc.h"
#include "side.h"
#include "stats/compare_stats.h"

/* Most groups, which is most files of a directory. */
#define GROUPS_MAX	1000
/* Most points of a document: each is compared with each point of the other side. */
#define POINTS_MAX	10000
#define SUFFIX		".json"

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static struct group *find_group(struct groups *groups, const char *name)
{
	struct group *group;
	unsigned int i;

	for (i = 0; i < groups->count; i++) {
		group = &groups->group[i];
		if (!name || !strcmp(group->name, name))
			return group;
	}
	groups->group = alloc_grow(groups->group, groups->count,
				   sizeof(*groups->group));
	group = &groups->group[groups->count++];
	memset(group, 0, sizeof(*group));
	group->name = name ? alloc_text("%s", name) : NULL;
	return group;
}

static int add_file(struct groups *groups, enum side_index index,
		    const char *path, const char *name, struct icb_reason *why)
{
	struct side *side = &find_group(groups, name)->side[index];
	struct document *doc;
	size_t count;
	int err;

	if (side->count == SAMPLE_MAX)
		return icb_refuse(why, -E2BIG,
				  "%.80s: a side has more than %u documents; accepted: up to %u",
				  path, SAMPLE_MAX, SAMPLE_MAX);
	side->doc = alloc_grow(side->doc, side->count, sizeof(*side->doc));
	doc = &side->doc[side->count++];
	err = document_read(doc, path, why);
	count = err ? 0 : json_object_array_length(doc->points);
	if (count > POINTS_MAX)
		err = icb_refuse(why, -E2BIG,
				 "%.80s: has %zu points; accepted: up to %u",
				 path, count, POINTS_MAX);
	return err;
}

static int is_result(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len > strlen(SUFFIX) &&
	       !strcmp(entry->d_name + len - strlen(SUFFIX), SUFFIX);
}

static int add_directory(struct groups *groups, enum side_index index,
			 const char *path, struct icb_reason *why)
{
	struct dirent **entries;
	int count, i, err = 0;
	char *file;

	count = scandir(path, &entries, is_result, alphasort);
	if (count < 0)
		return icb_refuse(why, -errno, "cannot read %.120s: %s", path,
				  strerror(errno));
	if (!count)
		err = icb_refuse(why, -ENOENT,
				 "%.100s: has no file *.json; accepted: a directory of icbenchctl suite",
				 path);
	if (count > GROUPS_MAX)
		err = icb_refuse(why, -E2BIG,
				 "%.100s: has %d files *" SUFFIX "; accepted: up to %u",
				 path, count, GROUPS_MAX);
	for (i = 0; i < count; i++) {
		file = alloc_text("%s/%s", path, entries[i]->d_name);
		if (!err)
			err = add_file(groups, index, file, entries[i]->d_name,
				       why);
		free(file);
		free(entries[i]);
	}
	free(entries);
	return err;
}

static int add_path(struct groups *groups, enum side_index index,
		    const char *path, const char *first, struct icb_reason *why)
{
	if (is_directory(path) != groups->is_suite)
		return icb_refuse(why, -EINVAL,
				  "%.60s is a %s, %.60s is not; accepted: files only, or directories only",
				  groups->is_suite ? first : path, "directory",
				  groups->is_suite ? path : first);
	return groups->is_suite ? add_directory(groups, index, path, why) :
		add_file(groups, index, path, NULL, why);
}

/**
 * groups_read() - read all documents of a comparison
 * @groups: groups to fill; groups_free() it in any case
 * @paths: paths of each side, one or more, ending in NULL
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int groups_read(struct groups *groups, char *const *const paths[SIDES],
		struct icb_reason *why)
{
	enum side_index index;
	char *const *path;
	int err = 0;

	memset(groups, 0, sizeof(*groups));
	groups->is_suite = is_directory(paths[SIDE_BASE][0]);
	for (index = 0; !err && index < SIDES; index++)
		for (path = paths[index]; !err && *path; path++)
			err = add_path(groups, index, *path, paths[SIDE_BASE][0],
				       why);
	return err;
}

/**
 * groups_free() - free the groups and their documents
 * @groups: the groups
 */
void groups_free(struct groups *groups)
{
	struct group *group;
	unsigned int i, j, k;

	for (i = 0; i < groups->count; i++) {
		group = &groups->group[i];
		for (j = 0; j < SIDES; j++) {
			for (k = 0; k < group->side[j].count; k++)
				document_free(&group->side[j].doc[k]);
			free(group->side[j].doc);
		}
		free(group->name);
	}
	free(groups->group);
	memset(groups, 0, sizeof(*groups));
}
