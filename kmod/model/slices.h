/* SPDX-License-Identifier: GPL-2.0 */
/* The busy time of CPUs in short slices of time, of which the median is used. */
#ifndef ICB_SLICES_H
#define ICB_SLICES_H

#include "engine.h"

/*
 * The median of five slices is used. So a burst of load that lies in one slice, or in two, does
 * not change the result: the start of a program is not background load, and its CPU time would
 * be missing from the load that the run is found to cause.
 */
#define ICB_SLICES	5

/**
 * struct icb_slice - a slice of time
 * @busy: busy time of all CPUs together, ns
 * @ns: length of the slice, ns
 * @cpus: number of CPUs; 0 if their busy time is not known
 */
struct icb_slice {
	u64 busy;
	u64 ns;
	u32 cpus;
};

bool icb_slices_median(const struct icb_slice slice[ICB_SLICES],
		       struct icb_slice *median);

#endif /* ICB_SLICES_H */
