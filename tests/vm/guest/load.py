# SPDX-License-Identifier: GPL-2.0
"""Loading and unloading the module leaves nothing behind, whatever is running; and a long run uses
no more memory than a short one.
"""

import os
import subprocess
import sys

from icb import N, QUICK, SLOW, Client, Tap, clean, load, note, tool, unload, until, works

CYCLES = 20 if QUICK else 100
# a leak has to show in each of so many rounds
ROUNDS = 3
MANY = 50000 if QUICK else 100000
MEASURING, FINISHED = N["JOB_STATE_MEASURING"], N["JOB_STATE_FINISHED"]

tap = Tap()


def meminfo(*names):
    with open("/proc/meminfo", encoding="utf-8") as f:
        lines = dict(line.split(":") for line in f)
    return {n: int(lines[n].split()[0]) for n in names}


def slabs():
    """Return: objects in use of each kmalloc cache, after shrinking has freed the unused ones."""
    for name in os.listdir("/sys/kernel/slab"):
        if name.startswith("kmalloc-"):
            with open(f"/sys/kernel/slab/{name}/shrink", "w", encoding="utf-8") as f:
                f.write("1")
    with open("/proc/slabinfo", encoding="utf-8") as f:
        rows = [line.split() for line in f if line.startswith("kmalloc-")]
    return {r[0]: int(r[1]) for r in rows}


def memory():
    tool("sync")
    with open("/proc/sys/vm/drop_caches", "w", encoding="utf-8") as f:
        f.write("3")
    # free objects in the slab from which a CPU allocates count as used, so look several times
    looks = [slabs() for _ in range(5)]
    return ({k: min(look.get(k, 0) for look in looks) for k in looks[0]},
            meminfo("VmallocUsed", "Percpu", "SUnreclaim"))


def cycles(count):
    for i in range(count):
        if i % 10 == 0:
            works(completion=("poll", "block", "workqueue")[i // 10 % 3])
        unload()
        load()


def test_cycles():
    # the first cycles fill caches
    tap.check("10 cycles", cycles, 10)
    before, pages = memory()
    # a leak grows in each round; a slab that one more CPU holds, of a varying cache, does not
    grown = larger = None
    for _ in range(ROUNDS):
        tap.check(f"{CYCLES} cycles of loading and unloading, runs in between", cycles, CYCLES)
        after, pages_after = memory()
        more = {k: after[k] - before.get(k, 0) for k in after if after[k] > before.get(k, 0)}
        note(f"kmalloc caches that grew: {more}")
        note(f"{pages} before, {pages_after} after")
        # a leak of one object, or one page, in each cycle would be that many
        grown = {k: v for k, v in more.items()
                 if v >= CYCLES and (grown is None or k in grown)}
        larger = {k: pages_after[k] - pages[k] for k in pages
                  if pages_after[k] - pages[k] >= 4 * CYCLES and (larger is None or k in larger)}
        if not grown and not larger:
            break
        before, pages = after, pages_after
    tap.ok(not grown, "no cache has grown by an object a cycle", grown)
    tap.ok(not larger, "no memory has grown by a page a cycle", f"KiB: {larger}")
    tap.check("nothing is left", clean)


def test_busy():
    """Unload the module with every kind of job and listener present."""
    for i in range(2 if QUICK else 5):
        client = Client()
        listener = client.listen(18515)
        peer = client.new(peer="10.77.0.1", duration=10**12, warmup=5)
        own = client.new(duration=10**12, warmup=5, completion="block")
        client.new()
        done = client.new(iterations=10, warmup=0)
        for job in (peer, own, done):
            client.start(job)
        good = until(60, lambda: client.get(peer).state == MEASURING and
                     client.get(own).state == MEASURING and
                     client.get(done).state == FINISHED)
        tap.ok(good and listener, f"busy, {i}", "\n".join(map(str, client.jobs())))
        tap.check(f"busy, {i}: unload", unload)
        client.close()
        load()
        tap.check(f"busy, {i}: nothing is left", clean)
    # with a server whose only object is a listener, and which gets no notification
    process = subprocess.Popen(["icbenchctl", "serve"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
    client = Client()
    until(30, client.listeners)
    client.close()
    tap.check("with icbenchctl serve: unload", unload)
    load()
    out, err = process.communicate(timeout=30 * SLOW)
    tap.ok(process.returncode == 1 and "listener has ended" in err and len(err.splitlines()) == 1,
           "icbenchctl serve tells that its listener has ended, with 1", out + err)
    tap.check("a new run works", works)


def held(count):
    """Return: KiB that a finished job with this many samples holds until it is deleted."""
    client = Client()
    before = sum(memory()[1].values())
    job = client.new(iterations=count, warmup=0, cpu=0, peer_cpu=0)
    client.start(job)
    tap.ok(until(120 * SLOW, lambda: client.get(job).state == FINISHED) and
           client.samples(job) == count, f"{count} samples", client.get(job))
    kib = sum(memory()[1].values()) - before
    client.delete(job)
    client.close()
    note(f"{count} samples: {kib} KiB are held")
    return kib


def test_memory():
    """Memory of a finished job whose result is not read yet."""
    used = []
    # with 8 bytes for each sample the difference would exceed this limit each time
    while len(used) < ROUNDS and not any(many - few < MANY // 500 for few, many in used):
        used.append((held(1000), held(MANY)))
    tap.ok(any(many - few < MANY // 500 for few, many in used),
           f"{MANY // 1000} times the samples, the same memory", f"KiB: {used}")


test_cycles()
test_busy()
test_memory()
sys.exit(tap.done())
