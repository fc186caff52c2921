// SPDX-License-Identifier: GPL-2.0
#include "history.h"
#include "inputs.h"
#include "page.h"
#include "profiles.h"
#include "report.h"
#include "results.h"
#include "verdicts.h"

/**
 * report_make() - write the sections of a report
 * @page: the page, which has begun
 * @inputs: the files
 */
void report_make(struct page *page, const struct inputs *inputs)
{
	results_overview(page, inputs);
	history_sections(page, inputs);
	verdicts_sections(page, inputs);
	results_sections(page, inputs);
	profiles_sections(page, inputs);
}
