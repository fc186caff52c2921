#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Computing beside messages, as often and as long as requested, on one CPU whose clock counts
# instructions and which no host withholds.

# shellcheck source=tests/vm/guest/lib.sh
. "${BASH_SOURCE[0]%/*}/lib.sh"

settled "bandwidth" '.points[0].metrics.message_rate.value' 0.002 bandwidth -n 2000

# compute 1 ms before every second message of two
ctl run bandwidth -s 64 --window 8 --refill 4 -n 200 --warmup 8 --compute 0,1ms \
	--json "$tmp/json"
done_well "compute"
json "... for that time" '[.points[] | .metrics | 2e9 * .availability.value / .message_rate.value]
	| length == 2 and .[0] == 0 and .[1] >= 48.9e6 and .[1] < 49.1e6' \
	"... and nothing moves meanwhile that is not on its way" '.points
	| .[1].metrics.message_rate.value < 4000 and .[0].metrics.availability.value == 0'

# the requested share, and the bandwidth that remains
shares=0,20,50,90,99 points="[0,1,2,3,4]"
[ "$one_in" -eq 1 ] || shares=0,20,90 points="[0,1,2]"
for keys in "" "--completion block" "-b"; do
	# shellcheck disable=SC2086
	ctl run overhead-bandwidth --format full -s 4K -D 200ms --compute-share $shares $keys \
		--json "$tmp/json"
	done_well "overhead-bandwidth $keys"
	grep -q "^ Knee  *: bandwidth falls below 95 % of its peak, .* at compute-share=20, and not yet at 0; " "$tmp/out"
	report $? "... and the text tells its knee"
	note "$(jq -c '[.points[].metrics.availability.value]' "$tmp/json") %"
	json "... near the share" '[.points[] | .parameters["compute-share"] as $share
		| .metrics.availability | .unit == "%" and (.value - $share | fabs) < 1]
		| all and length == ('"$points"' | length)' \
		"... which the messages lack" '[.points[] | .metrics.bandwidth.value
		/ (100 - .parameters["compute-share"])] | . as $rest
		| [.[] / $rest[0] | . > 0.9 and . < 1.2] | all' \
		"... as the data does" '.knees | length == 1 and (.[0]
		| .metric == "bandwidth" and .key == "compute-share" and .percent == 95
		and .holds == 0 and .falls == 20 and .points == '"$points"')'
done
# shares with a fraction of a per cent
ctl run overhead-bandwidth -s 4K -D 400ms --compute-share 98.5,99.5 --json "$tmp/json"
done_well "tenths of a per cent"
note "$(jq -c '[.points[].metrics | [.availability.value, .bandwidth.value]]' "$tmp/json")"
json "... near the share" '[.points[] | .parameters["compute-share"] as $share
	| .metrics.availability.value - $share | fabs < 0.4] | all and length == 2' \
	"... which the messages lack" '[.points[].metrics.bandwidth.value]
	| .[0] / .[1] > 2.5 and .[0] / .[1] < 3.5'
clean "nothing is left"

done_testing
