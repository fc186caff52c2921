#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# completion adaptive and timer: they measure what they claim with every kind of transfer, stops end
# them, and impossible combinations are refused.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

last=$(($(nproc) - 1))
turn=0
for mode in adaptive timer; do
	for keys in "latency" "latency --verb read" "latency -b" "latency --cpu 0 --peer-cpu 0" \
		    "latency --cpu 0 --peer-cpu $last --priority fifo --overhead --verify" \
		    "bandwidth --verb send" "bandwidth --verb write" "bandwidth --verb read" \
		    "bibandwidth --repeat 1 --verb send"; do
		# with one mode an odd key of the nine, with the other one an even key
		sampled $((2 * turn++)) || continue
		# shellcheck disable=SC2086
		ctl run $keys --completion $mode -s 64 -n 200 --warmup 10 "${patience[@]}"
		done_well "$mode: $keys"
	done
done

# No message is noticed before the timer expires, and each wake-up adds one value to lateness.
ctl run timer --interval 200us,2ms -n 50 --warmup 5 "${patience[@]}" --json "$tmp/json"
done_well "timer"
json "... no sooner than it is time" '[.points[] | .parameters.interval as $interval
	| .metrics.latency.mean > $interval * 0.4] | all and length == 2'
json "... how late it was, each time" '[.points[].metrics.lateness | .unit == "ns" and
	.count >= 50] | all and length == 2'
ctl run spin --spin 0,1ms,1s -n 50 --warmup 5 "${patience[@]}" --json "$tmp/json"
done_well "spin"
json "... who polls long enough need not be woken" '[.points[] | select(.parameters.spin != 1000000) |
	.metrics.wakeups_per_message.value] | length == 2 and .[0] > 0 and .[1] == 0'
ctl run completion-modes -n 50 --warmup 5 "${patience[@]}" --json "$tmp/json"
done_well "completion-modes"
json "... what each costs" '[.points[] | select(.section == "modes").metrics.cpu_per_message.value > 0] |
	all and length == 6'
json "... how often it woke somebody" '[.points[] | select(.section == "modes")
	| {key: .parameters.completion, value: .metrics.wakeups_per_message.value}] | from_entries
	| .poll == 0 and .softirq == 0 and .workqueue == null and .timer >= 1
	and .block >= 0 and .block <= 1.5 and .adaptive >= 0 and .adaptive <= 1.5'
json "... one has the least latency, one takes the least CPU time" '[.points[] | select(.section == "modes")
	.derived.advice] | [map(select(.least_latency)), map(select(.least_cpu))] |
	all(length >= 1 and all(.pareto))'
# the cost is the sum of these parts; the other values are the cost itself and that of polling
sum='.points[] | select(.section == "modes" and .parameters.completion == "block").derived.advice |
	map_values(.value?) | if .rest // .driver then [.interrupt, .wake_same, .wake_from_idle,
	.wake_other, .wake_idle, .handler, .wait, .rest, .driver | . // 0] | add else .cost end -
	.cost | fabs < 0.01'
json "... what blocking costs is the sum of its parts" "$sum"
json "... only one of them has a timer" '[.points[] | select(.metrics | has("lateness"))
	.parameters.completion] == ["timer"]'
if [ "$last" -gt 0 ]; then
	ctl run completion-modes -n 200 --warmup 5 --cpu 0 --peer-cpu 0 --shadow-cpu $last \
		"${patience[@]}" --json "$tmp/json"
	done_well "completion-modes, whose arrivals another CPU watches"
	json "... where there are stages" '[.points[] | select(.parameters | has("shadow-cpu")).section] ==
		["stages"]'
	json "... the sum of its parts" "$sum"
	# a host may withhold the observing CPU, which then misses some arrivals
	json "... who is to blame, or how many were missed" '(.points[] | select(.section == "stages").metrics) as $of
		| ($of.arrivals_unseen.value + $of.arrivals_late.value) as $missed | ($of.interrupt.count // 0) as $seen
		| .points[] | select(.section == "modes" and .parameters.completion == "block").derived.advice |
		(has("rest") | not) and if $seen >= 9 * $missed then has("arrivals_missed") | not else
		.arrivals_missed.value == $missed and (has("driver") or has("device") | not) end'
	note "$(jq -c '.points[] | select(.section == "modes" and .parameters.completion == "block").derived.advice |
		map_values(.value? // empty)' "$tmp/json")"
fi
clean "nothing is left"

# latency_limit: print the limit for the exit latency of CPU idle states, us
latency_limit()
{
	od -An -td4 -N4 /dev/cpu_dma_latency | tr -d ' '
}

# ask_limit TIME: print the limit that is in force while a run requests TIME; then end the run
ask_limit()
{
	local seen=0

	icbenchctl run latency --completion block --cpu-latency-qos "$1" -D 60s \
		>/dev/null 2>&1 </dev/null &
	for _ in {1..200}; do
		seen=$(latency_limit)
		[ "$seen" != "$unasked" ] && break
		sleep 0.05
	done
	kill -INT $!
	wait $!
	echo "$seen"
}

if [ -c /dev/cpu_dma_latency ]; then
	unasked=$(latency_limit)
	ok "idle CPUs are held to what is asked for" [ "$(ask_limit 0)" -eq 0 ]
	ok "... in whole microseconds" [ "$(ask_limit 7999ns)" -eq 7 ]
	ok "... and for no longer than the run" [ "$(latency_limit)" -eq "$unasked" ]
fi
ctl run latency --completion block,softirq --cpu-latency-qos 0,1s --stages -n 50 --warmup 5 \
	--workers 2 "${patience[@]}" --json "$tmp/json"
done_well "cpu-latency-qos"
json "... is in the result" '[.points[].parameters["cpu-latency-qos"]] | sort == [0, 0, 1e9, 1e9]'

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
