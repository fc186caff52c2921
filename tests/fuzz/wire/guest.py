# SPDX-License-Identifier: GPL-2.0
"""A misbehaving peer, against icbenchctl serve and icbenchctl run.

Every attempt ends in a refusal or a closed connection within a bounded time. It leaves nothing
in the kernel, and a valid run succeeds after it.
"""

import contextlib
import itertools
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.realpath(os.path.dirname(__file__))
sys.path.insert(0, os.path.join(HERE, "../../vm/guest"))
sys.path.append(os.path.join(HERE, "../../chaos"))

# pylint: disable=wrong-import-position
import hold
import icb
from icb import (N, Client, Tap, allocated, clean, given, note, number, pages_in_use, threads,
                 tool, until, works)

WIRE = os.path.join(HERE, "build/wire")
PEER = "10.77.0.1"
TOKEN = "a secret of this host"
PLAIN, SECRET, SMALL, TIGHT, MIRROR = 18515, 1001, 1002, 1003, 1010
# first port of more listeners
MORE_LISTENERS = 1020

SLOW = int(os.environ.get("ICBENCH_VM_SLOW", "1"))
SEED = int(os.environ["ICBENCH_FUZZ_SEED"])
CONNECTIONS = int(os.environ["ICBENCH_FUZZ_CONNECTIONS"])
AT_A_TIME = 16

# number of protocol steps of client.c, and the numbers of some of them
STEPS = 10
PROPOSED, JOINED, ECHO = 2, 4, 6
HOUR = 3600 * 1000

# Times in seconds: the server's timeout for a peer before the peer has proposed one, the timeout
# that the peer proposes (good_params of tamper.c), and the tolerance of the test.
FIRST, AGREED, GRACE = 6, 1, 3
# upper limits of a proposed timeout, seconds: of a step before the run, and of the run
STEP, LONGEST = 10, 60
# limit of the median time to release a session, seconds; it holds on a busy host, too
LEAVE = 0.5
# time after which the peer's own connection manager gives up a half-open connection, seconds
HALF_OPEN = 12
# QPs of the small server; peers that may stay without a proposal; peers that may stay right
# after they have connected; peers allowed in excess of the QPs
MAX_QPS, PLACES, FRESH = 4, 16, 64
MORE = PLACES + FRESH
# While many peers wait: requests of one address that are served per second, and in one burst.
# CROWD: peers that connect at once.
RATE, BURST, CROWD = 200, 128, 256
# message timeout of a valid run: the default, scaled for a slow kernel
PATIENCE = ("--timeout", f"{10 * SLOW}s")
# time for which a peer that was answered is not evicted for a newcomer, seconds
HALF = 0.5
# additional QPs of a run that times the making of connections
PROBES = 2
# limit of the kernel memory that a peer without a proposal uses, KiB: doubled in the debug
# kernel, where KASAN surrounds each object
COST = 1024 if os.path.exists("/sys/kernel/debug/kmemleak") else 512

# runs that iWARP does not support, and the feature that it lacks
LACKS = {"datagrams": "transport but rc", "fetch-add": "atomics"}

tap = Tap()
attempts = tempfile.NamedTemporaryFile()
netlink = Client()


def wire(*args, stdin=subprocess.DEVNULL):
    env = os.environ | {"WIRE_TOKEN": TOKEN, "WIRE_ATTEMPTS": attempts.name,
                        "WIRE_EVERY": os.environ["ICBENCH_FUZZ_EVERY"]}
    return subprocess.Popen([WIRE, str(SEED), str(SLOW), *map(str, args)], env=env,
                            stdin=stdin, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def relay(process, name, each=lambda: None):
    """Report the tests that a process prints as tests of this script, and call EACH after each
    of them. Also test that the process completes."""
    count = 0
    for line in process.stdout:
        good = line.startswith("ok ")
        if good or line.startswith("not ok "):
            count += 1
            what, _, why = line.partition("ok ")[2].strip().partition("\t")
            tap.ok(good, what, why)
            each()
        elif line.startswith("skip "):
            count += 1
            what, _, why = line.partition("skip ")[2].strip().partition("\t")
            tap.skip(what, why)
        else:
            print(line, end="", flush=True)
    err = process.stderr.read()
    tap.ok(process.wait() == 0 and count, f"{name}: came to its end",
           f"status {process.returncode}, {count} tests: {err}")


class Server:
    def __init__(self, port, *options):
        self.port = port
        self.said = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            ["icbenchctl", "serve", "--bind", PEER, "-p", str(port), *options],
            stdin=subprocess.DEVNULL, stdout=self.said, stderr=subprocess.STDOUT)
        if not until(30, self.look):
            raise RuntimeError(f"no listener at port {port}")

    def look(self):
        for found in netlink.listeners():
            if number(found[N["A_LISTEN_CM_PORT"]]) == self.port:
                return found
        return None

    def value(self, name):
        return number(self.look()[N["A_LISTEN_" + name]])

    def sessions(self):
        return self.value("SESSIONS")

    def close(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


def all_well(group):
    tap.check(f"{group}: nothing is left", clean)
    tap.ok(not any(s.sessions() or s.value("MEMORY") or s.value("QPS") for s in servers),
           f"{group}: the servers hold nothing", [s.look() for s in servers])
    tap.check(f"{group}: a good run works", works, peer=PEER)


def test_group(group, *args):
    begin, there = given(), []
    relay(wire(group, *args), group, lambda: there.append(plain.sessions()))
    if PLAIN in args:
        note(f"{group}: at most {max(there, default=0)} of those before are still there")
    all_well(group)
    note(f"{group}: {given() - begin:.1f} s")
    return there


def test_params():
    # a server that waits for refused peers would have dozens of them
    there = test_group("params", PLAIN)
    tap.ok(there and max(there) < 2 * AT_A_TIME,
           "params: those that were refused do not pile up", there)


def test_token():
    before = secret.value("ACCEPTED")
    test_group("token", SECRET, PLAIN)
    # the peer with the valid token, and the runs whose connections others try to make
    tap.ok(secret.value("ACCEPTED") == before + 6, "token: nobody else was accepted",
           secret.look())
    # a peer that has the token gets all of its connections
    for name, params in (("3 QPs", {"qps": 3}),
                         ("connections to be timed", {"verb": "connect-cm", "trigger": "return"})):
        client = Client()
        job = client.new(peer=PEER, cm_port=SECRET, token=TOKEN.encode(), iterations=10, warmup=2,
                         **params)
        client.start(job)
        until(60, lambda: client.get(job).outcome)
        found = client.get(job)
        tap.ok(found.outcome == N["OUTCOME_COMPLETE"], f"token: a run with {name}", found)
        client.close()


def possible(group, run):
    """Return: the run in a list, or [] if the device does not support it."""
    if not icb.IWARP:
        return [run]
    tap.skip(f"{group}: {run}", f"iWARP has no {LACKS[run]}")
    return []


def leave(way, verb):
    """Return: how long the server kept each session, in seconds, and the errors."""
    times, wrong = [], []
    process = wire("leave", PLAIN, way, verb, stdin=subprocess.PIPE)
    for line in process.stdout:
        if not line.strip().isdigit():
            wrong.append(line.strip())
            continue
        begin = given()
        if not until((FIRST + GRACE) * SLOW, lambda: not plain.sessions()):
            wrong.append(f"step {line.strip()}: held on to")
        times.append(given() - begin)
        process.stdin.write("\n")
        process.stdin.flush()
    process.stdin.close()
    if process.wait():
        wrong.append(f"status {process.returncode}")
    if len(times) != STEPS - 1:
        wrong.append(f"{len(times)} steps")
    return times, wrong


def test_leave():
    """A peer that leaves is released at once, however it leaves."""
    begin, all_times = given(), []
    ways = ("disconnect", "drop", "die", "bye")
    # the datagram transport has no data connection
    for way, verb in itertools.chain(
            itertools.product(ways + ("disconnect-data",), ("send", "read")),
            itertools.product(ways, possible("leave", "datagrams"))):
        times, wrong = leave(way, verb)
        longest = max(times, default=0)
        all_times += times
        tap.ok(not wrong, f"leave: {verb}: {way} at each step", "; ".join(wrong))
        tap.ok(longest < GRACE * SLOW, f"leave: {verb}: {way}: the server lets go in {GRACE} s",
               f"{longest:.1f} s")
        note(f"{verb}: {way}: let go of after at most {longest * 1000:.0f} ms")
    middle = statistics.median(all_times)
    tap.ok(middle < LEAVE * SLOW, f"leave: half of them are let go of in {LEAVE * 1000:.0f} ms",
           f"{middle * 1000:.0f} ms")
    note(f"leave: half of {len(all_times)} are let go of after {middle * 1000:.0f} ms")
    all_well("leave")
    note(f"leave: {given() - begin:.1f} s")


def test_stay():
    """A silent peer is released after its timeout, and no other peer waits for it."""
    begin = given()
    cases = ["0:silent:send"]
    cases += [f"{step}:{way}:send" for way in ("silent", "break") for step in range(1, STEPS - 1)]
    cases += [f"{step}:break-data:send" for step in range(JOINED, STEPS - 1)]
    cases += [f"{step}:silent:write" for step in range(JOINED, STEPS - 1)]
    # the datagram transport has no data connection that could break
    datagrams = possible("stay", "datagrams")
    cases += [f"{step}:{way}:{run}" for way in ("silent", "deaf", "stray", "break")
              for step in range(PROPOSED, STEPS - 1) for run in datagrams]
    took, wrong, lines = {}, [], []
    # the peers that ask for a timeout of an hour stay during all cases
    runs = ["send", "read", *datagrams]
    patient = wire("stay", PLAIN, ",".join([f"{JOINED - 1}:silent:send:{HOUR}"] +
                                           [f"{ECHO}:silent:{run}:{HOUR}" for run in runs]))
    # the server evicts the oldest peer if there are more than 16
    for at in range(0, len(cases), 12):
        process = wire("stay", PLAIN, ",".join(cases[at:at + 12]))
        until(FIRST, lambda: plain.sessions() > 6)
        tap.check("stay: a good run works meanwhile", works, peer=PEER)
        out, err = process.communicate()
        lines += out.splitlines()
        tap.ok(not err, "stay: the peers came to their end", err)
    for line in lines:
        way, step, ms = re.match(r"(\S+) at (\d+), .* (\d+) ms given", line).groups()
        agreed = int(step) >= PROPOSED
        took.setdefault((way if int(step) else "half open", agreed), []).append(int(ms))
        if not re.search("(closed|refused) after", line) or \
           int(ms) > ((AGREED if agreed else FIRST if int(step) else HALF_OPEN) + GRACE) \
               * 1000 * SLOW:
            wrong.append(line.strip())
    tap.ok(len(lines) == len(cases), f"stay: {len(cases)} peers", "\n".join(lines))
    tap.ok(not wrong, "stay: each is let go of in time", "\n".join(wrong))
    out, err = patient.communicate()
    held = sorted((int(step), int(ms), int(least)) for step, ms, least in re.findall(
        r"silent at (\d+), .*: (?:closed|refused) after (\d+) ms, (\d+) ms given", out))
    tap.ok([step for step, _, _ in held] == [JOINED - 1] + [ECHO] * len(runs) and not err and
           all(0.9 < ms / 1000 / limit and least / 1000 < limit + GRACE * SLOW
               for limit, (_, ms, least) in zip((STEP,) + (LONGEST,) * len(runs), held)),
           f"stay: who asks for an hour has {STEP} s before the run, and {LONGEST} s in it",
           out + err)
    note(f"asked for an hour: held for {' '.join(str(ms) for _, ms, _ in held)} ms")
    for (way, agreed), values in took.items():
        note(f"{way}, {'after' if agreed else 'before'} the proposal: "
             f"held for {min(values)} to {max(values)} ms")
    all_well("stay")
    note(f"stay: {given() - begin:.1f} s")


def test_passive():
    """Silence and protocol errors also end a run in which the server is passive."""
    begin = given()
    verbs = ["read", *possible("passive", "fetch-add")]
    cases = [f"{step}:{way}:{verb}" for step in (ECHO, ECHO + 1)
             for way in ("silent", "deaf", "stray", "break", "break-data")
             for verb in verbs]
    count = 0
    for at in range(0, len(cases), 10):
        process = wire("stay", PLAIN, ",".join(cases[at:at + 10]))
        out, err = process.communicate()
        tap.ok(process.returncode == 0 and not err, "passive: the peers came to their end",
               f"status {process.returncode}: {err}")
        for line in sorted(out.splitlines()):
            ms = int(re.search(r"(\d+) ms given", line).group(1))
            tap.ok(re.search("(closed|refused) after", line) and
                   ms < (AGREED + GRACE) * 1000 * SLOW,
                   f"passive: {line.split(':')[0]}: let go of in {AGREED} s", line)
            count += 1
    tap.ok(count == len(cases), f"passive: {len(cases)} peers", count)
    all_well("passive")
    note(f"passive: {given() - begin:.1f} s")


def test_streams():
    """A peer that streams, in one or both directions, is released however it ends at each step."""
    begin = given()
    for way, run in itertools.product(
            ("disconnect", "disconnect-data", "drop", "die", "bye"), ("stream", "both-ways")):
        times, wrong = leave(way, run)
        longest = max(times, default=0)
        tap.ok(not wrong and longest < GRACE * SLOW,
               f"streams: {run}: {way} at each step: the server lets go in {GRACE} s",
               "; ".join(wrong + [f"{longest:.1f} s"]))
    cases = [f"{step}:{way}:stream" for step in range(JOINED, STEPS - 1)
             for way in ("silent", "deaf", "stray", "break", "break-data")]
    # a peer that still receives the stream is not silent
    cases += [f"{step}:{way}:both-ways" for step in range(JOINED, STEPS - 1)
              for way in ("deaf", "break-data")]
    lines = []
    for at in range(0, len(cases), 10):
        lines += wire("stay", PLAIN, ",".join(cases[at:at + 10])).communicate()[0].splitlines()
    wrong = [line for line in lines if not re.search("(closed|refused) after", line) or
             int(re.search(r"(\d+) ms given", line).group(1)) > (AGREED + GRACE) * 1000 * SLOW]
    tap.ok(len(lines) == len(cases) and not wrong,
           f"streams: {len(cases)} peers who stay are let go of in {AGREED} s", "\n".join(wrong))
    all_well("streams")
    note(f"streams: {given() - begin:.1f} s")


def kernels(kind):
    """Return: how many objects of this kind belong to kernel modules."""
    return tool("rdma", "resource", "show", kind).count("comm [")


def kernel_kib():
    """Return: KiB that the kernel uses in pages, slab caches, stacks and per-CPU memory."""
    kib = 4 * pages_in_use()
    with open("/proc/meminfo", encoding="ascii") as f:
        return kib + sum(int(line.split()[1]) for line in f
                         if line.startswith(("SUnreclaim:", "KernelStack:", "Percpu:")))


def test_cost():
    """Resources that the server uses for a peer that has not proposed anything."""
    strangers, kinds = 12, ("qp", "cq", "pd", "mr")

    def beside(look):
        """Return: the result of look() while this many peers are connected. The peers stay for
        FIRST seconds; try again if a busy host did not look in this time."""
        for _ in range(3):
            process = wire("stay", PLAIN, ",".join(["1:silent:send"] * strangers))
            until(FIRST * SLOW, lambda: plain.sessions() == strangers)
            seen = look()
            there = plain.sessions() == strangers
            process.communicate(timeout=60 * SLOW)
            until(FIRST * SLOW, lambda: not plain.sessions())
            if there:
                return seen
        raise RuntimeError(f"not {strangers} strangers at a time: {plain.look()}")

    before = kernel_kib()
    kib = (beside(kernel_kib) - before) // strangers
    count = {kind: kernels(kind) for kind in kinds}
    took = {kind: beside(lambda kind=kind: kernels(kind)) - count[kind] for kind in kinds}
    idle = len(threads())

    def jobs_and_threads():
        # a session is counted just before its job appears in the list of jobs
        until(1, lambda: len(netlink.jobs()) == strangers)
        return len(netlink.jobs()), len(threads()) - idle

    jobs, more = beside(jobs_and_threads)
    free = beside(lambda: not plain.value("QPS") and not plain.value("MEMORY"))
    tap.ok(took == {"qp": strangers, "cq": strangers, "pd": strangers, "mr": 0},
           "cost: each has one control QP, with a CQ and a PD, and no region", took)
    tap.ok(jobs == strangers and more <= strangers,
           "cost: each is one job, and one thread at most", f"{jobs} {more}")
    tap.ok(free, "cost: none has anything of what the limits are for", plain.look())
    tap.ok(kib < COST, f"cost: each has less than {COST} KiB, its own process included", f"{kib}")
    note(f"cost: {kib} KiB each")
    all_well("cost")


def test_lockout():
    """Silent peers do not keep a valid run from being served."""
    process = wire("stay", SMALL, ",".join(["1:silent:send"] * 4))
    begin = given()
    tap.ok(until(FIRST * SLOW, lambda: small.sessions() == 4),
           "lockout: as many silent peers as there are places", small.look())
    done = subprocess.run(["icbenchctl", "run", "latency", PEER, "-p", str(SMALL), "-n", "50",
                           *PATIENCE],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False, timeout=60 * SLOW)
    tap.ok(done.returncode == 0, "lockout: the next one is served all the same", done.stderr)
    free = until((FIRST + GRACE) * SLOW, lambda: small.sessions() == 0)
    note(f"lockout: the silent ones stayed for {given() - begin:.1f} s")
    tap.ok(free, f"lockout: they are gone after {FIRST} s", small.look())
    process.communicate(timeout=60 * SLOW)
    all_well("lockout")


def words_of(server):
    server.said.seek(0)
    return server.said.read()


def start_run(port, **params):
    """Start an endless run. Return: its client and job."""
    client = Client()
    # the long timeout keeps a busy host from ending the run
    job = client.new(peer=PEER, cm_port=port, warmup=5, duration=600 * 10**9, timeout=60 * 10**9,
                     **params)
    client.start(job)
    until(60, lambda: client.get(job).state in (N["JOB_STATE_MEASURING"], N["JOB_STATE_FINISHED"]))
    return client, job


def test_limits():
    """One run more than the limits of all peers together allow is refused."""
    # two runs use all of max-memory: each side has two buffers of a power of two of pages
    first, second = start_run(TIGHT, size=16384), start_run(TIGHT, size=16384)
    tap.ok(tight.value("MEMORY") == 65536, "limits: two runs take all of max-memory", tight.look())
    third = start_run(TIGHT, size=64)
    found = third[0].get(third[1])
    tap.ok(found.outcome == N["OUTCOME_FAILED"] and "max-memory" in found.reason,
           "limits: the next one is refused, however small, by max-memory", found)
    tap.ok(all(c.get(j).state == N["JOB_STATE_MEASURING"] for c, j in (first, second)),
           "limits: ... and the two go on")
    first[0].close()
    until(10, lambda: tight.value("MEMORY") < 65536)
    tap.check("limits: ... there is room when one of them has ended", works, peer=PEER,
              cm_port=TIGHT)
    for client, _ in (second, third):
        client.close()
    pages, client = allocated(), Client()
    job = client.new(peer=PEER, cm_port=TIGHT, size=2 << 20, buffers=256)
    client.start(job)
    found = until(60, lambda: client.get(job).outcome and client.get(job))
    pages = allocated() - pages
    tap.ok("max-memory" in found.reason and pages < 256 << 8,
           "limits: 512 MiB are refused before half of that is allocated",
           f"{pages} pages, {found}")
    note(f"limits: {pages} pages for a refusal of 512 MiB")
    client.close()

    # Of the peers that have proposed nothing and have been connected for a while, the
    # seventeenth evicts the first, the eighteenth the second, and so on. Among many peers the
    # eviction is earlier. On a slow machine the connection manager is late in delivering
    # events, and half a second is too short there.
    count, places = (PLACES if SLOW > 1 else FRESH) + 8, PLACES
    for _ in range(3):
        before = words_of(plain).count("other peers wait")
        process = wire("crowd", PLAIN, count)
        most = 0
        while process.poll() is None:
            most = max(most, plain.sessions())
            time.sleep(0.02)
        out, err = process.communicate()
        if process.returncode:
            raise RuntimeError(f"crowd: status {process.returncode}: {err}")
        ended = words_of(plain).count("other peers wait") - before
        told, deaf = map(int, out.split())
        tap.ok(told + deaf == count and told >= places and
               max(0, count - FRESH) <= ended <= count - places,
               f"limits: of {count} peers that propose nothing {places} may stay, and {FRESH} "
               "for a moment",
               f"{ended} {out}")
        # peers that are being taken down still count
        tap.ok(places <= most <= count, "limits: ... no less", most)
        note(f"limits: at most {most} of {count} at a time; {told} heard of their end")
        if not deaf:
            break
        until(FIRST + GRACE, lambda: not plain.sessions())
    # the peer's connection manager may lose one notification, but not some in each attempt
    tap.ok(not deaf, "limits: ... and each hears of its end", deaf)
    all_well("limits")


def burst(count):
    """Start COUNT runs at the same time. Return: the failed runs, and how many runs were evicted
    for others."""
    client, before = Client(), words_of(plain).count("other peers wait")
    # completion=block: this many polling runs would starve each other on two CPUs
    jobs = [client.new(peer=PEER, cm_port=PLAIN, iterations=20, completion="block",
                       timeout=60 * 10**9) for _ in range(count)]
    for job in jobs:
        client.start(job)
    until(60, lambda: all(client.get(job).outcome for job in jobs))
    failed = [found for found in map(client.get, jobs) if found.outcome != N["OUTCOME_COMPLETE"]]
    client.close()
    return failed, words_of(plain).count("other peers wait") - before


def test_burst():
    """Many valid runs begin at the same time, and none of them is evicted as silent."""
    # on a slow machine the steps of too many runs take longer than their timeout
    count = PLACES + 4 if SLOW > 1 else FRESH - PLACES
    # a busy host may also be too slow, but not in each attempt
    for _ in range(3):
        failed, ended = burst(count)
        if not failed and not ended:
            break
        until(FIRST + GRACE, lambda: not plain.sessions())
    tap.ok(not failed, f"burst: {count} runs that begin at the same time are all served",
           f"{len(failed)} failed: { {found.reason for found in failed} }")
    tap.ok(not ended, "burst: none is ended for others", ended)
    all_well("burst")


def test_flood():
    """More peers connect at once than the rate limit allows: few jobs begin, and a good peer
    is served."""
    words = "too many connection requests at a time; try again"
    before, seen = words_of(plain).count(words), []

    def gets_in():
        """Return: whether a valid run succeeds. It may be evicted or told to try again; the
        caller does so."""
        with contextlib.suppress(RuntimeError):
            works(peer=PEER)
            return True
        return False

    process = wire("crowd", PLAIN, CROWD)
    while process.poll() is None:
        begin = given()
        number_of_last = max((job.id for job in netlink.jobs()), default=0)
        if number_of_last:
            seen.append((begin, given(), number_of_last))
        time.sleep(0.02)
        if len(seen) == CROWD // 10:
            tap.ok(until(30, gets_in), "flood: a good peer gets in meanwhile")
    until(30, lambda: not plain.sessions())
    # Between any two looks. Job numbers increase by one, so they count the jobs.
    most = max(late[2] - early[2] - RATE * (late[1] - early[0])
               for early, late in itertools.combinations(seen, 2))
    told = words_of(plain).count(words) - before
    tap.ok(most <= PLACES + BURST + 3,
           f"flood: no more jobs begin than {RATE} a second, and {BURST} at once",
           f"{most:.0f} at once, {told} told to try again")
    note(f"flood: {seen[-1][2] - seen[0][2]} jobs in {seen[-1][1] - seen[0][0]:.1f} s, "
         f"{most:.0f} more than the rate, {told} told to try again")
    all_well("flood")


def test_listeners():
    """The limits of peers without a run hold for all listeners together."""
    words, out = "too many connection requests at a time; try again", "other peers wait"
    more = [Server(port) for port in range(MORE_LISTENERS, MORE_LISTENERS + 7)]
    try:
        everyone = [plain, *more]
        count = (PLACES + BURST + FRESH) // len(everyone)

        def lines(text):
            return sum(words_of(server).count(text) for server in everyone)

        ended, told, seen, most_there = lines(out), lines(words), [], 0
        processes = [wire("crowd", server.port, count) for server in everyone]
        while any(process.poll() is None for process in processes):
            begin = given()
            jobs = netlink.jobs()
            # those that were ended still have a job until they are torn down
            most_there = max(most_there, sum(not job.outcome for job in jobs))
            if jobs:
                seen.append((begin, given(), max(job.id for job in jobs)))
            time.sleep(0.02)
        failed = [process.communicate()[1] for process in processes if process.returncode]
        tap.ok(not failed, "listeners: the peers came to their end", failed)
        ended, told = lines(out) - ended, lines(words) - told
        # job numbers increase by one, so they count the jobs
        most = max((late[2] - early[2] - RATE * (late[1] - early[0])
                    for early, late in itertools.combinations(seen, 2)), default=0)
        tap.ok(most <= PLACES + BURST + 3,
               f"listeners: no more jobs begin than {RATE} a second, and {BURST} at once",
               f"{most:.0f} at once, {told} told to try again")
        # peers whose connection manager repeats its request count again
        tap.ok(ended + told >= count * len(everyone) - FRESH and
               most_there <= FRESH + PLACES,
               f"listeners: of {count * len(everyone)} peers of {len(everyone)} listeners "
               f"{FRESH} may stay for a moment",
               f"{most_there} at a time, {ended} ended, {told} told to try again")
        note(f"listeners: {most:.0f} more than the rate, {told} told to try again, "
             f"{ended} ended, {most_there} jobs at a time")
    finally:
        for server in more:
            server.close()
    until(30, lambda: not plain.sessions())
    all_well("listeners")


def is_in(function, stack):
    """Return: whether a thread is in a function, or has exited."""
    try:
        return f"{function}+" in stack.read_text(encoding="utf-8")
    except OSError:
        return True


def stack_of(job):
    """Return: path of the kernel stack of a job's thread; None if the job has no thread now."""
    for comm in pathlib.Path("/proc").glob("[0-9]*/comm"):
        # threads may exit meanwhile
        with contextlib.suppress(OSError):
            if comm.read_text(encoding="utf-8") == f"icbench/{job}\n":
                return comm.with_name("stack")
    return None


def waits_for(function, job):
    """Return: a function that tests whether a job's thread is in FUNCTION, or has ended."""
    found = until(FIRST, lambda: stack_of(job) or netlink.get(job).outcome)
    if not found:
        raise RuntimeError(f"job {job} has no thread: {netlink.get(job)}")
    return (lambda: is_in(function, found)) if isinstance(found, pathlib.Path) else lambda: True


def come(newcomer):
    """Start a run of this host. Wait until it counts as a peer, or has ended."""
    netlink.start(newcomer)
    until(FIRST, lambda: plain.sessions() > PLACES or netlink.get(newcomer).outcome)


def answer_late(newcomer, before_answer):
    """Connect as many silent peers as may stay, and answer the oldest only when the half second
    of the others has passed. Start NEWCOMER just before or just after this answer. Return: the
    oldest peer, the evicted peers, and whether the host was fast enough."""
    known = len(words_of(plain))
    # the oldest has sent its request, but its half second begins with the answer
    hold.hold("icb_respond")
    try:
        oldest = wire("stay", PLAIN, "1:silent:send")
        if not until(FIRST, hold.held):
            raise RuntimeError(f"no responder is held: {plain.look()}")
        late = netlink.jobs()[-1]
        heard = waits_for("icb_chan_recv", late.id)
        begin = time.monotonic()
        others = wire("crowd", PLAIN, PLACES - 1)
        until(FIRST, lambda: plain.sessions() == PLACES)
        # a slow machine answers these late, too
        looks = [waits_for("icb_chan_recv", job.id) for job in netlink.jobs()
                 if job.id not in (late.id, newcomer) and not job.outcome]
        until(FIRST, lambda: all(look() for look in looks))
        time.sleep(2 * HALF)
        if before_answer:
            come(newcomer)
        answered = time.monotonic()
    finally:
        hold.let_go()
    # the half second of the oldest begins before its thread waits here
    until(FIRST, heard)
    if not before_answer:
        come(newcomer)
    took, there = time.monotonic() - answered, time.monotonic() - begin
    note(f"unheard: somebody came {took * 1000:.0f} ms after the answer at most, and "
         f"{there * 1000:.0f} ms after the others")
    until(60, lambda: netlink.get(newcomer).outcome)
    for process in (oldest, others):
        process.communicate(timeout=60 * SLOW)
    ended = re.findall(r"^refused (\S+): other peers wait", words_of(plain)[known:], re.M)
    return late.target, ended, took < HALF and there < FIRST


def late_answer(when):
    """A newcomer at this time evicts another peer than the one that was answered late."""
    for _ in range(3):
        newcomer = netlink.new(peer=PEER, cm_port=PLAIN, iterations=20)
        oldest, ended, in_time = answer_late(newcomer, "before" in when)
        served = netlink.get(newcomer)
        netlink.delete(newcomer)
        until(FIRST, lambda: not plain.sessions())
        good = len(ended) == 1 and oldest not in ended
        if good or in_time:
            break
    name = f"unheard: who comes {when} ends one that has had half a second, and not the oldest"
    if good or in_time:
        tap.ok(good, name, f"{oldest}: {ended}")
    else:
        tap.skip(name, "this machine takes longer than that for somebody to come")
    tap.ok(served.outcome == N["OUTCOME_COMPLETE"], f"unheard: who came {when} is served", served)


def test_unheard():
    """A peer that is answered late has its half second from the answer on; others are evicted
    first."""
    for when in ("before its answer", "just after its answer"):
        late_answer(when)
    all_well("unheard")


def test_probe():
    """Connections that a run times, and how they count against max-qps."""
    test_group("probe", PLAIN)

    params = {"verb": "connect-cm", "trigger": "return"}
    first, job = start_run(SMALL, **params)
    tap.ok(first.get(job).state == N["JOB_STATE_MEASURING"] and small.value("QPS") == 1 + PROBES,
           f"probe: a run that makes connections takes {PROBES} QPs more", small.look())
    second = start_run(SMALL, **params)
    found = second[0].get(second[1])
    tap.ok(found.outcome == N["OUTCOME_FAILED"] and "max-qps" in found.reason,
           f"probe: another one is refused where {MAX_QPS - 1 - PROBES} of max-qps is left", found)
    second[0].close()
    tap.check("probe: ... and a run of one QP is not", works, peer=PEER, cm_port=SMALL)
    # the QP of a peer that has left may be counted for a moment
    tap.ok(until(FIRST, lambda: small.value("QPS") == 1 + PROBES) and
           first.get(job).state == N["JOB_STATE_MEASURING"],
           "probe: ... and the first goes on", f"{first.get(job)} {small.look()}")
    first.close()
    until(FIRST * SLOW, lambda: not small.sessions())
    all_well("probe: those that are counted")


def listening():
    """Return: addresses and ports at which the connection manager listens."""
    return {(address.strip("[]"), int(port)) for address, port in re.findall(
        r"state LISTEN .*?src-addr (\S*):(\d+)", tool("rdma", "resource", "show", "cm_id"))}


def addresses(*links):
    """Yield all addresses of the links."""
    for link in json.loads(tool("ip", "-json", "address", "show", "up")):
        if link["ifname"] in links:
            for info in link["addr_info"]:
                at_link = f"%{link['ifname']}" if info["scope"] == "link" else ""
                yield info["local"] + at_link


def strangers(name, where, strange, **params):
    """Run this host against itself, which listens at WHERE. Peers that do not have its secret
    connect to it at each address of STRANGE."""
    before = listening()
    client = Client()
    job = client.new(warmup=5, duration=600 * 10**9, **params)
    client.start(job)
    until(60, lambda: client.get(job).state == N["JOB_STATE_MEASURING"])
    found = listening() - before
    tap.ok(len(found) == 1 and {address for address, _ in found} == {where},
           f"{name}: the run listens at {where}", f"{found}, {before}")
    for (_, port), address in itertools.product(found, strange):
        relay(wire("loopback", address, port), f"{name}: at {address}")
    count = client.get(job).done
    tap.ok(until(10, lambda: client.get(job).done > count) and
           client.get(job).state == N["JOB_STATE_MEASURING"],
           f"{name}: the run goes on", client.get(job))
    client.stop(job)
    until(60, lambda: client.get(job).state == N["JOB_STATE_FINISHED"])
    tap.ok(client.get(job).outcome == N["OUTCOME_STOPPED"],
           f"{name}: it ends as it is told to", client.get(job))
    client.delete(job)
    client.close()


def test_loopback():
    """The listener of a run of the host with itself accepts no other peer."""
    strangers("loopback: send", PEER, [PEER], verb="send")
    strangers("loopback: connect-cm", PEER, [PEER], verb="connect-cm", trigger="return")
    all_well("loopback")

    # a run with several devices listens at all addresses
    second = icb.add_second()
    for link, address in (("icb0", "fd77::1/64"), ("icb1", "fd78::1/64")):
        tool("ip", "address", "add", address, "dev", link, "nodad")
    strange = list(addresses("icb0", "icb1"))
    tap.ok({PEER, "10.78.0.1", "fd77::1", "fd78::1"} < set(strange),
           f"loopback: {len(strange)} addresses of two devices", strange)
    strangers("loopback: two devices", "::", strange, device=[icb.DEVICE, second], policy="bind")
    tap.check("loopback: two devices: nothing is left in either", clean)
    icb.remove_device(second)
    tool("ip", "link", "delete", "icb1")
    tool("ip", "address", "delete", "fd77::1/64", "dev", "icb0")
    icb.RESOURCES = icb.resources()
    all_well("loopback: two devices")


class Good:
    """A valid peer that runs again and again, once a second at most, and has to succeed."""

    def __init__(self):
        self.runs = self.busy = 0
        self.failures = []
        self.process = None
        self.begin = 0
        self.longest = 0
        self.elapsed = 0

    def step(self):
        if self.process is None:
            if given() - self.begin < 1:
                return
            self.begin = given()
            self.process = subprocess.Popen(
                ["icbenchctl", "run", "latency", PEER, "-n", "50", "--warmup", "5", *PATIENCE],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, text=True)
        elif self.process.poll() is not None:
            self.over()

    def over(self):
        err = self.process.communicate(timeout=60 * SLOW)[1]
        self.longest = max(self.longest, given() - self.begin)
        if self.process.returncode and ("QPs of the responder are in use" in err or
                                        "the responder is busy with" in err):
            self.busy += 1
        elif self.process.returncode:
            self.failures.append(err)
        else:
            self.runs += 1
        self.process = None


    def least(self):
        """Return: how many runs have to have been served in the elapsed time."""
        return int(self.elapsed / (GRACE * SLOW))


def too_many(allowed, more, words):
    """ALLOWED peers are accepted; MORE peers are refused with these words."""
    process = wire("crowd", SMALL, allowed + more)
    told, deaf = map(int, process.communicate()[0].split())
    tap.ok(told + deaf == allowed + more and words_of(small).count(words) == more,
           f"crowded: of {allowed + more} peers {allowed} are let in, and {more} told to try again",
           f"{told} {deaf}\n{words_of(small)}")
    tap.ok(until(HALF_OPEN * SLOW, lambda: hold.held() == allowed) and
           small.sessions() == allowed and not small.value("QPS"),
           f"crowded: {allowed} are on their way out, and no QP is in use", small.look())
    client = Client()
    job = client.new(peer=PEER, cm_port=SMALL, iterations=20)
    client.start(job)
    found = until(60, lambda: client.get(job).outcome and client.get(job))
    tap.ok(found.outcome == N["OUTCOME_FAILED"] and words in found.reason,
           "crowded: a good peer is told so, too", found)
    client.close()


def test_crowded():
    """More peers connect than the server can take down meanwhile."""
    if icb.IWARP:
        tap.skip("crowded", "siw (6.1) gives its listener up where it has dropped one of so many")
        return
    allowed, more = MAX_QPS + MORE, 4
    words = f"the responder is busy with {allowed} peers that connect and disconnect; try again"
    # peers that leave stay in icb_listener_leave()
    hold.hold("icb_listener_leave", allowed)
    try:
        too_many(allowed, more, words)
    finally:
        hold.let_go()
    tap.check("crowded: it is served when they have gone", works, peer=PEER, cm_port=SMALL)
    all_well("crowded")


def storm(count, at_a_time, good):
    begin = given()
    process = wire("storm", PLAIN, count, at_a_time)
    while process.poll() is None:
        good.step()
        time.sleep(0.02)
    good.elapsed += given() - begin
    relay(process, f"storm of {at_a_time} at a time")


def memory():
    """Return: what the kernel uses once all freeable memory has been freed: objects of each
    cache, and KiB."""
    for shrink in pathlib.Path("/sys/kernel/slab").glob("*/shrink"):
        shrink.write_text("1", encoding="utf-8")
    pages = pages_in_use()
    with open("/proc/slabinfo", encoding="utf-8") as f:
        used = {w[0]: int(w[1]) for w in map(str.split, f) if w[1].isdigit()}
    # one for each inode; inodes have caches of their own, which are counted
    used.pop("lsm_inode_cache", None)
    with open("/proc/meminfo", encoding="utf-8") as f:
        info = {k: int(v.split()[0]) for k, v in (line.split(":") for line in f)}
    return used | {k + " KiB": info[k] for k in ("KernelStack", "Percpu", "VmallocUsed")} | {
        "pages": pages}


def grown(before, least):
    """Return: what has grown by at least LEAST since BEFORE."""
    return {k: v - before.get(k, 0) for k, v in memory().items()
            if v - before.get(k, 0) >= least}


def storms(count, good):
    storm(count // 2, 1, good)
    storm(count - count // 2, AT_A_TIME, good)
    if good.process is not None:
        good.over()
    until(30, lambda: not plain.sessions())


# The valid peer may find the server busy in one of this many runs; mostly in none.
BUSY = 20

# A leak has to show in each of this many storms in a row. Other memory of the kernel grows once,
# or a few times: free objects in a CPU's slab count as used, 512 objects of kmalloc-8.
LEAKS = 5
# fluctuation of an object count that hides few peers: as many objects as a page has
RESTLESS = 32


def leaks(count, good):
    """Return: what grows with each storm of COUNT peers, by at least one object for every
    sixteenth peer. With few peers the threshold is RESTLESS, or one for every eighth peer if
    this is less."""
    least, found = max(count // 16, min(count // 8, RESTLESS)), None
    for _ in range(LEAKS):
        before = memory()
        storms(count, good)
        # the connection manager frees its objects later
        until(20, lambda: not grown(before, least))
        more = grown(before, 1)
        note(f"storm: more than before {count} peers: {more}")
        found = {k: v for k, v in more.items()
                 if v >= least and (found is None or k in found)}
        if not found:
            break
    return found


def test_storm():
    """Very many hostile peers, and a valid one."""
    begin = given()
    good = Good()
    # The first peers fill caches, the next ones free lists. Growth after these is a leak.
    storm(2 * AT_A_TIME, AT_A_TIME, good)
    count = CONNECTIONS // 2
    storms(count, good)
    tap.check("storm: nothing is left of the first half", clean)
    lost = leaks(count, good)
    tap.check("storm: nothing is left", clean)
    note(f"storm: {good.runs} good runs meanwhile, the longest {good.longest * 1000:.0f} ms; "
         f"{good.busy} times it was told that the responder is busy")
    tap.ok(good.runs > max(2, good.least()) and not good.failures,
           "storm: the good peer was served all the time",
           f"{good.runs} of at least {good.least()} runs: {good.failures[:5]}")
    tap.ok(good.busy <= max(1, good.runs // BUSY),
           f"storm: it was told to try again once in {BUSY} times at most",
           f"{good.busy} times, and served {good.runs} times")
    tap.ok(not lost, "storm: nothing becomes more each time by one for every sixteenth peer", lost)
    all_well("storm")
    note(f"storm: {given() - begin:.1f} s")


note(f"seed {SEED} (ICBENCH_FUZZ_SEED), {CONNECTIONS} connections (ICBENCH_FUZZ_CONNECTIONS)")
with tempfile.NamedTemporaryFile("w") as secret_file:
    secret_file.write(TOKEN)
    secret_file.flush()
    plain = Server(PLAIN)
    secret = Server(SECRET, "--token-file", secret_file.name)
    small = Server(SMALL, "--max-qps", str(MAX_QPS))
    tight = Server(TIGHT, "--max-memory", "64K")
servers = [plain, secret, small, tight]
icb.RESOURCES = icb.resources()

GROUPS = {
    "good": lambda: test_group("good", PLAIN, SECRET),
    "fields": lambda: test_group("fields", PLAIN),
    "rules": lambda: test_group("rules", PLAIN),
    "params": test_params,
    "lengths": lambda: test_group("lengths", PLAIN),
    "order": lambda: test_group("order", PLAIN),
    "token": test_token,
    "probe": test_probe,
    "qps": lambda: test_group("qps", PLAIN),
    "offers": lambda: test_group("offers", PLAIN),
    "loopback": test_loopback,
    "remote": lambda: test_group("remote", PLAIN, "responder"),
    "datagrams": lambda: test_group("datagrams", PLAIN),
    "leave": test_leave,
    "stay": test_stay,
    "passive": test_passive,
    "streams": test_streams,
    "cost": test_cost,
    "lockout": test_lockout,
    "limits": test_limits,
    "burst": test_burst,
    "unheard": test_unheard,
    "crowded": test_crowded,
    "flood": test_flood,
    "listeners": test_listeners,
    "storm": test_storm,
    "mirror-fields": lambda: test_group("mirror", MIRROR, "fields"),
    "mirror-offers": lambda: test_group("mirror", MIRROR, "offers"),
    "mirror-qps": lambda: test_group("mirror", MIRROR, "qps"),
    "mirror-regions": lambda: test_group("mirror", MIRROR, "regions"),
    "mirror-remote": lambda: test_group("remote", MIRROR, "initiator"),
    "mirror-streams": lambda: test_group("mirror", MIRROR, "streams"),
    "mirror-steps": lambda: test_group("mirror", MIRROR, "steps"),
    "mirror-order": lambda: test_group("mirror", MIRROR, "order"),
}
# groups that test in short whether a device serves, refuses, and protects its memory
SHORT = ("good", "token", "offers", "remote")
# groups that are known to pass over siw; any group can be named
OVER_IWARP = SHORT + ("rules", "order", "probe", "qps", "datagrams", "leave", "passive",
                      "lockout", "limits", "unheard", "crowded", "mirror-offers")


def chosen():
    """Return: the groups that are named; otherwise those of the share K/N, every N-th group."""
    groups = sys.argv[1:] or [*(SHORT if icb.QUICK else GROUPS)]
    share, shares = map(int, os.environ.get("ICBENCH_FUZZ_SHARE", "1/1").split("/"))
    return groups[share - 1::shares]


def cpu_seconds():
    """Return: seconds that the machine's CPUs have spent in user space and in the kernel."""
    with open("/proc/stat", encoding="ascii") as f:
        user, nice, system, _, _, irq, softirq = map(int, f.readline().split()[1:8])
    return (user + nice) / 100, (system + irq + softirq) / 100


for group in chosen():
    spent = cpu_seconds()
    if icb.IWARP and group not in OVER_IWARP and not sys.argv[1:]:
        tap.skip(group, "over RoCE alone by now")
        continue
    try:
        GROUPS[group]()
    except Exception as error:	# pylint: disable=broad-exception-caught
        tap.ok(False, f"{group}: came to its end", f"{type(error).__name__}: {error}")
    user, kernel = (now - then for now, then in zip(cpu_seconds(), spent))
    note(f"{group}: CPU seconds: {user:.1f} in user space, {kernel:.1f} in the kernel")
for server in servers:
    server.close()
note(f"wire: seed {SEED}: {os.path.getsize(attempts.name)} connections attempted, "
     f"{tap.count} tests")
sys.exit(tap.done())
