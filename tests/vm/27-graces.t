#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Nobody waits for the end of a run who waits for each task to give way by itself. Where the
# kernel preempts, who is never done is never seen to.

vm=$(cd -P "${0%/*}" && pwd)
ICBENCH_VM_APPEND="${ICBENCH_VM_APPEND-} preempt=full" \
	exec "$vm/run" --with tests/graces --timeout 900 -- \
	/usr/bin/python3 -B "$vm/guest/graces.py"
