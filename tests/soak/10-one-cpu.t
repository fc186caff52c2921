#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each completion mode for $ICBENCH_SOAK_SECONDS (5, unless said otherwise) on a
# machine with one CPU, at each priority that it may have. What the kernel calls a
# stall, a lockup or a hung task fails the machine.
#
#   ICBENCH_SOAK_PRIORITY   this one only (all); those at normal, which tell which modes have
#                           a thread to give a priority to, come before it for 5 s each

here=$(cd -P "${0%/*}" && pwd)
# shellcheck source=tests/lib/settings.sh
. "$here/../lib/settings.sh"

setting ICBENCH_SOAK_SECONDS 5
exec "$here/../vm/run" --cpus 1 --timeout $((24 * (ICBENCH_SOAK_SECONDS + 60))) -- \
	bash "$here/one-cpu.sh" "$ICBENCH_SOAK_SECONDS" \
	"${ICBENCH_SOAK_PRIORITY-}"
