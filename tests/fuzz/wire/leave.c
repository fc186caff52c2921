// SPDX-License-Identifier: GPL-2.0
/* Initiators that disconnect, fall silent or die, at any step: one, or very many. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"

/* Time at which the peer did what it was asked to do, ms; 0 before. */
static u64 since;
/* Time that the host had withheld by then, ms. */
static u64 withheld_before;

static void begin_silence(void)
{
	since = now_ms();
	withheld_before = withheld_ms(since);
}

static bool disconnect_control(struct session *session)
{
	peer_disconnect(&session->peer.ctl);
	return session_end(session, CLOSED, "");
}

static bool disconnect_data(struct session *session)
{
	peer_disconnect(&session->peer.data);
	return session_end(session, CLOSED, "");
}

static bool drop(struct session *session)
{
	return session_end(session, CLOSED, "");
}

static bool die(struct session *session)
{
	kill(getpid(), SIGKILL);
	return session_end(session, ODD, "still alive");
}

static bool say_bye(struct session *session)
{
	static u8 room[TX_SIZE];

	session_sample(ICB_WIRE_BYE, room);
	memset(((struct icb_wire_bye *)room)->words, draw(), ICB_WIRE_WORDS);
	session_send(session, ICB_WIRE_BYE, room);
	return session_end(session, CLOSED, "");
}

static bool stay_silent(struct session *session)
{
	begin_silence();
	return session_let_go(session);
}

/* In addition, take no further message once the receives are used up. */
static bool stay_deaf(struct session *session)
{
	session->peer.deaf = true;
	return stay_silent(session);
}

/* Send a message that is not expected, and then nothing. */
static bool stray(struct session *session)
{
	static u8 room[TX_SIZE];

	begin_silence();
	session_sample(ICB_WIRE_REPORT, room);
	session_send(session, ICB_WIRE_REPORT, room);
	return session_let_go(session);
}

static bool break_control(struct session *session)
{
	begin_silence();
	peer_break(&session->peer.ctl);
	return session_let_go(session);
}

static bool break_data(struct session *session)
{
	begin_silence();
	peer_break(&session->peer.data);
	return session_let_go(session);
}

/* The first SUDDEN ways end the session at once. */
static const struct {
	const char *name;
	bool (*act)(struct session *session);
} ways[] = {
	{ "disconnect", disconnect_control },
	{ "disconnect-data", disconnect_data },
	{ "drop", drop },
	{ "die", die },
	{ "bye", say_bye },
	{ "silent", stay_silent },
	{ "deaf", stay_deaf },
	{ "stray", stray },
	{ "break", break_control },
	{ "break-data", break_data },
};

#define SUDDEN	5

static void set_way(struct session *session, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ways); i++)
		if (!strcmp(ways[i].name, name))
			session->act = ways[i].act;
}

/* Names of runs other than the verb's name. */
static const struct {
	const char *name;
	u32 trigger;
	u32 direction;
	u32 transport;
} others[] = {
	{ "stream", .trigger = ICBENCH_TRIGGER_COMPLETION },
	{ "both-ways", .trigger = ICBENCH_TRIGGER_COMPLETION,
	  .direction = ICBENCH_DIRECTION_BI },
	{ "datagrams", .transport = ICBENCH_TRANSPORT_UD },
};

static void set_run(struct session *session, const char *run)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		if (strcmp(others[i].name, run))
			continue;
		session->trigger = others[i].trigger;
		session->direction = others[i].direction;
		session->transport = others[i].transport;
		return;
	}
	session->verb = verb_by_word(run);
}

static void begin(struct session *session, const char *port, const char *run)
{
	session_init(session, strtoul(port, NULL, 10));
	session->limit *= slow;
	set_run(session, run);
}

static void leave(const char *port, unsigned int step, const char *way,
		  const char *verb)
{
	struct session session;

	begin(&session, port, verb);
	session.at = step;
	set_way(&session, way);
	session_run(&session, client_script, client_steps);
	peer_close(&session.peer);
	if (session.outcome != CLOSED)
		printf("%s (%s)\n", outcome_names[session.outcome],
		       session.words);
	fflush(stdout);
}

/*
 * leave PORT WAY RUN: leave at each step. After each, the step's number is printed and a
 * line on standard input is awaited.
 */
int group_leave(char **args)
{
	bool dying = !strcmp(args[1], "die");
	unsigned int step;
	char line[8];
	int status;

	for (step = 1; step < client_steps; step++) {
		if (!dying) {
			leave(args[0], step, args[1], args[2]);
		} else if (!fork()) {
			leave(args[0], step, args[1], args[2]);
			_exit(0);
		} else {
			wait(&status);
			session_forked();
			if (!WIFSIGNALED(status))
				puts("did not die");
		}
		printf("%u\n", step);
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 1;
	}
	return 0;
}

/*
 * Request a connection and do not handle the server's answer, so that the connection is
 * never established for the server.
 */
static bool half_open(struct session *session)
{
	struct icb_wire_hello hello = {
		.magic = ICB_WIRE_MAGIC,
		.version = ICB_WIRE_VERSION,
		.kind = ICB_WIRE_CONTROL,
	};
	struct peer *peer = &session->peer;

	if (!peer_resolve(peer, &peer->ctl, ADDRESS, session->port,
			  session->limit))
		return session_end(session, ODD, "no way to the server");
	peer_connect(&peer->ctl, &hello, sizeof(hello));
	begin_silence();
	/* the server's own limit is 10 s */
	usleep(12000000);
	peer_wait(peer, peer->ctl.state >= END_CONNECTED, session->limit);
	return session_end(session, peer->ctl.state == END_CONNECTED ? SILENT :
						       CLOSED, "half open");
}

/* Longest silence in a run, however long a timeout the peer proposes, ms. */
#define LONGEST_MS	60000

/* Wait until the server ends the run. Step 0 is a half-open connection. */
static int stay(const char *port, unsigned int step, const char *way,
		const char *verb, unsigned int timeout)
{
	struct session session;
	u64 ms, withheld;

	begin(&session, port, verb);
	/* on a slow machine, each of many sessions needs long to reach its step */
	session.timeout = 1000 * slow;
	if (timeout) {
		session.timeout = timeout;
		session.limit += LONGEST_MS;
	}
	session.at = step;
	set_way(&session, way);
	if (step)
		session_run(&session, client_script, client_steps);
	else
		half_open(&session);
	peer_close(&session.peer);
	ms = now_ms() - since;
	withheld = withheld_ms(now_ms()) - withheld_before;
	printf("%s at %u, %s: %s after %llu ms, %llu ms given\n", way, step, verb,
	       since ? outcome_names[session.outcome] : session.words,
	       (unsigned long long)ms,
	       (unsigned long long)(ms - min_t(u64, ms, withheld)));
	fflush(stdout);
	return session.outcome;
}

/*
 * stay PORT STEP:WAY:RUN[:TIMEOUT],...: all at the same time, each in its own process;
 * TIMEOUT is the proposed one, ms
 */
int group_stay(char **args)
{
	char *save, *word, *way, *verb, *timeout;
	unsigned int step;

	for (word = strtok_r(args[1], ",", &save); word;
	     word = strtok_r(NULL, ",", &save)) {
		step = strtoul(word, &way, 10);
		verb = strchr(++way, ':');
		*verb++ = '\0';
		timeout = strchr(verb, ':');
		if (timeout)
			*timeout++ = '\0';
		if (!fork())
			_exit(stay(args[0], step, way, verb,
				   timeout ? strtoul(timeout, NULL, 10) : 0));
		session_forked();
	}
	while (wait(NULL) > 0)
		;
	return 0;
}

static unsigned int count_over(struct peer *peers, unsigned int count)
{
	unsigned int over = 0, i;

	for (i = 0; i < count; i++) {
		peer_pump(&peers[i], 0);
		over += peer_over(&peers[i]);
	}
	return over;
}

/*
 * A peer that is ended between the answer to its request and its own answer to that is
 * not notified: its connection manager waits for the program and drops the message about
 * the end.
 */
static unsigned int count_deaf(const struct peer *peers, unsigned int count)
{
	unsigned int deaf = 0, i;

	for (i = 0; i < count; i++)
		deaf += peers[i].ctl.state == END_CONNECTED;
	return deaf;
}

/*
 * Peers of one process over iWARP: each has a CQ, and siw (6.1) gives a process at most
 * 18.
 */
#define PART_IWARP	16

/**
 * struct crowd - counters shared by the processes of group_crowd()
 * @parts: number of processes
 * @ready: processes whose peers are resolved
 * @done: processes whose wait has ended
 * @over: peers that were notified of their end
 * @deaf: peers that are still connected, because they were not notified
 * @failed: processes that failed
 */
struct crowd {
	unsigned int parts;
	unsigned int ready;
	unsigned int done;
	unsigned int over;
	unsigned int deaf;
	unsigned int failed;
};

static void add(unsigned int *sum, unsigned int number)
{
	__atomic_fetch_add(sum, number, __ATOMIC_SEQ_CST);
}

static bool await_parts(const struct crowd *crowd, const unsigned int *number)
{
	u64 end = given_ms() + 60000 * slow;

	while (READ_ONCE(*number) < crowd->parts && !READ_ONCE(crowd->failed) &&
	       given_ms() < end)
		usleep(1000);
	return READ_ONCE(*number) == crowd->parts;
}

/* Return: 0; else an exit status. */
static int crowd_part(struct crowd *crowd, u16 port, unsigned int count)
{
	const struct icb_wire_hello hello = {
		.magic = ICB_WIRE_MAGIC,
		.version = ICB_WIRE_VERSION,
		.kind = ICB_WIRE_CONTROL,
	};
	struct peer *peers = calloc(count, sizeof(*peers));
	unsigned int over, i;
	u64 end;

	if (!peers)
		return 3;
	/* do the slow part before all connect at once */
	for (i = 0; i < count; i++) {
		peer_open(&peers[i]);
		if (!peer_resolve(&peers[i], &peers[i].ctl, ADDRESS, port,
				  15000 * slow))
			return 3;
	}
	add(&crowd->ready, 1);
	if (!await_parts(crowd, &crowd->ready))
		return 3;
	for (i = 0; i < count; i++)
		peer_connect(&peers[i].ctl, &hello, sizeof(hello));
	/* the connection manager repeats a notification that was lost, after seconds */
	end = given_ms() + 45000 * slow;
	do {
		usleep(5000);
		over = count_over(peers, count);
	} while (over < count && given_ms() < end);
	add(&crowd->over, over);
	add(&crowd->deaf, count_deaf(peers, count));
	add(&crowd->done, 1);
	/* stay connected until all processes are done */
	await_parts(crowd, &crowd->done);
	for (i = 0; i < count; i++)
		peer_close(&peers[i]);
	free(peers);
	return 0;
}

/*
 * crowd PORT COUNT: all peers connect at the same time and send nothing. Prints the
 * number of peers that were notified of their end, and of connected peers that were not.
 */
int group_crowd(char **args)
{
	unsigned int count = strtoul(args[1], NULL, 10);
	unsigned int part = verb_iwarp() ? PART_IWARP : count, i;
	u16 port = strtoul(args[0], NULL, 10);
	struct crowd *crowd;
	int status;

	crowd = mmap(NULL, sizeof(*crowd), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (crowd == MAP_FAILED || !count)
		return 3;
	crowd->parts = (count + part - 1) / part;
	for (i = 0; i < count; i += part)
		if (!fork())
			_exit(crowd_part(crowd, port,
					 count - i < part ? count - i : part));
	while (wait(&status) > 0)
		if (status)
			add(&crowd->failed, 1);
	if (crowd->failed)
		return 3;
	printf("%u %u\n", crowd->over, crowd->deaf);
	return 0;
}

/**
 * struct storm - counters shared by the processes of group_storm()
 * @begun: attempts that have begun
 * @wrong: attempts with a message that had to be wrong
 * @tampered: attempts that sent a wrong message
 * @missed: attempts that completed without sending the wrong message
 * @ended: attempts by outcome
 */
struct storm {
	unsigned int begun;
	unsigned int wrong;
	unsigned int tampered;
	unsigned int missed;
	unsigned int ended[ODD + 1];
};

static void count(unsigned int *number)
{
	__atomic_fetch_add(number, 1, __ATOMIC_RELAXED);
}

/* One attempt: a correct session, one that leaves, or one with a wrong field. */
static enum outcome attempt(struct storm *storm, const char *port)
{
	unsigned int what = draw() % 3;
	const struct field *field = NULL;
	struct session session;
	enum value value = 0;

	begin(&session, port, verb_word(draw() % verb_count()));
	if (what == 1) {
		session.at = 1 + draw() % (client_steps - 1);
		session.act = ways[draw() % SUDDEN].act;
	} else if (what == 2) {
		field = &client_fields[draw() % client_field_count];
		value = draw() % VALUES;
		session.verb = field->verb;
		session.transport = field->transport;
		attack_field(&session, field, draw() % field->repeat, value);
	}
	session_run(&session, client_script, client_steps);
	peer_close(&session.peer);
	if (field)
		count(&storm->wrong);
	if (session.tampered)
		count(&storm->tampered);
	/* the next value always differs from the original */
	else if (field && value == VALUE_NEXT && session.outcome == DONE)
		count(&storm->missed);
	if (session.outcome >= SILENT)
		fprintf(stderr, "%s at step %u (%s)\n",
			outcome_names[session.outcome], session.step,
			session.words);
	return session.outcome;
}

/* Attempts in sequence, until there are enough or the process dies. */
static void attempts(struct storm *storm, const char *port, unsigned int most)
{
	enum outcome outcome;

	while (__atomic_fetch_add(&storm->begun, 1, __ATOMIC_RELAXED) < most) {
		outcome = attempt(storm, port);
		count(&storm->ended[outcome]);
	}
}

/* storm PORT COUNT PROCESSES */
int group_storm(char **args)
{
	unsigned int total = strtoul(args[1], NULL, 10);
	unsigned int most = strtoul(args[2], NULL, 10);
	unsigned int running = 0, killed = 0, died = 0, all;
	struct storm *storm;
	char name[100], why[100];
	u64 from = now_ms();
	int status;

	storm = mmap(NULL, sizeof(*storm), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (storm == MAP_FAILED)
		return 3;
	while (running || READ_ONCE(storm->begun) < total) {
		if (running < most && READ_ONCE(storm->begun) < total) {
			u64 seed = draw();

			running++;
			if (!fork()) {
				draw_seed(seed);
				attempts(storm, args[0], total);
				_exit(0);
			}
			session_forked();
			continue;
		}
		wait(&status);
		running--;
		killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
		died += WIFSIGNALED(status) ? WTERMSIG(status) != SIGKILL :
					      WEXITSTATUS(status) != 0;
	}
	all = killed + died + storm->ended[DONE] + storm->ended[REFUSED] +
	      storm->ended[CLOSED] + storm->ended[SILENT] + storm->ended[ODD];
	printf("# %u peers, %u at a time, in %llu ms: ", all, most,
	       (unsigned long long)(now_ms() - from));
	printf("%u accepted, %u refused, %u closed, %u killed\n",
	       storm->ended[DONE], storm->ended[REFUSED],
	       storm->ended[CLOSED], killed);
	snprintf(name, sizeof(name), "%u peers, %u at a time, all end in time",
		 total, most);
	snprintf(why, sizeof(why), "%u in all, %u not in time, %u odd, %u by themselves",
		 all, storm->ended[SILENT], storm->ended[ODD], died);
	ok(all == total && !storm->ended[SILENT] && !storm->ended[ODD] && !died,
	   name, why);
	printf("# %u of %u that were to say something wrong did\n",
	       storm->tampered, storm->wrong);
	/* zero, all ones and a random number may be the original value */
	snprintf(why, sizeof(why), "%u of %u, %u never said it",
		 storm->tampered, storm->wrong, storm->missed);
	ok(3 * storm->tampered >= storm->wrong && !storm->missed,
	   "what was to be wrong was said", why);
	return 0;
}
