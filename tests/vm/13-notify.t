#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Notification of the receiver of a write: each kind, in each mode, with every trigger.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 200 -- bash "$vm/guest/notify.sh"
