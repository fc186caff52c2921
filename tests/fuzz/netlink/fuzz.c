// SPDX-License-Identifier: GPL-2.0
/*
 * Ask the module for everything that its specification has, well and badly,
 * from several processes at a time.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "generate.h"
#include "worker.h"

static const char usage[] =
"usage: fuzz [--seed S] [--workers N] [--count N]\n"
"       fuzz [--seed S] --worker W [--from I] [--count N] [--show]\n"
"\n"
"Sends N datagrams in all, or N of worker W from its Ith on, as they were in a\n"
"run of that seed. --show prints them instead, in hexadecimal; where they have\n"
"the number of a job or listener, it prints the slot of what there would be.\n";

struct options {
	uint64_t seed;
	uint32_t workers;
	long worker;
	uint64_t from;
	uint64_t count;
	bool show;
};

static void show(const struct options *o)
{
	static struct pool pools[MAX_SETS];
	static struct datagram d;
	uint64_t i;
	size_t j;

	d.family = 0x77;
	for (i = o->from; i < o->from + o->count; i++) {
		generate(&d, o->seed, o->worker, i, pools);
		printf("%llu ", (unsigned long long)i);
		for (j = 0; j < d.len; j++)
			printf("%02x", d.buf[j]);
		printf("\n");
	}
}

/* Return: the process that hears events; -1. */
static pid_t start_hearing(struct shared *shared, const struct family *family)
{
	int fd = link_open();
	pid_t pid;

	/* before there are any */
	if (fd < 0 || link_join(fd, family->group))
		return -1;
	pid = fork();
	if (!pid)
		_exit(worker_hear(shared, family, fd));
	close(fd);
	return pid;
}

static int wait_for(pid_t pid)
{
	int status = 1;

	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 1;
	return status != 0;
}

static int run_workers(struct shared *shared, const struct family *family,
		       const struct options *o)
{
	pid_t pids[64];
	uint32_t i;
	int err = 0;

	for (i = 0; i < o->workers; i++) {
		uint64_t share = o->count / o->workers + (i < o->count % o->workers);

		pids[i] = fork();
		if (!pids[i])
			_exit(worker_run(shared, family, o->seed, i, 0, share));
	}
	for (i = 0; i < o->workers; i++)
		err |= wait_for(pids[i]);
	return err;
}

static int run(const struct options *o)
{
	struct shared *shared;
	struct family family;
	pid_t hearing;
	int err;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || link_find(&family)) {
		fprintf(stderr, "fuzz: no module %s\n", family_name);
		return 1;
	}
	hearing = start_hearing(shared, &family);
	if (o->worker >= 0)
		err = worker_run(shared, &family, o->seed, o->worker, o->from, o->count);
	else
		err = run_workers(shared, &family, o);
	err |= worker_sweep(shared, &family);
	__atomic_store_n(&shared->over, true, __ATOMIC_RELEASE);
	err |= wait_for(hearing);
	tally_report(&shared->tally, o->seed);
	return err;
}

static int parse(struct options *o, int argc, char **argv)
{
	static const struct option known[] = {
		{ "seed", required_argument, NULL, 's' },
		{ "workers", required_argument, NULL, 'n' },
		{ "worker", required_argument, NULL, 'w' },
		{ "from", required_argument, NULL, 'f' },
		{ "count", required_argument, NULL, 'c' },
		{ "show", no_argument, NULL, 'p' },
		{ .name = NULL }
	};
	int c;

	while ((c = getopt_long(argc, argv, "", known, NULL)) >= 0) {
		unsigned long long value = optarg ? strtoull(optarg, NULL, 0) : 0;

		switch (c) {
		case 's':
			o->seed = value;
			break;
		case 'n':
			o->workers = value;
			break;
		case 'w':
			o->worker = value;
			break;
		case 'f':
			o->from = value;
			break;
		case 'c':
			o->count = value;
			break;
		case 'p':
			o->show = true;
			break;
		default:
			return -1;
		}
	}
	if (optind < argc || !o->workers || o->workers > 64 ||
	    (o->worker < 0 && (o->from || o->show)))
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	struct options o = { .seed = 1, .workers = 4, .worker = -1, .count = 1000 };

	if (parse(&o, argc, argv)) {
		fputs(usage, stderr);
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!o.show)
		return run(&o);
	show(&o);
	return 0;
}
