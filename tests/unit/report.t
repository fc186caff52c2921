#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# icbenchctl report: the plots and tables of each kind of file, hostile texts, files that are
# refused, and bounds. The tests of plots are skipped without gnuplot.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

ctl=$top/tests/unit/build/icbenchctl-fake
documents=$top/tests/unit/report.jq
cd "$tmp" || exit

# report ARGUMENT...: run icbenchctl report; sets status, and the files out and err
report() {
	timeout 600 "$ctl" report "$@" >out 2>err </dev/null
	status=$?
}

# made WHAT FILE...: a page about these files, page.html, without a word
made() {
	report "${@:2}" -o page.html
	is "$1" "$status $(cat out err)" "0 "
}

# refused WHAT STATUS REGEX ARGUMENT...: one line, no output and no page
refused() {
	rm -f refused.html
	report "${@:4}"
	is "$1: status, lines" "$status $(wc -l <err) $(wc -c <out)" "$2 1 0"
	like "... the reason" "$(<err)" "$3"
	ok "... no file is left behind" absent refused.html
}

absent() {
	[ ! -e "$1" ] && ! compgen -G '.icbench-*'
}

# has WHAT TEXT [FILE]: the page contains the text
has() {
	ok "$1" grep -qF -- "$2" "${3-page.html}"
}

lacks() {
	ok "$1" lacking "$2"
}

lacking() {
	! grep -F -- "$1" page.html
}

# plot WHAT TITLE: the page has a plot of this title, with a drawing
plot() {
	if [ -z "$gnuplot" ]; then
		skip "$1" "gnuplot is not installed (package gnuplot-nox)"
		return
	fi
	ok "$1" grep -qE "<svg role=img aria-label=\"$2\"" page.html
}

# sound: the page is complete, refers to nothing outside, and its identifiers are unique
sound() {
	/usr/bin/python3 - "$@" <<'PY'
import html.parser
import re
import sys

VOID = {"meta", "br"}
OPTIONAL = {"li", "tr", "td", "th", "p", "tbody", "thead"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.wrong, self.links, self.tags = [], set(), [], set(), set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for key, value in attrs:
            if key == "id":
                if value in self.ids:
                    self.wrong.append("twice: id " + value)
                self.ids.add(value)
            if key in ("href", "xlink:href"):
                self.links.add(value)
            if key.startswith("on") or key == "src":
                self.wrong.append(f"{tag} has {key}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> ends nothing")


with open(sys.argv[1], encoding="utf-8") as f:
    text = f.read()
page = Page()
page.feed(text)
page.close()
wrong = page.wrong + [f"<{tag}>" for tag in page.tags & {"script", "img", "iframe", "link", "object"}]
wrong += [f"link {link}" for link in page.links if link[:1] != "#" or link[1:] not in page.ids]
if not text.endswith("</html>\n") or [tag for tag in page.open if tag not in OPTIONAL]:
    wrong.append(f"not complete: {page.open}")
wrong += re.findall(r"url\([^)]*\)|@import[^;]*", text)
if re.search(r"https?://(?!www\.w3\.org/)", text):
    wrong.append("an address")
sys.exit("\n".join(wrong[:20]) or 0)
PY
}

gnuplot=$(command -v gnuplot)

# document NAME: a document of report.jq
document() {
	jq -n --arg name "$1" -f "$documents"
}

for name in latency bandwidth calls stages modes load profile other; do
	document $name >$name.json || exit
done
/usr/bin/python3 "$top/tests/lib/schema.py" "$top/Documentation/schema/icbench-1.json" \
	latency.json bandwidth.json calls.json stages.json modes.json load.json >schema 2>&1
is "the results are valid: $(tail -n 3 schema)" "$?" 0

# results
FAKE_RATE=2e6 "$ctl" run latency --size 1..4K -n 1000 --json run.json --quiet >/dev/null || exit
made "a result of icbenchctl run" run.json
ok "... the page is sound" sound page.html
plot "... latency against size" "latency against size"
plot "... the distribution" "Distribution"
has "... the median of each size" "<th class=n scope=col>latency p50, ns"
has "... the table as CSV" "<summary>CSV</summary><pre>size,"
has "... all metrics" "<summary>All metrics</summary>"
has "... the environment" "<summary>Environment</summary>"

made "a sweep of two verbs" latency.json
plot "... the 99.9th percentile is on the axis" "Distribution"
[ -z "$gnuplot" ] || has "... with its tic" "<text>99.9 %</text>"
has "... a curve for each verb" "latency: verb=write"
has "... published figures" "<td>InfiniBand, VAPI<td>thesis 2003<td class=n>7.5 us<td class=n>10<td>verb=send, size=64"
has "... in the CSV" 'latency,verb:send,&quot;InfiniBand, VAPI&quot;,thesis 2003,7.5 us,10,&quot;verb=send, size=64&quot;'
has "... a percentile without samples is a dash" "<td class=n>—"
made "a stream" bandwidth.json
plot "... bandwidth against size" "bandwidth against size"
made "calls" calls.json
plot "... the time of the calls" "time of the calls against size"
made "stages" stages.json
plot "... as stacked bars" "Stages from the arrival to the waiter"
has "... each stage is in the legend" "<span class=\"k c2\"></span>wake" 
made "completion modes" modes.json
plot "... their front" "Completion modes: latency and CPU time"
has "... a mode on the front" "<span class=\"k c0\"></span>1: poll"
has "... a mode that another one beats" "<span class=\"k c1\"></span>2: workqueue"
has "... the derived figures" "<td>pareto<td class=n>yes"
made "a load" load.json
plot "... latency against rate" "latency against rate"
[ -z "$gnuplot" ] || has "... the knee" "<text>knee 30000</text>"
has "... the model" "mean latency of the M/D/1 model"

# the clock counts instructions
jq '.environment.icount = true' latency.json >icount.json
made "a clock that counts instructions" icount.json
has "... its figures are not beside those of papers" "(none: the clock counts instructions)"
[ -z "$gnuplot" ] || has "... the unit of the axis" "<text>latency, instructions</text>"

# a partial result
jq '.partial = true | .reason = "stopped"' latency.json >partial.json
made "a partial result" partial.json
has "... which is said" "This result is partial: stopped."

# several results
mkdir history
for i in 1 2 3 4 5; do
	jq --argjson i $i '.started = "2026-01-0\($i)T00:00:00Z" |
		.environment.release = "6.\(if $i > 3 then 12 else 1 end).0" |
		.points[].metrics.latency |= (.percentiles["50"] *= 1 + $i / 10)' latency.json >history/$((9 - i)).json
done
made "a directory of results" history
plot "... their history" "History of latency"
ok "... in order of time" test "$(grep -oE '^<h3 id=s[0-9]+>latency: history/[0-9]' page.html | grep -o '.$' | xargs)" = "8 7 6 5 4"
[ -z "$gnuplot" ] || has "... with the kernel releases" "<text>6.12.0</text>"
has "... and differences" "<td>2026-01-05T00:00:00Z<td>6.12.0<td>latency: verb=send, size=64<td>ns<td class=n>15000<td class=n>36.364"
has "... a table of contents" '<a href="#s2">8: 5 results of latency</a>'
ok "... the page is sound" sound page.html

# a comparison
jq '.points[].metrics.latency |= (.mean *= 1.2 | .interval = { low: (.mean * 0.99), high: (.mean * 1.01) })' latency.json >new.json
"$ctl" compare latency.json new.json --json comparison.json >/dev/null
is "a comparison with a regression" "$?" 4
made "... as a page" comparison.json
plot "... the differences" "Figures that differ"
has "... a regression" "<td class=n>20<td class=n>"
has "... is named" "<td>REGRESSION"
ok "... the page is sound" sound page.html

# profiles
made "two profiles" profile.json other.json
plot "... the functions" "Functions with the most instructions"
plot "... the difference by function" "Difference by function"
has "... a function with another suffix is the same one" "<td>rxe_crc32<td>rdma_rxe<td class=n>500<td class=n>2000<td class=n>2500"
has "... a function of another module, too" "<td>memset<td>new_module<td class=n>-1000<td class=n>3000<td class=n>2000"
has "... by purpose" "by purpose"
has "... the call stacks" "<title>echo_loop: 5000 instructions, 100.00 %</title>"
printf '%s\n' "thread;loop;post 600" "thread;loop 300" "thread 50" "thread;loop;post;<b>x 50" >stacks.folded
made "folded call stacks" stacks.folded
has "... a caller has the instructions of its callees" "<title>loop: 950 instructions, 95.00 %</title>"
has "... the names are escaped" "<title>&lt;b&gt;x: 50 instructions, 5.00 %</title>"
ok "... the page is sound" sound page.html

# hostile texts, for HTML and for gnuplot
evil="</pre></title></svg><script>alert(1)</script><!-- \" ' & \$(touch gone) \`touch gone\` @x; system('touch gone')"
jq --arg evil "$evil" '.benchmark = $evil | .environment.kernel = $evil | .environment.release = $evil |
	.environment[$evil] = $evil | .points[].section = $evil | .command = [$evil] |
	.points[].parameters += { ($evil): $evil } | .points[].metrics.latency.unit = $evil |
	.points[0].parameters[$evil] = "\u0001\u001b[31m\u202e"' latency.json >evil.json
jq '.started = "2026-01-09"' evil.json >evil2.json
jq --arg evil "$evil" '.kernel = $evil | .functions[].name += $evil | .functions[].module = $evil |
	.stacks[].frames[0] = $evil' profile.json >evil3.json
jq --arg evil "$evil" '.points[].file = $evil | .points[].metrics["latency.mean"].verdict = $evil' comparison.json >evil4.json
printf '%s 5\n' "$evil" >evil.folded
report evil.json evil2.json evil3.json evil4.json evil.folded -o page.html --title "$evil"
is "hostile texts: $(head -c 200 err)" "$status" 0
ok "... the page is sound" sound page.html
lacks "... no script" "<script"
ok "... no command was executed" absent gone
ok "... no control characters" test "$(LC_ALL=C tr -dc '\001-\010\013-\037\177' <page.html | wc -c)" -eq 0

# numbers that no plot can show
jq '.points[0].metrics.latency |= (.histogram[3] = [1e-320, 1e308, 1e300] | .percentiles["50"] = 1e-320 |
	.max = 1e308 | .mean = -1e308) | .points[1].parameters.size = 1e308 | .points[2].parameters.size = -1 |
	.points[3].metrics.bandwidth.value = 1e-320' latency.json >numbers.json
made "very large and very small numbers" numbers.json
ok "... the page is sound" sound page.html

# files that are refused
echo '{"schema": "icbench/2"}' >schema.json
echo '{"schema": "icbench-profile/1", "functions": []}' >empty.json
jq 'del(.sum)' profile.json >sumless.json
jq 'del(.points[0].metrics)' comparison.json >metricless.json
head -c 300 latency.json >cut.json
head -c 30 stacks.folded >cut.folded
echo "no number" >bad.folded
echo "a;b 1e999" >huge.folded
echo "a;b 0" >none.folded
mkdir nothing
mkfifo pipe.json
refused "a truncated result" 1 "cut.json: truncated, with 300 bytes" latency.json cut.json -o refused.html
refused "another schema" 1 "schema.json: the schema is \"icbench/2\"; accepted:" schema.json -o refused.html
refused "a profile without functions" 1 "empty.json: has no functions; accepted:" empty.json -o refused.html
refused "a profile without a sum" 1 "sumless.json: has no sum; accepted:" sumless.json -o refused.html
refused "a comparison without metrics" 1 "metricless.json: has a point without metrics" metricless.json -o refused.html
refused "a truncated line of call stacks" 1 "cut.folded: truncated in line 2; accepted:" cut.folded -o refused.html
refused "no call stacks" 1 "bad.folded: line 1 is no call stack; accepted:" bad.folded -o refused.html
refused "an infinite number" 1 "huge.folded: line 1 is no call stack; accepted:" huge.folded -o refused.html
refused "no instructions" 1 "none.folded: has no instructions; accepted:" none.folded -o refused.html
refused "a directory without results" 1 "nothing: has no file \*.json or \*.folded; accepted:" nothing -o refused.html
refused "a pipe" 1 "pipe.json: not a regular file; accepted:" pipe.json -o refused.html
refused "no such file" 1 "cannot read none.json: No such file" none.json -o refused.html
echo kept >page.html
report cut.json -o page.html
is "a page that was there is kept" "$status $(<page.html)" "1 kept"

# usage
refused "no file" 2 "report: no file; see icbenchctl report --help" -o refused.html
refused "no output" 2 "report: no output; accepted: -o FILE, -o -" latency.json
refused "two outputs" 2 "--output: given twice" latency.json -o a -o refused.html
refused "no format but HTML" 2 "unknown option --json" latency.json -o refused.html --json x
refused "a directory that is not there" 2 "cannot write none/refused.html" latency.json -o none/refused.html
report latency.json -o -
is "standard output" "$status $(head -n 1 out) $(wc -c <err)" "0 <!DOCTYPE html> 0"

# without gnuplot, and with one that fails or hangs
mkdir bin
ln -s "$(command -v timeout)" bin/timeout
PATH=$tmp/bin report latency.json -o page.html
is "no gnuplot: a line that names the package" "$status $(<err)" \
	"0 icbenchctl: no gnuplot: the report has tables only (Debian: gnuplot-nox)"
has "... the page says so" "No plots: gnuplot was not installed."
has "... and has the tables" "latency p50, ns"
lacks "... but no drawing" "<svg"
ok "... it is sound" sound page.html
printf '#!/bin/sh\necho "line 3: no such terminal" >&2; exit 1\n' >bin/gnuplot
chmod +x bin/gnuplot
PATH=$tmp/bin:$PATH refused "gnuplot fails" 1 "gnuplot failed: line 3: no such terminal" latency.json -o refused.html
printf '#!/bin/sh\nexit 0\n' >bin/gnuplot
PATH=$tmp/bin:$PATH refused "gnuplot draws nothing" 1 "gnuplot drew 0 of 3 plots; accepted:" latency.json -o refused.html

# large documents: the page stays small
jq -c '.points = [range(100000) as $i | { parameters: { verb: "send", size: ($i + 1) }, metrics: { latency:
	{ unit: "ns", count: 9, min: 1, mean: ($i + 2), stddev: 1, max: $i, percentiles: { "50": ($i + 2) } } },
	disturbance: {} }]' latency.json >large.json
made "100000 points" large.json
ok "... in a page of less than 1 MB" test "$(wc -c <page.html)" -lt 1000000
has "... what is left out is counted" "99600 more rows are not shown."
jq -c '.points[0].metrics.latency.histogram = [range(100000) | [. * 10, . * 10 + 9, 3]] |
	.points[0].metrics.latency.count = 300000' latency.json >buckets.json
made "100000 buckets" buckets.json
ok "... in a page of less than 1 MB" test "$(wc -c <page.html)" -lt 1000000
/usr/bin/python3 -c 'for i in range(100000): print("a;" * (i % 300) + f"f{i} {i + 1}")' >large.folded
made "100000 call stacks" large.folded
ok "... in a page of less than 1 MB" test "$(wc -c <page.html)" -lt 1000000
jq -c '.points = [range(200001) | { parameters: {}, metrics: { m: { unit: "", value: 1 } } }]' latency.json >larger.json
refused "too many points" 1 "has 200001 points; accepted: up to 200000" larger.json -o refused.html

done_testing
