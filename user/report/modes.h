/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_MODES_H
#define REPORT_MODES_H

struct page;
struct points;

void modes_plot(struct page *page, const struct points *points);

#endif /* REPORT_MODES_H */
