#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Have every call or allocation that can fail, fail, once for each place where it is
made: an error in words, nothing left, and the next run works. Argument: "calls",
"allocations" (the N-th of a run, whichever it is) or "ways" (one for each way by which
the module comes to allocate something).

Recipes and verbs come from icbenchctl and the module, calls from the module's own
undefined symbols; tests/faults/calls says what a failure of them looks like.
"""

import errno
import json
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../vm/guest"))

# pylint: disable=wrong-import-position
from icb import (DEVICE, N, QUICK, Client, Refused, Tap, add_second, clean, left, load, note,
                 params_words, parse, reports, tool, unload, until, works)
from states import ADDRESS, DROPPED, MODES, keys

# how many calls of one function to fail, in one run each: all of them, or as many spread
# over all from the first to the last
DEPTH = int(os.environ.get("ICBENCH_FAULTS_DEPTH", "2"))
# these recipes only, with semicolons; "-" for none, but a run with a peer
ONLY = os.environ.get("ICBENCH_FAULTS_RECIPES", "")
FAIL_NTH = "/proc/thread-self/fail-nth"
DEBUGFS = "/sys/kernel/debug"

FAULT = "/sys/module/fault/parameters"

tap = Tap()
# pairs of a run, and a function of which a call failed in it
sites = set()
# what the kernel's log had that fails a machine
seen = []
figures = {"runs": 0, "hits": 0, "cut short": 0, "allocations": 0, "without words": 0,
           "spread": 0}


def calls():
    """The module's calls that can fail, and what they return then; those without a rule."""
    with open(os.path.join(HERE, "calls"), encoding="utf-8") as f:
        rules = [line.split() for line in f if line.strip() and line[0] != "#"]
    driver = DEVICE.rstrip("0123456789")
    names = set(tool("nm", "-u", os.environ["ICBENCH_KO"]).split()) - {"U"}
    names |= {f"{driver}_{call}" for call in ("post_send", "post_recv", "req_notify_cq")}
    found, unruled = {}, []
    for name in sorted(names):
        result = next((result for pattern, result in rules
                       if re.fullmatch(pattern.replace("DEVICE", driver), name)), None)
        if result is None:
            unruled.append(name)
        elif result != "-":
            found[name] = int(result)
    return found, unruled


def text_range():
    """Where the module's code is."""
    with open("/sys/module/icbench/sections/.text", encoding="ascii") as f:
        low = int(f.read(), 16)
    with open("/proc/modules", encoding="ascii") as f:
        size = next(int(line.split()[1]) for line in f if line.startswith("icbench "))
    return low, low + size


def attempt(words):
    """The effective parameters of the first point, or None, and why it is refused."""
    done = subprocess.run(["icbenchctl", "run", *words, "--json", "-"], check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        return None, done.stderr.strip()
    return json.loads(done.stdout)["points"][0]["parameters"], ""


# a busy host may stop a machine for more than a second
SHORT = ["-n", "4", "--warmup", "1", "--timeout", "3s"]


def accepted(words, devices):
    """The arguments of a run of these, with its point; or None, with why all such are
    refused. Some take one size, which they have themselves, or none, and some several
    devices."""
    whys = set()
    for more in ([], devices) if devices else ([],):
        for size in (["-s", "64"], ["-s", "8"], []):
            whole = [*words, *SHORT, *size, *more]
            done, why = attempt(whole)
            if done:
                return whole, done
            whys.add(why)
    return None, "; ".join(sorted(whys))


# why a recipe of "icbenchctl list" is not here
NOT_HERE = {}


def runs():
    """Every recipe, every verb with each loop that takes it, and every other word of a
    parameter, and several workers, with a ping-pong and a stream, as arguments."""
    found, seen = [], set()
    devices = ["-d", DEVICE, "-d", add_second()]
    recipes = [recipe["name"] for recipe in json.loads(tool("icbenchctl", "list", "--json"))]
    if QUICK or ONLY:
        return [accepted([recipe], devices)[0]
                for recipe in (ONLY.split(";") if ONLY else ("latency", "bandwidth"))
                if recipe != "-"]
    for recipe in recipes:
        # those of several devices have their verb
        whole, done = accepted([recipe], devices)
        if not tap.ok(bool(whole) != (recipe in NOT_HERE), f"{recipe}: runs, or is known not to",
                      done) or not whole:
            note(f"{recipe}: not here: {NOT_HERE.get(recipe, done)}")
            continue
        seen.add((done["trigger"], done["verb"]))
        found.append(whole)
        trigger = done["trigger"]
        for verb in verbs():
            if (trigger, verb) in seen:
                continue
            whole, done = accepted([recipe, "--verb", verb], [])
            if whole:
                seen.add((done["trigger"], done["verb"]))
                found.append(whole)
    options = [(key, word) for key, words in params_words().items() for word in words[1:]
               if key not in ("trigger", "verb")] + [("workers", "2"), ("qps", "2")]
    for recipe in ("latency", "bandwidth"):
        for key, word in options:
            whole, why = accepted([recipe, f"--{key}", word], devices)
            if whole:
                found.append(whole)
            else:
                named(f"{recipe} --{key} {word}", why, (key, word))
    return found


def named(what, why, words):
    """What is left out is refused for what it is."""
    tap.ok(any(word in why for word in words), f"{what}: refused with a reason that names it",
           why)
    note(f"{what}: left out: {why}")


def verbs():
    client = Client()
    names = set()
    for message in client.request(N["CMD_BENCH_GET"], flags=0x300):
        names |= {value for kind, value in parse(message) if kind == N["A_BENCH_VERB"]}
    client.close()
    numbers = {int.from_bytes(value, sys.byteorder) for value in names}
    return sorted(k[5:].lower().replace("_", "-") for k, v in N.items()
                  if k.startswith("VERB_") and v in numbers)


def run(words):
    return subprocess.run(["icbenchctl", "run", *words], check=False, timeout=120, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True)


def in_words(done):
    """What a run whose call failed may say."""
    if done.returncode == 0:
        return not done.stderr
    # the latter is said where the kernel gave but a number
    return done.returncode in (1, 3) and len(done.stderr.splitlines()) == 1 and \
        done.stderr.startswith("icbenchctl: ") and len(done.stderr) > 20 and \
        "the module refused: " not in done.stderr


def put(name, value):
    with open(f"{FAULT}/{name}", "w", encoding="ascii") as f:
        f.write(str(value))


def got(name):
    with open(f"{FAULT}/{name}", encoding="ascii") as f:
        return f.read().strip()


def insert_fault(functions=()):
    """Those that the kernel does not know are returned."""
    low, high = text_range()
    tool("insmod", os.path.join(os.environ["ICBENCH_WITH"], "fault.ko"), f"low={low}",
         f"high={high}")
    unknown = set()
    for function in functions:
        try:
            put("arm", f"{function} 0 0")
        except OSError:
            unknown.add(function)
    return unknown


def count_calls():
    return {name: int(count) for name, count in map(str.split, got("arm").splitlines())}


def calls_of(words, functions):
    """How often each function is called in a run that nothing fails."""
    put("arm", f"{next(iter(functions))} 0 0")
    done = run(words)
    if done.returncode or done.stderr:
        raise RuntimeError(f"status {done.returncode}: {done.stderr}")
    return {name: count for name, count in count_calls().items() if count}


def fail_one(function, result, nth, words):
    """Return: whether the call came."""
    put("arm", f"{function} {nth} {result}")
    before = int(got("taken"))
    done = run(words)
    came = count_calls()[function] >= nth
    put("arm", f"{function} 0 0")
    if came and int(got("taken")) != before + 1:
        raise RuntimeError(f"call {nth} came and did not fail")
    figures["runs"] += 1
    if came and not in_words(done):
        raise RuntimeError(f"call {nth}: status {done.returncode}: {done.stderr}")
    if not came and (done.returncode or done.stderr):
        raise RuntimeError(f"without a failure: status {done.returncode}: {done.stderr}")
    return came


def in_turn(count):
    """The numbers of the calls to fail, where COUNT were seen. That may differ: who is not
    spread over them goes on until a call does not come."""
    if count <= DEPTH:
        return range(1, 2 * DEPTH + 1)
    figures["spread"] += 1
    return sorted({1 + i * (count - 1) // max(DEPTH - 1, 1) for i in range(DEPTH)})


def fail_all(function, result, words, count):
    """Each call in its turn, until a run passes without a hit."""
    hits = 0
    for nth in in_turn(count):
        if fail_one(function, result, nth, words):
            hits += 1
        elif count <= DEPTH:
            break
    else:
        figures["cut short"] += count <= DEPTH
    figures["hits"] += hits
    if hits:
        sites.add((" ".join(words[:words.index("-n")]), function))
        clean()


def test_calls():
    found, unruled = calls()
    tap.ok(len(found) > 20, f"{len(found)} calls that can fail", found)
    tap.ok(not unruled, "tests/faults/calls has a rule for each that the module makes",
           " ".join(unruled))
    begin = time.monotonic()
    all_runs = runs()
    note(f"{len(all_runs)} runs to fail, found in {time.monotonic() - begin:.0f} s")
    unknown = insert_fault(found)
    tap.ok(not unknown, "the kernel knows each of them", unknown)
    for words in all_runs:
        name = " ".join(words[:words.index("-n")])
        before = figures["hits"]
        for function, count in sorted(calls_of(words, found).items()):
            tap.check(f"{name}: {function}", fail_all, function, found[function], words, count)
        tap.check(f"{name}: a new run works", works)
        note(f"{name}: {figures['hits'] - before} calls failed")
    tool("rmmod", "fault")
    note(f"recipes {len({w[0] for w in all_runs})}, with variants {len(all_runs)}, "
         f"functions {len(found)}, runs {figures['runs']}, sites failed {len(sites)}, "
         f"hits {figures['hits']}, called more than {DEPTH} times (ICBENCH_FAULTS_DEPTH), and "
         f"as many of all failed: {figures['spread']}")
    followed()


def followed():
    """As far as the make target is to."""
    note(f"not followed to the end: {figures['cut short']}")
    tap.ok(DEPTH < 100 or not figures["cut short"], "each is followed to its end",
           figures["cut short"])


class Injection:
    """The N-th allocation of this thread, and of each thread of the runs that it
    starts, fails."""

    PLENTY = 10**9

    def __init__(self, which):
        self.dir = f"{DEBUGFS}/{which}"

    def set(self, name, value):
        with open(f"{self.dir}/{name}", "w", encoding="ascii") as f:
            f.write(str(value))

    def hits(self):
        """How many have failed."""
        with open(f"{self.dir}/times", encoding="ascii") as f:
            return self.PLENTY - int(f.read())

    def __enter__(self):
        for name, value in (("ignore-gfp-wait", "N"), ("verbose", 0), ("probability", 0),
                            ("ignore-gfp-highmem", "N"), ("min-order", 0),
                            ("times", self.PLENTY)):
            if os.path.exists(f"{self.dir}/{name}"):
                self.set(name, value)
        return self

    def __exit__(self, *_):
        self.set("ignore-gfp-wait", "Y")


def arm(nth):
    # what is not seekable cannot be buffered for both
    with open(FAIL_NTH, "wb", buffering=0) as f:
        f.write(str(nth).encode())


class Armed:
    """While it lasts, the N-th allocation is to fail; none of them for 0."""

    def __init__(self, nth):
        self.nth = nth

    def __enter__(self):
        arm(self.nth)

    def __exit__(self, *_):
        arm(0)


MEMORY = (errno.ENOMEM, errno.ENOBUFS)


def refused(error):
    """Refusals are welcome, but only for a lack of memory, or with the reason of one; and
    in words, but for those of netlink itself, before it asks the module. Return: how many
    those are."""
    if error.errno not in (*MEMORY, errno.EINVAL, errno.EAGAIN):
        raise error
    if error.text:
        return 0
    if error.errno not in MEMORY:
        raise RuntimeError(f"refused without words: {error}")
    return 1


def life(params, begin=0, stop=0, delete=0):
    """One run from create to delete, with a failure in one of these. Return: how it
    ended."""
    client = Client()
    outcome = None
    try:
        with Armed(begin):
            job = client.new(**params)
            client.start(job)
        if stop:
            with Armed(stop):
                client.stop(job)
        if not until(30, lambda: client.get(job).state == N["JOB_STATE_FINISHED"]):
            raise RuntimeError(f"does not end: {client.get(job)}")
        found = client.get(job)
        outcome = found.outcome
        if outcome == N["OUTCOME_FAILED"] and not found.reason:
            raise RuntimeError(f"no reason: {found}")
        with Armed(delete):
            client.delete(job)
    except Refused as error:
        figures["without words"] += refused(error)
    except OSError as error:
        if error.errno not in MEMORY:
            raise
    finally:
        client.close()
    return outcome


def forget_log():
    """A long one is long to read."""
    seen.extend(reports())
    tool("dmesg", "--clear")


# Runs in a row that nothing failed in, and allocations, that end a series. Other
# threads' allocations come in between those of a run: one miss is not the end.
MISSES, MOST = 3, 2000
# how much netlink itself, which has no words, allocates for a request
NETLINK_ITSELF = 2


def fail_allocations(injection, what, params):
    misses = nth = hits = 0
    wordless = figures["without words"]
    while misses < MISSES and nth < MOST:
        nth += 1
        before = injection.hits()
        try:
            outcome = life(params, **{what: nth})
        except (Refused, RuntimeError, OSError) as error:
            raise RuntimeError(f"allocation {nth}: {type(error).__name__}: {error}") from error
        failed = injection.hits() - before
        if failed:
            hits += 1
            misses = 0
        else:
            misses += 1
            if what != "stop" and outcome != N["OUTCOME_COMPLETE"]:
                raise RuntimeError(f"allocation {nth}: without a failure: outcome {outcome}")
        if nth % 50 == 0:
            forget_log()
    figures["allocations"] += hits
    clean()
    works()
    forget_log()
    wordless = figures["without words"] - wordless
    if wordless > NETLINK_ITSELF * (2 if what == "begin" else 1):
        raise RuntimeError(f"{wordless} refusals without words")
    if what == "begin" and hits < 20:
        raise RuntimeError(f"only {hits} of {nth} allocations")
    if nth == MOST:
        figures["cut short"] += 1


def test_allocations():
    if not os.path.exists(FAIL_NTH):
        note("this kernel fails no allocations")
        return
    modes = dict(list(MODES.items())[:2]) if QUICK else MODES
    for which in ("failslab", "fail_page_alloc"):
        for name, mode in modes.items():
            params = keys({"timeout": 2 * 10**9} | mode | {"iterations": 3, "warmup": 1})
            begin, before = time.monotonic(), figures["allocations"]
            with Injection(which) as injection:
                for what in ("begin", "stop", "delete"):
                    tap.check(f"{which}: {name}: {what}", fail_allocations, injection, what,
                              params)
            note(f"{which}: {name}: {figures['allocations'] - before} allocations failed, "
                 f"{time.monotonic() - begin:.0f} s")
    note(f"modes {len(modes)}, allocations failed {figures['allocations']}, refused without "
         f"words by netlink itself {figures['without words']}")
    followed()
    for name, why in DROPPED.items():
        named(name, why, name.replace(",", "").split())


def one_way(each, go):
    """Have the first allocation fail that comes by a way of which fewer than EACH have.
    Return: whether one has, and where."""
    before = int(got("taken"))
    put("ways", each)
    try:
        go()
    except (Refused, RuntimeError, OSError) as error:
        put("ways", 0)
        raise RuntimeError(f"{got('ways')}: {type(error).__name__}: {error}") from error
    figures["runs"] += 1
    # nothing is under way any more
    put("ways", 0)
    return int(got("taken")) != before


def fail_ways(each, go):
    """... one after another, until none of them is new."""
    hits = 0
    while one_way(each, go):
        hits += 1
        if hits % 50 == 0:
            note(f"{hits}: {got('ways')}")
            forget_log()
        if hits == MOST:
            raise RuntimeError(f"there is always a new way: {got('ways')}")
    figures["allocations"] += hits
    clean()
    works()
    forget_log()


def run_in_words(words):
    done = run(words)
    if not in_words(done):
        raise RuntimeError(f"status {done.returncode}: {done.stderr}")


TOKEN = b"of the tests of faults"


def pair_life(params):
    """A listener's and a run's with it, from create to delete; each refusal in words."""
    server, client = Client(), Client()
    try:
        listener = server.listen(18515, token=TOKEN)
        job = client.new(peer=ADDRESS, token=TOKEN, **params)
        client.start(job)
        if not until(30, lambda: client.get(job).state == N["JOB_STATE_FINISHED"]):
            raise RuntimeError(f"does not end: {client.get(job)}")
        found = client.get(job)
        if found.outcome != N["OUTCOME_COMPLETE"] and not found.reason:
            raise RuntimeError(f"no reason: {found}")
        client.samples(job)
        client.delete(job)
        server.listeners()
        server.unlisten(listener)
    except Refused as error:
        # netlink's own allocations are not the module's, and do not fail here
        if refused(error):
            raise
    except OSError as error:
        if error.errno not in MEMORY:
            raise
    finally:
        client.close()
        server.close()
        until(10, lambda: not left())


def test_ways():
    insert_fault()
    if not asked():
        return note("this kernel fails no allocations")
    each = 1 if QUICK else min(DEPTH, 2)
    modes = {"poll": {}} if QUICK else {"poll": {}, "write": {"verb": "write"}, "qps": {"qps": 3}}
    for name, mode in modes.items():
        params = keys({"timeout": 2 * 10**9} | mode | {"iterations": 3, "warmup": 1})
        series(f"{name}, with a peer", each, lambda params=params: pair_life(params))
    all_runs = runs()
    for words in all_runs:
        series(" ".join(words[:words.index("-n")]), each,
               lambda words=words: run_in_words(words))
    tool("rmmod", "fault")
    note(f"recipes {len({w[0] for w in all_runs})}, with variants {len(all_runs)}, runs "
         f"{figures['runs']}, allocations failed {figures['allocations']}")


def series(name, each, go):
    begin, before = time.monotonic(), figures["allocations"]
    tap.check(name, fail_ways, each, go)
    note(f"{name}: {figures['allocations'] - before} allocations failed, "
         f"{time.monotonic() - begin:.0f} s; ways known, further such, last: {got('ways')}")


def asked():
    """Whether the kernel asks at each allocation if it is to fail."""
    put("ways", 1)
    try:
        works()
    except (Refused, RuntimeError, OSError):
        pass
    put("ways", 0)
    return int(got("taken")) > 0


PARTS = {"calls": test_calls, "allocations": test_allocations, "ways": test_ways}


def main():
    PARTS[sys.argv[1]]()
    tap.check("nothing is left", clean)
    tap.check("loads and unloads", lambda: (unload(), load()) and None)
    seen.extend(reports())
    tap.ok(not seen, f"reports seen: {len(seen)}", "\n".join(seen))
    return tap.done()


sys.exit(main())
