/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_SCALE_H
#define REPORT_SCALE_H

#include <stdbool.h>

/**
 * struct scale - the unit in which a quantity is shown
 * @factor: divisor of values in the unit of the document
 * @unit: name of the unit
 */
struct scale {
	double factor;
	const char *unit;
};

struct scale scale_of(const char *unit, double most, bool icount);

#endif /* REPORT_SCALE_H */
