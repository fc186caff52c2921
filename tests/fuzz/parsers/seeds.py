#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Write the seeds of "answers" (answers of the module) and of "saved" (results in files).

usage: seeds.py DIRECTORY, which has a directory for each target
"""

import json
import os
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))

from spec import Spec  # pylint: disable=wrong-import-position

FAMILY = 77
ERROR, DONE = 2, 3
MULTI, CAPPED, TLVS = 2, 0x100, 0x200
FORMATS = {"u32": "I", "s32": "i", "u64": "Q"}
# the questions of answers.c, in its order
QUESTIONS = ("devs", "new", "start", "job", "jobs", "result", "listen", "listener", "hear")

spec = Spec()


def attr(number, payload):
    return struct.pack("HH", 4 + len(payload), number) + payload + b"\0" * (-len(payload) % 4)


def attrs(set_name, values):
    """Return: attributes of a set, by name; a list stands for repeated attributes."""
    out = b""
    for name, value in values.items():
        one = spec.sets[set_name][name]
        for v in value if isinstance(value, list) else [value]:
            if one.type == "nest":
                v = attrs(one.nested, v)
            elif one.type == "string":
                v = v.encode() + b"\0"
            elif one.type in FORMATS:
                v = struct.pack(FORMATS[one.type], one.words.index(v) if isinstance(v, str) else v)
            out += attr(one.number, v)
    return out


def message(kind, payload, flags=0):
    # sequence number 0: answers.c replaces it with that of the request
    return struct.pack("IHHII", 16 + len(payload), kind, flags, 0, 0) + payload


def answer(op, values, flags=0):
    op = spec.ops[op]
    return message(FAMILY, struct.pack("BBH", op.number, 1, 0) + attrs(op.set, values), flags)


def ack(error=0, words=None):
    # a capped answer repeats the header of the request, whatever the header was
    return message(ERROR, struct.pack("i16x", -error) +
                   (attr(1, words.encode() + b"\0") if words else b""),
                   CAPPED | (TLVS if words else 0))


def done():
    return message(DONE, struct.pack("i", 0), MULTI)


def seed(question, *datagrams):
    return bytes([QUESTIONS.index(question)]) + b"".join(
        struct.pack("<BH", 0, len(d)) + d for d in datagrams)


JOB = {"id": 5, "params": {"verb": "write", "completion": "memory", "size": 8,
                           "iterations": 20, "device": ["rxe0", "rxe1"], "peer": "10.77.0.1",
                           "policy": "bind", "workers": 2},
       "role": "initiator", "state": "finished", "outcome": "failed", "errno": 110,
       "reason": "no message for 100 ms", "done": 20, "total": 20, "elapsed": 90000,
       "target": "10.77.0.1:18515", "threads": 2, "group": 7, "began": 1000, "ended": 91000,
       "clock": {"source": "tsc", "invariant": 1, "khz": 2000000, "read-ps": 11000,
                 "error-ppm": -3}}
DEV = {"name": "rxe0", "driver": "rdma_rxe", "node": -1, "max-qp": 1000,
       "max-msg-size": 8388608, "port": 1, "state": "active", "protocol": "RoCE",
       "verbs": spec.sets["dev"]["verbs"].max,
       "gids": [{"index": 0, "value": bytes(16), "type": "RoCE v2", "netdev": "icb0"}]}
# the samples 100, 100 and 101; each value has its own bucket
LATENCY = {"job": 5, "name": "latency", "unit": "ns", "kind": "distribution", "count": 3,
           "divisor": 2, "least": 100, "greatest": 101, "origin": 100, "sum-low": 1,
           "sum-high": 0, "square-low": 1, "square-high": 0}
BUCKETS = [{"low": 100, "high": 100, "count": 2}, {"low": 101, "high": 101, "count": 1}]
TAILS = [{"percentile": p, "samples": n, "tick": n, "timer": 0, "interrupt": 0, "ipi": 0,
          "softirq": 1, "preemption": 0, "migration": 0, "steal": 0, "unexplained": 0,
          "runqueue": 0, "nmi": 0, "peer": 0,
          "present": {"tick": n, "softirq": 1}, "by-length": {"tick": 0, "softirq": 1}}
         for p, n in ((0, 3), (9900, 1))]
BATCHES = {"batch-size": 1, "batch-p50": [100, 101], "batch-p99": [100, 101], "narrow": 1}
RATE = {"job": 5, "name": "message_rate", "unit": "per-second", "kind": "scalar",
        "value": 20000}
LISTENER = {"id": 5, "bind": "::", "cm-port": 18515, "max-memory": 4096, "max-qps": 64,
            "memory": 0, "qps": 0, "sessions": 0, "accepted": 3, "refused": 1}

ANSWERS = {
    "good-devs": seed("devs", answer("dev-get", DEV, MULTI) + answer("dev-get", DEV, MULTI),
                      done()),
    "good-new": seed("new", answer("job-new", {"id": 5}), ack()),
    "good-start": seed("start", ack()),
    "good-job": seed("job", answer("job-get", JOB), ack()),
    "good-jobs": seed("jobs", answer("job-get", JOB, MULTI), done()),
    "good-result": seed(
        "result",
        answer("job-get", JOB | {"metrics": ["latency", "message_rate"]}), ack(),
        answer("result-get", LATENCY | {"buckets": BUCKETS[:1]}), ack(),
        answer("result-get", LATENCY | {"buckets": BUCKETS[1:]}), ack(),
        answer("result-get", RATE), ack()),
    "good-samples": seed(
        "result",
        answer("job-get", JOB | {"metrics": ["latency"]}), ack(),
        answer("result-get", LATENCY | {"buckets": BUCKETS, "kept": 2}), ack(),
        answer("result-get", LATENCY | {"kept": 2, "sample": [1000, 1016]}), ack()),
    "good-tail": seed(
        "result",
        answer("job-get", JOB | {"metrics": ["latency"]}), ack(),
        answer("result-get", LATENCY | {"buckets": BUCKETS, "tail": TAILS} | BATCHES), ack()),
    "good-listen": seed("listen", answer("listen-new", {"id": 5}), ack()),
    "good-listener": seed("listener", answer("listen-get", LISTENER), ack()),
    "good-hear": seed("hear", answer("job-ntf", JOB),
                      answer("refused-ntf", {"id": 5, "peer": "10.77.0.9",
                                             "reason": "wants 9 QPs"})),
    "refused": seed("start", ack(2, "id: no job 5")),
}

# the command has to be the one in saved.c
RESULT = {"schema": "icbench/1", "benchmark": "latency",
          "command": ["icbenchctl", "run", "latency", "10.77.0.1", "-n", "20"],
          "partial": False,
          "host": {"kernel": "6.12.0 \u00e9\u20ac\U0001f600", "cpus": 2, "load": [0.5, 1e-3, -0.0]},
          "points": [{"parameters": {"size": 8, "verb": "send"}, "outcome": "complete",
                      "reason": None,
                      "metrics": {"latency": {"unit": "ns", "count": 3, "p50": 100.5}}}]}


def result(**other):
    return json.dumps(RESULT | other).encode() + b"\n"


def command(word, value):
    return [value if w == word else w for w in RESULT["command"]]


def metrics(value):
    return [RESULT["points"][0] | {"metrics": value}]


def more(**runs):
    """Return: the points, with a further one that contains these runs beside its own."""
    return RESULT["points"] + [RESULT["points"][0] | runs]


def nested(depth):
    return json.loads("[" * depth + "]" * depth)


SAVED = {
    "good-result": result(),
    "good-spaced": json.dumps(RESULT, indent="\t").encode(),
    "good-order": json.dumps(dict(reversed(RESULT.items())), separators=(",", ":")).encode(),
    "good-escaped": result().replace(b"latency", b"\\u006catency").replace(b"/1", b"\\/1"),
    "good-nested": result(host=nested(30)),
    "good-points": result(points=more()),
    "good-runs": result(points=more(workers=[{}, {}], load={})),
    "good-fewer-workers": result(points=more(workers=[{}], load={})),
    "good-no-load": result(points=more(workers=[{}, {}], load=None)),
    "partial": result(partial=True),
    "other-command": result(command=command("-n", "-s")),
    "more-command": result(command=RESULT["command"] + ["30"]),
    "less-command": result(command=RESULT["command"][:-1]),
    "no-points": result(points=[]),
    "wrong-schema": result(schema=1),
    "wrong-partial": result(partial="false"),
    "wrong-points": result(points={"0": {}}),
    "good-scalar": result(points=metrics({"message_rate": {"unit": "1/s", "value": 1e6}})),
    "null-point": result(points=[None]),
    "last-point": result(points=RESULT["points"] + [5]),
    "no-metrics": result(points=metrics({})),
    "wrong-metrics": result(points=metrics([{"latency": 5}])),
    "wrong-metric": result(points=metrics({"latency": 5})),
    "empty-metric": result(points=metrics({"latency": {"unit": "ns"}})),
    "wrong-value": result(points=metrics({"latency": {"unit": "ns", "value": "5"}})),
    "wrong-command": result(command="icbenchctl run latency 10.77.0.1 -n 20"),
    "wrong-word": result(command=command("20", 20)),
    "null-word": result(command=command("run", None)),
    "array": b"[" + result() + b"]",
    "too-deep": result(host=nested(40)),
    "very-deep": b"[" * 2000,
    "nul-schema": result(schema="icbench/1\0"),
    "nul-word": result(command=command("latency", "latency\0x")),
    "nul-byte": result() + b"\0",
    "nul-inside": result().replace(b"complete", b"comp\0ete"),
    "cut-off": result()[:-40],
    "cut-string": result()[:result().index(b"10.77") + 2],
    "cut-escape": result()[:result().index(b"\\u20") + 4],
    "twice": result() * 2,
    "rest": result() + b"}",
    "twice-key": result()[:-2] + b', "partial": true}',
    "utf8": result().replace(b"latency", b"laten\xc3\x28"),
    "utf8-value": result().replace(b"complete", b"comp\xc3\x28ete"),
    "utf8-surrogate": result().replace(b"complete", b"comp\xed\xa0\x80ete"),
    "utf8-overlong": result().replace(b"complete", b"comp\xe0\x80\x80ete"),
    "empty": b"",
    "nan": result(host=float("nan")),
    "comment": b"/* */ " + result(),
}

SEEDS = {"answers": ANSWERS, "saved": SAVED}

for target, seeds in SEEDS.items():
    for name, content in seeds.items():
        with open(os.path.join(sys.argv[1], target, name), "wb") as f:
            f.write(content)
