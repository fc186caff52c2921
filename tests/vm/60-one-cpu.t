#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One CPU, on which no thread may spin without end; then one CPU whose clock counts instructions.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"

each_machine 500 "--cpus 1:one-cpu.sh" "--icount:icount.sh"
done_testing
