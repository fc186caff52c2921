// SPDX-License-Identifier: GPL-2.0
/*
 * Reads text files. A file may be from anywhere: it is opened without blocking, and read up
 * to a size limit.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "file_read.h"
#include "text.h"

/* Open a regular file, and get its size. */
static int open_file(const char *path, const char *accepted, size_t most,
		     size_t *size, struct icb_reason *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st = { 0 };

	if (fd < 0)
		return icb_refuse(why, -errno, "cannot read %.120s: %s", path,
				  strerror(errno));
	if (fstat(fd, &st))
		icb_refuse(why, -errno, "cannot read %.120s: %s", path,
			   strerror(errno));
	else if (!S_ISREG(st.st_mode))
		icb_refuse(why, -EINVAL,
			   "%.100s: not a regular file; accepted: %s", path,
			   accepted);
	else if ((u64)st.st_size > most)
		icb_refuse(why, -EFBIG,
			   "%.100s: has %llu bytes; accepted: up to %zu", path,
			   (unsigned long long)st.st_size, most);
	else
		*size = st.st_size;
	if (S_ISREG(st.st_mode) && (u64)st.st_size <= most)
		return fd;
	close(fd);
	return -EINVAL;
}

/* Read at most @size bytes: the file may have been truncated meanwhile. */
static ssize_t read_all(int fd, char *text, size_t size)
{
	size_t len = 0;
	ssize_t got;

	while (len < size) {
		got = read(fd, text + len, size - len);
		if (got < 0)
			return -errno;
		if (!got)
			break;
		len += got;
	}
	return len;
}

static bool is_utf8(const char *text)
{
	size_t len;

	for (; *text; text += len) {
		len = text_utf8(text);
		if (!len)
			return false;
	}
	return true;
}

/**
 * file_read() - read a text file
 * @path: the file, a regular file
 * @accepted: kind of file that is accepted, for a refusal
 * @most: most bytes that are accepted, less than 2 GiB
 * @len: takes the length of the text, bytes
 * @why: the reason of a refusal
 *
 * Return: the text, which is not empty, is UTF-8 and has no NUL but one behind it, for the
 * caller to free(); NULL with a reason. @why is not written on success.
 */
char *file_read(const char *path, const char *accepted, size_t most,
		size_t *len, struct icb_reason *why)
{
	size_t size = 0;
	ssize_t got;
	char *text;
	int fd;

	fd = open_file(path, accepted, most, &size, why);
	if (fd < 0)
		return NULL;
	text = alloc_zero(size + 1, 1);
	got = read_all(fd, text, size);
	close(fd);
	*len = got;
	if (got < 0)
		icb_refuse(why, got, "cannot read %.120s: %s", path,
			   strerror(-got));
	else if (!got)
		icb_refuse(why, -EINVAL, "%.100s: empty; accepted: %s", path,
			   accepted);
	else if (strlen(text) != (size_t)got)
		icb_refuse(why, -EINVAL, "%.100s: a NUL at byte %zu; accepted: %s",
			   path, strlen(text), accepted);
	else if (!is_utf8(text))
		icb_refuse(why, -EINVAL, "%.100s: not UTF-8; accepted: %s",
			   path, accepted);
	else
		return text;
	free(text);
	return NULL;
}
