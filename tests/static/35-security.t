#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Promises of Documentation/security.rst about the source that a run cannot test.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

cd "$top" || exit

# none PATTERN FILE...: fail if a line matches, and print it, or if a file is missing
none() {
	grep -nE -- "$@"
	[ $? -eq 1 ]
}

# every command of the specification requires the capability
for_admins() {
	/usr/bin/python3 - Documentation/netlink/specs/icbench.yaml <<-'PY'
	import sys
	import yaml

	spec = yaml.safe_load(open(sys.argv[1]))
	commands = [o for o in spec["operations"]["list"] if "do" in o or "dump" in o]
	open_to_all = [o["name"] for o in commands if "admin-perm" not in o.get("flags", [])]
	if open_to_all or not commands:
	    sys.exit("not for admins alone: " + ", ".join(open_to_all))
	PY
}

# each promise names existing tests: files, names of tests in them, groups of the hostile peer
named_tests() {
	/usr/bin/python3 - Documentation/security.rst tests/fuzz/wire/guest.py <<-'PY'
	import os
	import re
	import sys

	texts = []
	for path in sys.argv[1:]:
	    with open(path, encoding="utf-8") as f:
	        texts.append(f.read())
	promises, wire = texts
	wrong = []

	def look(path, said):
	    try:
	        with open(os.path.join("tests", path), encoding="utf-8") as f:
	            text = f.read()
	    except OSError as error:
	        wrong.append(str(error))
	        return
	    # the hostile peer's groups are in other files than the one that is run
	    if path != "fuzz/30-wire.t":
	        wrong.extend(f"{path} does not say: {words}" for words in said.split(", ")
	                     if words and words not in text)

	wire_words, wire_named = [], []
	named = re.findall(r"^\((``[a-z]+/[^)]*)\)$", promises, re.M)
	for promise in named:
	    for part in re.split(r"; (?=``[a-z]+/)", " ".join(promise.split())):
	        path, said = re.match(r"``([^`]+)``(?:: )?(.*)", part).groups()
	        look(path, said)
	        if path == "fuzz/30-wire.t":
	            wire_words += re.findall(r"[\w-]+", said)
	            # more words than one tell of what is in a group
	            wire_named += re.findall(r"(?:^|[,;] )([\w-]+)(?=[,;:]|$)", said)
	groups = re.findall(r'^    "([a-z-]+)":', wire[wire.index("\nGROUPS = {"):], re.M)
	wrong += [f"no promise names {g}" for g in groups if g not in ("good", "storm")
	          and g not in wire_words]
	wrong += [f"no group {g}" for g in set(wire_named) - set(groups)]
	wrong += [f"no group {g}" for g in re.findall(r"mirror-[a-z]+", promises) if g not in groups]
	if len(named) != len(re.findall(r"^\(``[a-z]+/", promises, re.M)):
	    wrong.append("a promise's tests have a bracket among them")
	if len(named) < 10 or len(groups) < 10:
	    wrong.append(f"only {len(named)} promises, {len(groups)} groups")
	sys.exit("\n".join(wrong) or 0)
	PY
}

source=(kmod/*.[ch] kmod/*/*.[ch])
ok "what it names as tests are some" named_tests
ok "every command needs CAP_NET_ADMIN" for_admins
ok "no global key" none 'UNSAFE_GLOBAL_RKEY|get_dma_mr|mr_type_dma' "${source[@]}"
# remote access only for what a verb needs, except for iWARP, whose reads arrive as writes
remote_access() {
	cat "${source[@]}" | sed '/^} operations\[\] = {$/,/^};$/d' | grep -v '^#define VB_ACCESS_\|^ \* ' |
		grep -B 1 '\<[IV]B_ACCESS_REMOTE' | tr -d '\t\n'
}
is "remote access is for what a verb offers" "$(remote_access)" \
	'if (ep->plan.sink)access |= VB_ACCESS_REMOTE_WRITE;'
# a rename frees the name that dev_name() returns; the core's own copy is in the device
ok "no dev_name() of a device" none '\<dev_name\(&' "${source[@]}"
ok "what is secret is compared in constant time" \
	none '(mem|b|str|strn)cmp\(.*(mac|token|secret|key)' "${source[@]}"
# the whole value is compared, and a difference is refused
turns_away() {
	grep -A 1 'if (crypto_memneq(mac, msg->mac, sizeof(mac)))$' "$1" |
		grep 'return icb_refuse(why, -EACCES,$'
}

ok "... and is compared, and who has another one turned away" turns_away kmod/run/responder.c
ok "... and so is the proof of a connection" \
	grep -q 'return !crypto_memneq(proof, hello->proof, sizeof(proof));' kmod/cm/ticket.c
# objects that hold a token, or a hash keyed by it; the defaults of a listener hold none yet
ok "what has held it is wiped" none '[^_](k|kv)free\(' kmod/session/proposal.c kmod/netlink/listener.c kmod/netlink/job.c
ok "... jobs, listeners and messages, too" none '[^_](k|kv)free\((job|listener|limits|propose)\);' \
	"${source[@]}"
ok "... and a proposal" none '[^_](k|kv)free\(msg\);' kmod/run/initiator.c
ok "... and the key" grep -q 'memzero_explicit(key' kmod/cm/ticket.c
# a request, which anybody can forge, starts nothing before its rate was checked
rate_first() {
	sed -n '/^static int admit(/,/^}/p' "$1" | tr -d '\t\n' |
		grep -q 'err = check_rate(id, why);if (err)return err;.*icb_job_new('
}
ok "a rate comes before a job is made for a peer" rate_first kmod/run/request.c
done_testing
