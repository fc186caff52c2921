/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_RESULTS_H
#define REPORT_RESULTS_H

struct inputs;
struct page;

void results_overview(struct page *page, const struct inputs *inputs);
void results_sections(struct page *page, const struct inputs *inputs);

#endif /* REPORT_RESULTS_H */
