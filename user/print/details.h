/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_DETAILS_H
#define PRINT_DETAILS_H

#include <stdio.h>

struct result;

void print_details(FILE *f, const struct result *result);

#endif /* PRINT_DETAILS_H */
