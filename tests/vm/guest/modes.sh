#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every verb and completion mode, with each size at which the behaviour changes, with two threads on
# two CPUs and with one CPU. The content of each message is compared. Then the format of the result.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

mtu=$(icbenchctl devices --json | jq '.[0].mtu')
small=1,64,$((mtu - 1)),$mtu,$((mtu + 1))
few=0,$small
if [ -n "${ICBENCH_QUICK-}" ]; then
	small=1,$((mtu + 1)) few=0,$((mtu + 1))
fi

# points VERB MODES SIZES ITERATIONS PEER-CPU
points() {
	local verb=$1 modes=$2 sizes=$3 n=$4 peer_cpu=$5 line name count=0

	: >"$tmp/json"
	ctl run latency --verb "$verb" --completion "$modes" -s "$sizes" -n "$n" \
		--warmup 3 --verify --cpu 0 --peer-cpu "$peer_cpu" "${patience[@]}" --json "$tmp/json"
	done_well "$verb $modes $sizes, CPUs 0 and $peer_cpu"
	while read -r line name; do
		count=$((count + 1))
		[ "$line" = true ]
		report $? "$name"
	done < <(jq -r --argjson n "$n" --arg verb "$verb" --argjson cpu "$peer_cpu" '
		.points[] | .parameters as $p | .metrics as $m |
		"\($p.verb == $verb and $p.cpu == 0 and $p["peer-cpu"] == $cpu
		   and $p.verify and $p.iterations == $n
		   and $m.latency.count == $n and $m.post.count == $n
		   and ([$m.latency.histogram[][2]] | add) == $n
		   and $m.latency.min > 0 and $m.message_rate.value > 0
		   and ($p.size == 0 or $m.bandwidth.value > 0)) " +
		"\($verb) \($p.completion) \($p.size) bytes, CPUs 0 and \($cpu)"' "$tmp/json")
	# as many points as were asked for
	[ "$count" -eq $(($(count_of "$modes") * $(count_of "$sizes"))) ]
	report $? "... all of them"
}

# accepted KEY: print the accepted values of the key in the last refusal
accepted() {
	sed -n "s/^icbenchctl: $1: .*; accepted: //p" "$tmp/err"
}

# each verb of the device, with each mode and size that it accepts
mapfile -t verbs < <(verbs_of latency)
modes=() least=()
for verb in "${verbs[@]}"; do
	ctl run latency --verb "$verb" --completion poll -n 1 --warmup 0
	modes+=("$(accepted completion | tr -d ' ')")
	ctl run latency --verb "$verb" -s 0 -n 1 --warmup 0
	least+=("$(accepted size)")
done
for peer_cpu in 1 0; do
	for i in "${!verbs[@]}"; do
		verb=${verbs[i]} mode=${modes[i]:-poll,softirq,workqueue,block}
		# a sample has another mode for each size of a verb, and for each peer CPU
		turn=$((i + 2 * peer_cpu))
		some=$(sample $turn "$mode")
		case ${least[i]} in
		"")
			points "$verb" "$some" "$few" 40 $peer_cpu
			;;
		*more)
			points "$verb" "$some" "$small" 40 $peer_cpu
			;;
		*)
			points "$verb" "$some" "${least[i]}" 40 $peer_cpu
			continue
			;;
		esac
		points "$verb" "$(sample $((turn + 1)) "$mode")" 64K 6 $peer_cpu
		# a callback cannot verify a message of this size
		mode=$(tr , '\n' <<<"$mode" | grep -vx 'softirq\|workqueue' | paste -sd ,)
		points "$verb" "$(sample $((i + peer_cpu)) "$mode")" 1M 2 $peer_cpu
	done
done
case $device in
siw*)
	[ "${verbs[*]}" = "send write read" ]
	report $? "what iWARP has"
	ctl run latency --verb write-imm
	refused "immediate data over iWARP" 2 'verb: .*immediate data.*accepted: send, write, read'
	ctl run latency --verb cmp-swap
	refused "atomics over iWARP" 2 'verb: .*atomics.*accepted: send, write, read'
	;;
*)
	[ "${verbs[*]}" = "send write write-imm read fetch-add cmp-swap" ]
	report $? "what RoCE has"
	;;
esac
clean "nothing is left"

# other keys that change the path: posting by a thread, signalled sends, scheduling classes
number=0
for keys in "--context thread" "--signal-every 1" "--signal-every 7" \
	    "--priority fifo" "--priority fifo-low" "--seed 0" \
	    "--seed 18446744073709551615" "--warmup 0"; do
	for i in "${!verbs[@]}"; do
		verb=${verbs[i]}
		# these verbs wait for their own completions, so each must be signalled
		case $keys,$verb in
		--signal-every\ [2-9]*,read | --signal-every\ [2-9]*,fetch-add | --signal-every\ [2-9]*,cmp-swap)
			# shellcheck disable=SC2086
			ctl run latency --verb "$verb" $keys
			refused "$verb $keys" 2 "signal-every: .*accepted: 1"
			continue
			;;
		esac
		if [ -n "${ICBENCH_QUICK-}" ]; then
			[ $((number % ${#verbs[@]})) -eq "$i" ]
		else
			sampled $((number + i))
		fi || continue
		# shellcheck disable=SC2086
		ctl run latency --verb $verb -n 100 --warmup 10 --verify $keys "${patience[@]}" --json "$tmp/json"
		done_well "$verb $keys"
	done
	number=$((number + 1))
done
for keys in "--completion block --context thread" "--completion block --priority fifo" \
	    "--completion workqueue --context thread" "--completion softirq --signal-every 1"; do
	# shellcheck disable=SC2086
	ctl run latency -n 100 --warmup 10 --verify $keys "${patience[@]}"
	done_well "send $keys"
done

# the largest message of the device, and a larger one
ctl run latency -s 8M -n 1 --warmup 0 --verify "${patience[@]}"
done_well "send 8 MiB"
largest=$(icbenchctl devices --json | jq '.[0]["max-msg-size"]')
ctl run latency -s $((largest + 1)) -n 1 --warmup 0
most=$((largest < 1073741824 ? largest : 1073741824))
[ "$rc" -eq 2 ] && grep -q "size: .*[^0-9]$most\( bytes\)\?\([^0-9]\|\$\)" "$tmp/err"
report $? "send of more than the device takes: refused"
ctl run latency --verb write -s 1G -n 1
[ "$rc" -eq 2 ] && grep -q "size: .*accepted: 1 to [0-9]* bytes" "$tmp/err"
report $? "a write of more than the device registers: refused"
largest=$(sed 's/.*1 to \([0-9]*\) bytes/\1/' "$tmp/err")
ctl run latency --verb write -s "$largest" -n 1 --warmup 0 --verify "${patience[@]}"
done_well "write $largest bytes"
ctl run latency --verb write -s $((largest + 1)) -n 1
[ "$rc" -eq 2 ] && grep -q "size: .*$largest" "$tmp/err"
report $? "write of one byte more: refused"
clean "nothing is left"

# A real-time thread leaves CPU time to the threads that it waits for on its own CPU. The threads of
# the device (rxe's since Linux 6.12) may use only this CPU here.
workers=/sys/devices/virtual/workqueue/cpumask
read -r workers_were <$workers
echo 1 >$workers && back nothing
report $? "work queues are on CPU 0, of which the scheduler keeps back nothing for them"
ctl run register -s 4K -n 50 --cpu 0 --priority fifo "${patience[@]}"
back again && echo "$workers_were" >$workers
report $? "... and then do as before"
done_well "register at SCHED_FIFO, on the device's own CPU"
clean "nothing is left"

# the format of the result
ctl run latency -n 1000 --json "$tmp/json"
done_well "latency"
grep -q "^  *size  *n  *p50\[[num]s\] .* p99\[[num]s\]" "$tmp/out"
report $? "text on standard output"
checks=("schema" '.schema == "icbench/1" and .benchmark == "latency"
	and .partial == false and (.command | type == "array")
	and (.started | test("^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9:]{8}Z$"))')
for key in kernel cpu cpus device driver link mtu clocksource clock_read_ns icbench; do
	checks+=("environment: $key" ".environment.$key // \"\" | . != \"\"")
done
checks+=("environment is of this machine" ".environment
	| .device == \"$device\" and .driver == \"${device%0}\" and .cpus == 2")
for key in trigger verb transport size iterations warmup completion context signal-every \
	   cpu peer-cpu priority device port gid-index timeout verify seed; do
	checks+=("effective parameter: $key" ".points[0].parameters | has(\"$key\")")
done
json "${checks[@]}" "defaults" '.points[0].parameters | .trigger == "echo" and .verb == "send"
	and .transport == "rc" and .size == 64 and .iterations == 1000
	and .completion == "poll" and .warmup == 1000 and .timeout == 10000000000
	and .cpu == 0 and .["peer-cpu"] == 1 and .port == 1
	and .["gid-index"] == (if .device | startswith("siw") then 0 else 1 end)'
json "distributions" '[.points[0].metrics | .latency, .post, .poll
	| .unit == "ns"
	and (.percentiles | keys_unsorted == ["50", "90", "99", "99.9", "99.99"])
	and ([.histogram[][2]] | add) == .count
	and ([.histogram[] | .[0] <= .[1] and .[2] > 0] | all)
	and .min <= .mean and .mean <= .max and .stddev >= 0
	and .percentiles["50"] >= .min and .percentiles["50"] <= .percentiles["90"]
	and .percentiles["90"] <= .percentiles["99"]
	and .percentiles["99.99"] <= .max] | length == 3 and all'
json "buckets are at most 1/128 wide" '[.points[0].metrics.latency.histogram[]
	| .[1] - .[0] <= .[0] / 64] | all' \
	"rates" '.points[0].metrics | .bandwidth.unit == "B/s"
	and .message_rate.unit == "1/s"
	and ((.bandwidth.value / .message_rate.value - 64) | fabs < 1)' \
	"disturbance" '.points[0].disturbance | type == "object" and length > 0'
ctl run latency -D 200ms --json "$tmp/json"
done_well "by duration"
json "as long as asked for" '.points[0] | (.parameters | .duration == 200000000
	and (has("iterations") | not)) and .metrics.latency.count > 0'
ctl run blocking -n 200 --json "$tmp/json"
done_well "blocking"
json "four ways" '[.points[].parameters.completion] ==
	["poll", "softirq", "workqueue", "block"]'
clean "nothing is left"

done_testing
