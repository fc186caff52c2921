// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "alloc.h"
#include "environment.h"
#include "model/engine.h"
#include "text.h"

#define CPU_DIR		"/sys/devices/system/cpu"
/* Most interrupts that are reported of a device: one with many queues has many. */
#define IRQS_MAX	64

/**
 * environment_line() - read the first line of a small file
 * @path: the file
 *
 * Return: the line, made printable and allocated; NULL if it is empty or the file cannot
 * be read.
 */
char *environment_line(const char *path)
{
	char buf[4096];
	ssize_t len;
	char *line;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	len = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	if (len <= 0)
		return NULL;
	buf[len] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	line = text_trim(buf);
	text_one_line(line);
	return *line ? alloc_text("%s", line) : NULL;
}

/* Append to a list in a string; free the old string. */
static char *append(char *list, const char *separator, const char *item)
{
	char *longer;

	if (!list)
		return alloc_text("%s", item);
	longer = alloc_text("%s%s%s", list, separator, item);
	free(list);
	return longer;
}

static char *cpu_model(void)
{
	FILE *f = fopen("/proc/cpuinfo", "re");
	char line[512], *colon, *model = NULL;

	while (f && !model && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		colon = strchr(line, ':');
		if (!colon || strncmp(line, "model name", 10))
			continue;
		text_one_line(colon);
		model = alloc_text("%s", text_trim(colon + 1));
	}
	if (f)
		fclose(f);
	return model;
}

#if defined(__x86_64__)

#define CPUID_HYPERVISOR	BIT(31)

/* Identify the hypervisor by the CPUID signature that it presents to its guests. */
static char *find_hypervisor(void)
{
	static const char *const known[][2] = {
		{ "KVMKVMKVM", "KVM" },
		{ "TCGTCGTCGTCG", "QEMU TCG" },
		{ "Microsoft Hv", "Hyper-V" },
		{ "VMwareVMware", "VMware" },
		{ "XenVMMXenVMM", "Xen" },
	};
	unsigned int a, b, c, d, i;
	char name[13] = "";

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & CPUID_HYPERVISOR))
		return NULL;
	__cpuid(0x40000000, a, b, c, d);
	memcpy(name, &b, 4);
	memcpy(name + 4, &c, 4);
	memcpy(name + 8, &d, 4);
	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (!strcmp(name, known[i][0]))
			return alloc_text("%s", known[i][1]);
	text_one_line(name);
	return alloc_text("%s", *name ? name : "unnamed");
}

#else

static char *find_hypervisor(void)
{
	return environment_line("/sys/hypervisor/type");
}

#endif

/* List each governor once: usually all CPUs have the same. */
static char *governors(long cpus)
{
	char *list = NULL, *path, *name;
	long i;

	for (i = 0; i < cpus; i++) {
		path = alloc_text(CPU_DIR "/cpu%ld/cpufreq/scaling_governor", i);
		name = environment_line(path);
		free(path);
		if (name && (!list || !strstr(list, name)))
			list = append(list, ", ", name);
		free(name);
	}
	return list;
}

static int no_dots(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static char *mitigations(void)
{
	char *mitigated = NULL, *vulnerable = NULL, *path, *state;
	struct dirent **entries;
	int count, i;

	count = scandir(CPU_DIR "/vulnerabilities", &entries, no_dots,
			alphasort);
	if (count < 0)
		return NULL;
	for (i = 0; i < count; i++) {
		path = alloc_text(CPU_DIR "/vulnerabilities/%s",
				  entries[i]->d_name);
		state = environment_line(path);
		if (state && !strncmp(state, "Mitigation", 10))
			mitigated = append(mitigated, ", ", entries[i]->d_name);
		else if (state && strcmp(state, "Not affected"))
			vulnerable = append(vulnerable, ", ",
					    entries[i]->d_name);
		free(state);
		free(path);
		free(entries[i]);
	}
	free(entries);
	if (mitigated || vulnerable)
		path = alloc_text("mitigated: %s; vulnerable: %s",
				  mitigated ? mitigated : "none",
				  vulnerable ? vulnerable : "none");
	else
		path = alloc_text("not affected");
	free(mitigated);
	free(vulnerable);
	return path;
}

/* "IRQ N: CPU LIST; ..." of a device that has MSI interrupts; else NULL. */
static char *device_irqs(const char *device)
{
	char *dir = alloc_text("/sys/class/infiniband/%s/device/msi_irqs",
			       device);
	struct dirent **entries;
	char *list = NULL, *path, *cpus, *item;
	int count, i;

	count = scandir(dir, &entries, no_dots, versionsort);
	free(dir);
	if (count < 0)
		return NULL;
	for (i = 0; i < count; i++) {
		path = alloc_text("/proc/irq/%s/smp_affinity_list",
				  entries[i]->d_name);
		cpus = i < IRQS_MAX ? environment_line(path) : NULL;
		if (cpus) {
			item = alloc_text("IRQ %s: CPU %s", entries[i]->d_name,
					  cpus);
			list = append(list, "; ", item);
			free(item);
		}
		free(cpus);
		free(path);
		free(entries[i]);
	}
	free(entries);
	return list;
}

static char *irq_affinity(const char *device)
{
	char *mask, *text;

	text = device ? device_irqs(device) : NULL;
	if (text)
		return text;
	mask = environment_line("/proc/irq/default_smp_affinity");
	text = mask ? alloc_text("default mask %s", mask) : NULL;
	free(mask);
	return text;
}

/*
 * A machine cannot find out by itself that its clock counts instructions: tests/vm/run
 * sets a variable in the environment of the command.
 */
static bool counts_instructions(void)
{
	const char *icount = getenv("ICBENCH_VM_ICOUNT");

	return icount && *icount;
}

/* The firmware version of a device; NULL if its driver reports none, as for soft-RoCE. */
static char *firmware(const char *device)
{
	char *path = alloc_text("/sys/class/infiniband/%s/fw_ver", device);
	char *version = environment_line(path);

	free(path);
	return version;
}

/* A name of uname(2) in one line: an administrator may have set it to any text. */
static char *clean(char *name)
{
	text_one_line(name);
	return *name ? alloc_text("%s", name) : NULL;
}

static void read_kernel(struct environment *env)
{
	struct utsname uts;

	env->hostname = NULL;
	env->kernel = NULL;
	env->release = NULL;
	env->build = NULL;
	env->machine = NULL;
	if (uname(&uts))
		return;
	env->kernel = alloc_text("%s %s", uts.release, uts.machine);
	env->hostname = clean(uts.nodename);
	env->release = clean(uts.release);
	env->build = clean(uts.version);
	env->machine = clean(uts.machine);
}

/**
 * environment_read() - read the properties of this machine
 * @env: struct to fill; environment_free() it
 * @device: RDMA device of the result; NULL if there is none
 */
void environment_read(struct environment *env, const char *device)
{
	read_kernel(env);
	env->cpu = cpu_model();
	env->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (env->cpus < 0)
		env->cpus = 0;
	env->hypervisor = find_hypervisor();
	env->governor = governors(env->cpus);
	env->mitigations = mitigations();
	env->irq_affinity = irq_affinity(device);
	env->firmware = device ? firmware(device) : NULL;
	env->icount = counts_instructions();
}

/**
 * environment_free() - free the strings of an environment
 * @env: struct filled by environment_read()
 */
void environment_free(struct environment *env)
{
	free(env->hostname);
	free(env->kernel);
	free(env->release);
	free(env->build);
	free(env->machine);
	free(env->cpu);
	free(env->hypervisor);
	free(env->governor);
	free(env->mitigations);
	free(env->irq_affinity);
	free(env->firmware);
}
