#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Operations that are due when a schedule says so: trigger clock.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/load.sh"
