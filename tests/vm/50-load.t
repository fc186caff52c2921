#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Load and unload the module a hundred times, also during runs; its memory use.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- /usr/bin/python3 -B "$vm/guest/load.py"
