#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The guest's side of 20-netlink.t: send MESSAGES generated from SEED, and check what they leave.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/../../vm/guest/lib.sh"

fuzz=$top/tests/fuzz/build/netlink/fuzz
messages=$1
seed=$2
warm_up=$((messages / 10 + 2000))

# Bytes by which memory use may grow. Caches of the kernel fluctuate, but a leak of the smallest
# object, 8 bytes, for each message would exceed this.
slack=$((messages * 4 + (1 << 15)))

# slab: print the bytes in use of the kernel's general caches, without objects waiting to be freed
slab() {
	local cache

	for cache in /sys/kernel/slab/kmalloc*/shrink; do
		echo 1 >"$cache"
	done
	awk '/^kmalloc/ { sum += $2 * $4 } END { printf "%d\n", sum }' /proc/slabinfo
}

# slab_settles: wait until earlier objects have been freed, and record what is left
slab_settles() {
	local last

	slab_before=$(slab)
	while sleep 1; do
		last=$slab_before
		slab_before=$(slab)
		[ "$slab_before" -le $((last - 4096)) ] || break
	done
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

	first=$("$fuzz" --seed "$seed" --worker 1 --from 0 --count 600 --show | tail -n 300) &&
	again=$("$fuzz" --seed "$seed" --worker 1 --from 300 --count 300 --show) &&
	[ -n "$again" ] && [ "$first" = "$again" ]
}

# as_seeded SEED COUNT: whether each worker of the last run has sent what the generator makes
# without a kernel, regardless of the answers and their times
as_seeded() {
	same "$(grep '^digest' "$tmp/report")" "$("$fuzz" --seed "$1" --count "$2" --digest)"
}

ok "a part of a run is made again as it was" replays

# another seed, which warms the caches up without sending the messages of the test
run_fuzz --seed $((seed + 1)) --count $warm_up >/dev/null
ok "each worker of the warm-up sent what its seed makes" as_seeded $((seed + 1)) $warm_up
clean "nothing is left of the warm-up"
slab_settles

from=$(now_ms)
run_fuzz --seed "$seed" --count "$messages"
ok "the fuzzer ends well" test $? -eq 0
note "$(($(now_ms) - from)) ms"
ok "each worker sent what its seed makes, and no more" as_seeded "$seed" "$messages"
ok "all was sent" test "$(value sent)" -ge "$messages"
is "nothing could not be sent" "$(value unsent)" 0
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
note "netlink: $(value figures)"
done_testing
