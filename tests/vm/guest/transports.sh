#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Transports uc and ud: what they support, and what they refuse. The device loses only messages for
# which there is no receive.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

polled=poll,block,adaptive,timer
any=poll,block,softirq,workqueue

# accounted NAME [NAME FILTER]...: each operation is completed or counted as lost; and further tests
accounted() {
	json "$1: accounted for" '[.points[] | .parameters as $p | .metrics as $m
		| ($p.transport | IN("uc", "ud"))
		and ($m.lost.value <= $p.iterations + $p.warmup + 1 or $m.peer_lost or $p.workers > 1)
		and ($m.foreign or $p.transport == "uc")
		and ($m.peer_lost or $p.direction == "uni" or $p.trigger == "echo")
		and if $p.trigger == "echo"
		then ($m.latency.count // 0) + $m.unanswered.value == $p.iterations
		else $m.message_rate.value > 0 end] | all and length > 0' "${@:2}"
}

settled "write" '.points[0].metrics.latency.percentiles["50"]' 0 latency --verb write -n 500
ctl run latency -c uc --verb send,write-imm --completion "$(sample 0 $polled)" -n 100 \
	--warmup 10 "${patience[@]}" --json "$tmp/json"
done_well "ping-pongs"
accounted "ping-pongs"
ctl run latency -c uc,ud --completion softirq,workqueue -n 100 --warmup 10 \
	--verify "$(sample 1 no,yes)" "${patience[@]}" --json "$tmp/json"
done_well "ping-pongs by callbacks"
accounted "ping-pongs by callbacks"
ctl run latency -c uc,ud --completion softirq -n 100 --warmup 10 -q 3 "${patience[@]}" \
	--json "$tmp/json"
done_well "ping-pongs by callbacks on several QPs"
accounted "ping-pongs by callbacks on several QPs"
ctl run bilatency -c uc,ud --completion "$(sample 1 $polled)" -n 100 --warmup 10 \
	--verify no,yes "${patience[@]}" --json "$tmp/json"
done_well "ping-pongs whose messages cross"
accounted "ping-pongs whose messages cross"
ctl run bilatency -c uc --verb write-imm -n 100 --warmup 10 "${patience[@]}" --json "$tmp/json"
done_well "write-imm that crosses"
accounted "write-imm that crosses"
turn=0
for name in completion-modes interrupt blocking; do
	sampled $((turn++)) || continue
	ctl run "$name" -c uc -n 50 --warmup 10 --json "$tmp/json"
	done_well "$name"
done
ctl run latency -c uc --verb write -n 100 --warmup 10 "${patience[@]}" --json "$tmp/json"
done_well "ping-pong, seen in memory"
accounted "ping-pong, seen in memory"
ctl run bandwidth -c uc --verb send,write-imm -s 8 -n 200 --warmup 10 --window 8 \
	--completion "$(sample 1 $any)" "${patience[@]}" --json "$tmp/json"
done_well "streams"
accounted "streams" \
	"... and how steadily it came is the responder's to say" '[.points[].metrics
	| .bandwidth_min.value > 0 and .bandwidth_min.value <= .bandwidth_median.value] | all'
turn=0
for dist in uniform exponential; do
	verified=$(sample $turn no,yes)
	turn=$((turn + 1))
	ctl run bandwidth -c uc,ud --verb send --size-dist $dist -s 100 -n 300 --warmup 10 \
		--window 8 --verify "$verified" "${patience[@]}" --json "$tmp/json"
	done_well "streams of $dist sizes"
	accounted "streams of $dist sizes" \
		"... in bytes that have come" '[.points[].metrics | .bandwidth.value > 0
		and .size_mean.value > 50 and .size_mean.value < 200]
		| all and length == 2 * '"$(count_of "$verified")"
done
ctl run load -c uc,ud --verb send --size-dist exponential -s 100 --rate 5000 -n 100 --warmup 10 \
	--json "$tmp/json"
done_well "open loops of different sizes"
accounted "open loops of different sizes"
ctl run bandwidth -c rc,uc -s 8 -n 200 --warmup 10 --window 8 "${patience[@]}" --json "$tmp/json"
done_well "a stream of writes"
json "... is told of by immediate data, where it may be lost" '
	[.points[].parameters | [.transport, .verb, .notify]]
	== [["rc", "write", "none"], ["uc", "write", "imm"]] and .points[1].metrics.lost'
ctl run load -c uc --rate 5000 -n 100 --warmup 10 --json "$tmp/json"
done_well "an open loop of writes"
accounted "an open loop of writes"
ctl run bandwidth -c uc --verb send -s 8 -n 200 --warmup 10 --window 8 -q 3 "${patience[@]}" \
	--json "$tmp/json"
done_well "a stream on several QPs"
accounted "a stream on several QPs"
ctl run load -c uc --verb send --rate 5000 -n 100 --warmup 10 --json "$tmp/json"
done_well "an open loop"
accounted "an open loop"

ctl run bandwidth -c uc --verb send,write-imm -s 8 -n 300 --warmup 10 --window 8 --direction bi \
	--completion "$(sample 2 $any)" "${patience[@]}" --json "$tmp/json"
done_well "streams in both directions"
accounted "streams in both directions"
ctl run latency -c uc --verb send -n 100 --warmup 10 -q 1,3 "${patience[@]}" --json "$tmp/json"
done_well "a ping-pong on several QPs"
accounted "a ping-pong on several QPs"
ctl run latency -c uc,ud --verb send -n 100 --warmup 10 --verify yes "${patience[@]}" \
	--json "$tmp/json"
done_well "ping-pongs, each message compared"
accounted "ping-pongs, each message compared"
ctl run bandwidth -c uc,ud --verb send -s 100 -n 300 --warmup 10 --window 8 \
	--direction "$(sample 1 uni,bi)" --verify yes "${patience[@]}" --json "$tmp/json"
done_well "streams, each message compared"
accounted "streams, each message compared"
turn=0
for how in "--buffers 5" "--reuse 50"; do
	for recipe in latency "bandwidth -s 100 --window 8"; do
		number=$((turn++))
		sampled $((2 * (number / 2))) $((2 * (number % 2))) || continue
		# shellcheck disable=SC2086 # several words
		ctl run $recipe -c uc,ud --verb send $how -n 200 --warmup 10 "${patience[@]}" \
			--json "$tmp/json"
		done_well "$recipe with $how"
		accounted "$recipe with $how"
	done
done
ctl run bandwidth -c uc,ud --verb send -s 8 -n 500 --warmup 10 --window 8 --workers 2 \
	"${patience[@]}" --json "$tmp/json"
done_well "streams of two workers"
accounted "streams of two workers"
ctl run load -c uc,ud --verb send --rate 3000 -n 100 --warmup 10 --workers 2 --json "$tmp/json"
done_well "open loops of two workers"
accounted "open loops of two workers"

ctl run latency -c ud --completion "$(sample 2 $polled)" -s 1,1024 -n 100 --warmup 10 \
	"${patience[@]}" --json "$tmp/json"
done_well "ping-pongs of datagrams"
accounted "ping-pongs of datagrams"
for how in "--sges 3" "--inline 64" "--registration frwr" "-s 0"; do
	# shellcheck disable=SC2086 # several words
	ctl run latency -c ud $how -n 50 --warmup 10 "${patience[@]}" --json "$tmp/json"
	done_well "datagrams with $how"
	json "datagrams with $how: one lost at most" '.points[0].metrics.latency.count >= 49'
done
ctl run bandwidth -c ud --verb send -s 8,1024 -n 200 --warmup 10 --window 8 \
	--completion "$(sample 3 $any)" "${patience[@]}" --json "$tmp/json"
done_well "streams of datagrams"
accounted "streams of datagrams"
# more QPs than fit into one message of the control connection
ctl run bandwidth -c ud --verb send -s 8 -n 500 --warmup 10 --window 8 -q 200 --batch 4 \
	"${patience[@]}" --json "$tmp/json"
done_well "a stream of datagrams on several QPs"
accounted "a stream of datagrams on several QPs"
ctl run bandwidth -c ud --verb send -s 8 -n 300 --warmup 10 --window 8 --direction bi \
	--completion "$(sample 0 $any)" "${patience[@]}" --json "$tmp/json"
done_well "streams of datagrams in both directions"
accounted "streams of datagrams in both directions"
ctl run latency -c ud -n 100 --warmup 10 -q 3 "${patience[@]}" --json "$tmp/json"
done_well "a ping-pong of datagrams on several QPs"
accounted "a ping-pong of datagrams on several QPs"
ctl run load -c ud --verb send --rate 5000 -n 100 --warmup 10 --json "$tmp/json"
done_well "an open loop of datagrams"
accounted "an open loop of datagrams"

ctl run descriptor -c uc,ud -s 64,1024 --sges 1 -n 300 --warmup 10 --json "$tmp/json"
done_well "calls that post and poll"
json "... are each timed" '[.points[].metrics
	| .post_send.count, .post_recv.count, .poll.count, .poll_empty.count, .descriptor.count]
	== [range(20) | 300]'
ctl run descriptor -c uc,ud --sges 3 --max-sges 4 -n 50 --warmup 10 --json "$tmp/json"
done_well "calls with several segments"
ctl run descriptor -c ud -n 50 --warmup 10 --json "$tmp/json"
[ "$rc" -eq 0 ] && grep -q "sges: measured up to 16, because $device supports at most 31" "$tmp/err"
report $? "as many segments as a datagram can have"
ctl run latency -c ud -n 50 --warmup 10 --sges 31
done_well "... in a ping-pong"
sges=$(icbenchctl devices --json | jq '.[0]["max-recv-sge"] - 1')
ctl run descriptor -c ud -n 50 --sges "$((sges + 1))"
refused "... and no more" 2 "sges: $((sges + 1)) is more than .*accepted: 1 to $sges .max_recv_sge"

ctl run latency -c rc -n 100 --json "$tmp/json"
json "rc loses nothing" '.points[0].metrics | has("lost") or has("unanswered") | not'

for verb in read fetch-add cmp-swap; do
	ctl run latency -c uc --verb "$verb"
	refused "$verb" 2 "verb: $verb is not possible with transport uc.*accepted: "
done
ctl run bandwidth -c uc --verb write --notify none
refused "a stream of writes that nobody sees" 2 'verb: .*accepted: '
for verb in register connect calibrate; do
	ctl run "$verb" -c uc
	refused "$verb" 2 "transport: uc is not possible with verb $verb, which .*accepted: rc"
done
ctl run latency -c uc --verb write-imm --verify yes
refused "verify of writes" 2 'verify: .*accepted: no, or verb send'
ctl run bilatency -c uc --verb write
refused "writes that cross, seen in memory" 2 'direction: .*accepted: uni, or verb send'
ctl run bilatency -c uc -q 2
refused "messages that cross on several QPs" 2 'qps: .*accepted: 1'
ctl run bandwidth -c uc --verb send --reply yes
refused "reply" 2 'transport: uc .*accepted: rc'
ctl run bandwidth -c uc --verb send --size-dist uniform --direction bi
refused "different sizes both ways" 2 'size-dist: .*accepted: fixed, direction uni, or transport rc'
ctl run bandwidth -c ud --verb send --size-dist uniform -s 600
refused "a datagram larger than the path takes, now and then" 1 'size: 1198 .*accepted: 0 to 1024'
ctl run latency -c uc --verb write --buffers 2
refused "writes seen in several places" 2 'buffers: .*accepted: 1'
for verb in write write-imm read fetch-add cmp-swap; do
	ctl run latency -c ud --verb "$verb"
	refused "$verb by datagrams" 2 "verb: $verb is not possible with transport ud.*accepted: send"
done
ctl run latency -c ud -s 4097
refused "a datagram larger than any packet" 2 'size: 4097 .*accepted: 0 to 4096'
ctl run latency -c ud -s 513 -m 512
refused "a datagram larger than the MTU asked for" 2 'size: 513 .*accepted: 0 to 512'
ctl run latency -c ud -s 1025
refused "a datagram larger than the path's MTU" 1 'size: 1025 .*accepted: 0 to 1024, the path MTU'
ctl run latency -c ud -m 4096
refused "an MTU larger than the path's" 2 'mtu: 4096 .*accepted: 256 to 1024'
ctl run latency -c ud --completion memory
refused "datagrams seen in memory" 2 'completion: .*accepted: '

clean "nothing is left"
done_testing
