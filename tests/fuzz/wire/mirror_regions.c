// SPDX-License-Identifier: GPL-2.0
/* A hostile server in runs with several regions. */
#include "mirror.h"
#include "regions.h"
#include "server.h"

/* Regions of a run, each with one buffer. */
#define REGIONS		4

/* Index of the wrong region. */
static u32 at;

static void copy_another(struct icb_wire_ready *msg)
{
	msg->region[at] = msg->region[(at + 1) % REGIONS];
}

static void leave_out(struct icb_wire_ready *msg)
{
	msg->count = at;
	memset(&msg->region[at], 0, (REGIONS - at) * sizeof(msg->region[0]));
}

static void add_more(struct icb_wire_ready *msg)
{
	static const u32 counts[REGIONS] = {
		REGIONS + 1, ICB_WIRE_REGIONS, ICB_WIRE_REGIONS + 1, U32_MAX,
	};
	u32 i;

	msg->count = counts[at];
	for (i = REGIONS; i < msg->count && i < ICB_WIRE_REGIONS; i++)
		msg->region[i] = msg->region[0];
}

#define OF_REGION(_from, _field) {					\
	.kind = ICB_WIRE_READY,						\
	.off = offsetof(struct icb_wire_ready, region[_from]._field),	\
	.size = sizeof_field(struct icb_wire_region, _field),		\
	.stride = sizeof(struct icb_wire_region) }

static const struct field addr = OF_REGION(0, addr), rkey = OF_REGION(0, rkey),
			  len = OF_REGION(0, len), more = OF_REGION(REGIONS, len);

#define WHERE_DUE	"regions instead of 4"

/**
 * struct wrong_region - fault in one of several regions
 * @name: name of the fault
 * @field: field with a wrong value; NULL if @spoil is used
 * @value: wrong value
 * @spoil: changes the message
 * @words: text of the failure; NULL if the run succeeds
 * @first: text of the failure if the first region is wrong; NULL for @words
 */
static const struct wrong_region {
	const char *name;
	const struct field *field;
	enum value value;
	void (*spoil)(struct icb_wire_ready *msg);
	const char *words;
	const char *first;
} wrong_regions[] = {
	{ "of no length", &len, VALUE_ZERO,
	  .words = "a region of 0 bytes instead of 64" },
	/* the length of the first region sets the number of buffers of each region */
	{ "as long as can be told", &len, VALUE_ONES,
	  .first = "the peer offers 4 regions instead of 1" },
	{ "of a key of nobody's", &rkey, VALUE_NEXT, .words = BROKEN },
	{ "of no key", &rkey, VALUE_ZERO, .words = BROKEN },
	{ "at the first address", &addr, VALUE_ZERO, .words = BROKEN },
	{ "at the last address", &addr, VALUE_ONES, .words = BROKEN },
	{ "told of behind the last", &more, VALUE_ONES,
	  .words = "the peer sent a malformed message" },
	{ "the first that is missing", .spoil = leave_out, .words = WHERE_DUE },
	{ "not the last", .spoil = add_more, .words = WHERE_DUE },
	{ "told of twice", .spoil = copy_another },
};

static const struct wrong_region *wrong_region;

static bool tell_wrongly(struct session *session)
{
	static u8 room[TX_SIZE];

	session_ready(session, (void *)room);
	wrong_region->spoil((void *)room);
	session_send(session, ICB_WIRE_READY, room);
	session->step++;
	return true;
}

static void begin(struct session *session, u32 verb, u32 buffers,
		  bool (*act)(struct session *session))
{
	mirror_begin(session);
	session->qps = QPS;
	session->verb = verb;
	session->regions = buffers;
	session->at = act ? SERVER_READY : 0;
	session->act = act;
}

static void end_test(struct tally *tally, u32 verb, const char *name)
{
	struct session session;
	char text[120];

	begin(&session, verb, REGIONS, NULL);
	snprintf(text, sizeof(text), "mirror-regions: %s: %s", verb_word(verb), name);
	mirror_end(&session, tally, text);
}

static const char *words_for(u32 verb)
{
	/*
	 * With writes, the server waits for a message that went to the other region. With
	 * reads, the initiator reads the other region, which only the check of the run's
	 * last message detects.
	 */
	if (wrong_region->spoil == copy_another) {
		if (!verb_row(verb)->passive)
			return "no message for ";
		return at == REGIONS - 1 ? "verify: " : NULL;
	}
	return !at && wrong_region->first ? wrong_region->first :
					    wrong_region->words;
}

static void try_wrong_region(u32 verb)
{
	struct tally tally = { 0 };
	struct session session;
	char what[80];

	for (at = 0; at < REGIONS; at++) {
		begin(&session, verb, REGIONS,
		      wrong_region->spoil ? tell_wrongly : NULL);
		session.tamper = (struct tamper){
			.kind = ICB_WIRE_READY, .field = wrong_region->field,
			.at = at, .value = wrong_region->value,
		};
		snprintf(what, sizeof(what), "region %u", at);
		mirror_expect(&session, &tally, words_for(verb), what);
	}
	snprintf(what, sizeof(what), "a region is %s", wrong_region->name);
	end_test(&tally, verb, what);
}

static const struct regions *regions;

/* Accepted regions all have the same address, so a run cannot use them: stop here. */
static bool tell_regions(struct session *session)
{
	static u8 room[TX_SIZE];

	regions_write(regions, session, (void *)room);
	session_send(session, ICB_WIRE_READY, room);
	return session_let_go(session);
}

static void try_regions(u32 verb)
{
	struct tally tally = { 0 };
	struct session session;
	char name[60];

	begin(&session, verb, REGIONS, NULL);
	snprintf(name, sizeof(name), "mirror-regions: a good server: %s",
		 verb_word(verb));
	mirror_good(&session, name);
	for (wrong_region = wrong_regions;
	     wrong_region < wrong_regions + ARRAY_SIZE(wrong_regions);
	     wrong_region++)
		try_wrong_region(verb);
	/*
	 * an initiator that reads does not wait for the server, so no timeout ends the
	 * run
	 */
	if (verb_row(verb)->passive)
		return;
	for (regions = regions_tried; regions->name; regions++) {
		begin(&session, verb, regions->buffers, tell_regions);
		mirror_expect(&session, &tally,
			      regions->words ? : "no message for ",
			      regions->name);
	}
	end_test(&tally, verb, "regions of other lengths");
}

/**
 * mirror_regions() - try each fault in one of several regions
 */
void mirror_regions(void)
{
	try_regions(ICBENCH_VERB_READ);
	try_regions(ICBENCH_VERB_WRITE);
}
