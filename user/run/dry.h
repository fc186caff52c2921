/* SPDX-License-Identifier: GPL-2.0 */
#ifndef DRY_H
#define DRY_H

struct experiment;

void dry_run(const struct experiment *experiment);

#endif /* DRY_H */
