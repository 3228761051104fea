#!/usr/bin/python3
"""hold_thread.py NAME CALL SECONDS [TIME]: the first thread of the process NAME is stopped when it makes the system call of
that number for the first (or second, ...) time, alone among its threads, and goes on as many seconds later."""

import ctypes
import os
import pathlib
import sys
import time

SYSCALL, GETREGS, SEIZE, INTERRUPT, DETACH = 24, 12, 0x4206, 0x4207, 17
SEES_CALLS = 1  # PTRACE_O_TRACESYSGOOD
ALL = 0x40000000  # __WALL
NUMBER = 15  # orig_rax, of user_regs_struct
WAIT_S = 20

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def ptrace(request, pid, data=None):
    if libc.ptrace(request, pid, None, data) < 0:
        raise OSError(ctypes.get_errno(), f"ptrace {request:#x}")


def find(name):
    """The process of that name, which may be yet to come."""
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        for path in pathlib.Path("/proc").glob("[0-9]*/comm"):
            try:
                if path.read_text().rstrip() == name:
                    return int(path.parent.name)
            except OSError:
                continue
        time.sleep(0.001)
    sys.exit(f"there is no process {name}")


def run_to(pid, number, times):
    """Until the call begins for the last of these times. Each call stops it twice: when it begins, and when it ends."""
    registers = (ctypes.c_ulonglong * 27)()
    signal, stops = 0, 2 * times - 1
    while True:
        _, status = os.waitpid(pid, ALL)
        if not os.WIFSTOPPED(status):
            sys.exit("it has ended without")
        stop = os.WSTOPSIG(status)
        if stop & 0x80:
            ptrace(GETREGS, pid, registers)
            stops -= registers[NUMBER] == number
            if not stops:
                return
        signal = 0 if stop & 0x80 or status >> 16 else stop
        ptrace(SYSCALL, pid, signal)


def main():
    name, number, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    pid = find(name)
    ptrace(SEIZE, pid, SEES_CALLS)
    ptrace(INTERRUPT, pid)
    run_to(pid, number, int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    time.sleep(seconds)
    ptrace(DETACH, pid)
    print("held")


main()
