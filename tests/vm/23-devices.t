#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs over two devices of a machine, each connected to itself:
#
#   +---------------- QEMU -----------------+
#   |   rxe0                   rxe1         |
#   |    |                      |           |
#   |   icb0 10.77.0.1/24     icb1 10.78.0.1/24
#   +---------------------------------------+
#
# Tests what the policies bind, stripe and channels send by each device, that a message counts only
# when all of its pieces have arrived, what is refused, and the removal of a device.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/devices.sh"
