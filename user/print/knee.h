/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_KNEE_H
#define PRINT_KNEE_H

#include <stdio.h>

struct knee;
struct result;

void print_knee(FILE *f, const struct result *result, const struct knee *knee);

#endif /* PRINT_KNEE_H */
