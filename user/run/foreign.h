/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FOREIGN_H
#define FOREIGN_H

const char *foreign_answer(const char *option);

#endif /* FOREIGN_H */
