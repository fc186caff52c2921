// SPDX-License-Identifier: GPL-2.0
#include "engine.h"

int icb_refuse(struct icb_reason *why, int err, const char *fmt, ...)
{
	va_list args;
	int len;

	if (why) {
		va_start(args, fmt);
		len = vsnprintf(why->text, sizeof(why->text), fmt, args);
		va_end(args);
		/* show that the text was truncated */
		if (len >= (int)sizeof(why->text))
			memcpy(why->text + sizeof(why->text) - 4, "...", 4);
	}
	return err;
}
