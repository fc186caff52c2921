#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each completion mode for $ICBENCH_SOAK_SECONDS (5, unless said otherwise) on a
# machine with one CPU, at each priority that it may have. What the kernel calls a
# stall, a lockup or a hung task fails the machine.

here=$(cd -P "${0%/*}" && pwd)
seconds=${ICBENCH_SOAK_SECONDS:-5}
exec "$here/../vm/run" --cpus 1 --timeout $((24 * (seconds + 60) * ${ICBENCH_VM_SLOW:-1})) -- \
	bash "$here/one-cpu.sh" "$seconds"
