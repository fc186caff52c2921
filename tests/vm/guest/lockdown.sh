#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel becomes stricter, step by step: icbenchctl reports each step in its own words.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

security=/sys/kernel/security
lockdown=$security/lockdown
[ -e $lockdown ] || mount -t securityfs none $security 2>/dev/null
enforce=/sys/module/module/parameters/sig_enforce

# not_loaded NAME PATTERN: test that the module cannot be loaded, and that icbenchctl gives the
# reason
not_loaded() {
	! insmod "$ICBENCH_KO" 2>"$tmp/insmod"
	report $? "$1: the kernel does not take it"
	note "$(cat "$tmp/insmod")"
	ctl run latency
	refused "$1: told" 3 "$2"
	ctl doctor
	[ "$rc" -eq 3 ] && diagnosed Module "FIX: .*$2"
	report $? "$1: doctor"
}

if [ ! -e $enforce ]; then
	skip "signatures that are asked for" "this kernel knows none"
else
	rmmod icbench
	ctl run latency
	refused "no module" 3 'modprobe icbench \(or modprobe rdma_cm && insmod icbench\.ko\)$'
	ctl doctor
	[ "$rc" -eq 3 ] && diagnosed Module "FIX: the kernel module icbench is not loaded; load it: modprobe icbench"
	report $? "no module: doctor"
	ok "a module again" insmod "$ICBENCH_KO"
fi

if [ -w $lockdown ] && grep -q '^\[none\]' $lockdown; then
	ok "lockdown" tee $lockdown <<<confidentiality
	ctl run latency -n 100 --warmup 5 --threshold 1ns --trace "$tmp/trace"
	refused "a trace" 3 'trace: .*lockdown \(confidentiality\) forbids tracing; accepted: --trace no, .*lockdown=integrity$'
	ctl run latency -n 100 --warmup 5 --threshold 60s
	[ "$rc" -eq 0 ] && grep -q 'forbids tracing; .*the run is not traced$' "$tmp/err"
	report $? "a trace that nobody has asked for: told, and done without"
	ctl run latency -n 100 --warmup 5 --threshold 60s --trace no
	done_well "no trace"
	rmmod icbench
	not_loaded "lockdown" 'by lockdown the kernel takes only signed modules: sign icbench\.ko, mokutil --import'
else
	skip "lockdown" "this kernel has none, or is locked down"
	rmmod icbench
fi
if [ -e $enforce ]; then
	umount $security 2>/dev/null
	echo 1 >$enforce
	not_loaded "sig_enforce" 'by module\.sig_enforce the kernel takes only signed modules: sign icbench\.ko, mokutil --import'
fi
done_testing
