/* SPDX-License-Identifier: GPL-2.0 */
/* The formats in which a comparison is printed, and the texts that several formats use. */
#ifndef COMPARE_FORMATS_H
#define COMPARE_FORMATS_H

#include <stddef.h>
#include <stdio.h>

struct comparison;
struct row;

void comparison_text(FILE *f, const struct comparison *comparison);
void comparison_json(FILE *f, const struct comparison *comparison);
void comparison_ktap(FILE *f, const struct comparison *comparison);
void comparison_junit(FILE *f, const struct comparison *comparison);

char *formats_test_name(const struct row *row);
char *formats_point_name(const struct row *row);
char *formats_summary(const struct row *row);

#endif /* COMPARE_FORMATS_H */
