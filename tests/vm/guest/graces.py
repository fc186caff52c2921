# SPDX-License-Identifier: GPL-2.0
"""RCU grace periods, work on each CPU and live patches, which wait for each task or CPU, complete
beside endless runs."""

import contextlib
import os
import random
import subprocess
import sys
import time

from icb import ONE_IN, QUICK, Client, Tap, clean, given, has_function, note, until
from kernel import insert_module, remove_module
from states import BOUND, MEASURING, MODES, add_parameters, keys, measuring, possible

# a grace period follows the kernel's next scan of the tasks, which it does once a second at most
LATEST = 6 * BOUND

# a run with a CPU that observes memory all the time
WATCHED = {"completion": "block", "stages": 1, "cpu": 0, "peer-cpu": 0, "shadow-cpu": 1}

# runs during a live patch: in the first one only icbench itself yields the CPU
PATCHED = {
    "calibrate": {"trigger": "return", "verb": "calibrate"},
    "calibrate, fifo": {"trigger": "return", "verb": "calibrate", "priority": "fifo"},
    "poll": {},
    "read, block": {"verb": "read", "completion": "block"},
    "block, watched": WATCHED,
}
PATCH = "/sys/kernel/livepatch/patch"

tap = Tap()


def passes():
    """Return: how long a grace period that begins now takes, seconds; None if too long."""
    begin = given()
    insert_module(os.path.join(os.environ["ICBENCH_WITH"], "grace.ko"))

    def passed():
        with open("/sys/module/grace/parameters/passed", encoding="ascii") as f:
            return int(f.read())

    return given() - begin if until(LATEST, passed) else None


# CPU time that the scheduler reserves for other tasks: in general, and, since Linux 6.12, by the
# fair server
KEPT_BACK = "/proc/sys/kernel/sched_rt_runtime_us"
SERVER = "/sys/kernel/debug/sched/fair_server/cpu0/runtime"


@contextlib.contextmanager
def nothing_kept_back():
    """Turn both off, in the only order that Linux 6.12 accepts, and restore them afterwards."""
    before = []
    try:
        for path, nothing in ((KEPT_BACK, "-1"), (SERVER, "0")):
            if os.path.exists(path):
                with open(path, encoding="ascii") as f:
                    before.append((path, f.read()))
                write(path, nothing)
        yield
    finally:
        for path, was in reversed(before):
            write(path, was)


def write(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def test_each_cpu():
    """A real-time run leaves CPU time to a task that waits for work on each CPU, even if the
    scheduler reserves none."""
    client = Client()
    job = client.new(**keys(measuring(PATCHED["calibrate, fifo"] | {"cpu": 0})[1]))
    client.start(job)
    under_way = until(60, lambda: client.get(job).state == MEASURING)
    begin = given()
    # cat cannot be interrupted while it waits; it ends at the latest with the run
    with nothing_kept_back(), \
         subprocess.Popen(["cat", "/proc/sys/vm/stat_refresh"], stdin=subprocess.DEVNULL) as process:
        try:
            done = until(LATEST, lambda: process.poll() is not None)
            took = given() - begin
            lasts = client.get(job).state == MEASURING
        finally:
            client.delete(job)
    tap.ok(under_way and done and lasts and not process.returncode,
           "a work item on each CPU is served beside a real-time run", f"within {LATEST} s: {done}")
    note(f"a work item on each CPU: {took:.2f} s")
    client.close()


def patch_is(word):
    """Return: whether the patch is "enabled", or in "transition"."""
    with open(f"{PATCH}/{word}", encoding="ascii") as f:
        return int(f.read())


def removed():
    """Return: whether the patch is unused and could be removed."""
    try:
        remove_module("patch")
    except RuntimeError:
        return False
    return True


def test_patch():
    """A live patch needs to find each task asleep once; it is complete within the same time."""
    module = os.path.join(os.environ["ICBENCH_WITH"], "patch.ko")
    if not os.path.exists(module):
        tap.skip("a live patch", "this kernel takes none")
        return
    # In 6.3 and later the scheduler is patched for this, too. An emulator may execute the
    # instruction half patched: the idle thread of 7.2 hit the breakpoint there.
    if has_function("__klp_sched_try_switch"):
        tap.skip("a live patch", "this kernel patches its scheduler for it, under the emulator")
        return
    client, took_by = Client(), {}
    for name, params in PATCHED.items():
        job = client.new(**keys(measuring(params)[1]))
        client.start(job)
        under_way = until(60, lambda job=job: client.get(job).state == MEASURING)
        begin = given()
        insert_module(module)
        there = until(LATEST, lambda: not patch_is("transition"))
        took_by[name] = given() - begin
        lasts = client.get(job).state == MEASURING
        client.stop(job)
        client.delete(job)
        until(LATEST, lambda: not patch_is("transition"))
        write(f"{PATCH}/enabled", "0")
        gone = until(LATEST, lambda: not os.path.exists(PATCH))
        until(LATEST, removed)
        tap.ok(under_way and there and lasts and gone, f"{name}: a live patch goes in beside it",
               f"within {LATEST} s: {there}; {client.jobs()}")
    client.close()
    note("live patches: " + ", ".join(f"{name} {took:.2f} s" for name, took in took_by.items()))
    tap.check("... nothing is left", clean)


def covering(modes):
    """Return: all modes; with ICBENCH_ONE_IN as few as have each value of each parameter."""
    if ONE_IN == 1:
        return modes
    names, seen, chosen = list(modes), set(), {}
    # a fixed order, which prefers no trigger
    random.Random(ONE_IN).shuffle(names)
    for name in names:
        values = {(key, str(value)) for key, value in modes[name].items()} or {"defaults"}
        if not values <= seen:
            seen |= values
            chosen[name] = modes[name]
    return chosen


def test_graces():
    client, took_by = Client(), {}
    for name, params in covering(MODES).items():
        job = client.new(**keys(measuring(params)[1]))
        client.start(job)
        under_way = until(60, lambda job=job: client.get(job).state == MEASURING)
        took = passes()
        lasts = client.get(job).state == MEASURING
        client.stop(job)
        client.delete(job)
        remove_module("grace")
        tap.ok(under_way and took is not None and lasts, f"{name}: each task is seen to give way",
               f"within {LATEST} s: {took}; {client.jobs()}")
        took_by[name] = took or 0
    client.close()
    longest = sorted(took_by, key=took_by.get)[-3:]
    note(f"{len(took_by)} runs; longest: " + ", ".join(f"{n} {took_by[n]:.2f} s" for n in longest))
    tap.check("... nothing is left", clean)


MODES["block, watched"] = WATCHED
# runs whose event is often there before they sleep
for verb in ("read", "fetch-add"):
    # iWARP has no atomics
    if possible({"verb": verb}):
        MODES[f"{verb}, block"] = {"verb": verb, "completion": "block"}
if not QUICK:
    add_parameters()
try:
    with open("/sys/kernel/debug/sched/preempt", encoding="ascii") as told:
        note(f"preemption: {told.read().strip()}")
except OSError:
    note("preemption: as the kernel was built")
test_graces()
test_each_cpu()
test_patch()
sys.exit(tap.done())
