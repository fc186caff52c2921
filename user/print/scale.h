/* SPDX-License-Identifier: GPL-2.0 */
/* Units and numbers of the compact format. */
#ifndef PRINT_SCALE_H
#define PRINT_SCALE_H

#include <stddef.h>

struct metric;

/**
 * struct scale - the unit of a table's times
 * @unit: name of the unit
 * @ns: length of the unit, ns
 */
struct scale {
	const char *unit;
	double ns;
};

const struct scale *scale_times(double typical, double most);
void scale_write(char *buf, size_t size, double value);
void scale_write_reach(char *buf, size_t size, double value, double reach);

#endif /* PRINT_SCALE_H */
