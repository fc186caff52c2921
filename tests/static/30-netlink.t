#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The netlink code in the tree is what the generator makes from the specification.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

source=$("$top/tests/lib/linux-source")

valid() {
	/usr/bin/python3 - "$top/Documentation/netlink/specs/icbench.yaml" \
		"$source/Documentation/netlink/genetlink-legacy.yaml" <<-'PY'
	import sys
	import jsonschema
	import yaml

	spec, schema = (yaml.safe_load(open(name)) for name in sys.argv[1:])
	errors = list(jsonschema.Draft7Validator(schema).iter_errors(spec))
	for e in errors:
	    print("/".join(map(str, e.absolute_path)) + ": " + e.message)
	sys.exit(bool(errors))
	PY
}

# every attribute and operation has a doc
documented() {
	/usr/bin/python3 - "$top/Documentation/netlink/specs/icbench.yaml" <<-'PY'
	import sys
	import yaml

	spec = yaml.safe_load(open(sys.argv[1]))
	bare = [s["name"] + "." + a["name"] for s in spec["attribute-sets"]
	        for a in s["attributes"] if not a.get("doc") and a.get("type") != "pad"]
	bare += [o["name"] for o in spec["operations"]["list"] if not o.get("doc")]
	if bare:
	    sys.exit("no doc: for " + ", ".join(bare))
	PY
}

ok "the specification is valid" valid
ok "and says what each attribute and operation is" documented
ok "code is generated from it" "$top/scripts/ynl-regen" "$tmp"
for f in kmod/netlink/genl.c kmod/netlink/genl.h kmod/model/words.h \
	include/uapi/linux/icbench.h; do
	ok "$f is up to date (make genl)" diff -u "$tmp/$f" "$top/$f"
done
done_testing
