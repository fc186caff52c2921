#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each event that ends a run, in each state of the run.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --with tests/delays --with tests/chaos --timeout 900 -- \
	/usr/bin/python3 -B "$vm/guest/stop.py"
