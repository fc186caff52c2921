#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The part of machine b in tests/vm/70-pair.t: runs with machine a, which serves.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

token=${BASH_SOURCE[0]%/*}/token
peer=$ICBENCH_PEER

try() {
	icbenchctl run latency "$peer" -p "$1" -n 1 --warmup 0 --timeout 2s "${@:2}"
}

for port in 18515 1002 1003; do
	until_true $((60 * slow)) try $port
	report $? "$peer serves at port $port"
done
until_true $((60 * slow)) try 1001 --token-file "$token"
report $? "$peer serves at port 1001"

for verb in send write; do
	modes=poll,softirq,workqueue,block sizes=1,64,1025,64K points=16
	[ "$one_in" -eq 1 ] || sizes=1025,64K points=8
	if [ $verb = write ]; then
		modes=memory points=4
		[ "$one_in" -eq 1 ] || sizes=1,64 points=2
	fi
	ctl run latency "$peer" --verb $verb --completion $modes -s $sizes -n 50 \
		--warmup 5 --verify --json "$tmp/json"
	done_well "latency, $verb, $modes"
	json "... each, with its peer" "[.points[] | .parameters.peer == \"$peer\"
		and .metrics.latency.count == 50] | all and (length == $points)"
done
ctl run latency a -n 20 --warmup 5 --json "$tmp/json"
done_well "a peer by its name"
json "... is told by its address" '.points[0].parameters.peer == "10.77.0.1"'
ctl run latency "$peer" --peer-cpu 0 -n 20 --warmup 5 --json "$tmp/json"
done_well "the peer's CPU"
json "... is told" '.points[0].parameters["peer-cpu"] == 0'

/usr/bin/python3 -B "${BASH_SOURCE[0]%/*}/frames.py" "$tmp/frames" &
listens=$!
until_true 20 test -e "$tmp/frames"
ctl run latency "$peer" -p 1001 -n 20 --warmup 5 --token-file "$token"
done_well "right token"
echo "a secret of nobody" >"$tmp/wrong"
ctl run latency "$peer" -p 1001 -n 20 --warmup 5 --token-file "$tmp/wrong"
refused "wrong token" 1 'refused by the peer: token: '
kill $listens
wait $listens
report $? "no frame is missed"
# frames have control messages, which begin with a magic number, and the words of a refusal
grep -qa ICB1 "$tmp/frames" && grep -qa 'token: ' "$tmp/frames" &&
	! grep -qaFf "$token" "$tmp/frames" && ! grep -qaFf "$tmp/wrong" "$tmp/frames"
report $? "no frame has a token"
ctl run latency "$peer" -p 1001 -n 20 --warmup 5
refused "no token" 1 'refused by the peer: token: '
ctl run latency "$peer" -n 20 --warmup 5 --token-file "$token"
done_well "a token that nobody asks for"
ctl run latency "$peer" -p 1002 -s 64K -n 20 --warmup 5
refused "beyond max-memory" 1 'refused by the peer: size: .*max-memory'
ctl run latency "$peer" -p 1002 -s 4K -n 20 --warmup 5
done_well "within max-memory"
ctl run latency "$peer" --peer-cpu 9 -n 20 --warmup 5
refused "no such CPU at the peer" 1 'refused by the peer: peer-cpu: .*accepted: 0-1'
ctl run latency "$peer" -p 1009
refused "nobody listens" 1 'serve'
ctl run latency 10.77.0.77 --timeout 2s
refused "nobody is there" 1 '10\.77\.0\.77'
clean "nothing is left"

# begin ARGUMENT...: start a run, and wait until it measures
begin() {
	icbenchctl run latency "$peer" -D 100s --warmup 5 "$@" >"$tmp/out" 2>"$tmp/err" </dev/null &
	running=$!
	until_true 60 has_job measuring
}

finish() {
	local from

	from=$(now_ms)
	wait $running
	rc=$?
	took=$(($(now_ms) - from))
}

begin -p 1003
icbenchctl run latency "$peer" -p 1003 >/dev/null 2>"$tmp/second" </dev/null
rc=$?
note "$(<"$tmp/second")"
[ $rc -eq 1 ] && grep -qE "max-qps$or_unheard" "$tmp/second"
report $? "beyond max-qps"
kill -INT $running
finish
cut_short "Ctrl-C" 'stopped by Ctrl-C'
until_true 20 try 1003
report $? "within max-qps again"

for verb in send write; do
	# the seed asks machine a to stop the run
	ctl run latency "$peer" -D 100s --warmup 5 --seed 666 --verb $verb --json "$tmp/json"
	cut_short "icbenchctl stop at the peer, $verb" 'icbenchctl: '
	note "$(cat "$tmp/err")"
	json "... partial in JSON, too" '.partial and (.reason | length > 0)
		and .points[0].metrics.latency.count > 0'
done

begin --completion block
kill -KILL $running
wait $running 2>/dev/null
clean "kill -9: nothing is left"
ctl run latency "$peer" -n 50 --verify
done_well "the peer has survived all that"
clean "nothing is left"

done_testing
