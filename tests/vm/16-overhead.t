#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the calls of a message take, what the CPUs do for it, and what a thread has
# left to compute: with two CPUs, and on one whose clock counts instructions. There,
# where the kernel does not trust the TSC, also that nothing reads the clock in a call.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"

each_machine 400 "--cpus 2:overhead.sh" "--icount:overhead-icount.sh"
export ICBENCH_VM_APPEND="${ICBENCH_VM_APPEND-} tsc=unstable"
each_machine 400 "--icount --with tests/delays:calls-icount.sh"
done_testing
