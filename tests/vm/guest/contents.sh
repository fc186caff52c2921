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

done_testing
