#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module's netlink interface, fuzzed in a virtual machine.
#
#   ICBENCH_FUZZ_MESSAGES   number of messages (20000)
#   ICBENCH_FUZZ_SEED       seed of the random numbers (1)

fuzz=$(cd -P "${0%/*}" && pwd)
# shellcheck source=tests/lib/settings.sh
. "$fuzz/../lib/settings.sh"

setting ICBENCH_FUZZ_MESSAGES 20000
setting ICBENCH_FUZZ_SEED 1
make -s -C "$fuzz/netlink" >&2 || exit
exec "$fuzz/../vm/run" --timeout $((400 + ICBENCH_FUZZ_MESSAGES / 200)) -- \
	bash "$fuzz/netlink/guest.sh" "$ICBENCH_FUZZ_MESSAGES" "$ICBENCH_FUZZ_SEED"
