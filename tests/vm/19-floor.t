#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the machine takes to interrupt, defer and wake, without a device; and, where the
# clock counts instructions, that other tools say the same.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"

# what runs in any root, and is there where it has been built
if cc -O2 -static -o "$tmp/way_out" "$top/tests/return/way_out.c" 2>"$tmp/err"; then
	export ICBENCH_VM_SHARE=$tmp
else
	sed 's/^/# /' "$tmp/err"
fi
each_machine 300 "--cpus 2:floor.sh" "--icount --with tests/return:floor-icount.sh"
done_testing
