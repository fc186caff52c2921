/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_ICICLE_H
#define REPORT_ICICLE_H

struct page;
struct stack;

void icicle_add(struct page *page, const struct stack *root, double whole);

#endif /* REPORT_ICICLE_H */
