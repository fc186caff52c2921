// SPDX-License-Identifier: GPL-2.0
/* The table of triggers, and their rules. */
#include "model/rules.h"
#include "unit.h"
#include <unistd.h>
#include "model/derived.h"
#include "model/params.h"
#include "model/trigger.h"
#include "model/triggers_table.h"
#include "model/verb_rules.h"
#include "model/verbs_table.h"
#include "give.h"

/* Full texts of the refusals of each trigger. */
static void test_trigger_words(void **state)
{
	static const struct {
		const char *give[15];
		int err;
		const char *words;
	} rows[] = {
		{ { "verb", "register" }, -EOPNOTSUPP,
		  "verb: register is not possible with trigger echo; accepted: send, write, write-imm, read, fetch-add, cmp-swap" },
		{ { "trigger", "completion", "verb", "connect" }, -EOPNOTSUPP,
		  "verb: connect is not possible with trigger completion; accepted: send, write, write-imm, read, fetch-add, cmp-swap" },
		{ { "trigger", "return" }, -EINVAL,
		  "trigger: return needs a verb; accepted: verb register, descriptor, connect, connect-cm, calibrate, floor" },
		{ { "trigger", "return", "verb", "cmp-swap" }, -EOPNOTSUPP,
		  "verb: cmp-swap is not possible with trigger return; accepted: register, descriptor, connect, connect-cm, calibrate, floor" },
		{ { "window", "7" }, -EINVAL,
		  "window: only with trigger completion or clock; with trigger echo one operation is outstanding" },
		{ { "refill", "1" }, -EINVAL,
		  "refill: only with trigger completion; with trigger echo one operation is outstanding" },
		{ { "verb", "write", "batch", "1" }, -EINVAL,
		  "batch: only with trigger completion; with trigger echo one operation is outstanding" },
		{ { "trigger", "return", "verb", "connect", "window", "1" },
		  -EINVAL,
		  "window: only with trigger completion or clock; with trigger return one operation is outstanding" },
		{ { "trigger", "return", "verb", "register", "refill", "1" },
		  -EINVAL,
		  "refill: only with trigger completion; with trigger return one operation is outstanding" },
		{ { "trigger", "return", "verb", "descriptor", "batch", "2" },
		  -EINVAL,
		  "batch: only with trigger completion; with trigger return one operation is outstanding" },
		{ { "compute", "1" }, -EINVAL,
		  "compute: only with trigger completion; with trigger echo one operation is outstanding" },
		{ { "trigger", "return", "verb", "descriptor",
		    "compute-share", "0" }, -EINVAL,
		  "compute-share: only with trigger completion; with trigger return one operation is outstanding" },
		{ { "trigger", "completion", "compute", "1",
		    "compute-share", "1" }, -EINVAL,
		  "compute: not together with compute-share; accepted: one of them" },
		{ { "reply", "no" }, 0, "" },
		{ { "reply", "yes" }, -EINVAL,
		  "reply: only with trigger completion; with trigger echo one operation is outstanding" },
		{ { "trigger", "completion", "reply", "yes" }, 0, "" },
		{ { "trigger", "completion", "reply", "yes", "window", "7",
		    "refill", "7", "verb", "write", "notify", "message",
		    "completion", "block" }, 0, "" },
		{ { "trigger", "completion", "reply", "yes", "verb", "write" },
		  -EOPNOTSUPP,
		  "reply: with verb write the receiver cannot detect the arrival of a window; accepted: verb send, write-imm, or write with notify imm or message" },
		{ { "trigger", "completion", "reply", "yes",
		    "direction", "bi" }, -EOPNOTSUPP,
		  "reply: with direction bi the peer streams instead of replying; accepted: direction uni" },
		{ { "trigger", "completion", "reply", "yes",
		    "compute-share", "5" }, -EOPNOTSUPP,
		  "reply: not together with compute or compute-share, which needs a window that is refilled; accepted: one of them" },
		{ { "trigger", "completion", "reply", "yes", "window", "8",
		    "refill", "4" }, -EINVAL,
		  "refill: 4 is not possible with reply, which answers the whole window; accepted: 8" },
		{ { "trigger", "completion", "reply", "yes",
		    "completion", "softirq" }, -EOPNOTSUPP,
		  "reply: not with completion softirq, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "trigger", "completion", "compute", "0" }, 0, "" },
		{ { "trigger", "completion", "compute", "1000000000",
		    "direction", "bi", "completion", "block" }, 0, "" },
		{ { "trigger", "completion", "compute", "25000001",
		    "timeout", "100000000" }, -EINVAL,
		  "compute: 25000001 ns is more than a quarter of timeout; accepted: 0 to 25000000 ns" },
		{ { "trigger", "completion", "compute-share", "99",
		    "timeout", "100000000" }, 0, "" },
		{ { "trigger", "completion", "compute", "1",
		    "completion", "softirq" }, -EOPNOTSUPP,
		  "compute: not with completion softirq, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "trigger", "completion", "compute-share", "1",
		    "completion", "workqueue" }, -EOPNOTSUPP,
		  "compute-share: not with completion workqueue, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "verb", "write", "notify", "imm", "completion", "block" },
		  0, "" },
		{ { "verb", "write", "notify", "message", "size", "0" }, 0, "" },
		{ { "verb", "write", "notify", "message",
		    "completion", "memory" }, -EOPNOTSUPP,
		  "completion: memory is not possible with verb write, which is detected by its completion; accepted: poll, softirq, workqueue, block, adaptive, timer" },
		{ { "verb", "write-imm", "notify", "imm" }, 0, "" },
		{ { "verb", "write-imm", "notify", "message" }, -EINVAL,
		  "notify: message is not possible with verb write-imm; accepted: imm, or verb write" },
		{ { "verb", "write-imm", "notify", "none" }, -EINVAL,
		  "notify: none is not possible with verb write-imm; accepted: imm, or verb write" },
		{ { "notify", "imm" }, -EINVAL,
		  "notify: imm is not possible with verb send; accepted: none, or verb write" },
		{ { "trigger", "return", "verb", "register",
		    "notify", "message" }, -EINVAL,
		  "notify: message is not possible with verb register; accepted: none, or verb write" },
		{ { "overhead", "yes", "completion", "block" }, 0, "" },
		{ { "overhead", "yes", "completion", "softirq" }, -EOPNOTSUPP,
		  "overhead: not with completion softirq, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "overhead", "yes", "verb", "write", "completion", "memory" },
		  0, "" },
		{ { "overhead", "yes", "trigger", "completion" }, -EOPNOTSUPP,
		  "overhead: yes is possible only with trigger echo; accepted: no (compute-share measures the CPU time that a stream leaves)" },
		{ { "overhead", "yes", "trigger", "return", "verb", "connect" },
		  -EOPNOTSUPP,
		  "overhead: yes is possible only with trigger echo; accepted: no (compute-share measures the CPU time that a stream leaves)" },
		{ { "overhead", "no", "trigger", "completion" }, 0, "" },
		{ { "until", "5", "completion", "workqueue" }, 0, "" },
		{ { "until", "5", "trigger", "return", "verb", "register",
		    "duration", "5" }, 0, "" },
		{ { "until", "5", "trigger", "completion" }, -EOPNOTSUPP,
		  "until: only with trigger echo or return, which take one sample at a time; accepted: iterations or duration" },
		{ { "until", "5", "direction", "bi" }, -EOPNOTSUPP,
		  "until: with direction bi messages cross, and short and long samples alternate, which leaves no valid interval; accepted: direction uni, or iterations or duration" },
		{ { "until", "5", "trigger", "clock" }, -EOPNOTSUPP,
		  "until: only with trigger echo or return, which take one sample at a time; accepted: iterations or duration" },
		{ { "until", "5", "trigger", "return", "verb", "floor" },
		  -EOPNOTSUPP,
		  "until: not with verb floor, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout" },
		{ { "until", "5", "until-percentile", "999", "until-time", "0" },
		  0, "" },
		{ { "until-percentile", "900" }, -EINVAL,
		  "until-percentile: only with until; accepted: until as well, or neither of them" },
		{ { "until-time", "0" }, -EINVAL,
		  "until-time: only with until; accepted: until as well, or neither of them" },
		{ { "threshold", "5", "completion", "workqueue" }, 0, "" },
		{ { "threshold", "5", "trigger", "return", "verb", "register",
		    "until", "5" }, 0, "" },
		{ { "threshold", "5", "trigger", "completion" }, 0, "" },
		{ { "threshold", "5", "trigger", "clock" }, 0, "" },
		{ { "threshold", "5", "trigger", "clock", "completion",
		    "softirq" }, 0, "" },
		{ { "threshold", "5", "trigger", "return", "verb", "floor" },
		  -EOPNOTSUPP,
		  "threshold: not with verb floor, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout" },
		{ { "cpu-latency-qos", "0" }, 0, "" },
		{ { "cpu-latency-qos", "5", "completion", "softirq" }, 0, "" },
		{ { "cpu-latency-qos", "5", "trigger", "clock", "workers",
		    "2" }, 0, "" },
		{ { "cpu-latency-qos", "5", "trigger", "return", "verb",
		    "floor" }, -EOPNOTSUPP,
		  "cpu-latency-qos: not with verb floor, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout" },
		{ { "attribute", "yes", "completion", "block" }, 0, "" },
		{ { "attribute", "yes", "completion", "workqueue" }, -EOPNOTSUPP,
		  "attribute: not with completion workqueue, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "attribute", "no", "completion", "workqueue" }, 0, "" },
		{ { "attribute", "yes", "trigger", "return", "verb", "connect" },
		  0, "" },
		{ { "attribute", "yes", "trigger", "return", "verb", "calibrate" },
		  0, "" },
		{ { "attribute", "yes", "trigger", "return", "verb", "floor" },
		  -EOPNOTSUPP,
		  "attribute: not with verb floor, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout" },
		{ { "attribute", "yes", "trigger", "completion" }, 0, "" },
		{ { "attribute", "yes", "trigger", "clock" }, 0, "" },
		{ { "attribute", "no", "trigger", "clock" }, 0, "" },
		{ { "attribute", "yes", "trigger", "completion", "completion",
		    "softirq" }, -EOPNOTSUPP,
		  "attribute: not with completion softirq, where no thread waits; accepted: completion poll, block, adaptive, timer" },
		{ { "attribute", "yes", "trigger", "clock", "completion",
		    "workqueue" }, -EOPNOTSUPP,
		  "attribute: not with completion workqueue, where no thread waits; accepted: completion poll, block, adaptive" },
		{ { "stages", "yes", "completion", "block" }, 0, "" },
		{ { "stages", "yes", "completion", "softirq" }, 0, "" },
		{ { "stages", "yes", "completion", "timer", "verb", "read" }, 0,
		  "" },
		{ { "stages", "yes" }, -EOPNOTSUPP,
		  "stages: not with completion poll, which raises no event on arrival; accepted: completion softirq, workqueue, block, adaptive, timer" },
		{ { "stages", "yes", "verb", "write" }, -EOPNOTSUPP,
		  "stages: not with completion memory, which raises no event on arrival; accepted: no" },
		{ { "stages", "yes", "trigger", "completion",
		    "completion", "block" }, -EOPNOTSUPP,
		  "stages: yes is possible only with trigger echo; accepted: no" },
		{ { "stages", "yes", "trigger", "clock",
		    "completion", "block" }, -EOPNOTSUPP,
		  "stages: yes is possible only with trigger echo; accepted: no" },
		{ { "stages", "yes", "trigger", "return", "verb", "connect" },
		  -EOPNOTSUPP,
		  "stages: yes is possible only with trigger echo; accepted: no" },
		{ { "stages", "no", "trigger", "completion" }, 0, "" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3" },
		  0, "" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "cpu", "0", "peer-cpu", "1" }, 0, "" },
		{ { "completion", "block", "shadow-cpu", "3" }, -EINVAL,
		  "shadow-cpu: only with stages; accepted: stages yes" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "size", "0" }, -EINVAL,
		  "shadow-cpu: a message of 0 bytes changes no memory that the CPU could watch; accepted: size 1 and more" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "direction", "bi" }, -EOPNOTSUPP,
		  "shadow-cpu: with direction bi a message may arrive before the CPU watches for it; accepted: direction uni" },
		{ { "stages", "yes", "completion", "block",
		    "direction", "bi" }, 0, "" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "cpu", "3" }, -EINVAL,
		  "shadow-cpu: 3 is a CPU of the run; accepted: one that is neither cpu nor, without peer, peer-cpu" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "peer-cpu", "3" }, -EINVAL,
		  "shadow-cpu: 3 is a CPU of the run; accepted: one that is neither cpu nor, without peer, peer-cpu" },
		{ { "stages", "yes", "completion", "block", "shadow-cpu", "3",
		    "peer-cpu", "3", "peer", "10.0.0.1" }, 0, "" },
		{ { "shadow-cpu", "3", "trigger", "completion" }, -EOPNOTSUPP,
		  "shadow-cpu: only with trigger echo, which times the stages of an arrival; accepted: none" },
		{ { "verb", "read", "direction", "bi" }, -EOPNOTSUPP,
		  "direction: bi is not possible with trigger echo and verb read, which the peer does not detect; accepted: uni" },
		{ { "verb", "fetch-add", "direction", "bi" }, -EOPNOTSUPP,
		  "direction: bi is not possible with trigger echo and verb fetch-add, which the peer does not detect; accepted: uni" },
		{ { "completion", "softirq", "direction", "bi" }, -EOPNOTSUPP,
		  "direction: bi is not possible with trigger echo and completion softirq, where no thread sends first; accepted: uni" },
		{ { "verb", "write-imm", "completion", "workqueue",
		    "direction", "bi" }, -EOPNOTSUPP,
		  "direction: bi is not possible with trigger echo and completion workqueue, where no thread sends first; accepted: uni" },
		{ { "trigger", "completion", "verify", "yes" }, 0, "" },
		{ { "registration", "frwr", "trigger", "completion" }, 0, "" },
		{ { "registration", "frwr", "size", "0" }, -EOPNOTSUPP,
		  "registration: frwr is not possible with messages of 0 bytes; accepted: dma" },
		{ { "registration", "frwr", "size", "64", "inline", "64" }, -EOPNOTSUPP,
		  "registration: frwr is not possible with messages that are posted inline, which the CPU reads; accepted: dma" },
		{ { "registration", "frwr", "size", "65", "inline", "64" }, 0, "" },
		{ { "registration", "frwr", "trigger", "return",
		    "verb", "register" }, -EOPNOTSUPP,
		  "registration: frwr is not possible with trigger return, whose calls have buffers of their own; accepted: dma" },
		{ { "memory", "node:3", "trigger", "completion" }, 0, "" },
		{ { "memory", "device", "trigger", "return",
		    "verb", "register" }, 0, "" },
		{ { "memory", "any", "size", "0" }, 0, "" },
		{ { "memory", "node:0", "size", "0" }, -EOPNOTSUPP,
		  "memory: messages of 0 bytes use no memory; accepted: any" },
		{ { "memory", "device", "trigger", "return",
		    "verb", "connect" }, -EOPNOTSUPP,
		  "memory: the calls of verb connect have no buffers; accepted: any" },
		{ { "memory", "node:0", "trigger", "return",
		    "verb", "floor" }, -EOPNOTSUPP,
		  "memory: the calls of verb floor have no buffers; accepted: any" },
		{ { "trigger", "completion", "refill", "101" }, -EINVAL,
		  "refill: 101 is more than the window; accepted: 1 to 100" },
		{ { "trigger", "completion", "window", "16384",
		    "refill", "16384", "signal-every", "1024" }, 0, "" },
		{ { "trigger", "completion", "window", "1", "refill", "2" },
		  -EINVAL,
		  "refill: 2 is more than the window; accepted: 1 to 1" },
		{ { "trigger", "completion", "batch", "51" }, -EINVAL,
		  "batch: 51 is more than the operations posted at a time; accepted: 1 to 50 (refill)" },
		{ { "trigger", "completion", "window", "8", "refill", "3",
		    "batch", "4" }, -EINVAL,
		  "batch: 4 is more than the operations posted at a time; accepted: 1 to 3 (refill)" },
		{ { "trigger", "completion", "signal-every", "3" }, -EINVAL,
		  "signal-every: 3 does not divide refill, 50; accepted: a divisor of 50" },
		{ { "trigger", "completion", "refill", "6",
		    "signal-every", "12" }, -EINVAL,
		  "signal-every: 12 does not divide refill, 6; accepted: a divisor of 6" },
		{ { "trigger", "completion", "refill", "6",
		    "signal-every", "3" }, 0, "" },
		{ { "trigger", "completion", "completion", "memory" },
		  -EOPNOTSUPP,
		  "completion: memory is not possible with verb send, which is detected by its completion; accepted: poll, softirq, workqueue, block, adaptive, timer" },
		{ { "trigger", "completion", "verb", "write",
		    "completion", "memory" }, -EOPNOTSUPP,
		  "completion: memory is not possible with verb write, which is detected by its completion; accepted: poll, softirq, workqueue, block, adaptive, timer" },
		{ { "trigger", "completion", "verb", "read",
		    "signal-every", "25", "direction", "bi" }, 0, "" },
		{ { "trigger", "completion", "verb", "read", "size", "0" },
		  -EINVAL,
		  "size: 0 is too small for verb read; accepted: 1 and more" },
		{ { "trigger", "completion", "completion", "softirq",
		    "direction", "bi" }, 0, "" },
		{ { "trigger", "completion", "completion", "softirq",
		    "context", "thread" }, -EOPNOTSUPP,
		  "context: completion softirq posts in softirq context; accepted: bh" },
		{ { "trigger", "completion", "completion", "workqueue",
		    "priority", "fifo" }, -EOPNOTSUPP,
		  "priority: completion workqueue does not run in a thread of the run; accepted: normal" },
		{ { "trigger", "return", "verb", "connect", "verify", "yes" },
		  -EOPNOTSUPP,
		  "verify: no message arrives with trigger return; accepted: no" },
		{ { "trigger", "return", "verb", "descriptor",
		    "direction", "bi" }, -EOPNOTSUPP,
		  "direction: no message is sent with trigger return; accepted: uni" },
		{ { "trigger", "return", "verb", "register",
		    "completion", "block" }, -EOPNOTSUPP,
		  "completion: block is not possible with verb register, whose calls are timed one by one; accepted: poll" },
		{ { "trigger", "return", "verb", "descriptor",
		    "completion", "memory" }, -EOPNOTSUPP,
		  "completion: memory is not possible with verb descriptor, whose calls are timed one by one; accepted: poll" },
		{ { "trigger", "return", "verb", "register", "size", "0" },
		  -EINVAL,
		  "size: 0 is too small for verb register; accepted: 1 and more" },
		{ { "trigger", "return", "verb", "connect", "size", "0" },
		  0, "" },
		{ { "verb", "fetch-add", "sges", "2" }, -EOPNOTSUPP,
		  "sges: verb fetch-add works on one word; accepted: 1" },
		{ { "trigger", "completion", "verb", "cmp-swap",
		    "sges", "8" }, -EOPNOTSUPP,
		  "sges: verb cmp-swap works on one word; accepted: 1" },
		{ { "trigger", "return", "verb", "register", "sges", "2" },
		  -EOPNOTSUPP,
		  "sges: verb register posts no message; accepted: 1" },
		{ { "trigger", "return", "verb", "connect", "sges", "2" },
		  -EOPNOTSUPP,
		  "sges: verb connect posts no message; accepted: 1" },
		{ { "trigger", "return", "verb", "descriptor", "sges", "32",
		    "inline", "64" }, 0, "" },
		{ { "trigger", "return", "verb", "connect",
		    "max-sges", "32" }, 0, "" },
		{ { "workers", "2" }, 0, "" },
		{ { "workers", "64", "trigger", "completion", "direction", "bi",
		    "verify", "yes" }, 0, "" },
		{ { "workers", "2", "trigger", "clock" }, 0, "" },
		{ { "workers", "2", "trigger", "return", "verb", "register" }, 0, "" },
		{ { "workers", "2", "reuse", "50" }, -EOPNOTSUPP,
		  "workers: reuse 50 takes new buffers, and each worker continues until all workers have measured; accepted: 1" },
		{ { "workers", "2", "transport", "uc" }, 0, "" },
		{ { "workers", "2", "transport", "uc", "trigger", "completion" },
		  0, "" },
		{ { "workers", "2", "completion", "block", "stages", "yes" }, 0, "" },
		{ { "workers", "2", "completion", "block", "stages", "yes",
		    "shadow-cpu", "1" }, -EOPNOTSUPP,
		  "workers: one CPU watches for the arrivals of one run; accepted: 1, or no shadow-cpu" },
		{ { "workers", "2", "trigger", "return", "verb", "floor" },
		  -EOPNOTSUPP,
		  "workers: not with verb floor, which uses no device; accepted: iterations, duration, warmup, cpu, peer-cpu, priority, timeout" },
		{ { "workers", "2", "policy", "bind", "device", "a", "device", "b" },
		  -EOPNOTSUPP,
		  "policy: with several workers each worker uses one device; accepted: single, with one device" },
		{ { "qps", "4" }, 0, "" },
		{ { "qps", "4", "verify", "yes", "buffers", "3" }, 0, "" },
		{ { "qps", "4", "reuse", "50" }, -EOPNOTSUPP,
		  "qps: with reuse 50 and verb send a receive is posted with the buffer of its message, and several QPs keep no common order; accepted: 1" },
		{ { "qps", "4", "trigger", "completion" }, 0, "" },
		{ { "qps", "4", "trigger", "completion", "buffers", "2" },
		  -EOPNOTSUPP,
		  "qps: in a stream of sends the receives of several QPs share a buffer; accepted: 1, or buffers 1" },
		{ { "qps", "4", "trigger", "completion", "verb", "write",
		    "buffers", "2" }, 0, "" },
		{ { "qps", "4", "trigger", "completion", "verb", "cmp-swap" },
		  -EOPNOTSUPP,
		  "qps: with trigger completion each cmp-swap expects the value that the previous one wrote, and several QPs keep no common order; accepted: 1, or verb fetch-add" },
		{ { "qps", "4", "trigger", "completion", "verb",
		    "fetch-add" }, 0, "" },
		{ { "qps", "2", "trigger", "completion", "window", "5",
		    "refill", "2", "signal-every", "2" }, -EINVAL,
		  "signal-every: 2 does not divide the window, 5, as several QPs require; accepted: a divisor of 5" },
		{ { "qps", "2", "trigger", "completion", "window", "5",
		    "refill", "2" }, 0, "" },
		{ { "qps", "2", "trigger", "return", "verb", "connect" },
		  -EOPNOTSUPP,
		  "qps: with trigger return the calls of one QP are timed; accepted: 1, or verb calibrate" },
		{ { "qps", "4096", "trigger", "return", "verb", "calibrate" }, 0, "" },
		{ { "size", "0", "sges", "2" }, -EINVAL,
		  "sges: 2 segments are more than a message of 0 bytes can fill; accepted: 1 to 1" },
		{ { "size", "0", "sges", "1" }, 0, "" },
		{ { "size", "7", "sges", "8" }, -EINVAL,
		  "sges: 8 segments are more than a message of 7 bytes can fill; accepted: 1 to 7" },
		{ { "verb", "read", "size", "7", "sges", "7" }, 0, "" },
		{ { "sges", "5", "max-sges", "4" }, -EINVAL,
		  "max-sges: 4 is less than sges, 5; accepted: 5 and more" },
		{ { "sges", "5", "max-sges", "5" }, 0, "" },
		{ { "verb", "fetch-add", "max-sges", "5" }, 0, "" },
		{ { "verb", "read", "inline", "64" }, -EOPNOTSUPP,
		  "inline: verb read receives a message and sends none; accepted: 0" },
		{ { "verb", "cmp-swap", "inline", "64" }, -EOPNOTSUPP,
		  "inline: verb cmp-swap receives a message and sends none; accepted: 0" },
		{ { "verb", "read", "inline", "0" }, 0, "" },
		{ { "trigger", "return", "verb", "register",
		    "inline", "64" }, -EOPNOTSUPP,
		  "inline: verb register posts no message; accepted: 0" },
		{ { "verb", "write", "inline", "65536", "sges", "3" }, 0, "" },
		{ { "rate", "5" }, -EINVAL,
		  "rate: only with trigger clock; trigger echo has no schedule" },
		{ { "trigger", "completion", "arrival", "uniform" }, -EINVAL,
		  "arrival: only with trigger clock; trigger completion has no schedule" },
		{ { "trigger", "clock" }, 0, "" },
		{ { "trigger", "clock", "rate", "5" }, 0, "" },
		{ { "trigger", "clock", "rate", "4" }, -EINVAL,
		  "rate: at 4 per second no operation may be due for half of timeout; accepted: 5 and more, or a longer timeout" },
		{ { "trigger", "clock", "refill", "4" }, -EINVAL,
		  "refill: not with trigger clock, which posts each operation when it is due" },
		{ { "trigger", "clock", "compute", "4" }, -EINVAL,
		  "compute: not with trigger clock, which posts each operation when it is due" },
		{ { "trigger", "clock", "signal-every", "4" }, -EINVAL,
		  "signal-every: 4 is not possible with trigger clock, which times the completion of each operation; accepted: 1" },
		{ { "trigger", "clock", "direction", "bi" }, -EOPNOTSUPP,
		  "direction: bi is not possible with trigger clock, whose schedule is the initiator's; accepted: uni" },
		{ { "trigger", "clock", "context", "thread" }, -EOPNOTSUPP,
		  "context: trigger clock posts in softirq context; accepted: bh" },
		{ { "trigger", "clock", "verify", "yes" }, -EOPNOTSUPP,
		  "verify: messages of a window share a buffer; accepted: no (the last message is always checked)" },
		/* the verb is checked first, because all other rules depend on it */
		{ { "trigger", "return", "verb", "read", "window", "5" },
		  -EOPNOTSUPP,
		  "verb: read is not possible with trigger return; accepted: register, descriptor, connect, connect-cm, calibrate, floor" },
	};
	struct icb_params params;
	struct icb_reason why;
	size_t i, k;

	(void)state;
	for (i = 0; i < ROWS(rows); i++) {
		icb_params_init(&params);
		for (k = 0; rows[i].give[k]; k += 2)
			give(&params, rows[i].give[k], rows[i].give[k + 1]);
		memset(&why, 0, sizeof(why));
		assert_row(i, icb_params_check(&params, &why) == rows[i].err);
		assert_string_equal(why.text, rows[i].words);
		assert_row(i, icb_params_check(&params, NULL) == rows[i].err);
	}
}

/* A value that differs from the default. */
static const char *other_value(const struct icb_param *param)
{
	return param->attr == ICBENCH_A_PARAMS_ARRIVAL ? "fixed" :
	       param->type == ICB_PARAM_WORD ? param->words[1] :
	       param->attr == ICBENCH_A_PARAMS_RATE ? "1000" : "1";
}

/* Every trigger has a row, and is of one kind. */
static void test_triggers(void **state)
{
	const struct icb_param *triggers =
		icb_param_by_attr(ICBENCH_A_PARAMS_TRIGGER);
	const struct icb_trigger *trigger;
	u32 t;

	(void)state;
	for (t = 0; t <= triggers->max; t++) {
		trigger = &icb_trigger_table[t];
		assert_row(t, trigger->answers + trigger->refills +
			      trigger->scheduled + trigger->times_calls == 1);
	}
}

/* A key that has no meaning for a trigger is refused with it, and accepted with others. */
static void test_trigger_takes(void **state)
{
	static const char *const verbs[] = { "send", "send", "descriptor", "send" };
	const struct icb_param *triggers =
		icb_param_by_attr(ICBENCH_A_PARAMS_TRIGGER);
	const struct icb_param *param;
	struct icb_params params;
	struct icb_reason why;
	unsigned int i, bound = 0;
	u32 t;

	(void)state;
	for (i = 0; i < icb_param_count; i++)
		for (t = 0; t <= triggers->max; t++) {
			param = &icb_param_table[i];
			if (icb_trigger_takes(t, param->attr))
				continue;
			bound++;
			icb_params_init(&params);
			give(&params, "trigger", triggers->words[t]);
			give(&params, "verb", verbs[t]);
			assert_row(i, !icb_params_check(&params, NULL));
			give(&params, param->name, other_value(param));
			assert_row(i, icb_params_check(&params, &why));
			assert_row(i, about(&why, param->name));
		}
	assert_int_equal(bound, 36);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trigger_words),
		cmocka_unit_test(test_trigger_takes),
		cmocka_unit_test(test_triggers),
	};

	alarm(300);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
