// SPDX-License-Identifier: GPL-2.0
/*
 * icbenchctl doctor: examine whether this host is set up for runs. Each finding names the
 * command that fixes it. A device and a peer are examined by a run of one message, so that
 * the reason of a refusal is that of the module.
 */
#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/address.h"
#include "base/alloc.h"
#include "base/args.h"
#include "base/environment.h"
#include "base/interrupt.h"
#include "base/message.h"
#include "base/status.h"
#include "base/token.h"
#include "commands.h"
#include "nl/events.h"
#include "nl/loading.h"
#include "nl/lockdown.h"
#include "plan/isolation.h"
#include "plan/plan.h"
#include "print/layout.h"
#include "run/runner.h"

/* Longest wait for the message of a run. */
#define PATIENCE	"5s"

/* Path MTU of RoCE that needs a larger MTU of the interface, and that MTU. */
#define LARGE_PATH_MTU	4096
#define LARGE_MTU	4200

static const char *const options[] = {
	"--token-file", "--cm-port", "--help", NULL
};

enum verdict {
	IS_FINE,
	REMARK,
	TO_FIX,
};

/**
 * struct doctor - state of the examination
 * @runner: connection to the module, if it is loaded
 * @peer: peer to examine; NULL for none
 * @config: keys of the runs with the peer
 * @faults: number of findings that prevent runs
 * @node: NUMA node of the first usable device; -1 if unknown
 */
struct doctor {
	struct runner runner;
	const char *peer;
	struct config config;
	unsigned int faults;
	int node;
};

static void help(void)
{
	puts("usage: icbenchctl doctor [PEER] [--token-file FILE] [--cm-port N]\n"
	     "\n"
	     "Examine whether this host is set up for runs: the module, each port of each RDMA\n"
	     "device, the CPUs, and with PEER whether it answers. Each finding names the command\n"
	     "that fixes it. Devices and the peer are examined by runs of one message.\n"
	     "\n"
	     "      --token-file F   secret that the peer requires, 8 to 64 bytes\n"
	     "  -p, --cm-port N      port of the connection manager at the peer (18515)");
}

static void __printf(4, 5) find(struct doctor *doctor, const char *topic,
				enum verdict verdict, const char *fmt, ...)
{
	static const char *const words[] = {
		[IS_FINE] = "ok", [REMARK] = "note", [TO_FIX] = "FIX",
	};
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	doctor->faults += verdict == TO_FIX;
	layout_line(stdout, topic, "%s: %s", words[verdict], text);
	fflush(stdout);
}

static char *read_line(const char *name)
{
	char *path = alloc_text("%s%s", lockdown_root, name);
	char *line = environment_line(path);

	free(path);
	return line;
}

static void examine_version(struct doctor *doctor)
{
	char *version = read_line("/sys/module/icbench/version");

	if (version && strcmp(version, ICBENCH_VERSION))
		find(doctor, "Module", REMARK,
		     "loaded, version %s; icbenchctl is %s: make install, rmmod icbench && modprobe icbench",
		     version, ICBENCH_VERSION);
	else
		find(doctor, "Module", IS_FINE, "loaded%s%s",
		     version ? ", version " : "", version ? : "");
	free(version);
}

/* Report a module that is installed for other kernels than the running one only. */
static void examine_builds(struct doctor *doctor)
{
	char *kernels = loading_other_kernels();

	if (kernels)
		find(doctor, "Module", REMARK,
		     "installed for kernel %s, not for the running one: dkms autoinstall, or: make && make install",
		     kernels);
	free(kernels);
}

static int examine_module(struct doctor *doctor)
{
	struct runner *runner = &doctor->runner;
	struct icb_reason why;

	runner->nl = nl_begin(&why);
	if (!runner->nl) {
		find(doctor, "Module", TO_FIX, "%s", why.text);
		examine_builds(doctor);
		return -1;
	}
	runner->signals = interrupt_open();
	if (nl_dev_list(runner->nl, &runner->devs, &why) ||
	    nl_events_open(runner->nl, &why)) {
		find(doctor, "Module", TO_FIX, "%s", why.text);
		return -1;
	}
	progress_begin(&runner->progress);
	examine_version(doctor);
	return 0;
}

static int set(struct config *config, const char *name, const char *value,
	       struct icb_reason *why)
{
	return config_set(config, icb_param_by_name(name), value, why);
}

/* Send one message with these keys. Return: 0, or an error with a reason. */
static int try(struct doctor *doctor, struct config *config,
	       struct icb_reason *why)
{
	struct point point = { 0 };
	struct plan plan = { 0 };
	int err;

	err = set(config, "iterations", "1", why) ? :
	      set(config, "warmup", "0", why) ? :
	      set(config, "timeout", PATIENCE, why) ? :
	      plan_make(&plan, config, NULL, why);
	if (!err)
		err = runner_run(&doctor->runner, &plan.point[0].params, NULL,
				 &point, why);
	if (!err && point.job.outcome != ICBENCH_OUTCOME_COMPLETE)
		err = icb_refuse(why, -EIO, "%s", *point.job.reason ?
				 point.job.reason : strerror(point.job.err));
	point_clear(&point);
	plan_free(&plan);
	return err;
}

/* A RoCE device can have a larger path MTU, if its interface has a larger MTU. */
static void examine_mtu(struct doctor *doctor, const struct nl_dev *dev,
			const char *topic)
{
	char *path = alloc_text("/sys/class/net/%s/mtu", dev->netdev);
	char *mtu = *dev->netdev ? read_line(path) : NULL;

	if (mtu && NL_HAS(dev, ICBENCH_A_DEV_MTU) &&
	    dev->mtu < LARGE_PATH_MTU && atoi(mtu) < LARGE_MTU)
		find(doctor, topic, REMARK,
		     "path MTU %u, because %s has MTU %s; for %u, on both hosts: ip link set dev %s mtu %u",
		     dev->mtu, dev->netdev, mtu, LARGE_PATH_MTU, dev->netdev,
		     LARGE_MTU);
	free(mtu);
	free(path);
}

static void examine_port(struct doctor *doctor, const struct nl_dev *dev)
{
	char topic[64], port[16];
	struct config config = { 0 };
	struct icb_reason why;

	snprintf(topic, sizeof(topic), "%.10s/%u", dev->name, dev->port);
	snprintf(port, sizeof(port), "%u", dev->port);
	if (set(&config, "device", dev->name, &why) ||
	    set(&config, "port", port, &why) || try(doctor, &config, &why)) {
		find(doctor, topic, TO_FIX, "%s", why.text);
	} else {
		find(doctor, topic, IS_FINE,
		     "%s, %s, %u address%s; a message to this host arrived",
		     *dev->driver ? dev->driver : "unknown driver",
		     *dev->netdev ? dev->netdev : "no interface", dev->gids,
		     dev->gids == 1 ? "" : "es");
		examine_mtu(doctor, dev, topic);
		if (doctor->node < 0 && NL_HAS(dev, ICBENCH_A_DEV_NODE))
			doctor->node = dev->node;
	}
	config_free(&config);
}

/* One usable port is enough: the others are only remarked on. */
static void examine_devices(struct doctor *doctor)
{
	const struct nl_devs *devs = &doctor->runner.devs;
	const unsigned int before = doctor->faults;
	unsigned int i;

	if (!devs->count)
		find(doctor, "Devices", TO_FIX,
		     "no RDMA device; make one: rdma link add rxe0 type rxe netdev IFACE");
	for (i = 0; i < devs->count; i++)
		examine_port(doctor, &devs->dev[i]);
	if (devs->count && doctor->faults - before < devs->count)
		doctor->faults = before;
}

static void examine_cpu(struct doctor *doctor, u32 cpu)
{
	struct isolation isolation = { 0 };
	unsigned int i;

	isolation_look_cpu(&isolation, cpu);
	for (i = 0; i < isolation.count; i++)
		find(doctor, "CPUs", REMARK, "%s", isolation.finding[i]);
	isolation_free(&isolation);
}

static void examine_cpus(struct doctor *doctor)
{
	u32 cpu, other;

	if (!isolation_choose(doctor->node, &cpu, &other)) {
		find(doctor, "CPUs", REMARK, "unknown: %s/online cannot be read",
		     isolation_dir);
		return;
	}
	find(doctor, "CPUs", IS_FINE,
	     "best choice: --cpu %u, and for a run on this host --peer-cpu %u%s",
	     cpu, other, cpu == other ? ", the only CPU" : "");
	examine_cpu(doctor, cpu);
	if (other != cpu)
		examine_cpu(doctor, other);
}

static void examine_memlock(struct doctor *doctor)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit) ||
	    limit.rlim_cur == RLIM_INFINITY)
		find(doctor, "memlock", IS_FINE, "unlimited");
	else
		find(doctor, "memlock", IS_FINE,
		     "%llu KiB, which does not limit icbench: its buffers are kernel memory; for perftest: ulimit -l unlimited",
		     (unsigned long long)limit.rlim_cur / 1024);
}

static void examine_peer(struct doctor *doctor)
{
	char address[ICBENCH_MAX_NAME + 1];
	struct icb_reason why;

	if (!doctor->peer)
		return;
	if (address_resolve("peer", doctor->peer, address, sizeof(address), &why) ||
	    set(&doctor->config, "peer", address, &why))
		find(doctor, "Peer", TO_FIX, "%s", why.text);
	else if (try(doctor, &doctor->config, &why))
		find(doctor, "Peer", TO_FIX, "%s; at the peer: icbenchctl doctor, icbenchctl serve",
		     why.text);
	else
		find(doctor, "Peer", IS_FINE, "%s answers", doctor->peer);
}

static int examine(struct doctor *doctor)
{
	bool loaded = !examine_module(doctor);

	if (loaded)
		examine_devices(doctor);
	examine_cpus(doctor);
	examine_memlock(doctor);
	if (loaded)
		examine_peer(doctor);
	return doctor->faults ? STATUS_SETUP : STATUS_DONE;
}

static int take_token(struct doctor *doctor, struct args *args)
{
	const char *value = args_value(args);
	struct icb_reason why;
	struct token token;

	if (!value)
		return STATUS_USAGE;
	if (token_read(&token, value, &why))
		return message_usage("%s", why.text);
	config_set_secret(&doctor->config,
			  icb_param_by_attr(ICBENCH_A_PARAMS_TOKEN),
			  token.data, token.len);
	explicit_bzero(&token, sizeof(token));
	return 0;
}

static int take_port(struct doctor *doctor, struct args *args)
{
	const char *value = args_value(args);
	struct icb_reason why;

	if (!value)
		return STATUS_USAGE;
	if (set(&doctor->config, "cm-port", value, &why))
		return message_usage("%s", why.text);
	return 0;
}

static int take(struct doctor *doctor, struct args *args)
{
	if (args_is(args, "--token-file", NULL))
		return take_token(doctor, args);
	if (args_is(args, "--cm-port", "-p"))
		return take_port(doctor, args);
	if (!args->word || doctor->peer)
		return args_unknown(args, "doctor", options);
	doctor->peer = args->word;
	return 0;
}

int cmd_doctor(char **argv)
{
	struct doctor doctor = { .node = -1 };
	int status = 0;
	struct args args;

	message_quiet();
	args_begin(&args, argv + 2);
	while (!status && args_next(&args)) {
		if (args_help(&args)) {
			status = args_show_help(&args, help);
			goto free;
		}
		status = take(&doctor, &args);
	}
	if (!status)
		status = examine(&doctor);
free:
	runner_end(&doctor.runner);
	config_free(&doctor.config);
	return status;
}
