#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# icbenchctl's messages on a kernel that requires signed modules, and on one that is locked down,
# which cannot be undone.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 300 -- bash "$vm/guest/lockdown.sh"
