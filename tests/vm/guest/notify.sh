#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Writes with notification of the receiver. Both sides compare whether each write has arrived, and
# its content; this test checks that they report no difference, and that there were as many
# notifications as writes.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

mtu=$(icbenchctl devices --json | jq '.[0].mtu')
case $device in
siw*)
	ways=(message)
	ctl run latency --verb write --notify imm
	refused "iWARP has no immediate data" 2 'notify: imm .*accepted: none, message$'
	;;
*)
	ways=(imm message)
	;;
esac

for number in "${!ways[@]}"; do
	way=${ways[number]}
	for cpu in 1 0; do
		modes=$(sample $((number + 2 * cpu)) poll,block,softirq,workqueue)
		ctl run latency --verb write --notify "$way" -s "0,64,$((mtu + 1))" -n 100 \
			--completion "$modes" --warmup 5 --verify \
			--cpu 0 --peer-cpu $cpu "${patience[@]}" --json "$tmp/json"
		done_well "a ping-pong, $way, CPUs 0 and $cpu"
		json "... each of them" '[.points[] | .parameters.notify == "'"$way"'"
			and .metrics.latency.count == 100] | all and length ==
			3 * '"$(count_of "$modes")"
	done
	ctl run bilatency --verb write --notify "$way" -s "64,$((mtu + 1))" -n 100 --warmup 5 \
		--verify "${patience[@]}"
	done_well "messages that cross, $way"
	turn=$number
	for direction in uni bi; do
		modes=$(sample "$turn" poll,block,softirq)
		turn=$((turn + 1))
		ctl run bandwidth --verb write --notify "$way" --direction $direction \
			-s "$((mtu + 1))" --completion "$modes" -n 300 --warmup 20 \
			--window 16 --batch 8 "${patience[@]}" --json "$tmp/json"
		done_well "a stream, $way, $direction"
		json "... of payload" '[.points[] | .parameters as $p | .metrics as $m
			| $m.bandwidth.value / $m.message_rate.value - $p.size | fabs < 0.01 * $p.size]
			| all and length == '"$(count_of "$modes")"
	done
	ctl run bandwidth --verb write --notify "$way" -s 64 -n 301 --warmup 7 --signal-every 1 --window 7 \
		--cpu 0 --peer-cpu 0 "${patience[@]}"
	done_well "a stream, $way, one CPU"
	# more messages than there are receives
	ctl run bandwidth --verb write --notify "$way" -s 1 -n 3000 --warmup 0 --window 512 "${patience[@]}"
	done_well "a stream, $way, long"
done
clean "nothing is left"

ctl run notification --notify "none,message" -n 300 --warmup 20 "${patience[@]}" --json "$tmp/json"
done_well "notification"
grep -q "overhead\[us\]" "$tmp/out" && grep -qE " message +poll .* [+-][0-9.]+ +[+-][0-9.]+\.\.[+-][0-9.]+( not distinguishable)?$" "$tmp/out"
report $? "... and its overhead is shown"
json "... is noticed in another way" '[.points[].parameters | [.notify, .completion]]
	== [["none", "memory"], ["message", "poll"]]'
[ "${#ways[@]}" -eq 1 ] || ctl run latency --verb write-imm -n 10 --json "$tmp/json"
[ "${#ways[@]}" -eq 1 ] || json "write-imm tells" '.points[0].parameters.notify == "imm"'

ctl run latency --notify message
refused "a send tells" 2 'notify: .*accepted: none, or verb write$'
ctl run latency --verb write --notify imm --completion memory
refused "a byte is not what is waited for" 2 'completion: memory .*accepted: poll'
ctl run latency --verb read --notify imm
refused "nobody to tell" 2 'notify: .*accepted: none, or verb write$'
clean "nothing is left"

done_testing
