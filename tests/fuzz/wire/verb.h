/* SPDX-License-Identifier: GPL-2.0 */
/* The module's table of verbs, and how a peer posts each of them. */
#ifndef VERB_H
#define VERB_H

#include <infiniband/verbs.h>

#include "model/verbs_table.h"

#define SIZE	64

const struct icb_verb *verb_row(u32 verb);
u32 verb_count(void);
const char *verb_word(u32 verb);
u32 verb_by_word(const char *word);
u32 verb_size(u32 verb);
enum ibv_wr_opcode verb_opcode(u32 verb);
bool verb_offers(u32 verb, bool responder);
bool verb_iwarp(void);
const char *verb_lacks(u32 verb, u32 transport);

#endif /* VERB_H */
