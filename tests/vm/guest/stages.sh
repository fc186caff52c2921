#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The stages of an interrupt whose arrival another CPU observes: they add up, a delay before the
# handler is in the right stage, and impossible requests are refused.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

keys=(--stages --cpu 0 --peer-cpu 0 --shadow-cpu 1 --warmup 20)
delay_ko=$ICBENCH_WITH/delay.ko
us=20000

# CPU 0 does everything except for observing the arrival, which CPU 1 does.
ctl run interrupt "${keys[@]}" -n 500 --json "$tmp/json"
done_well "interrupt"
json "... how each message was told of" '[.points[].metrics | .interrupt.count ==
	([to_entries[] | select(.key | startswith("delivered_")).value.value] | add) and
	.wakes_same_cpu.value + .wakes_cross_cpu.value == .interrupt.count] | all and length == 4'
# whether the handler runs in a work queue, as the device's work does
if device_in_threads; then
	where=">= 0.95 *" what="a work queue"
else
	where="<= 0.05 *" what="no work queue"
fi
json "... the handler ran in $what" "[.points[] | select(.parameters.completion != \"timer\") |
	.metrics | (.delivered_workqueue.value // 0) $where (.interrupt.count // 0)] | all and length == 3"
note "delivered: $(jq -c '.points[] | [.parameters.completion, (.metrics | to_entries[] |
	select(.key | startswith("delivered_")) | {(.key[10:]): .value.value})]' "$tmp/json" | paste -sd ' ')"
# on a busy host the observing CPU may get no time, and so miss an arrival
json "... the sum of the stages is the whole" '[.points[].metrics | select(has("interrupt")) | .clock_offset.value as $error |
	.stages_disagree.value == 0 and
	.residue.max <= .clock_offset.value + 4 and ((.deliver.mean + .handler.mean + .wake.mean + (.reap.mean // 0) -
	.interrupt.mean) | fabs <= $error + 4)] | all'
json "... and what the clocks differ by is known" '[.points[].metrics.clock_offset.value > 0] | all'
note "clock_offset: $(jq -c '[.points[].metrics.clock_offset.value]' "$tmp/json") ns"
json "... a callback takes the completion before it is called" '[.points[] | select(.metrics | has("interrupt")) |
	(.parameters.completion | IN("softirq", "workqueue")) != (.metrics | has("reap"))] | all'
json "... a timer runs in an interrupt" '.points[] | select(.parameters.completion == "timer") |
	.metrics | .interrupt.count == .delivered_hardirq.value'
ways=("block --verb read" "adaptive --spin 0" "block -q 3" "workqueue --verify" \
	"block --sges 3 --buffers 5" "block --priority fifo")
case $device in
siw*) ;;
*) ways+=("block --verb write-imm" "block --verb fetch-add -s 8" "softirq --verb cmp-swap -s 8") ;;
esac
if [ "$one_in" -ne 1 ]; then
	ways=("block --verb read -q 3" "adaptive --spin 0 --sges 3 --buffers 5")
	case $device in
	siw*)	ways+=("workqueue --verify" "block --priority fifo") ;;
	*)	ways+=("workqueue --verify --verb write-imm" "block --priority fifo --verb fetch-add -s 8" \
			"softirq --verb cmp-swap -s 8") ;;
	esac
fi
for keys2 in "${ways[@]}"; do
	# shellcheck disable=SC2086
	ctl run latency --completion $keys2 "${keys[@]}" -n 100 --json "$tmp/json"
	done_well "$keys2"
	json "... what is not in the stages is counted" '.points[0].metrics |
		(.stages_disagree.value // 0) == 0 and (has("missed_events") or
		(.interrupt.count // 0) + .arrivals_unseen.value + .arrivals_late.value <= 100)'
done
clean "nothing is left"

# A CPU that another thread keeps busy does not idle. A CPU without other work idles while the run's
# thread sleeps.
count() {
	jq -c '.points[0].metrics | [.wakes_same_cpu, .wakes_cross_cpu, .wakes_from_idle] | map(.value)' \
		"$tmp/json"
}

block=(latency --completion block --cpu 0 --stages -n 200 --warmup 10 --json "$tmp/json")
ctl run "${block[@]}"
done_well "a CPU with nothing else to do"
note "woken on the same CPU, across, from idle: $(count)"
json "... idles" '.points[0].metrics | .wakes_from_idle.value * 2
	> .wakes_same_cpu.value + .wakes_cross_cpu.value'
taskset -c 0 nice -n 19 sh -c 'while :; do :; done' &
hog=$!
hogging() {
	[ "$(awk '{ print $14 }' "/proc/$hog/stat")" -ge 10 ]
}
until_true 20 hogging
ctl run "${block[@]}"
done_well "a CPU that is kept busy"
note "woken on the same CPU, across, from idle: $(count)"
# the thread may find each message before it goes to sleep
json "... does not" '.points[0].metrics
	| .wakes_from_idle.value == 0 or .events_before_sleep.value == 200'
kill $hog
wait $hog 2>/dev/null

# A delay before the handler lies between the arrival and the handler. The delay is long, because on
# a busy host the CPU that observes the arrival may lose milliseconds.
stage() {
	jq -r ".points[0].metrics.$1.percentiles[\"50\"] // 0 | floor" "$tmp/json"
}

measure() {
	ctl run latency --completion block "${keys[@]}" --warmup 2 -n $((one_in == 1 ? 40 : 20)) \
		--json "$tmp/json"
	note "$1: deliver $(stage deliver), handler $(stage handler), wake $(stage wake), reap $(stage reap) ns"
}

measure "no delay"
done_well "without a delay"
if insmod "$delay_ko" function=icbench:icb_ep_recv_event us=$us 2>/dev/null; then
	measure "a delay before the handler"
	rmmod delay
	[ "$(stage deliver)" -ge $((us * 500)) ] && [ "$(stage handler)" -lt $((us * 250)) ] &&
		[ "$(stage wake)" -lt $((us * 250)) ] && [ "$(stage reap)" -lt $((us * 250)) ]
	report $? "a delay before the handler shows in deliver and in no other stage"
else
	skip "a delay before the handler shows in deliver" "this kernel has no probe there"
fi

# Interrupts lengthen whichever stage they hit; none of their time is lost.
insmod "$delay_ko" every=1000 us=300 cpu=0
measure "a storm"
rmmod delay
done_well "in a storm of interrupts"
json "... the stages still add up" '(.points[0].metrics.stages_disagree.value // 0) == 0'

ctl run latency --stages --completion block --shadow-cpu 0 --cpu 0
refused "the run's CPU" 2 'shadow-cpu: .*accepted: '
ctl run latency --stages --completion block --shadow-cpu 99
refused "no such CPU" 2 'shadow-cpu: CPU 99 is not online; accepted: '
ctl run latency --stages
refused "who polls is told by nobody" 2 'stages: .*accepted: completion softirq, workqueue, block'
interrupted "a stop ends it" icbenchctl run latency --completion block "${keys[@]}" -D 600
# Interrupts on the responder's CPU are counted, too, if it is another CPU of this host. The samples
# that a busy host makes long contain none.
both=(latency --completion poll --cpu 0 --peer-cpu 1 --warmup 20)
ctl run "${both[@]}" -n 500 --json "$tmp/json"
done_well "poll, another CPU for the responder"
json "... whose interrupts are known" '.points[0].metrics.latency.tail |
	(.all | has("peer")) and (.["99"] | (.present | has("peer")) and (.by_length | has("peer")))'
peer_blamed()
{
	ctl run "${both[@]}" -n 100000 --threshold 250us --trace no --json "$tmp/json"
	jq -e '.reason | test("disturbed by [^;]*peer")' "$tmp/json" >/dev/null
}
insmod "$delay_ko" every=20000 us=600 cpu=1
until_true 60 peer_blamed
report $? "... a long interrupt of that CPU is what has disturbed a sample"
note "$(jq -r .reason "$tmp/json")"
rmmod delay

clean "nothing is left"

done_testing
