/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdio.h>

void html_text(FILE *f, const char *text);
char *html_number(double value);

#endif /* REPORT_HTML_H */
