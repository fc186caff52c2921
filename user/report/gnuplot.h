/* SPDX-License-Identifier: GPL-2.0 */
#ifndef REPORT_GNUPLOT_H
#define REPORT_GNUPLOT_H

#include "model/engine.h"

int gnuplot_draw(char *const *script, char **svg, unsigned int count,
		 struct icb_reason *why);

#endif /* REPORT_GNUPLOT_H */
