/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_PROFILES_H
#define REPORT_PROFILES_H

struct inputs;
struct page;

void profiles_sections(struct page *page, const struct inputs *inputs);

#endif /* REPORT_PROFILES_H */
