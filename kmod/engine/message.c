// SPDX-License-Identifier: GPL-2.0
#include "content.h"
#include "host/clock.h"
#include "message.h"
#include "model/payload.h"
#include "run.h"
#include "verbs/endpoint.h"

static bool memory_mode(const struct icb_run *run)
{
	return run->params->completion == ICBENCH_COMPLETION_MEMORY;
}

/* How many bytes a side's message has. */
static u32 size_of(const struct icb_run *run, bool initiator, u64 seq)
{
	return likely(!run->sizes.on) ? run->params->size :
		icb_sizes_at(&run->sizes, initiator, seq);
}

/* Whether the initiator posts the operations that write to this side's memory. */
static bool filler(const struct icb_run *run)
{
	return run->verb->passive ? run->initiator : !run->initiator;
}

/**
 * icb_run_due() - how many bytes a message from the other side has
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
 * icb_run_due_byte() - the last byte of the answer that is due next
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

static void set_op_buffer(struct icb_run *run, unsigned int op)
{
	if (run->sizes.on)
		icb_ep_cut(run->ep, op, run->buffer,
			   size_of(run, run->initiator, run->seq));
	else
		icb_ep_set_buffer(run->ep, op, run->buffer);
}

static noinline void set_number(struct icb_run *run, unsigned int op)
{
	const u32 counts = run->timed || run->open.counts ? ICB_TOLD_COUNTS : 0;

	icb_ep_number(run->ep, op, (run->seq & (ICB_TOLD_COUNTS - 1)) | counts);
}

/**
 * icb_run_stage_op() - make the next operation, whose message is there
 * @run: either side
 * @op: the work request that will be posted for it
 *
 * Return: the mark of the use of its buffer, as in &struct icb_buffers.
 */
u8 icb_run_stage_op(struct icb_run *run, unsigned int op)
{
	bool swap = run->params->verb == ICBENCH_VERB_CMP_SWAP;
	u8 mark = run->tx.mark;

	WRITE_ONCE(run->seq, run->seq + 1);
	run->buffer = run->tx.index;
	if (unlikely(run->sets_buffer))
		set_op_buffer(run, op);
	icb_buffers_next(&run->tx);
	if (unlikely(run->lossy))
		set_number(run, op);
	if (run->verb->atomic)
		icb_ep_operand(run->ep, op,
			       swap ? icb_atomic_word(run, run->seq - 1) : 1,
			       icb_atomic_word(run, run->seq));
	return mark;
}

/**
 * icb_run_make() - give the operation that was made last a content of its own
 * @run: either side
 *
 * What is to be sent; or, where an answer is to bring content, other content at
 * the place where this is due. Its buffer is in no other use.
 */
void icb_run_make(struct icb_run *run)
{
	if (run->verb->passive)
		icb_spoil_answer(run, run->seq, run->buffer);
	else
		icb_segments_fill(&run->tx_layout,
				  icb_ep_tx(run->ep, run->buffer),
				  run->payload[run->initiator], run->seq);
}

/**
 * icb_run_stage() - make the next message
 * @run: either side
 *
 * Its buffer must not be in use by a message that may still be on its way. What
 * brings content from the other side is checked for having brought it.
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
	buf = icb_ep_tx(run->ep, run->buffer);
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
 * Where an answer goes the way of what it answers, a QP may not be served in a
 * round. Datagrams have operations of their own on each.
 */
static noinline bool take_lossy_turn(struct icb_run *run)
{
	struct icb_flow *flow = &run->flow[run->tx_turn.index];
	bool signal = !--flow->unsignalled;

	if (signal)
		flow->unsignalled = run->params->signal_every;
	icb_ep_send_on(run->ep, flow->index);
	set_number(run, 0);
	turn(&run->tx_turn, run->flows);
	return signal;
}

/* To the next QP. A completion frees what its own QP has sent, and no other. */
static bool take_turn(struct icb_run *run)
{
	struct icb_turn *tx = &run->tx_turn;

	if (unlikely(run->lossy))
		return take_lossy_turn(run);
	if (!tx->index)
		tx->signal = is_signalled(run);
	icb_ep_send_on(run->ep, tx->index);
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

	/* before the call: with callbacks, others may go on before it returns */
	run->staged = false;
	return icb_ep_post(run->ep, signal);
}

/* Where the content of message number seq differs; the size if nowhere. */
static size_t check_content(struct icb_run *run, u64 seq,
			    struct icb_buffer buffer)
{
	const u8 *buf = icb_ep_rx(run->ep, buffer.index);
	size_t size = size_of(run, filler(run), seq);
	size_t len = size - memory_mode(run), bad;

	if (run->verb->atomic)
		return icb_word_read(buf) == icb_atomic_word(run, seq - 1) ? size : 0;
	bad = icb_segments_check(&run->rx_layout, buf, len,
				 run->payload[!run->initiator],
				 icb_payload_number(run, seq, buffer.index));
	/* a buffer that the other side writes to is one segment */
	if (bad == len && len < size && buf[len] == buffer.mark)
		bad = size;
	return bad;
}

/* A message whose content is not what was sent; the first one is kept. */
static void note_wrong(struct icb_run *run, u64 seq, size_t byte)
{
	if (!run->errors) {
		run->wrong = seq;
		run->wrong_byte = byte;
	}
	run->errors++;
}

/*
 * Where the content of the last message differs, of those that may be lost; the size
 * if nowhere. It has come out of the buffer of its number; and into that one, or of
 * a send into that of the receive that it found. Its last byte may tell its number,
 * and has done so.
 */
static size_t check_landed(struct icb_run *run)
{
	u32 from = icb_buffers_at(run->params, run->last).index;
	u32 at = run->verb->remote ? from : run->last_buffer;
	size_t size = icb_run_due(run, run->last);
	size_t len = size - memory_mode(run), bad;

	bad = icb_segments_check(&run->rx_layout, icb_ep_rx(run->ep, at), len,
				 run->payload[!run->initiator],
				 icb_payload_number(run, run->last, from));
	return bad == len ? size : bad;
}

/* The rest of a message may take so long, where a host has taken the CPU from who copies. */
#define REST_NS		100000000ULL

/* ... but at most this part of the run's timeout. */
#define REST_SHARE	4

/* Where a message differs; the size if nowhere. */
static size_t find_wrong(struct icb_run *run, u64 seq,
			 const struct icb_buffer *buffer)
{
	return buffer ? check_content(run, seq, *buffer) : check_landed(run);
}

/*
 * Whether the rest of a message comes behind its last byte, by which it was noticed. A
 * device may write them in any order: rxe's is that of memcpy(), which begins with the
 * end by where both addresses are.
 */
static bool rest_comes(struct icb_run *run, u64 seq,
		       const struct icb_buffer *buffer)
{
	const size_t size = size_of(run, filler(run), seq);
	const u64 from = icb_clock_read();
	u64 most = min_t(u64, icb_clock_ticks(REST_NS),
			 run->timeout / REST_SHARE), waited = 0;

	/* a run that has failed is not held up by each of its messages */
	if (!memory_mode(run) || run->errors)
		return false;
	do {
		icb_ep_poll_yield(run->ep, waited);
		if (find_wrong(run, seq, buffer) == size) {
			run->torn++;
			return true;
		}
		waited = icb_clock_read() - from;
	} while (waited < most);
	return false;
}

/* The buffer is that of its turn; NULL where any message may be the next one. */
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
 * @run: the receiving side of a run whose messages may be lost, before it posts the
 *	receive of this buffer again
 */
void icb_run_check_landed(struct icb_run *run)
{
	check_message(run, run->last, NULL);
}

/**
 * icb_run_check() - check the next message of a stream
 * @run: the receiving side; the next post or receive is the first to change the buffer
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
 * icb_run_arrived() - count a message
 * @run: the receiving side
 *
 * A responder does so before it answers: with the answer to the last message
 * the initiator is done, and asks how many have arrived.
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
 * icb_run_settle() - what is to be done once a message has arrived
 * @run: the receiving side, after icb_run_arrived()
 *
 * Checks its content where that is wanted, gives its receive back to the
 * device and takes send completions: all that belongs to no timed interval.
 * Where the completion itself was waited for there is nothing to give or take.
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
	err = run->verb->passive ? 0 : icb_ep_reap(run->ep);
	if (unlikely(run->flows > 1)) {
		turn(&run->rx_turn, run->flows);
		icb_ep_recv_on(run->ep, run->rx_turn.index);
	}
	return err;
}

/**
 * icb_run_land() - a message has taken a receive
 * @run: the receiving side of a run whose messages may be lost
 *
 * It may be of anybody. Receives take the buffers in their order, whichever
 * messages come.
 *
 * Return: the buffer that it lies in, of a send.
 */
u32 icb_run_land(struct icb_run *run)
{
	u32 buffer = run->recv_buffer.index;

	icb_buffers_next(&run->recv_buffer);
	return buffer;
}

/**
 * icb_run_last() - keep what the last message is that counts
 * @run: the receiving side of a run whose messages may be lost
 * @number: of it
 * @buffer: from icb_run_land(); of a send
 */
void icb_run_last(struct icb_run *run, u64 number, u32 buffer)
{
	run->last = number;
	run->last_buffer = buffer;
}

/**
 * icb_run_resume() - make the answer to a message, where others before it were lost
 * @run: of a responder to whom it has come
 *
 * As if those had been answered, too. Nothing is done where none was lost. Where
 * messages cross, the one with that number went before it came.
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

/* The last message that was counted is one of those that count. */
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
	run->stepped = now;
	run->step_at += run->params->window;
}

/**
 * icb_run_number() - sort a message that tells its number
 * @run: of a side whose messages may be lost
 * @received: what it tells
 * @buffer: from icb_run_land()
 *
 * Return: true if it comes behind those that were seen; a message that comes twice,
 * or that others have overtaken, does not, nor does one that cannot be. Of several QPs
 * any other does.
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

/* A stream that its target neither takes part in nor asks for. */
static bool is_blind(const struct icb_run *run)
{
	return icb_params_windowed(run->params) &&
	       !run->verb->passive && !icb_params_counts(run->params);
}

/*
 * Of these the target does not know the number where there are no iterations, or
 * the other side goes on beyond them.
 */
static bool is_reported(const struct icb_run *run)
{
	return is_blind(run) &&
	       (run->params->direction == ICBENCH_DIRECTION_BI ||
		run->params->workers > 1 ||
		!icb_params_has(run->params, ICBENCH_A_PARAMS_ITERATIONS));
}

/*
 * The last message that can be compared; 0 if there is none. Writes of a stream
 * are counted by nobody: those of the initiator have completed when the
 * responder is asked; those of the responder, as far as it says so.
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
 * Whether a buffer holds what message seq brought; or a later one that is known
 * to nobody here: of those that a responder has posted and that had not completed
 * when it was told to stop.
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
 * The last state of each buffer of a stream that was used. The peer says which message was
 * the last one: no number of its makes this longer than the run's own buffers do.
 */
static int check_buffers(struct icb_run *run, u64 last, struct icb_reason *why)
{
	const u64 newest = icb_buffers_newest(run->params);
	const u64 warmup = icb_buffers_warmup(run->params);
	const u32 ring = icb_buffers_ring(run->params);
	u32 turns = 0;
	u64 seq;
	int err;

	/* a responder was told that this is the end */
	for (seq = last; seq && (icb_run_goes_on(run) || run->consumer.stop == ICB_STOP_END);
	     seq--) {
		/* those taken in turn have been seen: new ones are left */
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
 * Each message that was seen has been compared. It is not looked at again: one
 * that has no receive yet may have come into its buffer in part.
 */
static bool has_checked(const struct icb_run *run)
{
	return checks_buffers(run) && run->params->verify && !is_blind(run);
}

/* Looks for what has come behind the last message. */
#define LATE_LOOKS	16

/*
 * Whether a stranger's message may lie where the last one did: datagrams share a
 * buffer. It may have come since the last look.
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
 * @run: a side that is over and was not cut short
 * @why: where its content differs
 *
 * Return: 0; -EBADMSG if this message, or one during the run, was not what was
 * sent.
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
	/* an atomic that was on its way when it was cut short may have come since */
	if (!icb_params_fills(run->params, run->initiator) ||
	    (run->verb->atomic && !run->initiator) || has_checked(run))
		return 0;
	/* which one of those of several QPs was served last, nobody knows */
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
 * icb_run_sent() - messages that the other side ought to have seen
 * @run: of the initiator
 *
 * Return: all that it sent; 0 where the other side sees nothing.
 */
u64 icb_run_sent(const struct icb_run *run)
{
	return icb_params_counts(run->params) || run->verb->atomic ||
	       is_reported(run) ? run->seq : 0;
}

/**
 * icb_run_seen() - messages that a responder has seen
 * @run: of the responder, over
 *
 * Return: those that arrived; atomics by what they left in its memory; what the
 * other side says where only this tells which messages to look for.
 */
u64 icb_run_seen(struct icb_run *run)
{
	if (is_reported(run))
		return run->peer_sent;
	return run->verb->atomic ?
		icb_word_read(icb_ep_tx(run->ep, 0)) - icb_atomic_word(run, 0) :
		run->seen;
}
