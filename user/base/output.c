// SPDX-License-Identifier: GPL-2.0
/*
 * Writes result files. A result is written to a temporary file beside its target, and the
 * temporary file is then renamed to the target: the target is either complete or
 * unchanged. Whether the target can be written is checked before the run, which may take
 * an hour.
 *
 * If no file can be made beside the target, or nothing can be renamed to it, as to a file
 * that is a mount point, the target is written in place. If that fails, too, the
 * temporary file is kept. A target that is no regular file, such as a pipe or a device,
 * is written to directly.
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

/*
 * Make a file beside the target; its short name fits whatever the length of the target's.
 */
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

/* Make a temporary file and remove it: no other check is reliable. */
static int check_directory(struct output *output, struct icb_reason *why)
{
	int fd = make_temporary(output);

	if (fd < 0)
		return refuse(output, -fd, why);
	close(fd);
	remove_temporary(output);
	return 0;
}

/* Open the existing target without changing it. No symbolic link is followed. */
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
		/* a symbolic link is kept: the file that it points to is replaced */
		output->target = realpath(output->name, NULL);
		if (!output->target)
			return refuse(output, errno, why);
		/*
		 * writing in place must be possible: it is the fallback if the rename
		 * fails
		 */
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

/* Resolve the path of a new file, so that the paths of two outputs can be compared. */
static int check_new(struct output *output, struct icb_reason *why)
{
	const char *slash = strrchr(output->name, '/');
	const char *base = slash ? slash + 1 : output->name;
	char *dir, *real;
	struct stat st;

	/* the rename would replace a dangling symbolic link */
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
 * output_check() - check whether a result can be written to a file
 * @output: output to fill; output_free() it in any case
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
 * output_check_regular() - check whether a result can be written to a regular file
 * @output: output to fill; output_free() it in any case
 * @name: the file
 * @why: the reason of a refusal
 *
 * An existing file of another type is refused without being opened: opening a pipe
 * without a reader would block.
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

/* Give the temporary file the mode of the target, or the default mode of a new file. */
static void set_mode(const struct output *output, int fd)
{
	struct stat st;
	mode_t mask;

	if (stat(output->target, &st)) {
		mask = umask(0);
		umask(mask);
		st.st_mode = 0666 & ~mask;
	}
	/* an error is ignored: a file system without modes can still hold the result */
	if (fchmod(fd, st.st_mode & 07777))
		return;
}

/* Open a temporary file beside the target. If that fails, open the target itself. */
static int open_target(struct output *output)
{
	int fd = make_temporary(output), fd_in_place;

	if (fd >= 0) {
		set_mode(output, fd);
		return fd;
	}
	fd_in_place = open_in_place(output);
	if (fd_in_place < 0)
		return fd;
	if (!ftruncate(fd_in_place, 0))
		return fd_in_place;
	close(fd_in_place);
	return fd;
}

/* Return: the stream to print to, for output_end(); NULL with a reason. */
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

/* Copy the temporary file into the target. */
static int copy_in_place(const struct output *output)
{
	int from = open(output->temporary, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	int to, err;

	if (from < 0)
		return -errno;
	to = open_in_place(output);
	err = to < 0 ? to : ftruncate(to, 0) ? -errno : copy_all(to, from);
	/* some file systems report write errors only on close */
	if (to >= 0 && close(to) && !err)
		err = -errno;
	close(from);
	return err;
}

/*
 * Replace the target by the temporary file.
 * Return: 0; a negative error number with an empty reason, after a message to the user
 * that names the temporary file, which is kept.
 */
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
 * Return: 0 if the target is complete; a negative error number with a reason, which is
 * empty if the error has been reported to the user.
 */
static int output_end(struct output *output, FILE *f,
		      struct icb_reason *why)
{
	int err = 0;

	/* main() checks standard output when the program ends */
	if (output->is_stdout)
		return 0;
	if (fflush(f) || ferror(f))
		err = errno ? errno : EIO;
	if (fclose(f) && !err)
		err = errno;
	if (!err)
		return output->temporary ? put_in_place(output, why) : 0;
	/* an incomplete result could be mistaken for a complete one */
	remove_temporary(output);
	return refuse(output, err, why);
}

/**
 * output_write() - write a result
 * @output: output from output_check(); nothing is written if its name is NULL
 * @print: prints the result in the format of the output
 * @result: the result, for @print
 *
 * Return: STATUS_DONE; STATUS_FAILED after the error has been reported to the user.
 */
int output_write(struct output *output,
		 void (*print)(FILE *f, const void *result), const void *result)
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
	/* the reason is empty if the error has been reported */
	if (*why.text)
		message("%s", why.text);
	return STATUS_FAILED;
}

/**
 * output_free() - free an output, and remove its temporary file
 * @output: the output
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
