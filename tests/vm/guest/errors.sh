#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each error is reported in one line with its remedy and the exit status of the manual, and nothing
# of it stays in the kernel.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

self=10.77.0.1
servers=()
printf 'a secret of this host\n' >"$tmp/token"

# serve NAME ARGUMENT...: a listener until stop_servers; its output is in $tmp/NAME
serve() {
	local name=$1

	shift
	rm -f "$tmp/$name"
	icbenchctl serve "$@" >"$tmp/$name" 2>&1 </dev/null &
	servers+=($!)
	until_true 20 grep -q "^listening" "$tmp/$name"
	report $? "serve $*"
}

# served COUNT: whether the server has reported as many complete runs
served() {
	[ "$(grep -c ' complete: ' "$tmp/order")" -eq "$1" ]
}

stop_servers() {
	kill -INT "${servers[@]}"
	wait "${servers[@]}"
	report $? "servers end by Ctrl-C, with 0"
	servers=()
}

# errors that tests/unit/cli.t and tests/vm/30-netlink.t test as well
wrong_words()
{
	ctl run nosuch
	refused "no such benchmark" 2 'no benchmark "nosuch"'
	ctl run latency --frob 1
	refused "unknown key" 2 'unknown option --frob'
	ctl run latency --verb write --completion block
	refused "impossible combination" 2 'completion: .*accepted: memory'
	ctl run latency --verb send --completion memory
	refused "impossible combination, the other way" 2 'completion: .*accepted: poll'
	ctl run latency --verb write -s 0
	refused "a write of nothing" 2 'size: .*accepted'
	ctl run latency --completion softirq --priority fifo
	refused "priority of no thread" 2 'priority: .*accepted: normal'
	ctl run latency --completion softirq --context thread
	refused "context of no thread" 2 'context: .*accepted: bh'
	ctl run latency -n 10 -D 1
	refused "iterations and duration" 2 'duration: .*accepted'
	ctl run latency -s 2G
	refused "size out of range" 2 'size: .*accepted: 0 to'
	ctl run latency -n 0
	refused "iterations out of range" 2 'iterations: .*accepted: 1 to'
	ctl run latency --timeout 1ms
	refused "timeout out of range" 2 'timeout: .*accepted'
}

# errors that the command line or the module finds before it needs a device
command_line_errors()
{
	[ "$one_in" -ne 1 ] || wrong_words
	ctl run latency --cpu 77
	refused "no such CPU" 2 'cpu: CPU 77 .*accepted: 0-1'
	ctl run latency --peer-cpu 77
	refused "no such CPU for the peer" 2 'peer-cpu: CPU 77 .*accepted: 0-1'
	ctl run latency --cpu 0,77
	refused "no such CPU in a sweep" 2 'cpu=77: cpu: CPU 77'
	ctl run latency -d mlx9_0
	refused "no such device" 3 "device: .*$device"
	ctl run latency -d "$device" -i 7
	refused "no such port" 2 'port: .*accepted'
	ctl run latency -d "$device" -x 99
	refused "no such GID" 2 'gid-index: '
	ctl run latency -x 1
	refused "GID of no device" 2 'device: needed'
	ctl run latency -p 1000
	refused "port without peer" 2 'cm-port: .*peer'
	ctl run latency --token-file "$tmp/token"
	refused "token without peer" 2 'token: .*peer'
	ctl run latency 10.77.0.999
	refused "an address that is none" 2 'peer: '
	ctl stop 12345
	refused "no such run" 1 'no job 12345'
	clean "nothing is left"
}

if [ -n "${ICBENCH_QUICK-}" ]; then
	skip "errors of the command line" "ICBENCH_QUICK: no other kernel or device changes them"
else
	command_line_errors
fi

# peers that the host cannot reach
ctl run latency 10.77.0.99 --timeout 1s
refused "a peer that is not there" 1 '10\.77\.0\.99.*(timeout|cannot be reached)'
# Also for a long timeout. A kernel timer of this length may be two seconds late, so start runs at
# different times. A host that withholds the CPUs delays two of the eight runs at most.
waits=()
for ((i = 0; i < 8; i++)); do
	{
		from=$(now_ms)
		icbenchctl run latency 10.77.0.99 --timeout 17s 2>&1 </dev/null
		echo $(($(now_ms) - from)) >"$tmp/took.$i"
	} >/dev/null &
	waits+=($!)
	sleep 0.25
done
wait "${waits[@]}"
readarray -t took < <(sort -n "$tmp"/took.*)
note "given up after ms: ${took[*]}"
[ "${took[0]}" -ge 17000 ] && [ "${took[5]}" -le $((17000 + 700 * slow)) ] &&
	[ "${took[7]}" -le $((17000 + 2000 * slow)) ]
report $? "a peer that is not there: given up when time is up"
ctl run latency 192.0.2.1 --timeout 1s
refused "a peer without a route" 1 '192\.0\.2\.1'
ctl run latency $self
refused "nobody listens" 1 'serve|reject|refus'
ctl run latency fe80::1 --timeout 1s
refused "a link-local peer without its link" 1 '.'
clean "nothing is left"

# addresses that no device has, or no host
loopback=(localhost 127.0.0.1 127.0.1.1 ::1 ::ffff:127.0.0.1)
nowhere=(0.0.0.0 :: 224.0.0.1 ff02::1 255.255.255.255)
[ "$one_in" -eq 1 ] || loopback=(127.0.1.1 ::1) nowhere=(0.0.0.0 ff02::1)
for peer in "${loopback[@]}"; do
	ctl run latency "$peer"
	refused "a peer at a loopback address: $peer" 2 'peer: .* loopback .*accepted: none, .*icbenchctl devices'
done
for peer in "${nowhere[@]}"; do
	ctl run latency "$peer"
	refused "a peer that is no host: $peer" 2 'peer: .*accepted: '
done

# links_ready ADDRESS: whether the other device has a GID for it
links_ready() {
	icbenchctl devices | grep -q "$1 .* icb2\$"
}

has_address() {
	icbenchctl devices | grep -q " $1 "
}

# other_device: make a second soft-RoCE device, on its own link
other_device() {
	ip link add icb2 type dummy && ip address add 10.79.0.1/24 dev icb2 &&
		ip link set icb2 up && rdma link add rxe2 type rxe netdev icb2 &&
		until_true 20 links_ready 10.79.0.1
}

# works NAME: run the other device with itself
works() {
	ctl run latency -d rxe2 -n 20 --warmup 5 "${patience[@]}"
	done_well "$1"
}

if [[ $device == rxe* ]]; then
	# many addresses in front of the device's address
	ip link add many type dummy
	ip link set many up
	for ((i = 0; i < 300; i++)); do
		echo "address add 10.99.$((i / 250)).$((i % 250 + 1))/32 dev many"
	done | ip -batch -
	ok "another device" other_device
	works "a device behind 300 addresses"
	ip link delete many

	# each cause has its own remedy
	ctl run latency fd00:79::2 -d rxe2
	refused "a peer of another family than the device" 3 \
		'rxe2 has no IPv6 address to reach fd00:79::2 from; give its interface one, or give an IPv4 address of the peer; see icbenchctl doctor$'
	ctl run latency 10.79.0.1 -d rxe2 -x 0
	refused "... than the GID" 2 'gid-index: GID 0 of rxe2 is fe80:.*10\.79\.0\.1 is of another family; accepted: '
	ip link set icb2 mtu 300
	ctl run latency -d rxe2
	refused "an interface whose MTU is too small" 1 'MTU of icb2, 300, .*set a larger one: ip link set dev icb2 mtu 1500$'
	ip link set icb2 mtu 1500
	ip link set icb2 down
	ctl run latency -d rxe2
	refused "an interface that is down" 3 'no active port: icb2 is down; set it up: ip link set dev icb2 up; see icbenchctl doctor$'
	ctl run latency -d rxe2 -i 1
	refused "... of a port that is named" 3 'no active port: icb2 is down; set it up: ip link set dev icb2 up; see icbenchctl doctor$'
	ctl doctor
	[ "$rc" -eq 0 ] && diagnosed rxe0/1 "ok: .* a message to this host arrived" &&
		diagnosed rxe2/1 "FIX: .*no active port: icb2 is down; set it up: ip link set dev icb2 up"
	report $? "doctor: one device works, the other one does not"
	ip link set icb2 up
	ip address flush dev icb2
	ctl run latency -d rxe2
	refused "an interface without an address" 3 'no IP address; .*: ip address add ADDRESS/24 dev icb2; see icbenchctl doctor$'
	ip address add 10.79.0.1/24 dev icb2
	until_true 20 links_ready 10.79.0.1
	works "a device with its address again"

	# two devices on one subnet
	ip link add icb4 type dummy
	ip address add 10.79.0.4/24 dev icb4
	ip link set icb4 up
	ctl run latency 10.79.0.4 -d rxe2 --timeout 1s
	refused "a peer that is this host, by another interface" 1 "of this host's icb4: give the device of this interface, or no device"
	ctl run latency 10.79.0.9 -d rxe2 --timeout 1s
	refused "two interfaces on a subnet" 1 'icb4 is on the same subnet: .*net\.ipv4\.conf\.all\.arp_ignore=1'
	ip address add fd00:79::1/64 dev icb2 nodad
	ip address add fd00:79::4/64 dev icb4 nodad
	until_true 20 has_address fd00:79::1
	ctl run latency fd00:79::4 -d rxe2 --timeout 1s
	refused "... by another interface, IPv6" 1 "of this host's icb4: give the device of this interface, or no device"
	ctl run latency fd00:79::9 -d rxe2 --timeout 1s
	refused "two interfaces on an IPv6 subnet" 1 'icb4 is on the same subnet: give its device if the peer is on its link, or use another subnet'
	ip address delete fd00:79::1/64 dev icb2
	ip link delete icb4
	ctl run latency 10.84.0.9 -d rxe2 --timeout 1s
	refused "no route by the device" 1 'no route to it uses icb2; ip route show dev icb2 lists the routes'

	if ip link add vrf2 type vrf table 10; then
		ip link set vrf2 up
		ip link set icb2 master vrf2
		ctl run latency -d rxe2 --timeout 1s
		refused "a device in a VRF" 1 'VRF: ip link set dev icb2 nomaster leaves vrf2'
		ip link delete vrf2
	else
		skip "a device in a VRF" "this kernel has none"
	fi

	# the connection manager stores the index of a GID in eight bits
	for ((i = 2; i < 255; i++)); do
		echo "address add 10.79.1.$i/24 dev icb2"
	done | ip -batch -
	for ((i = 2; i < 32; i++)); do
		echo "address add 10.79.2.$i/24 dev icb2"
	done | ip -batch -
	until_true 20 links_ready 10.79.2.31
	report $? "a device with 285 GIDs"
	ctl run latency -d rxe2 -x 280
	refused "a GID that connections do not take" 2 'gid-index: .*accepted: 0 to 255$'
	for from in "" "-d rxe2"; do
		# shellcheck disable=SC2086 # words
		ctl run latency 10.79.2.31 $from --timeout 1s
		refused "a peer with such a GID${from:+, from }${from#-d }" 1 \
			'10\.79\.2\.31.* is GID 2[0-9]* of rxe2.* connections can use 0 to 255'
	done
	ctl serve --bind 10.79.2.31
	refused "a listener with such a GID" 2 'bind: the own address 10\.79\.2\.31 is GID 2[0-9]* of rxe2'
	works "a device that has others, too"
	rdma link delete rxe2
	ip link delete icb2

	# the own address has the peer's family, and is on the network that leads to the peer
	ip address add fd00:79::1/64 dev icb0 nodad
	peers=(fd00:79::1)
	if modprobe -q 8021q; then
		ip link add link icb0 name icb0.5 type vlan id 5
		ip address add 10.79.5.1/24 dev icb0.5
		ip link set icb0.5 up
		peers+=(10.79.5.1)
	fi
	serve any
	for peer in "${peers[@]}"; do
		until_true 20 has_address "$peer"
		ctl run latency "$peer" --format full -d rxe0 -n 20 "${patience[@]}"
		done_well "-d with a peer at $peer"
		grep -q 'cpu_per_message_both ' "$tmp/out"
		report $? "... whose CPU time is that of both sides"
	done
	stop_servers
	ip address delete fd00:79::1/64 dev icb0
	[ ! -e /sys/class/net/icb0.5 ] || ip link delete icb0.5

	rdma link add rxelo type rxe netdev lo
	ctl run latency -d rxelo
	refused "a device on lo" 3 'rxelo is on lo, .*make a device on another interface: rdma link add rxe0 type rxe netdev INTERFACE; see icbenchctl doctor$'
	rdma link delete rxelo
	ip netns add other
	ip -n other link add icb2 type dummy
	ip -n other address add 10.79.0.1/24 dev icb2
	ip -n other link set icb2 up
	ip netns exec other rdma link add rxe2 type rxe netdev icb2
	ctl run latency -d rxe2
	refused "a device on an interface of another network namespace" 3 \
		'its interface icb2 is not in the initial network namespace, .*ip link set icb2 netns 1, and make the device again; see icbenchctl doctor$'
	rdma link delete rxe2
	ip netns delete other
else
	skip "causes and mends of devices that cannot be reached" "of soft-RoCE"
fi
clean "nothing is left of these"

# peers that a listener refuses, while all monitoring is on
tracing=/sys/kernel/tracing
[ -e $tracing/events ] || mount -t tracefs none $tracing
echo 1 >$tracing/events/icbench/enable
icbenchctl monitor >"$tmp/monitor" 2>&1 </dev/null &
monitor=$!
serve plain --bind $self
serve secret --bind $self -p 1001 --token-file "$tmp/token"
serve memory --bind $self -p 1002 --max-memory 64K
serve qps --bind $self -p 1003 --max-qps 1
ctl run latency $self -n 20 --warmup 5 --verify --json "$tmp/json"
done_well "a peer, by address"
json "... is told" '.points[0].parameters | .peer == "10.77.0.1" and .["cm-port"] == 18515'
ctl run latency $self -p 1001 -n 20 --warmup 5 --token-file "$tmp/token" --json "$tmp/json"
done_well "right token"
cat "$tmp/out" "$tmp/err" >"$tmp/said"
grep -q 'secret of this' "$tmp/json" "$tmp/out"
[ $? -eq 1 ]
report $? "... is not told"
printf 'a secret of that host\n' >"$tmp/wrong"
ctl run latency $self -p 1001 --token-file "$tmp/wrong"
refused "wrong token" 1 'refused by the peer: token: '
ctl run latency $self -p 1001
refused "no token" 1 'refused by the peer: token: '
ctl run latency $self -p 1002 -s 1K -n 20 --warmup 5
done_well "within max-memory"
ctl run latency $self -p 1002 -s 64K
refused "beyond max-memory" 1 'refused by the peer: size: .*max-memory'
# longer queues than the default of a ping-pong
ctl run latency $self -p 1002 -s 1K -n 20 --warmup 5 --signal-every 1024
refused "beyond max-memory, by its queues" 1 'refused by the peer: size: the run needs [0-9]{6} bytes.*max-memory'
ctl run latency $self -p 1002 -s 1K -n 20 --warmup 5 --signal-every 512
done_well "within max-memory again"
icbenchctl run latency $self -p 1003 -D 60s --warmup 5 >"$tmp/long" 2>&1 </dev/null &
long=$!
until_true 20 has_job measuring
ctl run latency $self -p 1003
refused "beyond max-qps" 1 "max-qps$or_unheard"
kill -INT $long
wait $long
[ $? -eq 1 ] && grep -q "PARTIAL" "$tmp/long"
report $? "the one that was served ends by Ctrl-C with 1, its result printed"
# run at once, while the previous run is still being taken down
times=$((one_in == 1 ? 10 : 3))
for ((i = 0; i < times; i++)); do
	ctl run latency $self -p 1003 -n 20 --warmup 5
	[ "$rc" -eq 0 ] || break
done
done_well "within max-qps again, $times times"
# the default limits of serve: memory is checked first, and not used up
ctl run latency $self -s 4M --buffers 31 --qps 65
refused "within the max-memory that a serve has by itself, beyond its max-qps" 1 \
	'refused by the peer: qps: the run needs 65; the responder has 64 left \(max-qps\)'
ctl run latency $self -s 4M --buffers 33
refused "beyond its max-memory" 1 \
	'refused by the peer: size: the run needs 2768[0-9]* bytes; the responder has 268435456 left'
ctl run latency $self --qps 64 -n 200 --warmup 5
done_well "as many QPs as it allows"
ctl run latency $self --peer-cpu 77
refused "no such CPU at the peer" 1 'refused by the peer: peer-cpu: .*accepted: 0-1'
grep -q "^refused $self.*: token: " "$tmp/secret"
report $? "serve tells whom it turned away, and why"
dmesg >"$tmp/dmesg"
cat $tracing/trace >"$tmp/trace"
echo 0 >$tracing/events/icbench/enable
kill -INT $monitor
wait $monitor
[ -s "$tmp/dmesg" ] && grep -q icbench "$tmp/trace" && [ -s "$tmp/monitor" ]
report $? "the kernel's log, its trace and monitor have something to tell"
grep -lF 'a secret of th' "$tmp/dmesg" "$tmp/trace" "$tmp/monitor" "$tmp/secret" "$tmp/json" \
	"$tmp/said" "$tmp/out" "$tmp/err"
[ $? -eq 1 ]
report $? "... and none of them has a token"
/usr/bin/python3 -B "$top/tests/vm/guest/memory.py" "${servers[1]}" "$tmp/token" >"$tmp/out"
report $? "nor has the memory of who serves it"

ctl serve --bind $self
refused "port in use" 1 'cm-port: .*in use'
ctl serve --bind 192.0.2.1
refused "not an address of this host" 2 'bind: '
ctl serve --bind 127.0.0.1 -p 1010 --max-qps 0
refused "max-qps out of range" 2 'max-qps: .*accepted: 1 to'
ctl serve --bind 127.0.0.1 -p 1010
refused "a loopback address, which would mean every one" 2 'bind: '
ctl serve --bind ::1 -p 1010
refused "... of IPv6" 2 'bind: '
ctl run latency $self --priority fifo -n 20
refused "no real time without a token" 1 'refused by the peer: priority: .*accepted: normal'
ctl run latency $self --cpu-latency-qos 0 -n 20
refused "nobody is kept awake without a token" 1 \
	'refused by the peer: cpu-latency-qos: .*accepted: none'
ctl run latency $self -p 1001 -n 20 --warmup 5 --token-file "$tmp/token" --priority fifo
done_well "... but with it"
# the side that has read the report closes first
serve order --bind $self -p 1004
for ((i = 0; i < times; i++)); do
	ctl run latency $self -p 1004 -n 20 --warmup 5
	[ "$rc" -eq 0 ] || break
done
[ "$rc" -eq 0 ] && until_true 10 no_jobs && until_true 10 served "$times" &&
	! grep -q failed "$tmp/order"
report $? "served runs that are complete are told as complete"
# by default serve listens at all addresses of both families, at one port
ip -6 address add fd00:77::1/64 dev icb0 nodad
serve all -p 1005
until_true 20 icbenchctl run latency fd00:77::1 -n 1 --warmup 0 -p 1005
report $? "a listener at all addresses"
peers=("$self" fd00:77::1 "$self")
[ "$one_in" -eq 1 ] || peers=("$self" fd00:77::1)
for number in "${!peers[@]}"; do
	peer=${peers[number]}
	for named in $(either "$number" no yes); do
		if [ "$named" = no ]; then
			ctl run latency "$peer" -p 1005 -n 20 --warmup 5
			done_well "a listener at all addresses, by $peer"
		else
			ctl run latency "$peer" -p 1005 -n 20 --warmup 5 -d "$device"
			done_well "a listener at all addresses, by $peer from a device that is named"
		fi
	done
done
ctl run latency ::ffff:$self -p 1005 -n 20 --warmup 5
done_well "a peer as icbenchctl devices lists it"
case $device in
rxe*)
	link_local=$(ip -6 -o address show dev icb0 scope link | sed 's,.*inet6 \([^/]*\)/.*,\1,')
	ctl run latency "$link_local" -p 1005 -n 20 --warmup 5 -d "$device"
	done_well "a link-local peer, from a device that is named"
	if ip link add link icb0 name icb0.5 type vlan id 5; then
		ip address add 10.85.0.1/24 dev icb0.5
		ip link set icb0.5 up
		until_true 20 icbenchctl run latency 10.85.0.1 -n 1 --warmup 0 -p 1005
		ctl run latency 10.85.0.1 -p 1005 -n 20 --warmup 5 -d "$device"
		done_well "a peer on a VLAN, from a device that is named"
		ip link delete icb0.5
	else
		skip "a peer on a VLAN, from a device that is named" "this kernel has none"
	fi
	;;
*)	skip "a peer on a VLAN, from a device that is named" "of RoCE" ;;
esac
# --bind to one address: the listener is not reached by another address of this host
other=10.77.0.7
ip address add $other/24 dev icb0
until_true 20 icbenchctl run latency $other -n 1 --warmup 0 -p 1005
report $? "a listener at all addresses, by one that came later"
for peer in $other fd00:77::1; do
	ctl run latency "$peer" -p 1004
	refused "a listener at one address is not reached by $peer" 1 'serve|reject|refus'
done
ctl run latency $self -p 1004 -n 20 --warmup 5
done_well "... but by its own"
ip address del $other/24 dev icb0
owns=(:: 0.0.0.0 "$self" fd00:77::1)
[ "$one_in" -eq 1 ] || owns=(:: "$self")
for own in "${owns[@]}"; do
	ctl serve --bind "$own" -p 1005
	refused "its port is in use: $own" 1 'cm-port: .*:1005 is in use'
done
ctl serve -p 1003
refused "a port of all addresses that is in use at one of IPv4" 1 'cm-port: .*:1003 is in use'
serve six --bind fd00:77::1 -p 1006
ctl serve -p 1006
refused "... of IPv6" 1 'cm-port: \[::]:1006 is in use'
# runs that the end of serve cuts short are reported as well
icbenchctl run latency $self -p 1004 -D 60 >"$tmp/cut" 2>&1 &
until_true 20 has_job measuring
stop_servers
wait $!
[ $? -eq 1 ] && [ "$(grep -c '^job .* stopped: .* messages answered' "$tmp/order")" -eq 1 ]
report $? "serve tells of the run that its own end cuts short"
clean "nothing is left"
ctl serve --max-memory 1
refused "max-memory out of range" 2 'max-memory: .*accepted'

# a full disk
mkdir "$tmp/disk"
mount -t tmpfs -o size=4k tmpfs "$tmp/disk"
ctl run latency -n 200 --warmup 5 --json "$tmp/disk/result.json"
[ "$rc" -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	grep -q 'No space left' "$tmp/err" && grep -q '^ *64 ' "$tmp/out"
report $? "full disk: told, the text is still there"
[ -z "$(ls -A "$tmp/disk")" ]
report $? "... and nothing half-written is"
# a mount point that is a file cannot be replaced, but it can be written
echo '{"old": true}' >"$tmp/mounted.json"
cp "$tmp/mounted.json" "$tmp/on.json"
mount --bind "$tmp/on.json" "$tmp/mounted.json"
ctl run latency -n 20 --warmup 5 --json "$tmp/mounted.json"
done_well "a file that is mounted"
cp "$tmp/on.json" "$tmp/json"
json "... and what is in it" '.schema == "icbench/1"'
[ -z "$(find "$tmp" -name '.icbench-*')" ]
report $? "... and nothing is beside it"
mount -o remount,bind,ro "$tmp/mounted.json"
ctl run latency -n 20 --warmup 5 --json "$tmp/mounted.json"
refused "a file that is mounted read-only: told before the run" 2 'cannot write .*: Read-only file system'
umount "$tmp/mounted.json"
# a trace in such a file cannot be removed either
ctl run latency -n 200 --warmup 5 --threshold 1ns --trace "$tmp/on.txt"
cp "$tmp/on.txt" "$tmp/mounted.txt"
mount --bind "$tmp/on.txt" "$tmp/mounted.txt"
ctl run latency -n 201 --warmup 5 --threshold 1ns --trace "$tmp/mounted.txt"
umount "$tmp/mounted.txt"
cut_short "a trace in a file that is mounted" 'stopped, sample'
head -n 1 "$tmp/on.txt" | grep -q '^# icbench trace: .*-n 201 ' && grep -q icb_beyond "$tmp/on.txt"
report $? "... and what is in it"
# the directory of the file is read-only
mkdir "$tmp/kept"
echo '{"old": true}' >"$tmp/kept/result.json"
mount --bind "$tmp/kept" "$tmp/kept"
mount -o remount,bind,ro "$tmp/kept"
mount --bind "$tmp/on.json" "$tmp/kept/result.json"
ctl run latency -n 30 --warmup 5 --json "$tmp/kept/result.json"
done_well "a file that is mounted in a directory that is read-only"
cp "$tmp/on.json" "$tmp/json"
json "... and what is in it" '.points[0].parameters.iterations == 30'
umount "$tmp/kept/result.json" "$tmp/kept"
# if the mounted file cannot be written either, the result stays in the temporary file
touch "$tmp/disk/on.json"
mount --bind "$tmp/disk/on.json" "$tmp/mounted.json"
ctl run latency -n 200 --warmup 5 --json "$tmp/mounted.json"
[ "$rc" -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
	grep -q 'No space left on device; the result is in .*/\.icbench-' "$tmp/err"
report $? "a mounted file on a full disk: told where the result is"
mv "$tmp"/.icbench-* "$tmp/json"
json "... and it is there" '.schema == "icbench/1" and .points[0].parameters.iterations == 200'
umount "$tmp/mounted.json"
umount "$tmp/disk"
ctl run latency -n 200 --warmup 5 --json /dev/full
[ "$rc" -eq 1 ] && grep -q 'No space left' "$tmp/err"
report $? "full device"
ctl run latency --json "$tmp/no/such"
refused "no directory" 2 'cannot write'
clean "nothing is left"

# users who are not root of this machine; they may have no access to this tree
mkdir -m 755 "$tmp/public"
chmod 755 "$tmp"
cp -r "$top/user/recipes" "$top/user/suites" "$tmp/public"
chmod -R go+rX "$tmp/public"
export ICBENCH_RECIPES=$tmp/public/recipes ICBENCH_SUITES=$tmp/public/suites
commands=("run latency" devices jobs serve "stop 1" monitor)

nobody() {
	# shellcheck disable=SC2086
	run setpriv --reuid=65534 --regid=65534 --clear-groups icbenchctl $c
	refused "nobody: $c" 3 'root'
}

user_namespace() {
	# shellcheck disable=SC2086
	run unshare -Ur icbenchctl $c
	refused "root of a user namespace: $c" 3 'root'
}

network_namespace() {
	# shellcheck disable=SC2086
	run unshare -Urn icbenchctl $c
	refused "root of a network namespace: $c" 3 '.'
}

for number in "${!commands[@]}"; do
	c=${commands[number]}
	for who in $(either "$number" nobody user_namespace network_namespace); do
		$who
	done
done
run setpriv --reuid=65534 --regid=65534 --clear-groups icbenchctl list
done_well "nobody: list"
run setpriv --bounding-set=-net_admin --inh-caps=-net_admin icbenchctl devices
refused "root without CAP_NET_ADMIN" 3 'root|CAP_NET_ADMIN'
unset ICBENCH_RECIPES ICBENCH_SUITES
clean "nothing is left"

# another network namespace than the initial one
run unshare -n icbenchctl jobs
refused "another network namespace" 3 'initial network namespace'

# a listener whose device is removed
serve all
serve deaf --bind $self -p 1001
unplug
wait "${servers[1]}"
[ $? -eq 1 ] && grep -q 'icbenchctl: the listener has ended: the device was removed' "$tmp/deaf"
report $? "serve ends with 1 when its device goes"
unset 'servers[1]'
plug
until_true 20 icbenchctl run latency $self -n 20 --warmup 5
report $? "one at all addresses hears by the device that comes"
stop_servers
ip -6 address delete fd00:77::1/64 dev icb0

# nohup: SIGHUP is ignored
(trap '' HUP; exec icbenchctl run latency -D 600 >"$tmp/nohup" 2>&1 </dev/null) &
long=$!
until_true 20 has_job measuring
kill -HUP $long
sleep 1
kill -INT $long
wait $long
[ $? -eq 1 ] && grep -q 'stopped by Ctrl-C' "$tmp/nohup"
report $? "an ignored SIGHUP stays ignored"

# A CQ is destroyed while its device has not finished notifying of a completion. The debug kernel
# reports a use after free. Later releases notify from another function.
if insmod "$ICBENCH_WITH/delay.ko" function=rxe_send_complete returning=1 us=50000 2>/dev/null; then
	for mode in block softirq workqueue; do
		ctl run latency --completion $mode -n 2 --warmup 0 "${patience[@]}"
		done_well "$mode: the device takes its time after telling of a completion"
	done
	is "it did" "$(($(</sys/module/delay/parameters/calls) > 5))" 1
	rmmod delay
else
	skip "a device that takes its time after telling of a completion" "this kernel's rxe tells otherwise"
fi

# a device that takes longer for a registration than the timeout
if [[ $device == rxe* ]] && device_in_threads; then
	insmod "$ICBENCH_WITH/delay.ko" function=rxe_requester by=kworker \
		us=$((1000000 * slow + 3000000)) skip=300 most=1
	report $? "a registration is to take longer than the timeout"
	workers=/sys/devices/virtual/workqueue/cpumask
	read -r workers_were <$workers
	ok "work queues are on CPU 1" tee $workers <<<2
	ctl run register -s 4K -n 500 --warmup 0 --cpu 0 --timeout "${slow}s"
	echo "$workers_were" >$workers
	cut_short "a registration that does not complete" 'no sample for [0-9]+ ms \(timeout\)'
	is "it did not" "$(</sys/module/delay/parameters/calls)" 1
	rmmod delay
else
	skip "a registration that does not complete" "this device registers as it is told to"
fi

# iWARP: nothing may be sent after the reply to a connection request before the reply was read
case $device in
siw*)
	insmod "$ICBENCH_WITH/delay.ko" function=siw_recv_mpa_rr us=300000
	report $? "a device that is to take its time before it reads a reply"
	for _ in 1 2 3; do
		ctl run latency -n 2 --warmup 0 "${patience[@]}"
		[ "$rc" -eq 0 ] || break
	done
	done_well "the device takes its time before it reads a reply"
	calls=$(cat /sys/module/delay/parameters/calls)
	[ "${calls:-0}" -ge 12 ]
	report $? "it did"
	rmmod delay
	;;
*)	skip "the device takes its time before it reads a reply" "of iWARP" ;;
esac

# no device
ctl doctor
[ "$rc" -eq 0 ] && [ ! -s "$tmp/err" ] && diagnosed Module "ok: loaded" && diagnosed CPUs "ok: best choice: --cpu"
report $? "doctor"
unplug
ctl run latency
refused "no device" 3 'rdma link add.*see icbenchctl doctor$'
ctl devices
refused "no device: devices" 3 'rdma link add.*see icbenchctl doctor$'
ctl doctor
[ "$rc" -eq 3 ] && diagnosed Devices "FIX: no RDMA device; make one: rdma link add rxe0"
report $? "no device: doctor"
plug
ctl run latency -n 20 --warmup 5
done_well "a device again"

# the default device is the first one, unless only another one supports the parameters
if [[ $device == rxe* ]] && { modprobe -q siw || grep -q '^siw ' /proc/modules; }; then
	unplug
	ip link add icb2 type dummy
	ip address add 10.79.0.1/24 dev icb2
	ip link set icb2 up
	rdma link add siw2 type siw netdev icb2
	plug
	for key in "--verb fetch-add -s 8" "--mtu 256" "-c uc --verb write"; do
		# shellcheck disable=SC2086 # words
		ctl run latency $key -n 20 --warmup 5 "${patience[@]}" --json "$tmp/json"
		done_well "a device for $key"
		json "... is not the first" ".points[0].parameters.device == \"$device\""
	done
	ctl run latency -n 20 --warmup 5 "${patience[@]}" --json "$tmp/json"
	done_well "a device for anything"
	json "... is the first" '.points[0].parameters.device == "siw2"'
	rdma link delete siw2
	ip link delete icb2
	clean "nothing is left of the first"
else
	skip "a device for what is asked" "of soft-RoCE beside iWARP"
fi

# no module
rmmod icbench
[ "$one_in" -eq 1 ] || commands=("run latency" serve)
for c in "${commands[@]}"; do
	# shellcheck disable=SC2086
	ctl $c
	refused "no module: $c" 3 'modprobe icbench'
done
insmod "$ICBENCH_KO"
ctl run latency -n 20 --warmup 5
done_well "a module again"
clean "nothing is left"

done_testing
