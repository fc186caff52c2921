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
 * interrupt_open() - receive Ctrl-C and termination signals through a file descriptor
 *
 * From then on these signals do not end the program. The caller polls the descriptor.
 *
 * Return: a file descriptor that is readable after a signal.
 */
int interrupt_open(void)
{
	struct sigaction old;
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* a blocked signal is received even if it is ignored, as SIGHUP is under nohup */
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
 * interrupt_take() - take a pending signal
 * @fd: file descriptor from interrupt_open()
 *
 * Return: true if there was one; each signal is returned once.
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
 * interrupt_name() - get the name of the last signal taken
 *
 * Return: the name, in words for the user.
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
