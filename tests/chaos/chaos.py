#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Every event that can happen to a run, many times in every state of a run. Each time the run
ends within a bounded time, keeps what it has measured, and leaves nothing.
"""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../vm/guest"))

# pylint: disable=wrong-import-position
import hold
from icb import (DEVICE, IWARP, N, QUICK, SLOW, Client, Refused, Tap, clean, load, note,
                 pages_in_use, plug, reports, threads, threads_on, tool, unload, unplug, until, works)
from kernel import set_address, set_link
from states import (ADDRESS, COMPLETE, CONNECTING, CPU1, CPU1_GONE, FAILED, FINISHED, LENGTHY, LONG,
                    MEASURING, NEW, STATES, STOPPED, WARMUP, add_parameters, begin, by_address,
                    by_delete, by_device, by_link, by_owner, by_stop, by_unload, each, end_of,
                    judge, keys, one_of_each, possible, within, word)
from cells import REPEATS, TRIES, Case, Cell, by_peer, given_back, play, settled_pages, under_way
from names import ANSWERED_LATE, FURTHER, READ, choice, draining

# M/N: this machine takes every N-th event, from the M-th on. The 0-th share is the parts "many
# jobs", "cycles" and "icbenchctl". Without a share and a choice of events it takes everything.
SHARE = os.environ.get("ICBENCH_CHAOS_SHARE", "")
MINE, SHARES = (int(n) for n in (SHARE or "1/1").split("/"))
DRAINING = N["JOB_STATE_DRAINING"]
TOKEN = b"of the chaos tests"
PM = "/sys/power"
# stages of the kernel's suspend test, and the sleep state that reaches each of them
SLEEPS = {"freezer": "freeze", "devices": "freeze", "processors": "mem", "core": "mem"}
PM_DELAY = "/sys/module/suspend/parameters/pm_test_delay"
# number of jobs at a time
MANY = 64
# Number of cycles before memory use settles; bytes by which it still fluctuates (the maximum seen
# was 45 KiB, in 204 cycles and in 10,200); bytes per cycle that are less than any leaked object.
WARM, RESTLESS, PER_CYCLE = 201, 64 << 10, 2
# the same limits for pages that belong to no slab cache, which any buffer uses
RESTLESS_PAGES, CYCLES_PER_PAGE = 16, 8
# caches that change with file use, and objects that are freed only when there are many
OF_FILES = "inode|dentry|file|filp|kernfs|names_cache|radix_tree|buffer_head|vmap_area"

tap = Tap()


def put(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


# Name: the state, the parameters that lead to it, and the call that is held so that the state
# lasts.
CASES = {}
# names of the cases that are hit many times
CORE = []
# names of the cases that are tested: those of ICBENCH_CHAOS_STATES, or CORE with ICBENCH_QUICK
CHOSEN = []


def add_cases():
    CASES.update({name: (*case, None) for name, case in STATES.items()})
    CORE.extend(name for name, case in STATES.items() if case[0] in (CONNECTING, WARMUP))
    CORE.extend(one_of_each())
    CASES[ANSWERED_LATE] = (CONNECTING, {"duration": LONG}, "icb_respond")
    for mode in (word("COMPLETION", number) for number in Client().benches()["echo"][1]):
        params = {"iterations": 10, "warmup": 0, "completion": mode}
        if mode == "memory":
            params["verb"] = "write"
        CASES[draining(mode)] = (DRAINING, params, "icb_listener_seal")
    CASES[READ] = (FINISHED, LENGTHY, None)
    CORE.extend((ANSWERED_LATE, draining("poll"), draining("block"), READ))
    chosen = choice("ICBENCH_CHAOS_STATES", CASES)
    all_of_them = not os.environ.get("ICBENCH_CHAOS_STATES")
    CHOSEN.extend(CORE if QUICK and all_of_them else chosen)


def gone(runs):
    """Wait for the end of runs whose job no longer exists, so that it cannot be queried."""
    within("the end", lambda: not threads())
    for run in runs:
        run.took = time.monotonic() - run.since


def by_close(runs):
    by_owner(runs)
    gone(runs)


def by_kill(runs):
    """The owner is killed by a signal that it cannot catch."""
    owner = os.fork()
    if not owner:
        signal.pause()
    # from here on only the owner has the sockets of the runs
    for run in runs:
        run.client.close()
        run.client = Client()
        if run.reader:
            run.reader.sock.close()
    begin(runs)
    for run in runs:
        run.reader = None
    os.kill(owner, signal.SIGKILL)
    os.waitpid(owner, 0)
    gone(runs)


def by_rmmod(runs):
    """Unload the module. The first attempt is refused while a result is being read; the reader
    continues, and then the module is unloaded."""
    readers = [run for run in runs if run.reader]
    begin(readers)
    if readers:
        try:
            unload()
        except RuntimeError as error:
            if os.strerror(errno.EAGAIN) not in str(error):
                raise
            each(readers, lambda run: run.read_on())
        else:
            load()
            raise RuntimeError("was unloaded under who reads a result")
    by_unload(runs)


def survived(runs, awake=True):
    """For events that do not end a run. The run continues, unless its call is held or it has
    ended anyway, and it can be stopped. AWAKE: the machine was awake, so failures are in time."""
    def on(run):
        if run.state != MEASURING or run.held:
            return
        done = run.get().done
        if not until(10, lambda: run.get().done > done or run.get().state == FINISHED):
            raise RuntimeError(f"measures nothing any more: {run.get()}")

    def stop(run):
        if run.state == NEW:
            run.client.start(run.id)
        if awake and run.get().outcome == FAILED:
            run.over()
        # the time limit for the end of a run counts from here
        run.since = time.monotonic()
        run.client.stop(run.id)

    def stopped(run):
        run.kept(*((COMPLETE,) if run.state == FINISHED else (STOPPED, FAILED, COMPLETE)))
        run.forget()

    each(runs, on)
    each(runs, stop)
    judge(runs, stopped)


def on_cpu1(params):
    """Return: parameters that bind a thread of the run to CPU 1, which goes offline. In turns
    this is the peer's thread, by default, or the run's own. If one CPU has both, it is CPU 1."""
    takes_turns.reverse()
    if "peer-cpu" in params:
        return {"cpu": 1, "peer-cpu": 1}
    if takes_turns[0] or "shadow-cpu" in params:
        return {}
    # a run with a remote peer cannot choose the peer's CPU
    both = {"cpu": 1, "peer-cpu": 0}
    return both if "peer" not in params and possible(params | both) else {"cpu": 1}


# whether the peer's thread is on CPU 1 the next time, and the time after
takes_turns = [True, False]


def by_cpu(runs):
    """The CPU of one of the run's threads goes offline. A run without a thread bound to this CPU
    continues."""
    bound = threads_on(1)
    begin(runs)
    put(CPU1, "0")
    try:
        if bound:
            begin(runs)			# restart the clock: a run could not end before this
            end_of(runs, CPU1_GONE)
        else:
            survived(runs)
    finally:
        put(CPU1, "1")


def by_suspend(runs):
    """Suspend and resume the machine by the kernel's suspend test, at each call to another one
    of its stages."""
    def awake(run):
        if run.state in (WARMUP, MEASURING) and not run.there():
            raise RuntimeError(f"has not survived: {run.get()}")

    level = stages[sum(slept.values()) % len(stages)]
    what = f"suspend, {level}"
    begin(runs)
    put(f"{PM}/pm_test", level)
    try:
        put(f"{PM}/state", SLEEPS[level])
    except OSError as error:		# temporary refusal: accepted, but not each time
        if error.errno not in (errno.EAGAIN, errno.EBUSY):
            raise
        what += f", was refused: {os.strerror(error.errno)}"
    finally:
        put(f"{PM}/pm_test", "none")
        slept[what] = slept.get(what, 0) + 1
    # time in which a thread learns that its CPU was offline
    time.sleep(0.3 * SLOW)
    each(runs, awake)
    survived(runs, awake=False)


# stages that the machine supports, and how often each was reached
stages, slept = [], {}


class Peer:
    """A listener on this host, and its owner."""

    def __init__(self):
        self.owner = Client()
        self.listener = self.owner.listen(18515, token=TOKEN)

    def stop(self):
        for job in self.owner.jobs():
            if job.role == N["ROLE_RESPONDER"]:
                try:
                    self.owner.stop(job.id)
                except Refused:			# the job has ended
                    pass

    def unlisten(self):
        self.owner.unlisten(self.listener)

    def die(self):
        self.owner.close()


# events that act on runs, or on their peer
EVENTS = {
    "stop": by_stop,
    "job-del": by_delete,
    "owner closes": by_close,
    "owner killed -9": by_kill,
    "rmmod": by_rmmod,
    "rdma link del": by_device,
    "netdev down and up": by_link,
    "address removed": by_address,
    "CPU offline": by_cpu,
    "suspend": by_suspend,
}
PEERS_EVENTS = {
    "peer's run stopped": Peer.stop,
    "peer's listener deleted": Peer.unlisten,
    "peer's owner dies": Peer.die,
}


# parts of the test that are no event
PARTS = ("many jobs", "cycles", "icbenchctl")
WANTED = choice("ICBENCH_CHAOS_EVENTS", (*EVENTS, *PEERS_EVENTS, *PARTS))


def impossible(event):
    """Return: why this kernel or machine cannot have this event; None if it can."""
    if event == "CPU offline" and not os.path.exists(CPU1):
        return "no second CPU that can be taken offline"
    if event == "suspend" and not stages:
        return "the kernel has no test of suspend, or the machine no sleep"
    return None


def prepare_sleep():
    if not os.path.exists(f"{PM}/pm_test"):
        return
    with open(f"{PM}/state", encoding="ascii") as f:
        possible = f.read().split()
    stages.extend(level for level, sleep in SLEEPS.items() if sleep in possible)
    if os.path.exists(PM_DELAY):
        put(PM_DELAY, "0")		# without the 5 s that are for a human observer
        tool("insmod", os.path.join(os.environ["ICBENCH_WITH"], "awake.ko"))


def cases(event):
    """Yield the cases that an event may hit. A peer's event needs a run that uses the peer."""
    for name, (state, params, _) in CASES.items():
        if name not in CHOSEN:
            continue
        if event in PEERS_EVENTS and (state == NEW or name in ("looking", "connecting", "finished")):
            continue
        # the peer's listener is on the first device only
        if event in PEERS_EVENTS and isinstance(params.get("device"), list):
            continue
        yield name


# Additional time in seconds for which the kernel itself may keep a run. siw gives up an
# unanswered connection after 10 s, and the connection cannot be destroyed before. No answer
# arrives at an address that was removed.
KEPT = {("address removed", ANSWERED_LATE): 10} if IWARP else {}


def cell(event, name):
    return Cell(name, CASES[name], REPEATS if name in CORE else 1, KEPT.get((event, name), 0))


def see_that_some_meet():
    """Exit if the chosen events and states have no case in common."""
    if not any(e in PARTS or list(cases(e)) for e in WANTED):
        sys.exit("ICBENCH_CHAOS_EVENTS, ICBENCH_CHAOS_STATES: none of these events hits one of "
                 "these states")


def attempt(event, names):
    """Return: the runs in these states and how long each took to end, or the error."""
    peer = Peer() if event in PEERS_EVENTS else None
    more = {"peer": ADDRESS, "token": TOKEN} if peer else {}
    act = by_peer(lambda: PEERS_EVENTS[event](peer)) if peer else EVENTS[event]
    runs = []
    try:
        for name in names:
            there = on_cpu1(CASES[name][1]) if event == "CPU offline" else {}
            runs.append(Case(name, CASES[name], hold, **more, **there))
        under_way(runs)
        act(runs)
    finally:
        if any(run.held for run in runs):
            hold.let_go()
        for run in runs:
            run.close()
        if peer:
            peer.die()
        if not os.path.exists("/sys/module/icbench"):
            load()
    return runs


def test_cells():
    total = {"cells": 0, "hits": 0, "tries": 0}
    before, events = settled_pages(), 0
    for event in [e for e in WANTED if e not in PARTS][MINE - 1::SHARES]:
        if impossible(event):
            tap.skip(event, impossible(event))
            continue
        cells = [cell(event, name) for name in cases(event)]
        hits, tries = play(tap, event, cells, lambda names, event=event: attempt(event, names))
        tap.check(f"{event}: a new run works", works)
        total = {"cells": total["cells"] + len(cells), "hits": total["hits"] + hits,
                 "tries": total["tries"] + tries}
        events += 1
    # all events together may leave as much as the sum of what each may leave
    given_back(tap, "all events", before, total["tries"], max(1, events))
    for what, times in slept.items():
        note(f"{what}: {times} times")
    for level in stages[:sum(slept.values())]:
        tap.ok(f"suspend, {level}" in slept, f"suspend: the machine sleeps as far as {level}",
               slept)
    note(f"{REPEATS} repetitions each of {len(CORE)} states, 1 of {len(CASES) - len(CORE)} others; "
         f"device {DEVICE}")
    return total


def test_many():
    """64 jobs at a time on one device, with each completion mode."""
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
            time.sleep(0.5)		# leave the CPUs to the jobs
            found = {j.id: j for j in client.jobs()}
            # while so many connect, one side may exceed the timeout of the other
            for i, job in enumerate(jobs):
                if found[job].state == FINISHED:
                    if not re.search("too long|longer than", found[job].reason):
                        raise RuntimeError(f"ended by itself: {found[job]}")
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
    """Return: bytes in use of the kernel's caches, without objects that wait to be freed."""
    for name in os.listdir("/sys/kernel/slab"):
        try:
            put(f"/sys/kernel/slab/{name}/shrink", "1")
        except OSError:			# the cache was removed
            pass
    with open("/proc/slabinfo", encoding="ascii") as f:
        caches = [line.split()[:4] for line in f.readlines()[2:]]
    return sum(int(active) * int(size) for name, active, _, size in caches
               if not re.search(OF_FILES, name))


def vmalloc():
    with open("/proc/meminfo", encoding="ascii") as f:
        return int(re.search(r"^VmallocUsed: +([0-9]+)", f.read(), re.M).group(1)) * 1024


def in_use():
    return {"slab": slab(), "vmalloc": vmalloc(), "pages": pages_in_use()}


def settled():
    """Return: the memory in use, once earlier objects have been freed."""
    used = in_use()
    while True:
        time.sleep(1)
        last, used = used, in_use()
        if used["slab"] > last["slab"] - 4096:
            return used


HURRIED, DELETED = "stopped at once", "deleted"
WAYS = (COMPLETE, STOPPED, HURRIED, DELETED)


def cycle(client, turn):
    """One run. In turns it is stopped after its end, while it measures or as it begins, and then
    deleted; or it is deleted as it begins, without a stop. Return: which of these, and the
    duration in ms."""
    begun, way = time.monotonic(), WAYS[turn]
    job = client.new(warmup=0, **({"duration": LONG} if way == STOPPED else {"iterations": 20}))
    client.start(job)
    if way == COMPLETE:
        until(60, lambda: client.get(job).state == FINISHED)
    elif way == STOPPED:
        until(60, lambda: client.get(job).state == FINISHED or client.get(job).done)
    if way != DELETED:
        client.stop(job)
    if way in (COMPLETE, STOPPED):
        until(60, lambda: client.get(job).state == FINISHED)
        found = client.get(job)
        if found.outcome != way or not client.samples(job) == found.done > 0:
            raise RuntimeError(f"has not measured, or lost its result: {found}")
    client.delete(job)
    return way, (time.monotonic() - begun) * 1000


def test_cycles():
    """Create, start, stop and delete runs: memory use does not grow."""
    # three of four runs are stopped
    count = 136 * REPEATS

    ends = []

    def cycles():
        client = Client()
        for i in range(WARM + count):
            if i == WARM:
                before = settled()
                ends.clear()
            ends.append(cycle(client, i % len(WAYS)))
        client.close()
        clean()
        allowed = {"slab": RESTLESS + PER_CYCLE * count, "vmalloc": RESTLESS + PER_CYCLE * count,
                   "pages": RESTLESS_PAGES + count // CYCLES_PER_PAGE}

        def grown():
            return {what: n - before[what] for what, n in in_use().items()}

        def too_much(more):
            return any(n > allowed[what] for what, n in more.items())

        more = {}
        until(10, lambda: more.update(grown()) or not too_much(more))
        took = [[ms for end, ms in ends if end == way] for way in WAYS]
        ways = ", ".join(f"{len(times)} {words}, {sum(times) / len(times):.0f} ms each"
                         for words, times in zip(("complete", "stopped", HURRIED, DELETED), took))
        note(f"{count} cycles: {ways}: slab use has grown by {more['slab']} bytes, vmalloc's by "
             f"{more['vmalloc']}, other pages by {more['pages']}")
        if too_much(more):
            raise RuntimeError(f"memory use has grown by {more}")

    tap.check(f"{count} cycles of create, start, stop, delete", cycles)
    return len(ends)


# States in which a run of icbenchctl is hit: the state, the options, and the call that is held.
CLI_STATES = {
    "connecting": (CONNECTING, ("-D", "600"), "icb_respond"),
    "warming up": (WARMUP, ("--warmup", "1000000000", "-D", "600"), None),
    "measuring": (MEASURING, ("-D", "600"), None),
    "draining": (DRAINING, ("-n", "10", "--warmup", "0"), "icb_listener_seal"),
}


def stop_by_tool(_, job):
    tool("icbenchctl", "stop", str(job))


def load_again():
    if not os.path.exists("/sys/module/icbench"):
        load()


def link_again():
    set_link("icb0", True)
    unplug()
    plug()


def address_again():
    set_address("icb0", ADDRESS, True)
    unplug()
    plug()


# Events: the function that acts on the process and its job, its reversal, and words of the error.
CLI_EVENTS = {
    "run is stopped": (stop_by_tool, None, "stopped"),
    "owner is sent SIGINT": (lambda run, _: run.send_signal(signal.SIGINT), None, "Ctrl-C"),
    "owner is sent SIGTERM": (lambda run, _: run.send_signal(signal.SIGTERM), None, "SIGTERM"),
    "module is unloaded": (lambda *_: unload(), load_again, "is being unloaded"),
    "device is removed": (lambda *_: unplug(), plug, "device was removed"),
    "link goes down": (lambda *_: set_link("icb0", False), link_again, "went down"),
    "address is removed": (lambda *_: set_address("icb0", ADDRESS, False), address_again,
                           f"{ADDRESS} was removed"),
}


class Server:
    """A server process, whose listener is removed when it is killed."""

    def __init__(self):
        self.begin()

    def begin(self):
        self.process = subprocess.Popen(["icbenchctl", "serve"], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.process.stdout.readline()

    def kill(self):
        with self.process:
            self.process.kill()


def hit_cli(state, words, held, end):
    """End a run of icbenchctl by END. Return: its status, output, errors and result."""
    path = "/tmp/left.json"
    if held:
        hold.hold(held)
    # With several devices, use the one that is removed. The new session keeps the signals from
    # all other processes.
    with subprocess.Popen(["icbenchctl", "run", "latency", "--quiet", *words, "--device", DEVICE,
                           "--json", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, start_new_session=True) as run:
        client = Client()
        mine = until(60, lambda: [j for j in client.jobs() if j.role != N["ROLE_RESPONDER"] and
                                  j.state == state and
                                  (hold.held() if held else j.done or state == WARMUP)])
        client.close()
        try:
            if not mine:
                raise RuntimeError("does not get to its state")
            # Removing a device or the module waits for the held call, so release the call soon.
            # A stop by icbenchctl starts a process, which takes longer than that.
            if end == stop_by_tool:	# pylint: disable=comparison-with-callable
                end(run, mine[0].id)
                hold.let_go()
            else:
                hold.let_go_soon()
                end(run, mine[0].id)
            out, err = run.communicate(timeout=60 * SLOW)
        finally:
            run.kill()		# it has ended, unless something went wrong
            hold.let_go()
    with open(path, encoding="utf-8") as f:
        return run.returncode, out, err, json.load(f)


def by_cli(name, end, mend, why, *words):
    """Check what icbenchctl prints and saves of a run that END ends."""
    state, length, held = CLI_STATES[name]
    for _ in range(TRIES):
        try:
            status, out, err, result = hit_cli(state, (*words, *length), held, end)
        finally:
            if mend:
                mend()
        # status 0: the run had completed before the event; try again
        if status or not held:
            break
    measured = state in (MEASURING, DRAINING)
    counts = [p["metrics"]["latency"]["count"] for p in result["points"]]
    if status != 1 or ("PARTIAL" in out) != measured or len(err.splitlines()) != 1 or \
       why not in err or not result["partial"] or not result["reason"] or \
       not (len(counts) == 1 and counts[0] > 0 if measured else counts == []):
        raise RuntimeError(f"status {status}: {out} {err} {result['partial']} "
                           f"{result['reason']} {counts}")


def test_cli():
    for state in CLI_STATES:
        for event, (end, mend, why) in CLI_EVENTS.items():
            tap.check(f"icbenchctl, {state}: its {event}", by_cli, state, end, mend, why)
        server = Server()
        tap.check(f"icbenchctl, {state}: its peer is killed", by_cli, state,
                  lambda *_, server=server: server.kill(), server.begin, "", ADDRESS)
        server.kill()
    # only a thread that is bound to the CPU is affected
    for state in ("warming up", "measuring") if os.path.exists(CPU1) else ():
        tap.check(f"icbenchctl, {state}: its CPU goes offline", by_cli, state,
                  lambda *_: put(CPU1, "0"), lambda: put(CPU1, "1"), CPU1_GONE,
                  "--cpu", "1", "--peer-cpu", "0")
    tap.check("... nothing is left", clean)


def wanted(part):
    """Return: whether this machine tests this part."""
    return part in WANTED and (MINE == 0 or not SHARE)


def main():
    tap.check("a run works", works)
    if FURTHER:
        add_parameters()
    prepare_sleep()
    add_cases()
    see_that_some_meet()
    total = {"cells": 0, "hits": 0, "tries": 0}
    cycles = 0
    if MINE > 0:
        total = test_cells()
    if wanted("many jobs") and IWARP:
        # 64 polling jobs keep siw's thread from accepting for longer; siw then loses its listener
        tap.skip("many jobs", "siw gives up connections that its own thread takes 10 s to accept")
    elif wanted("many jobs"):
        test_many()
    if wanted("cycles"):
        cycles = test_cycles()
    if wanted("icbenchctl"):
        test_cli()
    tap.check("a run works in the end", works)
    tap.check("unloads", unload)
    tap.check("... and loads", load)
    tap.ok(not reports(), f"reports seen: {len(reports())}", "\n".join(reports()))
    note(f"chaos: share {MINE}/{SHARES}: {total['cells']} cells, {total['hits']} hits, "
         f"{total['tries'] - total['hits']} misses, {cycles} cycles")
    return tap.done()


sys.exit(main())
