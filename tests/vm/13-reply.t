#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Windows with answers of the receiver: whole and partial windows, in each mode.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 200 -- bash "$vm/guest/reply.sh"
