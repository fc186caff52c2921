/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PRINT_SCALAR_H
#define PRINT_SCALAR_H

#include <stdbool.h>
#include <stdio.h>

struct metric;

const char *scalar_unit(const struct metric *metric, double *factor);
int scalar_title(const struct metric *metric, char *buf, size_t size);
void print_scalar(FILE *f, const struct metric *metric, int width);
int scalar_write(char *buf, size_t size, const struct metric *metric);
bool scalar_is_operand(const struct metric *metric);
bool scalar_is_cpu_time(const struct metric *metric);
bool scalar_is_warmup(const struct metric *metric);
bool scalar_is_wakeups(const struct metric *metric);
bool scalar_is_disturbance(const struct metric *metric);
bool scalar_is_tally(const struct metric *metric);
bool scalar_is_rate(const struct metric *metric);

#endif /* PRINT_SCALAR_H */
