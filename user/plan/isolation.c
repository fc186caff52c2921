// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/environment.h"
#include "isolation.h"
#include "load.h"

const char *isolation_dir = "/sys/devices/system/cpu";

const char *const isolate_words[ISOLATES] = {
	[ISOLATE_NO] = "no",
	[ISOLATE_WARN] = "warn",
	[ISOLATE_REQUIRE] = "require",
};

/**
 * isolate_parse() - parse the value of key isolate
 * @isolate: destination
 * @word: the value
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL with a reason.
 */
int isolate_parse(enum isolate *isolate, const char *word,
		  struct icb_reason *why)
{
	unsigned int i;

	for (i = 0; i < ISOLATES; i++) {
		if (!strcasecmp(word, isolate_words[i])) {
			*isolate = i;
			return 0;
		}
	}
	return icb_refuse(why, -EINVAL,
			  "isolate: unknown \"%.32s\"; accepted: no, warn, require",
			  word);
}

/* Keys that name CPUs; is_here() selects those of this host. */
static const u16 cpu_attrs[] = {
	ICBENCH_A_PARAMS_CPU, ICBENCH_A_PARAMS_PEER_CPU,
	ICBENCH_A_PARAMS_SHADOW_CPU,
};

static bool is_here(const struct icb_params *params, u32 attr)
{
	return attr != ICBENCH_A_PARAMS_PEER_CPU ||
	       !icb_params_has(params, ICBENCH_A_PARAMS_PEER);
}

static int want_cpu(const struct icb_params *params, u32 attr,
		    const char *prefix, struct icb_reason *why)
{
	if (!is_here(params, attr) || icb_params_given(params, attr))
		return 0;
	return icb_refuse(why, -EINVAL,
			  "isolate: needs %s%s, because the default is the first CPU, which is never isolated; accepted: %scpu, without a peer also %speer-cpu, or isolate no",
			  prefix, icb_param_by_attr(attr)->name, prefix, prefix);
}

static int want_cpus(const struct icb_params *params, const char *prefix,
		     struct icb_reason *why)
{
	int err = want_cpu(params, ICBENCH_A_PARAMS_CPU, prefix, why);

	return err ? err : want_cpu(params, ICBENCH_A_PARAMS_PEER_CPU, prefix,
				    why);
}

/**
 * isolation_check() - check that the CPUs of all runs on this host are given
 * @plan: the runs
 * @why: receives the reason of a refusal
 *
 * Return: 0; -EINVAL with a reason.
 */
int isolation_check(const struct plan *plan, struct icb_reason *why)
{
	const struct plan_point *point;
	unsigned int i;
	int err = 0;

	for (i = 0; i < plan->count && !err; i++) {
		point = &plan->point[i];
		err = want_cpus(&point->params, "", why);
		if (!err && point->beside)
			err = want_cpus(&point->load, LOAD_PREFIX, why);
	}
	return err;
}

/*
 * Add a finding. One that is not blocking is only a remark.
 * @brief: the finding in a few words, allocated; NULL for a remark
 */
static void __printf(4, 5) find(struct isolation *isolation, bool blocking,
				char *brief, const char *fmt, ...)
{
	char text[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	isolation->finding = alloc_grow(isolation->finding, isolation->count,
					sizeof(*isolation->finding));
	isolation->brief = alloc_grow(isolation->brief, isolation->count,
				      sizeof(*isolation->brief));
	isolation->finding[isolation->count] = alloc_text("%s", text);
	isolation->brief[isolation->count++] = brief;
	isolation->blocking += blocking;
}

/* First line of a file below isolation_dir; NULL if there is none. */
static char *read_all(const char *name)
{
	char *path = alloc_text("%s/%s", isolation_dir, name);
	char *line = environment_line(path);

	free(path);
	return line;
}

static char *read_cpu(u32 cpu, const char *name)
{
	char *path = alloc_text("cpu%u/%s", cpu, name);
	char *line = read_all(path);

	free(path);
	return line;
}

/* Parse the next range of a list such as "0-3,8"; false at its end or at other text. */
static bool next_range(const char **list, u32 *first, u32 *last)
{
	char *end;

	if (**list < '0' || **list > '9')
		return false;
	*first = strtoul(*list, &end, 10);
	*last = *first;
	if (*end == '-')
		*last = strtoul(end + 1, &end, 10);
	*list = *end == ',' ? end + 1 : "";
	return true;
}

static bool is_in(const char *list, u32 cpu)
{
	u32 first, last;

	while (next_range(&list, &first, &last))
		if (cpu >= first && cpu <= last)
			return true;
	return false;
}

/* Older kernels print "(null)" for an empty list. */
static const char *or_none(const char *list)
{
	return list && *list >= '0' && *list <= '9' ? list : "none";
}

/* The tick bars no run: it is short, and is recorded with the sample that it hits. */
static void look_at_lists(struct isolation *isolation, u32 cpu)
{
	char *isolated = read_all("isolated"), *full = read_all("nohz_full");

	if (!isolated || !is_in(isolated, cpu))
		find(isolation, true, alloc_text("CPU %u is not isolated", cpu),
		     "CPU %u is not isolated from other tasks; accepted: an isolated CPU (%s), or isolcpus=%u on the kernel's command line",
		     cpu, or_none(isolated), cpu);
	if (!full || !is_in(full, cpu))
		find(isolation, false, NULL,
		     "CPU %u has the scheduler's tick; accepted: a CPU without it (%s), or nohz_full=%u on the kernel's command line",
		     cpu, or_none(full), cpu);
	free(isolated);
	free(full);
}

/* The kernel's list does not contain siblings that are offline. */
static void look_at_siblings(struct isolation *isolation, u32 cpu)
{
	char *list = read_cpu(cpu, "topology/thread_siblings_list");
	const char *rest = list ? list : "";
	u32 first, last;

	while (next_range(&rest, &first, &last)) {
		if (first == cpu)
			first++;
		if (first > last)
			continue;
		find(isolation, true, alloc_text("CPU %u shares its core", cpu),
		     "CPU %u shares its core (CPUs %s); accepted: nosmt on the kernel's command line, or: echo 0 > %s/cpu%u/online",
		     cpu, list, isolation_dir, first);
		break;
	}
	free(list);
}

/* Performance holds the highest frequency, userspace the one that the user has set. */
static bool is_fixed(const char *governor)
{
	return !strcmp(governor, "performance") ||
	       !strcmp(governor, "userspace");
}

/* Without a governor, the kernel does not change the frequency. */
static void look_at_governor(struct isolation *isolation, u32 cpu)
{
	char *governor = read_cpu(cpu, "cpufreq/scaling_governor");

	if (governor && !is_fixed(governor))
		find(isolation, true,
		     alloc_text("CPU %u has governor %s", cpu, governor),
		     "CPU %u has governor %s, which changes its frequency; accepted: echo performance > %s/cpu%u/cpufreq/scaling_governor",
		     cpu, governor, isolation_dir, cpu);
	free(governor);
}

/**
 * isolation_look_cpu() - examine one CPU
 * @isolation: destination, to which the findings are added; isolation_free() it
 * @cpu: the CPU. One that does not exist is skipped: the module refuses it.
 */
void isolation_look_cpu(struct isolation *isolation, u32 cpu)
{
	char *dir = alloc_text("%s/cpu%u", isolation_dir, cpu);
	bool there = !access(dir, F_OK);

	free(dir);
	if (!there)
		return;
	look_at_lists(isolation, cpu);
	look_at_siblings(isolation, cpu);
	look_at_governor(isolation, cpu);
}

static bool is_on_node(u32 cpu, int node)
{
	char *path = alloc_text("%s/cpu%u/node%d", isolation_dir, cpu, node);
	bool yes = node >= 0 && !access(path, F_OK);

	free(path);
	return yes;
}

/* True if two CPUs are threads of one core. */
static bool share_core(u32 cpu, u32 other)
{
	char *list = read_cpu(cpu, "topology/thread_siblings_list");
	bool yes = list && is_in(list, other);

	free(list);
	return yes;
}

/* How well a CPU suits a run: isolation counts most, then the device's node. */
static int score_of(u32 cpu, int node)
{
	char *isolated = read_all("isolated"), *full = read_all("nohz_full");
	int score = 0;

	if (isolated && is_in(isolated, cpu))
		score += 8;
	if (full && is_in(full, cpu))
		score += 4;
	if (is_on_node(cpu, node))
		score += 2;
	/* the first CPU serves interrupts and the timekeeping of the others */
	if (cpu)
		score++;
	free(isolated);
	free(full);
	return score;
}

/* The best CPU of a list, on another core than @other; -1 for none. */
static int best_of(const char *list, int node, int other)
{
	int best = -1, most = -1, score;
	u32 first, last, cpu;

	while (next_range(&list, &first, &last))
		for (cpu = first; cpu <= last && cpu <= ICBENCH_MAX_CPU; cpu++) {
			if (other >= 0 && ((int)cpu == other ||
					   share_core(other, cpu)))
				continue;
			score = score_of(cpu, node);
			if (score <= most)
				continue;
			most = score;
			best = cpu;
		}
	return best;
}

/**
 * isolation_choose() - choose the CPUs of a run
 * @node: NUMA node of the device; -1 if unknown
 * @cpu: set to the CPU that suits best
 * @other: set to the CPU that suits the other side of a run on this host best, which is
 *	on another core if there is one
 *
 * Return: false if the list of CPUs cannot be read.
 */
bool isolation_choose(int node, u32 *cpu, u32 *other)
{
	char *online = read_all("online");
	int best, second;

	best = online ? best_of(online, node, -1) : -1;
	second = best >= 0 ? best_of(online, node, best) : -1;
	free(online);
	if (best < 0)
		return false;
	*cpu = best;
	*other = second < 0 ? best : second;
	return true;
}

static void note_cpus(const struct icb_params *params, bool *taken)
{
	const struct icb_param *param;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cpu_attrs); i++) {
		param = icb_param_by_attr(cpu_attrs[i]);
		if (icb_params_given(params, param->attr) &&
		    is_here(params, param->attr))
			taken[icb_params_number(params, param)] = true;
	}
}

/**
 * isolation_look() - examine the CPUs that some runs will use
 * @isolation: destination, empty; isolation_free() it
 * @plan: the runs, which isolation_check() has accepted
 */
void isolation_look(struct isolation *isolation, const struct plan *plan)
{
	bool *taken = alloc_zero(ICBENCH_MAX_CPU + 1, sizeof(*taken));
	unsigned int i;
	u32 cpu;

	for (i = 0; i < plan->count; i++) {
		note_cpus(&plan->point[i].params, taken);
		if (plan->point[i].beside)
			note_cpus(&plan->point[i].load, taken);
	}
	for (cpu = 0; cpu <= ICBENCH_MAX_CPU; cpu++)
		if (taken[cpu])
			isolation_look_cpu(isolation, cpu);
	free(taken);
}

/**
 * isolation_free() - free the findings
 * @isolation: the findings; empty afterwards
 */
void isolation_free(struct isolation *isolation)
{
	while (isolation->count) {
		free(isolation->finding[--isolation->count]);
		free(isolation->brief[isolation->count]);
	}
	free(isolation->finding);
	free(isolation->brief);
	isolation->finding = NULL;
	isolation->brief = NULL;
	isolation->blocking = 0;
}
