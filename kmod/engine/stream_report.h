/* SPDX-License-Identifier: GPL-2.0 */
/* The metrics of a stream. */
#ifndef ICB_STREAM_REPORT_H
#define ICB_STREAM_REPORT_H

struct icb_result;
struct icb_run;

void icb_stream_report(const struct icb_run *run, struct icb_result *result);

#endif /* ICB_STREAM_REPORT_H */
