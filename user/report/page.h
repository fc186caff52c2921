/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "model/engine.h"
#include "plot.h"

struct table;

/* Most plots of a page. */
#define PAGE_PLOTS	400

/**
 * struct page_heading - a heading of a page
 * @level: 2 for a section, 3 for a subsection
 * @text: the heading, allocated
 */
struct page_heading {
	unsigned int level;
	char *text;
};

/**
 * struct page_plot - a plot of a page
 * @script: script for gnuplot, allocated
 * @svg: drawing, allocated; NULL before gnuplot has run, and without gnuplot
 * @title: title, allocated
 * @legend: legend and note as HTML, allocated
 * @at: position in the body
 */
struct page_plot {
	char *script;
	char *svg;
	char *title;
	char *legend;
	size_t at;
};

/**
 * struct page - a report
 * @title: title
 * @f: stream that writes @body
 * @body: body as HTML without the plots, allocated
 * @length: length of @body, bytes
 * @heading: array of headings, allocated
 * @headings: number of headings
 * @plot: array of plots, allocated
 * @plots: number of plots
 * @left_out: number of plots beyond PAGE_PLOTS
 * @drawn: true if gnuplot has drawn the plots
 */
struct page {
	const char *title;
	FILE *f;
	char *body;
	size_t length;
	struct page_heading *heading;
	unsigned int headings;
	struct page_plot *plot;
	unsigned int plots;
	unsigned int left_out;
	bool drawn;
};

void page_begin(struct page *page, const char *title);
void __printf(3, 4) page_heading(struct page *page, unsigned int level,
				 const char *fmt, ...);
void __printf(2, 3) page_paragraph(struct page *page, const char *fmt, ...);
void page_table(struct page *page, struct table *table);
void page_details(struct page *page, const char *summary, struct table *table);
void page_plot(struct page *page, struct plot *plot);
int page_draw(struct page *page, struct icb_reason *why);
void page_print(FILE *f, const void *page);
void page_free(struct page *page);

#endif /* REPORT_PAGE_H */
