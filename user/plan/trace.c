// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's trace of what led to a sample beyond the threshold, in a file.
 *
 * It is written as root, maybe to a directory where others write, too: a file is
 * made where there is none, and never opened where there is one, so that no link
 * leads it elsewhere. It tells of everybody's programs: it is for its owner.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/status.h"
#include "base/text.h"
#include "result.h"
#include "trace.h"

/* The first words of a trace of ours, by which the next one may replace it. */
#define MARK	"# icbench trace: "

/**
 * trace_name() - say where a trace goes
 * @trace: where to, empty
 * @name: as the user says: a file, or "no"; NULL if not at all
 * @why: the reason of a refusal
 *
 * Return: 0; -EINVAL with a reason.
 */
int trace_name(struct trace *trace, const char *name, struct icb_reason *why)
{
	if (!name) {
		trace->name = TRACE_FILE;
		return 0;
	}
	if (!strcmp(name, "no"))
		return 0;
	if (!*name || !strcmp(name, "-"))
		return icb_refuse(why, -EINVAL,
				  "trace: \"%s\" is no file; accepted: a file's name, no",
				  name);
	trace->name = name;
	trace->asked = true;
	return 0;
}

/**
 * trace_plan() - see whether there is anything to trace
 * @trace: named
 * @plan: the runs
 * @why: the reason of a refusal
 *
 * Return: 0; -EINVAL with a reason where somebody asks for a trace of runs of
 * which none has a threshold.
 */
int trace_plan(struct trace *trace, const struct plan *plan,
	       struct icb_reason *why)
{
	unsigned int i;

	if (!trace->name)
		return 0;
	for (i = 0; i < plan->count && !trace->wanted; i++)
		trace->wanted = icb_params_has(&plan->point[i].params,
					       ICBENCH_A_PARAMS_THRESHOLD);
	if (trace->asked && !trace->wanted)
		return icb_refuse(why, -EINVAL,
				  "trace: needs threshold, since it ends at the first sample beyond it");
	return 0;
}

static bool has_mark(int fd)
{
	char buf[sizeof(MARK) - 1];

	return read(fd, buf, sizeof(buf)) == sizeof(buf) &&
	       !memcmp(buf, MARK, sizeof(buf));
}

/* A trace of ours, for reading and for writing; -1 where there is none. */
static int open_ours(const char *name)
{
	int fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && has_mark(fd))
		return fd;
	close(fd);
	return -1;
}

/* A new file; a negative error number with a reason. */
static int create(const char *name, struct icb_reason *why)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		      0600);

	if (fd >= 0)
		return fd;
	if (errno == EEXIST)
		return icb_refuse(why, -EEXIST,
				  "trace: %.120s is there, and is no trace of yours; accepted: --trace with another file",
				  name);
	return icb_refuse(why, -errno, "trace: cannot write %.120s: %s", name,
			  strerror(errno));
}

/**
 * trace_check_file() - see whether a trace can go to a file
 * @name: the file
 * @why: the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int trace_check_file(const char *name, struct icb_reason *why)
{
	int fd;

	/* one that can be written, too: it may be that it cannot be replaced */
	fd = open_ours(name);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	/* nothing else tells for sure */
	fd = create(name, why);
	if (fd < 0)
		return fd;
	close(fd);
	unlink(name);
	return 0;
}

static int give_up(struct trace *trace, int status, const char *why)
{
	message("%s%s", why, trace->asked ? "" : "; the run is not traced");
	tracefs_end(&trace->fs);
	return trace->asked ? status : STATUS_DONE;
}

/**
 * trace_begin() - have the kernel ready to trace, where it is wanted
 * @trace: planned; trace_end() it in any case
 * @owner: netlink port of who runs the jobs
 *
 * Return: STATUS_DONE, also where there is no trace and nobody asked for one;
 * else another exit status. The user has been told.
 */
int trace_begin(struct trace *trace, u32 owner)
{
	struct icb_reason why, outer;

	if (!trace->wanted)
		return STATUS_DONE;
	if (trace_check_file(trace->name, &why))
		return give_up(trace, STATUS_USAGE, why.text);
	if (tracefs_begin(&trace->fs, owner, &why)) {
		icb_refuse(&outer, 0, "trace: %s", why.text);
		return give_up(trace, STATUS_SETUP, outer.text);
	}
	trace->state = TRACE_ON;
	return STATUS_DONE;
}

/**
 * trace_start() - a run is about to begin
 * @trace: of that; nothing happens where there is none
 */
void trace_start(struct trace *trace)
{
	struct icb_reason why;

	if (trace->state != TRACE_ON || !tracefs_start(&trace->fs, &why))
		return;
	message("trace: %s; the run is not traced", why.text);
	trace->state = TRACE_NONE;
}

/* A line of a comment, whatever is in it. */
static void put_words(FILE *f, const char *mark, char *words)
{
	text_one_line(words);
	fprintf(f, "%s%s\n", mark, words);
	free(words);
}

static char *command_of(const struct result *result)
{
	char *all = NULL, *more, **arg;

	for (arg = result->argv; *arg; arg++) {
		more = alloc_text("%s%s%s", all ? : "", all ? " " : "", *arg);
		free(all);
		all = more;
	}
	return all ? : alloc_text("icbenchctl");
}

static int write_all(const struct trace *trace, FILE *f,
		     const struct result *result, const char *point)
{
	int err;

	put_words(f, MARK, command_of(result));
	put_words(f, "# ", alloc_text("%s%s%s", point, *point ? ": " : "",
				      result->reason));
	if (*trace->fs.missing)
		put_words(f, "# without events of ",
			  alloc_text("%s", trace->fs.missing));
	err = tracefs_copy(&trace->fs, f);
	if (!err && fflush(f))
		err = -errno;
	return err;
}

/*
 * In the place of one of ours, which is taken away if that can be: it cannot where
 * the file is mounted by itself. A negative error number with a reason.
 */
static int replace(const char *name, struct icb_reason *why)
{
	int fd = open_ours(name);

	if (fd < 0)
		return create(name, why);
	if (unlink(name) && !fchmod(fd, 0600) && !ftruncate(fd, 0) &&
	    !lseek(fd, 0, SEEK_SET))
		return fd;
	close(fd);
	return create(name, why);
}

static int write_file(const struct trace *trace, const struct result *result,
		      const char *point, struct icb_reason *why)
{
	int fd, err;
	FILE *f;

	fd = replace(trace->name, why);
	if (fd < 0)
		return fd;
	f = fdopen(fd, "w");
	if (!f) {
		err = -errno;
		close(fd);
	} else {
		err = write_all(trace, f, result, point);
		if (fclose(f) && !err)
			err = -errno;
	}
	if (!err)
		return 0;
	/* half a trace would be taken for a whole one */
	if (unlink(trace->name) && truncate(trace->name, 0))
		return icb_refuse(why, err,
				  "trace: cannot write %.120s: %s; what is there is not whole",
				  trace->name, strerror(-err));
	return icb_refuse(why, err, "trace: cannot write %.120s: %s",
			  trace->name, strerror(-err));
}

/**
 * trace_keep() - a run was cut short: write the trace if that was by a sample
 * @trace: of the run; nothing happens where there is none
 * @result: says why
 * @point: which of several runs it is, in words; empty for the only one
 */
void trace_keep(struct trace *trace, const struct result *result,
		const char *point)
{
	struct icb_reason why;

	if (trace->state != TRACE_ON || !tracefs_stopped(&trace->fs))
		return;
	trace->state = TRACE_KEPT;
	if (!write_file(trace, result, point, &why))
		return;
	message("%s", why.text);
	trace->state = TRACE_LOST;
}

/**
 * trace_end() - leave the kernel's tracing as it was
 * @trace: what trace_begin() was given; what it says stays
 */
void trace_end(struct trace *trace)
{
	tracefs_end(&trace->fs);
}
