/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stdbool.h>

/**
 * struct environment - the machine that a result was measured on
 * @hostname: name of the host
 * @kernel: kernel release and machine type
 * @release: kernel release
 * @build: kernel version: the number, the options and the date of the build
 * @machine: machine type
 * @cpu: CPU model
 * @cpus: number of online CPUs; 0 if unknown
 * @hypervisor: name of the hypervisor; NULL for none
 * @governor: CPU frequency governors in use
 * @mitigations: CPU vulnerabilities that are mitigated, and those that are not
 * @irq_affinity: CPUs of the RDMA device's interrupts, or the default affinity mask
 * @firmware: firmware version of the RDMA device
 * @icount: true if the clock counts executed instructions: a machine of tests/vm/run
 *	--icount
 *
 * The strings are allocated. A property that the machine does not report is NULL.
 */
struct environment {
	char *hostname;
	char *kernel;
	char *release;
	char *build;
	char *machine;
	char *cpu;
	long cpus;
	char *hypervisor;
	char *governor;
	char *mitigations;
	char *irq_affinity;
	char *firmware;
	bool icount;
};

void environment_read(struct environment *env, const char *device);
char *environment_line(const char *path);
void environment_free(struct environment *env);

#endif /* ENVIRONMENT_H */
