#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A hundred times in and out, also while busy; what memory it takes.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- /usr/bin/python3 -B "$vm/guest/load.py"
