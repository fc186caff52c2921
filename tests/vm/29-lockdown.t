#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A kernel that asks for signed modules, and one that is locked down, which cannot be
# undone: what icbenchctl says then.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 300 -- bash "$vm/guest/lockdown.sh"
