// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "print.h"

static const struct text_format *const formats[] = {
	&text_compact,
	&text_full,
	&text_perftest,
};

/**
 * print_format() - find a text format by its name
 * @name: the name; NULL for the default
 * @why: receives the reason of a refusal
 *
 * Return: the format; NULL with a reason.
 */
const struct text_format *print_format(const char *name,
				       struct icb_reason *why)
{
	unsigned int i;

	if (!name)
		return formats[0];
	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	icb_refuse(why, -EINVAL,
		   "format: unknown \"%.32s\"; accepted: compact, full, perftest",
		   name);
	return NULL;
}
