// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of QEMU's TCG that counts executed instructions by address.
 *
 *	-plugin insn.so,out=FILE[,clocks=ADDRESS[,window=FROM:TO:SKIP:TIMES[,stacks=on]]]
 *
 * Counts from the start of the program mark-begin to the start of mark-end (mark.S). Then writes
 * FILE, with one line for each kernel address that was executed, and one for all of user space
 * (addresses below half of the address space):
 *
 *	count ADDRESS N
 *	user N
 *
 * A clock read is an instruction rdtsc or rdtscp at or above ADDRESS. For two clock reads that
 * followed each other, with no third one between them, FILE has how often they did, and how many
 * instructions were executed from the first one, which is included, to the second one:
 *
 *	between ADDRESS ADDRESS TIMES N
 *
 * The last line is "end".
 *
 * With a window, also writes FILE.window, which has the counts of a part of the execution. The part
 * begins when the clock read TO follows the clock read FROM for the SKIP-th time, and ends when TO
 * follows FROM for the (SKIP + TIMES)-th time.
 * The addresses may be those of another boot, which has loaded the module into other pages.
 *
 * With stacks, FILE.window also has the counts by call stack (stacks.c).
 *
 * All counters belong to one CPU: QEMU has to emulate one CPU only.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "stacks.h"

#define EXPORTED	__attribute__((visibility("default")))

EXPORTED extern int qemu_plugin_version;
EXPORTED int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv);

int qemu_plugin_version = API_VERSION;

#define KERNEL_SPACE	(UINT64_C(1) << 63)
#define PAGE_SIZE	4096

/* The instructions of mark.S that begin and end the count, apart from their last byte. */
static const uint8_t mark[] = { 0x0f, 0x1f, 0x84, 0x00, 0x6b, 0x72, 0x61 };

#define MARK_BEGIN	0x01
#define MARK_END	0x02

/* An executed address; translated code has pointers to @count, so it is never moved or freed. */
struct place {
	uint64_t address;
	uint64_t count;
	uint64_t before[2];	/* count when each range began */
};

/* The two ranges in which instructions are counted: between the marks, and in the window. */
enum { MARKED, WINDOW };

static const char *const suffix[] = { [MARKED] = "", [WINDOW] = ".window" };
static bool begun[2];

static struct place **table;	/* hash table with open addressing */
static size_t table_size;	/* a power of two */
static size_t n_places;
static uint64_t user_count;
static uint64_t user_before[2];
static uint64_t total;

/* Two clock reads that followed each other. */
struct interval {
	const struct place *from;
	const struct place *to;
	uint64_t times;
	uint64_t count;
	uint64_t times_before[2];
	uint64_t count_before[2];
};

#define MAX_INTERVALS	4096

static uint64_t first_clock = UINT64_MAX;
static const struct place *last_clock;
static uint64_t last_total;
static struct interval intervals[MAX_INTERVALS];
static size_t n_intervals;
static size_t last_interval;
static bool intervals_full;

/* The window, in counts of the interval between two clock reads. */
static uint64_t window_from, window_to, window_skip, window_times;

/* Call stacks are wanted; they are followed from mark-begin on. */
static bool stacks_wanted, stacks_followed;
static uint64_t plugin_id;

static const char *out;

void die(const char *what)
{
	fprintf(stderr, "insn.so: %s\n", what);
	exit(1);
}

void *allocate(size_t n, size_t size)
{
	void *memory = calloc(n, size);

	if (!memory)
		die("out of memory");
	return memory;
}

/* The slot of an address: its place, or the empty slot where it belongs. */
static struct place **find(uint64_t address)
{
	size_t i = address * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	for (;; i++) {
		struct place **slot = &table[i & (table_size - 1)];

		if (!*slot || (*slot)->address == address)
			return slot;
	}
}

static void grow(void)
{
	struct place **old = table;
	size_t i, n = table_size;

	table_size = n ? 2 * n : 1 << 16;
	table = allocate(table_size, sizeof(*table));
	for (i = 0; i < n; i++)
		if (old[i])
			*find(old[i]->address) = old[i];
	free(old);
}

static struct place *place_of(uint64_t address)
{
	static struct place *block;
	static size_t left;
	struct place **slot;

	if (2 * n_places >= table_size)
		grow();
	slot = find(address);
	if (*slot)
		return *slot;
	if (!left) {
		left = 4096;
		block = allocate(left, sizeof(*block));
	}
	left--;
	*slot = block++;
	(*slot)->address = address;
	n_places++;
	return *slot;
}

static bool reads_clock(const struct qemu_plugin_insn *insn)
{
	const uint8_t *code = qemu_plugin_insn_data(insn);
	size_t size = qemu_plugin_insn_size(insn);

	return (size == 2 && code[0] == 0x0f && code[1] == 0x31) ||
	       (size == 3 && code[0] == 0x0f && code[1] == 0x01 && code[2] == 0xf9);
}

static struct interval *interval_of(const struct place *from, const struct place *to)
{
	size_t i;

	/* intervals repeat in the same order, so that the next one is often the right one */
	for (i = last_interval; i < n_intervals && i < last_interval + 2; i++)
		if (intervals[i].from == from && intervals[i].to == to)
			return &intervals[i];
	for (i = 0; i < n_intervals; i++)
		if (intervals[i].from == from && intervals[i].to == to)
			return &intervals[i];
	if (n_intervals == MAX_INTERVALS) {
		intervals_full = true;
		return NULL;
	}
	intervals[n_intervals] = (struct interval){ .from = from, .to = to };
	return &intervals[n_intervals++];
}

static void begin(int range)
{
	size_t i;

	for (i = 0; i < table_size; i++)
		if (table[i])
			table[i]->before[range] = table[i]->count;
	for (i = 0; i < n_intervals; i++) {
		intervals[i].times_before[range] = intervals[i].times;
		intervals[i].count_before[range] = intervals[i].count;
	}
	user_before[range] = user_count;
	begun[range] = true;
	if (range == WINDOW && stacks_followed)
		stacks_count(true);
}

static void write_counts(FILE *file, int range)
{
	size_t i;

	for (i = 0; i < table_size; i++) {
		const struct place *place = table[i];

		if (place && place->count != place->before[range])
			fprintf(file, "count %" PRIx64 " %" PRIu64 "\n", place->address,
				place->count - place->before[range]);
	}
	fprintf(file, "user %" PRIu64 "\n", user_count - user_before[range]);
	for (i = 0; i < n_intervals && !intervals_full; i++) {
		const struct interval *it = &intervals[i];

		if (it->times != it->times_before[range])
			fprintf(file, "between %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
				it->from->address, it->to->address,
				it->times - it->times_before[range],
				it->count - it->count_before[range]);
	}
	if (range == WINDOW && stacks_followed)
		stacks_write(file);
	fprintf(file, "end\n");
}

static void end(int range)
{
	char path[4096];
	FILE *file;

	if (!begun[range])
		return;
	begun[range] = false;
	if (range == WINDOW)
		stacks_count(false);
	snprintf(path, sizeof(path), "%s%s", out, suffix[range]);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		return;
	}
	write_counts(file, range);
	if (ferror(file) | fclose(file))
		perror(path);
}

/* Begin or end the window when its interval has ended. */
static void slide(const struct interval *interval)
{
	uint64_t times = interval->times - interval->times_before[MARKED];
	uint64_t shift = interval->from->address - window_from;

	if (!begun[MARKED] || interval->to->address - window_to != shift || shift % PAGE_SIZE)
		return;
	if (times == window_skip)
		begin(WINDOW);
	else if (times == window_skip + window_times)
		end(WINDOW);
}

/* A clock is about to be read; the read itself has not been counted yet. */
static void clock_read(unsigned int cpu, void *data)
{
	const struct place *place = data;
	struct interval *interval;

	(void)cpu;
	if (last_clock) {
		interval = interval_of(last_clock, place);
		if (interval) {
			interval->times++;
			interval->count += total - last_total;
			last_interval = interval - intervals;
			slide(interval);
		}
	}
	last_clock = place;
	last_total = total;
}

static void translate(uint64_t id, struct qemu_plugin_tb *tb);

static void follow_stacks(uint64_t id)
{
	stacks_followed = true;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
}

static void mark_begin(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	begin(MARKED);
	/* all code is translated again, with callbacks that would slow down the boot */
	if (stacks_wanted && !stacks_followed)
		qemu_plugin_reset(plugin_id, follow_stacks);
}

static void mark_end(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	end(MARKED);
}

static void find_mark(struct qemu_plugin_insn *insn)
{
	const uint8_t *code = qemu_plugin_insn_data(insn);

	if (qemu_plugin_insn_size(insn) != sizeof(mark) + 1 || memcmp(code, mark, sizeof(mark)))
		return;
	if (code[sizeof(mark)] == MARK_BEGIN)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, mark_begin, CB_NO_REGS, NULL);
	if (code[sizeof(mark)] == MARK_END)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, mark_end, CB_NO_REGS, NULL);
}

static void translate(uint64_t id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t address = qemu_plugin_insn_vaddr(insn);
		uint64_t *count = &user_count;

		if (address >= KERNEL_SPACE) {
			struct place *place = place_of(address);

			count = &place->count;
			if (address >= first_clock && reads_clock(insn))
				qemu_plugin_register_vcpu_insn_exec_cb(insn, clock_read,
								       CB_NO_REGS, place);
			if (stacks_followed)
				stacks_follow(insn, address);
		} else {
			find_mark(insn);
		}
		qemu_plugin_register_vcpu_insn_exec_inline(insn, ADD_U64, count, 1);
		if (first_clock != UINT64_MAX)
			qemu_plugin_register_vcpu_insn_exec_inline(insn, ADD_U64, &total, 1);
	}
}

int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	int i;

	if (info->version.min > API_VERSION || info->version.cur < API_VERSION) {
		fprintf(stderr,
			"insn.so: needs version %d of QEMU's plugin API, but QEMU has %d to %d\n",
			API_VERSION, info->version.min, info->version.cur);
		return -1;
	}
	if (!info->system_emulation || info->system.max_vcpus != 1) {
		fprintf(stderr, "insn.so: counts one emulated CPU only\n");
		return -1;
	}
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4)) {
			out = strdup(argv[i] + 4);
		} else if (!strncmp(argv[i], "clocks=", 7)) {
			first_clock = strtoull(argv[i] + 7, NULL, 16);
		} else if (!strncmp(argv[i], "window=", 7) &&
			   sscanf(argv[i] + 7, "%" SCNx64 ":%" SCNx64 ":%" SCNu64 ":%" SCNu64,
				  &window_from, &window_to, &window_skip, &window_times) == 4) {
			continue;
		} else if (!strcmp(argv[i], "stacks=on")) {
			stacks_wanted = true;
		} else {
			fprintf(stderr, "insn.so: unknown argument '%s'\n", argv[i]);
			return -1;
		}
	}
	if (!out) {
		fprintf(stderr, "insn.so: needs out=FILE\n");
		return -1;
	}
	plugin_id = id;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
