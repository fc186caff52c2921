// SPDX-License-Identifier: GPL-2.0
#include <err.h>

#include "verb.h"

static const enum ibv_wr_opcode opcodes[] = {
	[ICBENCH_VERB_SEND] = IBV_WR_SEND,
	[ICBENCH_VERB_WRITE] = IBV_WR_RDMA_WRITE,
	[ICBENCH_VERB_WRITE_IMM] = IBV_WR_RDMA_WRITE_WITH_IMM,
	[ICBENCH_VERB_READ] = IBV_WR_RDMA_READ,
	[ICBENCH_VERB_FETCH_ADD] = IBV_WR_ATOMIC_FETCH_AND_ADD,
	[ICBENCH_VERB_CMP_SWAP] = IBV_WR_ATOMIC_CMP_AND_SWP,
};

/**
 * verb_row() - the module's table entry of a verb
 * @verb: enum icbench_verb
 *
 * Return: the entry.
 */
const struct icb_verb *verb_row(u32 verb)
{
	return &icb_verb_table[verb];
}

/**
 * verb_count() - number of verbs that move data
 *
 * Return: number of the last one, plus one.
 */
u32 verb_count(void)
{
	/* those that time calls move nothing */
	return fls64(icb_verbs(false));
}

/**
 * verb_word() - name of a verb
 * @verb: enum icbench_verb
 *
 * Return: name.
 */
const char *verb_word(u32 verb)
{
	return icb_param_by_attr(ICBENCH_A_PARAMS_VERB)->words[verb];
}

/**
 * verb_by_word() - verb of a name
 * @word: name; the harness exits if it is unknown
 *
 * Return: enum icbench_verb.
 */
u32 verb_by_word(const char *word)
{
	u32 verb;

	for (verb = 0; verb < verb_count(); verb++)
		if (!strcmp(verb_word(verb), word))
			return verb;
	errx(2, "no verb %s", word);
}

/**
 * verb_size() - message size of a run
 * @verb: verb of the run
 *
 * Return: size, bytes.
 */
u32 verb_size(u32 verb)
{
	return verb_row(verb)->max_size ? : SIZE;
}

/**
 * verb_opcode() - opcode of a verb's work request
 * @verb: enum icbench_verb
 *
 * Return: opcode.
 */
enum ibv_wr_opcode verb_opcode(u32 verb)
{
	if (verb >= ARRAY_SIZE(opcodes))
		errx(2, "no opcode for verb %s", verb_word(verb));
	return opcodes[verb];
}

/**
 * verb_offers() - check whether a side of a run offers a region
 * @verb: verb of the run
 * @responder: the side is the responder
 *
 * Return: true if the other side accesses its memory.
 */
bool verb_offers(u32 verb, bool responder)
{
	const struct icb_verb *row = verb_row(verb);

	return row->remote && (responder || !row->passive);
}

/**
 * verb_iwarp() - check whether the device is an iWARP device
 *
 * Return: true if it is.
 */
bool verb_iwarp(void)
{
	static int iwarp = -1;
	struct ibv_device **list;
	int count;

	if (iwarp >= 0)
		return iwarp;
	list = ibv_get_device_list(&count);
	if (!list || !count)
		errx(3, "no device");
	iwarp = list[0]->transport_type == IBV_TRANSPORT_IWARP;
	ibv_free_device_list(list);
	return iwarp;
}

/**
 * verb_lacks() - what the device lacks for a run
 * @verb: verb of the run
 * @transport: transport of the run
 *
 * Return: the reason as text; NULL if the device lacks nothing.
 */
const char *verb_lacks(u32 verb, u32 transport)
{
	if (!verb_iwarp())
		return NULL;
	if (transport != ICBENCH_TRANSPORT_RC)
		return "iWARP has no transport but rc";
	if (verb_row(verb)->atomic)
		return "iWARP has no atomics";
	return verb == ICBENCH_VERB_WRITE_IMM ?
		"iWARP has no immediate data" : NULL;
}
