/* SPDX-License-Identifier: GPL-2.0 */
/* Explanations of error numbers, each with a remedy. */
#ifndef ICB_CAUSE_H
#define ICB_CAUSE_H

const char *icb_cause_of_route(int err);
const char *icb_cause_of_device(int err);

#endif /* ICB_CAUSE_H */
