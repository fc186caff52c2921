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
# What policy bind, stripe and channels send by each, that all pieces of a message have come
# when it counts, what is refused, and a device that goes.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 900 -- bash "$vm/guest/devices.sh"
