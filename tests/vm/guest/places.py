# SPDX-License-Identifier: GPL-2.0
"""What takes a CPU from a run's thread: whoever moves it, a CPU that goes, a cpuset."""

import os
import re
import sys

from icb import Client, Tap, clean, note, threads_on, tool, until, works
from states import (CPU1, CPU1_GONE, FAILED, FINISHED, STATES, STOPPED, Run, keys, measuring,
                    possible, within)

TRACING = "/sys/kernel/tracing"
CGROUP = "/tmp/cgroup"

# each of these runs has exactly one thread on CPU 1
MINE, PEERS = {"cpu": 1, "peer-cpu": 0}, {"cpu": 0, "peer-cpu": 1}
RUNS = {
    "poll": MINE,
    "poll, the peer's": PEERS,
    "block": MINE | {"completion": "block"},
    "block, the peer's": PEERS | {"completion": "block"},
    "stream": MINE | {"trigger": "completion"},
    "stream, the peer's": PEERS | {"trigger": "completion"},
    "softirq": MINE | {"completion": "softirq"},
    "fifo": MINE | {"priority": "fifo"},
    "calibrate": {"cpu": 1, "trigger": "return", "verb": "calibrate"},
    "floor": MINE | {"trigger": "clock", "verb": "floor"},
    "floor, the other's": PEERS | {"trigger": "clock", "verb": "floor"},
    "watched": {"completion": "block", "stages": 1, "cpu": 0, "peer-cpu": 0, "shadow-cpu": 1},
}

tap = Tap()
# for each run that has ended: the seconds until its end, and its job
took = []


def put(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def begun(name):
    STATES[name] = measuring(RUNS[name])
    run = Run(name)
    if not until(10, lambda: threads_on(1)):
        raise RuntimeError(f"no thread is on CPU 1: {run.get()}")
    run.begin()
    return run


def lost(run):
    """The run has ended with the right reason, and its result is kept."""
    job = run.kept(FAILED)
    if CPU1_GONE not in job.reason:
        raise RuntimeError(f"does not say why: {job}")
    took.append((run.took, str(job)))
    run.forget()


def moved(name):
    """Another process moves the run's thread to CPU 0."""
    run = begun(name)
    for pid in threads_on(1):
        try:
            os.sched_setaffinity(pid, {0})
        except OSError:			# the kernel's helper threads cannot be moved
            return stopped(run)
    return pinned_or_lost(run)


def goes(name, comes_back):
    """CPU 1 goes offline, for good or for a moment."""
    run = begun(name)
    put(CPU1, "0")
    try:
        # from here on the thread is not on its CPU
        run.begin()
        if not comes_back:
            lost(run)
            return False
    finally:
        put(CPU1, "1")
    return pinned_or_lost(run)


def stopped(run):
    """The run continues, and a stop ends it; or it finds the lost CPU only now, and ends.
    Return: whether the run continues."""
    done = run.get().done
    if not until(10, lambda: run.get().done > done or run.get().state == FINISHED):
        raise RuntimeError(f"measures nothing any more: {run.get()}")
    if run.get().state == FINISHED:
        lost(run)
        return False
    run.client.stop(run.id)
    job = run.kept(STOPPED, FAILED)
    if job.outcome == FAILED and CPU1_GONE not in job.reason:
        raise RuntimeError(f"does not say why: {job}")
    run.forget()
    return job.outcome == STOPPED


def pinned_or_lost(run):
    """If the thread may run on other CPUs but has not left CPU 1, it is bound again. A sleeping
    thread is not moved. Return: whether the run continues."""
    def settled():
        return run.get().state == FINISHED or threads_on(1)

    within("its end, or its return", settled)
    if run.get().state == FINISHED:
        lost(run)
        return False
    return stopped(run)


def freed(name):
    """The run's thread is allowed to run on both CPUs."""
    run = begun(name)
    for pid in threads_on(1):
        try:
            os.sched_setaffinity(pid, {0, 1})
        except OSError:
            pass
    return pinned_or_lost(run)


def partitioned(name):
    """CPU 1 is taken by a cpuset partition."""
    run = begun(name)
    os.makedirs(f"{CGROUP}/alone", exist_ok=True)
    try:
        put(f"{CGROUP}/cgroup.subtree_control", "+cpuset")
        put(f"{CGROUP}/alone/cpuset.cpus", "1")
        put(f"{CGROUP}/alone/cpuset.cpus.partition", "root")
        return pinned_or_lost(run)
    finally:
        put(f"{CGROUP}/alone/cpuset.cpus.partition", "member")
        os.rmdir(f"{CGROUP}/alone")


def test_taken():
    """Take CPU 1 from each run. Most threads are not asleep at that moment."""
    stayed = []
    for name, params in RUNS.items():
        if not possible(measuring(params)[1]):
            tap.skip(name, "not on this device")
            continue
        tap.check(f"{name}: a thread that is moved ends it",
                  lambda name=name: stayed.append(moved(name)))
        tap.check(f"{name}: ... and a CPU that goes", lambda name=name: not goes(name, False))
        tap.check(f"{name}: ... for a moment",
                  lambda name=name: stayed.append(goes(name, True)))
    tap.ok(sum(stayed) < len(stayed) // 2, "... most of them", stayed)
    note(f"{len(took)} runs were ended, the last of them: {max(took)}")
    tap.check("... nothing is left", clean)
    tap.check("... a new run works", works)


def cpusets():
    """Mount cgroup2. Return: whether it has cpusets."""
    with open("/proc/filesystems", encoding="ascii") as f:
        if "cgroup2" not in f.read():
            return False
    if not os.path.ismount(CGROUP):
        os.makedirs(CGROUP, exist_ok=True)
        tool("mount", "-t", "cgroup2", "none", CGROUP)
    with open(f"{CGROUP}/cgroup.controllers", encoding="ascii") as f:
        return "cpuset" in f.read().split()


def test_freed():
    """A thread that is allowed to leave is bound again; few have left before."""
    ways = {"free to leave": freed}
    if cpusets():
        ways["a cpuset"] = partitioned
    else:
        tap.skip("a cpuset", "this kernel has none")
    stayed = dict.fromkeys(ways, 0)
    for name, params in RUNS.items():
        if not possible(measuring(params)[1]):
            continue
        for what, function in ways.items():
            def check(function=function, name=name, what=what):
                stayed[what] += function(name)
            tap.check(f"{name}: {what}: goes on where it was, or ends", check)
    tap.ok(stayed["free to leave"], "... some go on", stayed)
    note(f"of {len(RUNS)} runs went on: {stayed}")
    if cpusets():
        tool("umount", CGROUP)
    tap.check("... nothing is left", clean)


def test_home():
    """Before a thread is bound to a CPU, and at its end, it has the affinity of kthreadd."""
    if not os.path.exists(f"{TRACING}/kprobe_events"):
        tap.skip("each thread ends where it began", "this kernel traces no calls")
        return
    home = os.sched_getaffinity(2)			# that of kthreadd
    put(f"{TRACING}/kprobe_events", "p:bound set_cpus_allowed_ptr task=$arg1 mask=+0($arg2):x64")
    put(f"{TRACING}/events/kprobes/bound/enable", "1")
    client = Client()
    for params in ({"iterations": 20, "cpu": 1}, {"iterations": 20, "cpu": 1, "verb": "calibrate",
                                                  "trigger": "return"},
                   {"iterations": 20, "cpu": 0, "peer-cpu": 0, "shadow-cpu": 1, "stages": 1,
                    "completion": "block"},
                   {"iterations": 20, "completion": "adaptive"}):
        job = client.new(**keys(params))
        client.start(job)
        until(60, lambda job=job: client.get(job).state == FINISHED)
        client.delete(job)
    client.close()
    put(f"{TRACING}/events/kprobes/bound/enable", "0")
    with open(f"{TRACING}/trace", encoding="utf-8") as f:
        bound = re.findall(r"(icbench/\S+)-(\d+) .* mask=(0x[0-9a-f]+)", f.read())
    put(f"{TRACING}/kprobe_events", "")
    last = {thread: int(mask, 16) for name, thread, mask in bound if name != "icbench/shadow"}
    at_home = sum(1 << cpu for cpu in home)
    note(f"{len(bound)} times, of {len(last)} threads; kthreadd may run on {sorted(home)}")
    tap.ok(len(last) >= 7 and set(last.values()) == {at_home},
           "each thread ends where it began", f"{home}: {bound}")


test_home()
test_taken()
test_freed()
sys.exit(tap.done())
