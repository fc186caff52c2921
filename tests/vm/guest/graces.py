# SPDX-License-Identifier: GPL-2.0
"""What waits for each task or CPU, beside runs without an end: grace periods of RCU's, work on each
CPU, and live patches."""

import contextlib
import os
import subprocess
import sys
import time

from icb import QUICK, Client, Tap, clean, given, has_function, note, until
from kernel import insert_module, remove_module
from states import BOUND, MEASURING, MODES, add_parameters, keys, measuring, possible

# it comes after the next look at the tasks, which the kernel takes each second at most
LATEST = 6 * BOUND

# who looks at memory all the time, beside a run
WATCHED = {"completion": "block", "stages": 1, "cpu": 0, "peer-cpu": 0, "shadow-cpu": 1}

# who is given a live patch: one that nothing but icbench gives way for, and others
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
    """How long one takes that begins now, seconds; None if too long."""
    begin = given()
    insert_module(os.path.join(os.environ["ICBENCH_WITH"], "grace.ko"))

    def passed():
        with open("/sys/module/grace/parameters/passed", encoding="ascii") as f:
            return int(f.read())

    return given() - begin if until(LATEST, passed) else None


# what the scheduler keeps back of a CPU for others: in general, and, since Linux 6.12, by a server
KEPT_BACK = "/proc/sys/kernel/sched_rt_runtime_us"
SERVER = "/sys/kernel/debug/sched/fair_server/cpu0/runtime"


@contextlib.contextmanager
def nothing_kept_back():
    """Both are turned off, in the only order that Linux 6.12 takes, and then on again."""
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
    """A real-time run leaves who waits for something on each CPU the time for it, also where the
    scheduler keeps back none."""
    client = Client()
    job = client.new(**keys(measuring(PATCHED["calibrate, fifo"] | {"cpu": 0})[1]))
    client.start(job)
    under_way = until(60, lambda: client.get(job).state == MEASURING)
    begin = given()
    # no signal ends its wait, but the end of the run does
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
    """Whether the patch is, or is being put in or taken away."""
    with open(f"{PATCH}/{word}", encoding="ascii") as f:
        return int(f.read())


def removed():
    """Whether nobody uses the patch any more, and it has gone."""
    try:
        remove_module("patch")
    except RuntimeError:
        return False
    return True


def test_patch():
    """A live patch, which each task has to be seen asleep for, is in within the same time."""
    module = os.path.join(os.environ["ICBENCH_WITH"], "patch.ko")
    if not os.path.exists(module):
        tap.skip("a live patch", "this kernel takes none")
        return
    # Of 6.3 and later the scheduler is patched as well, which an emulator may find half done: 7.2's
    # idle thread met the breakpoint there.
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


def test_graces():
    client, took_by = Client(), {}
    for name, params in MODES.items():
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
# whose event often is there before they sleep
for verb in ("read", "fetch-add"):
    # over iWARP there are no atomics
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
