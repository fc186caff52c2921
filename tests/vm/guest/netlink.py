# SPDX-License-Identifier: GPL-2.0
"""The netlink interface, used by the kernel's own Python client with the specification alone, and
all refusals. Each refusal names the attribute and the accepted values. Argument: the directory of
the kernel's source.
"""

import json
import os
import random
import re
import socket
import struct
import subprocess
import sys
import time

import yaml

import icb
import sockets
from icb import (DEVICE, IWARP, N, Client, Netlink, Refused, Tap, attr, clean, note, number, param,
                 parse, until, u32, u64, works)
from words import load_yaml

SOURCE = sys.argv[1]
SPEC = os.path.join(icb.TOP, "Documentation/netlink/specs/icbench.yaml")
YNL = os.path.join(SOURCE, "tools/net/ynl")
sys.path.append(YNL)

# the client reads the specification each time
yaml.safe_load = load_yaml

from lib import NlError, YnlFamily	# pylint: disable=wrong-import-position

EPERM, ENOENT, EBUSY, ENOSPC, ERANGE = 1, 2, 16, 28, 34
EINVAL, EOPNOTSUPP, EALREADY = 22, 95, 114
SO_RCVBUFFORCE = 33

tap = Tap()


# program that runs another program with the faster parser of YAML; its arguments are the path and
# the arguments of that program
WITH_FAST_YAML = f"""
import os, runpy, sys, yaml
sys.path.append({os.path.dirname(__file__)!r})
from words import load_yaml
yaml.safe_load = load_yaml
sys.argv = sys.argv[1:]
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def cli(*words):
    done = subprocess.run(["/usr/bin/python3", "-B", "-c", WITH_FAST_YAML,
                           os.path.join(YNL, "cli.py"), "--spec", SPEC, *words],
                          capture_output=True, text=True, check=False, timeout=120)
    if done.returncode:
        raise RuntimeError(f"cli.py {words}: {done.stdout}{done.stderr}")
    return done.stdout


def test_cli():
    schema = os.path.join(SOURCE, "Documentation/netlink/genetlink-legacy.yaml")
    out = cli("--schema", schema, "--dump", "dev-get", "--output-json")
    devs = json.loads(out)
    tap.ok(len(devs) == 1 and devs[0]["name"] == DEVICE and devs[0]["driver"] == DEVICE[:-1] and
           (IWARP or any(g["value"] == "::ffff:a4d:1" or "10.77.0.1" in g["value"]
                         for g in devs[0]["gids"])),
           "cli.py: dev-get, the spec fits the schema", out)
    out = cli("--no-schema", "--output-json", "--do", "job-new", "--json", json.dumps(
        {"detach": True, "params": {"verb": "write", "iterations": 100, "size": 256}}))
    job = json.loads(out)["id"]
    return job


def refused(name, errno, pattern, function, *args, **kwargs):
    """Test that a call is refused, with this error number and these words."""
    try:
        function(*args, **kwargs)
    except NlError as error:
        found, text = error.error, (error.nl_msg.extack or {}).get("msg", "")
    except Refused as error:
        found, text = error.errno, error.text
    else:
        return tap.ok(False, name, "was not refused")
    errnos = errno if isinstance(errno, tuple) else (errno,)
    return tap.ok(found in errnos and re.search(pattern, text), name,
                  f"{os.strerror(found)}: {text}")


def words_of(enum):
    """Return: the words of an enum of the ABI."""
    begin = enum + "_"
    return {n[len(begin):].lower().replace("_", "-") for n in N if n.startswith(begin)}


def test_lists(ynl):
    devs = ynl.dump("dev-get", {})
    dev = devs[0]
    tap.ok(len(devs) == 1 and dev["name"] == DEVICE and dev["state"] == "active" and
           (IWARP or dev["mtu"] == 1024) and dev["port"] == 1 and
           dev.get("netdev") == (None if IWARP else "icb0") and
           len(dev["gids"]) >= (1 if IWARP else 2), "dev-get, dump", dev)
    tap.ok(ynl.do("dev-get", {"name": DEVICE}) == dev, "dev-get, do")
    tap.ok(ynl.do("dev-get", {"name": DEVICE, "port": 1}) == dev, "dev-get, do, with port")
    benches = ynl.dump("bench-get", {})
    # the loops together accept every verb and every completion mode of the ABI
    tap.ok({b["name"] for b in benches} == words_of("TRIGGER") and
           {v for b in benches for v in b["verb"]} == words_of("VERB") and
           {c for b in benches for c in b["completion"]} == words_of("COMPLETION"),
           "bench-get, dump", benches)
    tap.ok(ynl.do("bench-get", {"name": "echo"}) == benches[0], "bench-get, do")


def events(watch, job, seconds=60):
    """Return: the states of a job, as events report them, until it has finished."""
    def look():
        watch.check_ntf()
        return any(m["name"] == "job-ntf" and m["msg"]["id"] == job and
                   m["msg"]["state"] == "finished" for m in watch.async_msg_queue)
    until(seconds, look)
    states = []
    for message in watch.async_msg_queue:
        if message["name"] == "job-ntf" and message["msg"]["id"] == job and \
           message["msg"]["state"] not in states:
            states.append(message["msg"]["state"])
    return states


ASKED = {
    "trigger": "echo", "verb": "send", "transport": "rc", "completion": "block",
    "context": "thread", "size": 100, "iterations": 500, "warmup": 7, "signal-every": 3,
    "cpu": 1, "peer-cpu": 0, "priority": "fifo-low", "device": [DEVICE], "port": 1,
    "gid-index": 0 if IWARP else 1, "timeout": 5000000000, "verify": 1,
    "seed": 12345678901234567890, "direction": "uni", "mtu": 512, "overhead": 1, "buffers": 3,
    "reuse": 100, "notify": "none",
    "reply": 0, "sges": 3, "max-sges": 5, "inline": 128, "samples": 77, "registration": "dma",
    "qps": 3, "memory": 2, "attribute": 1, "until": 50, "until-percentile": 900,
    "until-time": 1000, "stages": 1, "policy": "single",
    "threshold": 3600000000000, "size-dist": "fixed", "workers": 1,
    "cpu-latency-qos": 2000,
}
if IWARP:	# the segments of iWARP are TCP's; siw has no room for more inline data
    del ASKED["mtu"]
    ASKED["inline"] = 80


def test_job(ynl, watch):
    job = ynl.do("job-new", {"params": ASKED})["id"]
    got = ynl.do("job-get", {"id": job})
    tap.ok(got["params"] == ASKED and got["state"] == "new" and got["role"] == "initiator" and
           got["outcome"] == "none" and got["done"] == 0 and got["total"] == 500,
           "job-new: every parameter by its name, echoed by job-get", got)
    refused("result-get of a job that has not finished", EBUSY, r"^job: .*accepted",
            ynl.dump, "result-get", {"job": job})
    ynl.do("job-start", {"id": job})
    refused("job-start, again", EALREADY, r"^id: ", ynl.do, "job-start", {"id": job})
    states = events(watch, job)
    tap.ok(states[0] == "connecting" and states[-1] == "finished" and "draining" in states,
           "the group jobs tells of each state", states)
    got = ynl.do("job-get", {"id": job})
    tap.ok(got["params"] == ASKED and got["outcome"] == "complete" and got["done"] == 500 and
           got["elapsed"] > 0 and got["threads"] == 2 and "10.77.0.1" in got["target"] and
           {"source", "khz", "read-ps", "invariant"} <= set(got["clock"]),
           "job-get of what has finished", got)
    tap.ok([j["id"] for j in ynl.dump("job-get", {})].count(job) == 1, "job-get, dump")
    test_result(ynl, job)
    ynl.do("job-del", {"id": job})
    refused("job-get of what is deleted", ENOENT, r"^id: ", ynl.do, "job-get", {"id": job})


def signed(low, high):
    value = low | high << 64
    return value - (1 << 128) if high >> 63 else value


def test_result(ynl, job):
    dump = ynl.dump("result-get", {"job": job})
    names = {m["name"] for m in dump}
    tap.ok({"latency", "post", "poll", "bandwidth", "message_rate"} <= names,
           "result-get, dump", names)
    for name in ("latency", "post", "poll"):
        parts = [m for m in dump if m["name"] == name]
        buckets = [b for m in parts for b in m.get("buckets", [])]
        metric = parts[0]
        count, origin = metric["count"], metric["origin"]
        total = signed(metric["sum-low"], metric["sum-high"])
        square = signed(metric["square-low"], metric["square-high"])
        mean = origin + total / count
        tap.ok(count == 500 and metric["kind"] == "distribution" and metric["unit"] == "ns" and
               metric["divisor"] == (2 if name == "latency" else 1) and
               sum(b["count"] for b in buckets) == count and
               all(a["high"] < b["low"] for a, b in zip(buckets, buckets[1:])) and
               buckets[0]["low"] <= metric["least"] <= buckets[0]["high"] and
               buckets[-1]["low"] <= metric["greatest"] <= buckets[-1]["high"] and
               metric["least"] <= mean <= metric["greatest"] and
               square * count >= total * total,
               f"result-get: {name}: histogram and moments agree", parts)
        tap.ok(abs(sum((b["low"] + b["high"]) / 2 * b["count"] for b in buckets) / count - mean)
               <= mean / 100 + 1, f"result-get: {name}: the mean is that of the histogram")
    tails = next(m for m in dump if m["name"] == "latency")["tail"]
    causes = set(ynl.attr_sets["tail"]) - {"pad", "percentile", "samples", "unexplained",
                                              "present", "by-length"}
    # both sides may have one CPU
    causes -= {"peer"}
    if not os.path.exists("/proc/self/schedstat"):	# waits for a CPU are not measured
        causes -= {"runqueue"}
    tap.ok(tails[0]["percentile"] == 0 and tails[0]["samples"] == 500 and
           all(t["samples"] <= 500 * (1 - t["percentile"] / 10000) and
               t["unexplained"] <= t["samples"] and causes <= set(t) and
               all((nest in t) == (t["percentile"] > 0) and
                   all(n <= t["samples"] for n in t.get(nest, {}).values())
                   for nest in ("present", "by-length")) and
               all(t["present"][c] >= t[c] for c in causes if t["percentile"]) and
               all(t[c] <= t["samples"] - t["unexplained"] for c in causes) for t in tails),
           "result-get: latency: what has disturbed it", tails)
    metric = next(m for m in dump if m["name"] == "latency")
    # too few samples for a batch, as the run does not know how many it will have
    tap.ok(metric["narrow"] == 0 and "batch-size" not in metric, "result-get: latency: batches",
           metric)
    alone = ynl.dump("result-get", {"job": job, "name": "message_rate"})
    tap.ok(len(alone) == 1 and alone[0]["kind"] == "scalar" and alone[0]["value"] > 0,
           "result-get, dump of one", alone)
    one = ynl.do("result-get", {"job": job, "name": "latency"})
    tap.ok(one["count"] == 500 and sum(b["count"] for b in one["buckets"]) == 500,
           "result-get, do: a short run's histogram is one answer", one)
    whole = [b for m in dump if m["name"] == "latency" for b in m.get("buckets", [])]
    paged, start = [], 0
    while one.get("buckets"):
        paged += one["buckets"]
        start = paged[-1]["high"] + 1
        one = ynl.do("result-get", {"job": job, "name": "latency", "from": start})
    tap.ok(paged == whole, "result-get, do: from goes through the histogram", paged)
    last = ynl.do("result-get", {"job": job, "name": "latency", "from": whole[-1]["low"]})
    tap.ok(last["buckets"] == whole[-1:], "result-get, do: from a bucket's low", last)
    for start in (whole[-1]["low"] + 1, (1 << 64) - 1):
        last = ynl.do("result-get", {"job": job, "name": "latency", "from": start})
        tap.ok(whole[-1]["low"] == whole[-1]["high"] or "buckets" not in last,
               f"result-get, do: from {start}: none", last)
    part = ynl.dump("result-get", {"job": job, "name": "latency", "from": whole[1]["low"]})
    tap.ok([b for m in part for b in m["buckets"]] == whole[1:], "result-get, dump: from", part)
    tap.ok(set(ynl.do("job-get", {"id": job})["metrics"]) == names, "job-get names the metrics")
    refused("result-get of no metric", ENOENT, r"^name: .*accepted", ynl.do, "result-get",
            {"job": job, "name": "nosuch"})
    refused("result-get, do, without name", EINVAL, r"^name: .*accepted", ynl.do, "result-get",
            {"job": job})


def test_listener(ynl, watch):
    listener = ynl.do("listen-new", {"bind": "10.77.0.1", "cm-port": 2000,
                                     "token": b"a secret", "max-memory": 1 << 20,
                                     "max-qps": 3})["id"]
    got = ynl.do("listen-get", {"id": listener})
    tap.ok(got == {"id": listener, "bind": "10.77.0.1", "cm-port": 2000,
                   "max-memory": 1 << 20, "max-qps": 3, "memory": 0, "qps": 0,
                   "sessions": 0, "accepted": 0, "refused": 0}, "listen-new, listen-get", got)
    tap.ok(ynl.dump("listen-get", {}) == [got], "listen-get, dump")
    refused("listen-new, port in use", 98, r"^cm-port: .*accepted", ynl.do, "listen-new",
            {"bind": "10.77.0.1", "cm-port": 2000})

    peer = {"peer": "10.77.0.1", "cm-port": 2000, "iterations": 10}
    for name, token, outcome in (("right token", b"a secret", "complete"),
                                 ("wrong token", b"no secret", "failed")):
        job = ynl.do("job-new", {"params": peer | {"token": token}})["id"]
        ynl.do("job-start", {"id": job})
        events(watch, job)
        got = ynl.do("job-get", {"id": job})
        tap.ok(got["outcome"] == outcome and "token" not in got["params"],
               f"{name}: {outcome}", got)
        ynl.do("job-del", {"id": job})
    tap.ok("token" in got["reason"] and got["errno"] > 0, "... for a reason", got)
    until(10, lambda: watch.check_ntf() or any(m["name"] == "refused-ntf"
                                               for m in watch.async_msg_queue))
    told = [m["msg"] for m in watch.async_msg_queue if m["name"] == "refused-ntf"]
    tap.ok(len(told) == 1 and told[0]["id"] == listener and "token" in told[0]["reason"] and
           "10.77.0.1" in told[0]["peer"], "the group jobs tells whom it turned away", told)
    got = until(10, lambda: next((li for li in ynl.dump("listen-get", {})
                                  if not li["sessions"]), None))
    tap.ok(got and got["accepted"] == 1 and got["refused"] == 1 and got["qps"] == 0 and
           got["memory"] == 0, "listen-get counts", got)
    ynl.do("listen-del", {"id": listener})
    tap.ok(ynl.dump("listen-get", {}) == [], "listen-del")
    refused("listen-del, again", ENOENT, r"^id: ", ynl.do, "listen-del", {"id": listener})


def test_params(ynl, raw):
    """Each parameter: out of range, unknown, of another type, given twice."""
    def new(name, value):
        ynl.do("job-new", {"params": {name: value}})

    limits = {d["name"]: d["value"] for d in ynl.yaml["definitions"] if d["type"] == "const"}
    for index, (name, spec) in enumerate(ynl.attr_sets["params"].items()):
        if spec["type"] == "pad":
            continue
        words = f"^{name}: .*accepted: "
        checks = {k: limits.get(v, v) for k, v in spec.yaml.get("checks", {}).items()}
        number = N["A_PARAMS_" + icb.ident(name)]
        good = param(name, {"device": DEVICE, "peer": "10.77.0.1", "token": b"12345678"}
                     .get(name, checks.get("min", 0)))
        if not spec.is_multi:
            refused(f"{name}: twice", EINVAL, f"^{name}: given twice", raw.new_raw, good + good)
        if spec["type"] in ("u32", "u64"):
            if "enum" in spec:
                every = ", ".join(ynl.consts[spec["enum"]].entries)
                refused(f"{name}: no such word", (EINVAL, ERANGE), f"{words}{every}$", new, name, 99)
            if "max" in checks:
                refused(f"{name}: above", (EINVAL, ERANGE), words, new, name, checks["max"] + 1)
            if checks.get("min"):
                refused(f"{name}: below", (EINVAL, ERANGE), words, new, name, checks["min"] - 1)
            for length in icb.sample(index, (0, 1, 2, 4, 7, 8, 16)):
                if length != (8 if spec["type"] == "u64" else 4):
                    refused(f"{name}: {length} bytes", (EINVAL, ERANGE), words, raw.new_raw,
                            attr(number, b"\1" * length))
        elif spec["type"] == "string":
            for what, value in icb.sample(index, (
                    ("too long", b"x" * 64 + b"\0"), ("empty", b"\0"), ("no bytes", b""),
                    ("endless", DEVICE.encode()), ("with a space", b"a b\0"),
                    ("unprintable", b"a\1b\0"), ("not ASCII", b"\xc3\xa4\0"))):
                refused(f"{name}: {what}", (EINVAL, ERANGE), words, raw.new_raw,
                        attr(number, value))
        else:
            for length in (0, 7, 65, 4000):
                refused(f"{name}: {length} bytes", (EINVAL, ERANGE), words, raw.new_raw,
                        attr(number, b"x" * length))
    refused("an unknown parameter", EINVAL, "^attribute 200 .*accepted", raw.new_raw,
            u32(200, 1))
    refused("a parameter after a good one", (EINVAL, ERANGE), "^port: .*accepted", ynl.do,
            "job-new", {"params": {"size": 1, "port": 256}})
    try:
        ynl.do("job-new", {"params": {"size": 1, "port": 256}})
    except NlError as error:
        tap.ok(error.nl_msg.extack.get("bad-attr") == ".params.port",
               "the offset is the attribute's, too", error)


def test_rules(ynl):
    """Combinations of parameters that are refused, or refused on this machine."""
    for errno, pattern, params in (
            (EINVAL, "^duration: .*accepted", {"iterations": 1, "duration": 1}),
            (EOPNOTSUPP, "^completion: .*accepted: memory$", {"verb": "write", "completion": "poll"}),
            (EOPNOTSUPP, "^completion: .*accepted: ", {"verb": "send", "completion": "memory"}),
            (EINVAL, "^size: .*accepted", {"verb": "write", "size": 0}),
            (EOPNOTSUPP, "^priority: .*accepted: normal",
             {"completion": "workqueue", "priority": "fifo"}),
            (EOPNOTSUPP, "^context: .*accepted: bh", {"completion": "softirq", "context": "thread"}),
            (EINVAL, "^cm-port: .*peer", {"cm-port": 1}),
            (EINVAL, "^token: .*peer", {"token": b"12345678"}),
            (EINVAL, "^cpu: .*accepted: 0-1$", {"cpu": 2}),
            (EINVAL, "^peer-cpu: .*accepted: 0-1$", {"peer-cpu": 8191}),
            (19, "^device: .*nosuch", {"device": "nosuch"}),
            (EINVAL, "^device: ", {"port": 1, "gid-index": 0}),
            (EINVAL, "^port: ", {"device": DEVICE, "port": 2}),
            (EINVAL, "^gid-index: ", {"device": DEVICE, "gid-index": 500}),
            (EINVAL, "^peer: .*accepted", {"peer": "localhost"}),
            (EINVAL, "^peer: .*accepted", {"peer": "10.77.0.1.1"})):
        refused(f"{params}", errno, pattern, ynl.do, "job-new", {"params": params})


def test_group(ynl, watch):
    """Jobs that are measured together."""
    def new(group, workers=2, **params):
        # few iterations: on a busy host one side spins while the other waits for its CPU
        short = {} if "duration" in params else {"iterations": 200, "warmup": 10}
        return ynl.do("job-new", {"group": group, "params":
                                  {"workers": workers} | short | params})["id"]

    def outcomes(jobs):
        for job in jobs:
            events(watch, job)
        return [(got["outcome"], got.get("reason", "")) for got in
                (ynl.do("job-get", {"id": job}) for job in jobs)]

    def delete(*jobs):
        for job in jobs:
            ynl.do("job-del", {"id": job})

    refused("workers without a group", EINVAL, "^workers: 2 .*accepted: 1, or group", ynl.do,
            "job-new", {"params": {"workers": 2}})
    refused("group 0", (EINVAL, ERANGE), "^group: ", ynl.do, "job-new", {"group": 0})
    refused("a group of floors", EOPNOTSUPP, "^group: .*floor", ynl.do, "job-new",
            {"group": 1, "params": {"trigger": "return", "verb": "floor"}})
    pair = [new(7), new(7)]
    got = ynl.do("job-get", {"id": pair[0]})
    tap.ok(got["group"] == 7 and "began" not in got, "job-get tells of the group", got)
    refused("a group that is full", EBUSY, "^group: group 7 has all its 2 jobs; accepted", new, 7)
    refused("a group of another size", EINVAL, "^workers: 3, but group 7 has 2; accepted: ",
            new, 7, 3)
    other = Client()
    other.new(group=7, workers=3, iterations=200)
    tap.ok(True, "another socket has a group of that number for itself")
    other.close()
    for job in pair:
        ynl.do("job-start", {"id": job})
    tap.ok(outcomes(pair) == [("complete", "")] * 2, "a group: both are complete", outcomes(pair))
    jobs = [ynl.do("job-get", {"id": job}) for job in pair]
    tap.ok(all(abs(j["ended"] - j["began"] - j["elapsed"]) <= 1 for j in jobs) and
           max(j["began"] for j in jobs) < min(j["ended"] for j in jobs),
           "... at the same time", jobs)
    refused("a group whose jobs are still known", EBUSY, "^group: ", new, 7)
    delete(*pair)
    alone = new(7, 1)
    ynl.do("job-start", {"id": alone})
    tap.ok(outcomes([alone]) == [("complete", "")], "a group of one, by the same number")
    delete(alone)
    # one job of two is never started, and then deleted
    pair = [new(8), new(8)]
    ynl.do("job-start", {"id": pair[0]})
    until(10, lambda: ynl.do("job-get", {"id": pair[0]})["state"] == "connecting")
    delete(pair[1])
    refused("a group of which one has ended", EBUSY, "^group: a job of group 8 has ended; accepted",
            new, 8)
    tap.ok(outcomes(pair[:1]) == [("stopped", "worker 2 of 2 was deleted")],
           "who waits for a job that is deleted is stopped", outcomes(pair[:1]))
    delete(pair[0])
    pair = [new(9, timeout=1000000000), new(9)]
    ynl.do("job-start", {"id": pair[0]})
    got = outcomes(pair[:1])
    tap.ok(got[0][0] == "failed" and got[0][1] ==
           "1 of 2 workers were ready within 500 ms (half of timeout)",
           "who waits for a job that is never started has a timeout", got)
    ynl.do("job-start", {"id": pair[1]})
    tap.ok(outcomes(pair[1:])[0][0] == "stopped", "... and ends the others")
    delete(*pair)
    # a stop of one endless job stops the other one, too
    pair = [new(10, duration=60000000000), new(10, duration=60000000000)]
    for job in pair:
        ynl.do("job-start", {"id": job})
    until(20, lambda: all(ynl.do("job-get", {"id": j})["state"] == "measuring" for j in pair))
    ynl.do("job-stop", {"id": pair[1]})
    tap.ok(outcomes(pair) == [("stopped", "worker 2 of 2 was stopped"), ("stopped", "")],
           "one that is stopped stops the other one", outcomes(pair))
    delete(*pair)


def commands():
    """Return: for each command of the specification, by its name in the ABI's header, whether it
    has "do", "dump" or both."""
    with open(SPEC, encoding="utf-8") as f:
        operations = load_yaml(f)["operations"]["list"]
    return {icb.ident(o["name"]): [w for w in ("do", "dump") if w in o]
            for o in operations if "do" in o or "dump" in o}


def test_reserved(raw):
    """The reserved bytes in the header of each command; only these are refused in these words."""
    for cmd, ways in commands().items():
        for way in ways:
            refused(f"{cmd.lower().replace('_', '-')}, {way}: reserved bytes", EINVAL,
                    "^reserved: .*accepted: 0$", raw.request, N["CMD_" + cmd],
                    flags=icb.NLM_F_DUMP if way == "dump" else icb.NLM_F_ACK, reserved=1)


def test_requests(raw):
    """The other commands, and malformed requests."""
    for cmd in ("JOB_START", "JOB_STOP", "JOB_DEL", "JOB_GET", "LISTEN_DEL", "LISTEN_GET"):
        word = cmd.lower().replace("_", "-")
        kind = N[f"A_{cmd.split('_', maxsplit=1)[0]}_ID"]
        number = N[f"CMD_{cmd}"]
        refused(f"{word}: no id", EINVAL, "^id: .*accepted", raw.request, number)
        refused(f"{word}: no such id", ENOENT, "^id: no ", raw.request, number, u32(kind, 4000000000))
        refused(f"{word}: id 0", ENOENT, "^id: no ", raw.request, number, u32(kind, 0))
        refused(f"{word}: a wide id", (EINVAL, ERANGE), "^id: .*accepted", raw.request, number,
                u64(kind, 1))
        refused(f"{word}: an unknown attribute", EINVAL, "attribute 99 .*accepted", raw.request,
                number, u32(99, 1))
    listen = N["CMD_LISTEN_NEW"]
    for name, payload in (("bind", attr(N["A_LISTEN_BIND"], b"x" * 70 + b"\0")),
                          ("bind", attr(N["A_LISTEN_BIND"], b"host\0")),
                          ("cm-port", u32(N["A_LISTEN_CM_PORT"], 0)),
                          ("cm-port", u32(N["A_LISTEN_CM_PORT"], 65536)),
                          ("token", attr(N["A_LISTEN_TOKEN"], b"short")),
                          ("token", attr(N["A_LISTEN_TOKEN"], b"x" * 65)),
                          ("max-memory", u64(N["A_LISTEN_MAX_MEMORY"], 4095)),
                          ("max-memory", u32(N["A_LISTEN_MAX_MEMORY"], 4096)),
                          ("max-qps", u32(N["A_LISTEN_MAX_QPS"], 0)),
                          ("max-qps", u32(N["A_LISTEN_MAX_QPS"], 65537)),
                          ("detach", u32(N["A_LISTEN_DETACH"], 1))):
        refused(f"listen-new: {name}", (EINVAL, ERANGE), f"^{name}: .*accepted", raw.request,
                listen, payload)
    refused("listen-new: what only replies have", EINVAL, "attribute .*accepted", raw.request,
            listen, u32(N["A_LISTEN_ID"], 1))
    refused("dev-get: no name", EINVAL, "^name: .*accepted", raw.request, N["CMD_DEV_GET"])
    refused("dev-get: no such device", 19, "^name: ", raw.request, N["CMD_DEV_GET"],
            attr(N["A_DEV_NAME"], b"nosuch\0"))
    refused("dev-get: no such port", EINVAL, "^port: ", raw.request, N["CMD_DEV_GET"],
            attr(N["A_DEV_NAME"], DEVICE.encode() + b"\0") + u32(N["A_DEV_PORT"], 3))
    refused("bench-get: no name", EINVAL, "^name: .*accepted", raw.request, N["CMD_BENCH_GET"])
    refused("bench-get: no such loop", ENOENT, "^name: .*accepted", raw.request,
            N["CMD_BENCH_GET"], attr(N["A_BENCH_NAME"], b"nosuch\0"))
    refused("result-get: no job", EINVAL, "^job: .*accepted", raw.request, N["CMD_RESULT_GET"],
            b"", icb.NLM_F_DUMP)
    refused("result-get: no such job", ENOENT, "^job: ", raw.request, N["CMD_RESULT_GET"],
            u32(N["A_METRIC_JOB"], 4000000000), icb.NLM_F_DUMP)
    for cmd, known in (("DEV", icb.text(N["A_DEV_NAME"], DEVICE)),
                       ("BENCH", icb.text(N["A_BENCH_NAME"], "echo")),
                       ("LISTEN", u32(N["A_LISTEN_ID"], 1)), ("JOB", u32(N["A_JOB_ID"], 1))):
        word, dump = f"{cmd.lower()}-get, dump", N[f"CMD_{cmd}_GET"]
        refused(f"{word}: an attribute that do has", EINVAL, "^(name|id): .*accepted: no attr",
                raw.request, dump, known, icb.NLM_F_DUMP)
        refused(f"{word}: an unknown attribute", EINVAL, "attribute 99 .*accepted", raw.request,
                dump, u32(99, 1), icb.NLM_F_DUMP)
        refused(f"{word}: bytes after the last", EINVAL, "accepted", raw.request, dump,
                b"\1\2\3", icb.NLM_F_DUMP)
    refused("result-get, dump: an unknown attribute", EINVAL, "attribute 99 .*accepted",
            raw.request, N["CMD_RESULT_GET"], u32(99, 1), icb.NLM_F_DUMP)
    new = N["CMD_JOB_NEW"]
    params = N["A_JOB_PARAMS"]
    refused("job-new: no nest", EINVAL, "^params: .*accepted", raw.request, new,
            attr(params, param("size", 1)))
    refused("job-new: a flag with a value", (EINVAL, ERANGE), "^detach: .*accepted", raw.request,
            new, u32(N["A_JOB_DETACH"], 1))
    refused("job-new: longer than it is", EINVAL, "accepted", raw.request, new,
            struct.pack("HH", 400, params | icb.NLA_F_NESTED))
    refused("job-new: bytes after the last", EINVAL, "accepted", raw.request, new, b"\1\2\3")
    refused("an unknown command", EOPNOTSUPP, "", raw.request, 99)
    test_reserved(raw)
    tap.ok(not raw.jobs(), "no job came of any of it", list(map(str, raw.jobs())))


def test_limits(raw):
    """Many jobs, more than fit into a message of a dump, and one too many."""
    raw2 = Client()
    made = []
    try:
        while len(made) < 5000:
            made.append(raw2.new())
    except Refused as error:
        tap.ok(error.errno == ENOSPC and "delete" in error.text and len(made) == 1024,
               "a limit on jobs", f"{len(made)} {error}")
    else:
        tap.ok(False, "a limit on jobs", f"{len(made)} without a refusal")
    listed = [j.id for j in raw.jobs()]
    tap.ok(listed == made, f"a dump of {len(made)} jobs has each once, in order")
    # the job of a peer's run would be one more
    listener = raw2.listen(18515)
    raw2.delete(made[-1])
    job = raw2.new(peer="10.77.0.1")
    raw2.start(job)
    # the peer is accepted first, because it is counted only after that
    tap.ok(until(20, lambda: raw2.get(job).state == N["JOB_STATE_FINISHED"]) and
           "the responder has as many jobs as it serves, which are 768, or 1024 with its own" in
           raw2.get(job).reason,
           "a peer is refused for it, too, once it has proposed", raw2.get(job))
    raw2.unlisten(listener)
    raw2.close()
    tap.ok(until(10, lambda: not raw.jobs()), "they end with their socket")
    tap.check("a new run works", works)

    made = []
    raw2 = Client()
    try:
        while len(made) < 500:
            made.append(raw2.listen(20000 + len(made)))
    except Refused as error:
        tap.ok(error.errno == ENOSPC and "delete" in error.text and len(made) == 64,
               "a limit on listeners", f"{len(made)} {error}")
    else:
        tap.ok(False, "a limit on listeners", f"{len(made)} without a refusal")
    raw2.close()
    tap.ok(until(10, lambda: not raw.listeners()), "they end with their socket, too")

    pages = icb.allocated()
    try:
        raw.new(size=2 << 20, buffers=1024)
        error = "not refused"
    except Refused as refusal:
        error = refusal
    pages = icb.allocated() - pages
    tap.ok("1 GiB" in str(error) and pages < 1 << 17,
           "2 GiB are refused before a quarter of that is allocated", f"{pages} pages, {error}")


def test_garbage(raw):
    """Damaged requests: each has an answer."""
    random.seed(4711)
    good = [param("size", 8), param("verb", "send"), param("device", DEVICE),
            param("iterations", 5), param("timeout", 10**9), param("peer", "10.77.0.1")]
    answers = {}
    own = Client()
    count = icb.fewer(3000)
    for _ in range(count):
        body = bytearray(attr(N["A_JOB_PARAMS"], b"".join(
            random.sample(good, random.randrange(len(good)))), nested=True))
        for _ in range(random.randrange(1, 6)):
            body[random.randrange(len(body))] = random.randrange(256)
        command = random.choice([N["CMD_JOB_NEW"]] * 4 + list(range(1, N["CMD_RESULT_GET"] + 1)))
        flags = random.choice([icb.NLM_F_ACK] * 3 + [icb.NLM_F_DUMP])
        try:
            own.request(command, bytes(body[:random.randrange(4, len(body) + 1)]), flags)
            answer = "accepted"
        except Refused as error:
            answer = os.strerror(error.errno)
            if error.errno == EINVAL and not error.text:
                answer += " (no words)"
        answers[answer] = answers.get(answer, 0) + 1
    own.close()
    note(f"{count} damaged requests: {answers}")
    tap.ok(sum(answers.values()) == count and "Invalid argument (no words)" not in answers,
           f"{count} damaged requests are answered, those refused with words", answers)


def group_number(name):
    """Return: the number of a multicast group of the family."""
    netlink = Netlink(icb.NETLINK_GENERIC)
    answer = netlink.exchange(16, struct.pack("BBH", 3, 1, 0) + attr(2, b"icbench\0"))
    netlink.close()
    groups = [dict(parse(value)) for _, value in parse(dict(parse(answer[0][4:]))[7])]
    return next(number(g[2]) for g in groups if g[1] == name.encode() + b"\0")


# what somebody else does: becomes nobody, where it is told so, asks for every command, and
# joins the group in both ways
SOMEBODY = """
import json, os, socket, sys
sys.path.append(sys.argv[1])
who, group, commands = sys.argv[2], int(sys.argv[3]), json.loads(sys.argv[4])
import icb			# which nobody may not be able to read
if who == "nobody":
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
client = icb.Client()
for name, has in commands.items():
    for flags, what in ((icb.NLM_F_ACK, "do"), (icb.NLM_F_DUMP, "dump")):
        try:
            client.request(icb.N["CMD_" + name], flags=flags)
            print(name, what, "was not refused")
        except icb.Refused as error:
            # what it does not have, some kernels look for first
            if error.errno != 1 and not (error.errno == 95 and what not in has):
                print(name, what, error)
other = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, icb.NETLINK_GENERIC)
for what, join in (("joined", lambda: client.sock.setsockopt(icb.SOL_NETLINK, 1, group)),
                   ("bound", lambda: other.bind((0, 1 << group - 1)))):
    if what == "bound" and group > 32:	# which is as many as an address has
        continue
    try:
        join()
        print("the group was", what)
    except PermissionError:
        pass
"""

# who has a network of its own may join what it likes there
STRANGER = """
import sys
sys.path.append(sys.argv[1])
import kernel
netlink = kernel.Netlink(16)
try:
    netlink.exchange(16, bytes((3, 1, 0, 0)) + kernel.attr(2, b"icbench\\0"))
    print("the family is there")
except kernel.Refused as error:
    if error.errno != 2:
        print(error)
try:
    netlink.sock.setsockopt(kernel.SOL_NETLINK, 1, int(sys.argv[2]))
except OSError:
    pass
print("ready", flush=True)
sys.stdin.readline()
netlink.sock.setblocking(False)	# else it waits for its timeout, MSG_DONTWAIT or not
try:
    print("heard", netlink.sock.recv(1 << 16))
except BlockingIOError:
    pass
"""


def test_unprivileged(raw):
    """Every command and every event for users who are not root."""
    every = commands()
    tap.ok(len(every) > 10, f"{len(every)} commands", every)
    group = group_number("jobs")
    python = ("/usr/bin/python3", "-B", "-c")
    for who, words in (("nobody", ()), ("root of a user namespace", ("unshare", "-Ur"))):
        done = subprocess.run([*words, *python, SOMEBODY, os.path.dirname(__file__), who,
                               str(group), json.dumps(every)],
                              capture_output=True, text=True, check=False, timeout=60)
        tap.ok(done.returncode == 0 and not done.stdout,
               f"{who}: every command is refused, and the group jobs",
               done.stdout + done.stderr)
    ear = Netlink(icb.NETLINK_GENERIC)
    ear.sock.setsockopt(icb.SOL_NETLINK, 1, group)
    with subprocess.Popen(["unshare", "-Urn", *python, STRANGER, os.path.dirname(__file__),
                           str(group)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True) as stranger:
        line = stranger.stdout.readline()
        job = raw.new(iterations=10)
        raw.start(job)
        heard = ear.sock.recv(1 << 16)
        said = line + stranger.communicate("\n", timeout=60)[0]
    ear.close()
    raw.delete(job)
    tap.ok(said == "ready\n" and stranger.returncode == 0 and heard,
           "root of a network namespace: no family, and no event of a job", said)


def main():
    detached = test_cli()
    begin = time.monotonic()
    ynl = YnlFamily(SPEC, schema="")
    note(f"the client takes {time.monotonic() - begin:.1f} s to read the specification")
    # A separate socket for events: the client of 6.12 fails if an event arrives while it waits
    # for an answer.
    watch = YnlFamily(SPEC, schema="")
    # a large buffer, because the socket is not read during other requests
    watch.sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 16 << 20)
    watch.ntf_subscribe("jobs")
    raw = Client()
    got = ynl.do("job-get", {"id": detached})
    tap.ok(got["state"] == "new" and got["params"]["size"] == 256 and
           got["params"]["completion"] == "memory", "cli.py: job-new", got)
    ynl.do("job-del", {"id": detached})
    test_lists(ynl)
    test_job(ynl, watch)
    test_listener(ynl, watch)
    test_params(ynl, raw)
    test_rules(ynl)
    test_group(ynl, watch)
    test_requests(raw)
    test_limits(raw)
    sockets.test_words_stay(tap)
    sockets.test_untold(tap, raw)
    sockets.test_snatched(tap, raw)
    sockets.test_number_again(tap, raw)
    sockets.test_later(tap, raw)
    sockets.test_ending_counts(tap, raw)
    sockets.test_renamed(tap, raw)
    sockets.test_results(tap)
    sockets.test_buffers(tap)
    test_garbage(raw)
    test_unprivileged(raw)
    ynl.sock.close()
    watch.sock.close()
    raw.close()
    tap.check("nothing is left", clean)
    return tap.done()


sys.exit(main())
