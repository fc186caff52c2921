#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# One CPU, at which nobody may spin without an end; then one whose clock counts
# instructions.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"
# shellcheck source=tests/vm/guest/relay.sh
. "$top/tests/vm/guest/relay.sh"

vm=$top/tests/vm

for machine in "--cpus 1:one-cpu.sh" "--icount:icount.sh"; do
	# shellcheck disable=SC2086
	"$vm/run" ${machine%%:*} --timeout 500 -- bash "$vm/guest/${machine#*:}" >"$tmp/out"
	status=$?
	relay "${machine%%:*}" "$tmp/out"
	is "${machine%%:*}: the machine" $status 0
done

done_testing
