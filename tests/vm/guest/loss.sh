#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Machine b of tests/vm/17-loss.t. Some of the packets that it sends to machine a, which serves, are
# lost. The losses of uc and ud are counted, and rc loses nothing.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

until_true 60 icbenchctl run latency "$ICBENCH_PEER" -n 1 --warmup 0
# Every second datagram of one kind is lost while a connection is made. The connection manager sends
# a request (0x10) and a reply (0x13) again; no side waits for the last message (0x14). Outgoing
# datagrams are redirected to another link, because rxe sends a packet that was dropped on its way
# out again at once.
ip link add sink type dummy
ip link set sink up
tc qdisc add dev icb0 clsact
for lost in 0x10:egress:"mirred egress redirect dev sink" 0x13:ingress:drop \
	    0x14:egress:"mirred egress redirect dev sink"; do
	IFS=: read -r kind way action <<<"$lost"
	# shellcheck disable=SC2086
	tc filter add dev icb0 "$way" protocol ip u32 match u32 1 0xffffff at 32 \
		match u16 "$kind" 0xffff at 64 action pass random determ pipe 2 action $action
	for i in 1 2; do
		ctl run latency "$ICBENCH_PEER" -n 1 --warmup 0 --json /dev/null
		done_well "message $kind of the connection manager is lost: run $i"
		note "$took ms"
	done
	lost=$(tc -s filter show dev icb0 "$way" |
		sed -n '/action order 2/,$s/.*Sent [0-9]* bytes \([0-9]*\) pkt.*/\1/p' | head -n 1)
	[ "$lost" -gt 1 ]
	report $? "... more than one of them"
	tc filter del dev icb0 "$way"
done
tc qdisc del dev icb0 clsact
tc qdisc add dev icb0 root netem loss 3%
report $? "a link that loses"

ctl run latency "$ICBENCH_PEER" -c uc,ud -n 300 --warmup 0 --timeout 40s --json "$tmp/json"
done_well "ping-pongs of uc and ud"
json "each has an answer, or none" '[.points[].metrics | .lost.value > 0
	and .unanswered.value >= .lost.value and .latency.count + .unanswered.value == 300]
	| length == 2 and all'
ctl run bilatency "$ICBENCH_PEER" -c uc,ud -n 300 --warmup 0 --timeout 40s --verify yes \
	--json "$tmp/json"
done_well "messages of uc and ud that cross"
json "... each is there, or is not" '[.points[].metrics
	| .latency.count + .unanswered.value == 300 and .unanswered.value + .lost.value > 0]
	| length == 2 and all'
note "lost, unanswered, mean: $(jq -c '[.points[].metrics | [.lost.value, .unanswered.value, .latency.mean]]' "$tmp/json")"
ctl run latency "$ICBENCH_PEER" -c uc,ud --completion softirq,workqueue -n 150 --warmup 0 \
	--timeout 40s --verify yes --json "$tmp/json"
done_well "ping-pongs of uc and ud by callbacks"
json "... go on where one was lost" '[.points[].metrics
	| .latency.count + .unanswered.value == 150] | length == 4 and all'
json "... and some were" '[.points[].metrics | .lost.value, .unanswered.value] | min >= 0 and add > 0'
ctl run bandwidth "$ICBENCH_PEER" -c uc --verb send,write-imm -s 512 -n 800 --warmup 100 --window 16 \
	--json "$tmp/json"
done_well "streams of uc"
note "lost, bandwidth: $(jq -c '[.points[].metrics | .lost.value, .bandwidth.value]' "$tmp/json")"
ctl run bandwidth "$ICBENCH_PEER" -c ud --verb send -s 512 -n 800 --warmup 100 --window 16 -q 1,3 \
	--json "$tmp/ud"
done_well "streams of ud"
ctl run bandwidth "$ICBENCH_PEER" -c uc,ud --verb send -s 512 -n 800 --warmup 100 --window 16 --direction bi \
	--verify yes --json "$tmp/bi"
done_well "streams in both directions, each message compared"
jq -s '{ points: map(.points) | add }' "$tmp/json" "$tmp/ud" "$tmp/bi" >"$tmp/both"
mv "$tmp/both" "$tmp/json"
# on a busy host receives may be late, and most or all messages lost; then there is no bandwidth
json "some of it is lost" '[.points[].metrics | .lost.value > 0 and
	(has("bandwidth") or .lost.value >= 800)] | all'
note "lost both ways, bandwidth: $(jq -c '[.points[].metrics | [.lost.value, .peer_lost.value, .bandwidth.value]]' "$tmp/bi")"
ctl run bandwidth "$ICBENCH_PEER" -c uc,ud --verb send -s 128 --size-dist uniform -n 800 --warmup 100 \
	--window 16 --json "$tmp/json"
done_well "streams of different sizes"
json "... in bytes that have come" '[.points[].metrics | .lost.value > 0 and
	(.lost.value >= 800 or (.size_mean.value > 100 and .size_mean.value < 156))] | all'
ctl run latency "$ICBENCH_PEER" -c rc -n 100 --warmup 0 --timeout 60s --json "$tmp/json"
done_well "ping-pong of rc"
json "rc loses nothing" '.points[0].metrics | .latency.count == 100 and (has("lost") | not)'
clean "nothing is left"
done_testing
