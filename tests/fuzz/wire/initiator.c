// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "initiator.h"
#include "report.h"

static void *watch(void *data)
{
	struct initiator *initiator = data;
	siginfo_t info;

	/* WNOWAIT: initiator_finish() waits for the process, too */
	waitid(P_PID, initiator->pid, &info, WEXITED | WNOWAIT);
	initiator->ms = now_ms() - initiator->from;
	return NULL;
}

static void run_icbenchctl(const struct initiator *initiator, u16 port,
			   u32 verb, u32 transport)
{
	bool streams = initiator->trigger == ICBENCH_TRIGGER_COMPLETION;
	char port_text[8], timeout[16], buffers[12], qps[12];
	const char *words[32] = {
		"icbenchctl", "run", streams ? "bandwidth" : "latency",
		ADDRESS, "-p", port_text, "--timeout", timeout, "-n", "20",
		"--warmup", "4", "--verb", verb_word(verb), "-c",
		transport == ICBENCH_TRANSPORT_UD ? "ud" : "rc",
		"--quiet",
	};
	unsigned int n = 17;

	snprintf(port_text, sizeof(port_text), "%u", port);
	snprintf(timeout, sizeof(timeout), "%ums", initiator->timeout ? : 1000);
	snprintf(buffers, sizeof(buffers), "%u", initiator->buffers);
	if (initiator->buffers) {
		words[n++] = "--buffers";
		words[n++] = buffers;
	}
	snprintf(qps, sizeof(qps), "%u", initiator->qps);
	if (initiator->qps) {
		words[n++] = "-q";
		words[n++] = qps;
	}
	if (streams) {
		words[n++] = "-s";
		words[n++] = "64";
		words[n++] = "--window";
		words[n++] = "4";
	}
	if (initiator->completion == ICBENCH_COMPLETION_BLOCK &&
	    icb_verb_completions(initiator->trigger, verb) &
	    BIT(ICBENCH_COMPLETION_BLOCK)) {
		words[n++] = "--completion";
		words[n++] = "block";
	}
	if (initiator->direction == ICBENCH_DIRECTION_BI)
		words[n++] = "-b";
	if (initiator->sizes) {
		words[n++] = "--size-dist";
		words[n++] = "uniform";
	}
	execvp(*words, (char **)words);
}

/**
 * initiator_start() - start a run of icbenchctl
 * @initiator: zeroed, but for the settings of the run
 * @port: port of the server
 * @verb: verb of the run
 * @transport: transport of the run
 */
void initiator_start(struct initiator *initiator, u16 port, u32 verb,
		     u32 transport)
{
	int fds[2];

	if (pipe(fds))
		abort();
	fflush(stdout);
	initiator->from = now_ms();
	initiator->withheld = withheld_ms(initiator->from);
	initiator->pid = fork();
	if (!initiator->pid) {
		dup2(fds[1], 2);
		if (!freopen("/dev/null", "w", stdout))
			_exit(126);
		close(fds[0]);
		run_icbenchctl(initiator, port, verb, transport);
		_exit(127);
	}
	close(fds[1]);
	initiator->fd = fds[0];
	if (pthread_create(&initiator->watch, NULL, watch, initiator))
		abort();
}

static bool gone(struct initiator *initiator)
{
	return waitpid(initiator->pid, &initiator->status, WNOHANG) ==
	       initiator->pid;
}

/**
 * initiator_finish() - wait for the end of a run
 * @initiator: initiator
 * @peer: peer of the server, whose events are handled meanwhile
 *
 * Return: true; false if it did not end in time and was killed.
 */
bool initiator_finish(struct initiator *initiator, struct peer *peer)
{
	u64 end = given_ms() + 20000 * slow;
	bool good = true;
	u64 withheld;
	ssize_t n;

	while (!gone(initiator)) {
		peer_pump(peer, 5);
		if (given_ms() < end)
			continue;
		good = false;
		kill(initiator->pid, SIGKILL);
		waitpid(initiator->pid, &initiator->status, 0);
		break;
	}
	pthread_join(initiator->watch, NULL);
	withheld = withheld_ms(now_ms()) - initiator->withheld;
	initiator->ms -= min_t(u64, initiator->ms, withheld);
	n = read(initiator->fd, initiator->said, sizeof(initiator->said) - 1);
	initiator->said[n > 0 ? n : 0] = '\0';
	close(initiator->fd);
	return good;
}

/**
 * initiator_failed() - check whether a run failed in the right way
 * @initiator: initiator that has ended
 *
 * Return: true if it exited with status 1 and one line of error text.
 */
bool initiator_failed(const struct initiator *initiator)
{
	const char *end = strchr(initiator->said, '\n');

	return WIFEXITED(initiator->status) &&
	       WEXITSTATUS(initiator->status) == 1 &&
	       !strncmp(initiator->said, "icbenchctl: ", 12) && end && !end[1];
}
