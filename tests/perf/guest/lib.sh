# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# What the parts of the benchmark share.

# perftest TOOL [OPTION...]: typical one-way latency, ns
perftest() {
	local server us

	timeout 60 "$@" >/dev/null 2>&1 &
	server=$!
	# it listens on TCP port 18515
	until grep -q ':4853 .* 0A ' /proc/net/tcp /proc/net/tcp6; do
		kill -0 $server 2>/dev/null || return 1
		sleep 0.05
	done
	us=$(timeout 60 "$@" 10.77.0.1 2>/dev/null | awk '$1 == 64 { print $5 }')
	wait $server
	[ -n "$us" ] && awk -v us="$us" 'BEGIN { printf "%.0f\n", us * 1000 }'
}

# icbench [OPTION...]: median one-way latency, ns
icbench() {
	# nothing else is to run beside it
	timeout 60 icbenchctl run latency -s 64 --json /tmp/result.json "$@" >/dev/null
	jq '.points[0].metrics.latency.percentiles["50"]' /tmp/result.json
}

# median of the numbers on standard input
median() {
	sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'
}

# figure NAME ICBENCH PEER WANTED
figure() {
	awk -v name="$1" -v ours="$2" -v peer="$3" -v wanted="$4" 'BEGIN {
		if (ours == "" || peer == "" || peer == 0) {
			printf "  %-42s %12s %12s  not measured\n", name, ours, peer
			exit 1
		}
		printf "  %-42s %12.0f %12.0f %8.3f %8s  %s\n", name, ours, peer,
			ours / peer, "<= " wanted,
			ours / peer <= wanted ? "" : "NOT REACHED"
	}'
}
