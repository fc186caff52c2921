#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Failing calls. ICBENCH_FAULTS_DEPTH is how many calls of each function fail, one by one.
#
#   ICBENCH_FAULTS_SHARE     M/N: the M-th of N shares of the runs (1/1)

vm=$(cd -P "${0%/*}/../vm" && pwd)
# shellcheck source=tests/lib/settings.sh
. "$vm/../lib/settings.sh"

setting ICBENCH_FAULTS_DEPTH 2
setting ICBENCH_FAULTS_TIMEOUT 3600
exec "$vm/run" --with tests/faults --timeout "$ICBENCH_FAULTS_TIMEOUT" -- \
	/usr/bin/python3 -B "$vm/../faults/faults.py" calls
