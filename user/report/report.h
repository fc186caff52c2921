/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

struct inputs;
struct page;

void report_make(struct page *page, const struct inputs *inputs);

#endif /* REPORT_REPORT_H */
