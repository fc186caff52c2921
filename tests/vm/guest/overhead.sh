#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# overhead-latency, overhead-bandwidth, compute and cpu_per_message: the metrics are consistent, and
# impossible combinations are refused.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

# The calls for a message, with polling and with sleeping. Overhead also includes the request for
# the next event, and two overheads are no longer than a round trip.
ctl run overhead-latency --format full -s 4,4K -n 500 --warmup 20 --completion poll,block \
	"${patience[@]}" --json "$tmp/json"
done_well "overhead-latency"
grep -q '#iterations completion .* t_avg' "$tmp/out"
report $? "... in the text"
json "overhead is what the run is about" '[.points[].metrics | keys_unsorted[0]]
	== ["overhead", "overhead", "overhead", "overhead"]' \
	"... of each message" '[.points[].metrics | .overhead.count == 500 and
	.overhead.unit == "ns" and (.overhead.histogram | length > 0)] | all' \
	"... post and poll" '[.points[] | select(.parameters.completion == "poll").metrics
	| .overhead.mean - .post.mean - .poll.mean | fabs <= 1] | all and length == 2' \
	"... and asking for the event" '[.points[] | select(.parameters.completion == "block").metrics
	| .overhead.mean > .post.mean + .poll.mean] | all and length == 2' \
	"... in a round trip" '[.points[] | select(.parameters.completion == "poll").metrics
	| .overhead.mean <= 2 * .latency.mean and .overhead.max <= 2 * .latency.max]
	| all and length == 2'
ctl run latency --verb write -n 50 --warmup 5 --overhead "${patience[@]}" --json "$tmp/json"
done_well "overhead of a write that memory tells of"
json "... is the posting call" '.points[0].metrics | .overhead.mean == .post.mean'
ctl run latency -n 50 --warmup 5 "${patience[@]}" --json "$tmp/json"
json "nobody asks for it" '.points[0].metrics | has("overhead") | not'

# A rate has an interval or the reason why it has none. A run that computes waits for the whole
# window.
ctl run bandwidth --format full --verb send -s 64 --window 8 -n 4000 "${patience[@]}" --json "$tmp/json"
done_well "the interval of a bandwidth"
grep -q '^ Not supported  : bandwidth_p1 by [0-9]* windows$' "$tmp/out" &&
	grep -q 'Signalled every: 4\b' "$tmp/out"
report $? "... the text says what is not supported, and what is signalled"
json "... of both rates" '.points[0].metrics | [.bandwidth, .message_rate]
	| all((.value as $value | .interval | . and .low < $value and .high > $value)
		or .independent == false)' \
	"... and a p1 that is not supported" '.points[0].metrics.bandwidth_p1.supported == false'
ctl run overhead-bandwidth -s 64 -n 40 --compute-share 0,50 "${patience[@]}" --json "$tmp/json"
json "the window is waited for" '[.points[].parameters | .refill == .window] == [true, true]'

# The CPU time for all messages: at most that of all CPUs, and for polling at least that of one busy
# CPU.
modes=(poll block softirq workqueue)
for mode in "${!modes[@]}"; do
	completion=${modes[mode]}
	for bench in $(either "$mode" latency bandwidth); do
		ctl run "$bench" --verb send -s 1K --completion "$completion" -n 600 --warmup 50 \
			"${patience[@]}" --json "$tmp/json"
		done_well "$bench, $completion"
		json "... its CPU time" '.environment.cpus as $cpus | .points[0].metrics
			| (.cpu_per_message.value * .message_rate.value / 1e9) as $busy
			| .cpu_per_message.unit == "ns" and $busy > 0 and $busy < $cpus * 1.2
			and ($busy > 0.8 or "'"$completion"'" != "poll")' \
			"... of both sides, less what the host does without the run" '
			.environment.cpus as $cpus | .points[0].metrics
			| .cpu_per_message_both.value == .cpu_per_message.value
			and (has("cpu_per_message_one") | not)
			and .cpu_background.unit == "%" and .cpu_background.value >= 0
			and .cpu_background.value < 120 * $cpus
			and .cpu_per_message_run.value > 0
			and .cpu_per_message_run.value <= .cpu_per_message.value'
	done
done
# a thread that waits while the other side computes sleeps, or polls
for completion in block poll; do
	ctl run bandwidth --verb send -s 64 --window 4 --compute 4ms -n 60 --warmup 4 -b \
		--completion $completion "${patience[@]}" --json "$tmp/json"
	done_well "both compute, $completion"
done

# overhead-icount.sh tests the shares themselves: here the host may withhold the CPU at any time.
each=("--cpu 0 --peer-cpu $(($(nproc) - 1))" "-b" "-b --cpu 0 --peer-cpu 0" "--completion block" \
	"--verb read" "--priority fifo")
[ "$one_in" -eq 1 ] || each=("-b --cpu 0 --peer-cpu 0" "-b --completion block" "--verb read --priority fifo")
for keys in "${each[@]}"; do
	# shellcheck disable=SC2086
	ctl run overhead-bandwidth -s 4K -D 200ms --compute-share 0,60 $keys \
		"${patience[@]}" --json "$tmp/json"
	done_well "overhead-bandwidth $keys"
	json "... computes" '.points | .[0].metrics.availability.value == 0 and
		.[1].metrics.availability.value > 0 and .[1].metrics.availability.value < 100'
done
ctl run overhead-bandwidth -s 64 -n 8 --compute-share 0..99.9+33.3 "${patience[@]}" --json "$tmp/json"
done_well "tenths of a per cent"
json "... as they were given" '[.points[].parameters["compute-share"]] == [0, 33.3, 66.6, 99.9]'
clean "nothing is left"

# A stop ends a run that is computing.
interrupted "a stop does not wait for the computing" \
	icbenchctl run bandwidth -s 64 --compute 1s --window 1 -n 1000
clean "nothing is left"

# impossible combinations
ctl run latency --compute 1ms
refused "a ping-pong has no window" 2 'compute: only with trigger completion'
ctl run descriptor --compute-share 1
refused "nor have calls" 2 'compute-share: only with trigger completion'
ctl run bandwidth --compute 1ms --compute-share 1
refused "two ways to say how long" 2 'compute: .*accepted: one of them'
for completion in softirq workqueue; do
	ctl run bandwidth --compute 1ms --completion $completion
	refused "no thread computes, $completion" 2 'compute: .*accepted: completion poll, block, adaptive, timer$'
	ctl run latency --overhead --completion $completion
	refused "no thread calls, $completion" 2 'overhead: .*accepted: completion poll, block, adaptive, timer$'
done
ctl run bandwidth --compute 200ms --timeout 500ms
refused "too long for the timeout" 2 'compute: .*accepted: 0 to 125000000 ns$'
ctl run bandwidth --compute 1001ms
refused "too long" 2 'compute: .*accepted: 0 to 1000000000'
ctl run bandwidth --compute-share 100
refused "no time to wait" 2 'compute-share: .*accepted: 0 to 99\.9$'
ctl run bandwidth --overhead
refused "a stream's calls are of many" 2 'overhead: .*accepted: no '
ctl run blocking --completion poll,block --overhead
refused "there is another overhead" 2 'overhead: .*accepted: no$'

done_testing
