"""ROOT in processes of their own, because some files make it crash."""
import os
import select
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 120


class Root:
    """Reads files one after another; another process is started after a crash."""

    def __init__(self):
        self.process = None
        self.rest = b""

    def read(self, path, times=1, depth=2):
        """
        The lines of root_digest.h, and the depth of reading, which is the deepest, up to the given one, at which ROOT does
        not crash. The lines are a text that says what failed when it crashes at all of them.
        """
        while True:
            lines = self.ask(f"{times} {depth} {path}")
            if isinstance(lines, list) or depth == 0:
                return lines, depth
            depth -= 1

    def ask(self, request):
        if self.process is None:
            program = [sys.executable, os.path.join(HERE, "read_root.py")]
            self.process = subprocess.Popen(
                program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        self.process.stdin.write(request.encode() + b"\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.line()
            if line is None or line == "crash":
                self.end()
                return line or "timeout"
            if line == "end":
                return lines
            lines.append(line)

    def line(self):
        """The next line; undefined when none came in time, "crash" at the end of the process."""
        out = self.process.stdout.fileno()
        while b"\n" not in self.rest:
            if not select.select([out], [], [], SECONDS)[0]:
                return None
            more = os.read(out, 1 << 16)
            if not more:
                return "crash"
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode("utf-8", "replace")

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
        self.rest = b""
