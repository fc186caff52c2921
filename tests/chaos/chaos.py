#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Every event that can hit a run, in every state that one can be in, many times:
each time it ends in bounded time, keeps what was measured, and leaves nothing.

An event counts only if it hit: the run was in its state right before, and where that
state ends by itself (hold.c has it last a while) did not get to its end all the same.
Else it is tried again.
"""

import json
import os
import re
import signal
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../vm/guest"))

# pylint: disable=wrong-import-position
from icb import (DEVICE, N, QUICK, SLOW, Client, Refused, Tap, clean, load, note, plug,
                 reports, threads, tool, unload, unplug, until, works)
from states import (ADDRESS, CONNECTING, FAILED, FINISHED, LENGTHY, LONG, MEASURING, STATES,
                    STOPPED, WARMUP, Reader, Run, add_parameters, by_address, by_delete, by_device,
                    by_link, by_owner, by_stop, by_unload, keys, one_of_each, waits, within, word)
from hold import HOLD, Patience, hold

REPEATS = max(int(os.environ.get("ICBENCH_CHAOS_REPEATS", "1")), 1)
ONLY = os.environ.get("ICBENCH_CHAOS_EVENTS", "")
ONLY_STATES = os.environ.get("ICBENCH_CHAOS_STATES", "")
# of all cells this machine takes each N-th one from the M-th on, "M/N"
MINE, MACHINES = (int(n) for n in os.environ.get("ICBENCH_CHAOS_SHARE", "1/1").split("/"))
COMPLETE, NEW = N["OUTCOME_COMPLETE"], N["JOB_STATE_NEW"]
DRAINING = N["JOB_STATE_DRAINING"]
TOKEN = b"of the chaos tests"
CPU1 = "/sys/devices/system/cpu/cpu1/online"
PM = "/sys/power"
# how far the machine goes to sleep, and the sleep that goes that far
SLEEPS = {"freezer": "freeze", "devices": "freeze", "processors": "mem", "core": "mem"}
PM_DELAY = "/sys/module/suspend/parameters/pm_test_delay"
# so many jobs at a time
MANY = 64
# Cycles until memory use is what it stays; by how many bytes it goes up and down all the
# same (32 KiB was the most that was seen), and what is less for each cycle than any object
WARM, RESTLESS, PER_CYCLE = 200, 64 << 10, 16
# caches that come and go with files, and what is freed only when there is much of it
OF_FILES = "inode|dentry|file|filp|kernfs|names_cache|radix_tree|buffer_head|vmap_area"
# how often a repetition that missed is tried again
TRIES = 10

tap = Tap()


class Late(Exception):
    """The run was over before the event."""


def put(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


# Name: the state, the parameters that lead there, the call that is held so that it
# lasts, and whether the matrix has it.
CASES = {}


def add_cases():
    measuring = one_of_each()
    for name, (state, params) in STATES.items():
        CASES[name] = (state, params, None, state in (CONNECTING, WARMUP) or name in measuring)
    CASES["connecting, answered late"] = (CONNECTING, {"duration": LONG}, "icb_respond", True)
    for mode in ("poll", "softirq", "workqueue", "block"):
        CASES[f"draining, {mode}"] = (DRAINING, {"iterations": 50, "warmup": 0, "completion": mode},
                                      "icb_listener_seal", mode in ("poll", "block"))
    CASES["result being read"] = (FINISHED, LENGTHY, None, True)


class Case(Run):
    """A job in a state, which an event is to hit."""

    since = 0

    def __init__(self, name, **more):	# pylint: disable=super-init-not-called
        self.name = name
        self.state, params, self.held, _ = CASES[name]
        self.params = params | more
        self.client = Client()
        self.reader = None
        self.id = self.client.new(**keys(self.params))
        if self.held:
            hold(self.held)
        self.begin = time.monotonic()
        if self.state != NEW:
            self.client.start(self.id)
        if not until(60, self.arrived):
            raise RuntimeError(f"does not get to be {name}: {self.get()}")
        if name == "result being read":
            self.reader = Reader(self.id)

    def arrived(self):
        """Whether it is there; notes when it was last known not to be."""
        now = time.monotonic()
        if self.there() or self.get().state == FINISHED:
            return True
        self.begin = now
        return False

    def hit(self):
        """Whether an event of now finds it there."""
        return self.there() and (not self.held or time.monotonic() < self.begin + HOLD) and \
            (not self.reader or not self.reader.over)

    def missed(self):
        """That it was over is fine, that it failed by itself is not."""
        job = self.get()
        if job.outcome == FAILED:
            raise RuntimeError(f"failed before anything happened: {job}")

    def over(self):
        first = not self.timed
        job = super().over()
        if first:
            # some events return when the run has ended
            waits[-1] = time.monotonic() - self.since
        return job

    def kept(self, *outcomes):
        job = self.over()
        if self.held and job.outcome == COMPLETE and COMPLETE not in outcomes:
            raise Late
        job = super().kept(*outcomes)
        if job.outcome == FAILED and not job.reason:
            raise RuntimeError(f"does not say why: {job}")
        return job

    def close(self):
        if self.reader:
            self.reader.finish()
        self.client.close()


class Served(Case):
    """... with a listener of this host as its peer."""

    def __init__(self, name):
        self.server = Client()
        self.listener = self.server.listen(18515, token=TOKEN)
        super().__init__(name, peer=ADDRESS, token=TOKEN)

    def responders(self):
        return [j.id for j in self.server.jobs() if j.role == N["ROLE_RESPONDER"]]

    def arrived(self):
        # who connects may not have come to its peer yet
        return super().arrived() and (self.responders() or self.get().state == FINISHED)

    def close(self):
        super().close()
        self.server.close()


class Child(Case):
    """... that belongs to another process."""

    def __init__(self, name):	# pylint: disable=super-init-not-called
        ready, tell = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            try:
                case = Case(name)
                os.write(tell, struct.pack("Id", case.id, case.begin))
                time.sleep(600)
            finally:
                os._exit(1)
        os.close(tell)
        answer = os.read(ready, 16)
        os.close(ready)
        if not answer:
            raise RuntimeError(f"the owner did not get to be {name}")
        self.name, self.reader, self.client = name, None, Client()
        self.state, self.params, self.held, _ = CASES[name]
        self.id, self.begin = struct.unpack("Id", answer)

    def kill(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.pid = 0

    def close(self):
        self.kill()
        super().close()


def gone():
    within("the end", lambda: not threads())


def by_close(run):
    by_owner(run)
    gone()


def by_kill(run):
    """The owner dies by a signal that it cannot see."""
    run.kill()
    gone()


def by_rmmod(run):
    """Attempted, and refused where a reader would be cut off; then it waits."""
    if run.reader:
        try:
            unload()
        except RuntimeError:
            run.reader.finish()
        else:
            load()
            raise RuntimeError("was unloaded under who reads a result")
    by_unload(run)


def survived(run):
    """What does not end a run by itself; it can be stopped."""
    if run.state == NEW:
        run.client.start(run.id)
    # what is promised counts from here
    run.since = time.monotonic()
    run.client.stop(run.id)
    run.kept(STOPPED, FAILED, COMPLETE)
    run.forget()


def by_cpu(run):
    """The CPU of one of its threads goes."""
    put(CPU1, "0")
    try:
        survived(run)
    finally:
        put(CPU1, "1")


def by_suspend(level):
    """The machine goes to sleep as far as the kernel's own test of it goes, and comes back."""
    def action(run):
        put(f"{PM}/pm_test", level)
        try:
            put(f"{PM}/state", SLEEPS[level])
        except OSError as error:		# refused is as good as survived
            why = f"suspend, {level}, was refused: {os.strerror(error.errno)}"
            refusals[why] = refusals.get(why, 0) + 1
        finally:
            put(f"{PM}/pm_test", "none")
        if run.state in (WARMUP, MEASURING) and not run.there():
            raise RuntimeError(f"has not survived: {run.get()}")
        survived(run)
    return action


refusals = {}


def by_peer(end):
    """What the far side does."""
    def action(run):
        end(run)
        if run.state == FINISHED:
            run.kept(COMPLETE)
        else:
            run.kept(FAILED)
        run.forget()
    return action


def stop_responder(run):
    for job in run.responders():
        try:
            run.server.stop(job)
        except Refused:			# has ended
            pass


# the function, and what it hits
EVENTS = {
    "stop": (by_stop, Case),
    "job-del": (by_delete, Case),
    "owner closes": (by_close, Case),
    "owner killed -9": (by_kill, Child),
    "rmmod": (by_rmmod, Case),
    "rdma link del": (by_device, Case),
    "netdev down and up": (by_link, Case),
    "address removed": (by_address, Case),
    "peer's run stopped": (by_peer(stop_responder), Served),
    "peer's listener deleted": (by_peer(lambda run: run.server.unlisten(run.listener)),
                                Served),
    "peer's owner dies": (by_peer(lambda run: run.server.close()), Served),
    "CPU offline": (by_cpu, Case),
} | {f"suspend, {level}": (by_suspend(level), Case) for level in SLEEPS}


def impossible(event):
    """Why this kernel cannot do it; None."""
    if event == "CPU offline" and not os.path.exists(CPU1):
        return "no second CPU that can be taken offline"
    if event.startswith("suspend"):
        if not os.path.exists(f"{PM}/pm_test"):
            return "the kernel has no test of suspend"
        with open(f"{PM}/state", encoding="ascii") as f:
            if SLEEPS[event.split()[-1]] not in f.read().split():
                return "the machine has no such sleep"
    return None


def prepare_sleep():
    if os.path.exists(PM_DELAY):
        put(PM_DELAY, "0")		# the 5 s for who looks at it
        tool("insmod", os.path.join(os.environ["ICBENCH_WITH"], "awake.ko"))


def cases(event):
    """What it may hit. A peer has a part only in what it was asked for."""
    for name, (state, _, _, core) in CASES.items():
        if QUICK and not core or ONLY_STATES and name not in ONLY_STATES.split(";"):
            continue
        if EVENTS[event][1] is Served and (state == NEW or name in ("connecting", "finished")):
            continue
        if EVENTS[event][1] is Child and state == NEW:
            continue
        yield name


def attempt(event, name):
    """Return: whether it hit."""
    act, make = EVENTS[event]
    run = make(name)
    try:
        if not run.hit():
            run.missed()
            return False
        run.since = time.monotonic()
        act(run)
        return True
    except Late:
        return False
    finally:
        run.close()
        if not os.path.exists("/sys/module/icbench"):
            load()


def cell(event, name, figures):
    repeats = REPEATS if CASES[name][3] else 1
    hits = tries = 0
    late = False
    patience = Patience()
    while hits < repeats or late:
        if tries >= hits + TRIES:
            raise RuntimeError(f"hit {hits} times in {tries}, not {repeats}")
        tries += 1
        waits.clear()
        try:
            if attempt(event, name):
                hits += 1
                late = patience.judge(max(waits, default=0))
                figures["late"] += late
        except (Refused, RuntimeError, OSError, AssertionError) as error:
            raise RuntimeError(f"time {tries}: {type(error).__name__}: {error}") from error
        finally:
            figures["tries"] += 1
            figures["waits"] += waits
    figures["hits"] += hits
    clean()


def share():
    """The cells of this machine, by event."""
    turn = 0
    for event in EVENTS:
        if ONLY and event not in ONLY.split(";"):
            continue
        mine = []
        for name in cases(event):
            turn += 1
            if turn % MACHINES == MINE % MACHINES:
                mine.append(name)
        yield event, mine


def test_cells():
    total = {"cells": 0, "tries": 0, "hits": 0}
    for event, mine in share():
        if impossible(event):
            tap.skip(event, impossible(event))
            continue
        begin = time.monotonic()
        figures = {"tries": 0, "hits": 0, "late": 0, "waits": []}
        for name in mine:
            tap.check(f"{event} x {name}", cell, event, name, figures)
            total["cells"] += 1
        tap.check(f"{event}: a new run works", works)
        took = sorted(figures["waits"])
        worst = f", ends after {took[len(took) // 2] * 1000:.0f} ms, at most " \
                f"{took[-1] * 1000:.0f} ms, {figures['late']} late" if took else ""
        note(f"{event}: {figures['hits']} hits, {figures['tries'] - figures['hits']} misses, "
             f"{time.monotonic() - begin:.0f} s{worst}")
        for key in ("tries", "hits"):
            total[key] += figures[key]
    for why, times in refusals.items():
        note(f"{why}, {times} times")
    core = sum(c[3] for c in CASES.values())
    note(f"{REPEATS} repetitions each of {core} states, 1 of {len(CASES) - core} others; "
         f"device {DEVICE}")
    return total


def test_many():
    """64 jobs at a time on one device, of each completion mode."""
    client = Client()
    modes = [word("COMPLETION", c) for c in client.benches()["echo"][1]]

    def start(i):
        mode = modes[i % len(modes)]
        job = client.new(**keys({"duration": LONG, "warmup": 0, "timeout": LONG, "completion": mode,
                                 "verb": "write" if mode == "memory" else "send"}))
        client.start(job)
        return job

    def many():
        begin = time.monotonic()
        jobs = [start(i) for i in range(MANY)]
        again = 0

        def at_a_time():
            nonlocal again
            time.sleep(0.5)		# they want the CPUs as well
            found = {j.id: j for j in client.jobs()}
            # one side may wait for too long for the other while so many connect
            for i, job in enumerate(jobs):
                if found[job].state == FINISHED:
                    client.delete(job)
                    jobs[i] = start(i)
                    again += 1
            return all(found[j].state == MEASURING and found[j].done for j in jobs if j in found) \
                and found.keys() >= set(jobs)

        if not until(300, at_a_time):
            raise RuntimeError("not at a time: " + "; ".join(map(str, client.jobs())))
        note(f"{MANY} jobs of {len(modes)} completion modes measure at a time, after "
             f"{time.monotonic() - begin:.1f} s, {again} of them started again")
        for job in jobs:
            client.stop(job)
        if not until(60, lambda: all(client.get(j).state == FINISHED for j in jobs)):
            raise RuntimeError("some do not end")
        bad = [str(client.get(j)) for j in jobs
               if client.get(j).outcome != STOPPED or client.samples(j) != client.get(j).done]
        if bad:
            raise RuntimeError("; ".join(bad))
        client.close()
        clean()

    tap.check(f"{MANY} jobs at a time", many)


def slab():
    """Bytes in use of the kernel's caches, without what waits to be freed."""
    for name in os.listdir("/sys/kernel/slab"):
        try:
            put(f"/sys/kernel/slab/{name}/shrink", "1")
        except OSError:			# has gone
            pass
    with open("/proc/slabinfo", encoding="ascii") as f:
        caches = [line.split()[:4] for line in f.readlines()[2:]]
    return sum(int(active) * int(size) for name, active, _, size in caches
               if not re.search(OF_FILES, name))


def settled():
    """... when what came before has been given back."""
    used = slab()
    while True:
        time.sleep(1)
        last, used = used, slab()
        if used > last - 4096:
            return used


def vmalloc():
    with open("/proc/meminfo", encoding="ascii") as f:
        return int(re.search(r"^VmallocUsed: +([0-9]+)", f.read(), re.M).group(1)) * 1024


def test_cycles():
    """Create, start, stop, delete: memory use stays where it was."""
    count = 100 * REPEATS

    def cycles():
        client = Client()
        for i in range(WARM + count):
            if i == WARM:
                before = settled(), vmalloc()
            job = client.new(iterations=20, warmup=0)
            client.start(job)
            if i % 2:
                client.stop(job)
            client.delete(job)
        client.close()
        clean()
        until(10, lambda: slab() < before[0] + PER_CYCLE * count)
        grown = slab() - before[0], vmalloc() - before[1]
        note(f"{count} cycles: slab use has grown by {grown[0]} bytes, vmalloc's by {grown[1]}")
        if max(grown) > RESTLESS + PER_CYCLE * count:
            raise RuntimeError(f"memory use has grown by {grown}")

    tap.check(f"{count} cycles of create, start, stop, delete", cycles)
    return count


def by_cli(end, *words):
    """What icbenchctl says, shows and keeps of a run that something ends."""
    path = "/tmp/left.json"
    # of the device that is taken away, of several
    with subprocess.Popen(["icbenchctl", "run", "latency", *words, "--device", DEVICE, "-D", "600",
                           "--json", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as run:
        client = Client()
        mine = until(60, lambda: [j for j in client.jobs() if j.role != N["ROLE_RESPONDER"] and
                                  j.state == MEASURING and j.done])
        client.close()
        try:
            if not mine:
                raise RuntimeError("does not get to measure")
            end(mine[0].id)
            out, err = run.communicate(timeout=60 * SLOW)
        finally:
            run.kill()		# which has ended, unless something went wrong
    with open(path, encoding="utf-8") as f:
        result = json.load(f)
    if run.returncode != 1 or "PARTIAL" not in out or len(err.splitlines()) != 1 or \
       not result["partial"] or not result["reason"] or \
       not result["points"][0]["metrics"]["latency"]["count"]:
        raise RuntimeError(f"status {run.returncode}: {out} {err}")


def test_cli():
    tap.check("icbenchctl: status and result of a run that is stopped", by_cli,
              lambda job: tool("icbenchctl", "stop", str(job)))
    tap.check("icbenchctl: ... whose module is unloaded", by_cli, lambda _: unload())
    load()
    tap.check("icbenchctl: ... whose device is removed", by_cli, lambda _: unplug())
    plug()
    with subprocess.Popen(["icbenchctl", "serve"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as server:
        server.stdout.readline()
        tap.check("icbenchctl: ... whose peer is killed", by_cli, lambda _: server.kill(), ADDRESS)
    tap.check("... nothing is left", clean)


def main():
    tap.check("a run works", works)
    if REPEATS > 1 and not QUICK:
        add_parameters()
    prepare_sleep()
    add_cases()
    total = test_cells()
    cycles = 0
    if MINE == 1:
        test_many()
        cycles = test_cycles()
    test_cli()
    tap.check("a run works in the end", works)
    tap.check("unloads", unload)
    tap.check("... and loads", load)
    tap.ok(not reports(), f"reports seen: {len(reports())}", "\n".join(reports()))
    note(f"chaos: share {MINE}/{MACHINES}: {total['cells']} cells, {total['hits']} hits, "
         f"{total['tries'] - total['hits']} misses, {cycles} cycles")
    return tap.done()


sys.exit(main())
