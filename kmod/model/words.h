/* SPDX-License-Identifier: GPL-2.0 */
/* The words of enums, written by scripts/ynl-regen (make genl): do not edit. */
#ifndef ICB_WORDS_H
#define ICB_WORDS_H

static const char *const trigger_words[] = {
	[ICBENCH_TRIGGER_ECHO] = "echo",
	[ICBENCH_TRIGGER_COMPLETION] = "completion",
	[ICBENCH_TRIGGER_RETURN] = "return",
	[ICBENCH_TRIGGER_CLOCK] = "clock",
	NULL
};

static const char *const verb_words[] = {
	[ICBENCH_VERB_SEND] = "send",
	[ICBENCH_VERB_WRITE] = "write",
	[ICBENCH_VERB_WRITE_IMM] = "write-imm",
	[ICBENCH_VERB_READ] = "read",
	[ICBENCH_VERB_FETCH_ADD] = "fetch-add",
	[ICBENCH_VERB_CMP_SWAP] = "cmp-swap",
	[ICBENCH_VERB_REGISTER] = "register",
	[ICBENCH_VERB_DESCRIPTOR] = "descriptor",
	[ICBENCH_VERB_CONNECT] = "connect",
	[ICBENCH_VERB_CONNECT_CM] = "connect-cm",
	[ICBENCH_VERB_CALIBRATE] = "calibrate",
	[ICBENCH_VERB_FLOOR] = "floor",
	NULL
};

static const char *const transport_words[] = {
	[ICBENCH_TRANSPORT_RC] = "rc",
	[ICBENCH_TRANSPORT_UC] = "uc",
	[ICBENCH_TRANSPORT_UD] = "ud",
	NULL
};

static const char *const completion_words[] = {
	[ICBENCH_COMPLETION_POLL] = "poll",
	[ICBENCH_COMPLETION_MEMORY] = "memory",
	[ICBENCH_COMPLETION_SOFTIRQ] = "softirq",
	[ICBENCH_COMPLETION_WORKQUEUE] = "workqueue",
	[ICBENCH_COMPLETION_BLOCK] = "block",
	[ICBENCH_COMPLETION_ADAPTIVE] = "adaptive",
	[ICBENCH_COMPLETION_TIMER] = "timer",
	NULL
};

static const char *const direction_words[] = {
	[ICBENCH_DIRECTION_UNI] = "uni",
	[ICBENCH_DIRECTION_BI] = "bi",
	NULL
};

static const char *const notify_words[] = {
	[ICBENCH_NOTIFY_NONE] = "none",
	[ICBENCH_NOTIFY_IMM] = "imm",
	[ICBENCH_NOTIFY_MESSAGE] = "message",
	NULL
};

static const char *const context_words[] = {
	[ICBENCH_CONTEXT_BH] = "bh",
	[ICBENCH_CONTEXT_THREAD] = "thread",
	NULL
};

static const char *const priority_words[] = {
	[ICBENCH_PRIORITY_NORMAL] = "normal",
	[ICBENCH_PRIORITY_FIFO] = "fifo",
	[ICBENCH_PRIORITY_FIFO_LOW] = "fifo-low",
	NULL
};

static const char *const arrival_words[] = {
	[ICBENCH_ARRIVAL_FIXED] = "fixed",
	[ICBENCH_ARRIVAL_UNIFORM] = "uniform",
	[ICBENCH_ARRIVAL_EXPONENTIAL] = "exponential",
	NULL
};

static const char *const policy_words[] = {
	[ICBENCH_POLICY_SINGLE] = "single",
	[ICBENCH_POLICY_STRIPE] = "stripe",
	[ICBENCH_POLICY_BIND] = "bind",
	[ICBENCH_POLICY_CHANNELS] = "channels",
	NULL
};

static const char *const size_dist_words[] = {
	[ICBENCH_SIZE_DIST_FIXED] = "fixed",
	[ICBENCH_SIZE_DIST_UNIFORM] = "uniform",
	[ICBENCH_SIZE_DIST_EXPONENTIAL] = "exponential",
	NULL
};

static const char *const registration_words[] = {
	[ICBENCH_REGISTRATION_DMA] = "dma",
	[ICBENCH_REGISTRATION_FRWR] = "frwr",
	NULL
};

#endif /* ICB_WORDS_H */
