#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A run's threads stay on the CPUs that its result names; otherwise the run ends with this reason.
# Before and after the run they are where the kernel keeps its own threads, here CPU 0.

vm=$(cd -P "${0%/*}" && pwd)
ICBENCH_VM_APPEND="${ICBENCH_VM_APPEND-} nohz_full=1" exec "$vm/run" --timeout 900 -- \
	/usr/bin/python3 -B "$vm/guest/places.py"
