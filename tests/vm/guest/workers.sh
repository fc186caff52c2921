#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Several workers, over one device and over two.

# shellcheck source=tests/vm/guest/second.sh
. "${BASH_SOURCE[0]%/*}/second.sh"

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

two=(-d "$device" -d "$second" --policy bind)

second_ready() {
	icbenchctl devices | grep -q '10\.78\.0\.1\|^siw1.*active'
}
until_true 20 second_ready

workers() {
	ctl run "$@" "${patience[@]}" --json "$tmp/json"
}

# together NAME: the sums over the workers are complete. On a busy host the workers' CPUs may
# run one after the other, so that short runs do not overlap.
together() {
	# the CPU time is the host's: several workers on the same CPUs do not add to it
	json "$1: sums" '.points | length > 0 and all(.parameters.workers as $n | . as $p
		| (.workers | length) == $n
		and all(.workers[]; .outcome == "complete" and .ended_ns > .began_ns)
		and (.metrics | to_entries | map(select(.value.histogram))
			| all(.key as $k | .value.count == ([$p.workers[].metrics[$k].count // 0] | add)
				and .value.count == ([.value.histogram[][2]] | add)))
		and (["bandwidth", "message_rate"] | all(. as $k | $p.metrics[$k] == null
			or ($p.metrics[$k].value - ([$p.workers[].metrics[$k].value] | add)
				| fabs) <= 0.01))
		and .metrics.overlap.value >= 0 and .metrics.overlap.value <= 100
		and .metrics.worker_min.value <= .metrics.worker_max.value
		and .metrics.fairness.value > 0 and .metrics.fairness.value <= 1)' \
		"$1: of a message" '.points | all(.workers as $w | .metrics
		| ($w | all(.metrics.cpu_per_message)) == (.cpu_per_message != null)
		and (.cpu_per_message == null or (([$w[].metrics
			| .cpu_per_message.value * .message_rate.value] | add / length) as $busy
			| .cpu_per_message.value * .message_rate.value / $busy - 1 | fabs < 0.001))
		and ($w | all(.metrics.wakeups_per_message)) == (.wakeups_per_message != null)
		and (.bytes == null or .bytes.value == ([$w[].metrics.bytes.value] | add)))' \
		"$1: bandwidth x time = bytes, if it has a bandwidth" \
		"([.points[].metrics | select(.bandwidth)] == []) or ($reconciled)"
}

workers latency --workers 2,3 -n 100 --warmup 0 --verify
done_well "ping-pong"
together "ping-pong: what all of them are"
json "... CPUs of their own" '.points[0].workers | [.[].parameters.cpu] == [0, 1]'
parts=("latency --completion softirq --stages" \
	"latency --verb write --completion memory -b" \
	"bandwidth -s 1K --verb send --completion block,workqueue --window 16 -b" \
	"bandwidth -s 1K --verb send --verify --window 16" \
	"bandwidth -s 1K --verb send -q 4 --window 8" \
	"bandwidth -s 1K --verb send --reply --window 7" \
	"register -s 4K" "load --rate 3000 --completion softirq")
case $device in
siw*) ;;
*)
	parts+=("latency --transport uc" "bandwidth -s 1K --verb write --verify --window 16" \
		"bandwidth -s 8 --verb fetch-add --window 4 --verify")
	;;
esac
for part in "${parts[@]}"; do
	# shellcheck disable=SC2086 # words
	workers $part --workers 2 -n 100 --warmup 20
	done_well "$part"
	together "$part: what both are"
done
workers bandwidth --workers 8 --cpu 1 --peer-cpu 0 -D 300ms -s 1K --warmup 10 --window 16
done_well "eight, on two CPUs"
together "eight: what all of them are"
json "eight: some of the time is everybody's" '.points[0].metrics.overlap.value > 0'
# A thread that always finds a completion must still leave time to the others on its CPU.
for priority in fifo fifo-low; do
	workers bandwidth --workers 3 --priority $priority --completion adaptive --spin 1s \
		--cpu 1 --peer-cpu 1 -n 300 --warmup 30 --window 1
	done_well "$priority: three on one CPU"
done
workers bandwidth "${two[@]}" --workers 3 -n 100 --warmup 20 -s 4K --window 16
done_well "bind: a device for each"
together "bind: what all of them are"
json "bind: in turn" '.points[0] | .parameters.device == "'"$device,$second"'"
	and [.workers[].parameters.device] == ["'"$device\", \"$second\", \"$device"'"]'
case $device in
siw*) ;;
*)
	workers bandwidth --workers 2 -c uc,ud --verb send -n 100 --warmup 20 -s 512 --window 8
	done_well "what may be lost"
	;;
esac
clean "nothing is left"

for n in 0 65; do
	ctl run latency --workers $n
	refused "$n workers" 2 "workers: $n is out of range; accepted: 1 to 64\$"
done
ctl run latency --workers 3 --cpu 9
refused "a CPU that is not there" 2 'cpu: CPU 9 is not online'
clean "nothing is left of what was refused"

# at_work N: whether N jobs have measured something; before that there are no results
at_work() {
	[ "$(icbenchctl jobs --json | jq '[.[] | select(.role == "initiator" and .done > 0)]
		| length')" -ge "$1" ]
}

jobs=2
number=0
for part in latency "bandwidth -s 1K --window 16 --completion softirq" "load --rate 1000" "register -s 4K"; do
	sampled $((2 * number++)) || continue
	# shellcheck disable=SC2086 # words
	interrupted "Ctrl-C: $part" icbenchctl run $part --workers 2 -D 60s
	grep -q 'PARTIAL: stopped by Ctrl-C' "$tmp/out"
	report $? "Ctrl-C: $part: what was measured is told"
done

# begin ARGUMENT...: start a run of two workers; job is the number of the second worker's job
begin() {
	icbenchctl run "$@" --json "$tmp/json" >"$tmp/out" 2>"$tmp/err" </dev/null &
	runner=$!
	until_true 20 at_work 2
	job=$(icbenchctl jobs --json | jq '[.[] | select(.role == "initiator") | .id] | max')
}

begin latency --workers 2 -D 60s
icbenchctl stop "$job"
wait $runner
rc=$?
cut_short "one is stopped" 'stopped, worker 2 of 2 was stopped, after'
json "... what both have measured is told" '.partial and (.points[0].workers | length == 2
	and all(.outcome == "stopped" and .metrics.latency.count > 0))'
begin bandwidth "${two[@]}" --workers 2 -D 60s -s 1K --warmup 20
rdma link delete "$second"
wait $runner
rc=$?
cut_short "the device of one goes" 'worker 2: the device was removed'
json "... the other one is stopped with words" '.points[0].workers[0]
	| .outcome == "stopped" and (.reason | test("worker 2 of 2 has failed: the device was removed"))'
add_second
until_true 20 second_ready
begin latency --workers 2 -D 60s
kill -KILL $runner
wait $runner
clean "nothing is left of who was killed, nor of what was cut short"
done_testing
