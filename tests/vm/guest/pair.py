# SPDX-License-Identifier: GPL-2.0
"""What machine a does for tests/vm/70-pair.t, and what both do where one of
them is about to die. Argument: the part to play.
"""

import os
import signal
import subprocess
import sys
import time

import icb
from icb import N, SLOW, Client, Tap, clean, note, number, parse, until

PEER = os.environ["ICBENCH_PEER"]
SELF = "10.77.0.1" if os.environ["ICBENCH_NODE"] == "a" else "10.77.0.2"
WARMUP, MEASURING = N["JOB_STATE_WARMUP"], N["JOB_STATE_MEASURING"]
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


# one each of what can be under way when a machine dies
RUNS = (("--completion", "poll"), ("--completion", "softirq"), ("--completion", "workqueue"),
        ("--completion", "block"), ("--verb", "write"),
        ("--warmup", "1000000000"), ("--warmup", "1000000000", "--completion", "block"))
WARMING = sum(words[0] == "--warmup" for words in RUNS)


def both(survive):
    """Serve and be served, until the other one dies."""
    listening = serve()
    client = Client()
    until(60, client.listeners)
    # the other one may not listen yet
    until(60, lambda: not subprocess.run(
        ["icbenchctl", "run", "latency", PEER, "-n", "1", "--warmup", "0", "--timeout", "2s"], check=False,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode)
    runs = [subprocess.Popen(["icbenchctl", "run", "latency", PEER, "-D", "600", "--timeout", "2s",
                              "--warmup", "5", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for words in RUNS]

    def all_measuring():
        jobs = client.jobs()
        return len(jobs) == 2 * len(RUNS) and \
            sum(j.state == WARMUP for j in jobs) == WARMING and \
            all(j.state == WARMUP or j.state == MEASURING and (j.done or j.role) for j in jobs)

    if not until(120, all_measuring):
        note("\n# ".join(map(str, client.jobs())))
        tap.ok(False, "all runs are under way")
        return tap.done()
    print("# all runs are under way", flush=True)
    if not survive:
        time.sleep(600)
    begin = time.monotonic()
    tap.ok(until(BOUND + 120, lambda: not client.jobs()), "all runs end",
           "\n".join(map(str, client.jobs())))
    note(f"after {time.monotonic() - begin:.1f} s, with those until the other died")
    for words, process in zip(RUNS, runs):
        out, err = process.communicate(timeout=BOUND * SLOW)
        note(f"{words[1]}: {err.strip()}")
        tap.ok(process.returncode == 1 and len(err.splitlines()) == 1 and
               ("PARTIAL" in out) == (words[0] != "--warmup"),
               f"the peer dies: {' '.join(words)}: what was measured is printed, status 1",
               f"{process.returncode} {out} {err}")
    tap.ok(not in_use(client, "MEMORY", "QPS", "SESSIONS"), "the server has nothing in use",
           in_use(client, "MEMORY", "QPS", "SESSIONS"))
    tap.check("the server serves the next", icb.works, peer=SELF)
    listening.send_signal(signal.SIGINT)
    tap.ok(listening.wait(10) == 0, "the server ends with 0")
    client.close()
    tap.check("nothing is left", clean)
    return tap.done()


PARTS = {"server": server, "victim": lambda: both(False), "survivor": lambda: both(True)}
sys.exit(PARTS[sys.argv[1]]())
