# SPDX-License-Identifier: GPL-2.0
"""Events on the other machine, in every state of a run, many times. Argument: the part, "far" or
"near".
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
import hold
from icb import (IWARP, N, QUICK, SLOW, Client, Refused, Tap, clean, load, note, plug, reports,
                 unload, unplug, until, works)
from cells import REPEATS, Case, Cell, by_peer, play, under_way
from kernel import set_neighbour
from names import READ, choice
from states import FINISHED, LENGTHY, MODES, STATES, measuring, one_of_each

FAR, NEAR = "10.77.0.1", "10.77.0.2"
PORT = 9999
TOKEN = os.path.join(HERE, "../vm/guest/token")
# timeout of a run whose peer falls silent, ns
TIMEOUT = 10**9 * SLOW
# number of runs that wait for this timeout at a time
AT_A_TIME = 4

# Name: the state, the parameters that lead to it, and the call on the far machine that is held so
# that the state lasts. The cases of CORE are hit REPEATS times, the others once.
CASES = {
    "connecting": (N["JOB_STATE_CONNECTING"], {"duration": 10**12}, "icb_respond"),
    "draining": (N["JOB_STATE_DRAINING"], {"iterations": 10, "warmup": 0}, "icb_listener_seal"),
    READ: (FINISHED, LENGTHY, None),
    # without the modes of one thread: with two machines there are always two threads
} | {s: (*STATES[s], None) for s in ("warmup", "warmup, block",
                                     *(f"measuring, {m}" for m in MODES if "one" not in m))}
if not IWARP:
    # transports without a connection that could break
    CASES |= {f"measuring, {t}": (*measuring({"transport": t}), None) for t in ("uc", "ud")}
CORE = ["connecting", "warmup", "warmup, block", *one_of_each(), "draining", READ]

with open(TOKEN, "rb") as secret:
    SECRET = secret.read().rstrip(b"\n")

tap = Tap()


class Far:
    """The far side: it serves, and executes one command for each line that it receives."""

    def __init__(self):
        self.server = None
        self.lines = None

    def serve(self):
        """Make a listener, unless there is one."""
        if self.server and self.server.poll() is None:
            return
        self.server = subprocess.Popen(["icbenchctl", "serve", "--token-file", TOKEN],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       start_new_session=True)
        client = Client()
        until(20, client.listeners)
        client.close()

    def stop(self):
        """Stop its side of the run."""
        client = Client()
        # the peer's run may not have arrived yet
        for job in until(10, client.jobs):
            try:
                client.stop(job.id)
            except Refused:		# the job has ended
                pass
        client.close()

    def end(self, sig):
        self.server.send_signal(sig)
        self.server.wait(60)

    def interrupt(self):
        """End its serve by Ctrl-C."""
        self.end(signal.SIGINT)

    def kill(self):
        """Kill its serve."""
        self.end(signal.SIGKILL)

    def rmmod(self):
        """Unload its module."""
        unload()
        self.server.wait(60)
        load()

    def device(self):
        """Remove its device."""
        unplug()
        plug()

    def vanish(self):
        """Cut its packets off: send them to a wrong hardware address, until the near side's run
        has timed out. The link stays up, because without it virtio_net would keep packets, which
        hold references to rxe's QPs."""
        set_neighbour("icb0", NEAR, "020000000099")
        hold.let_go()
        # packets of the near side still arrive, and so does its next line
        self.lines.readline()
        set_neighbour("icb0", NEAR, None)

    hold, held, let_go = map(staticmethod, (hold.hold, hold.held, hold.let_go))

    def check(self):
        """Nothing is left."""
        self.interrupt()
        clean()
        if reports():
            raise RuntimeError("; ".join(reports()))


NAMES = ("stop", "interrupt", "kill", "rmmod", "device", "vanish")
EVENTS = {w: getattr(Far, w).__doc__.rstrip(".") for w in NAMES}
WANTED = choice("ICBENCH_PAIR_EVENTS", EVENTS)
WORDS = (*EVENTS, "serve", "hold", "held", "let_go", "check")


def be_far():
    far = Far()
    with socket.create_server(("", PORT)) as server:
        while True:
            near, _ = server.accept()
            with near, near.makefile("rw", encoding="ascii") as far.lines:
                for line in iter(far.lines.readline, ""):
                    word, *arguments = line.split()
                    if word not in WORDS:
                        return 0
                    if word == "vanish":
                        # answer first, because the answer would not arrive afterwards
                        print("away", file=far.lines, flush=True)
                        time.sleep(0.1)
                    elif word in EVENTS:
                        hold.let_go_soon()
                    try:
                        done = getattr(far, word)(*arguments)
                        answer = "done" if done is None else f"done {done}"
                    except (Refused, RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                        answer = f"{type(error).__name__}: {error}".replace("\n", "; ")
                    print(answer, file=far.lines, flush=True)


class Near:
    """The near side's connection to the far side."""

    def __init__(self):
        def connect():
            try:
                return socket.create_connection((FAR, PORT), timeout=120)
            except OSError:
                return None

        self.sock = until(60, connect)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = self.sock.makefile("rw", encoding="ascii")

    def begin(self, *words):
        print(*words, file=self.lines, flush=True)

    def end(self):
        answer = self.lines.readline().strip()
        if not answer.startswith("done"):
            raise RuntimeError(f"the other machine: {answer}")
        return answer[5:] or None

    def ask(self, *words):
        self.begin(*words)
        return self.end()

    def hold(self, function):
        self.ask("hold", function)

    def held(self):
        return int(self.ask("held"))

    def let_go_soon(self):
        """Nothing to do: the far side releases the call when it receives the event."""


def attempt(near, event, names):
    """Return: the runs in these states and how long each took to end, or the error."""
    more = {"timeout": TIMEOUT} if event == "vanish" else {}
    runs = [Case(name, CASES[name], near, peer=FAR, token=SECRET, **more) for name in names]

    def end():
        near.begin(event)
        if event == "vanish":
            near.lines.readline()

    near.ask("serve")
    try:
        under_way(runs)
        by_peer(end)(runs)
        if event == "vanish":
            near.begin("back")
        near.end()
    finally:
        near.ask("let_go")
        for run in runs:
            run.close()
    return runs


def be_near():
    near = Near()
    total = {"cells": 0, "hits": 0, "tries": 0}
    for event in WANTED:
        what = EVENTS[event]
        timeout = TIMEOUT / 10**9 if event == "vanish" else 0
        cells = [Cell(name, CASES[name], REPEATS if name in CORE else 1, timeout)
                 for name in (CORE if QUICK else CASES)]
        hits, tries = play(tap, what, cells, lambda names, event=event: attempt(near, event, names),
                           AT_A_TIME if event == "vanish" else 1)
        near.ask("serve")
        tap.check(f"{what}: a new run works", works, peer=FAR, token=SECRET)
        total = {"cells": total["cells"] + len(cells), "hits": total["hits"] + hits,
                 "tries": total["tries"] + tries}
    tap.check("the other machine has nothing left, and no reports", near.ask, "check")
    tap.check("nothing is left", clean)
    near.begin("bye")
    tap.ok(not reports(), f"reports seen: {len(reports())}", "\n".join(reports()))
    note(f"{REPEATS} repetitions each of {len(CORE)} states, 1 of {len(CASES) - len(CORE)} others")
    note(f"pair: machine a: {total['cells']} cells, {total['hits']} hits, "
         f"{total['tries'] - total['hits']} misses")
    return tap.done()


sys.exit({"far": be_far, "near": be_near}[sys.argv[1]]())
