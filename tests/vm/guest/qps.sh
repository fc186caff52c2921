#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Many QPs. At the end of each run both sides compare whether each message has arrived, by any QP.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

# shared NAME: the shares of the QPs in the last streams fit the total
shared() {
	json "$1: shares" '[.points[] | .parameters as $p | .metrics as $m
		| $m.qp_min.value * $p.qps <= $p.iterations
		and $m.qp_max.value * $p.qps >= $p.iterations
		and $m.fairness.value > 0 and $m.fairness.value <= 1
		and ($m.qp_min.value == $m.qp_max.value) == ($m.fairness.value == 1)]
		| all and length > 0' \
		"$1: bandwidth x time = bytes" "$reconciled"
}

mapfile -t verbs < <(verbs_of latency)
for verb in "${verbs[@]}"; do
	ctl run latency --verb "$verb" -q 5 -n 60 --warmup 7 "${patience[@]}" \
		--json "$tmp/json"
	done_well "ping-pong of $verb"
	[ "$verb" = cmp-swap ] && continue
	ctl run bandwidth --verb "$verb" -q 5 -s 8 -n 203 --warmup 11 --window 6 \
		--direction uni,bi "${patience[@]}" --json "$tmp/json"
	done_well "stream of $verb"
	shared "stream of $verb"
done

ctl run latency -q 7 -n 100 --warmup 7 --buffers 3 --verify yes "${patience[@]}" --json "$tmp/json"
done_well "ping-pong, each message looked at"
ctl run latency -q 7 -n 100 --warmup 7 -b "${patience[@]}" --json "$tmp/json"
done_well "messages that cross"
ctl run latency -q 3 -n 100 --warmup 7 --cpu 0 --peer-cpu 0 "${patience[@]}" --json "$tmp/json"
done_well "ping-pong, one thread"
ctl run latency -q 3 -n 100 --warmup 7 --completion block,softirq,workqueue "${patience[@]}" \
	--json "$tmp/json"
done_well "ping-pong, other modes"

ctl run bandwidth --verb send -q 64 -s 64 -n 1000 --warmup 100 --window 8 \
	--direction "$(sample 1 uni,bi)" --completion poll,block,softirq,workqueue "${patience[@]}" --json "$tmp/json"
done_well "64 QPs, each mode"
shared "64 QPs, each mode"
clean "nothing is left of them"

told=block,workqueue
# on this kernel a work queue returns receives too late (Documentation/reliability.rst)
case $device,$(uname -r) in
rxe*,6.1.*-rt-*) told=block ;;
esac
ctl run bandwidth --verb send -q 1024 -s 64 -n 4096 --warmup 0 --window 4 --direction bi \
	--completion "$(sample 1 $told)" "${patience[@]}" --json "$tmp/json"
done_well "1,024 QPs that events tell of"
shared "1,024 QPs that events tell of"
qps=$(sample 1 1024,256)
ctl run latency -q "$qps" -n 1100 --warmup 0 "${patience[@]}" --json "$tmp/json"
done_well "$qps QPs, one after the other"
clean "nothing is left of 1,024"

# every post on any QP is completed there and received by the peer, in both directions
if [ -z "${ICBENCH_QUICK-}" ]; then
	ctl run bandwidth --verb send -q 4096 -s 64 -n 16384 --warmup 0 --window 2 --direction bi \
		--completion block --timeout 60s --json "$tmp/json"
	done_well "4,096 QPs that events tell of"
	shared "4,096 QPs that events tell of"
	json "... posted = completed" '.points[0] | .parameters.qps == 4096
		and .metrics.post.count * .parameters.batch >= 16384
		and .metrics.bytes.value == 16384 * 64 and .metrics.peer_bytes.value > 0'
	clean "nothing is left of 4,096"
fi

case $device in
siw*)	skip "more than one CQ: not with callbacks" "a CQ of siw's has room for them all" ;;
*)
	ctl run bandwidth -q 1024 --completion softirq -n 10
	refused "more than one CQ: not with callbacks" 1 \
		'qps: .*accepted: 1 to [0-9]*, or a smaller window$'
	;;
esac

icbenchctl serve --bind 10.77.0.1 --max-qps 8 >"$tmp/serve" 2>&1 </dev/null &
server=$!
until_true 20 grep -q "^listening" "$tmp/serve"
ctl run latency 10.77.0.1 -q 9 -n 10
refused "a responder allows no more than it was told to" 1 'refused by the peer: qps: .*needs 9'
ctl run latency 10.77.0.1 -q 8 -n 50 --warmup 0 --json "$tmp/json"
done_well "but as many"
kill -INT $server
wait $server

icbenchctl run bandwidth -q 1024 -s 64 -D 100s --window 4 --json "$tmp/json" >"$tmp/out" 2>"$tmp/err" &
job=$!
measuring() {
	icbenchctl jobs | grep -q measuring
}
until_true 60 measuring
from=$(now_ms)
kill -INT $job
wait $job
rc=$?
took=$(($(now_ms) - from))
note "1,024 QPs stopped within $took ms"
[ $rc -eq 1 ] && jq -e .partial "$tmp/json" >/dev/null
report $? "Ctrl-C with 1,024 QPs"
clean "nothing is left after Ctrl-C"

# more memory than is available; some is left to the host
mkdir "$tmp/full"
mount -t tmpfs -o size=100% full "$tmp/full"
left=$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)
head -c $((left - 300))M /dev/zero >"$tmp/full/file"
ctl run latency -q 4096 -n 4096 --timeout 60s
refused "4,096 QPs, and 300 MiB" 1 \
	'qps: (4096 take more memory than this host has: [0-9]+ MiB are left after [0-9]+ of them; accepted: fewer|the queues of this side take [0-9]+ MiB, and this host has [0-9]+ MiB for runs; accepted: a smaller number)$'
note "$(cat "$tmp/err")"
umount "$tmp/full"
clean "nothing is left of them"
ctl run latency -n 10 --warmup 5
done_well "one works"
done_testing
