// SPDX-License-Identifier: GPL-2.0
#include "account.h"
#include "run.h"

/**
 * icb_run_bytes() - get the number of bytes of messages of a side
 * @run: either side
 * @initiator: true: messages of the initiator; false: of the responder
 * @number: number of the first message
 * @messages: number of messages
 *
 * Return: bytes.
 */
u64 icb_run_bytes(const struct icb_run *run, bool initiator, u64 number,
		  u64 messages)
{
	if (likely(!run->sizes.on))
		return messages * run->params->size;
	return icb_sizes_sum(&run->sizes, initiator, number, messages);
}

/**
 * icb_run_account() - compare the messages sent with the responder's report
 * @run: the initiator, after the run
 * @sent: number of messages that this side sent
 * @seen: number of messages that the responder received
 * @reported: the responder's counts of measured messages, where messages may be lost
 * @why: the reason of a refusal
 *
 * A lost message is an error only on a reliable transport.
 *
 * Return: 0; -EBADMSG.
 */
int icb_run_account(struct icb_run *run, u64 sent, u64 seen,
		    const struct icb_delivery *reported, struct icb_reason *why)
{
	u64 most;

	if (!run->lossy)
		return seen == sent ? 0 :
			icb_refuse(why, -EBADMSG,
				   "%llu messages were sent, the peer reports %llu",
				   (unsigned long long)sent,
				   (unsigned long long)seen);
	if (seen > sent || reported->count > seen)
		return icb_refuse(why, -EBADMSG,
				  "%llu messages were sent, the peer reports %llu, %llu of them measured",
				  (unsigned long long)sent,
				  (unsigned long long)seen,
				  (unsigned long long)reported->count);
	if (reported->middle > reported->slow || reported->slow > reported->longest)
		return icb_refuse(why, -EBADMSG,
				  "the peer reports %llu, %llu and %llu ns as median, p99 and maximum of its windows",
				  (unsigned long long)reported->middle,
				  (unsigned long long)reported->slow,
				  (unsigned long long)reported->longest);
	run->delivery = *reported;
	if (run->sizes.on) {
		most = run->first ? icb_run_bytes(run, true, run->first,
						  run->seq - run->first + 1) : 0;
		if (reported->bytes > most || reported->bytes < reported->count)
			return icb_refuse(why, -EBADMSG,
					  "messages of %llu bytes were sent, the peer reports %llu with %llu bytes",
					  (unsigned long long)most,
					  (unsigned long long)reported->count,
					  (unsigned long long)reported->bytes);
		/* limited for the same reason as run->delivered below */
		run->delivery.bytes = min_t(u64, reported->bytes,
					    icb_run_bytes(run, true, run->first,
							  run->done));
	}
	run->lost = sent - seen;
	/* a run that was cut short has not taken the completions of all messages */
	run->delivered = min_t(u64, reported->count, run->done);
	run->lost_known = true;
	return 0;
}

/**
 * icb_run_delivery() - report the measured messages that a responder has received
 * @run: the finished responder of a run whose messages may be lost
 * @reported: the report
 */
void icb_run_delivery(const struct icb_run *run, struct icb_delivery *reported)
{
	memset(reported, 0, sizeof(*reported));
	reported->count = run->marked;
	reported->bytes = run->marked_bytes;
	if (!run->steps || !run->steps->count)
		return;
	reported->longest = run->steps->max;
	reported->slow = icb_hist_quantile(run->steps, 99, 100);
	reported->middle = icb_hist_quantile(run->steps, 1, 2);
}

/**
 * icb_run_counts() - report the messages of a responder's own stream
 * @run: the finished responder of a run in which both sides stream
 * @reported: the report
 */
void icb_run_counts(const struct icb_run *run, struct icb_returns *reported)
{
	reported->sent = run->seq;
	reported->done = run->done;
	if (run->lossy)
		reported->counted = run->timed ? run->seq - run->base : 0;
	else
		reported->counted = run->acked;
}

/**
 * icb_run_owed() - get the number of the responder's messages to wait for
 * @run: the initiator, after the run
 * @reported: the responder's report of its own stream
 *
 * Return: number of messages that must arrive; where messages may be lost, number of all
 * messages sent.
 */
u64 icb_run_owed(const struct icb_run *run, const struct icb_returns *reported)
{
	return run->lossy ? reported->sent : reported->counted;
}

/*
 * Messages that have completed at the responder have arrived here, and no message arrives
 * that was not sent. Messages that had not completed when the responder was stopped may
 * have arrived or not.
 */
static int account_returned(struct icb_run *run, const struct icb_returns *reported,
			    struct icb_reason *why)
{
	u64 seen = READ_ONCE(run->seen);

	if (reported->done <= reported->counted && reported->counted <= seen &&
	    seen <= reported->sent)
		return 0;
	return icb_refuse(why, -EBADMSG,
			  "%llu messages of the peer arrived; it reports that it sent %llu, %llu of which completed, and measured %llu",
			  (unsigned long long)seen,
			  (unsigned long long)reported->sent,
			  (unsigned long long)reported->counted,
			  (unsigned long long)reported->done);
}

/**
 * icb_run_account_back() - compare the messages received with the responder's report
 * @run: the initiator, after it has received the messages of the responder
 * @reported: the responder's report of its own stream
 * @why: the reason of a refusal
 *
 * Where messages may be lost, some of those marked as measured had not completed when the
 * responder was stopped. It is not known which of them arrived. All of them are taken to
 * have arrived, and are subtracted, so that the responder's rate is not too high.
 *
 * Return: 0; -EBADMSG.
 */
int icb_run_account_back(struct icb_run *run, const struct icb_returns *reported,
			 struct icb_reason *why)
{
	u64 seen = READ_ONCE(run->seen), marked = run->marked, late;

	if (!run->lossy)
		return account_returned(run, reported, why);
	if (reported->counted > reported->sent || reported->done > reported->counted ||
	    seen > reported->sent || marked > reported->counted)
		return icb_refuse(why, -EBADMSG,
				  "%llu messages of the peer arrived, %llu of them measured; it reports %llu, %llu of them measured",
				  (unsigned long long)seen,
				  (unsigned long long)marked,
				  (unsigned long long)reported->sent,
				  (unsigned long long)reported->counted);
	late = reported->counted - reported->done;
	run->peer_lost = reported->sent - seen;
	run->peer_done = marked > late ? marked - late : 0;
	return 0;
}

/**
 * icb_run_moved() - get the number of operations that the rate of a windowed run is for
 * @run: the initiator, after the run
 *
 * Return: number of measured operations; where messages may be lost, number of those
 * whose message arrived.
 */
u64 icb_run_moved(const struct icb_run *run)
{
	return run->lossy ? run->delivered : run->done;
}
