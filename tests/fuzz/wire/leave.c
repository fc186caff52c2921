// SPDX-License-Identifier: GPL-2.0
/* Initiators that go, fall silent or die, at any step; one, or very many. */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"

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
	return session_let_go(session);
}

static bool break_control(struct session *session)
{
	peer_break(&session->peer.ctl);
	return session_let_go(session);
}

static bool break_data(struct session *session)
{
	peer_break(&session->peer.data);
	return session_let_go(session);
}

/* All but the last three end at once. */
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

static void begin(struct session *session, const char *port, const char *verb)
{
	session_init(session, strtoul(port, NULL, 10));
	session->limit *= slow;
	session->verb = strcmp(verb, "write") ? ICBENCH_VERB_SEND :
						ICBENCH_VERB_WRITE;
}

/* leave PORT STEP WAY: whoever called sees how long the server holds on */
int group_leave(char **args)
{
	struct session session;

	begin(&session, args[0], "send");
	session.at = strtoul(args[1], NULL, 10);
	set_way(&session, args[2]);
	session_run(&session, client_script, client_steps);
	peer_close(&session.peer);
	return session.outcome != CLOSED;
}

/*
 * The connection is asked for, and what the server answers is not looked at:
 * for the server the connection never is established.
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
	/* the server's own limit is 10 s */
	usleep(12000000);
	peer_wait(peer, peer->ctl.state >= END_CONNECTED, session->limit);
	return session_end(session, peer->ctl.state == END_CONNECTED ? SILENT :
						       CLOSED, "half open");
}

/* stay PORT STEP WAY VERB: until the server lets go; step 0 is half open */
int group_stay(char **args)
{
	unsigned int step = strtoul(args[1], NULL, 10);
	struct session session;
	u64 from = now_ms();

	begin(&session, args[0], args[3]);
	session.at = step;
	set_way(&session, args[2]);
	if (step)
		session_run(&session, client_script, client_steps);
	else
		half_open(&session);
	peer_close(&session.peer);
	printf("%s %llu\n", outcome_names[session.outcome],
	       (unsigned long long)(now_ms() - from));
	return session.outcome != CLOSED && session.outcome != REFUSED;
}

/* One peer out of very many, in a process of its own; its outcome is its status. */
static int attempt(const char *port)
{
	unsigned int what = draw() % 3;
	struct session session;

	begin(&session, port, draw() % 2 ? "send" : "write");
	if (what == 1) {
		session.at = 1 + draw() % (client_steps - 1);
		session.act = ways[draw() % SUDDEN].act;
	} else if (what == 2) {
		session.tamper.field =
			&client_fields[draw() % client_field_count];
		session.tamper.kind = session.tamper.field->kind;
		session.tamper.at = draw() % session.tamper.field->repeat;
		session.tamper.value = draw() % VALUES;
	}
	session_run(&session, client_script, client_steps);
	peer_close(&session.peer);
	if (session.outcome >= SILENT)
		fprintf(stderr, "%s at step %u (%s)\n",
			outcome_names[session.outcome], session.step,
			session.words);
	return session.outcome;
}

/* storm PORT COUNT PROCESSES */
int group_storm(char **args)
{
	unsigned int count = strtoul(args[1], NULL, 10), i = 0, running = 0;
	unsigned int most = strtoul(args[2], NULL, 10);
	unsigned int ended[ODD + 1] = { 0 }, killed = 0, died = 0;
	char name[100], why[100];
	u64 from = now_ms();
	int status;

	while (i < count || running) {
		if (i < count && running < most) {
			u64 seed = draw();

			i++;
			running++;
			if (!fork()) {
				draw_seed(seed);
				_exit(attempt(args[0]));
			}
			continue;
		}
		wait(&status);
		running--;
		if (WIFEXITED(status) && WEXITSTATUS(status) <= ODD)
			ended[WEXITSTATUS(status)]++;
		else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
			killed++;
		else
			died++;
	}
	printf("# %u peers, %u at a time, in %llu ms: %u accepted, %u refused, %u closed, %u killed\n",
	       count, most, (unsigned long long)(now_ms() - from), ended[DONE],
	       ended[REFUSED], ended[CLOSED], killed);
	snprintf(name, sizeof(name), "%u peers, %u at a time, all end in time",
		 count, most);
	snprintf(why, sizeof(why), "%u not in time, %u odd, %u by themselves",
		 ended[SILENT], ended[ODD], died);
	ok(!ended[SILENT] && !ended[ODD] && !died, name, why);
	return 0;
}
