"""Processes that are stopped for moments from outside, or get a signal, without hitting a stranger."""

import contextlib
import os
import signal
import time

import processes

STOP_SECONDS = (0.001, 0.030)
GO_ON_SECONDS = (0, 0.010)


@contextlib.contextmanager
def held(pid, ancestor):
    """A pidfd of a descendant, or None when it is gone: the number could have a new owner by now."""
    try:
        process = os.pidfd_open(pid)
    except OSError:
        yield None
        return
    try:
        yield process if pid == ancestor or processes.is_below(pid, ancestor) else None
    finally:
        os.close(process)


def stop_and_go(pid, over, chance):
    """Stops descendants of `pid` for moments, until the event is set."""
    while not over.wait(chance.uniform(*GO_ON_SECONDS)):
        inside = processes.below(pid)
        if inside:
            stop_for_a_moment(chance.choice(inside), pid, chance)


def stop_for_a_moment(pid, ancestor, chance):
    with held(pid, ancestor) as process, contextlib.suppress(ProcessLookupError):
        if process is not None:
            signal.pidfd_send_signal(process, signal.SIGSTOP)
            time.sleep(chance.uniform(*STOP_SECONDS))
            signal.pidfd_send_signal(process, signal.SIGCONT)
