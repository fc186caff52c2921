// SPDX-License-Identifier: GPL-2.0
#include "engine.h"

int icb_refuse(struct icb_reason *why, int err, const char *fmt, ...)
{
	va_list args;

	if (why) {
		va_start(args, fmt);
		vsnprintf(why->text, sizeof(why->text), fmt, args);
		va_end(args);
	}
	return err;
}
