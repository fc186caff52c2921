#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Everything that ends a run, in every state that it can be in.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --with tests/delays --with tests/chaos --timeout 900 -- \
	/usr/bin/python3 -B "$vm/guest/stop.py"
