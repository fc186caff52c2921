#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Every event that can hit a run, in every state that one can be in, many times:
each time it ends in bounded time, keeps what was measured, and leaves nothing.

The states of tests/vm/guest/states.py, and two that last no longer than a moment:
ending, and finished with its result being read.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../vm/guest"))

# pylint: disable=wrong-import-position
from icb import DEVICE, N, Client, Refused, Tap, clean, note, plug, tool, unplug, until, works
from states import (ACTIONS, CONNECTING, FAILED, FINISHED, LONG, MEASURING, STATES, STOPPED,
                    WARMUP, Run, add_parameters,
                    by_delete, by_device, by_link, by_owner, by_stop, by_unload, keys, waits,
                    within)

REPEATS = int(os.environ.get("ICBENCH_CHAOS_REPEATS", "0"))
SEED = int(os.environ.get("ICBENCH_CHAOS_SEED", "1"))
COMPLETE = N["OUTCOME_COMPLETE"]
ADDRESS = "10.77.0.1"
CPU1 = "/sys/devices/system/cpu/cpu1/online"
PM = "/sys/power"

tap = Tap()


def put(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


class Reader(threading.Thread):
    """Reads the result of a finished job again and again."""

    def __init__(self, job):
        super().__init__()
        self.job = job
        self.over = False
        self.reads = 0

    def run(self):
        client = Client()
        while not self.over:
            try:
                client.samples(self.job)
                self.reads += 1
            except (Refused, OSError):	# it has gone: so it may
                break
        client.close()


class Ending(Run):
    """A run that ends by itself, now or in a moment."""

    def __init__(self, _name):
        super().__init__("new")
        self.client.delete(self.id)
        self.id = self.client.new(**keys({"iterations": 200, "warmup": 0}))
        self.state = FINISHED
        self.client.start(self.id)
        time.sleep(random.random() * 0.06)

    def kept(self, *outcomes):
        # it may have been faster, or not
        return super().kept(*outcomes, COMPLETE, STOPPED, FAILED)


class Read(Run):
    """A run whose result is being read."""

    def __init__(self, _name):
        super().__init__("finished")
        self.reader = Reader(self.id)
        self.reader.start()
        until(5, lambda: self.reader.reads)

    def forget(self):
        self.reader.over = True
        super().forget()


def by_kill(run):
    """The owner dies by a signal that it cannot see."""
    run.client.close()
    with subprocess.Popen(["icbenchctl", "run", "latency", "-D", "600", *words_of(run)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        client = Client()
        until(60, lambda: client.jobs())
        until(2, lambda: any(j.state == run.state for j in client.jobs()))
        process.kill()
        process.wait()
        within("the end", lambda: not client.jobs())
        client.close()


def words_of(run):
    params = run.params if run.state in (CONNECTING, WARMUP, MEASURING) else {}
    return [word for k, v in params.items() if k not in ("duration", "warmup", "timeout")
            for each in (v if isinstance(v, list) else [v]) for word in (f"--{k}", str(each))]


def by_address(run):
    """The address that it goes by is taken away, and comes back."""
    tool("ip", "addr", "del", f"{ADDRESS}/24", "dev", "icb0")
    try:
        if run.state == N["JOB_STATE_NEW"]:
            run.client.start(run.id)
        run.client.stop(run.id)
        run.kept(STOPPED, FAILED, COMPLETE)
        run.forget()
    finally:
        tool("ip", "addr", "add", f"{ADDRESS}/24", "dev", "icb0")
        unplug()
        plug()


def by_cpu(run):
    """The CPU of one of its threads goes."""
    put(CPU1, "0")
    try:
        if run.state == N["JOB_STATE_NEW"]:
            run.client.start(run.id)
        run.client.stop(run.id)
        run.kept(STOPPED, FAILED, COMPLETE)
        run.forget()
    finally:
        put(CPU1, "1")


def by_suspend(run):
    """The machine goes to sleep as far as all of user space being frozen."""
    put(f"{PM}/pm_test", "freezer")
    try:
        put(f"{PM}/state", "freeze")
    except OSError as error:		# refused is as good as survived
        note(f"suspend is refused: {error}")
    finally:
        put(f"{PM}/pm_test", "none")
    by_stop(run)


def by_peer(end):
    """What the far side does, of a run with a listener of this host."""
    def action(run):
        run.client.close()
        server, client = Client(), Client()
        listener = server.listen(18515)
        params = {k: v for k, v in run.params.items() if k != "peer"}
        if run.state in (N["JOB_STATE_NEW"], CONNECTING):
            params = {"duration": LONG}
        job = client.new(peer=ADDRESS, **keys(params))
        client.start(job)
        if run.state in (WARMUP, MEASURING):
            until(60, lambda: client.get(job).state == run.state)
        responders = [j.id for j in server.jobs() if j.role == N["ROLE_RESPONDER"]]
        end(server, listener, responders)
        within("the end", lambda: client.get(job).state == FINISHED)
        found = client.get(job)
        if found.outcome not in (FAILED, COMPLETE) or (found.outcome == FAILED and
                                                       not found.reason):
            raise RuntimeError(f"ended otherwise: {found}")
        if client.samples(job) != found.done:
            raise RuntimeError(f"lost its result: {found}")
        client.close()
        server.close()
    return action


def stop_responder(server, _listener, responders):
    for job in responders:
        try:
            server.stop(job)
        except Refused:			# has ended
            pass
    server.close()


EVENTS = {
    "stop": by_stop,
    "job-del": by_delete,
    "owner closes": by_owner,
    "owner killed -9": by_kill,
    "rmmod": by_unload,
    "rdma link del": by_device,
    "netdev down and up": by_link,
    "address removed": by_address,
    "peer's run stopped": by_peer(stop_responder),
    "peer's listener deleted": by_peer(lambda server, listener, _: server.unlisten(listener)),
    "peer's owner dies": by_peer(lambda server, _l, _r: server.close()),
    "CPU offline": by_cpu,
    "suspend": by_suspend,
}

# not every kernel can do these
if not os.path.exists(CPU1):
    del EVENTS["CPU offline"]
if not os.path.exists(f"{PM}/pm_test"):
    del EVENTS["suspend"]

MOMENTS = {"ending": Ending, "result being read": Read}


def repeats(event):
    return min(REPEATS, 5) if event == "suspend" else max(REPEATS, 1)


def states(event):
    """Where it may hit. Not asked for repeats, what tests/vm/40-stop.t does is left out."""
    if event == "owner killed -9":	# icbenchctl has no way to stay in the others
        return [s for s in STATES if s not in ("new", "finished")]
    if REPEATS == 0 and EVENTS[event] in ACTIONS.values():
        return [*MOMENTS]
    if REPEATS == 0 and event == "suspend":
        return ["connecting", "measuring, poll", "measuring, block"]
    return [*STATES, *MOMENTS]


def cell(event, state):
    for i in range(repeats(event)):
        run = MOMENTS.get(state, Run)(state)
        try:
            EVENTS[event](run)
        except (Refused, RuntimeError, OSError, AssertionError) as error:
            raise RuntimeError(f"time {i + 1}: {error}") from error
    clean()


def test_cells():
    random.seed(SEED)
    cells = times = 0
    for event in EVENTS:
        waits.clear()
        begin = time.monotonic()
        for state in states(event):
            tap.check(f"{event} x {state}", cell, event, state)
            cells += 1
            times += repeats(event)
        tap.check(f"{event}: a new run works", works)
        worst = f", at most {max(waits) * 1000:.0f} ms" if waits else ""
        note(f"{event}: {time.monotonic() - begin:.0f} s{worst}")
    note(f"cells {cells}, events {times}, seed {SEED}, device {DEVICE}")


def test_many():
    """64 jobs at a time on one device."""
    def many():
        client = Client()
        jobs = [client.new(iterations=50, warmup=0, completion=c)
                for c in ("softirq", "workqueue", "block", "poll") for _ in range(16)]
        for job in jobs:
            client.start(job)
        if not until(240, lambda: all(client.get(j).state == FINISHED for j in jobs)):
            raise RuntimeError("some do not end")
        bad = [str(client.get(j)) for j in jobs if client.get(j).outcome != COMPLETE]
        if bad:
            raise RuntimeError("; ".join(bad))
        client.close()
        clean()

    tap.check("64 jobs at a time", many)


def slab():
    with open("/proc/meminfo", encoding="ascii") as f:
        return int(re.search(r"^Slab: +([0-9]+)", f.read(), re.M).group(1))


def test_cycles():
    """Create, start, stop, delete: memory use stays where it was."""
    count = 100 * max(REPEATS, 1)

    def cycles():
        client = Client()
        for i in range(count + 50):
            if i == 50:
                before = slab()
            job = client.new(iterations=20, warmup=0)
            client.start(job)
            if i % 2:
                client.stop(job)
            client.delete(job)
        client.close()
        clean()
        note(f"{count} cycles: slab {before} KiB before, {slab()} KiB after")
        if slab() - before > 2048:
            raise RuntimeError("slab use has grown")

    tap.check(f"{count} cycles of create, start, stop, delete", cycles)


def test_killed_cli():
    """What icbenchctl keeps of a run that its peer left."""
    with subprocess.Popen(["icbenchctl", "serve"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as server:
        server.stdout.readline()
        with subprocess.Popen(["icbenchctl", "run", "latency", ADDRESS, "-D", "600", "--json",
                               "/tmp/left.json"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as run:
            client = Client()
            until(60, lambda: any(j.state == MEASURING and j.done for j in client.jobs()))
            client.close()
            server.send_signal(signal.SIGKILL)
            _, err = run.communicate(timeout=60)
    with open("/tmp/left.json", encoding="utf-8") as f:
        result = json.load(f)
    tap.ok(run.returncode == 1 and result["partial"] and result["reason"] and
           result["points"][0]["metrics"]["latency"]["count"] > 0 and len(err.splitlines()) == 1,
           "icbenchctl keeps the partial result when the peer is killed", err)
    tap.check("... nothing is left", clean)


tap.check("a run works", works)
if REPEATS:
    add_parameters()
note(f"{len(STATES) + len(MOMENTS)} states")
test_cells()
test_many()
test_cycles()
test_killed_cli()
tap.check("a run works in the end", works)
sys.exit(tap.done())
