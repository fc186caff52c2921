#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What can go wrong for a user: the words, the exit status, nothing left behind;
# who may not use it.

vm=$(cd -P "${0%/*}" && pwd)
exec "$vm/run" --with tests/delays --timeout 900 -- bash "$vm/guest/errors.sh"
