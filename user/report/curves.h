/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_CURVES_H
#define REPORT_CURVES_H

struct page;
struct points;

void curves_distribution(struct page *page, const struct points *points);
void curves_sweep(struct page *page, const struct points *points);

#endif /* REPORT_CURVES_H */
