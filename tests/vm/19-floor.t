#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the machine takes to interrupt, defer and wake, without a device; and, where the
# clock counts instructions, that other tools say the same.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"

each_machine 300 "--cpus 2:floor.sh" "--icount:floor-icount.sh"
done_testing
