# SPDX-License-Identifier: GPL-2.0
"""What machine a does for tests/vm/70-pair.t, and what both do where one of
them is about to die. Argument: the part to play.
"""

import os
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../chaos"))

# pylint: disable=wrong-import-position
import icb
from icb import N, SLOW, Client, Tap, clean, note, number, parse, until
from hold import hold
from states import word

PEER = os.environ["ICBENCH_PEER"]
SELF = "10.77.0.1" if os.environ["ICBENCH_NODE"] == "a" else "10.77.0.2"
CONNECTING, DRAINING = N["JOB_STATE_CONNECTING"], N["JOB_STATE_DRAINING"]
WARMUP, MEASURING = N["JOB_STATE_WARMUP"], N["JOB_STATE_MEASURING"]
PORT = 9999
STOP_ME = 666		# a run with this seed wants to be stopped by its peer
BOUND = 30

tap = Tap()


def serve(*options):
    # a session of its own: the signal that ends us is not for it
    with open("/tmp/serve.log", "a", encoding="utf-8") as log:
        return subprocess.Popen(["icbenchctl", "serve", *options], stdout=log, stderr=log,
                                start_new_session=True)


def responders(client):
    return [j for j in client.jobs() if j.role == N["ROLE_RESPONDER"]]


def seed(client, job):
    """What a run has for a seed; 0 if it is gone by now."""
    try:
        raw = dict(parse(client.request(N["CMD_JOB_GET"], icb.u32(N["A_JOB_ID"], job.id))[0]))
    except icb.Refused:
        return 0
    return number(dict(parse(raw[N["A_JOB_PARAMS"]]))[N["A_PARAMS_SEED"]])


def in_use(client, *what):
    return {(number(li[N["A_LISTEN_CM_PORT"]]), w): number(li[N[f"A_LISTEN_{w}"]])
            for li in client.listeners() for w in what if number(li[N[f"A_LISTEN_{w}"]])}


def server():
    """Listeners of all kinds, until SIGINT; then what they have in use."""
    stopped = False

    def stop(*_):
        nonlocal stopped
        stopped = True

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    token = os.path.join(os.path.dirname(__file__), "token")
    servers = [serve("--bind", SELF),
               serve("-p", "1001", "--token-file", token),
               serve("-p", "1002", "--max-memory", "64K"),
               serve("-p", "1003", "--max-qps", "1")]
    client = Client()
    while not stopped:
        for job in responders(client):
            if job.state == MEASURING and job.done >= 50 and seed(client, job) == STOP_ME:
                subprocess.run(["icbenchctl", "stop", str(job.id)], check=False)
        time.sleep(0.2)
    until(4, lambda: not in_use(client, "MEMORY", "QPS", "SESSIONS"))
    tap.ok(len(client.listeners()) == 4, "every server is still there")
    tap.ok(not in_use(client, "MEMORY", "QPS", "SESSIONS"), "nothing is in use",
           in_use(client, "MEMORY", "QPS", "SESSIONS"))
    tap.ok(set(in_use(client, "ACCEPTED")) == {(p, "ACCEPTED") for p in (18515, 1001, 1002, 1003)},
           "every server has served", in_use(client, "ACCEPTED"))
    tap.ok({(p, "REFUSED") for p in (1001, 1002, 1003)} <= set(in_use(client, "REFUSED")),
           "those with limits have refused", in_use(client, "REFUSED"))
    for process in servers:
        process.send_signal(signal.SIGINT)
    tap.ok(all(process.wait(5) == 0 for process in servers), "servers end with 0")
    with open("/tmp/serve.log", encoding="utf-8") as log:
        said = log.read()
    tap.ok(f"refused {PEER}" in said and "max-memory" in said and "token" in said,
           "servers tell whom they refused, and why", said)
    client.close()
    tap.check("nothing is left", clean)
    return tap.done()


def runs():
    """One each of what can be under way when a machine dies: the words, and the state."""
    client = Client()
    modes = [word("COMPLETION", c) for c in client.benches()["echo"][1]]
    client.close()
    measuring = [("--completion", m) for m in modes if m != "memory"] + [("--verb", "write")]
    return [(words, MEASURING) for words in measuring] + \
        [(("--warmup", "1000000000", *words), WARMUP) for words in ((), ("--completion", "block"))]


# What would be over in a moment, and the call of its responder's that is held for it to
# last. Its responder is told of a death by the same timeout as it is.
HELD = ((("--warmup", "1000"), CONNECTING, "icb_respond"),
        (("-n", "50", "--warmup", "0"), DRAINING, "icb_listener_seal"))
HELD_TIMEOUT = 10


def begin(words, timeout=2):
    length = () if "-n" in words else ("-D", "600")
    return subprocess.Popen(["icbenchctl", "run", "latency", PEER, "--warmup", "5", *length,
                             "--timeout", f"{timeout * SLOW}s", *words],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def hold_some():
    """The victim's part: the next call of each is held until the end of all."""
    with socket.create_server(("", PORT)) as server:
        near, _ = server.accept()
        with near, near.makefile("rw", encoding="ascii") as lines:
            for _, _, function in HELD:
                hold(function, 600)
                print("held", file=lines, flush=True)
                lines.readline()


def be_held(client):
    """The survivor's part. Return: these runs."""
    def connect():
        try:
            return socket.create_connection((PEER, PORT), timeout=60)
        except OSError:
            return None

    started = []
    with until(60, connect) as sock, sock.makefile("rw", encoding="ascii") as lines:
        for words, state, _ in HELD:
            lines.readline()
            started.append(begin(words, HELD_TIMEOUT))
            if not until(HELD_TIMEOUT, lambda: any(j.state == state and not j.role   # pylint: disable=cell-var-from-loop
                                                   for j in client.jobs())):
                raise RuntimeError(f"no run gets to state {state}")
            print("is there", file=lines, flush=True)
    return started


def both(survive):
    """Serve and be served, until the other one dies."""
    listening = serve()
    client = Client()
    until(60, client.listeners)
    # the other one may not listen yet
    until(60, lambda: not subprocess.run(
        ["icbenchctl", "run", "latency", PEER, "-n", "1", "--warmup", "0", "--timeout", "2s"], check=False,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode)
    mine = runs()
    started = [begin(words) for words, _ in mine]

    def all_under_way():
        jobs = client.jobs()
        return len(jobs) == 2 * len(mine) and \
            sum(j.state == WARMUP for j in jobs) == sum(s == WARMUP for _, s in mine) and \
            all(j.state == WARMUP or j.state == MEASURING and (j.done or j.role) for j in jobs)

    if not until(120, all_under_way):
        note("\n# ".join(map(str, client.jobs())))
        tap.ok(False, "all runs are under way")
        return tap.done()
    if not survive:
        hold_some()
        print("# all runs are under way", flush=True)
        time.sleep(600)
    started += be_held(client)
    mine += [(words, state) for words, state, _ in HELD]
    print("# all runs are under way", flush=True)
    since = time.monotonic()
    tap.ok(until(BOUND + 120, lambda: not client.jobs()), "all runs end",
           "\n".join(map(str, client.jobs())))
    note(f"after {time.monotonic() - since:.1f} s, with those until the other died")
    for (words, state), process in zip(mine, started):
        out, err = process.communicate(timeout=BOUND * SLOW)
        note(f"{' '.join(words)}: {err.strip()}")
        tap.ok(process.returncode == 1 and len(err.splitlines()) == 1 and
               ("PARTIAL" in out) == (state in (MEASURING, DRAINING)),
               f"the peer dies: {' '.join(words)}: what was measured is printed, status 1",
               f"{process.returncode} {out} {err}")
    tap.ok(not in_use(client, "MEMORY", "QPS", "SESSIONS"), "the server has nothing in use",
           in_use(client, "MEMORY", "QPS", "SESSIONS"))
    tap.check("the server serves the next", icb.works, peer=SELF)
    listening.send_signal(signal.SIGINT)
    tap.ok(listening.wait(10) == 0, "the server ends with 0")
    client.close()
    tap.check("nothing is left", clean)
    note(f"deaths: machine {os.environ['ICBENCH_NODE']}: {len(mine)} runs of the survivor's ended")
    return tap.done()


PARTS = {"server": server, "victim": lambda: both(False), "survivor": lambda: both(True)}
sys.exit(PARTS[sys.argv[1]]())
