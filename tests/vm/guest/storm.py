#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Disturb a CPU until killed.

usage: storm.py hog CPU             a thread that never sleeps
       storm.py fifo CPU            a real-time thread, for 5 ms of each 10

Prints "ready" when it is at work.
"""

import os
import sys
import time


def at_work():
    print("ready", flush=True)


def hog():
    at_work()
    while True:
        pass


def turn():
    end = time.monotonic() + 0.005
    while time.monotonic() < end:
        pass
    time.sleep(0.005)


def fifo():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    turn()
    at_work()
    while True:
        turn()


def main():
    what, cpu = sys.argv[1], int(sys.argv[2])
    os.sched_setaffinity(0, {cpu})
    {"hog": hog, "fifo": fifo}[what]()


main()
