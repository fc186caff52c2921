/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_VERDICTS_H
#define REPORT_VERDICTS_H

struct inputs;
struct page;

void verdicts_sections(struct page *page, const struct inputs *inputs);

#endif /* REPORT_VERDICTS_H */
