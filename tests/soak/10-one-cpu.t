#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each completion mode for $ICBENCH_SOAK_SECONDS (5 by default) on a machine with one CPU, at each
# priority that it may have. A stall, lockup or hung task in the kernel's log fails the machine.
#
#   ICBENCH_SOAK_PRIORITY   only this priority (all); runs of 5 s at normal come before it, to find
#                           the modes that have a thread with a priority

here=$(cd -P "${0%/*}" && pwd)
# shellcheck source=tests/lib/settings.sh
. "$here/../lib/settings.sh"

setting ICBENCH_SOAK_SECONDS 5
exec "$here/../vm/run" --cpus 1 --timeout $((24 * (ICBENCH_SOAK_SECONDS + 60))) -- \
	bash "$here/one-cpu.sh" "$ICBENCH_SOAK_SECONDS" \
	"${ICBENCH_SOAK_PRIORITY-}"
