/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

/**
 * struct environment - the machine that a result was measured on
 * @kernel: version
 * @cpu: model
 * @cpus: online CPUs; 0 if unknown
 * @hypervisor: what it runs under; NULL for none
 * @governor: frequency governors in use
 * @mitigations: what is mitigated, and what is vulnerable
 * @irq_affinity: where the interrupts of the RDMA device may go
 *
 * The strings are allocated; what the machine does not tell is NULL.
 */
struct environment {
	char *kernel;
	char *cpu;
	long cpus;
	char *hypervisor;
	char *governor;
	char *mitigations;
	char *irq_affinity;
};

void environment_read(struct environment *env, const char *device);
char *environment_line(const char *path);
void environment_free(struct environment *env);

#endif /* ENVIRONMENT_H */
