/* SPDX-License-Identifier: GPL-2.0 */
/* Tracepoints: the module reports through these and never prints. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM icbench

#if !defined(ICB_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define ICB_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(icb_job,
	    TP_PROTO(u32 id, u32 state, u32 outcome, u64 done),
	    TP_ARGS(id, state, outcome, done),
	    TP_STRUCT__entry(__field(u32, id)
			     __field(u32, state)
			     __field(u32, outcome)
			     __field(u64, done)),
	    TP_fast_assign(__entry->id = id;
			   __entry->state = state;
			   __entry->outcome = outcome;
			   __entry->done = done),
	    TP_printk("id=%u state=%u outcome=%u done=%llu", __entry->id,
		      __entry->state, __entry->outcome, __entry->done)
);

/*
 * A sample above the threshold. It began @ns + @ago ns before this event, and ended @ago
 * ns before it. @owner is the netlink port of the job's socket, by which a trigger
 * selects the samples of its own jobs.
 */
TRACE_EVENT(icb_beyond,
	    TP_PROTO(u32 id, u32 owner, u64 sample, u64 ns, u64 ago),
	    TP_ARGS(id, owner, sample, ns, ago),
	    TP_STRUCT__entry(__field(u32, id)
			     __field(u32, owner)
			     __field(u64, sample)
			     __field(u64, ns)
			     __field(u64, ago)),
	    TP_fast_assign(__entry->id = id;
			   __entry->owner = owner;
			   __entry->sample = sample;
			   __entry->ns = ns;
			   __entry->ago = ago),
	    TP_printk("id=%u owner=%u sample=%llu ns=%llu ago=%llu",
		      __entry->id, __entry->owner, __entry->sample,
		      __entry->ns, __entry->ago)
);

/* The stages of a sample above the threshold, ns; -1 if unknown. icb_beyond follows. */
TRACE_EVENT(icb_stages,
	    TP_PROTO(u32 id, u64 sample, s64 deliver, s64 handler, s64 wake,
		     s64 reap, u64 whole),
	    TP_ARGS(id, sample, deliver, handler, wake, reap, whole),
	    TP_STRUCT__entry(__field(u32, id)
			     __field(u64, sample)
			     __field(s64, deliver)
			     __field(s64, handler)
			     __field(s64, wake)
			     __field(s64, reap)
			     __field(u64, whole)),
	    TP_fast_assign(__entry->id = id;
			   __entry->sample = sample;
			   __entry->deliver = deliver;
			   __entry->handler = handler;
			   __entry->wake = wake;
			   __entry->reap = reap;
			   __entry->whole = whole),
	    TP_printk("id=%u sample=%llu deliver=%lld handler=%lld wake=%lld reap=%lld whole=%llu",
		      __entry->id, __entry->sample, __entry->deliver, __entry->handler,
		      __entry->wake, __entry->reap, __entry->whole)
);

#endif /* ICB_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
