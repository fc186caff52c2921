#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The contents of streams, each message of which is checked, and where they lie: on a
# machine whose memory is shared out to two NUMA nodes, where its kernel can.

vm=$(cd -P "${0%/*}" && pwd)
export ICBENCH_VM_APPEND="${ICBENCH_VM_APPEND-} numa=fake=2"
exec "$vm/run" --timeout 800 -- bash "$vm/guest/contents.sh"
