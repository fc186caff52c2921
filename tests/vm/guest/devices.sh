#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Two devices. Each run compares the contents of the buffers at its end, and with verify those of
# each message.

# shellcheck source=tests/vm/guest/second.sh
. "${BASH_SOURCE[0]%/*}/second.sh"

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

two=(-d "$device" -d "$second")
stripe=("${two[@]}" --policy stripe --verb write --notify message)
bind=("${two[@]}" --policy bind)
channels=("${two[@]}" --policy channels)
# iWARP has no uc and no immediate data. Its plain writes cannot be verified one by one, and the
# data that it reads arrives in a memory region of one device.
case $device in
siw*)	unacknowledged='' verbs=(send write) ways=(send "write --notify message") ;;
*)	unacknowledged=yes verbs=(send write read)
	ways=(send write "write --notify imm" "write --notify message")
	;;
esac

# messages of a stream
count=1000
[ "$one_in" -eq 1 ] || count=250

second_ready() {
	icbenchctl devices | grep -q '10\.78\.0\.1\|^siw1.*active'
}
until_true 20 second_ready

# packets DEVICE: print how many packets it has sent; nothing if it does not count them
packets() {
	{ echo "$(<"/sys/class/infiniband/$1/ports/1/hw_counters/sent_pkts")"; } 2>/dev/null
}

# over ARGUMENT...: run, and set first and other: packets that each device has sent for it
over() {
	local a b

	a=$(packets "$device")
	b=$(packets "$second")
	ctl run "$@" "${patience[@]}" --json "$tmp/json"
	first=$(($(packets "$device") - a))
	other=$(($(packets "$second") - b))
}

# halves NAME [PERCENT]: test that each device has sent about half of the packets, apart from
# those of the control connection: one at most 15 % (or PERCENT) more than the other
halves() {
	local most=$((100 + ${2-15}))

	[ -n "$(packets "$device")" ] || {
		skip "$1" "the device does not count packets"
		return
	}
	note "packets: $first and $other"
	[ "$other" -gt 100 ] && [ $((first * 100)) -lt $((other * most + 10000)) ] &&
		[ $((first * most)) -gt $((other * 100)) ]
	report $? "$1"
}

pingpongs=("${verbs[@]}")
# of a sample, the verbs are the points of one run
[ "$one_in" -eq 1 ] || pingpongs=("$(IFS=,; echo "${verbs[*]}")")
for verb in "${pingpongs[@]}"; do
	over latency "${bind[@]}" --verb "$verb" -s 2K -n 200 --warmup 20 --verify
	done_well "bind: ping-pong of $verb"
	halves "bind: ping-pong of $verb: half by each"
done
case $device in
siw*)	ctl run latency "${bind[@]}" --verb read -s 2K -n 200
	refused "bind: a read over iWARP" 1 'verb: .*accepted with several devices: send, write'
	;;
esac
json "bind: what was asked for" '.points[0].parameters
	| .device == "'"$device,$second"'" and .policy == "bind" and .qps == 2
	and (has("port") or has("stripe-threshold") | not)' \
	"bind: the environment is the first device's" '.environment.device == "'"$device"'"'
over bandwidth "${bind[@]}" -s 4K -n $((2 * count)) --warmup 100 --window 16
done_well "bind: stream"
# the next message uses the device that has room, which depends on the scheduling
halves "bind: stream: half by each" 50
over bandwidth "${bind[@]}" -q 4 --verb send -s 4K -n $count --warmup 100 --window 8 -b \
	--completion poll,block,timer
done_well "bind: streams both ways, two QPs on each, other modes"
halves "bind: streams both ways: half by each" 50
if [ -n "$unacknowledged" ]; then
	over bandwidth "${bind[@]}" -c uc --verb send -s 1K -n 2000 --warmup 100 --window 16
	done_well "bind: stream of uc"
	halves "bind: stream of uc: half by each" 50
	json "bind: stream of uc: accounted for" '.points[0] | .parameters.transport == "uc"
		and .metrics.lost.value <= 2100 and (.metrics.message_rate.value > 0 or .metrics.lost.value >= 2000)'
	over bandwidth "${bind[@]}" -q 4 -c uc --verb send -s 1K -n $count --warmup 100 --window 8 -b \
		--completion poll,block
	done_well "bind: streams of uc both ways, two QPs on each"
	halves "bind: streams of uc both ways: half by each" 50
	json "bind: streams of uc both ways: accounted for" '[.points[].metrics
		| .lost.value >= 0 and .peer_lost.value >= 0] | length == 2 and all'
	ctl run bandwidth "${bind[@]}" -c uc,ud --verb send -s 1K -n $count --warmup 100 --window 16 --workers 2 \
		"${patience[@]}" --json "$tmp/json"
	done_well "bind: uc and ud, a worker for each"
	json "bind: uc and ud, a worker for each: accounted for" '[.points[].metrics | .lost.value >= 0]
		| length == 2 and all'
fi
over latency "${bind[@]}" -q 3 -n 99 --buffers 5 --verify --cpu 0 --peer-cpu 0
done_well "bind: more QPs than devices, buffers, one thread"
clean "nothing is left of bind"

# each device is connected to itself: the data that only the initiator sends is on the first device
over bandwidth "${channels[@]}" --reply --verb send -s 4K -n 640 --warmup 64 --window 16
done_well "channels: windows, and answers to them"
if [ -n "$(packets "$device")" ]; then
	note "packets: $first and $other"
	# a window has at least 16 messages of 4 data packets, and the answer to it is one packet
	[ "$other" -ge 44 ] && [ $((other * 10)) -lt "$first" ]
	report $? "channels: windows by the first, answers by the second"
else
	skip "channels: windows by the first, answers by the second" "the device does not count packets"
fi
channels_pingpong() {
	# shellcheck disable=SC2086 # words
	over latency "${channels[@]}" --verb $verb -s 2K -n 200 --warmup 20 --verify
	done_well "channels: ping-pong of $verb"
	halves "channels: ping-pong of $verb: messages by the first, answers by the second"
}

channels_streams() {
	# shellcheck disable=SC2086 # words
	over bandwidth "${channels[@]}" -b --verb $verb -s 2K -n $count --warmup 100 --window 16 --verify
	done_well "channels: streams of $verb both ways"
	# a side that is done sends until the other one is done, so the amounts are not known
	if [ -n "$(packets "$device")" ]; then
		[ "$first" -gt $((2 * count)) ] && [ "$other" -gt 100 ]
		report $? "channels: streams of $verb both ways: by both"
	else
		skip "channels: streams of $verb both ways: by both" "the device does not count packets"
	fi
}

for way in "${!ways[@]}"; do
	verb=${ways[way]}
	for part in $(either "$way" channels_pingpong channels_streams); do
		$part
	done
done
over latency "${channels[@]}" -b -s 100 -n 200 --warmup 20 --buffers 5 --verify \
	--completion poll,block,adaptive,timer
done_well "channels: messages that cross, other modes"
over latency "${channels[@]}" -n 99 --reuse 50 --verify --cpu 0 --peer-cpu 0
done_well "channels: buffers that are used again, one thread"
over bandwidth "${channels[@]}" -b -s 1K -n $count --warmup 100 --window 16 --completion block,adaptive,timer
done_well "channels: streams both ways, other modes"
if [ -n "$unacknowledged" ]; then
	over bandwidth "${channels[@]}" -b -c uc --verb send -s 1K -n 2000 --warmup 100 --window 16
	done_well "channels: streams of uc both ways"
	json "channels: streams of uc both ways: accounted for" '[.points[].metrics
		| .lost.value >= 0 and .peer_lost.value >= 0] | length == 1 and all'
fi

# senders DEVICE: print the QPs of connections, each with the number of its next packet to send
senders() {
	rdma -j resource show qp link "$1/1" |
		jq -r '.[] | select(.type == "RC" and .state == "RTS") | "\(.lqpn) \(.["sq-psn"])"' |
		sort
}

# moved DEVICE FILE: print how many QPs have sent since FILE was written
moved() {
	senders "$1" | comm -13 "$2" - | wc -l
}

# look PREFIX: record what both devices have sent
look() {
	senders "$device" >"$1.first"
	senders "$second" >"$1.second"
}

# go_on COUNT PREFIX: whether at least COUNT QPs of each device have sent since then
go_on() {
	[ "$(moved "$device" "$2.first")" -ge "$1" ] && [ "$(moved "$second" "$2.second")" -ge "$1" ]
}

# on_each NAME COUNT ARGUMENT...: test that in endless streams COUNT QPs of each device send
on_each() {
	local name=$1 count=$2

	shift 2
	icbenchctl run bandwidth "$@" -s 4K --window 16 --warmup 10 -D 60s "${patience[@]}" \
		>"$tmp/out" 2>"$tmp/err" </dev/null &
	job=$!
	until_true 20 has_job measuring
	look "$tmp/begun"
	until_true 20 go_on "$count" "$tmp/begun"
	# a QP that sends at all sends again in this time
	look "$tmp/later"
	until_true 20 go_on "$count" "$tmp/later"
	first=$(moved "$device" "$tmp/begun.first")
	other=$(moved "$second" "$tmp/begun.second")
	kill -INT $job
	wait $job
	note "QPs that send: $first and $other"
	[ "$first" -eq "$count" ] && [ "$other" -eq "$count" ]
	report $? "$name"
}

if senders "$device" >/dev/null 2>&1 && [ -n "$(packets "$device")" ]; then
	on_each "bind: on each device both sides send" 2 "${bind[@]}" -b
	on_each "channels: on each device one side sends" 1 "${channels[@]}" -b
else
	skip "bind: on each device both sides send" "the device does not tell of its QPs"
	skip "channels: on each device one side sends" "the device does not tell of its QPs"
fi
clean "nothing is left of channels"

over latency "${stripe[@]}" -s 32K -n 100 --warmup 10 --verify
done_well "stripe: ping-pong"
halves "stripe: half by each"
json "stripe: what was asked for" '.points[0].parameters
	| .policy == "stripe" and .["stripe-threshold"] == 8192 and .qps == 1'
over latency "${stripe[@]}" -s 10001 --stripe-threshold 10000 -n 50 --warmup 5 --verify \
	--buffers 3 --completion block,adaptive,timer
done_well "stripe: pieces that are not even, buffers, other modes"
over latency "${stripe[@]}" -s 16K -n 100 --warmup 10 -b --verify
done_well "stripe: messages that cross"
over latency "${stripe[@]}" -s 3 --stripe-threshold 0 -n 100 --warmup 10 --verify --cpu 0 --peer-cpu 0
done_well "stripe: a byte and two, one thread"
halves "stripe: a byte and two: half by each"
over latency "${stripe[@]}" -s 8K -n 100 --warmup 10 --verify
done_well "stripe: at the threshold"
if [ -n "$(packets "$device")" ]; then
	[ "$other" -eq 0 ]
	report $? "stripe: at the threshold: whole, by the first"
else
	skip "stripe: at the threshold: whole, by the first" "the device does not count packets"
fi
over bandwidth "${stripe[@]}" -s 32K -n 200 --warmup 20 --window 16 --batch 3 --verify
done_well "stripe: stream"
halves "stripe: stream: half by each"
over bandwidth "${stripe[@]}" -s 32K -n 200 --warmup 20 --window 16 -b --completion poll,block
done_well "stripe: streams both ways"
halves "stripe: streams both ways: half by each"
clean "nothing is left of stripe"

# a listener at all addresses: one peer address for each device
icbenchctl serve --max-qps 2 >"$tmp/serve" 2>&1 </dev/null &
server=$!
until_true 20 grep -q "^listening" "$tmp/serve"
over latency "${stripe[@]}" --peer 10.77.0.1 --peer 10.78.0.1 -s 32K -n 50 --verify
done_well "stripe: a peer for each device"
halves "stripe: a peer for each device: half by each"
ctl run latency "${bind[@]}" -q 3 --peer 10.77.0.1 --peer 10.78.0.1 -n 10
refused "a responder counts the QPs of all devices" 1 'refused by the peer: qps: .*needs 3'
for mode in $(either 0 block poll adaptive); do
	ctl run latency "${bind[@]}" --peer 10.77.0.1 --peer 10.78.0.99 --completion "$mode" \
		-n 10 --timeout 2s
	refused "the second device's peer is not there: $mode" 1 '10\.78\.0\.99|1 of 2 data connections'
done
over latency "${stripe[@]}" --peer 10.77.0.1 --peer 10.78.0.1 -s 32K -n 50 --verify
done_well "... a new run works"
kill -INT $server
wait $server

# needs NAME ARGUMENT...: set needed, the bytes that the responder compares with its max-memory
needs() {
	ctl run latency -s 64 -n 10 "${@:2}"
	needed=$(sed -n 's/.*the run needs \([0-9]*\) bytes.*max-memory.*/\1/p' "$tmp/err")
	refused "$1" 1 'refused by the peer: size: the run needs [0-9]+ bytes.*max-memory'
}

# Each additional buffer adds an entry to the table of each device; two devices have two tables.
rm -f "$tmp/serve"
icbenchctl serve --max-memory 4K >"$tmp/serve" 2>&1 </dev/null &
server=$!
until_true 20 grep -q "^listening" "$tmp/serve"
both=("${bind[@]}" --peer 10.77.0.1 --peer 10.78.0.1)
needs "a buffer on two devices, beyond max-memory" "${both[@]}" --buffers 2
two_on_two=$needed
needs "more of them" "${both[@]}" --buffers 1000
more_on_two=$((needed - two_on_two))
needs "a buffer on one device, beyond max-memory" --peer 10.77.0.1 -d "$device" -q 2 --buffers 2
two_on_one=$needed
needs "more of these" --peer 10.77.0.1 -d "$device" -q 2 --buffers 1000
more_on_one=$((needed - two_on_one))
note "998 buffers more take $more_on_one bytes on one device, and $more_on_two on two"
[ "$more_on_two" -gt "$more_on_one" ]
report $? "max-memory counts what each device has of each buffer"
kill -INT $server
wait $server

ctl run latency "${two[@]}"
refused "two devices without a policy" 2 '^icbenchctl: device: .*policy stripe, bind or channels$'
ctl run latency --policy bind
refused "a policy without devices" 2 'policy: bind .*accepted: single, or device given 2 to 8 times$'
ctl run latency -d "$device" -d nosuch --policy bind
refused "a second device that is not there" 3 'no RDMA device "nosuch"'
ctl run latency -d "$device" -d "$second:2" --policy bind
refused "a port that a device has not" 2 'port: device .* has no port 2'
ctl run bandwidth "${stripe[@]}" -c uc
refused "pieces that may be lost" 2 'transport: uc .*accepted: rc'
ctl run bandwidth "${bind[@]}" -c uc --verb write
refused "writes of several devices that may be lost" 2 'transport: uc .*accepted: rc'
ctl run latency "${bind[@]}" -c uc
refused "a ping-pong of several devices that may be lost" 2 'transport: uc .*accepted: rc'
ctl run bandwidth "${bind[@]}" -c ud --verb send -s 1K
refused "datagrams of several devices" 2 'transport: ud .*accepted: rc'
ctl run bandwidth "${channels[@]}"
refused "a device for each way, and nothing that comes back" 2 'direction: uni .*accepted: bi, or reply yes'
ctl run latency "${channels[@]}" --verb read
refused "what the asking QP is answered by" 2 'verb: read .*accepted: send, write, write-imm'
ctl run latency "${channels[@]}" --workers 2
refused "workers with a device for each way" 2 'policy: channels .*accepted with several workers: bind'
ctl run bandwidth "${bind[@]}" --completion softirq
refused "callbacks of two devices" 2 'completion: softirq .*accepted: poll, block'
clean "nothing is left of what was refused"

policies=("${bind[*]} --verb write" "${stripe[*]}" "${channels[*]} -b")
for n in "${!policies[@]}"; do
	policy=${policies[n]}
	for part in $(either "$n" latency bandwidth); do
		window=
		[ "$part" = latency ] || window="--window 8"
		# shellcheck disable=SC2086 # words
		icbenchctl run $part -s 16K $window $policy --warmup 10 -D 60s --json "$tmp/json" \
			>"$tmp/out" 2>"$tmp/err" </dev/null &
		job=$!
		until_true 20 has_job measuring
		rdma link delete "$second"
		wait $job
		rc=$?
		cut_short "the second device goes: $policy $part" 'the device was removed'
		add_second
		until_true 20 second_ready
	done
done
clean "nothing is left of a device that has gone"
done_testing
