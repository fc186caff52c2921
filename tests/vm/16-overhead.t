#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The time of the calls for a message, the CPU time for it, and the time that remains to
# compute: with two CPUs, and on one CPU whose clock counts instructions. On the latter, with an
# untrusted TSC, also test that no call reads the clock.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"

each_machine 400 "--cpus 2:overhead.sh" "--icount:overhead-icount.sh"
export ICBENCH_VM_APPEND="${ICBENCH_VM_APPEND-} tsc=unstable"
each_machine 400 "--icount --with tests/delays:calls-icount.sh"
done_testing
