#!/usr/bin/python3
"""Runs a command where personality() may not switch address randomisation off, as in some containers.

    without_personality.py COMMAND ARG...
"""

import ctypes
import errno
import os
import struct
import sys

PERSONALITY, ADDR_NO_RANDOMIZE = 135, 0x40000
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2
LOAD, JUMP_IF_EQUAL, RETURN = 0x20, 0x15, 0x06
NUMBER, FIRST_ARGUMENT = 0, 16  # offsets in struct seccomp_data
ALLOW, ERRNO = 0x7fff0000, 0x00050000

FILTER = [(LOAD, 0, 0, NUMBER), (JUMP_IF_EQUAL, 0, 3, PERSONALITY), (LOAD, 0, 0, FIRST_ARGUMENT),
          (JUMP_IF_EQUAL, 0, 1, ADDR_NO_RANDOMIZE), (RETURN, 0, 0, ERRNO | errno.EPERM), (RETURN, 0, 0, ALLOW)]


def main():
    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *row) for row in FILTER))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(FILTER), ctypes.addressof(code)))
    # Root needs no promise to set a filter, and a promise would keep setuid helpers from working.
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program) != 0:
        libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program) != 0:
            sys.exit(f"cannot set a filter: {os.strerror(ctypes.get_errno())}")
    os.execvp(sys.argv[1], sys.argv[1:])


if __name__ == "__main__":
    main()
