#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Failing allocations in a run of each recipe, one after another, if the kernel can fail
# allocations.
#
#   ICBENCH_FAULTS_SHARE     M/N: the M-th of N shares of the recipes (1/1)

vm=$(cd -P "${0%/*}/../vm" && pwd)
# shellcheck source=tests/lib/settings.sh
. "$vm/../lib/settings.sh"

setting ICBENCH_FAULTS_DEPTH 2
setting ICBENCH_FAULTS_TIMEOUT 7200
exec "$vm/run" --with tests/faults --timeout "$ICBENCH_FAULTS_TIMEOUT" -- \
	/usr/bin/python3 -B "$vm/../faults/faults.py" recipes
