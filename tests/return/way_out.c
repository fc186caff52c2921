// SPDX-License-Identifier: GPL-2.0
/*
 * What the way out of the kernel takes for a thread that has slept, as cyclictest's
 * do: from where it runs again, by return.ko, to the clock that it reads.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

#include "return.h"

#define SAMPLES		2000
#define PERIOD_NS	1000000

static __u64 now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * 1000000000ULL + at.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const __u64 *first = a, *second = b;

	return *first < *second ? -1 : *first > *second;
}

static int prepare(void)
{
	const struct sched_param param = { .sched_priority = 50 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus) ||
	       sched_setscheduler(0, SCHED_FIFO, &param) ||
	       mlockall(MCL_CURRENT | MCL_FUTURE) ? -1 : 0;
}

static int measure(int fd, __u64 *took)
{
	__u64 due = now() + PERIOD_NS, at, ran;
	unsigned int i;

	for (i = 0; i < SAMPLES; i++, due += PERIOD_NS) {
		if (ioctl(fd, RETURN_SLEEP, &due))
			return -1;
		at = now();
		if (ioctl(fd, RETURN_RAN, &ran))
			return -1;
		took[i] = at - ran;
	}
	return 0;
}

int main(void)
{
	static __u64 took[SAMPLES];
	int fd = open("/proc/" RETURN_NAME, O_RDWR);

	if (fd < 0 || prepare() || measure(fd, took)) {
		perror("way_out");
		return 1;
	}
	qsort(took, SAMPLES, sizeof(*took), compare);
	printf("%llu\n", (unsigned long long)took[SAMPLES / 2]);
	return 0;
}
