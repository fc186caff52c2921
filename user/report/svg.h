/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include <stdio.h>

void svg_print(FILE *f, const char *svg, unsigned int number, const char *title);

#endif /* REPORT_SVG_H */
