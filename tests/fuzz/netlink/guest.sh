#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The guest's side of 20-netlink.t: MESSAGES of SEED, and what they leave.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/../../vm/guest/lib.sh"

fuzz=$top/tests/fuzz/build/netlink/fuzz
messages=$1
seed=$2

# So much may be in use afterwards that was not before: caches of the kernel's
# come and go, but one object for each message would be more.
slack=$((1 << 20))

# bytes in use of the kernel's general caches, without what waits to be freed
slab() {
	local cache

	for cache in /sys/kernel/slab/kmalloc*/shrink; do
		echo 1 >"$cache"
	done
	awk '/^kmalloc/ { sum += $2 * $4 } END { printf "%d\n", sum }' /proc/slabinfo
}

slab_is_back() {
	slab_now=$(slab)
	[ $((slab_now - slab_before)) -lt "$slack" ]
}

what_grew() {
	echo "$slab_before bytes before, $slab_now after"
	return 1
}

value() {
	sed -n "s/^$1 //p" "$tmp/report"
}

run_fuzz() {
	local status

	"$fuzz" "$@" >"$tmp/report"
	status=$?
	grep '^#' "$tmp/report"
	return "$status"
}

replays() {
	local first again

	first=$("$fuzz" --seed "$seed" --worker 1 --from 0 --count 300 --show) &&
	again=$("$fuzz" --seed "$seed" --worker 1 --from 250 --count 50 --show) &&
	[ -n "$again" ] && [ "$(tail -n 50 <<<"$first")" = "$again" ]
}

ok "a part of a run is made again as it was" replays

# another seed, so that the caches are warm and nothing is known beforehand
run_fuzz --seed $((seed + 1)) --count $((messages / 10 + 2000)) >/dev/null
clean "nothing is left of the warm-up"
slab_before=$(slab)

from=$(now_ms)
run_fuzz --seed "$seed" --count "$messages"
ok "the fuzzer ends well" test $? -eq 0
note "$(($(now_ms) - from)) ms"
ok "all was sent" test "$(value sent)" -ge "$messages"
is "every refusal of a sound message is in words" "$(value wordless)" 0
is "they name the attribute that is wrong" "$(value misnamed)" 0
is "nothing is accepted that is not as specified" "$(value lax)" 0
is "every sound message is answered" "$(value unanswered)" 0
is "the answers and events are as specified" "$(value malformed)" 0
is "every command was accepted" "$(value never)" 0
ok "events were heard" test "$(value events)" -gt 0

clean "nothing is left"
if until_true 20 slab_is_back; then
	ok "memory is not lost" true
else
	ok "memory is not lost" what_grew
fi
note "slab: $slab_before bytes before, $slab_now after"
ctl run latency -n 20
done_well "a run works"
run rmmod icbench
done_well "the module can be unloaded"
done_testing
