#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Operations that wait until each task yields by itself do not have to wait for the end of a run.
# preempt=full: on a preemptible kernel a thread that never yields is not noticed otherwise.

vm=$(cd -P "${0%/*}" && pwd)
ICBENCH_VM_APPEND="${ICBENCH_VM_APPEND-} preempt=full" \
	exec "$vm/run" --with tests/graces --timeout 900 -- \
	/usr/bin/python3 -B "$vm/guest/graces.py"
