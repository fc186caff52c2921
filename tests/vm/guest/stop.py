# SPDX-License-Identifier: GPL-2.0
"""Each event that ends a run, in each state of the run. The run ends within a bounded time, its
result is kept as long as it can be read, nothing stays in the kernel, and the next run works.
"""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time

from hold import held, hold, let_go
from icb import (DEVICE, IWARP, N, PORT, QUICK, SLOW, Client, Refused, Tap, add_second, allocated,
                 clean, given, has_function, hurry, load, note, number, plug, slowed, threads,
                 tool, unload, unplug, until, works)
from kernel import resources, set_address, set_arp, set_link
from states import (ACTIONS, ADDRESS, BOUND, COMPLETE, CONNECTING, CPU1, FAILED, FINISHED, LONG,
                    MEASURING, MODES, NOBODY, STATES, STOPPED, Run, keys, place_peers, some,
                    within)

tap = Tap()
NOTHING = resources()
ATTEMPTS = 20 if QUICK else 60
# number of times that a device is removed and made again beside listeners and runs
REMOVALS = 5 if QUICK else 30
# limit for an end within a second, on a host that may be busy, s: see chaos/cells.py
LATEST = 3 * SLOW


def holds_nothing():
    return resources() == NOTHING and not threads()


def gid_of(address):
    """Return: the index of the GID of an address; None if the device has none."""
    raw = socket.inet_pton(socket.AF_INET6, address).hex()
    for name in os.listdir(f"{PORT}/gids"):
        try:
            with open(f"{PORT}/gids/{name}", encoding="ascii") as f:
                if f.read().strip().replace(":", "") == raw:
                    return int(name)
        except OSError:		# the GID has just been removed
            continue
    return None


def test_states():
    took = []

    def end(action, run):
        action([run])
        if run.error:
            raise run.error
        took.append(run.took)

    for action_name, action in ACTIONS.items():
        took.clear()
        for state in some(STATES, action_name):
            name = f"{action_name}: {state}"
            try:
                run = Run(state)
            except (Refused, RuntimeError) as error:
                tap.ok(False, name, error)
                continue
            tap.check(name, end, action, run)
            tap.check(f"{name}: nothing is left", clean)
        tap.check(f"{action_name}: a new run works", works)
        note(f"{action_name}: took at most {max(took, default=0) * 1000:.0f} ms")


def test_any_moment():
    """Stop at random moments, also between the states, where races are."""
    random.seed(77)
    client = Client()

    def attempt(i):
        mode = random.choice(list(MODES.values()))
        job = client.new(**keys({"duration": LONG, "warmup": 10} | mode))
        client.start(job)
        time.sleep(random.random() ** 2 * 0.2)
        if i % 3 == 0:
            client.stop(job)
        if i % 3 == 1:
            other = Client()
            other.stop(job)
            other.close()
        client.delete(job)

    def attempts():
        for i in range(ATTEMPTS):
            attempt(i)

    tap.check(f"{ATTEMPTS} runs ended at any moment", attempts)
    client.close()
    tap.check(f"{ATTEMPTS} runs: nothing is left", clean)

    def many():
        owner = Client()
        for i in range(40):
            job = owner.new(**keys({"duration": LONG, "completion": "block"}))
            if i % 4:
                owner.start(job)
        time.sleep(0.3)
        owner.close()

    tap.check("40 runs at a time, orphaned", many)
    tap.check("40 runs: nothing is left", clean)
    tap.check("a new run works", works)


def test_processes():
    """The events of icbenchctl, and the signals that end it."""
    for name, sig in (("Ctrl-C", signal.SIGINT), ("SIGTERM", signal.SIGTERM),
                      ("kill -9", signal.SIGKILL)):
        for mode in ("poll", "block") if QUICK else ("poll", "softirq", "workqueue", "block",
                                                     "memory"):
            words = ["icbenchctl", "run", "latency", "--quiet", "-D", "600", "--completion", mode,
                     "--verb", "write" if mode == "memory" else "send"]
            # a session of its own, so that no other process gets the signal
            with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, start_new_session=True) as process:
                client = Client()
                busy = until(60, lambda: any(j.state == MEASURING and j.done
                                             for j in client.jobs()))
                client.close()
                begin = given()
                process.send_signal(sig)
                try:
                    out, err = process.communicate(timeout=BOUND * SLOW)
                except subprocess.TimeoutExpired:
                    process.kill()
                    out, err = process.communicate()
            took = given() - begin
            note(f"{name}, {mode}: {took * 1000:.0f} ms")
            if sig == signal.SIGKILL:
                good = process.returncode == -sig
            else:
                good = process.returncode == 1 and "PARTIAL" in out and \
                    f"stopped by {name}" in err
            tap.ok(busy and good and took < BOUND * SLOW, f"icbenchctl, {mode}: {name}",
                   f"{process.returncode} {out} {err}")
            tap.check(f"icbenchctl, {mode}: {name}: nothing is left", clean)

    # a stop from another terminal
    with subprocess.Popen(["icbenchctl", "run", "latency", "--quiet", "-D", "600"], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        client = Client()
        until(60, lambda: any(j.state == MEASURING and j.done for j in client.jobs()))
        said = tool("icbenchctl", "stop", str(client.jobs()[0].id))
        out, err = process.communicate(timeout=60 * SLOW)
        client.close()
    tap.ok(not said and process.returncode == 1 and "PARTIAL" in out and "stopped" in err,
           "icbenchctl stop", f"{process.returncode} {said} {out} {err}")
    tap.check("icbenchctl stop: nothing is left", clean)

    # An unload. The benchmark does not matter, but the rest of a sweep does.
    with subprocess.Popen(["icbenchctl", "run", "latency", "--quiet", "-D", "600", "-s", "64,128"],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        client = Client()
        until(60, lambda: any(j.state == MEASURING and j.done for j in client.jobs()))
        client.close()
        unload()
        out, err = process.communicate(timeout=60 * SLOW)
    tap.ok(process.returncode == 1 and "PARTIAL" in out and "stopped, the module is being unloaded"
           in err and len(err.splitlines()) == 1 and re.search(r"^ *64 +[1-9]", out, re.M),
           "icbenchctl and rmmod: the partial result", f"{process.returncode} {out} {err}")
    load()


def test_finished():
    """A finished job holds only its result. An unload waits a second for readers of it."""
    client = Client()
    for name, mode in MODES.items():
        job = client.new(**keys({"iterations": 20, "warmup": 5} | mode))
        client.start(job)
        until(60, lambda job=job: client.get(job).state == FINISHED)
        tap.ok(until(10, holds_nothing) and client.get(job).outcome == COMPLETE,
               f"finished, {name}: holds nothing of the device",
               f"{client.get(job)}\n{resources()}")
        client.delete(job)
    job = client.new(iterations=20)
    client.start(job)
    until(60, lambda: client.get(job).state == FINISHED)
    begin = given()
    unload()
    took = given() - begin
    note(f"unloaded beside a result that nobody reads: {took:.1f} s")
    tap.ok(took < min(BOUND * SLOW, 30), "an unload waits no longer for a result to be read", took)
    client.close()
    load()


def test_address_6():
    """Loss of the address, for IPv6."""
    if IWARP:
        tap.skip("loss of an IPv6 address", "iWARP has no GIDs to ask for one by")
        return
    address = "fd77::1"
    tool("ip", "address", "add", f"{address}/64", "dev", "icb0", "nodad")
    until(20, lambda: gid_of(address) is not None)
    client = Client()
    job = client.new(gid_index=gid_of(address), device=DEVICE, duration=LONG, warmup=5)
    client.start(job)
    until(60, lambda: client.get(job).done)
    begin = given()
    tool("ip", "address", "del", f"{address}/64", "dev", "icb0")
    until(60, lambda: client.get(job).state == FINISHED)
    took, found = given() - begin, client.get(job)
    tap.ok(took < BOUND * SLOW and found.outcome == FAILED and found.done and
           f"{address} was removed" in found.reason, "loss of an IPv6 address", f"{took} {found}")
    client.close()
    tap.check("... nothing is left", clean)


def slow_walk(state):
    run = Run(state)
    try:
        with slowed("siw_qp_modify", 150000, by="kworker") as calls:
            run.begin()
            set_link("icb0", False)
            job = run.kept(FAILED)
            run.forget()
            tap.ok("went down" in job.reason and (run.took < 3 or SLOW > 1),
                   f"a slow walk, {state}: ends the run", f"{run.took} s, {job}")
            tap.ok(until(30, holds_nothing), "... which lets go of its device", resources())
            # the run's QP and the control QP, of both sides
            tap.ok(calls() >= 4, "... whose QPs were broken, four of them", calls())
    finally:
        set_link("icb0", True)
        unplug()
        plug()


def test_slow_walk():
    """A link goes down, and siw breaks its QPs slowly, one after another."""
    if not has_function("siw_netdev_down"):
        tap.skip("QPs that are broken one after another", "no siw, or one that does not do that")
        return
    for state in ("measuring, poll", "measuring, block", "measuring, write"):
        tap.check(f"a slow walk, {state}", slow_walk, state)
        tap.check("... nothing is left", clean)
    tap.check("... a new run works", works)


def removed_early(client):
    """The device is removed while siw accepts a run's connection. The run's listener still
    gets the event. Otherwise iw_cm would drop the request, which kmemleak finds, and siw would
    make the initiator wait 10 s."""
    with slowed("kernel_accept", 400000, by="kworker") as calls:
        job = client.new(**keys({"duration": LONG}))
        client.start(job)
        met = until(60, calls)
        begin = given()
        try:
            unplug()
            took = given() - begin
        finally:
            plug()
    until(10, lambda: client.get(job).state == FINISHED)
    found = client.get(job)
    client.delete(job)
    if not met or found.state != FINISHED or "was removed" not in found.reason:
        raise RuntimeError(f"{met}, {found}")
    note(f"a device that goes while siw accepts: {took:.1f} s")
    if took > min(BOUND * SLOW, 8):
        raise RuntimeError(f"the removal took {took:.1f} s")


def test_slow_accept():
    """Delete a run that is about to connect or to be accepted; both are slowed down. If a
    connection breaks before it is accepted, siw gives up its listener, which another run uses."""
    if not IWARP:
        tap.skip("connections that are not accepted yet", "only siw accepts them by a work item")
        return
    client = Client()

    def deleted_early(function, by):
        with slowed(function, 400000, by=by) as calls:
            job = client.new(**keys({"duration": LONG}))
            client.start(job)
            met = until(60, calls)
            client.delete(job)
        return met

    for _ in range(5):
        tap.check("a connection that siw has not asked for yet", deleted_early, "siw_connect",
                  "icbench")
        tap.check("... or not accepted", deleted_early, "kernel_accept", "kworker")
        tap.check("... nothing is left", clean)
    tap.check("a device that goes while siw accepts", removed_early, client)
    tap.check("... nothing is left", clean)
    client.close()
    tap.check("... a new run works", works)


def regions():
    """Return: how many MRs the device has."""
    return sum(int(n) for n in re.findall(r"\bmr (\d+)", resources()))


def test_registering():
    """A run without a reliable QP registers its memory by the QP of its control connection. A
    region whose registration is pending must exist until then, even after the run's timeout."""
    if IWARP or not has_function("rxe_reg_fast_mr"):
        tap.skip("a registration that takes long", "only rxe is known to take it on by itself")
        return
    client, met, lost = Client(), 0, 0
    with slowed("rxe_reg_fast_mr", 2000000) as calls:
        job = client.new(transport="uc", verb="write", registration="frwr", timeout=5 * 10**8)
        client.start(job)
        until(60, lambda: calls() or client.get(job).state == FINISHED)
        # the run times out after half a second, and is taken down
        there, since = regions(), time.monotonic()
        while time.monotonic() - since < 1.5:
            now = regions()
            # a slow look tells nothing, because the call may be over by then
            if calls() == 1 and time.monotonic() - since < 1.5:
                met += 1
                lost += now < there
        within("the end", lambda: client.get(job).state == FINISHED)
        note(client.get(job))
        client.delete(job)
    note(f"a registration that takes long: {met} looks, {lost} without its region")
    client.close()
    if met:
        tap.ok(not lost, "a region is there as long as it is being registered", f"{lost} of {met}")
    else:
        tap.skip("a region is there as long as it is being registered", "the host was too slow")
    tap.check("... nothing is left", clean)


# function of rxe in a debug kernel between the lookup of a packet's QP and its reference
FOUND_QP = "__refcount_add_not_zero.constprop.0"


def test_heard_out():
    """A side that is stopped keeps its QPs until the other side, whose stream it receives, sends
    no more. Otherwise rxe finds a QP and queues the packet at it after its destruction, which
    KASAN reports. The time between is extended."""
    if IWARP or not has_function(FOUND_QP):
        tap.skip("QPs that are sent to outlive their run", "no rxe that can be held up there")
        return

    client, ended = Client(), 0
    for _ in range(3):
        job = client.new(trigger="completion", verb="write", direction="bi", window=16,
                         duration=LONG, size=4096)
        client.start(job)
        until(60, lambda job=job: client.get(job).done)
        with slowed(f"rdma_rxe:{FOUND_QP}", 3000, by="icbench") as calls:
            until(2, calls)
            client.stop(job)
            ended += until(60, lambda job=job: client.get(job).state == FINISHED)
        client.delete(job)
    client.close()
    tap.ok(ended == 3, "QPs that are sent to outlive their run", ended)
    tap.check("... nothing is left", clean)


def test_allocating():
    """A run that is stopped and deleted while it allocates memory stops allocating."""
    if not allocated():
        tap.skip("a run that takes much memory", "this kernel does not count what it gives out")
        return
    client = Client()
    # the run allocates pieces of 2 MiB; other allocations meanwhile are fewer than a few pieces
    large, slack = {"size": 2 << 20, "buffers": 32, "iterations": 1, "warmup": 0}, 16 << 8
    before = allocated()
    job = client.new(**keys(large))
    client.start(job)
    within("a large run", lambda: client.get(job).state == FINISHED)
    whole = allocated() - before
    tap.ok(client.get(job).outcome == COMPLETE and whole > 8 * slack,
           "a run that takes much memory", f"{whole} pages, {client.get(job)}")
    client.delete(job)
    met, lost = 0, []
    for _ in range(40):
        before = allocated()
        job = client.new(**keys(large))
        client.start(job)
        while allocated() - before <= slack and not client.get(job).outcome:
            pass
        client.stop(job)
        taken = allocated() - before
        client.delete(job)
        more = allocated() - before - taken
        if whole - taken > 4 * slack:
            met += 1
            if more > (whole - taken) // 3:
                lost.append(more)
        if met == 5:
            break
    client.close()
    tap.ok(met and not lost, "stopped while it takes it, it takes no more",
           f"{met} met, of {whole} pages more: {lost}")
    note(f"{met} stopped while they took memory, of {whole} pages")
    tap.check("... nothing is left", clean)


def test_unbound():
    """A run that is looking for its peer without a bound address ends when it has no route."""
    for name, change in (("the address is removed",
                          lambda there: set_address("icb0", ADDRESS, there)),
                         ("the link goes down", lambda there: set_link("icb0", there))):
        client = Client()
        place_peers()
        job = client.new(peer=NOBODY, timeout=LONG, iterations=1)
        client.start(job)
        time.sleep(0.2)
        looking = client.get(job).state == CONNECTING
        begin = given()
        change(False)
        try:
            until(BOUND, lambda: client.get(job).state == FINISHED)
            took, found = given() - begin, client.get(job)
            tap.ok(looking and found.outcome == FAILED and "there is no route" in found.reason and
                   took < LATEST, f"a run that looks for its peer ends: {name}",
                   f"after {took:.2f} s: {found}")
            note(f"{name}: it ends after {took:.2f} s")
        finally:
            change(True)
            unplug()
            plug()
        client.close()
    tap.check("... nothing is left", clean)
    tap.check("... a new run works", works)


def test_detached():
    run = Run("measuring, block", detach=True)
    run.client.close()
    run.client = Client()
    tap.check("a detached run outlives its owner", lambda: until(5, run.there))
    run.client.stop(run.id)
    tap.ok(run.over().outcome == STOPPED, "... can be stopped by others")
    tap.ok(run.client.samples(run.id) == run.get().done, "... and read by them")
    run.forget()
    tap.check("... and deleted: nothing is left", clean)
    run = Run("measuring, poll", detach=True)
    run.client.close()
    tap.check("a detached run ends with the module", unload)
    load()
    tap.check("... nothing is left", clean)


def served():
    """Return: owner of a listener, the listener, owner of a run that it serves, the run."""
    server = Client()
    listener = server.listen(18515)
    client = Client()
    job = client.new(peer="10.77.0.1", duration=LONG, warmup=10)
    client.start(job)
    until(60, lambda: client.get(job).state == MEASURING and client.get(job).done)
    return server, listener, client, job


def stopped_after_waiting(server):
    """Stop the responder of a run after it has waited for one that was leaving. Return: whether
    it has waited, and the reason that the run gives."""
    client, waited = Client(), False
    listener = server.listen(18516, max_qps=1)

    def start():
        job = client.new(peer="10.77.0.1", cm_port=18516, duration=LONG, warmup=10)
        client.start(job)
        return job

    def responders():
        return {j.id for j in server.jobs() if j.role == N["ROLE_RESPONDER"]}

    others = responders()
    first = start()
    until(60, lambda: client.get(first).done)
    mine = responders() - others
    with slowed("ib_destroy_qp_user", 2000000, by=f"icbench/{min(mine)}"):
        client.stop(first)
        second = start()
        # both exist: the second run has connected while the first had the only QP
        waited = until(20, lambda: responders() - others > mine or client.get(second).done) and \
            not client.get(second).done
        # the first run keeps its QP until hurry(), so that the second one has to wait
        time.sleep(0.05)
        hurry()
    until(60, lambda: client.get(second).done or client.get(second).state == FINISHED)
    for job in responders() - others - mine:
        server.stop(job)
    until(60, lambda: client.get(second).state == FINISHED)
    told = client.get(second).reason
    # on a busy host it may have waited in vain, or not at all
    waited = waited and client.get(second).done > 0
    note(f"a run whose responder {'waited' if waited else 'did not wait'}: {told}")
    client.close()
    server.unlisten(listener)
    return waited, told


def test_listeners():
    def over(client, job):
        within("the end", lambda: client.get(job).state == FINISHED)
        found = client.get(job)
        tap.ok(found.outcome == FAILED and found.reason and found.done > 0 and
               client.samples(job) == found.done, "... the peer keeps its result", found)

    server, listener, client, job = served()
    tap.check("listen-del while serving", server.unlisten, listener)
    over(client, job)
    client.close()
    server.close()
    tap.check("... nothing is left", clean)

    server, listener, client, job = served()
    server.close()
    over(client, job)
    client.close()
    tap.check("death of a server's owner: nothing is left", clean)

    server, listener, client, job = served()
    tap.check("unload while serving", unload)
    server.close()
    client.close()
    load()
    tap.check("... nothing is left", clean)

    server, listener, client, job = served()
    tap.check("removal of the device while serving", unplug)
    over(client, job)
    server.close()
    client.close()
    plug()
    tap.check("... nothing is left", clean)

    # a responder that is stopped on its own; the server continues
    server, listener, client, job = served()
    mine = [j.id for j in server.jobs() if j.role == N["ROLE_RESPONDER"]]
    tap.ok(len(mine) == 1, "a server's run is listed")
    server.stop(mine[0])
    over(client, job)
    client.close()
    tap.check("... the server serves the next", works, peer="10.77.0.1")
    tap.ok(until(10, lambda: all(number(li[N[f"A_LISTEN_{what}"]]) == 0
                                 for li in server.listeners()
                                 for what in ("MEMORY", "QPS", "SESSIONS"))),
           "... and counts nothing as in use")

    # A run that connects as the last one leaves waits for its QP. A later stop must not give the
    # reason of a refusal.
    client.close()
    for _ in range(5):
        waited, told = stopped_after_waiting(server)
        if waited:
            break
    tap.ok(waited and told and "max-qps" not in told,
           "a run that waited for its share: what ends it is told, and no refusal",
           f"{waited} {told}")

    # the initiator is killed; the server continues
    client = Client()
    job = client.new(peer="10.77.0.1", duration=LONG, warmup=10, completion="block")
    client.start(job)
    until(60, lambda: client.get(job).state == MEASURING)
    client.close()
    tap.ok(until(BOUND, lambda: not server.jobs()), "a peer's death ends its run here")
    tap.check("... the server serves the next", works, peer="10.77.0.1")
    server.close()
    tap.check("... nothing is left", clean)


def test_listeners_race():
    """Listeners are made and removed while their device is removed and made."""
    over = threading.Event()
    counts = {"listeners": 0, "runs": 0}

    def again(what, begin, end):
        client = Client()
        while not over.is_set():
            try:
                found = begin(client)
            except Refused:		# the device does not exist at the moment
                time.sleep(0.005)
                continue
            time.sleep(random.random() * 0.03)
            end(client, found)
            counts[what] += 1
        client.close()

    def listen():
        again("listeners", lambda c: c.listen(18515), Client.unlisten)

    # runs of the host with itself
    def run():
        def begin(client):
            job = client.new(duration=LONG, warmup=10)
            client.start(job)
            return job

        again("runs", begin, Client.delete)

    def race():
        others = [threading.Thread(target=f) for f in (listen, run)]
        for other in others:
            other.start()
        try:
            for _ in range(REMOVALS):
                time.sleep(random.random() * 0.1)
                unplug()
                time.sleep(random.random() * 0.02)
                plug()
        finally:
            over.set()
            for other in others:
                other.join()

    tap.check("listeners and runs begin and end while the device comes and goes", race)
    note(f"begun and ended: {counts}")
    tap.ok(min(counts.values()) > REMOVALS // 2, "... many of them", counts)
    tap.check("... nothing is left", clean)
    tap.check("... a new run works", works)


def test_cpu_goes():
    """A run whose CPU goes offline can still be stopped, and leaves nothing behind."""
    if not os.path.exists(CPU1):
        return
    for state in ("measuring, poll", "measuring, block", "measuring, softirq"):
        run = Run(state)
        with open(CPU1, "w", encoding="utf-8") as f:
            f.write("0")
        run.client.stop(run.id)
        tap.check(f"CPU offline: {state}: can be stopped",
                  lambda run=run: run.over().outcome in (STOPPED, FAILED))
        run.forget()
        with open(CPU1, "w", encoding="utf-8") as f:
            f.write("1")
        tap.check(f"CPU offline: {state}: nothing is left", clean)
    tap.check("a new run works", works)


# an address without a neighbour on the second device's link
NOBODY_THERE = "10.78.0.98"


def test_second_looks():
    """A run that looks for its peer by its second device ends when that device's port goes down."""
    server, client = Client(), Client()
    server.listen(18515)
    job = client.new(trigger="completion", policy="bind", device=[DEVICE, SECOND],
                     peer=[ADDRESS, NOBODY_THERE], timeout=LONG)
    client.start(job)
    looks = until(BOUND, lambda: f"dst-addr {NOBODY_THERE}" in tool("rdma", "resource", "show",
                                                                    "cm_id"))
    begin = given()
    set_link("icb1", False)
    until(BOUND, lambda: client.get(job).state == FINISHED)
    took, found = given() - begin, client.get(job)
    set_link("icb1", True)
    tap.ok(looks and found.outcome == FAILED and "went down" in found.reason and took < LATEST,
           "the port of the second device goes down while a way over it is looked for",
           f"after {took:.2f} s: {found}")
    note(f"the second device's port: the run ends after {took:.2f} s")
    client.close()
    server.close()
    tap.check("... nothing is left", clean)


def port_state(device):
    with open(f"/sys/class/infiniband/{device}/ports/1/state", encoding="ascii") as f:
        return f.read().split()[1]


def test_second_port():
    """So does a run that has not reached its second device yet when that port goes down."""
    server, client = Client(), Client()
    server.listen(18515)
    # hold the responder of the first device until the second device's port is down
    hold("icb_respond")
    job = client.new(trigger="completion", policy="bind", device=[DEVICE, SECOND],
                     peer=[ADDRESS, NOBODY_THERE], timeout=LONG)
    client.start(job)
    waits = until(BOUND, held)
    set_link("icb1", False)
    down = until(BOUND, lambda: port_state(SECOND) == "DOWN")
    let_go()
    begin = given()
    until(BOUND, lambda: client.get(job).state == FINISHED)
    took, found = given() - begin, client.get(job)
    set_link("icb1", True)
    tap.ok(waits and down and found.outcome == FAILED and "went down" in found.reason and
           took < LATEST,
           "the port of the second device goes down before a way over it is looked for",
           f"after {took:.2f} s: {found}")
    note(f"the second device's port, down before: the run ends after {took:.2f} s")
    client.close()
    server.close()
    tap.check("... nothing is left", clean)


def timed(test):
    """Run a test, and print how long it took."""
    begin = given()
    test()
    note(f"{test.__name__}: {given() - begin:.1f} s")


tap.check("a run works", works)
for each in (test_states, test_any_moment, test_processes, test_finished, test_address_6,
             test_slow_walk, test_slow_accept, test_registering, test_heard_out, test_allocating,
             test_unbound, test_detached, test_listeners, test_listeners_race, test_cpu_goes):
    timed(each)
SECOND = add_second()
set_arp("icb1")
timed(test_second_looks)
timed(test_second_port)
sys.exit(tap.done())
