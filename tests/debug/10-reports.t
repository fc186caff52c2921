#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The debug kernel finds what it is there for, and the harness hears of it.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

if [ -z "${ICBENCH_VM_OPTIONS-}" ]; then
	tree=$("$top/tests/debug/kernel") || exit
	export ICBENCH_VM_OPTIONS="--kdir $tree --memory 2048" ICBENCH_VM_SLOW=6
	export ICBENCH_VM_APPEND="slub_debug=-"
fi

# called RUN-ARGUMENT...: sets status, and the file err
called() {
	"$top/tests/vm/run" "$@" >/dev/null 2>"$tmp/err"
	status=$?
}

# heard N PATTERN: so many reports of it at least
heard() {
	[ "$(grep -cE "kernel report: $2" "$tmp/err")" -ge "$1" ] || {
		grep 'run: ' "$tmp/err"
		return 1
	}
}

called --with tests/debug -- sh -c 'insmod "$ICBENCH_WITH/broken.ko" && rmmod broken'
is "a broken module: 125" "$status" 125
ok "KASAN: the first read behind the end, and the second" \
	heard 2 'BUG: KASAN: slab-out-of-bounds in broken_read\+0x'
ok "kmemleak: what was lost" heard 1 'unreferenced object 0x'

called -- sh -c 'echo off >/sys/kernel/debug/kmemleak'
is "kmemleak turned off on the way: 125" "$status" 125
ok "which says so" heard 1 'icbench-vm: kmemleak is off'

ICBENCH_VM_APPEND+=" kmemleak=off" called -- true
is "and by who boots: 0" "$status" 0
done_testing
