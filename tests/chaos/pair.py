# SPDX-License-Identifier: GPL-2.0
"""What the other machine does to a run, in every state of the run, many times.
Argument: the part to play, "far" or "near".
"""

import os
import random
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../vm/guest"))

# pylint: disable=wrong-import-position
from icb import Client, Refused, Tap, clean, load, note, plug, tool, unload, unplug, until, works
from states import CONNECTING, FAILED, MODES, STATES, Run, keys, waits

REPEATS = max(int(os.environ.get("ICBENCH_CHAOS_REPEATS", "0")), 1)
SEED = int(os.environ.get("ICBENCH_CHAOS_SEED", "1"))
FAR, NEAR = "10.77.0.1", "10.77.0.2"
PORT = 9999
TOKEN = os.path.join(HERE, "../vm/guest/token")
# who hears nothing any more gives up
TIMEOUT = 2 * 10**9

with open(TOKEN, "rb") as secret:
    SECRET = secret.read().rstrip(b"\n")

tap = Tap()


class Far:
    """Serves, and does what it is told, a word a line."""

    def __init__(self):
        self.server = None

    def serve(self):
        """A listener is there."""
        if self.server and self.server.poll() is None:
            return
        self.server = subprocess.Popen(["icbenchctl", "serve", "--token-file", TOKEN], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, start_new_session=True)
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
        time.sleep(TIMEOUT / 10**9 + 2)
        tool("ip", "neigh", "del", NEAR, "dev", "icb0")

    def check(self):
        """Nothing is left."""
        self.interrupt()
        clean()


EVENTS = {w: getattr(Far, w).__doc__.rstrip(".")
          for w in ("stop", "interrupt", "kill", "rmmod", "device", "vanish")}
WORDS = (*EVENTS, "serve", "check")
ONLY = os.environ.get("ICBENCH_CHAOS_EVENTS", "")


def be_far():
    far = Far()
    with socket.create_server(("", PORT)) as server:
        while True:
            near, _ = server.accept()
            with near, near.makefile("rw", encoding="ascii") as lines:
                for word in lines:
                    answer = "done"
                    try:
                        if word.strip() not in WORDS:
                            return 0
                        if word.strip() == "vanish":
                            # the answer would not get through
                            print("away", file=lines, flush=True)
                            time.sleep(0.1)
                        getattr(far, word.strip())()
                    except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
                        answer = f"{type(error).__name__}: {error}".replace("\n", "; ")
                    print(answer, file=lines, flush=True)


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

    def __init__(self, name):
        self.state, params = STATES[name]
        self.params = params | {"peer": FAR, "timeout": TIMEOUT, "token": SECRET}
        if self.state == CONNECTING:
            self.params |= {"duration": 10**12}
        self.client = Client()
        self.id = self.client.new(**keys(self.params))
        self.client.start(self.id)
        if self.state == CONNECTING:
            time.sleep(random.random() * 0.05)
        elif not until(60, self.there):
            raise RuntimeError(f"does not get to be {name}: {self.get()}")


def cell(near, event, state):
    for i in range(REPEATS):
        near.begin("serve")
        near.end()
        run = FarRun(state)
        near.begin(event)
        if event == "vanish":
            near.lines.readline()
        try:
            job = run.kept(FAILED)
            if not job.reason:
                raise RuntimeError("does not say why")
        except RuntimeError as error:
            raise RuntimeError(f"time {i + 1}: {error}") from error
        finally:
            run.forget()
            near.end()
    clean()


def be_near():
    random.seed(SEED)
    near = Near()
    # with two machines there are always two threads
    states = ["connecting", "warmup", "warmup, block",
              *(f"measuring, {m}" for m in MODES if "one" not in m)]
    cells = 0
    for event, what in EVENTS.items():
        if ONLY and event not in ONLY.split(","):
            continue
        waits.clear()
        for state in states:
            tap.check(f"{what} x {state}", cell, near, event, state)
            cells += 1
        near.begin("serve")
        near.end()
        tap.check(f"{what}: a new run works", works, peer=FAR, token=SECRET)
        note(f"{what}: at most {max(waits) * 1000:.0f} ms")
    near.begin("check")
    tap.check("the other machine has nothing left", near.end)
    tap.check("nothing is left", clean)
    near.begin("bye")
    note(f"cells {cells}, events {cells * REPEATS}, seed {SEED}")
    return tap.done()


sys.exit({"far": be_far, "near": be_near}[sys.argv[1]]())
