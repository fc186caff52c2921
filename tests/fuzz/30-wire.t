#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A misbehaving peer, in user space, against both sides of the module.
#
#   ICBENCH_FUZZ_SEED          seed of all random values (1)
#   ICBENCH_FUZZ_CONNECTIONS   peers of the storms, one after another or several at a time (500)
#   ICBENCH_FUZZ_EVERY         one in this many wrong values and lengths of messages (1)
#   ICBENCH_FUZZ_SHARE         K/N: the K-th of N shares of the groups (1/1)
#   ICBENCH_QUICK              only some groups

here=$(cd -P "${0%/*}" && pwd)
# shellcheck source=tests/lib/settings.sh
. "$here/../lib/settings.sh"

setting ICBENCH_FUZZ_SEED 1
setting ICBENCH_FUZZ_CONNECTIONS 500
setting ICBENCH_FUZZ_EVERY 1
share_of_n='^([1-9][0-9]?)/([1-9][0-9]?)$'
if ! [[ ${ICBENCH_FUZZ_SHARE=1/1} =~ $share_of_n ]] || [ "${BASH_REMATCH[1]}" -gt "${BASH_REMATCH[2]}" ]; then
	echo "30-wire.t: ICBENCH_FUZZ_SHARE is K/N, K from 1 to N, not '$ICBENCH_FUZZ_SHARE'" >&2
	exit 2
fi
# several shares start at the same time, so that the build has to be locked
flock "$here/wire" make -s -C "$here/wire" >&2 || exit
exec "$here/../vm/run" --with tests/chaos --timeout $((1800 + ICBENCH_FUZZ_CONNECTIONS)) -- \
	/usr/bin/python3 -B "$here/wire/guest.py" "$@"
