#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tail of a run is attributed to its causes.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --icount --with tests/delays --timeout 900 -- bash "$vm/guest/tail.sh"
