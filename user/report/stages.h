/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_STAGES_H
#define REPORT_STAGES_H

struct page;
struct points;

void stages_plot(struct page *page, const struct points *points);

#endif /* REPORT_STAGES_H */
