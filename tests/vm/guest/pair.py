# SPDX-License-Identifier: GPL-2.0
"""The part of machine a in tests/vm/70-pair.t, and the parts of both machines if one of them is
killed. Argument: the part.
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
from icb import N, ONE_IN, SLOW, Client, Tap, clean, note, number, parse, prompt, until
from hold import held, hold
from states import FINISHED, LENGTHY, Reader, keys, word

PEER = os.environ["ICBENCH_PEER"]
SELF = "10.77.0.1" if os.environ["ICBENCH_NODE"] == "a" else "10.77.0.2"
CONNECTING, DRAINING = N["JOB_STATE_CONNECTING"], N["JOB_STATE_DRAINING"]
WARMUP, MEASURING = N["JOB_STATE_WARMUP"], N["JOB_STATE_MEASURING"]
# ports at which the victim learns that the survivor has a result to read, and sends its heartbeat
READ_PORT, PORT = 9998, 9999
STOP_ME = 666		# seed of a run that its peer has to stop
BOUND = 30

tap = Tap()


def serve(*options):
    # a session of its own, so that it does not get the signal that ends this process
    with open("/tmp/serve.log", "a", encoding="utf-8") as log:
        return subprocess.Popen(["icbenchctl", "serve", *options], stdout=log, stderr=log,
                                start_new_session=True)


def responders(client):
    return [j for j in client.jobs() if j.role == N["ROLE_RESPONDER"]]


def param_of(client, job, name):
    """Return: the value of a parameter of a run; 0 if the run no longer exists."""
    try:
        raw = dict(parse(client.request(N["CMD_JOB_GET"], icb.u32(N["A_JOB_ID"], job.id))[0]))
    except icb.Refused:
        return 0
    return number(dict(parse(raw[N["A_JOB_PARAMS"]]))[N[f"A_PARAMS_{name}"]])


def in_use(client, *what):
    return {(number(li[N["A_LISTEN_CM_PORT"]]), w): number(li[N[f"A_LISTEN_{w}"]])
            for li in client.listeners() for w in what if number(li[N[f"A_LISTEN_{w}"]])}


def server():
    """Run listeners of all kinds until SIGINT, and then print what they have in use."""
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
            if job.state == MEASURING and job.done >= 50 and \
               param_of(client, job, "SEED") == STOP_ME:
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


def runs(survive):
    """Return: options and state of each kind of run that may be active when a machine dies, and
    how many runs both machines have. With ICBENCH_ONE_IN each machine starts one half of the
    kinds: the initiator or the responder of each kind survives."""
    client = Client()
    modes = [word("COMPLETION", c) for c in client.benches()["echo"][1]]
    client.close()
    measuring = [("--completion", m) for m in modes if m != "memory"] + [("--verb", "write")]
    kinds = [(words, MEASURING) for words in measuring] + \
        [(("--warmup", "1000000000", *words), WARMUP) for words in ((), ("--completion", "block"))]
    return (kinds, 2 * len(kinds)) if ONE_IN == 1 else (kinds[survive::2], len(kinds))


# Runs in short states: the options, the state, and the call of the responder that is held so that
# the state lasts. The seed identifies the run. The run that takes longest to reach its state comes
# first, because a held run waits only for its timeout.
HELD = {701: (("-n", "50", "--warmup", "0", "--seed", "701"), DRAINING, "icb_listener_seal"),
        702: (("--warmup", "1000", "--seed", "702"), CONNECTING, "icb_respond")}
# number of attempts, because the call of another run may be held instead
TRIES = 5
# Timeouts of the runs, seconds. None may expire while two machines on a busy host start the runs of
# both. A held run waits from its beginning.
TIMEOUT, HELD_TIMEOUT = (20, 30) if ONE_IN == 1 else (12, 24)
# The victim sends a heartbeat at this interval, seconds; at least so many have to arrive.
BEAT, BEATS = 0.05, 40
# additional time in which a run has to end, seconds
PROMISED = 1


def begin(words, timeout=TIMEOUT):
    length = () if "-n" in words else ("-D", "600")
    return subprocess.Popen(["icbenchctl", "run", "latency", PEER, "--quiet", "--warmup", "5",
                             *length, "--timeout", f"{timeout * SLOW}s", *words],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def begin_again(mine, started):
    """Restart runs that have ended because a busy host kept them from their peer for too long."""
    for i, (words, _) in enumerate(mine):
        if started[i].poll() is not None:
            note(f"{' '.join(words)}: again: {started[i].communicate()[1].strip()}")
            started[i] = begin(words)


class Victim:
    """The victim's side: its calls are held until its end. The methods after the first one are
    requests that the survivor sends by name."""

    def __init__(self, client):
        self.client = client
        self.before = {}

    def waiting(self, state):
        return [j for j in responders(self.client) if j.state == state]

    def arm(self, seed):
        """Hold the next call of the responder of this run."""
        _, state, function = HELD[int(seed)]
        self.before[seed] = len(self.waiting(state))
        hold(function)

    def caught(self, seed):
        """Return: whether the held call is this run's. Any run that ends makes such a call, so
        this is certain only if as many calls are held as there are runs in these states. A
        connecting run has not sent its seed yet, but no other run connects."""
        state = HELD[int(seed)][1]
        mine = self.waiting(state)
        return held() == sum(len(self.waiting(s)) for s in (CONNECTING, DRAINING)) and \
            len(mine) > self.before[seed] and (state == CONNECTING or any(
                param_of(self.client, j, "SEED") == int(seed) for j in mine))


def be_victim(client):
    """Hold the calls that the survivor asks for. Then send the heartbeat until the end."""
    victim = Victim(client)
    with socket.create_server(("", PORT)) as server:
        near, _ = server.accept()
    near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with near, near.makefile("rw", encoding="ascii") as lines:
        for line in iter(lambda: lines.readline().split(), ["die"]):
            print(getattr(victim, line[0])(line[1]) or "no", file=lines, flush=True)
        print("# all runs are under way", flush=True)
        prompt(True)
        while True:
            near.send(b".")
            time.sleep(BEAT)


def meet_victim(port):
    def connect():
        try:
            return socket.create_connection((PEER, port), timeout=60 * SLOW)
        except OSError:
            return None

    return until(60, connect)


def is_held(client, seed):
    """Return: whether a run is in the state in which it is held."""
    return any(j.state == HELD[seed][1] and not j.role and param_of(client, j, "SEED") == seed
               for j in client.jobs())


def be_held(client, sock):
    """The survivor's part: start the runs that are held. Return: these runs."""
    started = {}
    with sock.makefile("rw", encoding="ascii") as lines:
        def ask(*words):
            print(*words, file=lines, flush=True)
            return lines.readline().strip()

        def there(seed):
            return is_held(client, seed) and ask("caught", seed) == "True"

        def over():
            return any(process.poll() is not None for process in started.values())

        for _ in range(TRIES):
            missing = [seed for seed in HELD if not is_held(client, seed)]
            for seed in started.keys() & missing:
                process = started.pop(seed)
                process.terminate()
                note(f"seed {seed}: again: {process.communicate()[1].strip()}")
            for seed in missing:
                ask("arm", seed)
                started[seed] = begin(HELD[seed][0], HELD_TIMEOUT)
                # pylint: disable-next=cell-var-from-loop
                until(HELD_TIMEOUT, lambda: there(seed) or over())
            if until(HELD_TIMEOUT, lambda: over() or all(map(there, HELD))) and not over():
                break
        else:
            raise RuntimeError(f"not held: {'; '.join(map(str, client.jobs()))}")
        print("die", file=lines, flush=True)
    return [started[seed] for seed in HELD]


def read_some(client):
    """Complete a run and begin to dump its result. Return: the reader."""
    job = client.new(**keys(LENGTHY | {"peer": PEER, "timeout": HELD_TIMEOUT * SLOW * 10**9}))
    client.start(job)
    if not until(240, lambda: client.get(job).state == FINISHED):
        raise RuntimeError(f"does not end: {client.get(job)}")
    return Reader(job)


class Watch:
    """The time of the other machine's last heartbeat, and the end of each run."""

    def __init__(self, client, sock):
        self.client, self.sock = client, sock
        self.limits = {j.id: param_of(client, j, "TIMEOUT") / 10**9 + PROMISED * SLOW
                       for j in client.jobs() if j.state != FINISHED}
        self.ended = {}
        # longest silence before the current one, seconds
        self.gap = self.silence = 0
        self.beats = 0
        self.heard = time.monotonic()
        sock.setblocking(False)

    def look(self):
        time.sleep(BEAT)		# leave the CPUs to the runs
        try:
            self.beats += len(self.sock.recv(4096))
        except BlockingIOError:
            pass
        else:
            self.gap, self.heard = max(self.gap, self.silence), time.monotonic()
        under_way = {j.id for j in self.client.jobs() if j.state != FINISHED}
        now = time.monotonic()
        self.silence = now - self.heard
        for job in self.limits.keys() - under_way:
            self.ended.setdefault(job, now)
        return self.silence > max(self.limits.values()) + BOUND * SLOW or \
            len(self.ended) == len(self.limits)

    def after(self, job):
        """Return: how long a run has outlived the other machine, seconds."""
        return self.ended.get(job, float("inf")) - self.heard

    def early(self):
        return [f"job {j}: {self.after(j):.2f} s" for j in self.limits if self.after(j) < 0]

    def in_time(self):
        # the other machine may have lived after its last heartbeat for as long as earlier gaps
        return [j for j, limit in self.limits.items() if self.after(j) <= limit + self.gap]

    def late(self):
        return [f"job {j}: {self.after(j):.2f} s, not {self.limits[j]:.2f}"
                for j in self.limits.keys() - self.in_time()]


def watch_death(client, sock):
    """Each run ends because the other machine died, and in time. Return: number of runs."""
    prompt(True)
    watch = Watch(client, sock)
    if not until(60, lambda: watch.look() or watch.beats >= BEATS) or watch.ended:
        prompt(False)
        tap.ok(False, "the other machine is heard of", f"{watch.beats} times, {watch.ended}")
        return 0
    print("# all runs are under way", flush=True)
    until(600, watch.look)
    prompt(False)
    tap.ok(watch.gap < PROMISED * SLOW, "the time of the death is known", f"but for {watch.gap} s")
    tap.ok(not watch.early(), "no run ends before it", "\n".join(watch.early()))
    tap.ok(not watch.late(), f"each run ends within timeout + {PROMISED} s of it",
           "\n".join(watch.late()))
    took = sorted(map(watch.after, watch.limits))
    note(f"ends after {took[0]:.2f} to {took[-1]:.2f} s; time of the death known but for "
         f"{watch.gap:.2f} s")
    return len(watch.in_time())


def both(survive):
    """Serve and run until the other machine is killed."""
    listening = serve()
    client = Client()
    until(60, client.listeners)
    # the other machine may not listen yet
    until(60, lambda: not subprocess.run(
        ["icbenchctl", "run", "latency", PEER, "-n", "1", "--warmup", "0", "--timeout", "2s"],
        check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode)
    # done before the polling runs of both machines, which would leave no CPU time on a busy host
    if survive:
        reader = read_some(client)
        meet_victim(READ_PORT).close()
    else:
        with socket.create_server(("", READ_PORT)) as server:
            server.settimeout(240 * SLOW)
            server.accept()[0].close()
    mine, all_runs = runs(survive)
    started = [begin(words) for words, _ in mine]

    def all_under_way():
        begin_again(mine, started)
        jobs = [j for j in client.jobs() if j.state != FINISHED]
        return len(jobs) == all_runs and \
            sum(j.state == WARMUP for j in jobs) == sum(s == WARMUP for _, s in mine) and \
            all(j.state == WARMUP or j.state == MEASURING and (j.done or j.role) for j in jobs)

    if not until(120, all_under_way):
        note("\n# ".join(map(str, client.jobs())))
        tap.ok(False, "all runs are under way")
        return tap.done()
    if not survive:
        be_victim(client)
    with meet_victim(PORT) as sock:
        started += be_held(client, sock)
        mine += [(words, state) for words, state, _ in HELD.values()]
        ended = watch_death(client, sock)
    for (words, state), process in zip(mine, started):
        out, err = process.communicate(timeout=BOUND * SLOW)
        note(f"{' '.join(words)}: {err.strip()}")
        tap.ok(process.returncode == 1 and len(err.splitlines()) == 1 and
               ("PARTIAL" in out) == (state in (MEASURING, DRAINING)),
               f"the peer dies: {' '.join(words)}: what was measured is printed, status 1",
               f"{process.returncode} {out} {err}")
    tap.check("the peer dies: a result that is being read is whole", reader.whole)
    tap.ok(not in_use(client, "MEMORY", "QPS", "SESSIONS"), "the server has nothing in use",
           in_use(client, "MEMORY", "QPS", "SESSIONS"))
    tap.check("the server serves the next", icb.works, peer=SELF)
    listening.send_signal(signal.SIGINT)
    tap.ok(listening.wait(10) == 0, "the server ends with 0")
    client.close()
    tap.check("nothing is left", clean)
    note(f"deaths: machine {os.environ['ICBENCH_NODE']}: {ended} runs of the survivor's ended")
    return tap.done()


PARTS = {"server": server, "victim": lambda: both(False), "survivor": lambda: both(True)}
sys.exit(PARTS[sys.argv[1]]())
