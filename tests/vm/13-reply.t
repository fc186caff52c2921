#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Windows that the receiver answers: whole ones and parts of one, in each mode.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --timeout 200 -- bash "$vm/guest/reply.sh"
