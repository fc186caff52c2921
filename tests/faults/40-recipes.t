#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Allocations that fail in a run of each recipe, one after another, where the kernel can fail
# them.

vm=$(cd -P "${0%/*}/../vm" && pwd)
# shellcheck source=tests/lib/settings.sh
. "$vm/../lib/settings.sh"

setting ICBENCH_FAULTS_DEPTH 2
exec "$vm/run" --with tests/faults --timeout 7200 -- \
	/usr/bin/python3 -B "$vm/../faults/faults.py" recipes
