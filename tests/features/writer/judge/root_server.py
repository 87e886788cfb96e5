#!/usr/bin/env python3
"""Reads files with ROOT, each time in a process of its own: see root_digest.h.

    python3 root_server.py < LINES

Each line is JSON: {"paths": [...], "way": "get", "choice": [from, to, step, rest, most], "only": TREE, "seconds": 120}.
Answers with a line of JSON: {"status": "ok" or what ended the process, "lines": [...], "messages": {TEXT: COUNT}}. ROOT is
loaded once; a copy of the process reads the files, so that nothing that it does is there for the next ones.
"""
import collections
import ctypes
import json
import os
import re
import signal
import sys
import tempfile
import time
import warnings

warnings.simplefilter("ignore")
import ROOT  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
MEMORY_BYTES = 6 << 30


def load():
    ROOT.gROOT.SetBatch(True)
    ROOT.gErrorIgnoreLevel = ROOT.kWarning
    # A crash is told by the status; the default handlers print all threads, which takes seconds.
    for name in ("kSigSegmentationViolation", "kSigBus", "kSigIllegalInstruction", "kSigAbort", "kSigFloatingException"):
        ROOT.gSystem.ResetSignal(getattr(ROOT, name), True)
    with open(os.path.join(HERE, "root_digest.h")) as header:
        ROOT.gInterpreter.Declare(header.read())
    ROOT.judge.readFiles(ROOT.std.vector["std::string"](), "get", ROOT.judge.Choice(), "")


def read(request, out, err):
    """In the copy: reads, with its output in files."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(out, 1)
    os.dup2(err, 2)
    paths = ROOT.std.vector["std::string"](request["paths"])
    choice = ROOT.judge.Choice()
    values = request.get("choice") or [0, -1, 1, 0, -1]
    for name, value in zip(("from", "to", "step", "rest", "most"), values):
        setattr(choice, name, value)
    ROOT.judge.readFiles(paths, request["way"], choice, request.get("only", ""))
    ctypes.CDLL(None).fflush(None)


def answer(request):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            try:
                read(request, out.fileno(), err.fileno())
                os._exit(0)
            except BaseException as error:  # noqa: BLE001
                os.write(2, f"{error}\n".encode())
                os._exit(99)
        end = time.monotonic() + request.get("seconds", 120)
        status = None
        while status is None:
            done, code = os.waitpid(child, os.WNOHANG)
            if done:
                status = "ok" if code == 0 else f"signal {os.WTERMSIG(code)}" if os.WIFSIGNALED(code) else f"status {code >> 8}"
            elif time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                status = "timeout"
            else:
                time.sleep(0.005)
        out.seek(0)
        err.seek(0)
        lines = out.read().decode("utf-8", "replace").splitlines()
        return {"status": status, "lines": lines, "messages": messages(err.read().decode("utf-8", "replace"), request["paths"])}


def messages(text, paths):
    """Counts what ROOT complained of; numbers and names of files are left out of it."""
    for path in paths:
        text = text.replace(path, "FILE").replace(os.path.basename(path), "FILE").replace(os.path.dirname(path), "FOLDER")
    found = collections.Counter()
    for line in text.splitlines():
        if re.match(r"(Error|Warning|SysError|Fatal|Break) in|terminate|.*exception", line, re.IGNORECASE):
            found[re.sub(r"0x[0-9a-f]+|-?\d+(\.\d+)?", "#", line)] += 1
    return found


def main():
    load()
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
