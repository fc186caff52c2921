/* SPDX-License-Identifier: GPL-2.0 */
/* Values that a seed picks. */
#ifndef PICK_H
#define PICK_H

#include "model/engine.h"

/* Pick one of the values, as decided by the seed. */
#define PICK(seed, ...) ({						\
	static const u32 values_[] = { __VA_ARGS__ };			\
	values_[scatter((seed), __LINE__) % ARRAY_SIZE(values_)]; })

static inline u64 scatter(u64 seed, u64 salt)
{
	return ((seed + salt * 1000003) * 0x9e3779b97f4a7c15ULL) >> 40;
}

#endif /* PICK_H */
