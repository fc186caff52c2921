#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every event in every state of a run, ICBENCH_CHAOS_REPEATS times each.

# no merged caches: otherwise objects for files are counted under the names of other caches
export ICBENCH_VM_APPEND="${ICBENCH_VM_APPEND-} slab_nomerge"
vm=$(cd -P "${0%/*}/../vm" && pwd)
# shellcheck source=tests/lib/settings.sh
. "$vm/../lib/settings.sh"

setting ICBENCH_CHAOS_REPEATS 1
setting ICBENCH_CHAOS_TIMEOUT 900
exec "$vm/run" --with tests/chaos --timeout "$ICBENCH_CHAOS_TIMEOUT" -- \
	/usr/bin/python3 -B "$vm/../chaos/chaos.py"
