#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the machine takes to interrupt, defer and wake, without a device.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 300 -- bash "$vm/guest/floor.sh"
