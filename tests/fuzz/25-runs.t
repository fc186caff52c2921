#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs with random combinations of parameters, as far as the module accepts them.
#
#   ICBENCH_FUZZ_COMBINED   number of runs (24)
#   ICBENCH_FUZZ_SEED       seed of the random numbers (1)

fuzz=$(cd -P "${0%/*}" && pwd)
# shellcheck source=tests/lib/settings.sh
. "$fuzz/../lib/settings.sh"

setting ICBENCH_FUZZ_COMBINED 24
setting ICBENCH_FUZZ_SEED 1
exec "$fuzz/../vm/run" --timeout $((400 + 10 * ICBENCH_FUZZ_COMBINED)) -- \
	/usr/bin/python3 -B "$fuzz/runs.py" "$ICBENCH_FUZZ_COMBINED" "$ICBENCH_FUZZ_SEED"
