// SPDX-License-Identifier: GPL-2.0
#include "knee.h"
#include "plan/knee.h"
#include "plan/number.h"
#include "plan/result.h"
#include "scalar.h"

/**
 * print_knee() - print where a metric falls below KNEE_PERCENT of its peak
 * @f: output stream
 * @result: the result
 * @knee: the knee, from knee_find()
 */
void print_knee(FILE *f, const struct result *result, const struct knee *knee)
{
	const struct icb_param *param = result->recipe->knee;
	char name[160], holds[24], falls[24], peak[24];
	struct plan others = *result->plan;
	double factor;
	const char *unit = scalar_unit(knee->metric, &factor);
	double at = param->type == ICB_PARAM_SHARE ? knee->at / 10 : knee->at;

	others.varying &= ~BIT_ULL(param->attr);
	plan_name(&others, &result->point[knee->first].job.params, name,
		  sizeof(name));
	if (knee->repeated || knee->peaks > 1)
		fprintf(f, " %-15s: the mean of %u runs that %s the greatest\n",
			"Peak", knee->peaks, knee->repeated ? "repeat" :
			"cannot be distinguished from");
	number_print(holds, sizeof(holds), param->type, knee->holds);
	number_print(falls, sizeof(falls), param->type, knee->falls);
	snprintf(peak, sizeof(peak), "%.3f", knee->peak / factor);
	fprintf(f, " %-15s: %s%s%s %s %u %% of its peak, %s %s, ", "Knee",
		name, *name ? ": " : "", knee->metric->name,
		knee->found ? "falls below" : "is at least", KNEE_PERCENT,
		peak, unit);
	if (knee->found)
		fprintf(f, "at %s=%s, and not yet at %s; interpolated: %.*f\n",
			param->name, falls, holds, at < 100 ? 2 : 0, at);
	else
		fprintf(f, "up to %s=%s\n", param->name, holds);
}
