// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the runs of a plan against the limits of this host's devices, before any is
 * tried.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/status.h"
#include "limits.h"
#include "model/segments.h"
#include "model/derived.h"
#include "model/verb_rules.h"
#include "model/verbs_table.h"
#include "nl/module.h"
#include "nl/module.h"

static bool is_active(const struct nl_dev *dev)
{
	return !strcasecmp(dev->state, "active") && dev->gids;
}

static bool is_named(const struct nl_dev *dev, const struct icb_params *params)
{
	char name[ICBENCH_MAX_NAME + 1];
	u32 i, port;

	for (i = 0; i < params->devices; i++)
		if (icb_params_device(params, i, name, &port) &&
		    !strcmp(dev->name, name) && (!port || dev->port == port))
			return true;
	return false;
}

/* True if a run may use this device, as far as that is known before the run. */
static bool is_candidate(const struct nl_dev *dev,
			 const struct icb_params *params)
{
	if (icb_verb_of(params)->local)
		return false;
	if (icb_params_has(params, ICBENCH_A_PARAMS_DEVICE))
		return is_named(dev, params);
	return is_active(dev);
}

/* The largest message of a device, bytes; U64_MAX if the device does not report it. */
static u64 largest_message(const struct nl_dev *dev,
			   const struct icb_params *params)
{
	u64 size = U64_MAX;

	if (NL_HAS(dev, ICBENCH_A_DEV_MAX_MSG_SIZE))
		size = dev->max_msg_size;
	if (icb_verb_of(params)->region &&
	    NL_HAS(dev, ICBENCH_A_DEV_MAX_MR_SIZE) && dev->max_mr_size < size)
		size = dev->max_mr_size;
	return size;
}

/**
 * limits_largest_size() - find the largest message size that all devices support
 * @devs: devices of this host
 * @plan: the runs
 * @limit: set to the device with the lowest limit; NULL if there is none
 *
 * Return: the largest size, in bytes, that every device supports which a run may use;
 * U64_MAX if no such device reports a limit.
 */
u64 limits_largest_size(const struct nl_devs *devs, const struct plan *plan,
			const struct nl_dev **limit)
{
	const struct icb_params *params;
	u64 least = U64_MAX, size;
	unsigned int i, j;

	*limit = NULL;
	for (i = 0; i < plan->count; i++) {
		params = &plan->point[i].params;
		for (j = 0; j < devs->count; j++) {
			size = largest_message(&devs->dev[j], params);
			if (!is_candidate(&devs->dev[j], params) ||
			    size >= least)
				continue;
			least = size;
			*limit = &devs->dev[j];
		}
	}
	return least;
}

/**
 * limits_largest_mtu() - find the largest path MTU that all ports support
 * @devs: devices of this host
 * @plan: the runs
 * @limit: set to the device whose port has the lowest limit; NULL if there is none
 *
 * Return: the largest path MTU, in bytes, that every port supports which a run may use;
 * U64_MAX if no such port reports a limit.
 */
u64 limits_largest_mtu(const struct nl_devs *devs, const struct plan *plan,
		       const struct nl_dev **limit)
{
	const struct nl_dev *dev;
	unsigned int i, j;
	u64 least = U64_MAX;

	*limit = NULL;
	for (i = 0; i < plan->count; i++) {
		for (j = 0; j < devs->count; j++) {
			dev = &devs->dev[j];
			if (!is_candidate(dev, &plan->point[i].params) ||
			    !NL_HAS(dev, ICBENCH_A_DEV_MTU) ||
			    dev->mtu >= least)
				continue;
			least = dev->mtu;
			*limit = dev;
		}
	}
	return least;
}

/**
 * limits_most_sges() - find the number of SGEs that all devices support
 * @devs: devices of this host
 * @plan: the runs
 * @limit: set to the device with the lowest limit; NULL if there is none
 *
 * Return: the most SGEs of a work request that every device supports which a run may use;
 * U32_MAX if no such device reports a limit.
 */
u32 limits_most_sges(const struct nl_devs *devs, const struct plan *plan,
		     const struct nl_dev **limit)
{
	u32 least = U32_MAX, sges;
	const struct nl_dev *dev;
	unsigned int i, j;

	*limit = NULL;
	for (i = 0; i < plan->count; i++)
		for (j = 0; j < devs->count; j++) {
			dev = &devs->dev[j];
			if (!is_candidate(dev, &plan->point[i].params) ||
			    !NL_HAS(dev, ICBENCH_A_DEV_MAX_SGE) ||
			    !NL_HAS(dev, ICBENCH_A_DEV_MAX_RECV_SGE))
				continue;
			sges = dev->max_recv_sge;
			/* the receive of a datagram needs one SGE for the GRH */
			if (icb_params_datagrams(&plan->point[i].params))
				sges -= !!sges;
			sges = min_t(u32, dev->max_sge, sges);
			if (sges >= least)
				continue;
			least = sges;
			*limit = dev;
		}
	return least;
}

/* Refuse a size that no candidate device supports. */
static int check_size(const struct nl_devs *devs,
		      const struct icb_params *params)
{
	const struct nl_dev *best = NULL;
	u64 most = 0, size;
	unsigned int i;

	for (i = 0; i < devs->count; i++) {
		if (!is_candidate(&devs->dev[i], params))
			continue;
		size = largest_message(&devs->dev[i], params);
		if (params->size <= size)
			return 0;
		if (size >= most) {
			most = size;
			best = &devs->dev[i];
		}
	}
	if (!best)
		return 0;
	return message_usage("size: %u is too large for verb %s on %s; accepted: %u to %llu bytes",
			     params->size,
			     icb_params_word(params, ICBENCH_A_PARAMS_VERB),
			     best->name, icb_verb_of(params)->min_size,
			     (unsigned long long)most);
}

/* Refuse a verb that no candidate device supports. */
static int check_verb(const struct nl_devs *devs,
		      const struct icb_params *params)
{
	struct icb_reason why;
	int refused = 0;
	unsigned int i;

	for (i = 0; i < devs->count; i++) {
		if (!is_candidate(&devs->dev[i], params))
			continue;
		if (!NL_HAS(&devs->dev[i], ICBENCH_A_DEV_VERBS) ||
		    !icb_verb_refuse(params, devs->dev[i].name,
				     devs->dev[i].verbs, &why))
			return 0;
		refused = 1;
	}
	return refused ? message_usage("%s", why.text) : 0;
}

/* Refuse a path MTU that no port of a candidate device supports. */
static int check_mtu(const struct nl_devs *devs,
		     const struct icb_params *params)
{
	const struct nl_dev *best = NULL, *dev;
	unsigned int i;

	if (!icb_params_has(params, ICBENCH_A_PARAMS_MTU))
		return 0;
	for (i = 0; i < devs->count; i++) {
		dev = &devs->dev[i];
		if (!is_candidate(dev, params))
			continue;
		if (!NL_HAS(dev, ICBENCH_A_DEV_MTU) ||
		    (params->mtu <= dev->mtu && strcmp(dev->protocol, "iWARP")))
			return 0;
		if (!best || dev->mtu > best->mtu)
			best = dev;
	}
	if (!best)
		return 0;
	if (!strcmp(best->protocol, "iWARP"))
		return message_usage("mtu: %s uses iWARP, whose segments are those of TCP",
				     best->name);
	return message_usage("mtu: %u is too large for %s; accepted: 256 to %u",
			     params->mtu, best->name, best->mtu);
}

/* Refuse a number of SGEs that no candidate device supports. */
static int check_sges(const struct nl_devs *devs,
		      const struct icb_params *params)
{
	struct icb_sge_limits limits;
	const struct nl_dev *dev;
	struct icb_reason why;
	int refused = 0;
	unsigned int i;

	for (i = 0; i < devs->count; i++) {
		dev = &devs->dev[i];
		if (!is_candidate(dev, params))
			continue;
		limits.send = dev->max_sge;
		limits.recv = dev->max_recv_sge;
		limits.read = dev->max_read_sge;
		if (!NL_HAS(dev, ICBENCH_A_DEV_MAX_SGE) ||
		    !NL_HAS(dev, ICBENCH_A_DEV_MAX_RECV_SGE) ||
		    !icb_segments_refuse(params, dev->name, &limits, &why))
			return 0;
		refused = 1;
	}
	return refused ? message_usage("%s", why.text) : 0;
}

static int refuse_device(const struct nl_devs *devs, const char *name)
{
	char *names = NULL, *more;
	unsigned int i;

	if (!devs->count) {
		message("no RDMA device; make one: rdma link add rxe0 type rxe netdev IFACE%s",
			module_hint(-ENODEV));
		return STATUS_SETUP;
	}
	for (i = 0; i < devs->count; i++) {
		if (i && !strcmp(devs->dev[i - 1].name, devs->dev[i].name))
			continue;
		more = alloc_text("%s%s%s", names ? : "", names ? ", " : "",
				  devs->dev[i].name);
		free(names);
		names = more;
	}
	message("device: no RDMA device \"%s\"; there is: %s", name, names);
	free(names);
	return STATUS_SETUP;
}

static bool has_device(const struct nl_devs *devs, const char *name)
{
	unsigned int i;

	for (i = 0; i < devs->count; i++)
		if (!strcmp(devs->dev[i].name, name))
			return true;
	return false;
}

/* Refuse the name of a device that this host does not have. */
static int check_devices(const struct nl_devs *devs,
			 const struct icb_params *params)
{
	char name[ICBENCH_MAX_NAME + 1];
	u32 i, port;

	for (i = 0; i < params->devices; i++)
		if (icb_params_device(params, i, name, &port) &&
		    !has_device(devs, name))
			return refuse_device(devs, name);
	return 0;
}

/**
 * limits_check_devices() - check that the devices which the runs request exist
 * @devs: devices of this host
 * @plan: the runs
 *
 * Return: 0, or STATUS_SETUP. The error has been reported to the user.
 */
int limits_check_devices(const struct nl_devs *devs, const struct plan *plan)
{
	const struct icb_params *params;
	unsigned int i;
	int status = 0;

	for (i = 0; i < plan->count && !status; i++) {
		params = &plan->point[i].params;
		if (icb_verb_of(params)->local)
			continue;
		if (!devs->count)
			return refuse_device(devs, NULL);
		if (icb_params_has(params, ICBENCH_A_PARAMS_DEVICE))
			status = check_devices(devs, params);
	}
	return status;
}

/**
 * limits_check_messages() - check that the devices support the verbs, sizes, path MTUs
 *	and SGEs of the runs
 * @devs: devices of this host
 * @plan: the runs
 *
 * Return: 0, or STATUS_USAGE. The error has been reported to the user.
 */
int limits_check_messages(const struct nl_devs *devs, const struct plan *plan)
{
	unsigned int i;
	int status;

	for (i = 0; i < plan->count; i++) {
		status = check_verb(devs, &plan->point[i].params);
		if (!status)
			status = check_size(devs, &plan->point[i].params);
		if (!status)
			status = check_mtu(devs, &plan->point[i].params);
		if (!status)
			status = check_sges(devs, &plan->point[i].params);
		if (status)
			return status;
	}
	return 0;
}
