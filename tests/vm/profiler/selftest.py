# SPDX-License-Identifier: GPL-2.0
"""Tests of the arithmetic of tests/vm/profile, without a machine."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

import cost
import rooms
import stacks
import table

HERE = os.path.dirname(os.path.abspath(__file__))
PAIR = "ffffffffc0001010", "ffffffffc0001020"


def symbols(module="c0001000", extra=""):
    """Return: a /proc/kallsyms with the module icbench at an address."""
    lines = ["ffffffff81%06x t f%d" % (16 * i, i) for i in range(1000)]
    return "\n".join(lines) + """
ffffffff82000000 T __pfx_padded
ffffffff82000010 T padded
ffffffff82000010 t __padded
ffffffff82000010 T _text_end
ffffffff82000100 D data
%s
ffffffff%s t echo_loop\t[icbench]
ffffffff%s t icb_end\t[icbench]
""" % (extra or "ffffffff82000200 T last", module, module[:-2] + "18")


def result(operations, **parameters):
    """Return: a result of icbenchctl run."""
    sample = {"unit": "ns", "count": operations, "mean": 50}
    return {"benchmark": "latency", "partial": False, "environment": {"kernel": "6.1"},
            "points": [{"parameters": {"trigger": "echo", "verb": "send", "size": 64,
                                       "iterations": operations, **parameters},
                        "metrics": {"latency": sample, "warmup_made": {"value": 100},
                                    "elapsed": {"value": 110 * operations}}}]}


def counts(operations, set_up):
    """Return: what the plugin writes: 70 + 30 instructions inside a sample and 10 outside."""
    return "\n".join([
        "count ffffffff81000010 %d" % (70 * operations), "count ffffffff81000020 %d" % set_up,
        "count ffffffffc0001018 %d" % (40 * operations), "user 5",
        "between %s %s %d %d" % (*PAIR, operations, 100 * operations),
        "between %s %s %d %d" % (*PAIR[::-1], operations, 10 * operations), "end", ""])


class Test(unittest.TestCase):
    """The tests."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.rules = rooms.Rooms(os.path.join(HERE, "rooms"))

    def boot(self, operations, set_up=0, **files):
        """Return: the Boot with these files in place of usual ones."""
        folder = os.path.join(self.folder.name, str(operations))
        os.makedirs(folder, exist_ok=True)
        files = {"kallsyms": symbols(), "json": json.dumps(result(operations)),
                 "counts": counts(operations, set_up), **files}
        for name, text in files.items():
            with open(os.path.join(folder, name.replace("_", ".")), "w", encoding="ascii") as file:
                file.write(text)
        return cost.Boot(folder, operations)

    def profile(self, one, two):
        """Return: the profile of two boots."""
        return cost.difference(one, two, self.rules)

    def test_names(self):
        """Suffixes of the compiler."""
        for name in ("f.isra.0", "f.constprop.0", "f.part.0", "f.cold", "f.part.0.isra.0",
                     "f_noprof", "f_noprof.constprop.0", "f.isra.0.cold", "f.12", "f"):
            self.assertEqual(table.plain(name), "f")
        self.assertEqual(table.plain("f.island"), "f.island")

    def test_symbols(self):
        """Aliases, padding, data, and addresses outside of functions."""
        found = self.boot(2000).symbols
        self.assertEqual(found.find(0xffffffff82000013), ("padded", "core kernel"))
        self.assertEqual(found.find(0xffffffffc0001008), ("echo_loop", "icbench"))
        self.assertEqual(found.place(0xffffffffc0001018), "icb_end+0x0")
        self.assertEqual(found.find(0x1000)[0], cost.UNKNOWN)
        self.assertEqual(found.find(0xffffffffc1001018)[0], cost.UNKNOWN)

    def test_window(self):
        """The window lies within the operations that both boots make."""
        one = self.boot(2000, counts=counts(2100, 0))
        self.assertEqual(cost.window(one, 10000), "window=%s:%s:1100:10000" % PAIR)
        self.assertEqual(cost.window(self.boot(2000, counts=counts(700, 0)), 10000), "")

    def test_counted_in_window(self):
        """Nothing of set-up is in the window."""
        profile = self.profile(self.boot(2000, 7), self.boot(
            12000, 12345678, counts_window=counts(10000, 0)))
        self.assertEqual(profile["method"], "window")
        self.assertEqual(profile["functions"][0]["instructions"], 70)
        self.assertAlmostEqual(profile["sum"], 110.0005)
        self.assertEqual(profile["sample"]["measured"], 100)
        self.assertAlmostEqual(profile["sample"]["counted"]["instructions"], 100.0005)
        self.assertEqual(profile["sample"]["counted"]["from"], "echo_loop+0x10")
        self.assertEqual(profile["sample"]["counted"]["to"], "icb_end+0x8")
        self.assertEqual(list(cost.disagreements(profile)), [])

    def test_difference(self):
        """Without a window, the boots are subtracted; the module may have moved."""
        two = self.boot(12000, 20000, kallsyms=symbols("c0009000"),
                        counts=counts(12000, 20000).replace("ffffffffc0001", "ffffffffc0009"))
        profile = self.profile(self.boot(2000, 10000), two)
        self.assertEqual(profile["method"], "difference")
        self.assertEqual([(row["name"], row["instructions"]) for row in profile["functions"][:3]],
                         [("f1", 70), ("icb_end", 40), ("f2", 1)])
        self.assertNotIn("counted", profile["sample"])
        self.assertEqual(len(list(cost.disagreements(profile))), 1)

    def test_read(self):
        """The latency of a read is the whole round trip."""
        boots = [self.boot(n, json=json.dumps(result(n, verb="read"))) for n in (2000, 12000)]
        self.assertEqual(self.profile(*boots)["sample"]["measured"], 50)

    def fails(self, words, call, *arguments, **files):
        """A call fails with one line that contains some words."""
        with self.assertRaises(cost.Failure) as caught:
            call(*arguments, **files)
        self.assertIn(words, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))
        return caught.exception.status

    def test_other_kernel(self):
        """The kernels of both boots differ."""
        one = self.boot(2000)
        for files in ({"kallsyms": symbols(extra="ffffffff82000200 T other")},
                      {"json": json.dumps(result(12000)).replace("6.1", "6.2")}):
            two = self.boot(12000, **files)
            status = self.fails("kernels of the two boots differ", self.profile, one, two)
            self.assertEqual(status, 1)

    def test_no_operations(self):
        """Results of commands without a number of operations."""
        for text in ("", "{}", '{"points": []}', "[]"):
            self.fails("cannot be counted", self.boot, 2000, json=text)
        several = result(2000)
        several["points"] *= 2
        self.fails("measures 2 points", self.boot, 2000, json=json.dumps(several))
        self.fails("does not count operations", self.boot, 2000,
                   json=json.dumps(result(2000, iterations=5)))
        self.fails("did not write all", self.boot, 2000, counts="user 5\n")
        self.fails("kptr_restrict", self.boot, 2000, kallsyms="0000000000000000 T f\n" * 2000)

    def test_other_file(self):
        """Files that are no profiles."""
        path = os.path.join(self.folder.name, "file")
        for text in ("", "{", "[]", "null", '{"schema": "icbench-profile/1"}', "[" * 100000,
                     '{"schema": "icbench-profile/1", "functions": [1]}', "\x00"):
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            self.assertEqual(self.fails("is not a profile", cost.load, path), 2)
        with open(path, "wb") as file:
            file.write(b"\xff\xfe")
        self.assertEqual(self.fails("is not a profile", cost.load, path), 2)
        self.assertEqual(self.fails("Is a directory", cost.load, self.folder.name), 2)

    def test_against(self):
        """Renamed and moved functions match; those of the same name in two modules do not mix."""
        def made(*rows):
            return {"functions": [dict(zip(("name", "module", "instructions"), row))
                                  for row in rows],
                    "sum": sum(row[2] for row in rows), "kernel": "k", "parameters": {}}

        base = made(("f.isra.0", "m", 10), ("g", "m", 5), ("h", "m", 1), ("h", "n", 2),
                    ("x", "m", 3))
        new = made(("f", "m", 12), ("f.cold", "m", 1), ("g_noprof", "o", 9), ("h", "m", 1),
                   ("h", "n", 2), ("y", "m", 4))
        self.assertEqual(sorted(table.matched(base, new)), [
            ("f", "m", 10, 13), ("g", "o", 5, 9), ("h", "m", 1, 1), ("h", "n", 2, 2),
            ("x", "m", 3, 0), ("y", "m", 0, 4)])
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            table.print_against(base, new, 1)
        names = [line.split()[3] for line in out.getvalue().splitlines()[4:]]
        self.assertEqual(names, ["y", "g", "f", "x", "2", "sum"])

    def test_stacks(self):
        """Call stacks are named by their calls, and add up to the functions."""
        # f1 calls echo_loop, whose last instruction is a call of f2; an interrupt calls f3
        calls = ["call 1 0 ffffffff81000018", "call 2 1 ffffffffc0001018",
                 "call 3 2 ffffffff81000005"]
        at = ["at 0 ffffffff81000010 4", "at 1 ffffffffc0001008 7", "at 2 ffffffff81000020 20",
              "at 2 ffffffff81000024 5", "at 3 ffffffff81000030 1"]
        count = ["count " + line.split(" ", 2)[2] for line in at]
        boot = self.boot(12000, counts_window="\n".join(count + ["user 5"] + calls + at +
                                                        ["end", ""]))
        found = cost.call_stacks(boot)
        chain = ("f1", "echo_loop", "f2")
        self.assertEqual({tuple(name for name, _ in key): n for key, n in found.items()}, {
            chain[:1]: 4, chain[:2]: 7, chain: 25, chain[:2] + ("f0", "f3"): 1})
        self.assertEqual(stacks.rows(found, 10)[0], {
            "frames": ["f1", "echo_loop", "f2"], "count": 25, "instructions": 2.5})
        path = os.path.join(self.folder.name, "folded")
        stacks.write_folded(path, found, 5, "user")
        with open(path, encoding="ascii") as file:
            self.assertEqual(sorted(file.read().splitlines()), [
                "f1 4", "f1;echo_loop 7", "f1;echo_loop;f0;f3 1", "f1;echo_loop;f2 25", "user 5"])
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            stacks.print_tree(found, 10, 3.7, 1)
        self.assertEqual([line.split(None, 4) for line in out.getvalue().splitlines()[1:]], [
            ["3.7", "100.0", "%", "0.4", "f1"], ["3.3", "89.2", "%", "0.7", "echo_loop"],
            ["2.5", "67.6", "%", "2.5", "f2"],
            ["0.1", "2.7", "%", "1", "more calls, each less than 1"]])
        boot.symbols.names[boot.symbols.addresses.index(0xffffffff81000000)] = (
            "ret_from_fork", cost.CORE)
        self.assertIn((("ret_from_fork", cost.CORE), ("f3", cost.CORE)), cost.call_stacks(boot))
        boot.window.at.pop()
        self.fails("do not add up", cost.call_stacks, boot)

    def test_rooms(self):
        """A room of each kind."""
        for name, module, room in (
                ("rxe_requester", "rdma_rxe", "rdma"), ("__schedule", cost.CORE, "scheduler"),
                ("try_to_wake_up", cost.CORE, "scheduler"), ("memset_erms", cost.CORE, "memory"),
                ("process_one_work", cost.CORE, "scheduler"),
                ("psi_group_change", cost.CORE, "scheduler"),
                ("__update_load_avg_se", cost.CORE, "scheduler"), ("kfree", cost.CORE, "memory"),
                ("kmem_cache_free", cost.CORE, "memory"), ("__alloc_skb", cost.CORE, "network"),
                ("kfree_skb_reason", cost.CORE, "network"), ("udp_send_skb", cost.CORE, "network"),
                ("_raw_spin_lock_irqsave", cost.CORE, "locks"), ("crc32_body", cost.CORE, "hash"),
                ("await_poll", "icbench", "icbench"), ("hrtimer_interrupt", cost.CORE, "time"),
                ("no_such_function", cost.CORE, "other")):
            self.assertEqual((name, self.rules.room(name, module)), (name, room))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=0))
