#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The order of rooms: a file includes only files of its own room or of rooms below it, there are no
# include cycles, and no file is too long. Also test that each violation is found.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

rooms=$top/tests/static/rooms.py

# sees FAULT FILE LINE: with this line at the beginning of the file, rooms.py reports the violation
sees() {
	local fault=$1 file=$2 line=$3 tree=$tmp/tree

	rm -rf "$tree"
	mkdir -p "$tree/kmod/"{engine,model,verbs} "$tree/user/"{cmd,base,plan} "$tree/tests/unit"
	touch "$tree"/kmod/engine/{echo,run}.{c,h} "$tree"/kmod/model/params.{c,h} \
		"$tree"/kmod/verbs/endpoint.h "$tree"/user/{cmd/show,base/text,plan/recipe}.h
	"$rooms" "$tree" >"$tmp/before" || return
	echo "$line" >>"$tree/$file"
	if "$rooms" "$tree" >"$tmp/found" || ! grep -q "$fault" "$tmp/found"; then
		cat "$tmp/found"
		return 1
	fi
}

# long FILE: rooms.py reports this file if it has 901 lines
long() {
	local tree=$tmp/tree

	sees "no such fault" kmod/model/params.h "" >/dev/null
	yes "" | head -n 901 >"$tree/$1"
	! "$rooms" "$tree" >"$tmp/found" && grep -q "^$1: 901 lines" "$tmp/found"
}

circle() {
	local tree=$tmp/tree

	sees "no such fault" kmod/engine/echo.c '#include "run.h"' >/dev/null
	echo '#include "echo.h"' >"$tree/kmod/engine/run.c"
	! "$rooms" "$tree" >"$tmp/found" &&
		grep -qx 'a circle: kmod/engine/echo kmod/engine/run' "$tmp/found"
}

ok "rooms, circles and lengths" "$rooms" "$top"
ok "an include of a room above is seen" sees "of a room above its own" kmod/model/params.c \
	'#include "engine/run.h"'
ok "... in a header, too" sees "of a room above its own" user/base/text.h '#include "plan/recipe.h"'
ok "what the module takes from icbenchctl is seen" sees "of icbenchctl" kmod/model/params.c \
	'#include "plan/recipe.h"'
ok "what icbenchctl takes of the module's own rooms is seen" sees "accepted: engine, model of kmod/" \
	user/plan/recipe.h '#include "verbs/endpoint.h"'
ok "a circle is seen" circle
ok "a file that is too long is seen" long kmod/model/params.c
ok "... in the tests, too" long tests/unit/test_params.c
done_testing
