# SPDX-License-Identifier: GPL-2.0
"""Moments that last, for which see hold.c."""

import os
import threading

from icb import SLOW
from kernel import insert_module

# time in which an event that has begun reaches the run that it has to hit, seconds
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
    """Hold the next MOST calls of a function of icbench until let_go()."""
    write(f"icbench:{function}", most)


def held():
    """Return: how many calls are held."""
    with open(FUNCTION, encoding="ascii") as f:
        return int(f.read())


TIMERS = []


def let_go_soon():
    TIMERS.append(threading.Timer(SOON, write, ("",)))
    TIMERS[-1].start()


def let_go():
    """Release the held calls now, and hold no further ones."""
    while TIMERS:
        TIMERS[-1].cancel()
        TIMERS.pop().join()
    write("")
