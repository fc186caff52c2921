#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The contents of streams: each message checked, in every verb, mode and direction.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

mapfile -t verbs < <(verbs_of bandwidth)

# over iWARP the messages of a stream of plain writes cannot be verified, nor a read in pieces
case $device in
siw*)
	seen=(send read)
	pieces=send
	;;
*)
	seen=("${verbs[@]}")
	pieces=send,read,write-imm
	;;
esac
# the verbs with variable sizes
sized=()
for verb in "${seen[@]}"; do
	case $verb in fetch-add | cmp-swap) ;; *) sized+=("$verb") ;; esac
done
all_sized=$(IFS=, && echo "${sized[*]}")

# size VERB: print the message size; atomics have a fixed size
size() {
	case $1 in
	fetch-add | cmp-swap) echo 8 ;;
	*) echo 5000 ;;
	esac
}

# contents: every message of a stream, in both directions, in every mode, verified by both sides
for i in "${!seen[@]}"; do
	verb=${seen[i]}
	ctl run bandwidth --verb "$verb" --direction uni,bi -s "$(size "$verb")" --verify \
		--completion "$(sample "$i" poll,block,softirq,workqueue)" -n 200 --warmup 20 \
		--window 16 "${patience[@]}" --json "$tmp/json"
	done_well "$verb, verified"
done
case $device in
siw*)
	for verb in write "write -b"; do
		# shellcheck disable=SC2086 # words
		ctl run bandwidth --verb $verb --verify -n 200 --window 16
		refused "a later write over iWARP: $verb" 1 'verify: over iWARP .*accepted: no .*notify message$'
	done
	ctl run bandwidth --verb write --notify message --direction uni,bi --verify -s 5000 \
		--completion "$(sample 2 poll,block,softirq,workqueue)" -n 200 --warmup 20 \
		--window 16 "${patience[@]}"
	done_well "writes that are told of, verified"
	;;
*)
	json "atomics have one word" '[.points[].parameters.buffers] | all(. == 1)'
	;;
esac
ctl run bandwidth --verb "$all_sized" --verify -s 64K -D 50ms --warmup 20 --window 8 "${patience[@]}" --json "$tmp/json"
done_well "by duration, verified"
json "buffers: as many as are needed" '[.points[].parameters | .buffers == (.verb
	| if . == "send" or . == "write-imm" then 33 else 9 end)] | all'
ctl run bandwidth --verb "$all_sized" --verify --reuse 60 -n 300 --warmup 20 -s 4K --window 8 "${patience[@]}"
done_well "reuse, verified"
ctl run bandwidth --verify -s 16M
refused "more than fits" 2 'verify: .*accepted: a smaller window or size$'
clean "nothing is left"

# messages of different sizes, verified in length and content, some of them larger than a piece of
# memory
turn=0
for direction in uni bi; do
	for dist in uniform exponential; do
		some=$(sample $turn "$all_sized")
		turn=$((turn + 1))
		points=$((3 * $(count_of "$some")))
		ctl run bandwidth --verb "$some" --size-dist $dist -s 5000 --verify \
			--direction $direction --completion poll,block,softirq -n 300 --warmup 20 \
			--window 16 "${patience[@]}" --json "$tmp/json"
		done_well "sizes: $dist, $direction, verified"
		# the peer has sent the messages that are not this side's; each side has its own time
		json "... their mean is about what was asked for, and told" \
			'[.points[].metrics.size_mean | .unit == "B" and .value > 4000 and .value < 6000]
			| all and length == '$points \
			"... bandwidth is of what was moved" \
			'[.points[] | .parameters.iterations as $n | .metrics
			| ((.bytes.value + (.peer_bytes.value // 0)) / .size_mean.value - $n) as $peers
			| ($n * 1e9 / .elapsed.value + (if .peer_elapsed
				then $peers * 1e9 / .peer_elapsed.value else 0 end)) as $rate
			| (.message_rate.value / $rate - 1 | fabs) < 0.001 + 2 / $rate
				and (if .peer_elapsed then $peers > 0 else $peers | fabs < 0.1 end)]
			| all and length == '$points \
			"... and of the time that it took" "$reconciled"
	done
done
ctl run bandwidth --verb send --size-dist exponential -s 1M -n 60 --warmup 0 --window 8 --verify
done_well "sizes: some in several pieces of memory"
ctl run load --size-dist exponential -s 2000 --rate 2000 -n 300 --warmup 10 --json "$tmp/json"
done_well "sizes: an open loop"
json "... has a mean, too" '.points[0].metrics.size_mean.value > 1500'
ctl run latency --size-dist uniform
refused "sizes of a ping-pong" 2 'size-dist: uniform .*accepted: fixed, or trigger completion or clock$'
ctl run bandwidth --size-dist exponential -s 157M
refused "too large a mean" 2 'size: .*the largest message has .*accepted: at most 1073741824 bytes in the largest message$'
ctl run bandwidth --size-dist normal
refused "no such distribution" 2 'size-dist: .*accepted: fixed, uniform, exponential$'
clean "nothing is left"

# memory regions over the buffers of both sides; without them every verb is verified in modes.sh
for i in "${!verbs[@]}"; do
	verb=${verbs[i]}
	ctl run latency --verb "$verb" -s "$(size "$verb")" --registration frwr --verify -n 50 --warmup 3 \
		"${patience[@]}"
	done_well "$verb, registered"
	case " ${seen[*]} " in *" $verb "*) ;; *) continue ;; esac
	ctl run bandwidth --verb "$verb" -s "$(size "$verb")" --registration frwr \
		--direction "$(sample $((i / 2)) uni,bi)" --completion "$(sample "$i" poll,softirq)" --verify \
		-n 100 --warmup 3 --window 8 "${patience[@]}"
	done_well "a stream of $verb, registered"
done
ctl run latency --registration dma,frwr -n 50 --warmup 3 "${patience[@]}" --json "$tmp/json"
done_well "swept"
json "what is effective" '[.points[].parameters.registration] == ["dma", "frwr"]'
ctl run latency --verb $pieces --registration frwr --sges 1,3 --buffers 5 -s 9000 -n 20 --warmup 3 --verify "${patience[@]}"
done_well "segments and buffers, registered"
ctl run descriptor --registration frwr
refused "calls register by themselves" 2 'registration: .*accepted: dma$'
ctl run latency --registration frwr -s 0
refused "no bytes" 2 'registration: .*accepted: dma$'
clean "nothing is left"

# memory: buffers on the requested node
nodes=/sys/devices/system/node
# hits NODE: print how many allocations the node has served
hits() {
	awk '$1 == "numa_hit" { print $2 }' "$nodes/node$1/numastat"
}
if [ -d $nodes/node1 ]; then
	before=$(hits 1)
	ctl run latency --memory node:1 -s 8M -n 1 --warmup 0 --verify "${patience[@]}" --json "$tmp/json"
	done_well "memory of another node"
	json "... is told" '.points[0].parameters.memory == "node:1"'
	ok "... and taken: two sides, two directions, 4 pieces each" [ $(($(hits 1) - before)) -ge 16 ]
	ctl run bandwidth --verb write --memory any,node:0,node:1 -s 4K -n 200 --registration frwr "${patience[@]}"
	done_well "nodes, swept"
else
	skip "memory of another node" "a kernel without NUMA"
fi
ctl run latency --memory node:2
refused "a node that there is not" 2 'memory: this machine has no memory on node 2; accepted: any, device, node:0'
ctl run latency --memory device
refused "no memory in the device" 1 'memory: device .* has no memory of its own; accepted: any, node:N$'
ctl run latency --memory node:0 -s 0
refused "memory of no bytes" 2 'memory: .*accepted: any$'
clean "nothing is left"

# samples: the first ones, in order; their histogram is that of the result
ctl run latency -n 700 --warmup 10 --samples 20000 -s 64 --json "$tmp/json"
done_well "more samples than there are"
json "all of them" '[.points[0].metrics | .latency | (.samples | length) == 700
	and (.samples | min) == .min and (.samples | max) == .max
	and ((.samples | add) / 700 - .mean | fabs < 0.01)] | all' \
	"as the histogram has them" '[.points[0].metrics | .latency | .samples as $s
	| .histogram[] | . as $row | ([$s[] | select(. >= $row[0] and . <= $row[1])] | length) == $row[2]] | all'
ctl run bandwidth --verb send,write -n 3000 --warmup 20 --window 16 --samples 10,2900 --json "$tmp/json"
done_well "as many as are asked for, in several answers"
json "... of each" '[.points[] | .parameters.samples as $n | .metrics | .post, .interval
	| (.samples | length) == ([$n, .count] | min)] | all and length == 8'
ctl run latency -n 10 --json "$tmp/json"
json "none by default" '.points[0] | .parameters.samples == 0 and ([.metrics[] | has("samples")] | any | not)'
ctl run latency --samples 1048577
refused "no more than are kept" 2 'samples: .*accepted: 0 to 1048576$'

done_testing
