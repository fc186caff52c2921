// SPDX-License-Identifier: GPL-2.0
/*
 * A result file is there whole or not at all: it is written beside its place
 * and renamed. Whether it can be written is found out before the run, which
 * may have taken an hour. Where nothing can be put beside it, or nothing be
 * renamed to it, as to a file that is mounted by itself, it is written in its
 * place; and where that fails, too, what is beside it stays. What is no regular
 * file, such as a pipe or a device, is written to directly.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "message.h"
#include "output.h"
#include "status.h"

static int refuse(const struct output *output, int err, struct icb_reason *why)
{
	return icb_refuse(why, -err, "cannot write %.120s: %s",
			  *output->name ? output->name : "to \"\"",
			  strerror(err));
}

static bool is_same_as_stdout(const struct stat *st)
{
	struct stat out;

	return !fstat(STDOUT_FILENO, &out) && out.st_dev == st->st_dev &&
	       out.st_ino == st->st_ino;
}

/* Beside the target, by a name that fits whatever the length of the target's. */
static int make_temporary(struct output *output)
{
	const char *slash = strrchr(output->target, '/');
	int len = slash ? slash - output->target + 1 : 0;
	int fd, err;

	output->temporary = alloc_text("%.*s.icbench-XXXXXX", len,
				       output->target);
	fd = mkostemp(output->temporary, O_CLOEXEC);
	if (fd >= 0)
		return fd;
	err = -errno;
	free(output->temporary);
	output->temporary = NULL;
	return err;
}

static void remove_temporary(struct output *output)
{
	if (!output->temporary)
		return;
	unlink(output->temporary);
	free(output->temporary);
	output->temporary = NULL;
}

/* Make it and take it away again: nothing else tells for sure. */
static int check_directory(struct output *output, struct icb_reason *why)
{
	int fd = make_temporary(output);

	if (fd < 0)
		return refuse(output, -fd, why);
	close(fd);
	remove_temporary(output);
	return 0;
}

/* What is there is left as it is, and no link is followed. */
static int open_in_place(const struct output *output)
{
	int fd = open(output->target,
		      O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st))
		err = -errno;
	else if (!S_ISREG(st.st_mode))
		err = -EEXIST;
	if (!err)
		return fd;
	close(fd);
	return err;
}

static int check_existing(struct output *output, const struct stat *st,
			  struct icb_reason *why)
{
	int fd;

	if (is_same_as_stdout(st)) {
		output->is_stdout = true;
		return 0;
	}
	if (S_ISREG(st->st_mode)) {
		/* a link stays, and what it leads to is replaced */
		output->target = realpath(output->name, NULL);
		if (!output->target)
			return refuse(output, errno, why);
		/* what is done where nothing can be renamed to it */
		fd = open_in_place(output);
		if (fd < 0)
			return refuse(output, -fd, why);
		close(fd);
		return 0;
	}
	output->fd = open(output->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return output->fd < 0 ? refuse(output, errno, why) : 0;
}

/* A file system may take the name of a temporary file and refuse that of the target. */
static int check_name(struct output *output, struct icb_reason *why)
{
	int fd = open(output->target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return refuse(output, errno, why);
	close(fd);
	return unlink(output->target) ? refuse(output, errno, why) : 0;
}

/* A file that is not there yet, by a path that no other name has. */
static int check_new(struct output *output, struct icb_reason *why)
{
	const char *slash = strrchr(output->name, '/');
	const char *base = slash ? slash + 1 : output->name;
	char *dir, *real;
	struct stat st;

	/* a link that leads nowhere would be lost */
	if (!*base || !lstat(output->name, &st))
		return refuse(output, ENOENT, why);
	dir = slash ? alloc_text("%.*s", (int)(base - output->name),
				 output->name) : alloc_text(".");
	real = realpath(dir, NULL);
	free(dir);
	if (!real)
		return refuse(output, errno, why);
	output->target = alloc_text("%s/%s", real, base);
	free(real);
	return check_directory(output, why) ? : check_name(output, why);
}

/**
 * output_check() - see whether a result can go to a file
 * @output: where to; output_free() it in any case
 * @name: the file; "-" for standard output
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int output_check(struct output *output, const char *name,
		 struct icb_reason *why)
{
	struct stat st;

	output->name = name;
	if (!strcmp(name, "-")) {
		output->is_stdout = true;
		return 0;
	}
	if (!stat(name, &st))
		return check_existing(output, &st, why);
	if (errno != ENOENT)
		return refuse(output, errno, why);
	return check_new(output, why);
}

/**
 * output_check_regular() - the same, where nothing but a regular file will do
 * @output: where to; output_free() it in any case
 * @name: the file
 * @why: the reason of a refusal
 *
 * What is there and is none, such as a pipe that nobody reads, is not opened.
 *
 * Return: 0, or a negative error number with a reason.
 */
int output_check_regular(struct output *output, const char *name,
			 struct icb_reason *why)
{
	struct stat st;

	if (!stat(name, &st) && !S_ISREG(st.st_mode))
		return icb_refuse(why, -EINVAL,
				  "cannot write %.120s: not a regular file",
				  name);
	return output_check(output, name, why);
}

/* As if it had been made in place. */
static void set_mode(const struct output *output, int fd)
{
	struct stat st;
	mode_t mask;

	if (stat(output->target, &st)) {
		mask = umask(0);
		umask(mask);
		st.st_mode = 0666 & ~mask;
	}
	/* a file system without modes is no reason to lose the result */
	if (fchmod(fd, st.st_mode & 07777))
		return;
}

/* Beside the target, or, where nothing can be there, in its place. */
static int open_target(struct output *output)
{
	int fd = make_temporary(output), place;

	if (fd >= 0) {
		set_mode(output, fd);
		return fd;
	}
	place = open_in_place(output);
	if (place < 0)
		return fd;
	if (!ftruncate(place, 0))
		return place;
	close(place);
	return fd;
}

/* A stream for output_end(); NULL with a reason. */
static FILE *output_begin(struct output *output, struct icb_reason *why)
{
	FILE *f;

	if (output->is_stdout)
		return stdout;
	if (output->target) {
		output->fd = open_target(output);
		if (output->fd < 0) {
			refuse(output, -output->fd, why);
			return NULL;
		}
	}
	f = fdopen(output->fd, "w");
	if (!f)
		refuse(output, errno, why);
	else
		output->fd = -1;
	return f;
}

static int copy_all(int to, int from)
{
	char buf[16384];
	ssize_t len, put, done;

	while ((len = read(from, buf, sizeof(buf))) > 0)
		for (done = 0; done < len; done += put) {
			put = write(to, buf + done, len - done);
			if (put < 0)
				return -errno;
		}
	return len < 0 ? -errno : 0;
}

/* What is beside the target becomes its content. */
static int copy_in_place(const struct output *output)
{
	int from = open(output->temporary, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	int to, err;

	if (from < 0)
		return -errno;
	to = open_in_place(output);
	err = to < 0 ? to : ftruncate(to, 0) ? -errno : copy_all(to, from);
	/* some file systems tell only now */
	if (to >= 0 && close(to) && !err)
		err = -errno;
	close(from);
	return err;
}

/* 0; a negative error number, with a reason that says where the result is. */
static int put_in_place(struct output *output, struct icb_reason *why)
{
	int err;

	if (!rename(output->temporary, output->target)) {
		free(output->temporary);
		output->temporary = NULL;
		return 0;
	}
	err = copy_in_place(output);
	if (!err) {
		remove_temporary(output);
		return 0;
	}
	message("cannot write %s: %s; the result is in %s", output->name,
		strerror(-err), output->temporary);
	free(output->temporary);
	output->temporary = NULL;
	return icb_refuse(why, err, "%s", "");
}

/*
 * 0, with the file in its place; a negative error number with a reason, which is
 * empty where the user has been told.
 */
static int output_end(struct output *output, FILE *f,
		      struct icb_reason *why)
{
	int err = 0;

	/* whoever has standard output checks it at the very end */
	if (output->is_stdout)
		return 0;
	if (fflush(f) || ferror(f))
		err = errno ? errno : EIO;
	if (fclose(f) && !err)
		err = errno;
	if (!err)
		return output->temporary ? put_in_place(output, why) : 0;
	/* half a result would be taken for a whole one */
	remove_temporary(output);
	return refuse(output, err, why);
}

/**
 * output_write() - write a result
 * @output: where to, checked; nothing happens where it is nowhere
 * @result: the result
 * @print: how
 *
 * Return: STATUS_DONE; STATUS_FAILED, which the user has been told.
 */
int output_write(struct output *output, const struct result *result,
		 void (*print)(FILE *f, const struct result *result))
{
	struct icb_reason why;
	FILE *f;

	if (!output->name)
		return STATUS_DONE;
	f = output_begin(output, &why);
	if (f) {
		print(f, result);
		if (!output_end(output, f, &why))
			return STATUS_DONE;
	}
	if (*why.text)
		message("%s", why.text);
	return STATUS_FAILED;
}

/**
 * output_free() - forget an output
 * @output: which
 */
void output_free(struct output *output)
{
	remove_temporary(output);
	free(output->target);
	output->target = NULL;
	if (output->fd >= 0)
		close(output->fd);
	output->fd = -1;
}
