/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of a run, and the table that describes them: their words, netlink
 * attributes, ranges, and offsets in struct icb_params.
 */
#ifndef ICB_PARAMS_H
#define ICB_PARAMS_H

#include "engine.h"

/* Size of a list of names, bytes: a comma or a NUL follows each name. */
#define ICB_NAMES	(ICBENCH_MAX_DEVICES * (ICBENCH_MAX_NAME + 1))

/**
 * struct icb_params - the parameters of one run
 * @set: BIT_ULL(attribute) of each parameter that has a value
 * @given: BIT_ULL(attribute) of each parameter that the user or the peer gave; a
 *	parameter in @set but not in @given has a default
 * @devices: devices of each side; the number of names in @device, at a responder the
 *	number that the initiator sent
 * @trigger: enum icbench_trigger
 * @verb: enum icbench_verb
 * @notify: enum icbench_notify
 * @transport: enum icbench_transport
 * @completion: enum icbench_completion
 * @context: enum icbench_context of the posting calls
 * @size: payload of a message, bytes; its mean if the sizes differ
 * @size_dist: enum icbench_size_dist
 * @sges: segments of a message
 * @max_sges: SGEs that each work request of a QP may have
 * @inline_size: largest message that is posted inline, bytes
 * @mtu: path MTU, bytes
 * @iterations: operations to measure
 * @duration: time to measure for, ns
 * @warmup: operations before the measured ones
 * @buffers: buffers that operations use in turn
 * @reuse: measured operations that use a buffer again, per cent
 * @direction: enum icbench_direction
 * @window: most operations in flight on a QP
 * @refill: completed operations after which as many are posted
 * @reply: 1 if the responder answers each window
 * @batch: work requests per posting call
 * @signal_every: work requests per signalled completion
 * @cpu: CPU of the initiator's thread
 * @peer_cpu: CPU of the responder's thread, on its own host
 * @priority: enum icbench_priority
 * @cpu_latency_qos: longest time to leave an idle state, ns
 * @device: names of the devices, as a list
 * @port: port of the device
 * @gid_index: index in the GID table of the port
 * @peer: addresses of the peer, as a list
 * @cm_port: connection manager port of the peer
 * @token: secret that is shared with the peer
 * @token_len: length of @token, bytes
 * @timeout: longest time without progress, ns
 * @verify: 1 to check the content of each message
 * @seed: seed of contents, sizes and arrival times
 * @compute: time to compute after each posting, ns
 * @compute_share: share of its time that a side computes, per mille
 * @overhead: 1 to time the communication calls of each message
 * @stages: 1 to time the stages of each message
 * @shadow_cpu: CPU whose thread watches for arrivals
 * @arrival: enum icbench_arrival
 * @rate: operations due per second
 * @samples: samples of each distribution to keep
 * @registration: enum icbench_registration
 * @memory: placement of the buffers, as of ICB_PARAM_PLACE
 * @spin: time to poll before sleeping, ns
 * @interval: time between two polls of a timer, ns
 * @qps: QPs of the run
 * @workers: jobs that are measured at the same time
 * @attribute: 1 to record the causes of each sample
 * @until: half width of the confidence intervals at which a run ends, per cent
 * @until_percentile: percentile that @until is for, see icb_percentile_parts()
 * @until_time: shortest time to measure for with @until, ns
 * @policy: enum icbench_policy
 * @stripe_threshold: largest message that is not cut into pieces, bytes
 * @threshold: sample above which a run ends, ns
 *
 * The netlink specification documents the parameters in detail. Strings end in NUL.
 */
struct icb_params {
	u64 set;
	u64 given;
	u32 devices;

	u32 trigger;
	u32 verb;
	u32 notify;
	u32 transport;
	u32 completion;
	u32 context;
	u32 size;
	u32 size_dist;
	u32 sges;
	u32 max_sges;
	u32 inline_size;
	u32 mtu;
	u64 iterations;
	u64 duration;
	u64 warmup;
	u32 buffers;
	u32 reuse;
	u32 direction;
	u32 window;
	u32 refill;
	u32 reply;
	u32 batch;
	u32 signal_every;
	u32 cpu;
	u32 peer_cpu;
	u32 priority;
	u32 cpu_latency_qos;
	char device[ICB_NAMES];
	u32 port;
	u32 gid_index;
	char peer[ICB_NAMES];
	u32 cm_port;
	u8 token[ICBENCH_MAX_TOKEN];
	u32 token_len;
	u64 timeout;
	u32 verify;
	u64 seed;
	u64 compute;
	u32 compute_share;
	u32 overhead;
	u32 stages;
	u32 shadow_cpu;
	u32 arrival;
	u64 rate;
	u32 samples;
	u32 registration;
	u32 memory;
	u64 spin;
	u64 interval;
	u32 qps;
	u32 workers;
	u32 attribute;
	u32 until;
	u32 until_percentile;
	u64 until_time;
	u32 policy;
	u32 stripe_threshold;
	u64 threshold;
};

/**
 * enum icb_param_type - how a parameter is written and stored
 * @ICB_PARAM_WORD: one of a list of words; stored as its index, u32
 * @ICB_PARAM_COUNT: a number; written with K, M, G for 10^3, 10^6, 10^9, or as 1e6
 * @ICB_PARAM_SIZE: bytes; written with K, M, G for 2^10, 2^20, 2^30, or as 1e6
 * @ICB_PARAM_TIME: ns; written with ns, us, ms, s; seconds if without a unit
 * @ICB_PARAM_STRING: a name, at most ICBENCH_MAX_NAME long, or a list of names
 * @ICB_PARAM_BYTES: a secret, ICBENCH_MIN_TOKEN to ICBENCH_MAX_TOKEN bytes;
 *	read from a file, never shown
 * @ICB_PARAM_PLACE: memory placement; stored as enum icbench_memory, node N as
 *	ICBENCH_MEMORY_NODE + N; written any, device or node:N
 * @ICB_PARAM_SHARE: per cent, with tenths; stored as per mille
 * @ICB_PARAM_PERCENTILE: per cent, with tenths, or with hundredths above 10; stored as per
 *	mille, or above 1000 in ten-thousandths, see icb_percentile_parts()
 */
enum icb_param_type {
	ICB_PARAM_WORD,
	ICB_PARAM_COUNT,
	ICB_PARAM_SIZE,
	ICB_PARAM_TIME,
	ICB_PARAM_STRING,
	ICB_PARAM_BYTES,
	ICB_PARAM_PLACE,
	ICB_PARAM_SHARE,
	ICB_PARAM_PERCENTILE,
};

/* Percentiles from this number on are in ten-thousandths, lower ones are per mille. */
#define ICB_PERCENTILE_FINE	1000

/**
 * icb_percentile_parts() - get a percentile in ten-thousandths
 * @value: value of a parameter of type ICB_PARAM_PERCENTILE
 *
 * Return: the percentile, 1/10000.
 */
static inline u32 icb_percentile_parts(u32 value)
{
	return value < ICB_PERCENTILE_FINE ? value * 10 : value;
}

/* Sent to the peer. */
#define ICB_PARAM_WIRE	BIT(0)
/* A sweep over several values is possible. */
#define ICB_PARAM_SWEEP	BIT(1)
/* Type ICB_PARAM_STRING: may be given several times for one run. */
#define ICB_PARAM_LIST	BIT(2)
/* Type ICB_PARAM_TIME: a value without a unit is refused. */
#define ICB_PARAM_UNIT	BIT(3)

/**
 * struct icb_param - one parameter
 * @name: name on the command line, in recipes and in results
 * @help: description in one line
 * @words: words of ICB_PARAM_WORD, ending in NULL; else NULL
 * @min: least value, or length
 * @max: greatest value, or length
 * @attr: netlink attribute, ICBENCH_A_PARAMS_…
 * @offset: offset in struct icb_params, bytes
 * @bytes: size in struct icb_params, bytes; 4 or 8 for numbers
 * @type: enum icb_param_type
 * @flags: ICB_PARAM_WIRE, ICB_PARAM_SWEEP, ICB_PARAM_LIST, ICB_PARAM_UNIT
 */
struct icb_param {
	const char *name;
	const char *help;
	const char *const *words;
	u64 min;
	u64 max;
	u16 attr;
	u16 offset;
	u16 bytes;
	u8 type;
	u8 flags;
};

extern const struct icb_param icb_param_table[];
extern const unsigned int icb_param_count;

const struct icb_param *icb_param_by_name(const char *name);
const struct icb_param *icb_param_by_attr(unsigned int attr);

const char *icb_param_plain(enum icb_param_type type, u64 value, char *buf,
			    size_t size);
const char *icb_param_place(u64 place, char *buf, size_t size);
const char *icb_param_list_words(const struct icb_param *param, u32 bits,
				 char *buf, size_t size);

void icb_params_init(struct icb_params *params);
bool icb_params_has(const struct icb_params *params, unsigned int attr);
bool icb_params_given(const struct icb_params *params, unsigned int attr);
u64 icb_params_number(const struct icb_params *params,
		      const struct icb_param *param);
const char *icb_params_string(const struct icb_params *params,
			      const struct icb_param *param);
u32 icb_params_names(const struct icb_params *params,
		     const struct icb_param *param);
const char *icb_params_name(const struct icb_params *params,
			    const struct icb_param *param, u32 index,
			    char *name);
bool icb_params_device(const struct icb_params *params, u32 index, char *name,
		       u32 *port);
const char *icb_params_word(const struct icb_params *params,
			    unsigned int attr);

int icb_params_set_number(struct icb_params *params,
			  const struct icb_param *param, u64 value,
			  struct icb_reason *why);
int icb_params_set_word(struct icb_params *params,
			const struct icb_param *param, const char *word,
			struct icb_reason *why);
int icb_params_set_bytes(struct icb_params *params,
			 const struct icb_param *param, const void *data,
			 size_t len, struct icb_reason *why);
void icb_params_clear(struct icb_params *params, const struct icb_param *param);
void icb_params_preset(struct icb_params *params, unsigned int attr, u64 value);

#endif /* ICB_PARAMS_H */
