# SPDX-License-Identifier: GPL-2.0
#
# Documents of tests/unit/report.t and report-browser.t: $name selects one of them.

def buckets(mean): [range(64) as $i | [(mean * (0.8 + $i / 100) | floor),
	(mean * (0.8 + ($i + 1) / 100) | floor) - 1,
	(if $i < 30 then 330 elif $i < 50 then 5 else 1 end)]];
def times(mean): { unit: "ns", count: 10014, min: (mean * 0.8), mean: mean, stddev: 10, max: (mean * 1.44),
	percentiles: { "50": mean, "90": (mean * 1.09), "99": (mean * 1.2), "99.9": (mean * 1.4), "99.99": (mean * 1.43) },
	supported: ["50", "90", "99", "99.9"], unsupported: ["99.99"],
	confidence: { "50": { low: (mean * 0.98), high: (mean * 1.02) } },
	histogram: buckets(mean), interval: { low: (mean * 0.99), high: (mean * 1.01) } };
def value(unit; number): { unit: unit, value: number };
def point(parameters; metrics): { parameters: parameters, metrics: metrics, disturbance: {} };
def result(benchmark; points): { schema: "icbench/1", benchmark: benchmark, started: "2026-01-01T00:00:00Z",
	command: ["icbenchctl", "run", benchmark], partial: false,
	environment: { kernel: "6.1.0 x86_64", release: "6.1.0", device: "rxe0", icount: false, icbench: "1.0.0" },
	points: points };
def echo(mean): { latency: times(mean), bandwidth: value("B/s"; 64e9 / mean),
	message_rate: value("1/s"; 1e9 / mean), cpu_per_message: value("ns"; mean * 0.7) };
def profile(kernel; functions): { schema: "icbench-profile/1", benchmark: "latency", kernel: kernel,
	parameters: { verb: "send", size: 64, completion: "poll" },
	functions: functions, sum: ([functions[].instructions] | add),
	modules: [{ name: "rdma_rxe", instructions: 2500 }, { name: "core kernel", instructions: 2500 }],
	rooms: [{ name: "rdma", instructions: 5000 }],
	stacks: [{ frames: ["echo_loop", "rxe_crc32"], instructions: 2000 },
		{ frames: ["echo_loop", "memset"], instructions: 3000 }] };
def row(name; of; instructions): { name: name, module: of, instructions: instructions };

{
	latency: result("latency"; [("send", "write") as $verb | (64, 512, 4096) as $size |
		point({ trigger: "echo", verb: $verb, size: $size };
			echo((if $verb == "send" then 10000 else 8000 end) * (1 + ($size - 64) / 4096)))]),
	bandwidth: result("bandwidth"; [(64, 4096, 65536) as $size |
		point({ trigger: "completion", verb: "write", size: $size };
			{ bandwidth: value("B/s"; $size * 1e5), message_rate: value("1/s"; 1e5) })]),
	calls: result("register"; [(4096, 65536, 1048576) as $size |
		point({ trigger: "return", verb: "register", size: $size };
			{ register: times(20000 + $size / 100), map: times(100), reg_mr: times(2000) })]),
	stages: result("interrupt"; [("softirq", "block") as $mode |
		point({ trigger: "echo", verb: "send", completion: $mode, stages: true };
			echo(20000) + { interrupt: times(9000), deliver: times(1000), handler: times(2000),
				wake: times(5000), reap: times(1000) })]),
	modes: result("completion-modes"; [[["poll", 5000, 9000], ["block", 20000, 4000], ["workqueue", 15000, 9500]][] as $m |
		point({ trigger: "echo", verb: "send", completion: $m[0] };
			echo($m[1]) + { cpu_per_message: value("ns"; $m[2]) }) +
		{ derived: { advice: { pareto: ($m[0] != "workqueue"),
			latency: value("ns"; $m[1]), cpu: value("ns"; $m[2]) } } }]),
	load: (result("load"; [(1000, 10000, 30000, 50000) as $rate |
		point({ trigger: "clock", verb: "send", rate: $rate };
			echo(10000 * (1 + $rate / 20000)) + { accepted: value("%"; if $rate > 30000 then 70 else 100 end) }) +
		{ derived: { md1: { model: value("ns"; 10000 + $rate / 10) } } }]) +
		{ knees: [{ metric: "accepted", key: "rate", percent: 95, unit: "%", peak: 100, peak_points: 3,
			holds: 30000, falls: 50000, points: [0, 1, 2, 3] }] }),
	profile: profile("6.1.0 x86_64"; [row("memset"; "core kernel"; 3000), row("rxe_crc32.isra.0"; "rdma_rxe"; 2000)]),
	other: profile("6.12.0 x86_64"; [row("memset"; "new_module"; 2000), row("rxe_crc32"; "rdma_rxe"; 2500)]),
}[$name]
