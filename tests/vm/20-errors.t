#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Errors of users: message, exit status, nothing left behind; and users without the permission.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --with tests/delays --timeout 900 -- bash "$vm/guest/errors.sh"
