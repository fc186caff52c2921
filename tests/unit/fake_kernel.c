// SPDX-License-Identifier: GPL-2.0
/*
 * The module's end of generic netlink, in a thread of icbenchctl. libnl's connection to
 * the kernel is replaced, so that the whole program can be tested with sanitizers, on a
 * machine without the module.
 *
 * The environment controls the behaviour. FAKE is a list of words, separated by commas:
 *
 *   nomodule nogroup    the family, or the multicast group, does not exist
 *   eperm               every request is refused
 *   nodev manydevs      there is no device, or there are forty
 *   mute                no events are sent
 *   lose                the last event of each job is not sent
 *   early               a job fails before it has measured anything
 *   beyond              a sample exceeds the threshold, in the middle of a job
 *   silent              a job fails, or is refused, without text
 *   gone                a job no longer exists once it has been started
 *   nolimit             a device does not report its largest message
 *   iwarp noverbs       devices lack some verbs, or do not report their verbs
 *   stall               the first batch of each mean has a long sample
 *   noid nostate        an answer lacks a mandatory attribute
 *   nonul badlen        an answer has a string without NUL, or a number that is too short
 *   badword             an answer has an unknown enum value
 *   badcount badbucket badmoments baddivisor nomoments  a result is damaged
 *   short               an answer is truncated
 *
 * FAKE_RATE is the number of operations per second. FAKE_REFUSE is an error number and,
 * after a colon, a text: job-new and listen-new fail with them. FAKE_FAIL has the same
 * format, for a job that has run for half of its time. FAKE_NOISE is the number of
 * foreign messages that come first. FAKE_CPUS is a directory that stands for
 * /sys/devices/system/cpu. FAKE_TRACEFS stands for /sys/kernel/tracing: instances are
 * copies of its "template". FAKE_ROOT is the directory with /lib/modules, and with the
 * files of /sys about lockdown, signatures and modules.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>

#include "fake_kernel.h"
#include "model/rules.h"
#include "model/verbs_table.h"
#include "nl/lockdown.h"
#include "plan/isolation.h"
#include "plan/tracefs.h"

#define GROUP	7
#define SOCKETS	8
#define TICK_MS	2

static struct {
	const struct nl_sock *sock;
	int fd;		/* icbenchctl's end */
	int kernel;	/* this program's end */
	bool events;
} sockets[SOCKETS];

static struct fake_job jobs[ICBENCH_MAX_WORKERS + 2];

struct fake_job *fake_current = jobs;

static u32 last_id;

static struct {
	bool exists;
	char bind[64];
	u32 cm_port;
} listener;

/**
 * fake_is() - test if the environment asks for a behaviour
 * @word: the behaviour, a word of FAKE
 *
 * Return: true if it does.
 */
bool fake_is(const char *word)
{
	const char *list = getenv("FAKE");
	size_t len = strlen(word);

	while (list && *list) {
		if (!strncmp(list, word, len) &&
		    (list[len] == ',' || !list[len]))
			return true;
		list = strchr(list, ',');
		list += !!list;
	}
	return false;
}

/* Parse "ERRNO:text". */
static int failure(const char *name, const char **words)
{
	const char *value = getenv(name);

	if (!value)
		return 0;
	*words = strchr(value, ':');
	*words = *words ? *words + 1 : "";
	return atoi(value);
}

/**
 * fake_send() - send a message, and free it
 * @fd: this program's end of the socket
 * @msg: the message
 */
void fake_send(int fd, struct nl_msg *msg)
{
	struct nlmsghdr *head = nlmsg_hdr(msg);

	if (fake_is("short") && head->nlmsg_type == FAMILY)
		head->nlmsg_len = NLMSG_HDRLEN + 2;
	/* a socket that icbenchctl has closed is no error */
	if (send(fd, head, head->nlmsg_len, MSG_NOSIGNAL) < 0 && errno != EPIPE)
		perror("fake kernel");
	nlmsg_free(msg);
}

/**
 * fake_answer() - begin an answer
 * @to: the request; NULL for an event
 * @cmd: enum icbench_cmd
 * @flags: flags of the message
 *
 * Return: the message.
 */
struct nl_msg *fake_answer(const struct nlmsghdr *to, int cmd, int flags)
{
	struct nl_msg *msg = nlmsg_alloc_size(65536);

	genlmsg_put(msg, 0, to ? to->nlmsg_seq : 0, FAMILY, 0, flags, cmd, 1);
	return msg;
}

static void send_ack(int fd, const struct nlmsghdr *to, int err,
		     const char *words)
{
	struct nl_msg *msg = nlmsg_alloc();
	struct nlmsgerr *body;
	struct nlmsghdr *head;

	head = nlmsg_put(msg, 0, to->nlmsg_seq, NLMSG_ERROR, sizeof(*body),
			 NLM_F_CAPPED | (words ? NLM_F_ACK_TLVS : 0));
	body = nlmsg_data(head);
	body->error = -err;
	body->msg = *to;
	if (words)
		nla_put_string(msg, NLMSGERR_ATTR_MSG, words);
	fake_send(fd, msg);
}

/* The message that ends a dump has an error number, and may have text behind it. */
static void send_done(int fd, const struct nlmsghdr *to, int err,
		      const char *words)
{
	struct nl_msg *msg = nlmsg_alloc();
	struct nlmsghdr *head;

	head = nlmsg_put(msg, 0, to->nlmsg_seq, NLMSG_DONE, sizeof(int),
			 NLM_F_MULTI | (words ? NLM_F_ACK_TLVS : 0));
	*(int *)nlmsg_data(head) = -err;
	if (words)
		nla_put_string(msg, NLMSGERR_ATTR_MSG, words);
	fake_send(fd, msg);
}

static void put_names(struct nl_msg *msg, const struct icb_param *param)
{
	char name[ICBENCH_MAX_NAME + 1];
	u32 i;

	for (i = 0; i < icb_params_names(&job.params, param); i++)
		nla_put_string(msg, param->attr,
			       icb_params_name(&job.params, param, i, name));
}

static void put_params(struct nl_msg *msg)
{
	struct nlattr *nest = nla_nest_start(msg, ICBENCH_A_JOB_PARAMS);
	unsigned int i;

	for (i = 0; i < icb_param_count; i++) {
		const struct icb_param *param = &icb_param_table[i];

		if (!icb_params_has(&job.params, param->attr))
			continue;
		if (param->type == ICB_PARAM_STRING)
			put_names(msg, param);
		else if (param->type == ICB_PARAM_BYTES)
			continue;
		else if (param->bytes == 8)
			nla_put_u64(msg, param->attr,
				    icb_params_number(&job.params, param));
		else if (param->attr == ICBENCH_A_PARAMS_VERB && fake_is("badword"))
			nla_put_u32(msg, param->attr, 99);
		else
			nla_put_u32(msg, param->attr,
				    icb_params_number(&job.params, param));
	}
	nla_nest_end(msg, nest);
}

static void put_name(struct nl_msg *msg, const char *name)
{
	nla_put_string(msg, ICBENCH_A_JOB_METRICS, name);
}

/* The metrics of a stream are rates; a bidirectional stream has no spread of them. */
static void put_stream_metrics(struct nl_msg *msg)
{
	if (!job.done)
		return;
	put_name(msg, "bandwidth");
	put_name(msg, "message_rate");
	if (job.params.direction == ICBENCH_DIRECTION_UNI) {
		put_name(msg, "bandwidth_min");
		put_name(msg, "bandwidth_p1");
		put_name(msg, "bandwidth_median");
	}
	put_name(msg, "post");
	put_name(msg, "poll");
	put_name(msg, "poll_empty");
	put_name(msg, "interval");
}

/* Timed calls have only distributions: of the whole operation, and of each call. */
static void put_call_metrics(struct nl_msg *msg)
{
	const struct icb_verb *verb = icb_verb_of(&job.params);
	unsigned int i;

	put_name(msg, icb_params_word(&job.params, ICBENCH_A_PARAMS_VERB));
	for (i = 0; i < verb->calls; i++)
		put_name(msg, verb->call[i].name);
}

static void put_metrics(struct nl_msg *msg)
{
	switch (job.params.trigger) {
	case ICBENCH_TRIGGER_COMPLETION:
		put_stream_metrics(msg);
		break;
	case ICBENCH_TRIGGER_RETURN:
		put_call_metrics(msg);
		break;
	default:
		if (job.params.overhead && job.done)
			put_name(msg, "overhead");
		put_name(msg, "latency");
		put_name(msg, "post");
		if (job.params.overhead && job.done)
			put_name(msg, "poll");
		if (job.done)
			put_name(msg, "message_rate");
		break;
	}
	if (job.done)
		put_name(msg, "interrupts");
}

static void put_job(struct nl_msg *msg)
{
	struct nlattr *nest;

	if (!fake_is("noid"))
		nla_put_u32(msg, ICBENCH_A_JOB_ID, job.id);
	put_params(msg);
	nla_put_u32(msg, ICBENCH_A_JOB_ROLE, ICBENCH_ROLE_INITIATOR);
	if (!fake_is("nostate"))
		nla_put_u32(msg, ICBENCH_A_JOB_STATE, job.state);
	nla_put_u32(msg, ICBENCH_A_JOB_OUTCOME, job.outcome);
	if (job.err)
		nla_put_u32(msg, ICBENCH_A_JOB_ERRNO, job.err);
	if (*job.reason)
		nla_put_string(msg, ICBENCH_A_JOB_REASON, job.reason);
	if (fake_is("badlen"))
		nla_put_u32(msg, ICBENCH_A_JOB_DONE, 1);
	else
		nla_put_u64(msg, ICBENCH_A_JOB_DONE, job.done);
	if (job.params.iterations)
		nla_put_u64(msg, ICBENCH_A_JOB_TOTAL, job.params.iterations);
	nla_put_u64(msg, ICBENCH_A_JOB_ELAPSED, job.done * 1000);
	if (job.group)
		nla_put_u32(msg, ICBENCH_A_JOB_GROUP, job.group);
	/* in a group, each job begins 1 us after the previous one, and takes as long */
	if (job.done) {
		nla_put_u64(msg, ICBENCH_A_JOB_BEGAN, job.id * 1000);
		nla_put_u64(msg, ICBENCH_A_JOB_ENDED, (job.id + job.done) * 1000);
	}
	if (fake_is("nonul"))
		nla_put(msg, ICBENCH_A_JOB_TARGET, 4, "abcd");
	else if (*job.params.peer)
		nla_put_string(msg, ICBENCH_A_JOB_TARGET, "10.0.0.2:18515");
	nest = nla_nest_start(msg, ICBENCH_A_JOB_CLOCK);
	nla_put_string(msg, ICBENCH_A_CLOCK_SOURCE, "tsc");
	nla_put_u32(msg, ICBENCH_A_CLOCK_INVARIANT, 1);
	nla_put_u32(msg, ICBENCH_A_CLOCK_READ_PS, 11200);
	nla_put_u32(msg, ICBENCH_A_CLOCK_STEP_PS, fake_is("coarse") ? 40000 : 1000);
	nla_nest_end(msg, nest);
	if (job.state == ICBENCH_JOB_STATE_FINISHED)
		put_metrics(msg);
}

static void notify(bool last)
{
	struct nl_msg *msg;
	unsigned int i;

	if (fake_is("mute") || (last && fake_is("lose")))
		return;
	for (i = 0; i < SOCKETS; i++) {
		if (!sockets[i].events)
			continue;
		msg = fake_answer(NULL, ICBENCH_CMD_JOB_NTF, 0);
		put_job(msg);
		fake_send(sockets[i].kernel, msg);
	}
}

static void enter(u32 state)
{
	job.state = state;
	notify(state == ICBENCH_JOB_STATE_FINISHED);
}

static void finish(u32 outcome, int err, const char *reason)
{
	job.outcome = outcome;
	job.err = err;
	snprintf(job.reason, sizeof(job.reason), "%s", reason);
	if (fake_is("silent"))
		job.reason[0] = '\0';
	enter(ICBENCH_JOB_STATE_DRAINING);
	enter(ICBENCH_JOB_STATE_FINISHED);
}

static u64 elapsed(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - job.since.tv_sec) * 1000000000ULL +
	       now.tv_nsec - job.since.tv_nsec;
}

static void __attribute__((constructor)) take_dirs(void)
{
	const char *cpus = getenv("FAKE_CPUS"), *tracing = getenv("FAKE_TRACEFS");
	const char *root = getenv("FAKE_ROOT");

	if (cpus)
		isolation_dir = cpus;
	tracefs_dir = tracing ? : "/nonexistent";
	lockdown_root = root ? : "/nonexistent";
}

static bool is_instance(const char *path)
{
	return strstr(path, "/instances/icbench");
}

static void __printf(1, 2) shell(const char *fmt, ...)
{
	char command[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(command, sizeof(command), fmt, args);
	va_end(args);
	if (system(command))
		abort();
}

/* As in tracefs, a new directory contains files, which disappear with it. */
int mkdir(const char *path, mode_t mode)
{
	int err = syscall(SYS_mkdirat, AT_FDCWD, path, mode);

	if (!err && is_instance(path))
		shell("cp -r '%s/template/.' '%s'", tracefs_dir, path);
	return err;
}

int rmdir(const char *path)
{
	if (is_instance(path))
		shell("cp -r '%s/.' '%s/last' && find '%s' -mindepth 1 -delete",
		      path, tracefs_dir, path);
	return syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

/* Do what the trigger does at its event: stop the trace, with the event in it. */
static void end_trace(void)
{
	if (getenv("FAKE_TRACEFS"))
		shell("for d in '%s'/instances/*/; do [ ! -d \"$d\" ] || { echo 'icb_beyond: id=1 owner=7 sample=501 ns=14000 ago=90' >>\"$d/trace\"; echo 0 >\"$d/tracing_on\"; } done",
		      tracefs_dir);
}

/* End all jobs that are measured together with one that has failed. */
static void end_group(u32 group, const char *words)
{
	char reason[128];

	snprintf(reason, sizeof(reason), "worker 2 of %u has failed: %s",
		 job.params.workers, words);
	for (fake_current = jobs; fake_current < jobs + ARRAY_SIZE(jobs); fake_current++)
		if (job.exists && job.group == group &&
		    job.state == ICBENCH_JOB_STATE_MEASURING)
			finish(ICBENCH_OUTCOME_STOPPED, 0, reason);
}

/* Advance the current job. */
static void tick_job(void)
{
	const char *rate = getenv("FAKE_RATE"), *words;
	u64 goal = job.params.iterations, time;
	int err;

	if (!job.exists || job.state != ICBENCH_JOB_STATE_MEASURING)
		return;
	time = elapsed();
	job.done = (double)time / 1e9 * (rate ? atof(rate) : 1e6);
	if (goal && job.done > goal)
		job.done = goal;
	err = job.group && fake_current != jobs + 1 ? 0 : failure("FAKE_FAIL", &words);
	/* report half of the operations, however late this is called */
	if ((err || fake_is("beyond")) && goal && job.done > goal / 2)
		job.done = goal / 2 + 1;
	if (job.stop)
		finish(ICBENCH_OUTCOME_STOPPED, 0, "");
	else if (fake_is("beyond") && goal && job.done > goal / 2) {
		end_trace();
		finish(ICBENCH_OUTCOME_STOPPED, 0,
		       "sample 501 took 7000 ns, threshold 5000 ns; disturbed by tick, softirq");
	} else if (err && (!goal || job.done > goal / 2)) {
		u32 group = job.group;

		finish(ICBENCH_OUTCOME_FAILED, err, words);
		if (group)
			end_group(group, words);
	} else if (goal ? job.done == goal : time > job.params.duration)
		finish(ICBENCH_OUTCOME_COMPLETE, 0, "");
}

static void tick(void)
{
	struct fake_job *was = fake_current, *each;

	for (each = jobs; each < jobs + ARRAY_SIZE(jobs); each++) {
		fake_current = each;
		tick_job();
	}
	fake_current = was;
}

static void begin_job(void)
{
	clock_gettime(CLOCK_MONOTONIC, &job.since);
	enter(ICBENCH_JOB_STATE_CONNECTING);
	if (fake_is("early")) {
		finish(ICBENCH_OUTCOME_FAILED, EHOSTUNREACH,
		       "peer 10.0.0.9: no route to host");
		return;
	}
	enter(ICBENCH_JOB_STATE_WARMUP);
	enter(ICBENCH_JOB_STATE_MEASURING);
}

static int take_params(struct nlattr *nest)
{
	struct nlattr *attr;
	int left;

	icb_params_init(&job.params);
	nla_for_each_nested(attr, nest, left) {
		const struct icb_param *param = icb_param_by_attr(nla_type(attr));
		int err;

		if (!param)
			return EINVAL;
		if (param->type == ICB_PARAM_STRING)
			err = icb_params_set_bytes(&job.params, param,
						   nla_data(attr),
						   strlen(nla_data(attr)), NULL);
		else if (param->type == ICB_PARAM_BYTES)
			err = icb_params_set_bytes(&job.params, param,
						   nla_data(attr),
						   nla_len(attr), NULL);
		else
			err = icb_params_set_number(&job.params, param,
						    nla_len(attr) == 8 ?
						    nla_get_u64(attr) :
						    nla_get_u32(attr), NULL);
		if (err)
			return -err;
	}
	icb_params_preset(&job.params, ICBENCH_A_PARAMS_PORT, 1);
	icb_params_preset(&job.params, ICBENCH_A_PARAMS_CPU, 0);
	icb_params_preset(&job.params, ICBENCH_A_PARAMS_PEER_CPU, 1);
	if (!icb_params_has(&job.params, ICBENCH_A_PARAMS_DEVICE))
		strcpy(job.params.device, "rxe0");
	job.params.set |= BIT_ULL(ICBENCH_A_PARAMS_DEVICE);
	return -icb_params_check(&job.params, NULL);
}

static void job_new(int fd, struct nlmsghdr *msg, struct nlattr **tb)
{
	const char *words = NULL;
	struct nl_msg *reply;
	int err;

	for (fake_current = jobs; job.exists; fake_current++)
		;
	err = failure("FAKE_REFUSE", &words);
	if (!err)
		err = take_params(tb[ICBENCH_A_JOB_PARAMS]);
	if (err) {
		send_ack(fd, msg, err, fake_is("silent") ? NULL : words);
		return;
	}
	job.id = ++last_id;
	job.group = tb[ICBENCH_A_JOB_GROUP] ?
		nla_get_u32(tb[ICBENCH_A_JOB_GROUP]) : 0;
	job.exists = true;
	job.stop = false;
	job.done = 0;
	job.err = 0;
	job.outcome = 0;
	job.reason[0] = '\0';
	job.state = ICBENCH_JOB_STATE_NEW;
	reply = fake_answer(msg, ICBENCH_CMD_JOB_NEW, 0);
	nla_put_u32(reply, ICBENCH_A_JOB_ID, job.id);
	fake_send(fd, reply);
	send_ack(fd, msg, 0, NULL);
}

static bool find_job(u32 id)
{
	struct fake_job *each;

	for (each = jobs; each < jobs + ARRAY_SIZE(jobs); each++) {
		if (!each->exists || each->id != id)
			continue;
		fake_current = each;
		return true;
	}
	return false;
}

static void about_job(int fd, struct nlmsghdr *msg, struct nlattr **tb)
{
	struct nl_msg *reply;
	int cmd = genlmsg_hdr(msg)->cmd;

	if (!find_job(nla_get_u32(tb[ICBENCH_A_JOB_ID]))) {
		send_ack(fd, msg, ENOENT, "id: no such job");
		return;
	}
	if (cmd == ICBENCH_CMD_JOB_START)
		begin_job();
	if (cmd == ICBENCH_CMD_JOB_START && fake_is("gone"))
		job.exists = false;
	if (cmd == ICBENCH_CMD_JOB_STOP)
		job.stop = true;
	if (cmd == ICBENCH_CMD_JOB_DEL)
		job.exists = false;
	if (cmd == ICBENCH_CMD_JOB_GET) {
		reply = fake_answer(msg, cmd, 0);
		put_job(reply);
		fake_send(fd, reply);
	}
	send_ack(fd, msg, 0, NULL);
}

static void put_gid(struct nl_msg *msg, u32 index)
{
	struct nlattr *nest = nla_nest_start(msg, ICBENCH_A_DEV_GIDS);
	u8 gid[16] = { 0xfe, 0x80 };

	gid[15] = index;
	nla_put_u32(msg, ICBENCH_A_GID_INDEX, index);
	nla_put(msg, ICBENCH_A_GID_VALUE, 16, gid);
	nla_put_string(msg, ICBENCH_A_GID_TYPE, "RoCE v2");
	nla_put_string(msg, ICBENCH_A_GID_NETDEV, "eth0");
	nla_nest_end(msg, nest);
}

static u32 dev_verbs(void)
{
	u32 all = BIT(icb_param_by_attr(ICBENCH_A_PARAMS_VERB)->max + 1) - 1;

	return fake_is("iwarp") ? BIT(ICBENCH_VERB_SEND) | BIT(ICBENCH_VERB_WRITE) |
			     BIT(ICBENCH_VERB_READ) : all;
}

static struct nl_msg *begin_dev(struct nlmsghdr *to, const char *name)
{
	struct nl_msg *msg = fake_answer(to, ICBENCH_CMD_DEV_GET, NLM_F_MULTI);

	nla_put_string(msg, ICBENCH_A_DEV_NAME, name);
	nla_put_string(msg, ICBENCH_A_DEV_DRIVER, "rdma_rxe");
	nla_put_u32(msg, ICBENCH_A_DEV_PORT, 1);
	nla_put_string(msg, ICBENCH_A_DEV_STATE, "active");
	nla_put_string(msg, ICBENCH_A_DEV_LINK_LAYER, "Ethernet");
	nla_put_string(msg, ICBENCH_A_DEV_PROTOCOL,
		       fake_is("iwarp") ? "iWARP" : "RoCE");
	if (!fake_is("noverbs"))
		nla_put_u32(msg, ICBENCH_A_DEV_VERBS, dev_verbs());
	nla_put_u32(msg, ICBENCH_A_DEV_SPEED, 2500);
	nla_put_u32(msg, ICBENCH_A_DEV_MTU, 1024);
	if (!fake_is("nolimit")) {
		nla_put_u64(msg, ICBENCH_A_DEV_MAX_MSG_SIZE, 8 << 20);
		nla_put_u64(msg, ICBENCH_A_DEV_MAX_MR_SIZE, 2 << 20);
		nla_put_u32(msg, ICBENCH_A_DEV_MAX_SGE, 32);
		nla_put_u32(msg, ICBENCH_A_DEV_MAX_RECV_SGE,
			    fake_is("fewsges") ? 6 : 32);
		nla_put_u32(msg, ICBENCH_A_DEV_MAX_READ_SGE,
			    fake_is("iwarp") ? 1 : 32);
	}
	return msg;
}

static void dump_devs(int fd, struct nlmsghdr *to)
{
	struct nl_msg *msg;
	char name[16];
	u32 i;

	/* the rest of the GID table is in a second message */
	for (i = 0; !fake_is("nodev") && i < 2; i++) {
		msg = begin_dev(to, "rxe0");
		put_gid(msg, i);
		fake_send(fd, msg);
	}
	for (i = 1; !fake_is("nodev") && i < (fake_is("manydevs") ? 40 : 2); i++) {
		snprintf(name, sizeof(name), "rxe%u", i);
		msg = begin_dev(to, name);
		put_gid(msg, 0);
		fake_send(fd, msg);
	}
	send_done(fd, to, 0, NULL);
}

static void result_get(int fd, struct nlmsghdr *to, struct nlattr **tb)
{
	if (!find_job(nla_get_u32(tb[ICBENCH_A_METRIC_JOB])) ||
	    job.state != ICBENCH_JOB_STATE_FINISHED) {
		send_ack(fd, to, ENOENT, "job: not a finished one");
		return;
	}
	fake_send_metric(fd, to, nla_data(tb[ICBENCH_A_METRIC_NAME]),
		    nla_get_u64(tb[ICBENCH_A_METRIC_FROM]),
		    tb[ICBENCH_A_METRIC_SAMPLE_FROM] ?
			nla_get_u64(tb[ICBENCH_A_METRIC_SAMPLE_FROM]) : U64_MAX);
	send_ack(fd, to, 0, NULL);
}

static void dump_jobs(int fd, struct nlmsghdr *to)
{
	struct nl_msg *msg;

	job.id = 5;
	icb_params_init(&job.params);
	icb_params_check(&job.params, NULL);
	job.state = ICBENCH_JOB_STATE_MEASURING;
	job.done = 500;
	msg = fake_answer(to, ICBENCH_CMD_JOB_GET, NLM_F_MULTI);
	put_job(msg);
	fake_send(fd, msg);
	send_done(fd, to, 0, NULL);
}

static void listen_new(int fd, struct nlmsghdr *to, struct nlattr **tb)
{
	const char *words = NULL;
	struct nl_msg *msg;
	int err;

	err = failure("FAKE_REFUSE", &words);
	if (err) {
		send_ack(fd, to, err, words);
		return;
	}
	listener.exists = true;
	listener.cm_port = tb[ICBENCH_A_LISTEN_CM_PORT] ?
		nla_get_u32(tb[ICBENCH_A_LISTEN_CM_PORT]) : 18515;
	if (tb[ICBENCH_A_LISTEN_BIND])
		snprintf(listener.bind, sizeof(listener.bind), "%s",
			 (char *)nla_data(tb[ICBENCH_A_LISTEN_BIND]));
	msg = fake_answer(to, ICBENCH_CMD_LISTEN_NEW, 0);
	nla_put_u32(msg, ICBENCH_A_LISTEN_ID, 3);
	fake_send(fd, msg);
	send_ack(fd, to, 0, NULL);
}

static void refuse_peer(void)
{
	struct nl_msg *msg;
	unsigned int i;

	for (i = 0; i < SOCKETS; i++) {
		if (!sockets[i].events)
			continue;
		msg = fake_answer(NULL, ICBENCH_CMD_REFUSED_NTF, 0);
		nla_put_u32(msg, ICBENCH_A_LISTEN_ID, 3);
		nla_put_string(msg, ICBENCH_A_LISTEN_PEER, "10.0.0.9");
		nla_put_string(msg, ICBENCH_A_LISTEN_REASON,
			       "wants\n9 QPs\x1b[2J");
		fake_send(sockets[i].kernel, msg);
	}
}

static void listen_get(int fd, struct nlmsghdr *to)
{
	struct nl_msg *msg;

	msg = fake_answer(to, ICBENCH_CMD_LISTEN_GET, 0);
	nla_put_u32(msg, ICBENCH_A_LISTEN_ID, 3);
	if (*listener.bind)
		nla_put_string(msg, ICBENCH_A_LISTEN_BIND, listener.bind);
	nla_put_u32(msg, ICBENCH_A_LISTEN_CM_PORT, listener.cm_port);
	fake_send(fd, msg);
	send_ack(fd, to, 0, NULL);
	refuse_peer();
}

static void handle(int fd, struct nlmsghdr *msg)
{
	bool dump = (msg->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	struct nlattr *tb[32];

	nla_parse(tb, 31, genlmsg_attrdata(genlmsg_hdr(msg), 0),
		  genlmsg_attrlen(genlmsg_hdr(msg), 0), NULL);
	if (fake_is("eperm")) {
		send_ack(fd, msg, EPERM, NULL);
		return;
	}
	switch (genlmsg_hdr(msg)->cmd) {
	case ICBENCH_CMD_DEV_GET:
		dump_devs(fd, msg);
		break;
	case ICBENCH_CMD_JOB_NEW:
		job_new(fd, msg, tb);
		break;
	case ICBENCH_CMD_RESULT_GET:
		result_get(fd, msg, tb);
		break;
	case ICBENCH_CMD_LISTEN_NEW:
		listen_new(fd, msg, tb);
		break;
	case ICBENCH_CMD_LISTEN_GET:
		listen_get(fd, msg);
		break;
	default:
		if (dump)
			dump_jobs(fd, msg);
		else
			about_job(fd, msg, tb);
	}
}

/* Messages for another request have another sequence number. */
static void send_noise(int fd, const struct nlmsghdr *to)
{
	struct nlmsghdr other = *to;

	other.nlmsg_seq--;
	send_ack(fd, &other, EIO, "for somebody else");
}

static void *serve(void *arg)
{
	static char buf[65536];
	int fd = (int)(long)arg;
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	ssize_t len;

	for (;;) {
		tick();
		if (!poll(&pfd, 1, TICK_MS))
			continue;
		len = recv(fd, buf, sizeof(buf), 0);
		if (len <= 0)
			return NULL;
		if (getenv("FAKE_NOISE"))
			send_noise(fd, (struct nlmsghdr *)buf);
		handle(fd, (struct nlmsghdr *)buf);
	}
}

/* Replacements for functions of libnl: */

int genl_connect(struct nl_sock *sock)
{
	bool first = !sockets[0].sock;
	sigset_t all, old;
	pthread_t thread;
	int fds[2], i;

	for (i = 0; sockets[i].sock; i++)
		;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -NLE_FAILURE;
	sockets[i].sock = sock;
	sockets[i].fd = fds[0];
	sockets[i].kernel = fds[1];
	if (first) {
		/* signals are delivered to icbenchctl's threads */
		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, &old);
		pthread_create(&thread, NULL, serve, (void *)(long)fds[1]);
		pthread_detach(thread);
		pthread_sigmask(SIG_SETMASK, &old, NULL);
	}
	return 0;
}

int nl_socket_get_fd(const struct nl_sock *sock)
{
	int i;

	for (i = 0; i < SOCKETS; i++)
		if (sockets[i].sock == sock)
			return sockets[i].fd;
	return -1;
}

void nl_socket_free(struct nl_sock *sock)
{
	void (*real)(struct nl_sock *sock) = dlsym(RTLD_NEXT, "nl_socket_free");
	int i;

	for (i = 0; sock && i < SOCKETS; i++) {
		if (sockets[i].sock != sock)
			continue;
		sockets[i].events = false;
		shutdown(sockets[i].fd, SHUT_RDWR);
	}
	real(sock);
}

int genl_ctrl_resolve(struct nl_sock *sock, const char *name)
{
	(void)sock;
	return fake_is("nomodule") || strcmp(name, "icbench") ? -NLE_OBJ_NOTFOUND :
		FAMILY;
}

int genl_ctrl_resolve_grp(struct nl_sock *sock, const char *family,
			  const char *group)
{
	(void)sock;
	return fake_is("nogroup") || strcmp(family, "icbench") ||
	       strcmp(group, "jobs") ? -NLE_OBJ_NOTFOUND : GROUP;
}

int nl_socket_add_membership(struct nl_sock *sock, int group)
{
	int i;

	for (i = 0; i < SOCKETS; i++)
		if (sockets[i].sock == sock)
			sockets[i].events = group == GROUP;
	return 0;
}

int nl_socket_set_buffer_size(struct nl_sock *sock, int rx, int tx)
{
	(void)sock;
	(void)rx;
	(void)tx;
	return 0;
}
