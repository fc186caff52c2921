#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The receiver of a stream shares its CPU with another busy thread, and has few receives: two
# windows of them with verify or with several QPs. RoCE sends a message without a receive again, but
# an iWARP connection breaks. Therefore the sender has to wait for the receiver's credits.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

taskset -c 1 sh -c 'while :; do :; done' &
busy=$!
trap 'kill $busy 2>/dev/null; tap_cleanup' EXIT

cpus=(--cpu 0 --peer-cpu 1)
modes=(poll softirq block)
[ -n "${ICBENCH_QUICK-}" ] || modes+=(workqueue adaptive timer)

stream() {
	ctl run bandwidth --verb send --completion "$completion" --direction "$direction" \
		--verify --window 8 -s 8K -n 200 --warmup 20 "${cpus[@]}" \
		"${patience[@]}" --json "$tmp/json"
	done_well "a stream, $completion, $direction"
	reconciles "a stream, $completion, $direction"
}

stream_of_qps() {
	ctl run bandwidth --verb send --completion "$completion" --direction "$direction" \
		-q 8 --window 2 -s 8 -n 800 --warmup 50 "${cpus[@]}" "${patience[@]}"
	done_well "a stream of 8 QPs, $completion, $direction"
}

for mode in "${!modes[@]}"; do
	completion=${modes[mode]}
	for direction in $(either "$mode" uni bi); do
		for part in $(either $((mode / 2)) stream stream_of_qps); do
			$part
		done
	done
	case $completion in adaptive | timer) continue ;; esac
	sampled $((2 * mode)) || continue
	ctl run load --verb send --completion "$completion" --window 64 --rate 100000000 \
		-s 8 -n 1500 --warmup 0 "${cpus[@]}" "${patience[@]}" --json "$tmp/json"
	done_well "an open loop, $completion"
	json "... leaves no operation out" '.points[0].metrics.latency.count == 1500'
done
ctl run bandwidth --verb write --notify message --direction uni,bi --verify --window 8 -s 8K \
	-n 200 "${cpus[@]}" "${patience[@]}"
done_well "writes that are told of"
ctl run bandwidth --verb send -s 8 --window 1024 -n 5000 "${cpus[@]}" "${patience[@]}"
done_well "a large window"
ctl run bandwidth --verb send -s 64 --size-dist uniform --window 8 --verify -n 200 "${cpus[@]}" \
	"${patience[@]}"
done_well "messages of different sizes"
# on a CPU with a busy thread, with one thread for both sides
ctl run bandwidth --verb send --direction uni,bi --completion poll,block --verify --window 8 \
	-s 8K -n 200 --cpu 1 --peer-cpu 1 "${patience[@]}"
done_well "one CPU for both"
for completion in block workqueue; do
	interrupted "a stop does not wait for who is slow, $completion" \
		icbenchctl run bandwidth --verb send --completion $completion --verify --window 8 \
			-s 64K -n 1000000000 "${cpus[@]}"
done
kill $busy
clean "nothing is left"

# A device that takes long to post a message: credits are sent before a whole window is used.
driver=${ICBENCH_DEVICE:-rxe0}
if insmod "$ICBENCH_WITH/delay.ko" function="${driver%%[0-9]*}_post_send" us=20000 2>/dev/null; then
	for mode in "${!modes[@]}"; do
		completion=${modes[mode]}
		for qps in $(either "$mode" 1 4); do
			verb="write"
			[ "$qps" -gt 1 ] || verb="send"
			interrupted "a stop does not wait for a window, $completion, $qps QPs" \
				icbenchctl run bandwidth --verb $verb --completion "$completion" \
					--window 1024 -q "$qps" -s 8 -D 600 --warmup 0 "${cpus[@]}"
		done
	done
	is "each post took long" "$(($(</sys/module/delay/parameters/calls) > 24))" 1
	rmmod delay
else
	skip "a device that is slow to be told" "this kernel has no probe there"
fi
clean "nothing is left of that"

# A host that is slow to receive control messages, of which few can be queued: a side that waits
# does not send further ones.
if insmod "$ICBENCH_WITH/delay.ko" function=icbench:recv_done us=700000 2>/dev/null; then
	ctl run latency --completion block -n 20 --warmup 5 "${patience[@]}"
	done_well "control messages that are taken late"
	is "they were" "$(($(</sys/module/delay/parameters/calls) > 3))" 1
	rmmod delay
else
	skip "control messages that are taken late" "this kernel has no probe there"
fi
clean "nothing is left of these"

# A side is notified late that its message was sent. It may time out when the peer has the message
# and continues, also with one thread for both sides.
late=0
for ((n = 0; n < 8; n++)); do
	insmod "$ICBENCH_WITH/delay.ko" function=icbench:chan_send_done us=$((600000 * slow)) skip=$n most=1 \
		2>/dev/null || break
	ctl run latency -n 100 --warmup 5 --cpu 0 --peer-cpu 0 --timeout $((300 * slow))ms
	late=$((late + $(</sys/module/delay/parameters/calls)))
	rmmod delay
	[ "$rc" -le 1 ] && [ "$(wc -l <"$tmp/err")" -eq "$rc" ]
	report $? "message $n is known late to have gone: ends in words, if at all"
done
if [ $n -gt 0 ]; then
	ok "they were late" test $late -gt 2
else
	skip "messages that are known late to have gone" "this kernel has no probe there"
fi
clean "nothing is left of those"

done_testing
