// SPDX-License-Identifier: GPL-2.0
/* A hostile server that offers wrong memory regions. */
#include "mirror.h"
#include "server.h"

static void offer_none(struct session *session, struct icb_wire_ready *msg)
{
	(void)session;
	memset(&msg->region[0], 0, sizeof(msg->region[0]));
	msg->count = 0;
}

static void offer_two(struct session *session, struct icb_wire_ready *msg)
{
	(void)session;
	msg->region[1] = msg->region[0];
	msg->count = 2;
}

static void offer_many(struct session *session, struct icb_wire_ready *msg)
{
	(void)session;
	msg->count = 3 + draw() % 0x10000000;
}

static void offer_short(struct session *session, struct icb_wire_ready *msg)
{
	(void)session;
	msg->region[0].len--;
}

static void offer_empty(struct session *session, struct icb_wire_ready *msg)
{
	(void)session;
	msg->region[0].len = 0;
}

static void offer_key(struct session *session, struct icb_wire_ready *msg)
{
	(void)session;
	msg->region[0].rkey ^= 1 + draw() % 255;
}

static void offer_closed(struct session *session, struct icb_wire_ready *msg)
{
	msg->region[0].rkey = session->peer.closed->rkey;
}

static void offer_nowhere(struct session *session, struct icb_wire_ready *msg)
{
	(void)session;
	msg->region[0].addr = draw() % 4096 * 8;
}

static void offer_overflow(struct session *session, struct icb_wire_ready *msg)
{
	(void)session;
	msg->region[0].addr = -(u64)msg->region[0].len;
}

/* A region that is accessible, but has other content. */
static void offer_other(struct session *session, struct icb_wire_ready *msg)
{
	msg->region[0].addr = (uintptr_t)session->peer.memory->data_tx;
	session->liar = true;
}

/* Faults in an offer as a whole, and the initiator's text for each. */
static const struct offer {
	const char *name;
	void (*spoil)(struct session *session, struct icb_wire_ready *msg);
	const char *words;
} offers[] = {
	{ "no region", offer_none,
	  "the peer offers 0 regions instead of 1" },
	{ "two regions", offer_two,
	  "the peer offers 2 regions instead of 1" },
	{ "a count of regions that are not there", offer_many,
	  "regions instead of 1" },
	{ "a region that is too short", offer_short,
	  "the peer offers a region of " },
	{ "a region of nothing", offer_empty,
	  "the peer offers a region of 0 bytes instead of " },
	{ "another key", offer_key, BROKEN },
	{ "a region without the right", offer_closed,
	  BROKEN },
	{ "an address that is no memory", offer_nowhere,
	  BROKEN },
	{ "an address that overflows", offer_overflow,
	  BROKEN },
	{ "other content than was agreed", offer_other, "verify: " },
};

static const struct offer *current_offer;

static bool make_offer(struct session *session)
{
	static u8 room[TX_SIZE];
	struct icb_wire_ready *msg = (void *)room;

	session_ready(session, msg);
	current_offer->spoil(session, msg);
	session_send(session, ICB_WIRE_READY, msg);
	/* the script continues with the step after SERVER_READY */
	session->step++;
	return true;
}

/* The run has to fail at once, with one line that names the fault. */
static void try_offer(u32 verb, const struct offer *offer)
{
	struct tally tally = { 0 };
	struct session session;
	char name[120];

	snprintf(name, sizeof(name), "mirror: %s: the server offers %s",
		 verb_word(verb), offer->name);
	if (skip(name, verb_lacks(verb, ICBENCH_TRANSPORT_RC)) ||
	    (offer->spoil == offer_closed && verb == ICBENCH_VERB_READ &&
	     skip(name, verb_iwarp() ?
		  "siw does not look at the right to read" : NULL)))
		return;
	mirror_begin(&session);
	session.verb = verb;
	session.at = SERVER_READY;
	session.act = make_offer;
	current_offer = offer;
	mirror_go(&session, &tally, true, offer->words, offer->name);
	tally_ok(&tally, name);
}

/**
 * mirror_offers() - test each fault in an offer, with each verb that accesses the offer
 */
void mirror_offers(void)
{
	unsigned int i;
	u32 verb;

	for (verb = 0; verb < verb_count(); verb++)
		for (i = 0; verb_row(verb)->passive && i < ARRAY_SIZE(offers);
		     i++)
			try_offer(verb, &offers[i]);
}
