#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Trigger clock and recipe load: every operation is posted, and timed from its due time, even if the
# device is too slow.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

whole='(.latency.count == 200 and .post.count == 200
	and (.lateness.count // 0) + .delayed.value == 200
	and .latency.min > 0 and .offered_rate.value > 0 and .offered_rate.unit == "1/s"
	and .accepted.value > 0 and .accepted.value <= 100 and .accepted.unit == "%"
	and .message_rate.value <= 1.001 * .offered_rate.value)'
last=$(($(nproc) - 1))
case $device in
siw*) verbs=send,write,read ;;
*) verbs=send,write,write-imm,read,fetch-add ;;
esac

turn=0
for completion in poll block softirq workqueue; do
	some=$(sample $turn $verbs)
	turn=$((turn + 1))
	count=$((2 * $(count_of "$some")))
	ctl run load --verb "$some" -s 8 --completion $completion \
		--rate 2000,50000 -n 200 --warmup 20 --window 16 "${patience[@]}" --json "$tmp/json"
	done_well "load, $completion"
	json "... no operation is left out" "[.points[].metrics | $whole] | all and length == $count" \
		"... polls and wake-ups" '"'$completion'" as $mode | [.points[].metrics] | length == '$count'
		and all((.wakeups_per_message != null) == ($mode != "workqueue")
			and (.poll_empty.count // 0) <= 200)
		and (([.[].wakeups_per_message.value // 0] | add) > 0) == ($mode == "block")
		and (([.[].poll_empty.count // 0] | add) > 0) == ($mode == "poll" or $mode == "block")' \
		"... bandwidth x time = bytes" "$reconciled"
done
for cpus in "--cpu 0 --peer-cpu 0" "--cpu 0 --peer-cpu $last" "--cpu $last --peer-cpu 0 --priority fifo"; do
	# shellcheck disable=SC2086
	ctl run load --verb send,read $cpus --rate 2000,50000 -n 200 --warmup 20 \
		"${patience[@]}" --json "$tmp/json"
	done_well "load, $cpus"
	json "... no operation is left out" "[.points[].metrics | $whole] | all and length == 4"
done

# The schedule depends on the seed only, and has the requested rate.
ctl run load --arrival fixed,uniform,exponential --rate 2000 -n 200 "${patience[@]}" --json "$tmp/json"
done_well "each way of arrival"
grep -q '99.9%\[us\] .* accepted\[%\]$' "$tmp/out"
report $? "... and the text has what was accepted"
json "... at the rate" '[.points[].metrics.offered_rate.value] | length == 3
	and (.[0] - 2000 | fabs) < 1 and all(.[]; . > 1500 and . < 2700)'
cp "$tmp/json" "$tmp/first"
ctl run load --arrival fixed,uniform,exponential --rate 2000 -n 200 "${patience[@]}" --json "$tmp/json"
[ "$(jq -c '[.points[].metrics.offered_rate.value | round]' "$tmp/first")" = \
	"$(jq -c '[.points[].metrics.offered_rate.value | round]' "$tmp/json")" ]
report $? "... and the same each time"

# A rate that no device can serve: the latency includes the wait of late operations.
ctl run load --rate 100000000 -n 2000 --warmup 0 "${patience[@]}" --json "$tmp/json"
done_well "saturated"
json "... accepts a part" '.points[0].metrics | .accepted.value < 20 and .delayed.value > 1500'
json "... and the last one has waited for all" '.points[0].metrics
	| .latency.max * .message_rate.value / 1e9 > 1000'
json "latency is from when it was due" '.points[0].metrics | .latency.mean > 100 * .post.min'

ctl run load -D 300ms --rate 1000 --arrival fixed --completion block "${patience[@]}" --json "$tmp/json"
done_well "by duration"
json "... all that was due in it" '.points[0].metrics.latency.count == 300'
ctl run load -D 200ms --rate 50 --warmup 0 --buffers 70 --verb write,send,read --arrival fixed \
	"${patience[@]}" --json "$tmp/json"
done_well "by duration, with more buffers than operations"

# The mean has an interval or the reason why it has none; p50 has an interval from batches.
ctl run load -D 500ms --rate 20000 "${patience[@]}" --json "$tmp/json"
done_well "an open loop in batches"
json "... has an interval of its mean" '.points[0].metrics.latency
	| (.mean as $mean | .interval | . and .low < $mean and .high > $mean and .batches >= 8)
	or .independent == false'
json "... and says how it has started up" '.points[0].startup
	| .cut >= 0 and (.steady | type) == "boolean"'

# The saturation point is searched between the rates of a recipe; rates that the user gives are
# kept.
cat >"$tmp/knee.icb" <<-'RECIPE'
	title = knee
	trigger = clock
	verb = write
	completion = poll
	arrival = exponential
	rate = 1000,2000000,4000000
	duration = 20ms
	warmup = 10
	startup = cut
	knee = rate:accepted
	refine = 3
	derive = md1
RECIPE
ctl run "$tmp/knee.icb" "${patience[@]}" --json "$tmp/json"
done_well "a knee is refined"
json "... between its rates" '[.points[].parameters.rate] as $rates | $rates[:2] == [1000, 2000000]
	and ($rates | length == 5) and ($rates[2:] | all(. > 1000 and . < 2000000))
	and (.knees[0] | .at >= .holds and .at <= .falls and .falls < 2000000)'
json "... and what is saturated tells the capacity" '.derived.md1
	| .capacity.value > 1000 and .capacity.value < 2000000'
ctl run "$tmp/knee.icb" --rate 1000,2000000 "${patience[@]}" --json "$tmp/json"
done_well "rates that are given"
json "... are taken as they are" '[.points[].parameters.rate] == [1000, 2000000]'

# A load beside a run: each point without the load first, and then with each load.
ctl run latency-under-load -n 100 --warmup 10 --load.window 1,8 --load.size 64 "${patience[@]}" \
	--load.timeout 60s --json "$tmp/json"
done_well "latency under load"
json "... the loads moved something meanwhile" '[.points[] | .load.metrics.bandwidth.value // 0]
	| length == 3 and .[0] == 0 and .[1] > 0 and .[2] > 0'
json "... and are told" '[.points[] | .load.parameters // {} | [.trigger, .window, .size]] ==
	[[null, null, null], ["completion", 1, 64], ["completion", 8, 64]]'
json "... each compared with the run alone" '[.points[].metrics.overhead.baseline] ==
	[null, "load=no", "load=no"]'
ctl run bandwidth --verb write -n 200 --warmup 10 --load.trigger clock --load.verb read --load.rate 200 \
	"${patience[@]}" --csv "$tmp/csv"
done_well "a stream beside an open loop"
# if the load gets too little CPU time, each operation is due before its timer is set
grep -q ',yes,load.latency,ns,,[1-9]' "$tmp/csv" && grep -q ',no,bandwidth,B/s,' "$tmp/csv" &&
	grep -qE ',yes,load\.(lateness,ns,,[1-9]|delayed,count,[1-9])' "$tmp/csv"
report $? "... in CSV"
ctl run latency -n 10 --load.iterations 5
refused "a load has no end" 2 'load: a load lasts as long as its run; accepted: neither'
ctl run latency -n 10 --load.size 2G
refused "what is wrong with a load" 2 'load\.size: .*accepted'
ctl run latency -n 10 --load.memory node:1023 "${patience[@]}"
refused "what the module refuses" 2 'load: memory: this machine has no memory on node 1023'
clean "nothing is left of a load"
jobs=2 interrupted "a stop ends the load, too" \
	icbenchctl run load --rate 10 --arrival fixed --completion block -n 20 --warmup 0 \
		--load.trigger completion --load.completion softirq --load.window 1
grep -q '^ PARTIAL: stopped by Ctrl-C after' "$tmp/out"
report $? "... and the text says so"
interrupted "a stop does not wait for the next operation" \
	icbenchctl run load --rate 5 --completion block -n 1000
clean "nothing is left"

ctl run latency --rate 5
refused "a ping-pong has no schedule" 2 'rate: only with trigger clock'
ctl run load --rate 4
refused "too seldom" 2 'rate: at 4 per second .*accepted: 5 and more'
ctl run load --rate 0
refused "never" 2 'rate: .*accepted: 1 to 100000000'
ctl run load --refill 4
refused "nothing is refilled" 2 'refill: not with trigger clock'
ctl run load -b
refused "one schedule" 2 'direction: .*accepted: uni'
ctl run load --arrival poisson
refused "no such arrival" 2 'arrival: .*accepted: fixed, uniform, exponential'

done_testing
