#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# icbenchctl compare: what it prints, its files, and what it refuses.

cd "${BASH_SOURCE[0]%/*}" || exit 1
ctl=$PWD/build/icbenchctl-fake
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
count=0

# report STATUS NAME: a test; if it failed, show the last output
report()
{
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
		return
	fi
	echo "not ok $count - $2"
	echo "# exit status $rc"
	sed 's/^/#   /' "$tmp/out" "$tmp/err"
}

# run ARG...: run icbenchctl compare
run()
{
	(cd "$tmp" && timeout 60 "$ctl" compare "$@") >"$tmp/out" 2>"$tmp/err" </dev/null
	rc=$?
}

# ends NAME STATUS: that status, without a word on standard error
ends()
{
	[ "$rc" -eq "$2" ] && [ ! -s "$tmp/err" ]
	report $? "$1"
}

# refused NAME STATUS REGEX: one line, nothing else
refused()
{
	[ "$rc" -eq "$2" ] && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] &&
		grep -q -- "$3" "$tmp/err"
	report $? "$1"
}

# ok NAME COMMAND...
ok()
{
	"${@:2}" >>"$tmp/err" 2>&1
	report $? "$1"
}

# document ICOUNT MEAN FILTER: a result, changed by a filter
document()
{
	jq -n --argjson icount "$1" --argjson mean "$2" '{
		schema: "icbench/1", benchmark: "latency", partial: false,
		environment: { kernel: "6.1.0 x86_64", cpu: "CPU", cpus: 2, device: "rxe0",
			driver: "rxe", link: "Ethernet", mtu: 1024, clocksource: "tsc",
			icount: $icount, icbench: "1.0.0" },
		points: [ 64, 4096 | { parameters: { verb: "send", size: . }, metrics: {
			latency: { unit: "ns", count: 200, min: $mean, mean: $mean,
				percentiles: { "50": $mean, "99": $mean },
				unsupported: [ "99" ],
				confidence: { "50": { low: ($mean * 0.98), high: ($mean * 1.02) } },
				interval: { low: ($mean * 0.98), high: ($mean * 1.02) } },
			bandwidth: { unit: "B/s", value: (1e12 / $mean) } } } ]
		} | '"${3:-.}"
}

# valid FILE: a comparison by its schema
valid()
{
	/usr/bin/python3 ../lib/schema.py ../../Documentation/schema/icbench-compare-1.json "$1"
}

narrow()
{
	awk 'length > 100 { print "long: " $0; bad = 1 } END { exit bad }' "$tmp/out"
}

document true 10000 >"$tmp/a.json"
document true 10200 '.environment.kernel = "6.12.0 x86_64" | .environment.icbench = "1.1"' >"$tmp/b.json"
document false 10000 >"$tmp/wa.json"
document false 11000 >"$tmp/wb.json"

run a.json a.json
ends "one document with itself" 0
run wa.json wa.json
ends "... in time" 0
run a.json b.json
ends "2 % of the instructions: a regression" 4
ok "the table has at most 100 columns" narrow
ok "... both kernels" grep -q "6.12.0 x86_64, icbench 1.1" "$tmp/out"
ok "... the parameters that vary" grep -qx "latency size=4096" "$tmp/out"
ok "... and the regression" grep -qE "latency.mean +ns +10000.000 +10200.000 +\+200.000 +\+2.00 .* REGRESSION" "$tmp/out"
ok "a percentile with too few samples" grep -q "too few samples: latency.p99" "$tmp/out"
run a.json b.json --threshold 3
ends "... below the threshold" 0
run b.json a.json
ends "in the other direction: none" 0
run wa.json wb.json
ends "10 % of the time: a regression" 4
ok "a rate without an interval" grep -q "no interval of it: bandwidth" "$tmp/out"
run wa.json wb.json --json -
ok "... in JSON, by its schema" valid "$tmp/out"
run wa.json wb.json --metric bandwidth
ok "... alone: status 5" [ "$rc" -eq 5 ]
ok "... with the reason" grep -q "no figure is comparable: bandwidth" "$tmp/err"
run a.json b.json --metric latency.p50 --metric bandwidth
ok "--metric, repeated" [ "$(grep -cE '^ (latency|bandwidth)' "$tmp/out")" -eq 4 ]

# the other formats
run a.json b.json --json -
ends "--json -" 4
ok "... is JSON" jq -e '.schema == "icbench-compare/1" and .summary.regressions == 6
	and (.points | length) == 2 and .points[0].metrics["latency.mean"].verdict == "slower"
	and .points[0].new.kernel == "6.12.0 x86_64"' "$tmp/out"
ok "... by its schema" valid "$tmp/out"
run a.json b.json --json forced.json --metric latency.p50
ends "--json FILE" 0
ok "... by its schema" valid "$tmp/forced.json"
document true 10000 '.environment += { hostname: "one", release: "6.1.0", build: "#1 SMP", machine: "x86_64" }' >"$tmp/one.json"
document true 10000 '.environment += { hostname: "two", release: "6.12.0", build: "#2 SMP", machine: "x86_64" }
	| .environment.kernel = "6.12.0 x86_64"' >"$tmp/two.json"
run one.json two.json
ends "hosts, releases and builds that differ" 0
ok "... the kernel names them" grep -q "kernel 6.12.0 x86_64, icbench" "$tmp/out"
document true 10000 '.environment += { hostname: "one", release: "6.1.0", build: "#2 SMP", machine: "x86_64" }' >"$tmp/two.json"
run one.json two.json
ends "two builds of one release" 0
ok "... each is named" grep -qE "^new: +kernel 6.1.0 x86_64, build #2 SMP, icbench" "$tmp/out"
run one.json,two.json one.json
refused "... which are no repeats of one run" 5 "the build is #1 SMP in one.json, #2 SMP in two.json: documents of one side"
run a.json b.json --ktap
ok "--ktap: version" [ "$(head -n 1 "$tmp/out")" = "KTAP version 1" ]
ok "--ktap: plan" [ "$(sed -n 's/^1\.\.//p' "$tmp/out")" -eq "$(grep -cE '^(not )?ok [0-9]+ ' "$tmp/out")" ]
ok "--ktap: a test that fails" grep -qE '^not ok [0-9]+ latency size=64 latency.mean$' "$tmp/out"
ok "--ktap: a test that is skipped" grep -qE '^ok [0-9]+ latency size=64 latency.p99 # SKIP too few' "$tmp/out"
document true 10000 '.points[].parameters.note = "a<b>&\"c\" # SKIP \u0001\uffff\n" | .points[1].parameters.note = "]]>"' >"$tmp/x.json"
run x.json x.json --junit x.xml --ktap
ends "a text with all kinds of characters" 0
ok "--junit: is XML" python3 -c 'import sys, xml.etree.ElementTree as e
suite = e.parse(sys.argv[1]).getroot().find("testsuite")
cases = suite.findall("testcase")
assert len(cases) == int(suite.get("tests"))
assert "a<b>&\"c\" # SKIP" in cases[0].get("classname")' "$tmp/x.xml"
ok "--ktap: no directive from a document" [ "$(grep -c '# SKIP a\|c" # SKIP' "$tmp/out")" -eq 0 ]
run a.json b.json --junit -
ok "--junit -" python3 -c 'import sys, xml.etree.ElementTree as e
assert e.parse(sys.argv[1]).getroot().find("testsuite").get("failures") == "6"' "$tmp/out"

# several documents of a side
for i in 1 2 3 4; do
	document false $((10000 + i * 10)) >"$tmp/p$i.json"
	document false $((11000 + i * 10)) >"$tmp/q$i.json"
done
run p1.json,p2.json,p3.json,p4.json q1.json,q2.json,q3.json,q4.json
ends "pooled documents" 4
ok "... give each figure an interval" grep -qE 'latency.p99 .* REGRESSION' "$tmp/out"
run --base p1.json --base p2.json --new p3.json,p4.json
ends "... by --base and --new: no regression" 0
run p1.json,a.json q1.json
refused "pooled documents that differ" 5 "clock's unit is time in p1.json, executed"
run a.json,b.json a.json
refused "... in the kernel" 5 "the kernel is 6.1.0 x86_64 in a.json, 6.12.0 x86_64 in b.json: documents of one side"

# what cannot be compared
while IFS='|' read -r filter words; do
	document true 10000 "$filter" >"$tmp/c.json"
	run a.json c.json
	refused "$words" 5 "$words.*; --force compares all the same\$"
	run a.json c.json --force
	[ "$rc" -eq 0 ] || [ "$rc" -eq 4 ]
	report $? "... --force"
	ok "... names it" grep -q "^forced: " "$tmp/out"
	run a.json c.json --force --json -
	ok "... by its schema" valid "$tmp/out"
done <<'ROWS'
.environment.device = "siw0"|the device is rxe0 in a.json, siw0 in c.json
.environment.driver = "siw"|the driver is rxe in a.json, siw
.environment.mtu = 4096|the MTU is 1024 in a.json, 4096
.environment.cpus = 8|the number of CPUs is 2 in a.json, 8
.environment.cpu = "other"|the CPU is CPU in a.json, other
.environment.clocksource = "hpet"|the clock source is tsc in a.json, hpet
.environment.icount = false|the clock's unit is executed instructions in a.json, time
.environment.hypervisor = "KVM"|the hypervisor is absent in a.json, KVM
.environment.kernel = "6.1 aarch64"|the machine type is x86_64 in a.json, aarch64
.benchmark = "bandwidth"|the benchmark is latency in a.json, bandwidth
.partial = true|c.json is partial
.points[1].parameters.size = 1|parameter size of point 2 is 4096 in a.json, 1
.points[1].parameters.new = 1|parameter new of point 2 is absent in a.json, 1
.points[0].section = "s"|point 1 of a.json has no counterpart
del(.points[0])|point 1 of a.json has no counterpart\|parameter size
.points[0].load = { parameters: { size: 1 } }|only one of a.json and c.json has a load
ROWS

# directories
mkdir "$tmp/s" "$tmp/t" "$tmp/u" "$tmp/empty"
cp "$tmp/a.json" "$tmp/s/one.json"
cp "$tmp/a.json" "$tmp/s/two.json"
cp "$tmp/a.json" "$tmp/t/one.json"
cp "$tmp/b.json" "$tmp/t/two.json"
cp "$tmp/a.json" "$tmp/u/one.json"
echo junk >"$tmp/t/README"
run s t
ends "two suites" 4
ok "... by the names of the files" grep -qx "two.json: latency size=64" "$tmp/out"
run s s
ends "one suite with itself" 0
run s u
refused "a file that one suite lacks" 5 "only the base has two.json"
run s u --force
ends "... --force" 0

# the figures of a suite
suite()
{
	printf '%s\n' "title = x" "[one]" "recipe = latency" "figures = latency.min, bandwidth" \
		"[two]" "recipe = latency" "figures = $1" "[three]" "recipe = latency" >"$tmp/x.suite"
}
suite latency.p50
run s t --suite x.suite --json c.json
ends "--suite: a figure that is not of the suite is no regression" 0
ok "... the figures that it names, of each file" jq -e '[.points[] | "\(.file) \(.metrics | keys)"] |
	unique == ["one.json [\"bandwidth\",\"latency.min\"]", "two.json [\"latency.p50\"]"]' "$tmp/c.json"
suite latency.mean
run s t --suite x.suite
ends "... a figure that is of it is one" 4
run s t --suite x.suite --metric latency.min
ends "... and --metric selects from them" 0
run s t --suite x.suite --metric latency.p50
refused "... --metric: a figure that the suite does not name" 2 "no metric \"latency.p50\"; accepted: latency"
suite latency.speed
run s t --suite x.suite
refused "... a figure that the documents lack" 2 "two.json: no metric \"latency.speed\"; accepted: latency"
sed -i 's/^.two.$/[other]/' "$tmp/x.suite"
run s t --suite x.suite
refused "... a file of no experiment" 2 "two.json belongs to no experiment of the suite x"
run a.json b.json --suite x.suite
refused "... files" 2 "--suite: not two directories; accepted: two directories"
run s t --suite nosuch
refused "... no such suite" 2 "nosuch"
run s t --suite x.suite --suite x.suite
refused "... twice" 2 "--suite: given twice"

run s empty
refused "an empty directory" 5 "empty: has no file \*.json; accepted:"
run s a.json
refused "a directory and a file" 5 "accepted: files only, or directories only"

# files that cannot be read
mkfifo "$tmp/pipe"
run a.json pipe
refused "a pipe" 5 "pipe: not a regular file; accepted:"
run a.json /dev/zero
refused "a device" 5 "not a regular file"
run a.json nosuch.json
refused "no such file" 5 "cannot read nosuch.json: No such file"
head -c 300 "$tmp/a.json" >"$tmp/cut.json"
run a.json cut.json
refused "a truncated document" 5 "cut.json: truncated, with 300 bytes"

# usage
run
refused "nothing" 2 "no base result; see icbenchctl compare --help"
run a.json
refused "one side only" 2 "no new result"
run a.json b.json c.json
refused "three sides" 2 'unexpected "c.json"'
run a.json, b.json
refused "an empty name" 2 "has an empty name; accepted:"
for value in x -1 1001 nan ""; do
	run a.json b.json --threshold "$value"
	refused "--threshold '$value'" 2 "accepted: 0 to 1000"
done
run a.json b.json --metric nosuch
refused "no such metric" 2 'no metric "nosuch"; accepted: latency, bandwidth'
run a.json b.json --json - --ktap
refused "two outputs in one" 2 "several formats on standard output; accepted: one"
run a.json b.json --json o --junit o
refused "two outputs to one file" 2 "accepted: two files"
run a.json b.json --json nosuch/o
refused "an output that cannot be written" 2 "cannot write nosuch/o"
run a.json b.json --treshold 1
refused "a misspelled option" 2 "did you mean --threshold"

echo "1..$count"
