#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The contents of streams: each message checked, in every verb, mode and direction, or the
# last one in each buffer where nobody is told of them.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

mapfile -t verbs < <(verbs_of bandwidth)

# size VERB: what is sent; atomics have a size of their own
size() {
	case $1 in
	fetch-add | cmp-swap) echo 8 ;;
	*) echo 5000 ;;
	esac
}

# contents: every message of a stream, both ways, in every mode, by both ends of a run
for verb in "${verbs[@]}"; do
	for direction in uni bi; do
		ctl run bandwidth --verb "$verb" --direction $direction -s "$(size "$verb")" --verify \
			--completion poll,block,softirq,workqueue -n 200 --warmup 20 --window 16 \
			"${patience[@]}" --json "$tmp/json"
		done_well "$verb, $direction, verified"
	done
done
json "atomics have one word" '[.points[].parameters.buffers] | all(. == 1)'
ctl run bandwidth --verb send,write,write-imm,read --verify -s 64K -D 100ms --window 8 --json "$tmp/json"
done_well "by duration, verified"
json "buffers: as many as are needed" '[.points[].parameters.buffers] == [33, 9, 33, 9]'
ctl run bandwidth --verb send,write,read --verify --reuse 60 -n 300 -s 4K --window 8
done_well "reuse, verified"
ctl run bandwidth --verify -s 16M
refused "more than fits" 2 'verify: .*accepted: less of window or size$'
clean "nothing is left"

# regions over the buffers of both sides
for verb in "${verbs[@]}"; do
	ctl run latency --verb "$verb" -s "$(size "$verb")" --registration dma,frwr --verify -n 50 --warmup 3 \
		"${patience[@]}" --json "$tmp/json"
	done_well "$verb, registered"
	ctl run bandwidth --verb "$verb" -s "$(size "$verb")" --registration frwr --direction uni,bi --verify \
		--completion poll,softirq -n 100 --warmup 3 --window 8 "${patience[@]}"
	done_well "a stream of $verb, registered"
done
json "what is effective" '[.points[].parameters.registration] == ["dma", "frwr"]'
ctl run latency --verb send,read,write-imm --registration frwr --sges 1,3 --buffers 5 -s 9000 -n 20 --verify "${patience[@]}"
done_well "segments and buffers, registered"
ctl run descriptor --registration frwr
refused "calls register by themselves" 2 'registration: .*accepted: dma$'
ctl run latency --registration frwr -s 0
refused "no bytes" 2 'registration: .*accepted: dma$'
clean "nothing is left"

# samples: the first ones, in order; their histogram is that of the distribution
ctl run latency -n 700 --samples 20000 -s 64 --json "$tmp/json"
done_well "more samples than there are"
json "all of them" '[.points[0].metrics | .latency | (.samples | length) == 700
	and (.samples | min) == .min and (.samples | max) == .max
	and ((.samples | add) / 700 - .mean | fabs < 0.01)] | all'
json "as the histogram has them" '[.points[0].metrics | .latency | .samples as $s
	| .histogram[] | . as $row | ([$s[] | select(. >= $row[0] and . <= $row[1])] | length) == $row[2]] | all'
ctl run bandwidth --verb send,write -n 3000 --window 16 --samples 10,2900 --json "$tmp/json"
done_well "as many as are asked for, in several answers"
json "... of each" '[.points[] | .parameters.samples as $n | .metrics | .post, .interval
	| (.samples | length) == ([$n, .count] | min)] | all and length == 8'
ctl run latency -n 10 --json "$tmp/json"
json "none by default" '.points[0] | .parameters.samples == 0 and ([.metrics[] | has("samples")] | any | not)'
ctl run latency --samples 1048577
refused "no more than are kept" 2 'samples: .*accepted: 0 to 1048576$'

done_testing
