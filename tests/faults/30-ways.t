#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Failing allocations, one for each call path, in every recipe and in a run with a peer, if the
# kernel calls the failure hooks.

vm=$(cd -P "${0%/*}/../vm" && pwd)
# shellcheck source=tests/lib/settings.sh
. "$vm/../lib/settings.sh"

setting ICBENCH_FAULTS_DEPTH 2
setting ICBENCH_FAULTS_TIMEOUT 7200
exec "$vm/run" --with tests/faults --timeout "$ICBENCH_FAULTS_TIMEOUT" -- \
	/usr/bin/python3 -B "$vm/../faults/faults.py" ways
