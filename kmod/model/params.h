/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of a run, and the one table that knows them: their words,
 * their netlink attributes, their ranges and where they are kept.
 */
#ifndef ICB_PARAMS_H
#define ICB_PARAMS_H

#include "engine.h"

/* The names of a list, one after the other, with a comma between two. */
#define ICB_NAMES	(ICBENCH_MAX_DEVICES * (ICBENCH_MAX_NAME + 1))

/**
 * struct icb_params - what one run is to do
 * @set: BIT_ULL(attribute) of each parameter that has a value
 * @given: the same, of those that somebody asked for; the others have defaults
 * @devices: how many each side has; follows from @device, and at a responder from
 *	what the initiator says
 *
 * The rest are the parameters of the netlink specification, which says what
 * each one means. Times are in ns, sizes in bytes; strings end in NUL.
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
 * enum icb_param_type - how a parameter is written and kept
 * @ICB_PARAM_WORD: one of a list of words; kept as its index, u32
 * @ICB_PARAM_COUNT: a plain number
 * @ICB_PARAM_SIZE: bytes; K, M, G are 2^10, 2^20, 2^30
 * @ICB_PARAM_TIME: ns; written with ns, us, ms, s, without a unit seconds
 * @ICB_PARAM_STRING: a word of the user's, at most ICBENCH_MAX_NAME long
 * @ICB_PARAM_BYTES: a secret, ICBENCH_MIN_TOKEN to ICBENCH_MAX_TOKEN bytes;
 *	read from a file, never shown
 * @ICB_PARAM_PLACE: where memory is; kept as enum icbench_memory, where the last
 *	one plus N is node N, which is written node:N
 * @ICB_PARAM_SHARE: per cent, with tenths; kept as per mille
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
};

/* The peer has to know it, too. */
#define ICB_PARAM_WIRE	BIT(0)
/* A list of values makes sense. */
#define ICB_PARAM_SWEEP	BIT(1)
/* Of type ICB_PARAM_STRING: may be given several times, for one run. */
#define ICB_PARAM_LIST	BIT(2)

/**
 * struct icb_param - one parameter
 * @name: its word on the command line, in recipes and in results
 * @help: what it is, in a line
 * @words: for ICB_PARAM_WORD, the words, ending in NULL
 * @min: least value, or length
 * @max: greatest value, or length
 * @attr: its netlink attribute, ICBENCH_A_PARAMS_…
 * @offset: where it is in struct icb_params
 * @bytes: how many bytes it has there, 4 or 8 for numbers
 * @type: enum icb_param_type
 * @flags: ICB_PARAM_WIRE, ICB_PARAM_SWEEP, ICB_PARAM_LIST
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
