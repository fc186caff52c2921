# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Where what is made once is kept, sourced by the commands that make it.

# open_cache WHO DIRECTORY: set cache to icbench/DIRECTORY below XDG_CACHE_HOME, or below
# ~/.cache where that is not set, or is relative, which its specification has ignored; and
# have it for oneself until the command ends
open_cache() {
	cache=${XDG_CACHE_HOME-}
	[[ $cache = /* ]] || cache=${HOME:?}/.cache
	cache+=/icbench${2:+/$2}
	[[ $cache != *[[:space:]]* ]] || {
		echo "$1: make cannot build in ${cache@Q}, for the blank: set XDG_CACHE_HOME to a path" \
			"that has none" >&2
		exit 2
	}
	mkdir -p "$cache" || exit
	exec 9>"$cache/.lock" || exit
	flock 9
}
