/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_HISTORY_H
#define REPORT_HISTORY_H

struct inputs;
struct page;

void history_sections(struct page *page, const struct inputs *inputs);

#endif /* REPORT_HISTORY_H */
