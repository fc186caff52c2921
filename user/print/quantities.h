/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_QUANTITIES_H
#define PRINT_QUANTITIES_H

#include <stdio.h>

struct result;

void print_quantities(FILE *f, const struct result *result);

#endif /* PRINT_QUANTITIES_H */
