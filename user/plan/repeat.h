/* SPDX-License-Identifier: GPL-2.0 */
/* Several runs of the same kind, one after the other, combined into one point. */
#ifndef REPEAT_H
#define REPEAT_H

#include "result.h"

/* Compute a figure of a run from one of its metrics; false if the metric has none. */
typedef bool (*repeat_figure)(struct figure *figure,
			      const struct metric *metric);

void repeat_add(struct point *point, const struct point *run);
bool repeat_differ(const struct point *point, const struct icb_param *param);
bool repeat_mean(struct figure *figure, const struct metric *metric);
bool repeat_p50(struct figure *figure, const struct metric *metric);
bool repeat_p99(struct figure *figure, const struct metric *metric);
bool repeat_trimmed(struct figure *figure, const struct metric *metric);
void repeat_sample(struct sample *sample, const struct point *point,
		   const char *name, repeat_figure figure);
bool repeat_range(struct range *range, const struct point *point,
		  const char *name, repeat_figure figure);
void repeat_compare(struct result *result, unsigned int index);

#endif /* REPEAT_H */
