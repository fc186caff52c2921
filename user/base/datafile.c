// SPDX-License-Identifier: GPL-2.0
/*
 * Recipes and suites: files that are called by their names, wherever they are,
 * or by their paths. One may come from anywhere: it is read whole, within
 * bounds, and without waiting for anything.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "datafile.h"
#include "text.h"

#define FILE_MAX	65536

#ifndef ICBENCH_PREFIX
#define ICBENCH_PREFIX	"/usr/local"
#endif

const struct datafile_kind datafile_recipe = {
	.noun = "recipe",
	.what = "benchmark",
	.suffix = ".icb",
	.dir = "recipes",
	.env = "ICBENCH_RECIPES",
};

const struct datafile_kind datafile_suite = {
	.noun = "suite",
	.what = "suite",
	.suffix = ".suite",
	.dir = "suites",
	.env = "ICBENCH_SUITES",
};

/* Bytes of a file's name without the suffix; 0 where that is not its kind. */
static size_t stem(const struct datafile_kind *kind, const char *name)
{
	size_t len = strlen(name), suffix = strlen(kind->suffix);

	return len > suffix && !strcmp(name + len - suffix, kind->suffix) ?
		len - suffix : 0;
}

/* The directories that hold them, best first; NULL where one does not exist. */
static char *directory(const struct datafile_kind *kind, unsigned int index)
{
	char exe[PATH_MAX];
	const char *env;
	ssize_t len;
	char *slash;

	switch (index) {
	case 0:
		env = getenv(kind->env);
		return env && *env ? alloc_text("%s", env) : NULL;
	case 1:
	case 2:
		len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
		if (len < 0)
			return NULL;
		exe[len] = '\0';
		slash = strrchr(exe, '/');
		if (!slash)
			return NULL;
		*slash = '\0';
		/* as built, and as installed anywhere */
		return alloc_text(index == 1 ? "%s/%s" :
				  "%s/../share/icbench/%s", exe, kind->dir);
	default:
		return alloc_text("%s/share/icbench/%s", ICBENCH_PREFIX,
				  kind->dir);
	}
}

#define DIRECTORIES	4

/**
 * datafile_is_name() - whether something is a name, and neither a path nor
 *	anything else
 * @name: what
 * @len: bytes of it
 *
 * Return: true if so: lower-case letters, digits and "-", which is not the
 * first.
 */
bool datafile_is_name(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!islower((unsigned char)name[i]) &&
		    !isdigit((unsigned char)name[i]) &&
		    (name[i] != '-' || !i))
			return false;
	return len;
}

/* One that is there already, from a better directory, stays. */
static char **insert(char **names, size_t *count, char *name)
{
	size_t at;

	for (at = 0; at < *count; at++)
		if (strcmp(names[at], name) >= 0)
			break;
	if (at < *count && !strcmp(names[at], name)) {
		free(name);
		return names;
	}
	names = alloc_grow(names, ++*count, sizeof(*names));
	memmove(names + at + 1, names + at,
		(*count - 1 - at) * sizeof(*names));
	names[at] = name;
	return names;
}

/**
 * datafile_names() - those that there are
 * @kind: of which kind
 *
 * Return: their names in alphabetical order, ending in NULL, for
 * datafile_names_free().
 */
char **datafile_names(const struct datafile_kind *kind)
{
	char **names = alloc_grow(NULL, 0, sizeof(*names));
	size_t count = 0, len, i;
	struct dirent *entry;
	char *path;
	DIR *dir;

	for (i = 0; i < DIRECTORIES; i++) {
		path = directory(kind, i);
		dir = path ? opendir(path) : NULL;
		free(path);
		while (dir && (entry = readdir(dir))) {
			len = stem(kind, entry->d_name);
			if (datafile_is_name(entry->d_name, len))
				names = insert(names, &count,
					       alloc_copy(entry->d_name, len));
		}
		if (dir)
			closedir(dir);
	}
	names[count] = NULL;
	return names;
}

/**
 * datafile_names_free() - free what datafile_names() gave
 * @names: that
 */
void datafile_names_free(char **names)
{
	char **p;

	for (p = names; *p; p++)
		free(*p);
	free(names);
}

/**
 * datafile_list() - those that there are, in words
 * @kind: of which kind
 *
 * Return: "bandwidth, latency", for the caller to free().
 */
char *datafile_list(const struct datafile_kind *kind)
{
	char **names = datafile_names(kind), *list = NULL, *more;
	size_t i;

	for (i = 0; names[i]; i++) {
		more = alloc_text("%s%s%s", list ? : "", list ? ", " : "",
				  names[i]);
		free(list);
		list = more;
	}
	datafile_names_free(names);
	return list ? : alloc_text("none found: set %s", kind->env);
}

/* Of a name that is none: say which ones there are. */
static void refuse_name(const struct datafile_kind *kind, const char *name,
			struct icb_reason *why)
{
	char **names = datafile_names(kind);
	const char *closest = text_closest(name, (const char *const *)names);

	icb_refuse(why, -ENOENT, "no %s \"%.32s\"%s%.32s%s; %s%s",
		   kind->what, name, closest ? "; did you mean " : "",
		   closest ? closest : "", closest ? "?" : "",
		   *names ? "icbenchctl list shows them" :
			    "none found: set ",
		   *names ? "" : kind->env);
	datafile_names_free(names);
}

/**
 * datafile_find() - find a file
 * @kind: of which kind
 * @name: its name, or its path, which is what has a "/" or the suffix
 * @why: the reason of a refusal
 *
 * Return: its path, for the caller to free(); NULL with a reason.
 */
char *datafile_find(const struct datafile_kind *kind, const char *name,
		    struct icb_reason *why)
{
	char *dir, *path, *denied = NULL;
	unsigned int i;

	if (strchr(name, '/') || stem(kind, name))
		return alloc_text("%s", name);
	for (i = 0; i < DIRECTORIES && datafile_is_name(name, strlen(name));
	     i++) {
		dir = directory(kind, i);
		if (!dir)
			continue;
		path = alloc_text("%s/%s%s", dir, name, kind->suffix);
		free(dir);
		if (!access(path, F_OK)) {
			free(denied);
			return path;
		}
		/* whoever reads it will say so */
		if (errno == EACCES && !denied)
			denied = path;
		else
			free(path);
	}
	if (denied)
		return denied;
	refuse_name(kind, name, why);
	return NULL;
}

/**
 * datafile_name() - the name that a path stands for
 * @kind: of which kind
 * @path: of the file
 *
 * Return: its last part, without the suffix, for the caller to free().
 */
char *datafile_name(const struct datafile_kind *kind, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t len = stem(kind, name);

	return alloc_copy(name, len ? len : strlen(name));
}

/* Return: bytes, at most FILE_MAX + 1; -1 with errno. */
static ssize_t read_all(int fd, char *data)
{
	size_t len = 0;
	ssize_t got;

	do {
		got = read(fd, data + len, FILE_MAX + 1 - len);
		if (got < 0)
			return got;
		len += got;
	} while (got && len <= FILE_MAX);
	return len;
}

/* Without waiting for anything: a pipe or a device is none. */
static int open_file(const struct datafile_kind *kind, const char *path,
		     struct icb_reason *why)
{
	struct stat st;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		icb_refuse(why, -errno, "cannot read the %s %.100s: %s",
			   kind->noun, path, strerror(errno));
		return fd;
	}
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	icb_refuse(why, -EINVAL, "%.100s: not a regular file; accepted: a %s",
		   path, kind->noun);
	return -1;
}

/**
 * datafile_read() - read a file
 * @kind: of which kind
 * @path: where it is
 * @size: where to: bytes of it
 * @why: the reason of a refusal
 *
 * Return: its content, with a NUL behind it, for the caller to free(); NULL
 * with a reason.
 */
char *datafile_read(const struct datafile_kind *kind, const char *path,
		    size_t *size, struct icb_reason *why)
{
	int fd = open_file(kind, path, why);
	ssize_t len;
	char *data;

	if (fd < 0)
		return NULL;
	data = alloc_zero(FILE_MAX + 2, 1);
	len = read_all(fd, data);
	if (len < 0)
		icb_refuse(why, -errno, "cannot read the %s %.100s: %s",
			   kind->noun, path, strerror(errno));
	else if (len > FILE_MAX)
		icb_refuse(why, -EINVAL,
			   "%.100s: has more than %u bytes: not a %s",
			   path, FILE_MAX, kind->noun);
	close(fd);
	*size = len;
	if (len >= 0 && len <= FILE_MAX)
		return data;
	free(data);
	return NULL;
}
