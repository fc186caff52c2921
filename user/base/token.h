/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TOKEN_H
#define TOKEN_H

#include "model/engine.h"

/**
 * struct token - a secret that two hosts share
 * @data: the secret
 * @len: length of @data, bytes; 0 for no secret
 */
struct token {
	u8 data[ICBENCH_MAX_TOKEN];
	u32 len;
};

int token_read(struct token *token, const char *path, struct icb_reason *why);

#endif /* TOKEN_H */
