#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Transports that lose messages: each verb and completion mode that they support, what they refuse,
# and that only lost messages count as lost.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --icount --timeout 900 -- bash "$vm/guest/transports.sh"
