#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The contents of streams, each message of which is verified, and the location of buffers: on a
# machine whose memory is divided into two NUMA nodes, if its kernel supports this.

vm=$(cd -P "${0%/*}" && pwd)
export ICBENCH_VM_APPEND="${ICBENCH_VM_APPEND-} numa=fake=2"
exec "$vm/run" --timeout 800 -- bash "$vm/guest/contents.sh"
