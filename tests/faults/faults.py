#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Fail each call or allocation of the module that can fail, once for each place where it is
made. Each failure must give an error in words and leave nothing, and the next run must work.
The argument is one of:

calls        the module's calls
allocations  the N-th allocation of a run, or of loading the module, by the module or not
recipes      the N-th allocation of a run of each recipe
ways         one allocation for each call path by which the module allocates

icbenchctl and the module list the recipes and verbs; the module's undefined symbols are the
calls. tests/faults/calls describes what a failed call looks like, and tests/faults/harmless
lists the failures that need not be reported.
"""

import collections
import errno
import itertools
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../vm/guest"))

# pylint: disable=wrong-import-position
from icb import (DEVICE, N, QUICK, Client, Refused, Tap, add_second, attr, clean, left, load,
                 note, params_words, parse, reports, tool, unload, until, works)
from recipes import accepted, kind, names, of_run
from states import (ADDRESS, DROPPED, FINISHED, MEASURING, MODES, STOPPED, keys, measuring,
                    why_not)

# How many calls of one function to fail, one in each run. If a function has more calls, they are
# spread over all calls, from the first to the last.
DEPTH = int(os.environ["ICBENCH_FAULTS_DEPTH"])
# recipes to test, separated by semicolons; "-" for no recipe, only a run with a peer
ONLY = os.environ.get("ICBENCH_FAULTS_RECIPES", "")
# M/N: this machine takes every N-th run of its part, from the M-th on.
SHARE = os.environ.get("ICBENCH_FAULTS_SHARE", "1/1")
if not re.fullmatch("[1-9][0-9]*/[1-9][0-9]*", SHARE):
    sys.exit(f"ICBENCH_FAULTS_SHARE is M/N, such as 1/8, not '{SHARE}'")
MINE, SHARES = map(int, SHARE.split("/"))
if MINE > SHARES:
    sys.exit(f"ICBENCH_FAULTS_SHARE: there is no share {SHARE}; the last one is {SHARES}/{SHARES}")
COMPLETE = N["OUTCOME_COMPLETE"]
FAIL_NTH = "/proc/thread-self/fail-nth"
DEBUGFS = "/sys/kernel/debug"

FAULT = "/sys/module/fault/parameters"

tap = Tap()
# pairs of a run and a function of which a call failed in this run
sites = set()
# reports in the kernel's log that fail a machine
seen = []
# Failures that were not reported: the function that failed, its caller in the module and the
# caller of that; for each place in "chains" the kernel functions between, of one failure.
passed = collections.Counter()
chains = {}
figures = {"runs": 0, "hits": 0, "cut short": 0, "allocations": 0, "without words": 0,
           "spread": 0, "held": 0, "missed": 0, "looks": 0, "unseen": 0}


def mine(what):
    """Return: the share of this list that this machine tests."""
    return list(what)[MINE - 1::SHARES]


def driver():
    return DEVICE.rstrip("0123456789")


# devices whose function that posts a receive has another name
RECEIVE = {"siw": "post_receive"}


def calls():
    """Return: the module's calls that can fail, with the result of a failure; and the calls that
    have no rule."""
    with open(os.path.join(HERE, "calls"), encoding="utf-8") as f:
        rules = [line.split() for line in f if line.strip() and line[0] != "#"]
    names = set(tool("nm", "-u", os.environ["ICBENCH_KO"]).split()) - {"U"}
    names |= {f"{driver()}_{call}" for call in ("post_send", RECEIVE.get(driver(), "post_recv"),
                                                "poll_cq", "req_notify_cq")}
    found, unruled = {}, []
    for name in sorted(names):
        result = next((result for pattern, result in rules
                       if re.fullmatch(pattern.replace("DEVICE", driver()), name)), None)
        if result is None:
            unruled.append(name)
        elif result != "-":
            found[name] = int(result)
    return found, unruled


def text_range():
    """Return: the address range of the module's code."""
    with open("/sys/module/icbench/sections/.text", encoding="ascii") as f:
        low = int(f.read(), 16)
    with open("/proc/modules", encoding="ascii") as f:
        size = next(int(line.split()[1]) for line in f if line.startswith("icbench "))
    return low, low + size


# recipes of "icbenchctl list" that do not run here, and the reason
NOT_HERE = {}


def recipes_asked():
    """Return: names of the recipes to test."""
    recipes = names()
    for recipe in filter(None, ONLY.split(";")):
        if recipe not in (*recipes, "-"):
            sys.exit(f"ICBENCH_FAULTS_RECIPES: no {recipe}; accepted: - for none; "
                     f"{'; '.join(recipes)}")
    if ONLY:
        return [recipe for recipe in ONLY.split(";") if recipe not in ("", "-")]
    return ["latency", "bandwidth"] if QUICK else recipes


def of_recipes(recipes, devices):
    """Yield the arguments of a run of each recipe, and its points."""
    for recipe in recipes:
        whole, points = accepted([recipe], devices)
        if tap.ok(bool(whole) != (recipe in NOT_HERE), f"{recipe}: runs, or is known not to",
                  points) and whole:
            yield whole, points
        else:
            note(f"{recipe}: not here: {NOT_HERE.get(recipe, points)}")


def runs():
    """Return: arguments of the runs: every recipe, every verb with each loop that accepts it,
    every other word of a parameter, and several workers and QPs, with a ping-pong and a stream."""
    found, seen = [], set()
    devices = ["-d", DEVICE, "-d", add_second()]
    for whole, points in of_recipes(recipes_asked(), devices):
        found.append(whole)
        seen.add(kind(points))
        if QUICK or ONLY:
            continue
        for verb in verbs():
            if (kind(points)[0], verb) in seen:
                continue
            # a recipe for several devices sets its own verb
            other, of_verb = accepted([whole[0], "--verb", verb], [])
            if other:
                seen.add(kind(of_verb))
                found.append(other)
    if QUICK or ONLY:
        return found
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
    """A combination that is left out is refused with a reason that names it."""
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
    done = subprocess.run(["icbenchctl", "run", *words], check=False, timeout=120, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True)
    # a run of more than 10 s reports its progress
    done.stderr = "".join(line for line in done.stderr.splitlines(keepends=True)
                          if not line.startswith("icbenchctl: progress: "))
    return done


def in_words(done):
    """Return: whether a run in which a call failed reports this in an accepted way."""
    if done.returncode == 0:
        return not done.stderr
    # icbenchctl prints "the module refused" if the kernel returned only a number
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
    """Insert fault.ko. Return: the functions that this kernel does not have."""
    low, high = text_range()
    tool("insmod", os.path.join(os.environ["ICBENCH_WITH"], "fault.ko"), f"low={low}",
         f"high={high}", "outs=" + ",".join(row[1] for row in harmless() if row[0] == "below"))
    unknown = set()
    for function in functions:
        try:
            put("arm", f"{function} 0 0")
        except OSError:
            unknown.add(function)
    return unknown


# prefixes of kernel functions that the compiler may inline into the module
INLINE = ("ib_", "rdma_", "nlmsg_", "genlmsg_", "nla_", "alloc_", "kv", "kz")


def places():
    """Return: where something has failed since forget_places(): the function that failed, the
    module's function that called it, and the caller of that. Failures that no function of the
    module's own caused are not included."""
    count, *lines = got("failed").splitlines()
    if int(count) > len(lines):
        raise RuntimeError(f"{count} failures, more than can be told from one another")
    found = []
    for line in lines:
        callee, *callers = (re.match(r"[^ .]+", name)[0] for name in line.split(" < "))
        callers = [name for name in callers if not name.startswith(INLINE)]
        if callers:
            found.append((callee, *(callers + ["-"])[:2]))
    return found


def forget_places():
    put("failed", 0)


def pass_over(stopped=False):
    """Record failures after which all went well, or that a stopped run did not report."""
    found = places()
    passed.update((stopped, place) for place in found)
    if found:
        chains.setdefault(found[-1], " < ".join(got("chain").splitlines()))


def harmless():
    with open(os.path.join(HERE, "harmless"), encoding="utf-8") as f:
        return [line.replace("DEVICE", driver()).split() for line in f
                if line.strip() and line[0] != "#"]


def test_passed():
    """Each failure is reported, unless it changes nothing for the user."""
    rules = [row for row in harmless() if row[0] not in ("below", "inside", "stopped")]
    later = [row[1:] for row in harmless() if row[0] == "stopped"]
    # one run of this script fails either calls or allocations
    if sys.argv[1] != "calls":
        rules += [row[1:] for row in harmless() if row[0] == "inside"]
    unknown = []
    for (stopped, place), count in sorted(passed.items()):
        words = f"{' < '.join(place)}: {count}{', stopped' if stopped else ''}"
        note(f"passed over: {words}")
        if not any(all(map(re.fullmatch, rule, place))
                   for rule in (rules + later if stopped else rules)):
            unknown.append(f"{words}, by {chains.get(place, '') or 'itself'}")
    tap.ok(not unknown, "each failure is told, but for those in tests/faults/harmless",
           "\n".join(unknown))


def held():
    """Return: pages that the module has allocated directly and holds, and how many page calls,
    of any caller, the probes missed."""
    return tuple(map(int, got("pages").split()))


def pages_back():
    """All pages are freed. Leak detectors do not track pages."""
    before, missed = figures["held"], figures["missed"]
    back = until(1, lambda: held()[0] == before)
    figures["held"], figures["missed"] = held()
    figures["looks"] += 1
    if back:
        return
    # A call that interrupted a probe was missed, and might have been the module's. Fewer pages
    # than before mean that an allocation was missed, which is no leak.
    if figures["missed"] != missed or figures["held"] < before:
        figures["unseen"] += 1
        return
    raise RuntimeError(f"{figures['held'] - before} pages are not given back")


def test_looks():
    note(f"pages: looked for {figures['looks']} times, of which {figures['unseen']} tell nothing")
    tap.ok(figures["unseen"] <= figures["looks"] // 20, "pages are seen to come and go")


def test_pages():
    """The pages of a run are counted, and are freed."""
    client = Client()
    job = client.new(**keys(measuring({})[1]))
    client.start(job)
    tap.ok(until(30, lambda: client.get(job).state == MEASURING) and
           held()[0] > figures["held"], "the pages of a run are seen", held())
    client.delete(job)
    client.close()
    tap.check("... and come back", pages_back)


def count_calls():
    return {name: int(count) for name, count in map(str.split, got("arm").splitlines())}


def calls_of(words, functions):
    """Return: how often each function is called in a run without a failure. On a busy host one
    run may end by its timeout, but not three."""
    for _ in range(3):
        put("arm", f"{next(iter(functions))} 0 0")
        done = run(words)
        if not done.returncode and not done.stderr:
            break
    else:
        raise RuntimeError(f"status {done.returncode}: {done.stderr}")
    return {name: count for name, count in count_calls().items() if count}


def fail_one(function, result, nth, words):
    """Return: whether the run made the N-th call."""
    put("arm", f"{function} {nth} {result}")
    forget_places()
    before = int(got("taken"))
    done = run(words)
    came = count_calls()[function] >= nth
    put("arm", f"{function} 0 0")
    if came and int(got("taken")) != before + 1:
        raise RuntimeError(f"call {nth} came and did not fail")
    figures["runs"] += 1
    if came and not in_words(done):
        raise RuntimeError(f"call {nth}: status {done.returncode}: {done.stderr}")
    if not done.returncode:
        pass_over()
    pages_back()
    if not came and (done.returncode or done.stderr):
        raise RuntimeError(f"without a failure: status {done.returncode}: {done.stderr}")
    return came


def in_turn(count):
    """Return: numbers of the calls to fail, after COUNT calls were counted. A run may make more
    or fewer: unless the numbers are spread, the caller continues until a call does not happen."""
    if count <= DEPTH:
        return range(1, 2 * DEPTH + 1)
    figures["spread"] += 1
    return sorted({1 + i * (count - 1) // max(DEPTH - 1, 1) for i in range(DEPTH)})


def fail_all(function, result, words, count):
    """Fail each call in turn, until a run passes without a failure."""
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
    test_pages()
    for words in mine(all_runs):
        name = " ".join(words[:words.index("-n")])
        before = figures["hits"]
        try:
            counts = calls_of(words, found)
        except RuntimeError as error:
            tap.ok(False, f"{name}: its calls are counted", error)
            continue
        for function, count in sorted(counts.items()):
            tap.check(f"{name}: {function}", fail_all, function, found[function], words, count)
        tap.check(f"{name}: a new run works", works)
        note(f"{name}: {figures['hits'] - before} calls failed")
    if MINE == 1:
        test_devices(found)
    tool("rmmod", "fault")
    note(f"recipes {len({w[0] for w in mine(all_runs)})}, with variants {len(mine(all_runs))}, "
         f"functions {len(found)}, runs {figures['runs']}, sites failed {len(sites)}, "
         f"hits {figures['hits']}, called more than {DEPTH} times (ICBENCH_FAULTS_DEPTH), and "
         f"as many of all failed: {figures['spread']}")
    followed()


def ask_device():
    """Ask for one device, as icbenchctl devices does."""
    client = Client()
    try:
        client.request(N["CMD_DEV_GET"], attr(N["A_DEV_NAME"], DEVICE.encode() + b"\0"))
    finally:
        client.close()


def fail_device(function, result, nth):
    """Return: whether the request made the N-th call."""
    put("arm", f"{function} {nth} {result}")
    forget_places()
    try:
        ask_device()
    except Refused as error:
        if not error.text:
            raise RuntimeError(f"call {nth}: without words: {error}") from error
    else:
        pass_over()
    came = count_calls()[function] >= nth
    put("arm", f"{function} 0 0")
    pages_back()
    return came


def test_devices(functions):
    """Fail each of the calls that a request for a device makes."""
    put("arm", f"{next(iter(functions))} 0 0")
    ask_device()
    counts = {name: count for name, count in count_calls().items() if count}
    tap.ok("ib_query_port" in counts, "dev-get: asks the device", counts)
    for function, count in sorted(counts.items()):
        tap.check(f"dev-get: {function}", lambda f=function, c=count: all(
            fail_device(f, functions[f], nth) for nth in range(1, min(c, DEPTH) + 1)))
    clean()


def followed():
    """No series was cut off before its end."""
    note(f"not followed to the end: {figures['cut short']}")
    # of calls, only DEPTH are tested
    tap.ok(sys.argv[1] == "calls" and DEPTH < 100 or not figures["cut short"],
           "each is followed to its end", figures["cut short"])


KINDS = ("failslab", "fail_page_alloc")


class Injection:
    """The N-th allocation of this thread, and of each thread of the runs that it starts,
    fails."""

    PLENTY = 10**9

    def __init__(self, which):
        self.which = which
        self.dir = f"{DEBUGFS}/{which}"

    def set(self, name, value):
        with open(f"{self.dir}/{name}", "w", encoding="ascii") as f:
            f.write(str(value))

    def hits(self):
        """Return: how many allocations have failed, of both kinds. An allocation that cannot
        wait is not exempt, and one of the other kind fails, too."""
        count = 0
        for which in KINDS:
            with open(f"{DEBUGFS}/{which}/times", encoding="ascii") as f:
                count += self.PLENTY - int(f.read())
        return count

    def __enter__(self):
        for which in KINDS:
            with open(f"{DEBUGFS}/{which}/times", "w", encoding="ascii") as f:
                f.write(str(self.PLENTY))
        for name, value in (("ignore-gfp-wait", "N"), ("verbose", 0), ("probability", 0),
                            ("ignore-gfp-highmem", "N"), ("min-order", 0)):
            if os.path.exists(f"{self.dir}/{name}"):
                self.set(name, value)
        return self

    def __exit__(self, *_):
        self.set("ignore-gfp-wait", "Y")


def arm(nth, where):
    # unbuffered: the file is not seekable, and Python buffers only seekable files for update
    with open(where, "wb", buffering=0) as f:
        f.write(str(nth).encode())


def run_threads():
    """Return: thread numbers of the runs."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm", encoding="utf-8") as f:
                if f.read().startswith("icbench/"):
                    found.append(int(pid))
        except OSError:
            pass
    return found


def arm_runs(nth):
    """Arm the N-th allocation from now on of each thread of all runs to fail. Return: how many
    threads there are."""
    found = run_threads()
    for tid in found:
        try:
            arm(nth, f"/proc/{tid}/task/{tid}/fail-nth")
        except (FileNotFoundError, ProcessLookupError):
            pass	# a failure in another thread has ended this one
    return len(found)


class Armed:
    """Context in which the N-th allocation of this thread fails; none fails for 0."""

    def __init__(self, nth):
        self.nth = nth
        self.file = None

    def __enter__(self):
        # Open the file before it is armed and close it after: the open allocates, too.
        # pylint: disable-next=consider-using-with
        self.file = open(FAIL_NTH, "wb", buffering=0)
        self.file.write(str(self.nth).encode())

    def __exit__(self, *_):
        self.file.write(b"0")
        self.file.close()


MEMORY = (errno.ENOMEM, errno.ENOBUFS)


def refused(error):
    """Check a refusal: it has to be for a lack of memory, or carry the reason of one. It has to
    be in words, unless netlink itself refuses before it calls the module. Return: 1 for a
    refusal without words, else 0."""
    if error.errno not in (*MEMORY, errno.EINVAL, errno.EAGAIN):
        raise error
    if error.text:
        return 0
    if error.errno not in MEMORY:
        raise RuntimeError(f"refused without words: {error}")
    return 1


def none_made(client, listeners=0, known=()):
    """A refused job or listener does not exist. KNOWN jobs and LISTENERS listeners may exist."""
    jobs = [job for job in client.jobs() if job.role == N["ROLE_INITIATOR"] and
            job.id not in known]
    more = len(client.listeners()) - listeners
    if jobs or more:
        raise RuntimeError(f"was refused, and is there: {' '.join(map(str, jobs))}; {more} "
                           "listeners")


# a new group for each run: a run that is still being taken down may have the same socket number
groups = itertools.count(1)


def make(client, params, jobs):
    """Append the jobs of a run to JOBS, one for each worker."""
    workers = params.get("workers", 1)
    group = next(groups) if workers > 1 else 0
    for _ in range(workers):
        jobs.append(client.new(group=group, **params))


def all_ended(client, jobs):
    """Return: the outcome of a run; FAILED if one of several workers has failed."""
    outcomes = [ended(client, job) for job in jobs]
    return min(outcomes, key=lambda outcome: (outcome != N["OUTCOME_FAILED"], outcome == COMPLETE))


# jobs of the last attempt, as text
said = []


def ended(client, job):
    """Wait for the end of a job, which gives a reason if it failed. Return: the outcome."""
    if not until(30, lambda: client.get(job).state == FINISHED):
        raise RuntimeError(f"does not end: {client.get(job)}")
    found = client.get(job)
    if found.outcome == N["OUTCOME_FAILED"] and not found.reason:
        raise RuntimeError(f"no reason: {found}")
    said.append(str(found))
    return found.outcome


def life(params, begin=0, stop=0, delete=0):
    """One run from create to delete. The arguments say which allocation of which request fails.
    Return: the outcome, if there is one."""
    client = Client()
    jobs, outcome = [], None
    try:
        with Armed(begin):
            make(client, params, jobs)
            for job in jobs:
                client.start(job)
        if stop:
            with Armed(stop):
                for job in jobs:
                    client.stop(job)
        outcome = all_ended(client, jobs)
        with Armed(delete):
            for job in jobs:
                client.delete(job)
    except Refused as error:
        figures["without words"] += refused(error)
        if len(jobs) < params.get("workers", 1):
            none_made(client, known=jobs)
    except OSError as error:
        if error.errno not in MEMORY:
            raise
    finally:
        client.close()
    return outcome


def cut_off(params, nth, how):
    """Stop or delete a run while it measures; each of its threads has a failure from then on.
    Return: the outcome, if the job still exists to report it."""
    client = Client()
    jobs, outcome = [], None
    try:
        make(client, params, jobs)
        for job in jobs:
            client.start(job)
        if not until(60, lambda: all(client.get(job).state == MEASURING for job in jobs)):
            raise RuntimeError(f"does not get to measure: {' '.join(map(str, client.jobs()))}")
        if not arm_runs(nth):
            raise RuntimeError(f"has no thread: {' '.join(map(str, client.jobs()))}")
        if how == "stop":
            client.stop(jobs[0])
            outcome = all_ended(client, jobs)
        for job in jobs:
            client.delete(job)
    finally:
        client.close()
    if not until(30, lambda: not run_threads()):
        raise RuntimeError("its threads stay")
    return outcome


# Timeout of an endless run, ns. A slow kernel may be unresponsive for 2 s, which is the timeout
# of the runs that end by themselves.
PATIENCE = 10**10

# number of allocations to fail in a run that allocates for as long as it measures
ALWAYS = 50


def allocates(injection, params):
    """Return: whether a run's threads allocate while they measure, so that no allocation is the
    last."""
    client, jobs = Client(), []
    make(client, params, jobs)
    for job in jobs:
        client.start(job)
    until(60, lambda: all(client.get(job).state == MEASURING for job in jobs))
    before = injection.hits()
    arm_runs(ALWAYS)
    found = until(0.2, lambda: injection.hits() > before)
    client.close()
    clean()
    return found


def listens(nth):
    """Make a listener with a failure. Return: True if it was made and removed, else None."""
    client = Client()
    try:
        with Armed(nth):
            listener = client.listen(18515)
        if len(client.listeners()) != 1:
            raise RuntimeError("was made, and is not there")
        client.unlisten(listener)
        none_made(client)
        return True
    except Refused as error:
        figures["without words"] += refused(error)
        none_made(client)
    except OSError as error:
        if error.errno not in MEMORY:
            raise
    finally:
        client.close()
    return None


def forget_log():
    """Save the reports and clear the kernel's log, because a long log takes long to read."""
    seen.extend(reports())
    tool("dmesg", "--clear")


# A series ends after this many runs in a row without a failure, or this many allocations. Other
# threads allocate between the allocations of a run, so that one run without a failure is not the
# end.
MISSES, MOST = 3, 2000
# number of allocations of netlink itself for a request; netlink refuses without words
NETLINK_ITSELF = 2


def fail_allocations(injection, what, go, least, *outcomes, most=MOST):
    """Fail each allocation in turn, until none is left. GO(N) is a run with a failure of the
    N-th allocation; a run without a failure has one of OUTCOMES."""
    misses = nth = hits = 0
    wordless = figures["without words"]
    while misses < MISSES and nth < most:
        nth += 1
        before = injection.hits()
        forget_places()
        said.clear()
        try:
            outcome = go(nth)
            pages_back()
        except (Refused, RuntimeError, OSError) as error:
            raise RuntimeError(f"allocation {nth}: {type(error).__name__}: {error} "
                               f"{places()}") from error
        failed = injection.hits() - before
        if failed and outcome in outcomes and outcome is not None:
            pass_over(outcome == STOPPED)
        if failed:
            hits += 1
            misses = 0
        else:
            misses += 1
            if outcome not in outcomes:
                raise RuntimeError(f"allocation {nth}: without a failure: outcome {outcome}: "
                                   f"{'; '.join(said)}")
        if nth % 50 == 0:
            forget_log()
    figures["allocations"] += hits
    note(f"{what}: {hits} allocations to fail")
    clean()
    works()
    forget_log()
    wordless = figures["without words"] - wordless
    # a case makes two requests at most in which netlink can fail
    if wordless > 2 * NETLINK_ITSELF:
        raise RuntimeError(f"{wordless} refusals without words")
    if hits < least:
        raise RuntimeError(f"only {hits} of {nth} allocations")
    if misses < MISSES and most == MOST:
        figures["cut short"] += 1


def test_mode(injection, name, mode):
    """Fail each allocation from a run's creation to its deletion, and after a stop or delete
    while it measures."""
    begun, before = time.monotonic(), figures["allocations"]
    short = keys({"timeout": 2 * 10**9} | mode | {"iterations": 3, "warmup": 1})
    # "until" is removed: it would let the endless run end by itself
    endless = {k: v for k, v in mode.items() if k != "until"}
    endless = keys(measuring(endless)[1] | {"timeout": PATIENCE})
    most = MOST
    if allocates(injection, endless):
        most = 2 * ALWAYS
        note(f"{injection.which}: {name}: allocates as it measures: stop and delete with {most}")
    # the allocations of netlink, and the message that ends a connection
    some = injection.which == "failslab"
    for what, least, outcomes, go, most in (
            ("begin", 20 if connects(mode) else some, (COMPLETE,),
             lambda nth: life(short, begin=nth), MOST),
            ("request to stop", some, (COMPLETE, STOPPED), lambda nth: life(short, stop=nth),
             MOST),
            ("request to delete", some, (COMPLETE,), lambda nth: life(short, delete=nth), MOST),
            ("stop", some and connects(mode), (STOPPED,),
             lambda nth: cut_off(endless, nth, "stop"), most),
            ("delete", some and connects(mode), (None,),
             lambda nth: cut_off(endless, nth, "delete"), most)):
        whole = f"{injection.which}: {name}: {what}"
        tap.check(whole, fail_allocations, injection, whole, go, least, *outcomes, most=most)
    note(f"{injection.which}: {name}: {figures['allocations'] - before} allocations failed, "
         f"{time.monotonic() - begun:.0f} s")


def connects(mode):
    """Return: whether the run makes a connection; only the verb floor makes none."""
    return mode.get("verb") != "floor"


def fails_none():
    """A kernel that has failslab is expected to inject failures, so this kernel has none."""
    tap.ok(not os.path.exists("/sys/kernel/debug/failslab"), "this kernel fails no allocations")


# modes that tests/chaos does not have: several jobs, and a run that may end by itself
FURTHER = {"two workers": {"workers": 2}, "until": {"until": 1}, "threshold": {"threshold": 10**12}}


def test_allocations():
    if not os.path.exists(FAIL_NTH):
        return fails_none()
    insert_fault()
    test_pages()
    modes = mine(list(MODES.items())[:2] if QUICK else (MODES | FURTHER).items())
    for which in KINDS:
        with Injection(which) as injection:
            if MINE == 1:
                whole = f"{which}: listener"
                tap.check(whole, fail_allocations, injection, whole, listens,
                          1 if which == "failslab" else 0, True)
            for name, mode in modes:
                test_mode(injection, name, mode)
    tool("rmmod", "fault")
    note(f"modes {len(modes)}, allocations failed {figures['allocations']}, refused without "
         f"words by netlink itself {figures['without words']}")
    if MINE == 1:
        test_loading()
    followed()
    for name, why in DROPPED.items():
        named(name, why, name.replace(",", "").split())


def test_recipes():
    if not os.path.exists(FAIL_NTH):
        return fails_none()
    insert_fault()
    test_pages()
    devices, count = [DEVICE, add_second()], 0
    words = ["-d", devices[0], "-d", devices[1]]
    for whole, points in list(of_recipes(mine(recipes_asked()), words)):
        for (trigger, verb), params in of_run(whole, points, devices).items():
            name = f"{whole[0]}, {trigger}, {verb}"
            if not tap.ok(not why_not(measuring(params)[1]), f"{name}: is what netlink takes",
                          f"{params}: {why_not(measuring(params)[1])}"):
                continue
            count += 1
            for which in KINDS:
                with Injection(which) as injection:
                    test_mode(injection, name, params)
    tool("rmmod", "fault")
    note(f"runs of recipes {count}, allocations failed {figures['allocations']}, refused without "
         f"words by netlink itself {figures['without words']}")
    followed()


def has_family():
    try:
        Client().close()
    except Refused as error:
        if error.errno == errno.ENOENT:
            return False
        raise
    return True


def loads(nth):
    """Load the module with a failure of the N-th allocation. Return: whether it was loaded; if
    not, nothing of it is left."""
    try:
        with Armed(nth):
            load()
    except RuntimeError as error:
        if os.strerror(errno.ENOMEM) not in str(error):
            raise
        if os.path.exists("/sys/module/icbench") or has_family():
            raise RuntimeError("does not load, and something of it is there") from error
        return False
    client = Client()
    client.jobs()
    client.close()
    unload()
    return True


def fail_loading(injection):
    misses = nth = hits = loaded = 0
    while misses < MISSES and nth < MOST:
        nth += 1
        before = injection.hits()
        did = loads(nth)
        failed = injection.hits() - before
        misses = 0 if failed else misses + 1
        hits += failed
        loaded += did and failed
        if not failed and not did:
            raise RuntimeError(f"allocation {nth}: does not load, without a failure")
        if nth % 50 == 0:
            forget_log()
    figures["allocations"] += hits
    note(f"{injection.which}: loading: {hits} allocations failed, with {loaded} of which it "
         "loads all the same")
    if nth == MOST:
        figures["cut short"] += 1
    # icb_init() alone has as many steps that can fail
    if hits - loaded < 5:
        raise RuntimeError(f"only {hits - loaded} of {nth} loads failed")
    load()
    works()
    unload()


def test_loading():
    unload()
    # load it once before, so that files are cached
    load()
    unload()
    for which in KINDS:
        with Injection(which) as injection:
            tap.check(f"{which}: loading", fail_loading, injection)
    load()


def one_way(each, go):
    """Fail the first allocation by a call path that has failed fewer than EACH times. Return:
    whether there was one."""
    before = int(got("taken"))
    forget_places()
    put("ways", each)
    try:
        go()
        pages_back()
    except (Refused, RuntimeError, OSError) as error:
        put("ways", 0)
        raise RuntimeError(f"{got('ways')}: {type(error).__name__}: {error}") from error
    figures["runs"] += 1
    # disarm: nothing is running any more
    put("ways", 0)
    return int(got("taken")) != before


def fail_ways(each, go):
    """Repeat one_way() until no call path is new."""
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
    if not done.returncode:
        pass_over()


TOKEN = b"of the tests of faults"


def any_life(params, peer=False, stop=False):
    """One run from create to delete, with a listener for it if PEER. STOP stops it while it
    measures. Each refusal is in words."""
    server, client = Client(), Client()
    try:
        if peer:
            try:
                listener = server.listen(18515, token=TOKEN)
            except Refused:
                none_made(server)
                raise
            params = params | {"peer": ADDRESS, "token": TOKEN}
        try:
            job = client.new(**params)
        except Refused:
            none_made(client, listeners=peer)
            raise
        client.start(job)
        if stop:
            until(60, lambda: client.get(job).state in (MEASURING, FINISHED))
            client.stop(job)
        outcome = ended(client, job)
        client.samples(job)
        client.delete(job)
        if peer:
            server.listeners()
            server.unlisten(listener)
        if outcome in (COMPLETE, STOPPED):
            pass_over(outcome == STOPPED)
    except Refused as error:
        # any_life() fails only allocations of the module, never those of netlink
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
        return fails_none()
    test_pages()
    each = 1 if QUICK else min(DEPTH, 2)
    modes = {"poll": {}} if QUICK else {"poll": {}, "write": {"verb": "write"}, "qps": {"qps": 3}}
    for name, mode in modes.items():
        short = keys({"timeout": 2 * 10**9} | mode | {"iterations": 3, "warmup": 1})
        endless = keys(measuring(mode)[1] | {"timeout": PATIENCE})
        series(f"{name}, with a peer", each, lambda p=short: any_life(p, peer=True))
        series(f"{name}, stopped", each, lambda p=endless: any_life(p, stop=True))
        series(f"{name}, with a peer, stopped", each,
               lambda p=endless: any_life(p, peer=True, stop=True))
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
    """Return: whether this kernel calls the failure hooks at each allocation."""
    put("ways", 1)
    try:
        works()
    except (Refused, RuntimeError, OSError):
        pass
    put("ways", 0)
    return int(got("taken")) > 0


PARTS = {"calls": test_calls, "allocations": test_allocations, "ways": test_ways,
         "recipes": test_recipes}


def main():
    PARTS[sys.argv[1]]()
    test_passed()
    test_looks()
    tap.check("nothing is left", clean)
    tap.check("loads and unloads", lambda: (unload(), load()) and None)
    seen.extend(reports())
    tap.ok(not seen, f"reports seen: {len(seen)}", "\n".join(seen))
    note(f"faults: part {sys.argv[1]}: {figures['runs']} runs, {len(sites)} sites, "
         f"{figures['hits']} calls failed, "
         f"{figures['allocations']} allocations failed, {sum(passed.values())} passed over")
    return tap.done()


sys.exit(main())
