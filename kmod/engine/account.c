// SPDX-License-Identifier: GPL-2.0
#include "account.h"
#include "run.h"

/**
 * icb_run_bytes() - bytes of messages of a side
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
 * icb_run_account() - compare what was sent with what the other side says
 * @run: the initiator, after the run
 * @sent: number of messages that this side sent
 * @seen: number of messages that the other side received
 * @told: the responder's counts of measured messages, where messages may be lost
 * @why: the reason of a refusal
 *
 * A lost message is an error only on a reliable transport.
 *
 * Return: 0; -EBADMSG.
 */
int icb_run_account(struct icb_run *run, u64 sent, u64 seen,
		    const struct icb_delivery *told, struct icb_reason *why)
{
	u64 most;

	if (!run->lossy)
		return seen == sent ? 0 :
			icb_refuse(why, -EBADMSG,
				   "%llu messages were sent, the peer reports %llu",
				   (unsigned long long)sent,
				   (unsigned long long)seen);
	if (seen > sent || told->count > seen)
		return icb_refuse(why, -EBADMSG,
				  "%llu messages were sent, the peer reports %llu, and %llu that count",
				  (unsigned long long)sent,
				  (unsigned long long)seen,
				  (unsigned long long)told->count);
	if (told->middle > told->slow || told->slow > told->longest)
		return icb_refuse(why, -EBADMSG,
				  "the peer reports windows that came in %llu, %llu and %llu ns, in this order",
				  (unsigned long long)told->middle,
				  (unsigned long long)told->slow,
				  (unsigned long long)told->longest);
	run->delivery = *told;
	if (run->sizes.on) {
		most = run->first ? icb_run_bytes(run, true, run->first,
						  run->seq - run->first + 1) : 0;
		if (told->bytes > most || told->bytes < told->count)
			return icb_refuse(why, -EBADMSG,
					  "messages of %llu bytes were sent, the peer reports %llu with %llu bytes",
					  (unsigned long long)most,
					  (unsigned long long)told->count,
					  (unsigned long long)told->bytes);
		/* as those below */
		run->delivery.bytes = min_t(u64, told->bytes,
					    icb_run_bytes(run, true, run->first,
							  run->done));
	}
	run->lost = sent - seen;
	/* the responder of a run that was cut short may have received messages of unknown posts */
	run->delivered = min_t(u64, told->count, run->done);
	run->lost_known = true;
	return 0;
}

/**
 * icb_run_delivery() - say what has come of the messages that count
 * @run: the finished responder of a run whose messages may be lost
 * @told: where to
 */
void icb_run_delivery(const struct icb_run *run, struct icb_delivery *told)
{
	memset(told, 0, sizeof(*told));
	told->count = run->marked;
	told->bytes = run->marked_bytes;
	if (!run->steps || !run->steps->count)
		return;
	told->longest = run->steps->max;
	told->slow = icb_hist_quantile(run->steps, 99, 100);
	told->middle = icb_hist_quantile(run->steps, 1, 2);
}

/**
 * icb_run_tell() - say what became of the stream of this side
 * @run: the finished responder of a run in which both sides stream
 * @told: where to
 */
void icb_run_tell(const struct icb_run *run, struct icb_returns *told)
{
	told->sent = run->seq;
	told->done = run->done;
	if (run->lossy)
		told->counted = run->timed ? run->seq - run->base : 0;
	else
		told->counted = run->acked;
}

/**
 * icb_run_owed() - messages of the other side's stream that are waited for
 * @run: the initiator, after the run
 * @told: by the other side
 *
 * Return: how many are to be seen at least; of those that may be lost, all.
 */
u64 icb_run_owed(const struct icb_run *run, const struct icb_returns *told)
{
	return run->lossy ? told->sent : told->counted;
}

/*
 * What has completed there has arrived here, and nothing arrives that was not sent.
 * What had not completed when that side was told to stop may have come or not.
 */
static int account_returned(struct icb_run *run, const struct icb_returns *told,
			    struct icb_reason *why)
{
	u64 seen = READ_ONCE(run->seen);

	if (told->done <= told->counted && told->counted <= seen &&
	    seen <= told->sent)
		return 0;
	return icb_refuse(why, -EBADMSG,
			  "%llu messages of the peer's arrived; it reports that it sent %llu, %llu of which completed, and measured %llu",
			  (unsigned long long)seen,
			  (unsigned long long)told->sent,
			  (unsigned long long)told->counted,
			  (unsigned long long)told->done);
}

/**
 * icb_run_account_back() - compare what has come with what the other side says
 * @run: the initiator, after it has received the messages of the responder
 * @told: by the other side
 * @why: the reason of a refusal
 *
 * Of the messages that count there some had not completed when that side was told to
 * stop, and which of them have come nobody knows: all, as far as its rate goes, so
 * that this is none too high.
 *
 * Return: 0; -EBADMSG.
 */
int icb_run_account_back(struct icb_run *run, const struct icb_returns *told,
			 struct icb_reason *why)
{
	u64 seen = READ_ONCE(run->seen), marked = run->marked, late;

	if (!run->lossy)
		return account_returned(run, told, why);
	if (told->counted > told->sent || told->done > told->counted ||
	    seen > told->sent || marked > told->counted)
		return icb_refuse(why, -EBADMSG,
				  "%llu messages of the peer's arrived, and %llu that count; it reports %llu, and %llu that count",
				  (unsigned long long)seen,
				  (unsigned long long)marked,
				  (unsigned long long)told->sent,
				  (unsigned long long)told->counted);
	late = told->counted - told->done;
	run->peer_lost = told->sent - seen;
	run->peer_done = marked > late ? marked - late : 0;
	return 0;
}

/**
 * icb_run_moved() - operations of a window that a rate is of
 * @run: the initiator, after the run
 *
 * Return: those measured; where messages may be lost, those that have arrived.
 */
u64 icb_run_moved(const struct icb_run *run)
{
	return run->lossy ? run->delivered : run->done;
}
