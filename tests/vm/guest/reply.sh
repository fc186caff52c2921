#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Windows with answers. A lost message or answer would end a run by its timeout; both sides compare
# the number of messages.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

own=()
case $device in
siw*)	ways=("--verb send" "--verb write --notify message")
	# the recipe's own verb is write-imm, which iWARP lacks
	own=(--verb send)
	;;
*)	ways=("--verb send" "--verb write-imm" "--verb write --notify message") ;;
esac

ctl run bandwidth-window "${own[@]}" -s 64 "${patience[@]}" --json "$tmp/json"
done_well "bandwidth-window"
json "... ten windows of 64, and a hundred" '.points[0] | .parameters as $p | .metrics as $m
	| $p.window == 64 and $p.refill == 64 and $p.reply == true and $p.warmup == 640
	and $m.post.count == 6400 and $m.poll.count == 100 and $m.interval.count == 100
	and $m.interval.count * $m.interval.mean <= 1.01e9 * 6400 / $m.message_rate.value'

# whole windows, a window and a part of one, less than a window
lengths=(32 37 5)
for i in "${!ways[@]}"; do
	way=${ways[i]}
	for cpu in 1 0; do
		for j in "${!lengths[@]}"; do
			sampled "$i" $((2 * cpu)) "$j" || continue
			n=${lengths[j]} batches=$(sample "$j" 1,5)
			# shellcheck disable=SC2086
			ctl run bandwidth-window $way -s 3000 --window 16 -n $n --warmup $((n - 5)) \
				--completion poll,block --batch "$batches" --cpu 0 --peer-cpu $cpu \
				"${patience[@]}" --json "$tmp/json"
			done_well "$way, $n messages, CPUs 0 and $cpu"
			json "... an answer for each window" '[.points[] | .metrics
				| (.poll.count == ('"$n"' / 16 | ceil))
				and ((.interval.count // 0) == ('"$n"' / 16 | floor))
				and (.bandwidth.value / .message_rate.value - 3000 | fabs < 1)]
				| all and length == 2 * '"$(count_of "$batches")"
		done
	done
done
# an answer is empty, however many buffers a window uses
number=0
for more in --verify "--buffers 8" "--reuse 50"; do
	# shellcheck disable=SC2086
	ctl run bandwidth-window "${own[@]}" -s 64 $more --window 8 -n 400 --warmup 16 \
		--completion "$(sample $number poll,block)" "${patience[@]}" --json "$tmp/json"
	done_well "bandwidth-window $more"
	number=$((number + 1))
	json "... of as many messages" '[.points[].metrics.post.count == 400] | all'
done
ctl run bandwidth-window "${own[@]}" -s 64 --window 1,512,1000 -n 2000 --warmup 0 "${patience[@]}"
done_well "windows of one message, and of more than there are receives by default"
interrupted "stopped in the middle of a window" icbenchctl run bandwidth-window "${own[@]}" -s 64 \
	-n 10000000000 --warmup 0 --json "$tmp/json"
json "... is partial" '.partial and .points[0].metrics.bandwidth.value > 0'
clean "nothing is left"

ctl run bandwidth-window --verb write
refused "nobody sees it arrive" 2 'reply: .*accepted: verb send, write-imm, or write with notify'
ctl run bandwidth-window --direction bi
refused "not both ways" 2 'reply: .*accepted: direction uni$'
ctl run bandwidth-window --completion softirq
refused "by a thread" 2 'reply: .*accepted: completion poll, block, adaptive, timer$'
ctl run bandwidth-window --refill 32
refused "as a whole" 2 'refill: .*accepted: 64$'
ctl run latency --reply
refused "no window" 2 'reply: only with trigger completion'
clean "nothing is left"

done_testing
