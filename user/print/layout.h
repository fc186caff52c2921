/* SPDX-License-Identifier: GPL-2.0 */
/* Lines and cells of the compact format, which has LAYOUT_WIDTH columns. */
#ifndef PRINT_LAYOUT_H
#define PRINT_LAYOUT_H

#include <stdio.h>

/* Longest line, columns. */
#define LAYOUT_WIDTH	100

/* Stands for a value that the run does not support. */
#define LAYOUT_DASH	"—"

int layout_width(const char *text);
void layout_right(FILE *f, const char *text, int width);
void layout_left(FILE *f, const char *text, int width);
void layout_wrap(FILE *f, int indent, const char *text);
void layout_rest(FILE *f, int column, const char *text);
void __attribute__((format(printf, 3, 4)))
layout_line(FILE *f, const char *label, const char *fmt, ...);
void layout_cut(FILE *f, char *line);
void layout_relay(FILE *f, char *lines);

#endif /* PRINT_LAYOUT_H */
