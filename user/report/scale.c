// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "model/engine.h"
#include "scale.h"

/**
 * scale_of() - choose the unit in which a quantity is shown
 * @unit: unit of the document
 * @most: greatest value, in @unit
 * @icount: true if the clock counts instructions, so that 1 ns is an instruction
 *
 * Return: the unit and its factor.
 */
struct scale scale_of(const char *unit, double most, bool icount)
{
	static const struct scale times[] = {
		{ 1e9, "s" }, { 1e6, "ms" }, { 1e3, "\u00b5s" },
	};
	static const struct scale rates[] = {
		{ 1e9, "10\u2079/s" }, { 1e6, "10\u2076/s" }, { 1e3, "10\u00b3/s" },
	};
	unsigned int i;

	if (!strcmp(unit, "B/s"))
		return (struct scale){ 1e6, "MB/s" };
	if (!strcmp(unit, "ns") && icount && most >= 2e4)
		return (struct scale){ 1e3, "10\u00b3 instructions" };
	if (!strcmp(unit, "ns") && icount)
		return (struct scale){ 1, "instructions" };
	if (!strcmp(unit, "ns")) {
		for (i = 0; i < ARRAY_SIZE(times); i++)
			if (most >= 2 * times[i].factor)
				return times[i];
		return (struct scale){ 1, "ns" };
	}
	if (!strcmp(unit, "1/s")) {
		for (i = 0; i < ARRAY_SIZE(rates); i++)
			if (most >= 2 * rates[i].factor)
				return rates[i];
		return (struct scale){ 1, "1/s" };
	}
	return (struct scale){ 1, !strcmp(unit, "count") ? "number" :
			       !strcmp(unit, "%") ? "%" :
			       !strcmp(unit, "B") ? "bytes" : "" };
}
