#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The reference: perftest and icbench measure the same on the same device in the same boot. The
# figures are printed for the report; on a busy host they mean little.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

n=2000

# perftest_listens: whether perftest listens at TCP port 18515, of either family
perftest_listens() {
	grep -qE ':4853 [0-9A-F]+:0000 0A ' /proc/net/tcp /proc/net/tcp6
}

# perftest TOOL ARGUMENT...: set p50 and p99 to the typical latency and the 99th percentile, us
perftest() {
	local server

	timeout 120 "$@" -d rxe0 -x 1 -s 64 -n $n >"$tmp/server" 2>&1 </dev/null &
	server=$!
	until_true 30 perftest_listens
	run "$@" -d rxe0 -x 1 -s 64 -n $n 10.77.0.1
	wait $server
	# #bytes #iterations t_min t_max t_typical t_avg t_stdev 99% 99.9%
	read -r _ _ _ _ p50 _ _ p99 _ < <(grep '^ *64 ' "$tmp/out")
	[ "$rc" -eq 0 ] && [ -n "$p99" ]
	report $? "$*"
	note "$(printf '%-40s p50 %10s us   p99 %10s us' "$*" "$p50" "$p99")"
}

# icbench ARGUMENT...: the same for icbench
icbench() {
	ctl run latency -n $n --json "$tmp/json" "$@"
	done_well "icbench $*"
	read -r p50 p99 < <(jq -r '.points[0].metrics.latency.percentiles
		| "\(.["50"] / 1000) \(.["99"] / 1000)"' "$tmp/json")
	note "$(printf '%-40s p50 %10s us   p99 %10s us' "icbench $*" "$p50" "$p99")"
}

perftest ib_send_lat
icbench --completion poll
perftest ib_send_lat -e
icbench --completion block
icbench --completion softirq
icbench --completion workqueue
perftest ib_write_lat
icbench --verb write
clean "nothing is left"

done_testing
