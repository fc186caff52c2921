#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One CPU whose clock counts instructions. Print the medians of the stages, which can be compared
# between kernels. With an argument, also test that each delay shows in the stage in which it
# happens, and in no other.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

stages=(handler wake reap rearm interrupt)

# stage NAME [POINT]: print its median, ns
stage() {
	jq -r ".points[${2-0}].metrics.$1.percentiles[\"50\"] // 0 | floor" "$tmp/json"
}

each_stage() {
	local name

	for name in "${stages[@]}"; do
		echo "$name $(stage "$name" "$@")"
	done | paste -sd, | sed 's/,/, /g'
}

ctl run interrupt -n 500 --json "$tmp/json"
done_well "interrupt"
json "... the sum of the stages is the whole" '[.points[].metrics |
	.stages_disagree.value == 0 and .residue.max <= 4] | all and length == 4' \
	"... of one CPU" '[.points[].metrics | .wakes_cross_cpu.value == 0 and
	(has("deliver") or has("clock_offset") | not)] | all'
# whether the handler runs in a work queue, as the device's work does, for each message
where="== 500"
device_in_threads || where="== 0"
json "... the handler ran where the device works" "[.points[].metrics |
	select(.delivered_hardirq.value != 500) | .interrupt.count == 500 and
	(.delivered_workqueue.value // 0) $where] | all and length == 3"
note "delivered: $(jq -c '.points[] | [.parameters.completion, (.metrics | to_entries[] |
	select(.key | startswith("delivered_")) | {(.key[10:]): .value.value})]' "$tmp/json" | paste -sd ' ')"
for i in 0 1 2; do
	note "p50: $(jq -r ".points[$i].parameters.completion" "$tmp/json"): $(each_stage $i)"
done
! device_in_threads || note "the device works in threads"
# the rest of a sample is in the machine with delays
[ "$one_in" -eq 1 ] || [ $# -gt 0 ] || done_testing
# there is no other CPU that could observe arrivals
ctl run latency --stages --completion block --shadow-cpu 0
refused "one CPU" 1 'shadow-cpu: 0 is a CPU of the run; accepted: '
# the cost of stages
ctl run latency --completion block --stages no,yes -n 500 --json "$tmp/json"
done_well "with and without"
note "latency of block without stages and with: $(jq -r '[.points[].metrics.latency.percentiles["50"]] |
	join(" and ")' "$tmp/json") ns"
clean "nothing is left"
[ $# -gt 0 ] || done_testing

us=200
others=2000
! device_in_threads || others=3000
declare -A base

measure() {
	ctl run latency --completion block --stages -n 300 --warmup 20 --json "$tmp/json"
}

# blames STAGE WHAT: the delay of the last run is in this stage and in no other. If the device has
# its own threads, a delay changes their order, which makes a difference of at most 2 us.
blames() {
	local name more most=0 here=0

	for name in handler wake reap rearm; do
		more=$(($(stage $name) - ${base[$name]}))
		if [ $name = "$1" ]; then
			here=$more
		elif [ $more -gt $most ]; then
			most=$more
		fi
	done
	note "$2: $1 $here ns more, others $most at most"
	[ $most -lt "$others" ] && [[ $1 == none || $here -ge $((us * 950)) && $here -lt $((us * 1100)) ]]
	report $? "$2 shows in ${1/none/no stage but deliver} alone"
}

# delayed STAGE FUNCTION [PARAMETER...]: test a run in which each call of FUNCTION is delayed
delayed() {
	local stage=$1 function=$2

	shift 2
	if ! insmod "$ICBENCH_WITH/delay.ko" "function=$function" us=$us "$@" 2>/dev/null; then
		skip "a delay in $function shows in $stage" "this kernel has no probe there"
		return
	fi
	measure
	rmmod delay
	blames "$stage" "a delay in $function"
}

measure
done_well "without a delay"
for name in "${stages[@]}"; do
	base[$name]=$(stage "$name")
done
delayed none icbench:icb_ep_recv_event
delayed handler icbench:note_event
delayed wake wake_up_process woken=icbench/
delayed reap icbench:icb_ep_event
# On one CPU, the delay of the other side before it sleeps is in the wake-up of this side.
delayed rearm rdma_rxe:rxe_req_notify_cq by=icbench/ but=icbench/0

# A thread with a higher priority has the CPU most of the time, and the woken thread waits for it.
/usr/bin/python3 -c '
import os, time
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
open("'"$tmp/hog"'", "w").close()
while True:
    end = time.monotonic() + 0.002
    while time.monotonic() < end:
        pass
    time.sleep(0.0002)
' &
hog=$!
until_true 60 test -e "$tmp/hog"
ctl run latency --completion block --stages -n 2000 --warmup 20 --json "$tmp/json"
kill $hog
wait $hog 2>/dev/null
done_well "beside a real-time thread"
note "us in all: $(jq -r '.points[0].metrics | [to_entries[] |
	select(.key | IN("handler", "wake", "reap")) |
	"\(.key) \(.value.mean * .value.count / 1000 | floor)"] | join(", ")' "$tmp/json")"
# sometimes the woken thread has just begun to reap
json "... it shows in wake, and next to nothing in other stages" '.points[0].metrics |
	.wake.max >= 1000000 and .handler.max < 100000 and
	.reap.mean * .reap.count <= 0.1 * .wake.mean * .wake.count'

# Interrupts lengthen any stage: all stages are present and add up.
insmod "$ICBENCH_WITH/delay.ko" every=1000 us=$us
ctl run latency --completion block --stages -n 2000 --warmup 20 --json "$tmp/json"
rmmod delay
done_well "in a storm of interrupts"
note "greatest: $(jq -r '.points[0].metrics | [to_entries[] |
	select(.key | IN("handler", "wake", "reap")) | "\(.key) \(.value.max)"] | join(", ")' "$tmp/json")"
json "... the stages add up" '.points[0].metrics | .stages_disagree.value == 0 and
	.wake.max >= 200000'
clean "nothing is left"

done_testing
