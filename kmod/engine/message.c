// SPDX-License-Identifier: GPL-2.0
#include "content.h"
#include "host/clock.h"
#include "io/endpoint.h"
#include "message.h"
#include "model/payload.h"
#include "run.h"

static bool memory_mode(const struct icb_run *run)
{
	return run->params->completion == ICBENCH_COMPLETION_MEMORY;
}

/* Size of a message, bytes; initiator: which side's operation seq it belongs to. */
static u32 size_of(const struct icb_run *run, bool initiator, u64 seq)
{
	return likely(!run->sizes.on) ? run->params->size :
		icb_sizes_at(&run->sizes, initiator, seq);
}

/* True if the initiator posts the operations that bring content to this side. */
static bool filler(const struct icb_run *run)
{
	return run->verb->passive ? run->initiator : !run->initiator;
}

/**
 * icb_run_due() - get the size of a message from the peer
 * @run: the receiving side
 * @seq: number of the message
 *
 * Return: bytes.
 */
u32 icb_run_due(const struct icb_run *run, u64 seq)
{
	return size_of(run, !run->initiator, seq);
}

/**
 * icb_run_due_byte() - get the last byte of the answer that is due next
 * @run: the initiator of a ping-pong, after icb_run_stage()
 *
 * Return: its value.
 */
u8 icb_run_due_byte(const struct icb_run *run)
{
	u64 seq = run->seen + 1;
	u64 word = icb_atomic_word(run, seq - 1);

	if (run->verb->atomic)
		return ((const u8 *)&word)[sizeof(word) - 1];
	return icb_payload_at(run->payload[!run->initiator],
			      icb_payload_number(run, seq, run->rx.index),
			      run->params->size - 1);
}

static void set_op_buffer(struct icb_run *run, unsigned int slot)
{
	if (run->sizes.on)
		icb_ep_prep(run->ep, slot, &(struct icb_operation) {
			.set = ICB_OPERATION_LEN,
			.buffer = run->buffer,
			.len = size_of(run, run->initiator, run->seq),
		});
	else
		icb_ep_prep(run->ep, slot, &(struct icb_operation) {
			.set = ICB_OPERATION_BUFFER,
			.buffer = run->buffer,
		});
}

static noinline void set_number(struct icb_run *run, unsigned int slot)
{
	const u32 counts = run->timed || run->open.counts ? ICB_TOLD_COUNTS : 0;

	icb_ep_prep(run->ep, slot, &(struct icb_operation) {
		.set = ICB_OPERATION_NUMBER,
		.number = (run->seq & (ICB_TOLD_COUNTS - 1)) | counts,
	});
}

static void set_qp(struct icb_run *run, u32 qp)
{
	icb_ep_prep(run->ep, 0, &(struct icb_operation) {
		.set = ICB_OPERATION_QP,
		.qp = qp,
	});
}

/**
 * icb_run_stage_op() - prepare the work request of the next operation
 * @run: either side
 * @slot: slot of the operation
 *
 * The content of the buffer is left as it is.
 *
 * Return: the mark for this use of the buffer, as in &struct icb_buffers.
 */
u8 icb_run_stage_op(struct icb_run *run, unsigned int slot)
{
	u8 mark = run->tx.mark;

	WRITE_ONCE(run->seq, run->seq + 1);
	run->buffer = run->tx.index;
	if (unlikely(run->sets_buffer))
		set_op_buffer(run, slot);
	icb_buffers_next(&run->tx);
	if (unlikely(run->lossy))
		set_number(run, slot);
	if (run->verb->atomic)
		icb_ep_prep(run->ep, slot, &(struct icb_operation) {
			.set = ICB_OPERATION_OPERANDS,
			.compare_add = run->verb->swaps ?
				icb_atomic_word(run, run->seq - 1) : 1,
			.swap = icb_atomic_word(run, run->seq),
		});
	return mark;
}

/**
 * icb_run_make() - write the content for the operation that was staged last
 * @run: either side
 *
 * Writes the content to be sent. For a read or an atomic, which brings content, it
 * instead overwrites the target buffer with other content, so that a missing answer is
 * noticed. The buffer must not be in use by another operation.
 */
void icb_run_make(struct icb_run *run)
{
	if (run->verb->passive)
		icb_spoil_answer(run, run->seq, run->buffer);
	else
		icb_segments_fill(&run->tx_layout,
				  icb_ep_buffer(run->ep, ICB_POOL_TX, run->buffer),
				  run->payload[run->initiator], run->seq);
}

/**
 * icb_run_stage() - prepare the next message, with its content
 * @run: either side
 *
 * Its buffer must not be in use by a message that may still be in flight.
 */
void icb_run_stage(struct icb_run *run)
{
	const struct icb_params *params = run->params;
	u8 *buf, mark;

	mark = icb_run_stage_op(run, 0);
	run->staged = true;
	if (params->verify)
		icb_run_make(run);
	if (run->verb->passive)
		return;
	buf = icb_ep_buffer(run->ep, ICB_POOL_TX, run->buffer);
	if (memory_mode(run))
		WRITE_ONCE(buf[run->tx_layout.extent - 1], mark);
}

static bool is_signalled(struct icb_run *run)
{
	bool signal = !--run->unsignalled;

	if (signal)
		run->unsignalled = run->params->signal_every;
	return signal;
}

static void turn(struct icb_turn *turn, unsigned int flows)
{
	if (++turn->index == flows)
		turn->index = 0;
}

/*
 * As take_turn(), where messages may be lost. An answer uses the QP of its message, so
 * that a round may skip a QP: each QP counts its own posts up to the next signalled one.
 * For datagrams each QP has its own work request, which needs the number.
 */
static noinline bool take_lossy_turn(struct icb_run *run)
{
	struct icb_flow *flow = &run->flow[run->tx_turn.index];
	bool signal = !--flow->unsignalled;

	if (signal)
		flow->unsignalled = run->params->signal_every;
	set_qp(run, flow->index);
	set_number(run, 0);
	turn(&run->tx_turn, run->flows);
	return signal;
}

/*
 * Select the next QP. A completion frees only the send queue of its own QP, so either all
 * posts of a round are signalled, or none is.
 */
static bool take_turn(struct icb_run *run)
{
	struct icb_turn *tx = &run->tx_turn;

	if (unlikely(run->lossy))
		return take_lossy_turn(run);
	if (!tx->index)
		tx->signal = is_signalled(run);
	set_qp(run, tx->index);
	turn(tx, run->flows);
	return tx->signal;
}

/**
 * icb_run_post() - post the message that icb_run_stage() made
 * @run: either side
 *
 * Return: 0, or the device's negative error number.
 */
int icb_run_post(struct icb_run *run)
{
	bool signal = likely(run->flows == 1) ? is_signalled(run) :
						take_turn(run);
	struct icb_ep *ep = run->ep;

	/* before the post: a callback may stage the next message during the call */
	run->staged = false;
	icb_ep_prep(ep, 0, &(struct icb_operation) {
		.set = ICB_OPERATION_SIGNAL,
		.signal = signal,
		.reaped = true,
	});
	return icb_ep_commit(ep, 1);
}

/* Offset of the first wrong byte of message number seq; its size if there is none. */
static size_t check_content(struct icb_run *run, u64 seq,
			    struct icb_buffer buffer)
{
	const u8 *buf = icb_ep_buffer(run->ep, ICB_POOL_RX, buffer.index);
	size_t size = size_of(run, filler(run), seq);
	size_t len = size - memory_mode(run), bad;

	if (run->verb->atomic)
		return icb_word_read(buf) == icb_atomic_word(run, seq - 1) ? size : 0;
	bad = icb_segments_check(&run->rx_layout, buf, len,
				 run->payload[!run->initiator],
				 icb_payload_number(run, seq, buffer.index));
	/* a buffer that the peer writes to is one segment, so the mark is at len */
	if (bad == len && len < size && buf[len] == buffer.mark)
		bad = size;
	return bad;
}

/* Count a message with wrong content. The position of the first one is kept. */
static void note_wrong(struct icb_run *run, u64 seq, size_t byte)
{
	if (!run->errors) {
		run->wrong = seq;
		run->wrong_byte = byte;
	}
	run->errors++;
}

/*
 * As check_content(), of the last counted message where messages may be lost. The number
 * of the message determines the buffer it was sent from. A write arrives in the buffer
 * with the same index; a send arrives in the buffer of the receive that it consumed. In
 * memory mode the last byte is the mark, which has been evaluated already.
 */
static size_t check_landed(struct icb_run *run)
{
	u32 from = icb_buffers_at(run->params, run->last).index;
	u32 at = run->verb->remote ? from : run->last_buffer;
	size_t size = icb_run_due(run, run->last);
	size_t len = size - memory_mode(run), bad;

	bad = icb_segments_check(&run->rx_layout, icb_ep_buffer(run->ep, ICB_POOL_RX, at), len,
				 run->payload[!run->initiator],
				 icb_payload_number(run, run->last, from));
	return bad == len ? size : bad;
}

/* Longest wait for the rest of a message, ns: a hypervisor may stop the copying CPU. */
#define REST_NS		100000000ULL

/* The wait for the rest of a message is at most the run's timeout / REST_SHARE. */
#define REST_SHARE	4

/* Offset of the first wrong byte; the size if there is none. As in check_message(). */
static size_t find_wrong(struct icb_run *run, u64 seq,
			 const struct icb_buffer *buffer)
{
	return buffer ? check_content(run, seq, *buffer) : check_landed(run);
}

/*
 * Wait for the rest of a message that was noticed by its last byte; true if it arrives.
 * A device may write the bytes in any order: rxe copies by memcpy(), which begins at the
 * end for some combinations of addresses.
 */
static bool rest_comes(struct icb_run *run, u64 seq,
		       const struct icb_buffer *buffer)
{
	const size_t size = size_of(run, filler(run), seq);
	const u64 from = icb_clock_read();
	u64 most = min_t(u64, icb_clock_ticks(REST_NS),
			 run->timeout / REST_SHARE), waited = 0;

	/* a run that has failed does not wait again: each message might delay it */
	if (!memory_mode(run) || run->errors)
		return false;
	do {
		icb_ep_yield(run->ep, ICB_YIELD_POLL, waited);
		if (find_wrong(run, seq, buffer) == size) {
			run->torn++;
			return true;
		}
		waited = icb_clock_read() - from;
	} while (waited < most);
	return false;
}

/*
 * Check message number seq in the buffer that is next in order. The buffer is NULL where
 * messages may be lost: then the last counted message is checked.
 */
static void check_message(struct icb_run *run, u64 seq,
			  const struct icb_buffer *buffer)
{
	size_t bad = find_wrong(run, seq, buffer);

	if (likely(bad == size_of(run, filler(run), seq)) ||
	    rest_comes(run, seq, buffer))
		return;
	note_wrong(run, seq, bad);
}

/**
 * icb_run_check_landed() - check the last message that was counted
 * @run: the receiving side of a run whose messages may be lost, before it reposts the
 *	receive of this buffer
 */
void icb_run_check_landed(struct icb_run *run)
{
	check_message(run, run->last, NULL);
}

/**
 * icb_run_check() - check the next message of a stream
 * @run: the receiving side; no post or receive has changed the message's buffer yet
 * @seq: number of the message
 */
void icb_run_check(struct icb_run *run, u64 seq)
{
	const struct icb_buffer buffer = {
		.index = run->rx.index,
		.mark = run->rx.mark,
	};

	icb_buffers_next(&run->rx);
	check_message(run, seq, &buffer);
}

/**
 * icb_run_arrived() - count a message that has arrived
 * @run: the receiving side
 *
 * A responder calls this before it answers: upon the last answer the initiator ends the
 * run, and asks how many messages have arrived.
 */
void icb_run_arrived(struct icb_run *run)
{
	WRITE_ONCE(run->seen, run->seen + 1);
	run->came.index = run->rx.index;
	run->came.mark = run->rx.mark;
	icb_buffers_next(&run->rx);
	if (!run->initiator)
		WRITE_ONCE(run->done, run->seen);
}

static noinline void check_arrived(struct icb_run *run)
{
	if (run->lossy)
		icb_run_check_landed(run);
	else
		check_message(run, run->seen, &run->came);
}

/**
 * icb_run_settle() - do the work for an arrived message that is not timed
 * @run: the receiving side, after icb_run_arrived()
 *
 * Checks the content if the parameters say so, reposts the receive and takes send
 * completions. An operation whose own completion was awaited has neither a receive nor a
 * further completion.
 *
 * Return: 0, or a negative error number.
 */
int icb_run_settle(struct icb_run *run)
{
	int err;

	if (unlikely(run->params->verify))
		check_arrived(run);
	if (run->verb->recv) {
		err = icb_ep_refill(run->ep);
		if (unlikely(err))
			return err;
	}
	err = run->verb->passive ? 0 : icb_ep_reap(run->ep, false);
	if (unlikely(run->flows > 1)) {
		turn(&run->rx_turn, run->flows);
		icb_ep_recv_on(run->ep, run->rx_turn.index);
	}
	return err;
}

/**
 * icb_run_land() - account for the receive that a message has consumed
 * @run: the receiving side of a run whose messages may be lost
 *
 * The message may have any sender. Receives use the buffers in order, whichever messages
 * arrive.
 *
 * Return: index of the buffer that holds the message, if it is a send.
 */
u32 icb_run_land(struct icb_run *run)
{
	u32 buffer = run->recv_buffer.index;

	icb_buffers_next(&run->recv_buffer);
	return buffer;
}

/**
 * icb_run_last() - remember the last counted message
 * @run: the receiving side of a run whose messages may be lost
 * @number: number of the message
 * @buffer: buffer of the message from icb_run_land(); only used for sends
 */
void icb_run_last(struct icb_run *run, u64 number, u32 buffer)
{
	run->last = number;
	run->last_buffer = buffer;
}

/**
 * icb_run_resume() - skip the answers to lost messages
 * @run: a responder that has received a message
 *
 * The next message to stage then is the answer to the received one. Does nothing if no
 * message was lost. Where messages cross, the responder has sent its message of that
 * number before, so the next number is staged.
 */
void icb_run_resume(struct icb_run *run)
{
	bool crossing = run->params->direction == ICBENCH_DIRECTION_BI;
	u64 number = run->last + crossing;

	if (likely(run->seq + !run->staged == number))
		return;
	run->seq = number - 1;
	run->staged = false;
	icb_buffers_seek(&run->tx, run->params, number);
}

/* Count the last message as measured, as its sender marked it; record a window's time. */
static void note_marked(struct icb_run *run)
{
	u64 now;

	run->marked++;
	if (unlikely(run->sizes.on))
		run->marked_bytes += icb_run_due(run, run->last);
	if (!run->steps || run->marked != run->step_at)
		return;
	now = icb_clock_read();
	if (run->marked > 1)
		icb_hist_add(run->steps, icb_clock_ns(now - run->stepped));
	else
		run->stepped_first = now;
	if (run->steps->count == run->means.end)
		icb_means_end(&run->means, run->marked - 1,
			      icb_clock_ns(now - run->stepped_first));
	run->stepped = now;
	run->step_at += run->params->window;
}

/**
 * icb_run_number() - accept or reject a message by the number that it carries
 * @run: the receiving side of a run whose messages may be lost
 * @received: number field of the message
 * @buffer: buffer of the message, from icb_run_land()
 *
 * A message is rejected, and counted as foreign, if its number cannot occur in the run.
 * On a single QP it is also rejected if it is a duplicate or was overtaken by a later
 * message.
 *
 * Return: true if the message is accepted; false if it is rejected.
 */
bool icb_run_number(struct icb_run *run, u32 received, u32 buffer)
{
	s32 ahead = icb_number_ahead(received, run->number);

	/* numbers begin at 1 */
	if ((ahead <= 0 && run->flows == 1) ||
	    run->number + ahead - 1 >= run->most) {
		run->foreign++;
		return false;
	}
	icb_run_last(run, run->number + ahead, buffer);
	if (received >> ICB_TOLD_BITS)
		note_marked(run);
	if (ahead > 0)
		run->number += ahead;
	return true;
}

/* True for a window of writes: the target neither sees nor requests the messages. */
static bool is_blind(const struct icb_run *run)
{
	return icb_params_windowed(run->params) &&
	       !run->verb->passive && !icb_params_counts(run->params);
}

/*
 * True if the target of such writes has to be informed of their number: there are no
 * iterations, or the side that writes continues beyond them.
 */
static bool is_reported(const struct icb_run *run)
{
	return is_blind(run) &&
	       (run->params->direction == ICBENCH_DIRECTION_BI ||
		run->params->workers > 1 ||
		!icb_params_has(run->params, ICBENCH_A_PARAMS_ITERATIONS));
}

/*
 * Number of the last message that can be compared; 0 if there is none. No target counts
 * the writes of a stream. Those of the initiator have all completed when the responder
 * compares; of those of the responder, as many have completed as it reports.
 */
static u64 last_message(const struct icb_run *run)
{
	const struct icb_params *params = run->params;

	if (run->verb->passive)
		return max_t(u64, run->seen, run->acked);
	if (icb_params_counts(params))
		return run->seen;
	if (run->initiator)
		return run->peer_done ?
			icb_buffers_warmup(params) + run->peer_done : 0;
	return is_reported(run) ? run->peer_sent :
			      icb_buffers_warmup(params) + params->iterations;
}

static int refuse_message(struct icb_reason *why, u64 byte, u64 seq)
{
	return icb_refuse(why, -EBADMSG,
			  "verify: byte %llu of message %llu is not what was sent",
			  (unsigned long long)byte, (unsigned long long)seq);
}

/*
 * Check that a buffer holds the content of message seq. At the initiator, it may also
 * hold that of a later write: a responder may have posted writes that had not completed
 * when it was stopped, and the initiator does not know their number.
 */
static int check_state(struct icb_run *run, u64 seq, struct icb_reason *why)
{
	const struct icb_params *params = run->params;
	struct icb_buffer buffer = icb_buffers_at(params, seq);
	size_t bad = check_content(run, seq, buffer);
	u64 later = seq + icb_buffers_ring(params);

	if (bad == size_of(run, filler(run), seq))
		return 0;
	if (is_blind(run) && run->initiator &&
	    check_content(run, later, buffer) ==
	    size_of(run, filler(run), later))
		return 0;
	return refuse_message(why, bad, seq);
}

/*
 * Check the final content of each buffer that a stream has used. The number of the last
 * message may be the peer's report. Whatever it is, this loop takes no longer than the
 * run's own buffers demand.
 */
static int check_buffers(struct icb_run *run, u64 last, struct icb_reason *why)
{
	const u64 newest = icb_buffers_newest(run->params);
	const u64 warmup = icb_buffers_warmup(run->params);
	const u32 ring = icb_buffers_ring(run->params);
	u32 turns = 0;
	u64 seq;
	int err;

	/* ICB_STOP_END is the regular end of a responder */
	for (seq = last; seq && (icb_run_goes_on(run) || run->consumer.stop == ICB_STOP_END);
	     seq--) {
		/* all buffers of the ring are checked: those used only once are left */
		if (turns == ring)
			seq = min_t(u64, seq, newest);
		if (turns == ring && seq <= warmup)
			break;
		if (icb_buffers_at(run->params, seq).index < ring) {
			if (turns == ring)
				continue;
			turns++;
		}
		err = check_state(run, seq, why);
		if (err)
			return err;
	}
	return 0;
}

static bool checks_buffers(const struct icb_run *run)
{
	return icb_params_windowed(run->params) && !run->verb->atomic;
}

/*
 * True if each message was checked when it arrived. The buffers are not checked again: a
 * later message that was not counted may have overwritten one of them in part.
 */
static bool has_checked(const struct icb_run *run)
{
	return checks_buffers(run) && run->params->verify && !is_blind(run);
}

/* Polls for foreign messages that arrived after the last message. */
#define LATE_LOOKS	16

/*
 * True if a foreign message may have overwritten the last message: datagrams share a
 * buffer. The foreign message may have arrived since the last poll.
 */
static bool is_overwritten(struct icb_run *run)
{
	unsigned int i;

	if (!icb_params_datagrams(run->params))
		return false;
	for (i = 0; i < LATE_LOOKS && !run->foreign; i++)
		icb_run_catch_up(run);
	return run->foreign;
}

static int check_one(struct icb_run *run, u64 last, struct icb_reason *why)
{
	size_t bad = run->lossy ? check_landed(run) :
		check_content(run, last, icb_buffers_at(run->params, last));

	if (bad == size_of(run, filler(run), last))
		return 0;
	return icb_refuse(why, -EBADMSG,
			  "verify: byte %llu of the last message is not what was sent",
			  (unsigned long long)bad);
}

/**
 * icb_run_check_last() - compare the last message with what was sent
 * @run: a side that is over and was not stopped early
 * @why: the position of the wrong content, on error
 *
 * Return: 0; -EBADMSG if the content of this message, or of one during the run, was not
 * what was sent.
 */
int icb_run_check_last(struct icb_run *run, struct icb_reason *why)
{
	struct icb_reason found;
	u64 last;
	int err;

	if (run->errors)
		return icb_refuse(why, -EBADMSG,
				  "verify: %llu of %llu messages arrived with other content than was sent; the first, number %llu, from byte %llu on",
				  (unsigned long long)run->errors,
				  (unsigned long long)(run->verb->passive ?
					max_t(u64, run->seen, run->acked) :
					run->seen + run->looked),
				  (unsigned long long)run->wrong,
				  (unsigned long long)run->wrong_byte);
	/* an atomic in flight when the run was cut short may have arrived since */
	if (!icb_params_fills(run->params, run->initiator) ||
	    (run->verb->atomic && !run->initiator) || has_checked(run))
		return 0;
	/* the order in which several QPs served their atomics is unknown */
	if (run->verb->atomic && run->flows > 1 && icb_run_streams(run))
		return 0;
	last = run->lossy ? run->last : last_message(run);
	if (!last)
		return 0;
	err = checks_buffers(run) && !run->lossy ?
				    check_buffers(run, last, &found) :
				    check_one(run, last, &found);
	if (!err || is_overwritten(run))
		return 0;
	return icb_refuse(why, err, "%s", found.text);
}

/**
 * icb_run_sent() - get the number of messages that the responder should have seen
 * @run: run of the initiator
 *
 * Return: number of all messages sent; 0 where the responder sees none.
 */
u64 icb_run_sent(const struct icb_run *run)
{
	return icb_params_counts(run->params) || run->verb->atomic ||
	       is_reported(run) ? run->seq : 0;
}

/**
 * icb_run_seen() - get the number of messages that a responder has seen
 * @run: run of the responder, over
 *
 * Return: number of messages that arrived; for atomics, the number derived from the word
 * in its memory; for writes of unknown number, the number that the initiator reports.
 */
u64 icb_run_seen(struct icb_run *run)
{
	if (is_reported(run))
		return run->peer_sent;
	return run->verb->atomic ?
		icb_word_read(icb_ep_buffer(run->ep, ICB_POOL_TX, 0)) - icb_atomic_word(run, 0) :
		run->seen;
}
