// SPDX-License-Identifier: GPL-2.0
/* Requests to the listener of a run of the host with itself, without the run's secret. */
#include <stdlib.h>

#include "report.h"

static const struct {
	const char *name;
	u16 kind;
	const char *words;
} kinds[] = {
	{ "control", ICB_WIRE_CONTROL,
	  "this port is used by a run of the host with itself" },
	{ "data", ICB_WIRE_DATA, "no run waits for this data connection" },
	{ "probe", ICB_WIRE_PROBE, "no run waits for this connection" },
};

static void ask(struct tally *tally, const char *addr, u16 port,
		unsigned int kind, u64 cookie, u32 qp)
{
	struct icb_wire_hello hello = {
		.magic = ICB_WIRE_MAGIC,
		.version = ICB_WIRE_VERSION,
		.kind = kinds[kind].kind,
		.cookie = cookie,
		.qp = qp,
	};
	struct peer peer;
	char what[60], why[ICB_WIRE_WORDS + 60];

	tally->count++;
	snprintf(what, sizeof(what), "cookie %#llx, QP %u",
		 (unsigned long long)cookie, qp);
	peer_open(&peer);
	if (!peer_resolve(&peer, &peer.ctl, addr, port, 15000 * slow)) {
		tally_fail(tally, what, "no way there");
		peer_close(&peer);
		return;
	}
	peer_connect(&peer.ctl, &hello, sizeof(hello));
	peer_wait(&peer, peer.ctl.state >= END_CONNECTED, 15000 * slow);
	snprintf(why, sizeof(why), "state %d, \"%s\"", peer.ctl.state,
		 peer.ctl.words);
	if (peer.ctl.state != END_REJECTED ||
	    strcmp(peer.ctl.words, kinds[kind].words))
		tally_fail(tally, what, why);
	peer_close(&peer);
}

/* loopback ADDRESS PORT */
int group_loopback(char **args)
{
	u16 port = strtoul(args[1], NULL, 10);
	const char *addr = args[0];
	unsigned int i, j;
	char name[120];

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct tally tally = { 0 };

		ask(&tally, addr, port, i, 0, 0);
		ask(&tally, addr, port, i, ~0ULL, 0);
		for (j = 0; j < 5; j++)
			ask(&tally, addr, port, i, draw(), 0);
		/* the second QP: the first one is connected already */
		if (kinds[i].kind == ICB_WIRE_DATA)
			ask(&tally, addr, port, i, draw(), 1);
		snprintf(name, sizeof(name),
			 "loopback: %s without the secret, at %s",
			 kinds[i].name, addr);
		tally_ok(&tally, name);
	}
	return 0;
}
