// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>

#include "model/engine.h"
#include "scale.h"

/* Times from here on are printed in ms, ns. */
#define LONG_NS	20e6

/**
 * scale_times() - choose the unit of times
 * @typical: a time in the middle of those to be printed, ns
 * @most: greatest of these times, ns
 *
 * Return: ns, us or ms.
 */
const struct scale *scale_times(double typical, double most)
{
	static const struct scale ns = { "ns", 1 }, us = { "us", 1000 },
				  ms = { "ms", 1e6 };

	if (most < 1000)
		return &ns;
	return typical < LONG_NS ? &us : &ms;
}

/* Decimals for about four significant digits. */
static int decimals_of(double value)
{
	value = fabs(value);
	if (value < 10)
		return 3;
	if (value < 100)
		return 2;
	return value < 1000 ? 1 : 0;
}

/**
 * scale_write() - write a number with about four significant digits
 * @buf: buffer for the text
 * @size: size of @buf, bytes
 * @value: the number, in the unit in which it is printed
 */
void scale_write(char *buf, size_t size, double value)
{
	snprintf(buf, size, "%.*f", decimals_of(value), value);
}

/**
 * scale_write_reach() - write half of the width of an interval
 * @buf: buffer for the text: "±0.027"
 * @size: size of @buf, bytes
 * @value: value that the interval belongs to: the decimals follow from the greater one of
 *	both numbers
 * @reach: distance to the farther end of the interval
 */
void scale_write_reach(char *buf, size_t size, double value, double reach)
{
	const int decimals = decimals_of(fmax(fabs(value), reach));
	const double unit = pow(10, -decimals);
	/* rounding errors of the reach itself do not count */
	const double slack = 0.000001;

	/* rounded up, so that the printed interval is not narrower than the real one */
	snprintf(buf, size, "±%.*f", decimals,
		 fmax(ceil(reach / unit - slack), 0) * unit);
}
