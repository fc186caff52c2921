#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the calls of a message take, what the CPUs do for it, and what a thread has
# left to compute: with two CPUs, and on one whose clock counts instructions.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"

each_machine 400 "--cpus 2:overhead.sh" "--icount:overhead-icount.sh"
done_testing
