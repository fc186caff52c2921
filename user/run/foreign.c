// SPDX-License-Identifier: GPL-2.0
/*
 * Options of other programs, above all perftest, that icbenchctl run lacks or has under
 * another name. The refusal of such an option names the equivalent option of icbenchctl.
 */
#include <stdbool.h>
#include <string.h>

#include "foreign.h"
#include "model/engine.h"

static const struct foreign {
	const char *names;
	const char *answer;
} foreigners[] = {
	/* letters of perftest that icbenchctl lacks */
	{ "-A", "accepted: --verb fetch-add or --verb cmp-swap" },
	{ "-C -U --report-cycles --report-unsorted",
	  "accepted: --samples N, with --json FILE, for single samples in ns" },
	{ "-F --CPU-freq", "not needed, leave it out; --isolate warn checks the CPUs" },
	{ "-H --report-histogram", "accepted: --json FILE, which has the histogram" },
	{ "-l --post_list", "accepted: --batch N" },
	{ "-N --noPeak --no-peak", "not needed, leave it out: no peak is calculated" },
	{ "--outs", "accepted: --window N" },
	{ "-Q --cq-mod --cq_mod", "accepted: --signal-every N" },
	{ "-R --rdma_cm -z --comm_rdma_cm",
	  "not needed, leave it out: the connection manager always connects" },
	{ "-r --rx-depth --recv-depth", "not needed, leave it out: --window N sets it" },
	{ "-S --sl -T --tos -u --qp-timeout",
	  "not possible: the connection manager sets it; --timeout TIME ends a silent run" },
	{ "-V", "accepted: icbenchctl --version" },
	{ "-L --latency_gap", "accepted: --trigger clock, with --rate N" },
	/* long options of perftest */
	{ "--report_gbits", "not needed, leave it out: bandwidth is also printed in Gb/s" },
	{ "--tx-depth", "accepted: --window N" },
	{ "--ib-dev --ib_dev", "accepted: --device NAME" },
	{ "--ib-port --ib_port", "accepted: --port N, a port of the device" },
	{ "--connection", "accepted: --transport rc|uc|ud" },
	{ "--inline_size --inline-size", "accepted: --inline SIZE" },
	{ "--bidirectional", "accepted: --direction bi, or -b" },
	{ "--all", "accepted: -a" },
	{ "--events", "accepted: --completion block, or -e" },
	{ "--run_infinitely", "accepted: --duration TIME, up to 86400s" },
	{ "--perform_warm_up", "not needed, leave it out: --warmup N sets the warm-up" },
	{ "--rate_limit", "accepted: --trigger clock, with --rate N" },
	{ "--out_json --out_json_file", "accepted: --json FILE" },
	{ "--use-srq --use_cuda", "not possible: icbench supports neither" },
	/* synonyms of keys */
	{ "--iters --loops --count --ops --requests", "accepted: --iterations N" },
	{ "--time --runtime --seconds", "accepted: --duration TIME" },
	{ "--bytes --length --len --bs --msg-size --msg_size --message-size",
	  "accepted: --size SIZE" },
	{ "--op --operation --rw --opcode", "accepted: --verb send, write, read, ..." },
	{ "--mode --poll --polling --wait", "accepted: --completion poll, block, ..." },
	{ "--block --event --interrupt", "accepted: --completion block" },
	{ "--iodepth --depth --queue-depth --outstanding", "accepted: --window N" },
	{ "--threads --numjobs --jobs", "accepted: --workers N" },
	{ "--runs --repeats --repetitions", "accepted: --repeat N" },
	{ "--host --server --target --remote --addr --address --ip",
	  "accepted: --peer ADDRESS" },
	{ "--dev --interface --nic --hca", "accepted: --device NAME" },
	{ "--affinity --cpus --core --cores", "accepted: --cpu N, and --peer-cpu N" },
	{ "--gid", "accepted: --gid-index N" },
	{ "--connections --num-qps", "accepted: --qps N" },
	{ "--check --validate --data-validation", "accepted: --verify" },
	{ "--bidir --bi", "accepted: --direction bi, or -b" },
	{ "--output --out", "accepted: --json FILE, or --csv FILE" },
	{ "--output-format", "accepted: --format compact, full or perftest" },
	{ "--silent", "accepted: --quiet" },
	{ "--plan --list", "accepted: --dry-run" },
};

/* True if a list of words, separated by blanks, has the word. */
static bool has_word(const char *words, const char *word)
{
	const size_t len = strlen(word);

	for (;;) {
		words += strspn(words, " ");
		if (!*words)
			return false;
		if (strcspn(words, " ") == len && !strncmp(words, word, len))
			return true;
		words += strcspn(words, " ");
	}
}

/**
 * foreign_answer() - find the equivalent of another program's option
 * @option: the option with its dashes, such as "--tx-depth"
 *
 * Return: text that names the equivalent, to be printed after the option; NULL if the
 * option is unknown.
 */
const char *foreign_answer(const char *option)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(foreigners); i++)
		if (has_word(foreigners[i].names, option))
			return foreigners[i].answer;
	return NULL;
}
