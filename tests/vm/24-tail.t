#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A tail that says what it comes from, and who is to blame.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --icount --with tests/delays --timeout 900 -- bash "$vm/guest/tail.sh"
