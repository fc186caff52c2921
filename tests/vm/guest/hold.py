# SPDX-License-Identifier: GPL-2.0
"""Moments that last, for which see hold.c."""

import os
import threading

from icb import SLOW
from kernel import insert_module

# by when an event that has begun has come to whom it is to hit, seconds
SOON = 0.05 * SLOW
PARAMETERS = "/sys/module/hold/parameters"
FUNCTION = f"{PARAMETERS}/function"


def write(text, most=1):
    if not os.path.exists(FUNCTION):
        insert_module(os.path.join(os.environ["ICBENCH_WITH"], "hold.ko"))
    with open(f"{PARAMETERS}/most", "w", encoding="ascii") as f:
        f.write(f"{most}\n")
    with open(FUNCTION, "w", encoding="ascii") as f:
        f.write(f"{text}\n")


def hold(function, most=1):
    """Have icbench's next call of a function wait until it is let go, or so many of them."""
    write(f"icbench:{function}", most)


def held():
    """How many calls wait."""
    with open(FUNCTION, encoding="ascii") as f:
        return int(f.read())


TIMERS = []


def let_go_soon():
    TIMERS.append(threading.Timer(SOON, write, ("",)))
    TIMERS[-1].start()


def let_go():
    """Now, and nobody who comes later."""
    while TIMERS:
        TIMERS[-1].cancel()
        TIMERS.pop().join()
    write("")
