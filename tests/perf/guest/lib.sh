# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Shared by the parts of the benchmark.

# listening: whether perftest's server accepts connections, at TCP port 18515, or with -R at the
# same port of the connection manager
listening() {
	grep -q ':4853 .* 0A ' /proc/net/tcp /proc/net/tcp6 ||
		rdma resource show cm_id 2>/dev/null | grep -q 'state LISTEN .*:18515 '
}

# attempt FIELD[,FIELD...] TOOL [OPTION...]: like perftest, but try once
attempt() {
	local fields=$1 server

	shift
	timeout 120 "$@" >/dev/null 2>&1 &
	server=$!
	until listening; do
		kill -0 $server 2>/dev/null || return 1
		sleep 0.05
	done
	timeout 120 "$@" 10.77.0.1 2>/dev/null |
		awk -v fields="$fields" '$1 ~ /^[0-9]+$/ && NF >= 5 {
			n = split(fields, field, ",")
			for (i = 1; i <= n; i++)
				printf "%s%s", $field[i], i < n ? " " : "\n"
		}'
	wait $server
}

# perftest FIELD[,FIELD...] TOOL [OPTION...]: print these fields of the row of its result. Try again
# if there is none, because perftest sometimes ends without a result.
perftest() {
	local row

	for _ in 1 2 3; do
		row=$(attempt "$@")
		[ -z "$row" ] || break
	done
	echo "$row"
}

# peer_latency TOOL [OPTION...]: print perftest's typical one-way latency, ns
peer_latency() {
	perftest 5 "$@" | awk '{ printf "%.0f\n", $1 * 1000 }'
}

# peer_tail TOOL [OPTION...]: print its 99th percentile divided by its typical latency, in 1/1000
peer_tail() {
	perftest 5,8 "$@" | awk '{ printf "%.0f\n", $2 / $1 * 1000 }'
}

# peer_bandwidth TOOL [OPTION...]: print its bandwidth, KB/s; perftest's MB have 2^20 bytes
peer_bandwidth() {
	perftest 4 "$@" | awk '{ printf "%.0f\n", $1 * 1048.576 }'
}

# icbench [OPTION...]: print icbench's median one-way latency, ns
icbench() {
	# a time limit, so that it does not run beside the next measurement
	timeout 60 icbenchctl run latency --json /tmp/result.json "$@" >/dev/null
	jq '.points[0].metrics.latency.percentiles["50"]' /tmp/result.json
}

# icbench_tail [OPTION...]: print its 99th percentile divided by its median, in 1/1000
icbench_tail() {
	timeout 60 icbenchctl run latency --json /tmp/result.json "$@" >/dev/null
	jq '.points[0].metrics.latency.percentiles | .["99"] / .["50"] * 1000 | round' \
		/tmp/result.json
}

# icbench_bandwidth [OPTION...]: print its bandwidth, KB/s
icbench_bandwidth() {
	timeout 120 icbenchctl run bandwidth --json /tmp/result.json "$@" >/dev/null
	jq '.points[0].metrics.bandwidth.value / 1000 | round' /tmp/result.json
}

# median of the numbers on standard input
median() {
	sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'
}

# figure NAME ICBENCH PEER WANTED: a ratio of at most WANTED, or of at least N for >=N
figure() {
	awk -v name="$1" -v ours="$2" -v peer="$3" -v wanted="$4" 'BEGIN {
		least = wanted ~ /^>=/
		sub(/^>=/, "", wanted)
		if (ours == "" || peer == "" || peer == 0) {
			printf "  %-42s %12s %12s  not measured\n", name, ours, peer
			exit 1
		}
		ratio = ours / peer
		printf "  %-42s %12.0f %12.0f %8.3f %8s  %s\n", name, ours, peer, ratio,
			(least ? ">= " : "<= ") wanted,
			(least ? ratio >= wanted : ratio <= wanted) ? "" : "NOT REACHED"
	}'
}
