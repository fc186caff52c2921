#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Events on the other machine, in each state of a run, ICBENCH_CHAOS_REPEATS times.
# ICBENCH_PAIR_EVENTS selects events of pair.py. The death of the other machine is tested by
# tests/vm/70-pair.t, because it can happen only once for each machine.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"
# shellcheck source=tests/lib/settings.sh
. "$top/tests/lib/settings.sh"

vm=$top/tests/vm
python=(/usr/bin/python3 -B "$top/tests/chaos/pair.py")
setting ICBENCH_CHAOS_REPEATS 1
setting ICBENCH_CHAOS_TIMEOUT 900
setting ICBENCH_VM_SLOW 1
limit=$ICBENCH_CHAOS_TIMEOUT

# in the foreground, so that Ctrl-C reaches the pair, which ends its machines
timeout --foreground $(((limit + 60) * ICBENCH_VM_SLOW)) "$vm/pair" --with tests/chaos \
	--timeout "$limit" --out-a "$tmp/a" --out-b "$tmp/b" -- \
	"${python[@]}" far -- "${python[@]}" near
status=$?
relay "" "$tmp/b"
is "two machines" $status 0

done_testing
