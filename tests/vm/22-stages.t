#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The stages of an interrupt: with two CPUs, one of which observes the arrivals; and on one CPU
# whose clock counts instructions, where the stages are the same after each boot.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"

vm=$top/tests/vm

boot() {
	local name=$1

	shift
	"$vm/run" --timeout 500 "$@" >"$tmp/$name"
	status=$?
	relay "$name" "$tmp/$name"
	is "$name: the machine" $status 0
}

boot stages --with tests/delays -- bash "$vm/guest/stages.sh"
boot first --icount -- bash "$vm/guest/stages-icount.sh"
boot second --icount --with tests/delays -- bash "$vm/guest/stages-icount.sh" delays
for name in first second; do
	grep '^# p50:' "$tmp/$name" >"$tmp/$name.p50"
done
# The instructions are the same; printed values are the middle of a bucket, within the extremes. If
# the device has threads, their order differs a little between samples. With the thread of a work
# queue there are two orders, each of which applies to a whole run; they are up to 16 % apart.
threads=0
! grep -q '^# the device works in threads' "$tmp/first" || threads=1
alike() {
	paste -d ' ' "$tmp/first.p50" "$tmp/second.p50" | tr -d , | awk -v threads=$threads '
		{
			for (i = 1; i <= NF / 2; i++) {
				a = $i; b = $(i + NF / 2)
				part = 100
				if (threads && $(i - 1) ~ /^(wake|interrupt)$/)
					part = $3 == "workqueue:" ? 5 : 50
				if (a != b && (a - b > a / part || b - a > a / part || a + 0 != a))
					bad++
			}
			lines++
		}
		END { exit bad || lines != 3 }' || cat "$tmp/first.p50" "$tmp/second.p50"
}

is "the medians of the stages are the same" "$(alike)" ""

done_testing
