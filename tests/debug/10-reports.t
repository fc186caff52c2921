#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The debug kernel finds the errors for which it is built, and the harness reports them.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

if [ -z "${ICBENCH_VM_OPTIONS-}" ]; then
	tree=$("$top/tests/debug/kernel") || exit
	export ICBENCH_VM_OPTIONS="--kdir $tree --memory 2048" ICBENCH_VM_SLOW=6
	export ICBENCH_VM_APPEND="slub_debug=-"
fi

# called RUN-ARGUMENT...: run; set status, and write the file err
called() {
	"$top/tests/vm/run" "$@" >/dev/null 2>"$tmp/err"
	status=$?
}

# heard N PATTERN: whether there are at least N such reports
heard() {
	[ "$(grep -cE "kernel report: $2" "$tmp/err")" -ge "$1" ] || {
		grep 'run: ' "$tmp/err"
		return 1
	}
}

not() {
	! "$@"
}

called --with tests/debug -- sh -c 'insmod "$ICBENCH_WITH/broken.ko" && rmmod broken'
is "a broken module: 125" "$status" 125
while IFS=: read -r what pattern; do
	ok "$what" heard 1 "$pattern"
done <<'SINS'
PROVE_RCU:WARNING: suspicious RCU usage$
DEBUG_ATOMIC_SLEEP:BUG: sleeping function called from invalid context at .*/broken\.c:[0-9]+$
debug objects, a timer that runs:WARNING: .* at lib/debugobjects\.c:[0-9]+ debug_print_object\+0x
debug objects, work on a stack:WARNING: .* at lib/debugobjects\.c:[0-9]+ (lookup_object_or_alloc|__debug_object_init)\+0x
DMA-API:WARNING: .* at kernel/dma/debug\.c:[0-9]+ check_unmap\+0x
UBSAN, shifts:UBSAN: shift-out-of-bounds in .*/broken\.c:[0-9:]+$
UBSAN, bounds:UBSAN: array-index-out-of-bounds in .*/broken\.c:[0-9:]+$
DEBUG_LIST:WARNING: .* at lib/list_debug\.c:[0-9]+ __list_del_entry_valid\+0x
PROVE_LOCKING:WARNING: possible circular locking dependency detected$
SINS
ok "KASAN: the first read behind the end, and the second" \
	heard 2 'BUG: KASAN: slab-out-of-bounds in broken_read\+0x'
ok "kmemleak: what was lost" heard 1 'unreferenced object 0x'
ok "lockdep is off in the end, which is said" grep 'lockdep was off from a report on' "$tmp/err"

called -- sh -c 'echo off >/sys/kernel/debug/kmemleak'
is "kmemleak turned off on the way: 125" "$status" 125
ok "which says so" heard 1 'icbench-vm: kmemleak is off'

ICBENCH_VM_APPEND+=" kmemleak=off" called -- true
is "and by who boots: 0" "$status" 0
ok "lockdep is on" not grep lockdep "$tmp/err"
done_testing
