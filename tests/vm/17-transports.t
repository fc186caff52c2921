#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Transports that lose messages: each verb and completion mode that they have, what
# they refuse, and that nothing but loss is taken for loss.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --icount --timeout 900 -- bash "$vm/guest/transports.sh"
