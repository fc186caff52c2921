// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <json-c/json.h>

#include "base/args.h"
#include "base/json_add.h"
#include "base/message.h"
#include "base/status.h"
#include "commands.h"
#include "nl/device.h"
#include "nl/module.h"
#include "plan/number.h"

static const char *const options[] = { "--json", "--help", NULL };

static void help(void)
{
	puts("usage: icbenchctl devices [--json]\n"
	     "\n"
	     "List the RDMA devices with their ports, limits and GIDs.");
}

static void gid_text(const struct nl_gid *gid, char *buf, size_t size)
{
	if (!inet_ntop(AF_INET6, gid->value, buf, size))
		buf[0] = '\0';
}

static void size_text(u64 size, char *buf, size_t len)
{
	number_print(buf, len, ICB_PARAM_SIZE, size);
}

static void print_dev(const struct nl_dev *dev)
{
	char largest[24], region[24], gid[INET6_ADDRSTRLEN], verbs[128];
	unsigned int i;

	printf("%s port %u: %s, %s", dev->name, dev->port,
	       *dev->driver ? dev->driver : "?",
	       *dev->state ? dev->state : "?");
	if (*dev->link_layer)
		printf(", %s", dev->link_layer);
	if (*dev->protocol)
		printf(", %s", dev->protocol);
	if (NL_HAS(dev, ICBENCH_A_DEV_SPEED))
		printf(", %g Gb/s", dev->speed / 1000.0);
	if (NL_HAS(dev, ICBENCH_A_DEV_MTU))
		printf(", MTU %u", dev->mtu);
	if (*dev->netdev)
		printf(", on %s", dev->netdev);
	if (NL_HAS(dev, ICBENCH_A_DEV_NODE) && dev->node >= 0)
		printf(", NUMA node %d", dev->node);
	putchar('\n');
	size_text(dev->max_msg_size, largest, sizeof(largest));
	size_text(dev->max_mr_size, region, sizeof(region));
	printf("  limits: message %s, registration %s, %u QPs, %u CQEs, %u SGEs, %u vectors\n",
	       largest, region, dev->max_qp, dev->max_cqe, dev->max_sge,
	       dev->vectors);
	if (NL_HAS(dev, ICBENCH_A_DEV_VERBS))
		printf("  verbs: %s\n",
		       icb_param_list_words(icb_param_by_attr(ICBENCH_A_PARAMS_VERB),
					    dev->verbs, verbs, sizeof(verbs)));
	for (i = 0; i < dev->gids; i++) {
		gid_text(&dev->gid[i], gid, sizeof(gid));
		printf("  gid %3u: %-39s %s %s\n", dev->gid[i].index, gid,
		       dev->gid[i].type, dev->gid[i].netdev);
	}
}

static void add_gids(struct json_object *object, const struct nl_dev *dev)
{
	struct json_object *gids = json_add_array(object, "gids"), *item;
	char text[INET6_ADDRSTRLEN];
	unsigned int i;

	for (i = 0; i < dev->gids; i++) {
		item = json_object_new_object();
		json_add_count(item, "index", dev->gid[i].index);
		gid_text(&dev->gid[i], text, sizeof(text));
		json_add_string(item, "value", text);
		json_add_string(item, "type", dev->gid[i].type);
		json_add_string(item, "netdev", dev->gid[i].netdev);
		json_object_array_add(gids, item);
	}
}

static void add_verbs(struct json_object *object, const struct nl_dev *dev)
{
	const struct icb_param *verb = icb_param_by_attr(ICBENCH_A_PARAMS_VERB);
	struct json_object *verbs;
	unsigned int i;

	if (!NL_HAS(dev, ICBENCH_A_DEV_VERBS))
		return;
	verbs = json_add_array(object, "verbs");
	for (i = 0; verb->words[i]; i++)
		if (dev->verbs & BIT(i))
			json_object_array_add(verbs, json_object_new_string(verb->words[i]));
}

static void add_numbers(struct json_object *object, const struct nl_dev *dev)
{
	const struct {
		const char *key;
		unsigned int attr;
		u64 value;
	} numbers[] = {
		{ "port", ICBENCH_A_DEV_PORT, dev->port },
		{ "speed", ICBENCH_A_DEV_SPEED, dev->speed },
		{ "mtu", ICBENCH_A_DEV_MTU, dev->mtu },
		{ "max-qp", ICBENCH_A_DEV_MAX_QP, dev->max_qp },
		{ "max-cqe", ICBENCH_A_DEV_MAX_CQE, dev->max_cqe },
		{ "max-sge", ICBENCH_A_DEV_MAX_SGE, dev->max_sge },
		{ "max-recv-sge", ICBENCH_A_DEV_MAX_RECV_SGE,
		  dev->max_recv_sge },
		{ "max-read-sge", ICBENCH_A_DEV_MAX_READ_SGE,
		  dev->max_read_sge },
		{ "max-mr-size", ICBENCH_A_DEV_MAX_MR_SIZE, dev->max_mr_size },
		{ "max-msg-size", ICBENCH_A_DEV_MAX_MSG_SIZE,
		  dev->max_msg_size },
		{ "vectors", ICBENCH_A_DEV_VECTORS, dev->vectors },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (NL_HAS(dev, numbers[i].attr))
			json_add_count(object, numbers[i].key,
				       numbers[i].value);
	if (NL_HAS(dev, ICBENCH_A_DEV_NODE))
		json_object_object_add(object, "node",
				       json_object_new_int(dev->node));
}

static void print_json(const struct nl_devs *devs)
{
	struct json_object *list = json_object_new_array(), *object;
	const struct nl_dev *dev;
	char guid[24];
	unsigned int i;

	for (i = 0; i < devs->count; i++) {
		dev = &devs->dev[i];
		object = json_object_new_object();
		json_add_string(object, "name", dev->name);
		json_add_string(object, "driver", dev->driver);
		json_add_string(object, "state", dev->state);
		json_add_string(object, "link-layer", dev->link_layer);
		json_add_string(object, "protocol", dev->protocol);
		json_add_string(object, "netdev", dev->netdev);
		if (NL_HAS(dev, ICBENCH_A_DEV_NODE_GUID)) {
			snprintf(guid, sizeof(guid), "%016llx",
				 (unsigned long long)dev->node_guid);
			json_add_string(object, "node-guid", guid);
		}
		add_numbers(object, dev);
		add_verbs(object, dev);
		add_gids(object, dev);
		json_object_array_add(list, object);
	}
	json_print(stdout, list);
}

static int print(struct nl *nl, bool json)
{
	struct nl_devs devs = { 0 };
	struct icb_reason why;
	unsigned int i;
	int err, status = STATUS_DONE;

	err = nl_dev_list(nl, &devs, &why);
	if (err) {
		status = module_refused(err, &why);
	} else if (!devs.count) {
		message("no RDMA device; make one: rdma link add rxe0 type rxe netdev IFACE%s",
			module_hint(-ENODEV));
		status = STATUS_SETUP;
	} else if (json) {
		print_json(&devs);
	} else {
		for (i = 0; i < devs.count; i++)
			print_dev(&devs.dev[i]);
	}
	nl_devs_free(&devs);
	return status;
}

int cmd_devices(char **argv)
{
	bool json = false;
	struct args args;
	struct nl *nl;
	int status;

	args_begin(&args, argv + 2);
	while (args_next(&args)) {
		if (args_help(&args))
			return args_show_help(&args, help);
		if (!args_is(&args, "--json", NULL))
			return args_unknown(&args, "devices", options);
		if (args_no_value(&args))
			return STATUS_USAGE;
		json = true;
	}
	nl = module_open();
	if (!nl)
		return STATUS_SETUP;
	status = print(nl, json);
	nl_end(nl);
	return status;
}
