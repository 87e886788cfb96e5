"""ROOT in a process of its own for each reading: see root_server.py."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Root:
    """Asks a server, which is started again when it ends."""

    def __init__(self):
        self.process = None

    def read(self, way, paths, choice=None, only="", seconds=120):
        """What ROOT reads of files, as root_server.py answers it, with the lines as lists of words."""
        request = {"paths": paths, "way": way, "choice": choice, "only": only, "seconds": seconds}
        if self.process is None:
            program = [sys.executable, os.path.join(HERE, "root_server.py")]
            self.process = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            self.end()
            raise RuntimeError("the server of ROOT ended")
        answer = json.loads(line)
        answer["lines"] = [line.split("\t") for line in answer["lines"]]
        return answer

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
