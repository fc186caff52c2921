/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_PUBLISHED_H
#define REPORT_PUBLISHED_H

struct page;
struct points;

void published_table(struct page *page, const struct points *points,
		     const char *benchmark);

#endif /* REPORT_PUBLISHED_H */
