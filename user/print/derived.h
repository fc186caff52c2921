/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_DERIVED_H
#define PRINT_DERIVED_H

#include <stdio.h>

struct result;

void print_derived(FILE *f, const struct result *result);

#endif /* PRINT_DERIVED_H */
