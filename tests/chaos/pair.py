# SPDX-License-Identifier: GPL-2.0
"""What the other machine does to a run, in every state of the run, many times.
Argument: the part to play, "far" or "near".
"""

import os
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../vm/guest"))

# pylint: disable=wrong-import-position
from icb import (N, QUICK, SLOW, Client, Refused, Tap, clean, load, note, plug, reports, tool,
                 unload, unplug, until, works)
from hold import HOLD, Patience, hold
from states import (FAILED, FINISHED, LENGTHY, MODES, STATES, Reader, Run, keys, one_of_each,
                    waits)

REPEATS = max(int(os.environ.get("ICBENCH_CHAOS_REPEATS", "0")), 1)
FAR, NEAR = "10.77.0.1", "10.77.0.2"
PORT = 9999
TOKEN = os.path.join(HERE, "../vm/guest/token")
# who hears nothing any more gives up
TIMEOUT = 10**9 * SLOW
# how often a repetition that missed is tried again
TRIES = 10
COMPLETE = N["OUTCOME_COMPLETE"]

# Name: the state, the parameters that lead there, and what the far side does for it
# to last. Those of CORE are hit REPEATS times, other ways to measure once.
CASES = {
    "connecting": (N["JOB_STATE_CONNECTING"], {"duration": 10**12}, "held"),
    "draining": (N["JOB_STATE_DRAINING"], {"iterations": 50, "warmup": 0}, "report"),
    "result being read": (FINISHED, LENGTHY, None),
    # with two machines there are always two threads
} | {s: (*STATES[s], None) for s in ("warmup", "warmup, block",
                                     *(f"measuring, {m}" for m in MODES if "one" not in m))}
CORE = ["connecting", "warmup", "warmup, block", *one_of_each(), "draining",
        "result being read"]

with open(TOKEN, "rb") as secret:
    SECRET = secret.read().rstrip(b"\n")

tap = Tap()


class Far:
    """Serves, and does what it is told, a word a line."""

    def __init__(self):
        self.server = None
        self.lines = None

    def serve(self):
        """A listener is there."""
        if self.server and self.server.poll() is None:
            return
        self.server = subprocess.Popen(["icbenchctl", "serve", "--token-file", TOKEN],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       start_new_session=True)
        client = Client()
        until(20, client.listeners)
        client.close()

    def stop(self):
        """Its run is stopped."""
        client = Client()
        # which may not have come yet
        for job in until(10, client.jobs):
            try:
                client.stop(job.id)
            except Refused:		# has ended
                pass
        client.close()

    def end(self, sig):
        self.server.send_signal(sig)
        self.server.wait(60)

    def interrupt(self):
        """Ctrl-C ends its serve."""
        self.end(signal.SIGINT)

    def kill(self):
        """Its serve dies."""
        self.end(signal.SIGKILL)

    def rmmod(self):
        """Its module is unloaded."""
        unload()
        self.server.wait(60)
        load()

    def device(self):
        """Its device is removed."""
        unplug()
        plug()

    def vanish(self):
        """It is not heard of any more."""
        # what it sends goes to nobody, until whoever waits has given up. Not by
        # taking the link down: virtio_net keeps packets then, which keep rxe's QPs
        tool("ip", "neigh", "replace", NEAR, "lladdr", "02:00:00:00:00:99", "nud", "permanent",
             "dev", "icb0")
        # what the other one sends arrives
        self.lines.readline()
        tool("ip", "neigh", "del", NEAR, "dev", "icb0")

    def held(self):
        """Its next answer takes its time."""
        hold("icb_respond")

    def report(self):
        """Its next report takes its time."""
        hold("icb_listener_seal")

    def check(self):
        """Nothing is left."""
        self.interrupt()
        clean()
        if reports():
            raise RuntimeError("; ".join(reports()))


EVENTS = {w: getattr(Far, w).__doc__.rstrip(".")
          for w in ("stop", "interrupt", "kill", "rmmod", "device", "vanish")}
WORDS = (*EVENTS, "serve", "held", "report", "check")
ONLY = os.environ.get("ICBENCH_CHAOS_EVENTS", "")


def be_far():
    far = Far()
    with socket.create_server(("", PORT)) as server:
        while True:
            near, _ = server.accept()
            with near, near.makefile("rw", encoding="ascii") as far.lines:
                for word in iter(far.lines.readline, ""):
                    answer = "done"
                    try:
                        if word.strip() not in WORDS:
                            return 0
                        if word.strip() == "vanish":
                            # the answer would not get through
                            print("away", file=far.lines, flush=True)
                            time.sleep(0.1)
                        getattr(far, word.strip())()
                    except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                        answer = f"{type(error).__name__}: {error}".replace("\n", "; ")
                    print(answer, file=far.lines, flush=True)


class Near:
    """The connection to it."""

    def __init__(self):
        def connect():
            try:
                return socket.create_connection((FAR, PORT), timeout=120)
            except OSError:
                return None

        self.sock = until(60, connect)
        self.lines = self.sock.makefile("rw", encoding="ascii")

    def begin(self, word):
        print(word, file=self.lines, flush=True)

    def end(self):
        answer = self.lines.readline().strip()
        if answer != "done":
            raise RuntimeError(f"the other machine: {answer}")


class FarRun(Run):
    """A run with it, in a state."""

    def __init__(self, near, name):	# pylint: disable=super-init-not-called
        self.state, params, self.held = CASES[name]
        if self.held:
            near.begin(self.held)
            near.end()
        self.params = params | {"peer": FAR, "timeout": TIMEOUT, "token": SECRET}
        self.client = Client()
        self.id = self.client.new(**keys(self.params))
        self.client.start(self.id)
        if not until(60, lambda: self.there() or self.get().state == FINISHED):
            raise RuntimeError(f"does not get to be {name}: {self.get()}")
        self.reader = Reader(self.id) if self.state == FINISHED else None


def ended(near, run, event):
    """Return: whether the event did it."""
    near.begin(event)
    try:
        if event == "vanish":
            near.lines.readline()
        try:
            job = run.over()
        finally:
            if event == "vanish":
                near.begin("back")
        # it was faster
        if run.held and job.outcome == COMPLETE:
            return False
        if not run.kept(FAILED).reason:
            raise RuntimeError(f"does not say why: {job}")
    finally:
        near.end()
    return True


def still_read(near, run, event):
    """What the far side does is nothing to who reads."""
    near.begin(event)
    if event == "vanish":
        near.lines.readline()
        near.begin("back")
    near.end()
    run.reader.whole()
    run.kept(COMPLETE)
    return True


def attempt(near, event, state):
    """Return: whether it hit."""
    near.begin("serve")
    near.end()
    run = FarRun(near, state)
    try:
        if not run.there():
            return False
        return (still_read if run.reader else ended)(near, run, event)
    finally:
        run.forget()


def cell(near, event, state, figures):
    repeats = REPEATS if state in CORE else 1
    hits = tries = 0
    late = False
    # who is held there cannot end before that
    patience = Patience(TIMEOUT / 10**9 if event == "vanish" else HOLD if CASES[state][2] else 0)
    while hits < repeats or late:
        if tries >= hits + TRIES:
            raise RuntimeError(f"hit {hits} times in {tries}, not {repeats}")
        tries += 1
        waits.clear()
        try:
            if attempt(near, event, state):
                hits += 1
                late = patience.judge(max(waits))
                figures["late"] += late
        except (Refused, RuntimeError) as error:
            raise RuntimeError(f"time {tries}: {type(error).__name__}: {error}") from error
        finally:
            figures["tries"] += 1
            figures["waits"] += waits
    figures["hits"] += hits
    clean()


def be_near():
    near = Near()
    cells = 0
    figures = {"tries": 0, "hits": 0}
    for event, what in EVENTS.items():
        if ONLY and event not in ONLY.split(";"):
            continue
        figures |= {"waits": [], "late": 0}
        begin = time.monotonic()
        for state in CORE if QUICK else CASES:
            tap.check(f"{what} x {state}", cell, near, event, state, figures)
            cells += 1
        near.begin("serve")
        near.end()
        tap.check(f"{what}: a new run works", works, peer=FAR, token=SECRET)
        took = sorted(figures["waits"])
        note(f"{what}: {time.monotonic() - begin:.0f} s, ends after "
             f"{took[len(took) // 2] * 1000:.0f} ms, at most {took[-1] * 1000:.0f} ms, "
             f"{figures['late']} late")
    near.begin("check")
    tap.check("the other machine has nothing left, and no reports", near.end)
    tap.check("nothing is left", clean)
    near.begin("bye")
    tap.ok(not reports(), f"reports seen: {len(reports())}", "\n".join(reports()))
    note(f"{REPEATS} repetitions each of {len(CORE)} states, 1 of {len(CASES) - len(CORE)} others")
    note(f"pair: machine a: {cells} cells, {figures['hits']} hits, "
         f"{figures['tries'] - figures['hits']} misses")
    return tap.done()


sys.exit({"far": be_far, "near": be_near}[sys.argv[1]]())
