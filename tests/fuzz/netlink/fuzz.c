// SPDX-License-Identifier: GPL-2.0
/*
 * Send requests for everything in the module's netlink specification, valid and invalid
 * ones, from several processes at a time.
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
"usage: fuzz [--seed S] [--workers N] [--count N] [--digest]\n"
"       fuzz [--seed S] --worker W [--from I] [--count N] [--show]\n"
"\n"
"Sends N datagrams in all, or N of worker W from its Ith on, as they were in a\n"
"run of that seed. --show prints them instead, in hexadecimal, with what stands for\n"
"numbers that the kernel knows; --digest prints, for each worker, the digest of all\n"
"of it that a run of this seed and count prints at its end.\n";

struct options {
	uint64_t seed;
	uint32_t workers;
	long worker;
	uint64_t from;
	uint64_t count;
	bool show;
	bool digest;
};

static void show(const struct options *o)
{
	static struct datagram d;
	uint64_t i;
	size_t j;

	for (i = o->from; i < o->from + o->count; i++) {
		generate(&d, o->seed, o->worker, i);
		printf("%llu ", (unsigned long long)i);
		for (j = 0; j < d.len; j++)
			printf("%02x", d.buf[j]);
		printf("\n");
	}
}

/* Number of datagrams that a worker sends. */
static uint64_t share_of(const struct options *o, uint32_t worker)
{
	return o->count / o->workers + (worker < o->count % o->workers);
}

static void print_digest(uint32_t worker, uint64_t digest)
{
	printf("digest %u %016llx\n", worker, (unsigned long long)digest);
}

/* Print the digests of the generated datagrams, without sending them. */
static void show_digests(const struct options *o)
{
	static struct datagram d;
	uint64_t i, digest;
	uint32_t worker;

	for (worker = 0; worker < o->workers; worker++) {
		digest = DIGEST_NONE;
		for (i = 0; i < share_of(o, worker); i++) {
			generate(&d, o->seed, worker, i);
			digest = digest_add(digest, &d);
		}
		print_digest(worker, digest);
	}
}

/* Return: pid of the process that receives events; -1 on failure. */
static pid_t start_hearing(struct shared *shared, const struct family *family)
{
	int fd = link_open();
	pid_t pid;

	/* join before the first event is sent */
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
	pid_t pids[MAX_WORKERS];
	uint32_t i;
	int err = 0;

	for (i = 0; i < o->workers; i++) {
		pids[i] = fork();
		if (!pids[i])
			_exit(worker_run(shared, family, o->seed, i, 0,
					 share_of(o, i)));
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
	uint32_t i;
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
	for (i = 0; o->worker < 0 && i < o->workers; i++)
		print_digest(i, shared->digest[i]);
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
		{ "digest", no_argument, NULL, 'd' },
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
		case 'd':
			o->digest = true;
			break;
		default:
			return -1;
		}
	}
	if (optind < argc || !o->workers || o->workers > MAX_WORKERS ||
	    o->worker >= MAX_WORKERS || (o->worker < 0 && (o->from || o->show)) ||
	    (o->worker >= 0 && o->digest))
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
	if (o.show)
		show(&o);
	else if (o.digest)
		show_digests(&o);
	else
		return run(&o);
	return 0;
}
