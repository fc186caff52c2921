/* SPDX-License-Identifier: GPL-2.0 */
#ifndef NUMBER_H
#define NUMBER_H

#include "model/params.h"

int number_parse(const struct icb_param *param, const char *text, u64 *value,
		 struct icb_reason *why);
int number_check(const struct icb_param *param, u64 value,
		 struct icb_reason *why);
int number_parse_repeat(unsigned int *repeat, const char *text,
			struct icb_reason *why);
void number_print(char *buf, size_t size, enum icb_param_type type, u64 value);

#endif /* NUMBER_H */
