#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Random combinations of parameters. Parameters are added at random to each recipe and to each loop
with its verbs. A run that the module accepts has to complete, and each refusal has to be in words.
Arguments: the number of runs, the seed.
"""

import os
import random
import re
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../vm/guest"))

# pylint: disable=wrong-import-position
from icb import (DEVICE, N, SLOW, WIDE, Client, Refused, Tap, add_second, clean, load, note,
                 params_words, reports, unload, until, works)
from recipes import accepted, names, of_run
from states import FINISHED, MODES, keys

COUNT, SEED = int(sys.argv[1]), int(sys.argv[2])
# parameters that are not varied: the peer, the place and the length of a run, and its workers
LEFT = {"trigger", "verb", "device", "port", "gid-index", "peer", "cm-port", "token", "iterations",
        "duration", "warmup", "timeout", "seed", "workers"}
NUMBERS = (0, 1, 2, 3, 5, 8, 16, 33, 64, 100, 256, 1024, 4096, 50000)
# few QPs, because each takes time to make
FEW = {"qps": (1, 2, 3, 8, 33)}
# values of parameters in ns, up to a second
LONG = (0, 1, 1000, 20000, 10**6, 10**9)
MOST = 6
# attempts for a run that does not complete, because a busy host may be too slow for it once
TRIES = 3

tap = Tap()
rng = random.Random(SEED)
figures = {"refused": 0, "again": 0, "told": 0}


def of_recipe(recipe, devices):
    """Return: name and parameters for each loop and verb of a recipe."""
    found = []
    whole, points = accepted([recipe], [w for d in devices for w in ("-d", d)])
    if tap.ok(whole, f"{recipe}: runs", points):
        for (trigger, verb), params in of_run(whole, points, devices).items():
            found.append((f"{recipe}, {trigger}, {verb}", params))
    return found


def bases(devices):
    """Yield names and parameters of each loop and verb, each completion mode and each recipe, in
    random order, without end."""
    starts = [[mode] for mode in MODES.items()] + names()
    rng.shuffle(starts)
    while True:
        for i, start in enumerate(starts):
            if isinstance(start, str):
                starts[i] = of_recipe(start, devices)
            yield from starts[i]


def why_refused(client, params):
    """Return: the words of the refusal of a run; "" if it is accepted."""
    try:
        client.delete(client.new(**keys(params)))
    except Refused as error:
        figures["refused"] += 1
        if not error.text:
            raise RuntimeError(f"refused without words: {error} {params}") from error
        return error.text
    return ""


def grown(client, base, devices):
    """Return: BASE with further parameters, added one at a time or two at a time, because some
    are only accepted together."""
    words = params_words()
    free = sorted(set(words) - LEFT)
    params = base | {"iterations": rng.randint(1, 60), "warmup": rng.randint(0, 8)}
    for _ in range(rng.randint(1, MOST)):
        more = {}
        for key in rng.sample(free, rng.randint(1, 2)):
            more[key] = rng.choice(words[key] or FEW.get(key) or
                                   (LONG if key in WIDE else NUMBERS))
        # several devices need a policy
        if more.get("policy", "single") != "single":
            more["device"] = devices
        if not why_refused(client, params | more):
            params |= more
    return params


def play(params):
    """Run with these parameters. Return: "" if the run has completed, or what was wrong."""
    client = Client()
    try:
        job = client.new(**keys({"timeout": 5 * 10**9 * SLOW} | params))
        client.start(job)
        if not until(40, lambda: client.get(job).state == FINISHED):
            raise RuntimeError(f"does not end: {client.get(job)} {params}")
        found = client.get(job)
        client.samples(job)
        client.delete(job)
    except Refused as error:
        if not error.text:
            raise RuntimeError(f"refused without words: {error} {params}") from error
        return str(error)
    finally:
        client.close()
    if found.outcome == N["OUTCOME_COMPLETE"] and found.done > 0:
        return ""
    # also accepted: a sample above the threshold, and a limit of the device below the module's
    if re.search(rf"\b({'|'.join(params)}): ", found.reason) or \
            "threshold" in params and ", threshold " in found.reason:
        figures["told"] += 1
        return ""
    return str(found)


def ends_well(params):
    whys = []
    for _ in range(TRIES):
        why = play(params)
        if not why:
            return
        figures["again"] += 1
        whys.append(why)
    raise RuntimeError(f"{params}: {'; '.join(whys)}")


def test_runs():
    devices = [DEVICE, add_second()]
    client = Client()
    begin = time.monotonic()
    for _, (name, base) in zip(range(COUNT), bases(devices)):
        params = grown(client, base, devices)
        more = " ".join(f"{k} {v}" for k, v in params.items() if base.get(k) != v)
        tap.check(f"{name}: {more}", ends_well, params)
    client.close()
    note(f"{time.monotonic() - begin:.0f} s")


def main():
    tap.check("a run works", works)
    test_runs()
    tap.check("nothing is left", clean)
    tap.check("a run works all the same", works)
    tap.check("unloads and loads", lambda: (unload(), load()) and None)
    seen = reports()
    tap.ok(not seen, f"reports seen: {len(seen)}", "\n".join(seen))
    note(f"runs: seed {SEED}: {COUNT} runs, {figures['refused']} parameters refused, "
         f"{figures['told']} ended with what a device lacks, {figures['again']} repeated")
    return tap.done()


sys.exit(main())
