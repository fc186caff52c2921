#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The time for interrupts, deferred work and wake-ups, without a device; and, where the clock counts
# instructions, agreement with other tools.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"

# linked statically, to run in any root; the other test is skipped if it cannot be built
if cc -O2 -static -o "$tmp/way_out" "$top/tests/return/way_out.c" 2>"$tmp/err"; then
	export ICBENCH_VM_SHARE=$tmp
else
	sed 's/^/# /' "$tmp/err"
fi
each_machine 300 "--cpus 2:floor.sh" "--icount --with tests/return:floor-icount.sh"
done_testing
