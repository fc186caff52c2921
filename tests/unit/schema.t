#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The schemas in Documentation/schema: documents of the unit tests and of tests/frozen are valid, and
# defects are found. cli.t and compare.t check the documents of icbenchctl itself.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

schema=$top/Documentation/schema/icbench-1.json

valid() {
	/usr/bin/python3 "$top/tests/lib/schema.py" "$@"
}

# documents TEST: the documents that a unit test prints are valid
documents() {
	mkdir "$tmp/$1" && ICBENCH_TEST_DOCUMENTS=$tmp/$1 "$top/tests/unit/build/$1" &&
		valid "$schema" "$tmp/$1"/*.json
}

ok "tests/frozen: the members are those of the schema" \
	valid --form "$schema" "$top"/tests/frozen/documents/*.json
for name in test_print test_repeat test_loggp test_advice; do
	ok "$name: its documents are valid" documents "$name"
done

# defect NAME FILTER WORDS: a document that is changed in this way is not valid
defect() {
	local said

	jq "$2" "$tmp/good.json" >"$tmp/bad.json" || return
	! cmp -s "$tmp/good.json" "$tmp/bad.json" || return
	! said=$(valid "${@:4}" "$schema" "$tmp/bad.json" 2>&1) || return
	grep -q -- "$3" <<<"$said" || {
		echo "$said"
		return 1
	}
}

cp "$tmp/test_print/1.json" "$tmp/good.json"
ok "the document to change is valid" valid "$schema" "$tmp/good.json"
while IFS='|' read -r name filter words; do
	ok "$name" defect "$name" "$filter" "$words"
done <<'ROWS'
another schema|.schema = "icbench/2"|schema: 'icbench/1' was expected
an unknown member|.more = 1|'more' was unexpected
an unknown member of the environment|.environment.more = 1|environment: .*'more' was unexpected
no environment|del(.environment)|'environment' is a required
a time that is none|.started = "today"|started: 'today' does not match
a complete result with a reason|.reason = "x"|reason: False schema
a partial result without a reason|.partial = true|'reason' is a required
a parameter that is none|.points[0].parameters.more = 1|parameters: .*'more' was unexpected
a word that is none|.points[0].parameters.verb = "recv"|parameters/verb: 'recv' is not one of
a negative size|.points[0].parameters.size = -1|parameters/size: -1 is less
a metric without a value|del(.points[0].metrics.message_rate.value)|message_rate: 'value' is a required
a unit that is none|.points[0].metrics.message_rate.unit = "MB"|message_rate/unit: 'MB' is not one of
a distribution without its mean|del(.points[0].metrics.latency.mean)|latency: 'mean' is a required
an incomplete row of a histogram|del(.points[0].metrics.latency.histogram[0][2])|histogram/0: .* is too short
an empty bucket|.points[0].metrics.latency.histogram[0][2] = 0|histogram/0/2: 0 is less
ROWS

cp "$top/tests/frozen/documents/latency.json" "$tmp/good.json"
while IFS='|' read -r name filter words; do
	ok "a form: $name" defect "$name" "$filter" "$words" --form
done <<'ROWS'
an unknown member|.environment.more = ""|environment: .*'more' was unexpected
a number in place of a text|.environment.cpu = 0|environment/cpu: 0 is not of type 'string'
a member that is missing|del(.points[0].metrics.latency.unit)|'unit' is a required
a member of no metric|.points[0].metrics.latency.more = 0|'more' was unexpected
ROWS
done_testing
