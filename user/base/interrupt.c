// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "interrupt.h"
#include "message.h"
#include "status.h"

static unsigned int last;

/**
 * interrupt_open() - be told of Ctrl-C and of signals to end
 *
 * From now on they do not end the program; whoever polls the descriptor does.
 *
 * Return: a file descriptor that is readable when there was one.
 */
int interrupt_open(void)
{
	struct sigaction old;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* what is blocked comes even if it is ignored, as nohup wants it to be */
	if (!sigaction(SIGHUP, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (fd < 0) {
		message("cannot wait for signals");
		exit(STATUS_FAILED);
	}
	return fd;
}

/**
 * interrupt_take() - see whether there was a signal
 * @fd: what interrupt_open() gave
 *
 * Return: true if so; it does not count again.
 */
bool interrupt_take(int fd)
{
	struct signalfd_siginfo info;

	if (read(fd, &info, sizeof(info)) != sizeof(info))
		return false;
	last = info.ssi_signo;
	return true;
}

/**
 * interrupt_name() - the last signal that there was
 *
 * Return: its name, in words for the user.
 */
const char *interrupt_name(void)
{
	switch (last) {
	case SIGINT:
		return "Ctrl-C";
	case SIGTERM:
		return "SIGTERM";
	default:
		return "SIGHUP";
	}
}
