"""What the adapters share: plans, living processes of xylem that do tasks, and results that are added as a tree.

A living process is "xylem worker": it runs the command lines that are sent to it, so that a small file costs its reading and
not the start of a process. Each thread of a worker of an engine takes one that is free, or starts one.
"""

import atexit
import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import types

# A process without tasks ends by itself after this time in seconds.
IDLE = 120
# How often a task may end the process that does it.
LIVES = 2
# How many results are added at once.
AT_ONCE = 32
# Codes of errors that a file has each time, as that of the code of a selector.
FINAL = ("ARGUMENT", "UNSUPPORTED")


class TaskError(RuntimeError):
    """A task failed. Its text has all that xylem said.

    `status` is the exit status, negative for a signal; `stderr` is the whole text on stderr; `code` is that of the error, such as
    "ARGUMENT"; `where` has its place where it is known: "url", "entry", "branch"; `files` are the inputs of the task.
    """

    def __init__(self, message, status=None, stderr="", code=None, where=None, files=()):
        super().__init__(message)
        self.status, self.stderr, self.code = status, stderr, code
        self.where, self.files = dict(where or {}), list(files)

    def __reduce__(self):
        return TaskError, (str(self), self.status, self.stderr, self.code, self.where, self.files)


class ProcessLost(TaskError):
    """The process that did the task has ended before its answer."""

    def __reduce__(self):
        return ProcessLost, TaskError.__reduce__(self)[1]


def shown(file):
    """An address without user, password, query and fragment, which may be secret; a path as it is."""
    if "://" not in file:
        return file
    text = re.sub(r"(?<=://)[^/?#\s]*@", "", re.split("[?#]", file, maxsplit=1)[0])
    if not re.search(r"://(?:\[[^]]*\]|[^/:?#\[\]]*)(?::\d*)?(?:[/?#]|$)", text):
        text = text.partition("://")[0] + "://" + (text.rpartition("@")[2] if "@" in text else "…")
    return text


def public(text):
    """A text for messages, which stay in logs: addresses in it are shown as above."""
    return re.sub(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]+", lambda found: shown(found[0]), text)


class Process:
    """A process "xylem worker". Its protocol is in docs/features/chains.md. One thread uses it at a time."""

    def __init__(self, xylem):
        self.xylem = tuple(xylem)
        # Paths of command lines are relative to it.
        self.at = os.getcwd()
        # Two decode workers for each core would only wait for each other.
        environment = {"XYLEM_WORKERS": "1", **os.environ}
        self.said = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                [*self.xylem, "worker", "--idle", str(IDLE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said,
                env=environment, start_new_session=True)
        except OSError as error:
            self.said.close()
            raise TaskError(f"{self.xylem[0]} cannot be started on {socket.gethostname()}: {error.strerror}. Put xylem into PATH there, "
                            'or give xylem=("node", "PATH/dist/cli/xylem.js").') from None
        self.folder = tempfile.mkdtemp(prefix="xylem-")
        self.packages = {}
        self.tasks = 0
        try:
            self.hello = json.loads(self._line())
            if self.hello["protocol"] != 1:
                raise ValueError
        except (ValueError, KeyError, TypeError):
            self.close()
            raise TaskError(f"{self.xylem[0]} is not a program xylem that adapters of this version know.") from None
        except ProcessLost:
            self.close()
            raise

    def _line(self):
        line = self.process.stdout.readline()
        if line.endswith(b"\n"):
            return line
        status = self.process.wait()
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        said = self._stderr()
        last = f": {public(said[-2000:].strip())}" if said.strip() else "."
        raise ProcessLost(f"the process of xylem {how}{last}", status, said)

    def _stderr(self):
        """What the process itself wrote, as Node does when memory is exhausted, and what selectors print."""
        self.said.seek(max(0, self.said.seek(0, os.SEEK_END) - 65536))
        return self.said.read().decode("utf-8", "replace")

    @property
    def alive(self):
        return self.process.poll() is None

    def call(self, arguments, timeout=None, out=None):
        """Runs a command line, and returns its answer; the file `out` takes what it prints. Raises ProcessLost, and after `timeout`
        seconds, too."""
        self.tasks += 1
        self.said.seek(0)
        self.said.truncate()
        timer = threading.Timer(timeout, self.process.kill) if timeout else None
        if timer:
            timer.start()
        try:
            try:
                self.process.stdin.write(json.dumps({"id": self.tasks, "args": list(arguments), **({"out": out} if out else {})}).encode() + b"\n")
                self.process.stdin.flush()
            except OSError:
                pass  # The reason is told by reading.
            answer = json.loads(self._line())
        finally:
            if timer:
                timer.cancel()
        if answer["id"] != self.tasks:
            raise ProcessLost(f"the process of xylem answered {answer['id']} in place of {self.tasks}")
        return answer

    def run(self, arguments, statuses=(0,), files=(), timeout=None, out=None):
        """Runs a command line, and returns what it printed, if no file `out` takes it. Raises TaskError with all that it said."""
        answer = self.call(arguments, timeout, out)
        if answer["status"] in statuses and "error" not in answer:
            return answer["out"]
        error = answer.get("error", {})
        said = answer["err"].strip() or answer["out"].strip()[-500:] or "it printed nothing"
        what = f" of {', '.join(shown(file) for file in files[:3])}{' and more' if len(files) > 3 else ''}" if files else ""
        raise TaskError(
            f"xylem {arguments[0]}{what} ended with status {answer['status']} and no result: {public(said)}",
            answer["status"], public(answer["err"]), error.get("code"), error.get("where"), files)

    def package(self, job):
        """The path of the selector of a job, whose files are written once."""
        key = job["key"]
        if key not in self.packages:
            folder = pathlib.Path(self.folder, f"selector-{len(self.packages)}")
            for name_in, content in job["package"].items():
                path_in = folder / name_in
                path_in.parent.mkdir(parents=True, exist_ok=True)
                path_in.write_bytes(content)
            self.packages[key] = str(folder / job["module"])
        return self.packages[key]

    def close(self):
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.said):
            try:
                stream.close()
            except OSError:
                pass
        if getattr(self, "folder", None):
            shutil.rmtree(self.folder, ignore_errors=True)


def _living():
    """The processes of this process of Python. Functions of this module may come to a worker as copies, which share it."""
    found = sys.modules.get("_xylem_living")
    if found is None:
        made = types.ModuleType("_xylem_living")
        made.lock, made.free, made.all = threading.Lock(), [], set()
        found = sys.modules.setdefault("_xylem_living", made)
        if found is made:
            atexit.register(lambda: [one.close() for one in list(made.all)])
    return found


class Living:
    """Lends a living process: `with Living(xylem) as process`. One that was lost is not lent again. `new` starts one."""

    def __init__(self, xylem, new=False):
        self.xylem, self.new = tuple(xylem), new

    def __enter__(self):
        known = _living()
        while True:
            with known.lock:
                # The youngest, so that others end when they are not needed.
                at = os.getcwd()
                found = None if self.new else next(
                    (one for one in reversed(known.free) if one.xylem == self.xylem and one.at == at), None)
                if found:
                    known.free.remove(found)
            if found is None:
                found = Process(self.xylem)
                known.all.add(found)
            if found.alive:
                self.process = found
                return found
            self._end(found)

    def __exit__(self, kind, error, trace):
        known = _living()
        if self.process.alive and (kind is None or (issubclass(kind, Exception) and not issubclass(kind, ProcessLost))):
            with known.lock:
                known.free.append(self.process)
        else:
            self._end(self.process)

    def _end(self, process):
        process.close()
        _living().all.discard(process)


def end_processes():
    """Ends the processes of this worker that do nothing."""
    known = _living()
    with known.lock:
        free, known.free[:] = list(known.free), []
    for one in free:
        one.close()
        known.all.discard(one)


def name(one):
    """The file of an input. A name that would be taken for several, or for a pattern, is written as an address."""
    file = one["file"]
    is_odd = not re.match("[a-z]+://", file, re.IGNORECASE) and re.search(r"[\r\n,*?\[\]]", file)
    return pathlib.Path(file).as_uri() if is_odd else file


def line(one):
    """The line of a list that names an input of a plan. Raises ValueError for names with line breaks."""
    file, tree = one["file"], one["tree"]
    is_url = re.match("[a-z]+://", file, re.IGNORECASE)
    if re.search("[\r\n]", tree + (file if is_url else "")):
        raise ValueError(f"a name with a line break cannot stand in a list: {[shown(file), tree]}")
    file = name(one)
    is_url = re.match("[a-z]+://", file, re.IGNORECASE)
    entries = "[{}:{}]".format(*one["entries"]) if "entries" in one else ""
    return f"{file}{'#' if is_url else '?#'}{tree}{entries}\n"


def draw_job(expr, cut="", hist=None, options=()):
    """What each task does: "xylem draw" of an expression."""
    words = [expr, cut] if cut else [expr]
    return {"command": "draw", "after": words, "options": [*(["--hist", hist] if hist else []), *options]}


def process_job(selector, settings=None, options=(), samples=None, tables=None):
    """What each task does: "xylem process" of a selector, and what the samples are. `plan` adds the files of the selector."""
    options = [*(f"--set={name}={value}" for name, value in (settings or {}).items()), *options]
    if tables:
        options.append(f"--tables={os.path.abspath(tables)}")
    return {"command": "process", "selector": str(selector), "after": [], "options": options,
            "samples": samples and os.path.abspath(samples), "known": samples and json.loads(pathlib.Path(samples).read_text())}


def plan(xylem, files, tree, count, branches=None, job=None):
    """Cuts files into at most `count` tasks; those of its samples where `files` is None. Raises TaskError when none can be read."""
    job = job if job is not None else {}
    try:
        with Living(xylem) as process:
            found = _plan(process, files, tree, count, branches, job)
    except TaskError as error:
        if error.code != "FILE_CHANGED":
            raise
        # The process knows the selector as it was before.
        with Living(xylem, new=True) as process:
            found = _plan(process, files, tree, count, branches, job)
    if not found["tasks"]:
        raise TaskError(public(f"No file can be read: {found['failed'][:3]}"), files=[one["file"] for one in found["failed"]])
    return found


def _plan(process, files, tree, count, branches, job):
    samples = job.get("samples")
    more = [*(["--branches", branches] if branches else []), *(["--samples", samples] if samples else [])]
    words = [tree] if files is None else [files, tree]
    with tempfile.TemporaryDirectory() as folder:
        if "selector" in job:
            # xylem copies the selector with all that it imports and reads.
            words_of = " ".join(shlex.quote(word) for word in [job["selector"], *job["options"]])
            more += ["--out", folder, "--process", words_of]
        # A plan of 10^6 files prints more than an answer may have.
        out = os.path.join(folder, "plan.json")
        process.run(["plan", "--tasks", str(count), "--by-size", "--json", *more, "--", *words], (0, 1), out=out)
        found = json.loads(pathlib.Path(out).read_text("utf-8"))
        if "selector" in job and found["tasks"]:
            package = pathlib.Path(folder, "selector")
            job["package"] = {path.relative_to(package).as_posix(): path.read_bytes()
                              for path in package.rglob("*") if path.is_file()}
            job["module"] = os.path.relpath(os.path.realpath(shlex.split(found["tasks"][0]["command"])[2]), os.path.realpath(package))
            job["key"] = os.urandom(16).hex()
    return found


def read(xylem, inputs, tree, job, timeout=None):
    """Runs in a worker: does the job on one task. Returns {"text", "failed"}.

    "text" is the partial result, or None. "failed" has the inputs that ended the process which read them, each time: when a task
    has ended `LIVES` processes, its inputs are read one by one, so that the others are in the result.
    """
    for life in range(LIVES):
        try:
            with Living(xylem) as process:
                return {"text": _read(process, inputs, tree, job, timeout), "failed": []}
        except ProcessLost as lost:
            error = lost
    if len(inputs) == 1:
        times = f"{LIVES} processes that read it ended: {error}"
        return {"text": None, "failed": [{**_input(inputs[0]), "error": {"code": "INTERNAL", "message": times}}]}
    parts = [read(xylem, [one], tree, job, timeout) for one in inputs]
    with Tree(xylem) as tree_of:
        for part in parts:
            tree_of.add(part["text"])
        return {"text": tree_of.result(), "failed": [one for part in parts for one in part["failed"]]}


def _input(one):
    """An input as results name it."""
    return {member: one[member] for member in ("file", "tree", "entries") if member in one}


def _read(process, inputs, tree, job, timeout):
    with tempfile.TemporaryDirectory(dir=process.folder) as folder:
        path, out = os.path.join(folder, "files.txt"), os.path.join(folder, "out.json")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line(one) for one in inputs)
        words = [process.package(job)] if job["command"] == "process" else []
        options = list(job["options"])
        if job.get("samples"):
            # The samples with the files of this task only.
            known = [{**one, "files": [name(file) for file in inputs if file["sample"] == one["name"]]}
                     for one in job["known"]["samples"]]
            list_path = os.path.join(folder, "samples.json")
            pathlib.Path(list_path).write_text(json.dumps({"samples": known}))
            options += ["--samples", list_path]
        words += [f"@{path}", tree, *job["after"]]
        # Status 1: some files could not be read, and the result says so.
        process.run([job["command"], *options, "--partial", out, "--", *words], (0, 1), [one["file"] for one in inputs], timeout)
        return pathlib.Path(out).read_text("utf-8")


class Tree:
    """Adds results as they come, as a tree: `AT_ONCE` results of one level are one of the next, so that neither memory nor time
    grow with the square of their number. They wait in files, and one living process adds them. The sum has the same bytes
    whatever the tree.
    """

    def __init__(self, xylem):
        self.xylem = tuple(xylem)
        self.folder = tempfile.mkdtemp(prefix="xylem-sum-")
        self.levels = []
        self.count = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def _path(self):
        self.count += 1
        return os.path.join(self.folder, f"{self.count}.json")

    def add(self, text):
        """Adds a partial result; None adds nothing."""
        if text is None:
            return
        path = self._path()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        self._put(0, path)

    def _put(self, level, path):
        while len(self.levels) <= level:
            self.levels.append([])
        self.levels[level].append(path)
        if len(self.levels[level]) >= AT_ONCE:
            whole = self._sum(self.levels[level])
            self.levels[level] = []
            self._put(level + 1, whole)

    def _sum(self, paths):
        if len(paths) == 1:
            return paths[0]
        whole, names = self._path(), os.path.join(self.folder, "names.txt")
        pathlib.Path(names).write_text("".join(f"{path}\n" for path in paths))
        with Living(self.xylem) as process:
            # Status 1: files are missing, which the result says.
            process.run(["combine", f"@{names}", "--partial", whole], (0, 1))
        for path in paths:
            os.remove(path)
        return whole

    def result(self):
        """The sum of all, or None if there is none."""
        rest = [path for level in self.levels for path in level]
        if not rest:
            return None
        while len(rest) > 1:
            rest = [self._sum(rest[i:i + AT_ONCE]) for i in range(0, len(rest), AT_ONCE)]
        self.levels = [rest]
        return pathlib.Path(rest[0]).read_text("utf-8")


def combine(xylem, texts):
    """Adds partial results."""
    with Tree(xylem) as tree:
        for text in texts:
            tree.add(text)
        return tree.result()


def share(max_requests, slots):
    """The limits of one of several processes: "se.example.org=64" is "se.example.org=4" for 16 slots. Raises ValueError when a host
    allows fewer requests than there are slots."""
    parts = []
    for word in max_requests.split(","):
        host, _, count = word.strip().rpartition("=")
        if int(count) < slots:
            raise ValueError(f"{word.strip()}: {slots} slots would send more requests at once; take fewer slots.")
        parts.append(f"{host}={int(count) // slots}")
    return ",".join(parts)


def key(one):
    return (one["file"], one["tree"], str(one.get("entries")))


class Work:
    """The state of a job over many tasks, whatever engine does them: `todo` has the tasks, `done(answer)` takes an answer of
    `read`, `lost(inputs, why)` a task that was given up, `again()` says what to read again, `result()` ends it.
    """

    def __init__(self, xylem, files, tree, count, branches, job, max_requests=None, slots=1):
        if max_requests:
            job["options"] = [*job["options"], f"--max-requests={share(max_requests, slots)}"]
        self.xylem, self.tree, self.job = tuple(xylem), tree, job
        planned = plan(xylem, files, tree, count, branches, job)
        self.unplanned = planned["failed"]
        self.todo = [task["inputs"] for task in planned["tasks"]]
        self.all = {key(one): one for inputs in self.todo for one in inputs}
        self.sum = Tree(xylem)
        self.failed = {}
        self.given_up = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sum.__exit__()

    def done(self, answer):
        text = answer["text"]
        for one in answer["failed"]:
            self.given_up[key(one)] = one
        if text is None:
            return
        # The list of inputs stands before the sums, and the failed ones after it.
        for one in json.loads(text)["failed"]:
            self.failed[key(one)] = one
        self.sum.add(text)

    def lost(self, inputs, why):
        for one in inputs:
            self.given_up[key(one)] = {**_input(one), "error": {"code": "INTERNAL", "message": public(why)}}

    def again(self):
        """Tasks for the files that failed in a way that may pass. The result has absolute paths, as the plan does; addresses may lack secrets there,
        so those are not tried again."""
        todo = [self.all[one] for one, found in self.failed.items() if one in self.all and found["error"]["code"] not in FINAL]
        # As many files as other tasks have.
        size = -(-len(self.all) // len(self.todo))
        for one in todo:
            del self.failed[key(one)]
        return [todo[at:at + size] for at in range(0, len(todo), size)] if todo else []

    def result(self):
        text = self.sum.result()
        if text is None:
            reasons = list(self.given_up.values())
            raise TaskError(f"No file could be read: {reasons[:3]}", files=[one["file"] for one in reasons])
        return Result(self.xylem, text, self.unplanned + list(self.given_up.values()))


def compact(value):
    """JSON as xylem writes it. It has no fractions, which Python writes in another way."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def with_failed(text, more):
    """The text of a partial result with more failed inputs, in the order of their names. All else keeps its bytes."""
    before = re.search(r'"queryHash":"[0-9a-f]{64}","inputs":(?=\[)', text)
    decoder = json.JSONDecoder()
    start = decoder.raw_decode(text, before.end())[1] + len(',"failed":')
    failed, end = decoder.raw_decode(text, start)
    there = {key(one) for one in failed}
    failed += [one for one in more if key(one) not in there]
    failed.sort(key=lambda one: (compact([one["file"], one["tree"]]), one.get("entries", [-1])[0]))
    return text[:start] + compact(failed) + text[end:]


class Result:
    """A combined result. `partial` is the partial result as a dict: see docs/features/chains.md."""

    def __init__(self, xylem, text, unplanned):
        self.xylem, self.text = tuple(xylem), with_failed(text, unplanned) if unplanned else text
        self.partial = json.loads(self.text)
        self.failed = self.partial["failed"]

    def write_failed(self, path):
        """Writes the list of the failed files, which is the next list: files="@PATH". Returns their number."""
        lines = sorted({line(one) for one in self.failed})
        pathlib.Path(path).write_text("".join(lines), "utf-8")
        return len(lines)

    def _combined(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            whole, out = os.path.join(folder, "all.json"), os.path.join(folder, "out.json")
            pathlib.Path(whole).write_text(self.text, "utf-8")
            with Living(self.xylem) as process:
                if "--uhi" not in options:
                    return json.loads(process.run(["combine", whole, *options], (0, 1)))
                process.run(["combine", whole, *options[:1], out, *options[1:]], (0, 1))
            return json.loads(pathlib.Path(out).read_text("utf-8"))

    def to_boost(self, name=None, lumi=None):
        """A boost_histogram.Histogram, of weights where there are some; of a selector that of the result `name`.

        `lumi` is the luminosity that samples are scaled to.
        """
        from boost_histogram.serialization import from_uhi

        more = [*(["--result", name] if name else []), *(["--lumi", str(lumi)] if lumi else [])]
        return from_uhi(self._combined("--uhi", *more))

    def to_numpy(self, name=None, lumi=None):
        """The contents and the edges of the bins, as numpy.histogram returns them."""
        return self.to_boost(name, lumi).to_numpy()

    def results(self, lumi=None, samples=False):
        """All that a selector made, by name, or that of each of its samples: see "json" in "xylem process --help"."""
        found = self._combined("--json", *(["--lumi", str(lumi)] if lumi else []))
        return found["samples" if samples else "results"]
