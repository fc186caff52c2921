#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Pages of icbenchctl report in a headless Chromium: narrow and wide, light and dark. Nothing is
# cut off, texts are legible, and the plots are drawn. Skipped without Chromium or gnuplot.
# REPORT_SHOTS=DIR keeps the screenshots.

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh"

ctl=$top/tests/unit/build/icbenchctl-fake
cd "$tmp" || exit

browser=
for name in chromium-headless-shell chromium; do
	[ -n "$browser" ] || browser=$(command -v $name)
done
if [ -z "$browser" ]; then
	echo "1..0 # SKIP Chromium is not installed (package chromium-headless-shell or chromium)"
	exit
fi
if ! command -v gnuplot >/dev/null; then
	echo "1..0 # SKIP gnuplot is not installed (package gnuplot-nox)"
	exit
fi

for name in latency bandwidth calls stages modes load profile other; do
	jq -n --arg name $name -f "$top/tests/unit/report.jq" >$name.json || exit
done
jq '.started = "2026-02-01T00:00:00Z" | .environment.release = "6.12.117+deb13-amd64" |
	.points[].metrics.latency |= (.percentiles["50"] *= 1.5 | .mean *= 1.5 |
	.interval = { low: (.mean * 0.99), high: (.mean * 1.01) })' latency.json >later.json
"$ctl" compare latency.json later.json --json comparison.json >/dev/null
printf '%s\n' "thread;loop;post 600" "thread;loop;poll 300" "thread 50" >stacks.folded
ok "a page of each kind of file" quiet "$ctl" report ./*.json stacks.folded -o page.html

# The browser measures the page, and the test reads the result. The page itself forbids scripts.
cat >measure.js <<'JS'
function channel(v) { v /= 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); }
function luminance(c) { return 0.2126 * channel(c[0]) + 0.7152 * channel(c[1]) + 0.0722 * channel(c[2]); }
function colour(text) { const m = text.match(/[\d.]+/g); return m && (m.length < 4 || +m[3] > 0) ? m.map(Number) : null; }
function ratio(a, b) { const x = luminance(a), y = luminance(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); }
function background(e) {
	for (; e; e = e.parentElement) {
		/* the text of an icicle is on a rectangle */
		const rect = e.closest(".icicle") && e.tagName === "g" && e.querySelector(":scope > rect");
		const c = colour(rect ? getComputedStyle(rect).fill : getComputedStyle(e).backgroundColor);
		if (c) return c;
	}
	return [255, 255, 255];
}
const wrong = [], root = document.documentElement;
if (root.scrollWidth > innerWidth)
	wrong.push("the page is " + root.scrollWidth + " wide");
let texts = 0, drawn = 0;
for (const svg of document.querySelectorAll("svg")) {
	const box = svg.getBoundingClientRect(), label = svg.getAttribute("aria-label");
	drawn += svg.querySelectorAll("path[d]:not([d='']), rect").length > 3 && box.height > 30;
	for (const text of svg.querySelectorAll("text")) {
		const t = text.getBoundingClientRect();
		texts++;
		if (t.left < box.left - 1 || t.right > box.right + 1 || t.top < box.top - 1 || t.bottom > box.bottom + 1)
			wrong.push(label + ": cut off: " + text.textContent);
		if (t.width && Math.min(t.width, t.height) > 0 && text.getScreenCTM().a !== 0 &&
		    parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b) < 7.5)
			wrong.push(label + ": too small: " + text.textContent);
	}
	/* the texts of one axis must not overlap */
	const flat = [...svg.querySelectorAll("text")].filter(t => !t.parentElement.getAttribute("transform")?.includes("rotate")).map(t => [t, t.getBoundingClientRect()]);
	for (let i = 0; i < flat.length; i++)
		for (let j = 0; j < i; j++) {
			const [a, b] = [flat[i][1], flat[j][1]];
			const w = Math.min(a.right, b.right) - Math.max(a.left, b.left), h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
			if (w > 1 && h > 0.4 * Math.min(a.height, b.height))
				wrong.push(label + ": overlap: " + flat[i][0].textContent + " and " + flat[j][0].textContent);
		}
}
let least = 99;
for (const e of document.querySelectorAll("body *")) {
	if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) || !e.getClientRects().length || e.closest("defs, title"))
		continue;
	const style = getComputedStyle(e), c = colour(e instanceof SVGElement ? style.fill : style.color), b = background(e);
	if (!c) continue;
	const r = ratio(c, b);
	least = Math.min(least, r);
	if (r < 4.5) wrong.push("contrast " + r.toFixed(1) + ": " + e.tagName + " " + e.textContent.slice(0, 40));
}
for (const e of document.querySelectorAll(".k"))
	if (ratio(colour(getComputedStyle(e).borderTopColor), background(e)) < 3)
		wrong.push("contrast of " + e.className);
const report = document.createElement("pre");
report.id = "measured";
report.textContent = JSON.stringify({ width: innerWidth, svgs: document.querySelectorAll("svg").length, drawn: drawn, texts: texts,
	light: luminance(background(document.body)), contrast: least, wrong: [...new Set(wrong)].slice(0, 30) });
document.body.appendChild(report);
JS
{
	sed -z 's/<meta http-equiv=Content-Security-Policy[^>]*>//' page.html
	echo "<script>addEventListener('load', () => {"
	cat measure.js
	echo "});</script>"
} >measured.html

# browse OPTION...: the browser, with one profile directory for each start
browse() {
	timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
		--user-data-dir="$tmp/profile" --blink-settings=preferredColorScheme="$scheme" \
		--window-size="$width,$height" "$@" 2>/dev/null
}

# measured: print the findings of the browser as JSON
measured() {
	browse --dump-dom "file://$tmp/measured.html" | /usr/bin/python3 -c '
import html, re, sys
print(html.unescape(re.search(r"<pre id=\"measured\">(.*?)</pre>", sys.stdin.read(), re.S).group(1)))'
}

# has_colours FILE COLOUR...: the PNG has these colours, each as RRGGBB
has_colours() {
	/usr/bin/python3 - "$@" <<'PY'
import struct
import sys
import zlib

with open(sys.argv[1], "rb") as f:
    data = f.read()
at, pixels = 8, b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IHDR":
        width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
    if kind == b"IDAT":
        pixels += data[at + 8:at + 8 + size]
    at += size + 12
step = {2: 3, 6: 4}[colour]
raw, line, seen = zlib.decompress(pixels), width * step, set()
last = bytearray(line)
for y in range(height):
    kind, row = raw[y * (line + 1)], bytearray(raw[y * (line + 1) + 1:(y + 1) * (line + 1)])
    if kind == 1:
        for i in range(step, line):
            row[i] = (row[i] + row[i - step]) & 255
    elif kind == 2:
        row = bytearray((a + b) & 255 for a, b in zip(row, last))
    elif kind > 2:
        for i in range(line):
            left, above = row[i - step] if i >= step else 0, last[i]
            corner = last[i - step] if i >= step else 0
            if kind == 3:
                guess = (left + above) // 2
            else:
                a, b, c = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
                guess = left if a <= b and a <= c else above if b <= c else corner
            row[i] = (row[i] + guess) & 255
    last = row
    seen.update(row[i:i + 3].hex() for i in range(0, line, step))
missing = [c for c in sys.argv[2:] if c not in seen]
sys.exit(f"not in {width}x{height}: {missing}" if missing else 0)
PY
}

# looks NAME WIDTH SCHEME COLOUR...: measure the page, and take a screenshot
looks() {
	local name=$1 result

	width=$2 scheme=$3 height=1200
	result=$(measured)
	is "$name: nothing is cut off, overlaps or is illegible" "$(jq -c .wrong <<<"$result")" "[]"
	ok "... the width of the window, and the background" jq -en --argjson r "$result" --argjson width "$width" \
		--argjson light "$scheme" '$r.width == $width and ($r.light > 0.8) == ($light == 1)'
	ok "... all plots are drawn" jq -en --argjson r "$result" \
		'$r.svgs >= 20 and $r.drawn == $r.svgs and $r.texts > 200'
	height=2600
	browse --screenshot="$tmp/$name.png" "file://$tmp/page.html" >/dev/null
	ok "... a screenshot has the colours" has_colours "$tmp/$name.png" "${@:4}"
	[ -z "${REPORT_SHOTS-}" ] || cp "$tmp/$name.png" "$REPORT_SHOTS"
}

looks wide-light 1280 1 ffffff 0072b2
looks wide-dark 1280 0 0f1419 58a6ff
looks narrow-light 500 1 ffffff 0072b2
looks narrow-dark 500 0 0f1419 58a6ff
done_testing
