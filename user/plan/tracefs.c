// SPDX-License-Identifier: GPL-2.0
/*
 * A tracing instance of icbench's own, which leaves the traces of other users alone: it
 * has its own buffers, events and tracing_on switch. A trigger turns tracing off at the
 * event of a sample above the threshold.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "nl/lockdown.h"
#include "tracefs.h"

/* Prefix of the names of instances; a process has one instance. */
#define PREFIX		"icbench-"

/* Buffer size of all CPUs together and of one, KiB; text takes several times as much. */
#define BUFFERS_KB	16384
#define BUFFER_MIN_KB	64
#define BUFFER_MAX_KB	1024

const char *tracefs_dir = "/sys/kernel/tracing";

/*
 * Events that can delay a thread; a kernel may lack some of them. The events of the
 * scheduler's statistics are left out: the kernel prints a warning if they are enabled
 * while the statistics are off.
 */
static const char *const events[] = {
	"sched/sched_switch", "sched/sched_waking", "sched/sched_wakeup",
	"sched/sched_wakeup_new", "sched/sched_migrate_task", "irq",
	"irq_vectors", "timer", "workqueue", "ipi",
};

/**
 * tracefs_buffer_kb() - compute the size of each CPU's trace buffer
 * @cpus: number of CPUs
 *
 * Return: the size, KiB.
 */
unsigned int tracefs_buffer_kb(long cpus)
{
	long kb = BUFFERS_KB / (cpus > 0 ? cpus : 1);

	if (kb > BUFFER_MAX_KB)
		return BUFFER_MAX_KB;
	return kb < BUFFER_MIN_KB ? BUFFER_MIN_KB : kb;
}

static int open_file(const struct tracefs *fs, const char *name, int flags)
{
	char *path = alloc_text("%s/%s", fs->dir, name);
	int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW);

	free(path);
	return fd;
}

/* Return: 0, or a negative error number. */
static int put(const struct tracefs *fs, const char *name, const char *text)
{
	int fd = open_file(fs, name, O_WRONLY), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

static int refuse(const struct tracefs *fs, const char *name, int err,
		  struct icb_reason *why)
{
	return icb_refuse(why, err, "cannot set %s/%s: %s", fs->dir, name,
			  strerror(-err));
}

static int put_or_refuse(const struct tracefs *fs, const char *name,
			 const char *text, struct icb_reason *why)
{
	int err = put(fs, name, text);

	return err ? refuse(fs, name, err, why) : 0;
}

/* Mount tracefs at tracefs_dir if it is not mounted there; no other place is tried. */
static int mount_tracefs(struct tracefs *fs, struct icb_reason *why)
{
	char *path = alloc_text("%s/instances", tracefs_dir);
	int err = access(path, F_OK) ? errno : 0;

	free(path);
	if (!err)
		return 0;
	if (err == ENOENT &&
	    !mount("tracefs", tracefs_dir, "tracefs",
		   MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL)) {
		fs->mounted = true;
		return 0;
	}
	if (err == ENOENT)
		err = errno;
	return icb_refuse(why, -err, "no tracefs at %s: %s", tracefs_dir,
			  strerror(err));
}

/* Lock an instance, as its process does for life; a descriptor, or a negative error. */
static int hold(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

/* Remove the instances of killed processes: they are not locked. */
static void remove_stale(void)
{
	char *path = alloc_text("%s/instances", tracefs_dir), *dir;
	const struct dirent *entry;
	DIR *all = opendir(path);
	int fd;

	while (all && (entry = readdir(all))) {
		if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)))
			continue;
		dir = alloc_text("%s/%s", path, entry->d_name);
		fd = hold(dir);
		if (fd >= 0) {
			rmdir(dir);
			close(fd);
		}
		free(dir);
	}
	if (all)
		closedir(all);
	free(path);
}

static int make_instance(struct tracefs *fs, struct icb_reason *why)
{
	char *dir = alloc_text("%s/instances/" PREFIX "%d", tracefs_dir,
			       (int)getpid());
	int err;

	remove_stale();
	err = mkdir(dir, 0700) ? -errno : 0;
	if (!err) {
		fs->dir = dir;
		fs->hold = hold(dir);
		if (fs->hold >= 0)
			return 0;
		return icb_refuse(why, fs->hold, "cannot open %s: %s", dir,
				  strerror(-fs->hold));
	}
	icb_refuse(why, err, "cannot create %s: %s", dir, strerror(-err));
	free(dir);
	return err;
}

/*
 * A trigger with a condition acts after its event is written, so the event is in the
 * trace. A trigger without a condition acts before, and the trace would lack the event.
 */
static int set_trigger(const struct tracefs *fs, u32 owner, struct icb_reason *why)
{
	char trigger[48];

	snprintf(trigger, sizeof(trigger), "traceoff if owner == %u", owner);
	return put_or_refuse(fs, "events/icbench/icb_beyond/trigger", trigger,
			     why);
}

static int arm(const struct tracefs *fs, u32 owner, struct icb_reason *why)
{
	char kb[16];
	int err;

	snprintf(kb, sizeof(kb), "%u",
		 tracefs_buffer_kb(sysconf(_SC_NPROCESSORS_CONF)));
	err = put_or_refuse(fs, "tracing_on", "0", why);
	if (!err)
		err = put_or_refuse(fs, "buffer_size_kb", kb, why);
	if (err)
		return err;
	err = put(fs, "events/icbench/enable", "1");
	if (err == -ENOENT)
		return icb_refuse(why, err,
				  "this kernel has no events of icbench");
	if (err)
		return refuse(fs, "events/icbench/enable", err, why);
	return set_trigger(fs, owner, why);
}

static void enable_events(struct tracefs *fs)
{
	size_t len = 0, i;
	char *name;

	for (i = 0; i < ARRAY_SIZE(events); i++) {
		name = alloc_text("events/%s/enable", events[i]);
		if (put(fs, name, "1") && len < sizeof(fs->missing))
			len += snprintf(fs->missing + len,
					sizeof(fs->missing) - len, "%s%s",
					len ? ", " : "", events[i]);
		free(name);
	}
}

/**
 * tracefs_begin() - create an instance, with its events and its trigger
 * @fs: destination, empty; tracefs_end() it in any case
 * @owner: netlink port of the process that runs the jobs whose samples end the trace
 * @why: receives the reason of a refusal
 *
 * Nothing is traced before tracefs_start().
 *
 * Return: 0, or a negative error number with a reason.
 */
int tracefs_begin(struct tracefs *fs, u32 owner, struct icb_reason *why)
{
	int err;

	err = mount_tracefs(fs, why);
	if (!err)
		err = make_instance(fs, why);
	if (!err)
		err = arm(fs, owner, why);
	if (!err)
		enable_events(fs);
	/* under lockdown, the reason found above is misleading */
	if (err && lockdown_state() == LOCKDOWN_CONFIDENTIALITY)
		return icb_refuse(why, -EPERM,
				  "the kernel's lockdown (confidentiality) forbids tracing; accepted: --trace no, or a boot with lockdown=integrity");
	return err;
}

/**
 * tracefs_start() - clear the trace and start tracing
 * @fs: instance from tracefs_begin()
 * @why: receives the reason of a refusal
 *
 * Return: 0, or a negative error number with a reason.
 */
int tracefs_start(struct tracefs *fs, struct icb_reason *why)
{
	int err, fd;

	err = put_or_refuse(fs, "tracing_on", "0", why);
	if (err)
		return err;
	fd = open_file(fs, "trace", O_WRONLY | O_TRUNC);
	if (fd < 0)
		return refuse(fs, "trace", -errno, why);
	close(fd);
	return put_or_refuse(fs, "tracing_on", "1", why);
}

/**
 * tracefs_stopped() - check whether the trigger has stopped tracing
 * @fs: instance after tracefs_start()
 *
 * Return: true if so.
 */
bool tracefs_stopped(const struct tracefs *fs)
{
	int fd = open_file(fs, "tracing_on", O_RDONLY);
	bool stopped = false;
	char c;

	if (fd < 0)
		return false;
	stopped = read(fd, &c, 1) == 1 && c == '0';
	close(fd);
	return stopped;
}

/**
 * tracefs_copy() - write the trace to a file
 * @fs: instance in which tracing has stopped
 * @f: destination
 *
 * Return: 0, or a negative error number.
 */
int tracefs_copy(const struct tracefs *fs, FILE *f)
{
	int fd = open_file(fs, "trace", O_RDONLY), err = 0;
	char buf[16384];
	ssize_t len;

	if (fd < 0)
		return -errno;
	while ((len = read(fd, buf, sizeof(buf))) > 0 && !err)
		if (fwrite(buf, 1, len, f) != (size_t)len)
			err = errno ? -errno : -EIO;
	if (len < 0 && !err)
		err = -errno;
	close(fd);
	return err;
}

/**
 * tracefs_end() - remove the instance and its trace
 * @fs: instance that was passed to tracefs_begin(); empty afterwards
 */
void tracefs_end(struct tracefs *fs)
{
	if (fs->dir) {
		rmdir(fs->dir);
		if (fs->hold >= 0)
			close(fs->hold);
	}
	free(fs->dir);
	fs->dir = NULL;
	/* fails if another process uses tracefs by now, which then stays mounted */
	if (fs->mounted)
		umount2(tracefs_dir, UMOUNT_NOFOLLOW);
	fs->mounted = false;
}
