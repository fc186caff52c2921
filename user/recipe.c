// SPDX-License-Identifier: GPL-2.0
/*
 * Recipes come from anywhere: a file is read whole, within bounds, and each
 * line of it is checked before anything is done with it.
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "recipe.h"
#include "text.h"

#define SUFFIX		".icb"
#define FILE_MAX	65536
#define LINE_LEN_MAX	1000

#ifndef ICBENCH_PREFIX
#define ICBENCH_PREFIX	"/usr/local"
#endif

/* where in the file we are */
struct cursor {
	struct recipe *recipe;
	char **prose;
	unsigned int line;
	struct icb_reason *why;
};

static int __printf(3, 4) refuse(const struct cursor *at, int err,
				 const char *fmt, ...)
{
	char text[sizeof(at->why->text)];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return icb_refuse(at->why, err, "%.100s:%u: %s", at->recipe->path,
			  at->line, text);
}

/* A key that describes: prose, which may go on in lines that are indented. */
static int set_prose(struct cursor *at, char **prose, const char *value)
{
	if (*prose)
		return refuse(at, -EINVAL, "set twice; accepted: once");
	*prose = alloc_copy(value, strlen(value));
	at->prose = prose;
	return 0;
}

static int go_on(struct cursor *at, const char *text)
{
	size_t len = strcspn(text, "= ");
	char *longer, *key;
	bool known;

	key = alloc_copy(text, len);
	known = icb_param_by_name(key) && text[len + strspn(text + len, " ")] == '=';
	free(key);
	if (known)
		return refuse(at, -EINVAL,
			      "\"%.32s\" is indented; accepted: a key at the beginning of its line",
			      text);
	if (!at->prose)
		return refuse(at, -EINVAL,
			      "an indented line goes on with title or about, and neither stands before it");
	longer = alloc_text("%s %s", *at->prose, text);
	free(*at->prose);
	*at->prose = longer;
	return 0;
}

/* baseline = KEY:VALUE */
static int set_baseline(struct cursor *at, const char *value)
{
	const char *colon = strchr(value, ':');
	const struct icb_param *param;
	struct icb_reason why;
	char *key;
	int err;

	if (at->recipe->baseline.param)
		return refuse(at, -EINVAL, "set twice; accepted: once");
	if (!colon)
		return refuse(at, -EINVAL, "baseline: accepted: KEY:VALUE");
	key = alloc_copy(value, colon - value);
	param = icb_param_by_name(key);
	free(key);
	if (!param || !(param->flags & ICB_PARAM_SWEEP))
		return refuse(at, -EINVAL,
			      "baseline: \"%.32s\" names no key that can be swept",
			      value);
	err = sweep_parse(&at->recipe->baseline, param, colon + 1, &why);
	if (err)
		return refuse(at, err, "baseline: %s", why.text);
	if (at->recipe->baseline.count > 1)
		return refuse(at, -EINVAL, "baseline: accepted: one value");
	return 0;
}

static bool is_metric(const char *name)
{
	const char *p = name;

	while (islower((unsigned char)*p) || isdigit((unsigned char)*p) ||
	       *p == '_')
		p++;
	return p > name && !*p;
}

/* knee = KEY:METRIC */
static int set_knee(struct cursor *at, const char *value)
{
	const char *colon = strchr(value, ':');
	const struct icb_param *param;
	char *key;

	if (at->recipe->knee)
		return refuse(at, -EINVAL, "set twice; accepted: once");
	if (!colon || !is_metric(colon + 1))
		return refuse(at, -EINVAL, "knee: accepted: KEY:METRIC");
	key = alloc_copy(value, colon - value);
	param = icb_param_by_name(key);
	free(key);
	if (!param || !(param->flags & ICB_PARAM_SWEEP) ||
	    param->type == ICB_PARAM_WORD || param->type == ICB_PARAM_STRING)
		return refuse(at, -EINVAL,
			      "knee: \"%.32s\" names no number that can be swept",
			      value);
	at->recipe->knee = param;
	at->recipe->knee_metric = alloc_copy(colon + 1, strlen(colon + 1));
	return 0;
}

static int set_param(struct cursor *at, const char *key, const char *value)
{
	const struct icb_param *param = icb_param_by_name(key);
	struct icb_reason why;
	int err;

	if (!param)
		return refuse(at, -EINVAL,
			      "unknown key \"%.32s\"; accepted: title, about, baseline, knee and the options of icbenchctl run",
			      key);
	if (param->type == ICB_PARAM_BYTES)
		return refuse(at, -EINVAL,
			      "%s: a secret has no place in a recipe; accepted: --token-file on the command line",
			      key);
	if (config_find(&at->recipe->config, param))
		return refuse(at, -EINVAL, "%s: set twice; accepted: once",
			      key);
	err = config_set(&at->recipe->config, param, value, &why);
	return err ? refuse(at, err, "%s", why.text) : 0;
}

static int set_key(struct cursor *at, const char *key, const char *value)
{
	if (!strcmp(key, "title"))
		return set_prose(at, &at->recipe->title, value);
	if (!strcmp(key, "about"))
		return set_prose(at, &at->recipe->about, value);
	at->prose = NULL;
	if (!strcmp(key, "baseline"))
		return set_baseline(at, value);
	if (!strcmp(key, "knee"))
		return set_knee(at, value);
	return set_param(at, key, value);
}

static int check_line(struct cursor *at, const char *line, size_t len)
{
	if (memchr(line, '\0', len))
		return refuse(at, -EINVAL, "has a NUL byte: not a recipe");
	if (at->line == 1 && !strncmp(line, "\xef\xbb\xbf", 3))
		return refuse(at, -EINVAL,
			      "begins with a byte order mark; accepted: plain UTF-8");
	if (len && line[len - 1] == '\r')
		return refuse(at, -EINVAL,
			      "ends in CR LF; accepted: LF (dos2unix mends it)");
	if (len > LINE_LEN_MAX)
		return refuse(at, -EINVAL,
			      "has %zu bytes; accepted: %u and fewer in a line",
			      len, LINE_LEN_MAX);
	return 0;
}

static int parse_line(struct cursor *at, char *line, size_t len)
{
	bool indented = line[0] == ' ' || line[0] == '\t';
	char *equals, *text, *p;
	int err;

	err = check_line(at, line, len);
	if (err)
		return err;
	for (p = line; *p; p++)
		if (*p == '\t')
			*p = ' ';
	if (!text_is_clean(line))
		return refuse(at, -EINVAL,
			      "has bytes that are not text: not a recipe");
	text = text_trim(line);
	if (!*text || *text == '#')
		return 0;
	if (indented)
		return go_on(at, text);
	equals = strchr(text, '=');
	if (!equals || equals == text)
		return refuse(at, -EINVAL,
			      "\"%.32s\"; accepted: KEY = VALUE, or # and a comment",
			      text);
	*equals = '\0';
	return set_key(at, text_trim(text), text_trim(equals + 1));
}

/**
 * recipe_parse() - read a recipe
 * @recipe: where to; @recipe->path is set, the rest empty
 * @data: the file, with a NUL behind it; changed
 * @len: bytes of it, without that NUL
 * @why: the reason of a refusal, beginning FILE:LINE
 *
 * Return: 0, or a negative error number with a reason; in either case
 * recipe_free() it.
 */
int recipe_parse(struct recipe *recipe, char *data, size_t len,
		 struct icb_reason *why)
{
	struct cursor at = { .recipe = recipe, .why = why };
	char *end = data + len, *eol;
	int err;

	while (data < end) {
		at.line++;
		eol = memchr(data, '\n', end - data);
		if (!eol)
			eol = end;
		*eol = '\0';
		err = parse_line(&at, data, eol - data);
		if (err)
			return err;
		data = eol + 1;
	}
	if (!recipe->title)
		return icb_refuse(why, -EINVAL,
				  "%.100s: has no title; accepted: title = WORDS",
				  recipe->path);
	return 0;
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

/* Without waiting for anything: a pipe or a device is no recipe. */
static int open_file(const char *path, struct icb_reason *why)
{
	struct stat st;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0) {
		icb_refuse(why, -errno, "cannot read the recipe %.100s: %s",
			   path, strerror(errno));
		return fd;
	}
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	icb_refuse(why, -EINVAL, "%.100s: not a regular file; accepted: a recipe",
		   path);
	return -1;
}

/* The file, with a NUL behind it, for the caller to free(); NULL with a reason. */
static char *read_file(const char *path, size_t *size, struct icb_reason *why)
{
	int fd = open_file(path, why);
	ssize_t len;
	char *data;

	if (fd < 0)
		return NULL;
	data = alloc_zero(FILE_MAX + 2, 1);
	len = read_all(fd, data);
	if (len < 0)
		icb_refuse(why, -errno, "cannot read the recipe %.100s: %s",
			   path, strerror(errno));
	else if (len > FILE_MAX)
		icb_refuse(why, -EINVAL,
			   "%.100s: has more than %u bytes: not a recipe",
			   path, FILE_MAX);
	close(fd);
	*size = len;
	if (len >= 0 && len <= FILE_MAX)
		return data;
	free(data);
	return NULL;
}

/* The directories that hold recipes, best first; NULL where one does not exist. */
static char *directory(unsigned int index)
{
	char exe[PATH_MAX];
	const char *env;
	ssize_t len;
	char *slash;

	switch (index) {
	case 0:
		env = getenv("ICBENCH_RECIPES");
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
		return alloc_text(index == 1 ? "%s/recipes" :
				  "%s/../share/icbench/recipes", exe);
	default:
		return alloc_text("%s/share/icbench/recipes", ICBENCH_PREFIX);
	}
}

#define DIRECTORIES	4

static bool is_name(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!islower((unsigned char)name[i]) &&
		    !isdigit((unsigned char)name[i]) &&
		    (name[i] != '-' || !i))
			return false;
	return len;
}

/**
 * recipe_names() - the named benchmarks that there are
 *
 * Return: their names in alphabetical order, ending in NULL, for
 * recipe_names_free().
 */
char **recipe_names(void)
{
	char **names = alloc_grow(NULL, 0, sizeof(*names));
	size_t count = 0, len, at, i;
	struct dirent *entry;
	char *path, *name;
	DIR *dir;

	for (i = 0; i < DIRECTORIES; i++) {
		path = directory(i);
		dir = path ? opendir(path) : NULL;
		free(path);
		while (dir && (entry = readdir(dir))) {
			len = strlen(entry->d_name);
			if (len <= strlen(SUFFIX) ||
			    strcmp(entry->d_name + len - strlen(SUFFIX), SUFFIX))
				continue;
			len -= strlen(SUFFIX);
			if (!is_name(entry->d_name, len))
				continue;
			name = alloc_copy(entry->d_name, len);
			for (at = 0; at < count; at++)
				if (strcmp(names[at], name) >= 0)
					break;
			if (at < count && !strcmp(names[at], name)) {
				free(name);
				continue;
			}
			names = alloc_grow(names, ++count, sizeof(*names));
			memmove(names + at + 1, names + at,
				(count - 1 - at) * sizeof(*names));
			names[at] = name;
		}
		if (dir)
			closedir(dir);
	}
	names[count] = NULL;
	return names;
}

/**
 * recipe_names_free() - free what recipe_names() gave
 * @names: that
 */
void recipe_names_free(char **names)
{
	char **p;

	for (p = names; *p; p++)
		free(*p);
	free(names);
}

/* Of a name that is none: say where those that there are can be seen. */
static int unknown(const char *name, struct icb_reason *why)
{
	char **names = recipe_names();
	const char *closest = text_closest(name, (const char *const *)names);

	icb_refuse(why, -ENOENT, "no benchmark \"%.32s\"%s%.32s%s; %s",
		   name, closest ? "; did you mean " : "",
		   closest ? closest : "", closest ? "?" : "",
		   names[0] ? "icbenchctl list shows them" :
			      "none found: set ICBENCH_RECIPES");
	recipe_names_free(names);
	return -ENOENT;
}

static char *find(const char *name)
{
	char *dir, *path;
	unsigned int i;

	if (!is_name(name, strlen(name)))
		return NULL;
	for (i = 0; i < DIRECTORIES; i++) {
		dir = directory(i);
		if (!dir)
			continue;
		path = alloc_text("%s/%s" SUFFIX, dir, name);
		free(dir);
		if (!access(path, F_OK))
			return path;
		free(path);
	}
	return NULL;
}

static bool is_path(const char *name)
{
	size_t len = strlen(name);

	return strchr(name, '/') ||
	       (len > strlen(SUFFIX) &&
		!strcmp(name + len - strlen(SUFFIX), SUFFIX));
}

static void take_name(struct recipe *recipe)
{
	const char *slash = strrchr(recipe->path, '/');
	const char *name = slash ? slash + 1 : recipe->path;
	size_t len = strlen(name);

	if (len > strlen(SUFFIX) &&
	    !strcmp(name + len - strlen(SUFFIX), SUFFIX))
		len -= strlen(SUFFIX);
	recipe->name = alloc_copy(name, len);
}

/**
 * recipe_load() - find a recipe and read it
 * @recipe: where to
 * @name: a benchmark's name, or a file: what has a "/" or ends in ".icb"
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason; in either case
 * recipe_free() it.
 */
int recipe_load(struct recipe *recipe, const char *name,
		struct icb_reason *why)
{
	size_t len;
	char *data;
	int err;

	memset(recipe, 0, sizeof(*recipe));
	recipe->path = is_path(name) ? alloc_text("%s", name) : find(name);
	if (!recipe->path)
		return unknown(name, why);
	take_name(recipe);
	data = read_file(recipe->path, &len, why);
	if (!data)
		return -EINVAL;
	err = recipe_parse(recipe, data, len, why);
	free(data);
	return err;
}

/**
 * recipe_free() - free a recipe
 * @recipe: which
 */
void recipe_free(struct recipe *recipe)
{
	free(recipe->name);
	free(recipe->path);
	free(recipe->title);
	free(recipe->about);
	free(recipe->knee_metric);
	if (recipe->baseline.param)
		sweep_free(&recipe->baseline);
	config_free(&recipe->config);
	memset(recipe, 0, sizeof(*recipe));
}
