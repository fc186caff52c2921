// SPDX-License-Identifier: GPL-2.0
/*
 * Finds and reads recipes and suites, which are files that are given by name or by path.
 * A file may be from anywhere: it is read as a whole, up to a size limit and without
 * blocking.
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

/* Length of a file name without the suffix of @kind; 0 if the name lacks the suffix. */
static size_t stem(const struct datafile_kind *kind, const char *name)
{
	size_t len = strlen(name), suffix = strlen(kind->suffix);

	return len > suffix && !strcmp(name + len - suffix, kind->suffix) ?
		len - suffix : 0;
}

/* Directory @index of those to search, in order of precedence; NULL if it is not set. */
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
		/* beside the program as built, and as installed anywhere */
		return alloc_text(index == 1 ? "%s/%s" :
				  "%s/../share/icbench/%s", exe, kind->dir);
	default:
		return alloc_text("%s/share/icbench/%s", ICBENCH_PREFIX,
				  kind->dir);
	}
}

#define DIRECTORIES	4

/**
 * datafile_is_name() - check whether a string is a name, as opposed to a path
 * @name: the string
 * @len: length of the string, bytes
 *
 * Return: true if the string has only lower-case letters, digits and "-", and does not
 * begin with "-".
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

/* Insert a name in order. Drop a duplicate: its first copy has the higher precedence. */
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
 * datafile_names() - list the names of all files of a kind
 * @kind: the kind
 *
 * Return: the names in alphabetical order, ending in NULL, for datafile_names_free().
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
 * datafile_names_free() - free a list of names
 * @names: list from datafile_names()
 */
void datafile_names_free(char **names)
{
	char **p;

	for (p = names; *p; p++)
		free(*p);
	free(names);
}

/**
 * datafile_list() - list the names of all files of a kind in a string
 * @kind: the kind
 *
 * Return: "bandwidth, latency", or a hint if there are none; for the caller to free().
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

/* Refuse an unknown name. Suggest the closest known name. */
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
 * datafile_find() - find a file by its name or its path
 * @kind: kind of the file
 * @name: name or path; a string that has a "/" or the suffix is a path
 * @why: the reason of a refusal
 *
 * Return: the path of the file, for the caller to free(); NULL with a reason.
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
		/* returned if no other file is found: reading it reports the error */
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
 * datafile_name() - get the name of a file from its path
 * @kind: kind of the file
 * @path: path of the file
 *
 * Return: the last part of @path without the suffix, for the caller to free().
 */
char *datafile_name(const struct datafile_kind *kind, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t len = stem(kind, name);

	return alloc_copy(name, len ? len : strlen(name));
}

/* Return: number of bytes read, at most FILE_MAX + 1; -1 with errno. */
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

/*
 * Open a regular file without blocking. Refuse other files, such as a pipe or a device.
 */
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
 * datafile_read() - read a file as a whole
 * @kind: kind of the file
 * @path: path of the file
 * @size: set to the number of bytes
 * @why: the reason of a refusal
 *
 * Return: the content, with a NUL behind it, for the caller to free(); NULL with a
 * reason.
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
