#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Many buffers: in turn (buffers), and new ones (reuse). The contents show that each message was in
# its buffer: with verify every message is compared, without it the last one of each run. No two
# buffers have the same content.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

short=(-n 60 --warmup 7 "${patience[@]}" --json "$tmp/json")
case $device in
siw*)	verbs=send,write,read seen=send,read crossing=send,write ;;
*)	verbs=send,write,write-imm,read seen=send,write-imm,read crossing=send,write,write-imm ;;
esac

# a memory region of rxe ends within these buffers, and the receives of a batch end there, too
turn=0
for keys in "--buffers 2,3,19 --verify" "--reuse 0,25,60 --verify" "--buffers 1,19" "--reuse 0,60"; do
	# shellcheck disable=SC2086
	ctl run latency --verb "$(sample $turn $verbs)" -s 300K $keys "${short[@]}" -n 12
	done_well "ping-pong $keys"
	turn=$((turn + 1))
	# shellcheck disable=SC2086
	ctl run latency --verb "$(sample $turn $verbs)" -s 64 $keys --cpu 0 --peer-cpu 0 "${short[@]}"
	done_well "ping-pong $keys, one thread"
done
turn=0
for keys in "--buffers 19" "--reuse 25"; do
	# shellcheck disable=SC2086
	ctl run bilatency --verb $crossing -s 4K $keys --verify "${short[@]}"
	done_well "messages that cross $keys"
	i=0
	for verb in ${verbs//,/ }; do
		i=$((i + 1))
		sampled $((2 * i)) $((2 * turn)) || continue
		# shellcheck disable=SC2086
		ctl run bandwidth --verb "$verb" -s 20K $keys --completion "$(sample $i poll,softirq,block)" \
			--window 16 --batch 3 "${short[@]}"
		done_well "stream of $verb $keys"
	done
	i=0
	for verb in ${seen//,/ }; do
		i=$((i + 1))
		sampled $((2 * i)) $((2 * turn)) || continue
		# shellcheck disable=SC2086
		ctl run latency --verb "$verb" -s 4K $keys --verify \
			--completion "$(sample $i softirq,workqueue,block)" "${short[@]}"
		done_well "ping-pong of $verb $keys, in other completion modes"
	done
	turn=$((turn + 1))
done
ctl run bibandwidth --repeat 1 --verb $verbs -s 20K --buffers 19 --window 16 "${short[@]}" -n 100
done_well "streams in both directions"
ctl run latency --buffers 256,512 --verb write -s 1 "${short[@]}" -n 700
done_well "a last byte that changes each time, whatever their number"
ctl run latency --buffers 5 -D 50ms --warmup 5 "${patience[@]}"
done_well "in turn, by duration"
ctl run latency -s 3M --buffers 3 --verb send "${short[@]}" -n 3 --warmup 1
done_well "buffers of several pieces"
clean "nothing is left"

ctl run latency -n 10 --warmup 5 --reuse 25 --json "$tmp/json"
json "effective parameters" '.points[0].parameters | .buffers == 1 and .reuse == 25'
ctl run latency -n 10 --warmup 5 --verify --json "$tmp/json"
json "... of any run" '.points[0].parameters | .buffers == 2 and .reuse == 100'

# impossible combinations
ctl run latency --buffers 4 --reuse 25
refused "both" 2 'buffers: not together with reuse, .*accepted: one of them$'
ctl run latency --reuse 25 -D 1s
refused "new ones without end" 2 'duration: .*accepted: iterations$'
ctl run bibandwidth --reuse 25
refused "new ones of who does not know the end" 2 'direction: .*accepted: uni$'
ctl run latency --buffers 1 --verify
refused "too few" 2 'buffers: .*accepted: 2 and more$'
ctl run latency --verb fetch-add --buffers 2
refused "one word" 2 'buffers: .*accepted: 1$'
ctl run register --buffers 2
refused "no messages" 2 'buffers: .*accepted: 1$'
ctl run latency --reuse 101
refused "more than all" 2 'reuse: .*accepted: 0 to 100$'
ctl run latency --buffers 0
refused "none" 2 'buffers: .*accepted: 1 to 262144$'
ctl run latency --buffers 1025 -s 1M
refused "more than there may be" 2 'buffers: .*accepted: at most 1024$'
ctl run latency --reuse 0 -n 1000000 -s 4K
refused "more new ones than there may be" 2 'iterations: .*accepted: at most 262142$'
case $device in
rxe*)
	# limit: 47 regions of 512 pages
	ctl run latency --verb write --reuse 0 -n 30000 -s 4K
	refused "more than the device registers" 1 'iterations: .*47 regions of device rxe.*accepted: at most 24062'
	ctl run latency --verb write --buffers 200 -s 512K
	refused "... in turn" 1 'buffers: .*47 regions of device rxe.*accepted: at most 188'
	;;
esac
ctl run latency --buffers 1000 -s 1M --verb send
refused "more than is free" 1 'size: .* this host has [0-9]* MiB for runs; accepted: a smaller size'

# the limit of a listener counts all buffers
icbenchctl serve --bind 10.77.0.1 --max-memory 1250K >"$tmp/serve" 2>&1 </dev/null &
server=$!
until_true 20 grep -q "^listening" "$tmp/serve"
report $? "a listener of 1250 KiB"
ctl run latency 10.77.0.1 --buffers 100 -s 4K -n 10 --warmup 5 --verb send "${patience[@]}"
done_well "100 buffers are less"
ctl run latency 10.77.0.1 --buffers 200 -s 4K -n 10 --warmup 5 --verb send "${patience[@]}"
refused "200 are more" 1 'refused by the peer: .*memory'
ctl run bandwidth 10.77.0.1 --buffers 200 -s 4K -n 10 --warmup 5 --verb send "${patience[@]}"
done_well "of which a stream has those of one direction"
kill -INT "$server"
wait "$server"
clean "nothing is left"

done_testing
