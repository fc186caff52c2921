#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Messages in segments, QPs with more SGEs, and inline messages: each message arrives as it was
# sent, up to the limits of the device, and values beyond the limits are refused.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

self=10.77.0.1
limit_of() {
	icbenchctl devices --json | jq ".[0][\"$1\"] // .[0][\"max-sge\"]"
}
send=$(limit_of max-sge)
recv=$(limit_of max-recv-sge)
read=$(limit_of max-read-sge)
both=$((send < recv ? send : recv))
note "device: $send SGEs of a send, $recv of a receive, $read of a read"

# most VERB: print the maximum number of segments of its messages
most() {
	case $1 in
	send) echo "$both" ;;
	read) echo $((read < send ? read : send)) ;;
	fetch-add | cmp-swap) echo 1 ;;
	*) echo "$send" ;;
	esac
}

mapfile -t verbs < <(verbs_of latency)

# the content of each message is compared; sizes that are a multiple of the segments, and others
for number in "${!verbs[@]}"; do
	verb=${verbs[number]}
	n=$(most "$verb")
	case $verb in
	fetch-add | cmp-swap)
		ctl run latency --verb "$verb" --sges 2 -n 10
		refused "$verb: one word" 2 'sges: verb .* works on one word; accepted: 1$'
		ctl run latency --verb "$verb" -I 8 -n 10
		refused "$verb: nothing to send" 2 'inline: verb .*; accepted: 0$'
		ctl run latency --verb "$verb" --max-sges "$both" -n 20 --warmup 3 --verify "${patience[@]}"
		done_well "$verb --max-sges $both"
		continue
		;;
	esac
	few=1
	for i in 2 3 7 "$n"; do
		[ "$i" -le "$n" ] && few+=,$i
	done
	some=$(sample "$number" 1,0)
	for cpu in ${some//,/ }; do
		ctl run latency --verb "$verb" -s "$(sample $((number / 2)) 64,2049)" --sges "$few" \
			-n 12 --warmup 2 --verify --cpu 0 --peer-cpu "$cpu" \
			"${patience[@]}" --json "$tmp/json"
		done_well "$verb in $few segments, CPUs 0 and $cpu"
		json "... are told" "([.points[].parameters.sges] | unique == ([$few] | unique))
			and all(.points[].parameters; .sges == .[\"max-sges\"])"
	done
	ctl run bandwidth --verb "$verb" -s 2049 --sges "$(sample "$number" "$few")" --window 8 --batch 3 -n 60 --warmup 9 \
		"${patience[@]}" --json "$tmp/json"
	done_well "stream of $verb in segments"
	ctl run bandwidth --verb "$verb" -s 2049 --sges "$n" --direction bi --window 8 -n 100 --warmup 9 \
		"${patience[@]}"
	done_well "stream of $verb in $n segments, in both directions"
	if [ "$n" -gt 1 ]; then
		ctl run latency --verb "$verb" -s "$n" --sges "$n" -n 12 --warmup 2 --verify "${patience[@]}"
		done_well "$verb: a byte in each segment"
	fi
	ctl run latency --verb "$verb" -s 4K --sges $((n + 1)) -n 10
	refused "$verb in $((n + 1)) segments" 2 "sges: $((n + 1)) is more than .*; accepted: 1 to $n \("
	ctl run latency --verb "$verb" --sges 9 -s 8 -n 10
	refused "$verb: more segments than bytes" 2 'sges: .*; accepted: 1 to 8$'
done
# callbacks post and receive, as threads do
ctl run latency --completion softirq,workqueue,block --sges "$both" -s 999 -n 30 --warmup 3 --verify "${patience[@]}"
done_well "send in $both segments, by every completion mode"
ctl run bilatency --verb send,write --sges "$both" -s 999 -n 30 --warmup 3 --verify "${patience[@]}"
done_well "messages in $both segments that cross"
# a buffer above 2 MiB has several pieces, so a segment that spans two of them needs one more SGE
ctl run latency -s 3M --sges 1,3 -n 1 --warmup 0 --verify "${patience[@]}" --json "$tmp/json"
done_well "send 3 MiB in 1 and in 3 segments"
json "... as many SGEs as it takes" '[.points[].parameters["max-sges"]] == [2, 3]'
ctl run latency -s 3M --max-sges 1 -n 1
refused "3 MiB in one SGE" 1 'max-sges: .*need 2 SGEs; the QP takes 1$'
clean "nothing is left"

# the number of SGEs of a QP
ctl run latency --verb send,write --max-sges "1,$both" -n 30 --warmup 3 --verify "${patience[@]}" --json "$tmp/json"
done_well "max-sges"
json "... is told" "[.points[].parameters[\"max-sges\"]] | sort | unique == [1, $both]"
ctl run latency --max-sges $((both + 1)) -n 10
refused "more than the device takes" 2 "max-sges: $((both + 1)) is more than .*; accepted: 1 to $both \("
ctl run latency --sges 3 --max-sges 2 -n 10
refused "fewer than the messages have" 2 'max-sges: 2 is less than sges, 3; accepted: 3 and more$'
ctl run segments-max -n 20 --warmup 3 --json "$tmp/json"
[ "$rc" -eq 0 ]
report $? "segments-max"
json "... up to the device's limit" "[.points[].parameters[\"max-sges\"]] | .[0] == 1
	and .[-1] <= $both and .[-1] * 2 > $both"
ctl run segments -n 20 --warmup 3 --json "$tmp/json"
done_well "segments"
json "... in 1, 2 and 4" '[.points[].parameters.sges] == [1, 2, 4]
	and ([.points[] | .repeat, .metrics.latency.count] | unique == [3, 60])'
ctl run segments --trigger completion -n 60 --warmup 3
done_well "segments, bandwidth"

# calls: one by one, with this number of SGEs
ctl run descriptor --sges "1,$both" -n 50 --warmup 3 "${patience[@]}" --json "$tmp/json"
done_well "descriptor by SGEs"
json "... each call" '[.points[].metrics | .post_send.count, .post_recv.count] | unique == [50]'
# the recipe goes up to its own maximum; on a device with a smaller one the test names the values
own=()
case $device in
siw*) own=(--sges "1,$both") ;;
esac
ctl run descriptor "${own[@]}" -I 64 -n 50 --warmup 3 "${patience[@]}"
done_well "descriptor inline"
ctl run register --sges 2
refused "register has no message" 2 'sges: verb register posts no message; accepted: 1$'
case $device in
siw*) ;;
*)
	ctl run connect --max-sges "1,$both" -n 5 --warmup 1 "${patience[@]}"
	done_well "connect by SGEs"
	;;
esac
clean "nothing is left"

# inline: messages that fit are sent inline, larger ones as usual
for number in "${!verbs[@]}"; do
	verb=${verbs[number]}
	case $verb in
	read | fetch-add | cmp-swap) continue ;;
	esac
	ctl run latency --verb "$verb" -I 48 -s 8,47,48,49,2049 --sges "$(sample "$number" 1,3)" -n 20 --warmup 3 --verify \
		"${patience[@]}" --json "$tmp/json"
	done_well "$verb inline"
	json "... is told" '[.points[].parameters.inline] | unique == [48]'
	ctl run bandwidth --verb "$verb" -I 48 -s 48 --batch 5 -n 200 --warmup 9 "${patience[@]}"
	done_well "stream of $verb inline"
done
ctl run latency -s 0,1 -I 16 -n 20 --warmup 3 --verify "${patience[@]}"
done_well "no byte, and one, inline"
ctl run latency --verb read -I 64
refused "a read sends nothing" 2 'inline: verb read .*; accepted: 0$'
ctl run latency -I 64K -n 10
refused "more than the device takes inline" 1 'inline: 65536 is more than a QP of .*; accepted: 0 to [0-9]+$'
largest=$(sed 's/.*accepted: 0 to //' "$tmp/err")
ctl run latency -s "$largest" -I "$largest" -n 20 --warmup 3 --verify "${patience[@]}"
done_well "$largest bytes inline"
ctl run latency -I $((largest + 1)) -n 10
refused "one more" 1 "inline: .*; accepted: 0 to $largest\$"
clean "nothing is left"

# a responder has its own limits
icbenchctl serve --bind $self --max-memory 3500K >"$tmp/serve" 2>&1 </dev/null &
server=$!
until_true 20 grep -q "^listening" "$tmp/serve"
report $? "serve"
ctl run latency $self --sges "$both" --max-sges "$both" -I 48 -s 48,999 -n 20 --warmup 3 --verify "${patience[@]}"
done_well "a peer"
ctl run bandwidth $self --verb send -s 64 --window 4096 -n 10 --warmup 5
done_well "a long queue within max-memory"
ctl run bandwidth $self --verb send -s 64 --window 4096 --max-sges "$both" -n 10
refused "a queue of long entries beyond max-memory" 1 'refused by the peer: .*max-memory'
kill -INT $server
wait $server
clean "nothing is left"

done_testing
