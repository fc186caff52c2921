/* SPDX-License-Identifier: GPL-2.0 */
/* The lines around the tables of the compact format. */
#ifndef PRINT_NOTES_H
#define PRINT_NOTES_H

#include <stdbool.h>
#include <stdio.h>

struct point;
struct result;

void print_note_head(FILE *f, const struct result *result,
		     const struct point *point);
void print_note_point(FILE *f, const struct point *point, const char *name);
void print_note_worst(FILE *f, const struct result *result);
void print_note_end(FILE *f, const struct result *result);

#endif /* PRINT_NOTES_H */
