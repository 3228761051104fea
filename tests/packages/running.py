"""Programs that run meanwhile, in any thread: when the tests are ended, they are."""

import subprocess
import threading

GRACE = 30  # seconds to end in, after being asked to


class Ended(Exception):
    """The tests are to end."""


class Running:
    def __init__(self):
        self.lock, self.processes, self.ended = threading.Lock(), set(), False

    def start(self, command, how):
        with self.lock:
            if self.ended:
                raise Ended
            process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, **how)
            self.processes.add(process)
            return process

    def run(self, command, limit, **how):
        """The exit status; a program that runs longer than `limit` seconds is ended."""
        process = self.start(command, how)
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            self.end_one(process)
        with self.lock:
            self.processes.remove(process)
            if self.ended:
                raise Ended
        return process.returncode

    @staticmethod
    def end_one(process):
        process.terminate()
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def end(self):
        """Asks all to end; who waits for them sees that they do. `unshare` does not listen while its child runs."""
        with self.lock:
            self.ended = True
            for process in self.processes:
                process.terminate()
                late = threading.Timer(GRACE, process.kill)
                late.daemon = True
                late.start()
