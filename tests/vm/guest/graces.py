# SPDX-License-Identifier: GPL-2.0
"""Grace periods of RCU's that wait for each task to give way, beside runs without an end."""

import os
import sys
import time

from icb import QUICK, Client, Tap, clean, note, until
from kernel import insert_module, remove_module
from states import BOUND, MEASURING, MODES, add_parameters, keys, measuring

# it comes after the next look at the tasks, which the kernel takes each second at most
LATEST = 6 * BOUND

# who looks at memory all the time, beside a run
WATCHED = {"completion": "block", "stages": 1, "cpu": 0, "peer-cpu": 0, "shadow-cpu": 1}

tap = Tap()


def passes():
    """How long one takes that begins now, seconds; None if too long."""
    begin = time.monotonic()
    insert_module(os.path.join(os.environ["ICBENCH_WITH"], "grace.ko"))

    def passed():
        with open("/sys/module/grace/parameters/passed", encoding="ascii") as f:
            return int(f.read())

    return time.monotonic() - begin if until(LATEST, passed) else None


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
if not QUICK:
    add_parameters()
test_graces()
sys.exit(tap.done())
