#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# completion adaptive and timer: that they measure what they say, in every way that
# messages move, end when they are told to, and what is refused.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

last=$(($(nproc) - 1))
for mode in adaptive timer; do
	for keys in "latency" "latency --verb read" "latency -b" "latency --cpu 0 --peer-cpu 0" \
		    "latency --cpu 0 --peer-cpu $last --priority fifo --overhead --verify" \
		    "bandwidth --verb send" "bandwidth --verb write" "bandwidth --verb read" \
		    "bibandwidth --verb send"; do
		# shellcheck disable=SC2086
		ctl run $keys --completion $mode -s 64 -n 200 --warmup 10 "${patience[@]}"
		done_well "$mode: $keys"
	done
done

# No message is noticed before the timer's time, and it is late once for each wake-up.
ctl run timer --interval 200us,2ms -n 50 --warmup 5 "${patience[@]}" --json "$tmp/json"
done_well "timer"
json "... no sooner than it is time" '[.points[] | .parameters.interval as $interval
	| .metrics.latency.mean > $interval * 0.4] | all and length == 2'
json "... how late it was, each time" '[.points[].metrics.lateness | .unit == "ns" and
	.count >= 50] | all and length == 2'
ctl run spin --spin 0,1ms -n 50 --warmup 5 "${patience[@]}" --json "$tmp/json"
done_well "spin"
ctl run completion-modes -n 50 --warmup 5 "${patience[@]}" --json "$tmp/json"
done_well "completion-modes"
json "... what each costs" '[.points[].metrics.cpu_per_message.value > 0] | all and length == 6'
json "... only one of them has a timer" '[.points[] | select(.metrics | has("lateness"))
	.parameters.completion] == ["timer"]'
clean "nothing is left"

for keys in "timer --interval 1s" "spin --spin 1s" "timer --interval 1us"; do
	# shellcheck disable=SC2086
	interrupted "a stop ends $keys" icbenchctl run $keys -n 1000000
done
clean "nothing is left"

ctl run latency --spin 1us
refused "who polls does not stop to" 2 'spin: .*accepted: completion adaptive$'
ctl run latency --completion block --interval 1ms
refused "who sleeps has no timer" 2 'interval: .*accepted: completion timer$'
ctl run latency --completion timer --interval 30ms --timeout 100ms
refused "too rare" 2 'interval: .*accepted: 1000 to 25000000 ns$'
ctl run latency --completion timer --interval 999ns
refused "too often" 2 'interval: .*accepted: 1000 to 1000000000 ns$'
ctl run latency --completion adaptive --spin 2s
refused "too long" 2 'spin: .*accepted: 0 to 1000000000 ns$'

done_testing
