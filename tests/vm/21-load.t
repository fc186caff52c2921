#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Operations that are due at the times of a schedule: trigger clock.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/load.sh"
