#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Streams. Both sides compare the received data at the end of each run; this test checks that they
# report no difference, and that the metrics are consistent.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

mapfile -t verbs < <(verbs_of bandwidth)
mtu=$(icbenchctl devices --json | jq '.[0].mtu')

# size VERB: print the message size; atomics have a fixed size
size() {
	case $1 in
	fetch-add | cmp-swap) echo 8 ;;
	*) echo $((mtu + 1)) ;;
	esac
}

# fits NAME: the metrics of every point of the last run are consistent
fits() {
	# the intervals lie within the time from which the rate is computed
	json "$1: counts" '[.points[] | .parameters as $p | .metrics as $m
		| ($m.post.count >= $p.iterations / $p.batch)
		and ($m.post.count <= $p.iterations)
		and ($m.interval.count // 0) == ($p.iterations / $p.window | floor)
		and (($m.poll.count // 0) > 0) == ($p.completion == "poll" or $p.completion == "block")
		and ($m.wakeups_per_message | if $p.completion == "workqueue" then . == null
			elif $p.completion == "block" then .value >= 0 else .value == 0 end)]
		| all and length > 0' \
		"$1: rates" '[.points[] | .parameters as $p | .metrics as $m
		| ($m.bandwidth.value / $m.message_rate.value - $p.size | fabs < 0.01 * $p.size)
		and ($m | has("peer_bytes")) == ($p.direction == "bi")
		and (if $p.direction == "uni" then $m.bytes.value == $p.iterations * $p.size
			and ($m | has("own_message_rate") | not)
		     else $m.bytes.value % $p.size == 0 and $m.bytes.value > 0
			and $m.bytes.value <= $p.iterations * $p.size
			and (if $p.iterations >= 6 * $p.window
				then $m.bytes.value < $p.iterations * $p.size else true end)
			and $m.peer_bytes.value % $p.size == 0
			and ($m.own_message_rate.value + $m.peer_message_rate.value
				- $m.message_rate.value | fabs < 0.01) end)
		and (if $p.direction == "uni" and $m.interval then
			$m.bandwidth_min.value <= $m.bandwidth_median.value
			and $m.bandwidth_min.value <= $m.bandwidth_p1.value
		     else ($m | has("bandwidth_min") | not) end)] | all' \
		"$1: time" '[.points[] | select(.parameters.direction == "uni" and .metrics.interval)
		| .parameters as $p | .metrics as $m
		| $m.interval.count * $m.interval.mean
			<= 1.01e9 * $p.iterations / $m.message_rate.value] | all' \
		"$1: bandwidth x time = bytes" "$reconciled"
}

for i in "${!verbs[@]}"; do
	verb=${verbs[i]}
	ctl run bandwidth --verb "$verb" --direction uni,bi -s "$(size "$verb")" \
		--completion "$(sample "$i" poll,block,softirq,workqueue)" -n 300 --warmup 20 \
		--window 16 "${patience[@]}" --json "$tmp/json"
	done_well "$verb"
	fits "$verb"
	ctl run bandwidth --verb "$verb" --direction "$(sample "$i" uni,bi)" -s "$(size "$verb")" \
		--cpu 0 --peer-cpu 0 -n 300 --warmup 20 "${patience[@]}" --json "$tmp/json"
	done_well "$verb, one CPU"
	fits "$verb, one CPU"
done
clean "nothing is left"

# windows: one message, odd sizes, a batch that exceeds the window, batches
turn=0
for keys in "--window 1" "--window 2" "--window 3" "--window 7 --refill 7" "--window 7 --refill 1" \
	    "--window 64 --refill 64 --batch 64" "--window 100 --batch 7" "--window 16 --batch 8" \
	    "--window 13 --refill 13 --signal-every 13" "--window 16 --signal-every 1" \
	    "--window 4096" "--window 16 --warmup 0" "--context thread"; do
	# with send, which needs receives, and with one of the verbs in turn
	some=$(sample $turn "send,${verbs[(turn / 2 + 1) % ${#verbs[@]}]}")
	turn=$((turn + 1))
	for verb in ${some//,/ }; do
		# shellcheck disable=SC2086
		ctl run bandwidth --verb "$verb" -s "$(size "$verb")" -n 101 --warmup 3 $keys \
			"${patience[@]}" --json "$tmp/json"
		done_well "$verb $keys"
		fits "$verb $keys"
	done
done
ctl run bandwidth -s 64 -n 200 --warmup 20 --json "$tmp/json"
json "effective parameters" '.points[0].parameters | .window == 100 and .refill == 50
	and .batch == 1 and .["signal-every"] == 50 and .direction == "uni"
	and .trigger == "completion"'
ctl run bandwidth -s 1M -n 20 --warmup 1 --verb send,write "${patience[@]}"
done_well "1 MiB"
ctl run bandwidth -s 64 -D 300ms --warmup 20 "${patience[@]}" --json "$tmp/json"
done_well "by duration"
json "... as long as asked for" '.points[0].metrics | .interval.count * .interval.mean > 2e8' \
	"by duration: bandwidth x time = bytes" "$reconciled"
ctl run bibandwidth --repeat 1 -s 64 -D 300ms --warmup 20 --verb send "${patience[@]}" --json "$tmp/json"
done_well "by duration, both ways"
reconciles "by duration, both ways"
json "... each direction has an interval, or a reason why not" '.points[0].metrics
	| [.own_message_rate, .peer_message_rate]
	| all(has("interval") or .independent == false or .few_decide)'
case $device in
siw*)
	for transport in uc ud; do
		ctl run bandwidth -c $transport -s 512 -n 300 --verb send
		refused "nothing may be lost: $transport" 1 \
			"transport: $transport is not possible on .*iWARP; accepted: rc\$"
	done
	;;
*)
	ctl run bandwidth -c uc,ud -s 512 -n 300 --warmup 20 --verb send --direction uni,bi "${patience[@]}" --json "$tmp/json"
	done_well "what may be lost"
	reconciles "what may be lost"
	;;
esac
clean "nothing is left"

turn=0
# calls: each is called as often as asked for, and their sum does not exceed the time of all
mapfile -t calls < <(verbs_of connect)
for verb in "${calls[@]}"; do
	# the samples of calibrate are not calls
	[ "$verb" != calibrate ] || continue
	case $verb in
	*-cm)	n=20 ;;		# a call takes milliseconds
	*)	n=1100 ;;	# more than the receives of a QP
	esac
	some=$(sample $turn 1,0)
	turn=$((turn + 1))
	for cpu in ${some//,/ }; do
		ctl run connect --verb "$verb" -s 64,4K -n $n --warmup 3 --cpu 0 --peer-cpu "$cpu" \
			"${patience[@]}" --json "$tmp/json"
		done_well "$verb, CPUs 0 and $cpu"
		json "$verb: calls" "\"$verb\" as \$verb | "'[.points[].metrics
			| (.[$verb].mean * .[$verb].count) as $all
			| [del(.[$verb])[] | select(.count)]
			| (map(.count == '$n') | all) and length >= 4
			and (map(.mean * .count) | add) <= $all * 1.000001] | all and length == 2'
	done
done
[ "${#calls[@]}" -eq "$(case $device in siw*) echo 4 ;; *) echo 5 ;; esac)" ]
report $? "register, descriptor, connect-cm, calibrate and, but for iWARP, connect"
# the number of pages of a memory region
case $device in siw*) largest=1M ;; *) largest=2M ;; esac
ctl run calibrate -n 300 --warmup 3 --cpu 0 --peer-cpu 1,0 "${patience[@]}" --json "$tmp/json"
done_well "calibrate"
json "calibrate: of a sample" '[.points[].metrics
	| .echo.count == 300 and .stream.count == 300 and .calibrate.count == 300
	and .calibrate.min > 0 and ([.echo.min, .stream.min] | min) <= .calibrate.mean] | all and length == 2'
# Calibrate sends nothing by its QPs. The responder needs no counter for each QP, which max-memory
# does not include. Of the two threads only the initiator's has such counters.
tracing=/sys/kernel/tracing
[ -e $tracing/events ] || mount -t tracefs none $tracing
echo 'order >= 6' >$tracing/events/kmem/mm_page_alloc/filter
echo 1 >$tracing/events/kmem/mm_page_alloc/enable
ctl run calibrate -n 10 --warmup 3 -q 4096 "${patience[@]}"
done_well "calibrate, as of 4,096 QPs"
echo 0 >$tracing/events/kmem/mm_page_alloc/enable
echo 0 >$tracing/events/kmem/mm_page_alloc/filter
# memory of vmalloc() is not allocated as a compound page
[ "$(awk '/__GFP_COMP/ && $1 ~ /^icbench\// { print $1 }' $tracing/trace | sort -u | wc -l)" -eq 1 ]
report $? "... by one thread alone"
ctl run register -s "1,$largest" -n 3 "${patience[@]}"
done_well "register, least and largest"
clean "nothing is left"
ctl run latency --verb register
refused "no message" 2 'verb: .*accepted: send, write'
ctl run register --verb send
refused "no call" 2 'verb: .*accepted: register, descriptor'
ctl run register --completion block
refused "calls are polled" 2 'completion: .*accepted: poll$'
ctl run register -s 1G
refused "more than the device registers" 2 'size: .*accepted: 1 to [0-9]* bytes$'

# path MTUs
case $device in
siw*)
	ctl run latency --mtu 256
	refused "no path MTU" 2 'mtu: .*iWARP'
	;;
*)
	ctl run mtu --mtu "256,$mtu" -n 100 --warmup 3 -s 8K "${patience[@]}" --json "$tmp/json"
	done_well "mtu"
	json "... each of them" '[.points[].parameters.mtu] | length == 2 and .[0] == 256'
	ctl run latency --mtu 256 -s 4K -n 20 --warmup 1 --verify "${patience[@]}"
	done_well "latency --mtu 256"
	ctl run latency --mtu 4096
	refused "more than the port's" 2 "mtu: .*accepted: 256 to $mtu\$"
	;;
esac
ctl run latency --mtu 768
refused "no MTU" 2 'mtu: .*accepted: 256, 512, 1024, 2048, 4096$'

# impossible combinations
ctl run bandwidth --window 4 --refill 5
refused "more than the window" 2 'refill: .*accepted: 1 to 4$'
ctl run bandwidth --window 4 --batch 3
refused "more than are posted at a time" 2 'batch: .*accepted: 1 to 2 '
ctl run bandwidth --signal-every 3
refused "some of which are never heard of" 2 'signal-every: 3 does not divide refill, 50; accepted: '
ctl run bandwidth --completion memory
refused "nothing to look at" 2 'completion: .*accepted: poll, softirq, workqueue, block, adaptive, timer$'
ctl run bandwidth --window 16385
refused "too large a window" 2 'window: .*accepted: 1 to 16384$'
for key in window refill batch; do
	ctl run latency --$key 4
	refused "a ping-pong has no $key" 2 "$key: only with trigger completion"
done

# messages that cross
for cpu in 1 0; do
	some=$(sample $cpu poll,block)
	ctl run bilatency --verb send --completion "$some" -s 0,64,$((mtu + 1)) -n 100 \
		--warmup 5 --verify --cpu 0 --peer-cpu $cpu "${patience[@]}" --json "$tmp/json"
	done_well "bilatency, send, CPUs 0 and $cpu"
	json "... each of them" '[.points[].metrics.latency.count == 100] | all and length ==
		'$((3 * $(count_of "$some")))
	sampled $((cpu - 1)) || continue
	ctl run bilatency --verb write -s 1,64,$((mtu + 1)) -n 600 --warmup 5 --verify \
		--cpu 0 --peer-cpu $cpu "${patience[@]}" --json "$tmp/json"
	done_well "bilatency, write, CPUs 0 and $cpu"
	json "... each of them" '[.points[].metrics.latency.count == 600] | all and length == 3'
done
ctl run bilatency -n 300 --warmup 5 "${patience[@]}"
done_well "bilatency, not verified"
ctl run bilatency --verb read
refused "nobody to cross" 2 'direction: .*accepted: uni$'
ctl run bilatency --completion softirq
refused "nobody to send first" 2 'direction: .*accepted: uni$'
clean "nothing is left"

done_testing
