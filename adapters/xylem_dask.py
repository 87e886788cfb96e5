"""Draws histograms of thousands of ROOT files on a Dask cluster, or runs a selector. Workers need Node and xylem only.

    from distributed import Client
    import xylem_dask

    result = xylem_dask.draw(Client(address), "@files.txt", "Events", "Muon_pt", "nMuon==2", hist="50,0,100")
    print(result.failed)               # inputs that could not be read, with their errors
    values, edges = result.to_numpy()
    h = result.to_boost()              # a boost_histogram.Histogram; hist.Hist(h) is one of hist

    made = xylem_dask.process(Client(address), "zpeak.mjs", "@files.txt", "Events", settings={"low": 60})
    mass = made.to_boost("mass")       # the result of this name
    made.results()                     # all, as "xylem process --json" prints them

The result has the same bits whichever worker read which file, and in whichever order.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile


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


# How a partial result begins.
PARTIAL = '{"format":"xylem-partial"'


def run(xylem, arguments, text=None, statuses=(0,), begins=""):
    """Runs xylem and returns its standard output, which begins with `begins`. Raises RuntimeError with its messages."""
    done = subprocess.run([*xylem, *arguments], input=text, capture_output=True, encoding="utf-8")
    if done.returncode not in statuses or not done.stdout.startswith(begins):
        # The last words say what went wrong.
        said = done.stderr.strip()[-2000:] or done.stdout.strip()[-500:] or "it printed nothing"
        raise RuntimeError(f"xylem {arguments[0]} ended with status {done.returncode} and no result: {public(said)}")
    return done.stdout


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


def process_job(selector, settings=None, options=(), samples=None):
    """What each task does: "xylem process" of a selector, and what the samples are. `plan` adds the files of the selector."""
    options = [*(f"--set={name}={value}" for name, value in (settings or {}).items()), *options]
    return {"command": "process", "selector": str(selector), "after": [], "options": options,
            "samples": samples and os.path.abspath(samples), "known": samples and json.loads(pathlib.Path(samples).read_text())}


def plan(xylem, files, tree, count, branches=None, job=None):
    """Cuts files into at most `count` tasks; those of its samples where `files` is None. Raises RuntimeError when none can be read."""
    samples = (job or {}).get("samples")
    more = [*(["--branches", branches] if branches else []), *(["--samples", samples] if samples else [])]
    words = [tree] if files is None else [files, tree]
    with tempfile.TemporaryDirectory() as folder:
        if "selector" in (job or {}):
            # xylem copies the selector with all that it imports and reads.
            line = " ".join(shlex.quote(word) for word in [job["selector"], *job["options"]])
            more += ["--out", folder, "--process", line]
        found = json.loads(run(xylem, ["plan", "--tasks", str(count), "--json", *more, "--", *words], statuses=(0, 1), begins='{"tree"'))
        if "selector" in (job or {}) and found["tasks"]:
            package = pathlib.Path(folder, "selector")
            job["package"] = {path.relative_to(package).as_posix(): path.read_bytes()
                              for path in package.rglob("*") if path.is_file()}
            job["module"] = os.path.relpath(os.path.realpath(shlex.split(found["tasks"][0]["command"])[2]), os.path.realpath(package))
    if not found["tasks"]:
        raise RuntimeError(public(f"No file can be read: {found['failed'][:3]}"))
    return found


def combine(xylem, texts):
    """Adds partial results."""
    return run(xylem, ["combine", "-", "--partial", "-"], "\n".join(texts), (0, 1), PARTIAL)


def read(xylem, inputs, tree, job):
    """Runs in a worker: does the job on one task, and returns its partial result as text."""
    command = job["command"]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "files.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(line(one) for one in inputs)
        words = []
        if command == "process":
            # In a folder of its own, because its names may be any.
            package = pathlib.Path(folder, "selector")
            for name_in, content in job["package"].items():
                path_in = package / name_in
                path_in.parent.mkdir(parents=True, exist_ok=True)
                path_in.write_bytes(content)
            words = [str(package / job["module"])]
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
        return run(xylem, [command, *options, "--partial", "-", "--", *words], statuses=(0, 1), begins=PARTIAL)


class Result:
    """A combined result. `partial` is the partial result as a dict: see docs/features/chains.md."""

    def __init__(self, xylem, text, unplanned):
        self.xylem, self.partial = xylem, json.loads(text)
        # Inputs that could not be planned, and then those that could not be drawn: a text that is saved has all of them.
        self.failed = self.partial["failed"] = unplanned + self.partial["failed"]
        self.text = json.dumps(self.partial, ensure_ascii=False, separators=(",", ":")) if unplanned else text

    def to_boost(self, name=None, lumi=None):
        """A boost_histogram.Histogram, of weights where there are some; of a selector that of the result `name`.

        `lumi` is the luminosity that samples are scaled to.
        """
        from boost_histogram.serialization import from_uhi

        more = [*(["--result", name] if name else []), *(["--lumi", str(lumi)] if lumi else [])]
        text = run(self.xylem, ["combine", "-", "--uhi", "-", *more], self.text, (0, 1), "{")
        return from_uhi(json.loads(text))

    def to_numpy(self, name=None, lumi=None):
        """The contents and the edges of the bins, as numpy.histogram returns them."""
        return self.to_boost(name, lumi).to_numpy()

    def results(self, lumi=None, samples=False):
        """All that a selector made, by name, or that of each of its samples: see "json" in "xylem process --help"."""
        more = ["--lumi", str(lumi)] if lumi else []
        found = json.loads(run(self.xylem, ["combine", "-", "--json", *more], self.text, (0, 1), "{"))
        return found["samples" if samples else "results"]


def draw(client, files, tree, expr, cut="", hist=None, options=(), **more):
    """Draws `expr` with `cut` over `files` on the workers of a client, and returns a Result.

    `files`, `tree`, `expr`, `cut` and `hist` are those of "xylem draw"; `options` are further ones. `more` is that of `work`.
    """
    return work(client, draw_job(expr, cut, hist, options), files, tree, **more)


def process(client, selector, files, tree, settings=None, options=(), samples=None, **more):
    """Runs the selector in the file `selector` over `files` on the workers of a client, and returns a Result.

    `settings` are those of --set; `options` are further ones of "xylem process"; `samples` is the path of a list of samples,
    and `files` may be None then. What the selector imports and reads goes to the workers with it. `more` is that of `work`.
    """
    return work(client, process_job(selector, settings, options, samples), files, tree, **more)


def work(client, job, files, tree, branches=None, tasks=None, retries=2, progress=None, xylem=("xylem",)):
    """Does a job over `files` on the workers of a client, and returns a Result.

    `branches` are those whose bytes make tasks equal. `progress(done, tasks, failed)` is called when a task has ended. A
    task whose worker is lost runs on another one, and a file that fails is read again `retries` times. Raises
    RuntimeError when a task fails.
    """
    # Here, because adapters for other engines use the rest.
    from distributed import as_completed

    planned = plan(xylem, files, tree, tasks or 4 * max(1, sum(client.nthreads().values())), branches, job)
    todo = [task["inputs"] for task in planned["tasks"]]
    # A large selector, such as one with scale factors, goes to each worker once.
    if sum(map(len, job.get("package", {}).values())) > 1_000_000:
        job = client.scatter(job, broadcast=True)
    whole = ""
    for _ in range(retries + 1):
        futures = [client.submit(read, list(xylem), inputs, tree, job, retries=retries, pure=False) for inputs in todo]
        waiting = [whole] if whole else []
        for done, (_, text) in enumerate(as_completed(futures, with_results=True), 1):
            waiting.append(text)
            # Starting a process costs more than adding, so several results are added at once.
            if len(waiting) >= 32 or done == len(futures):
                whole = combine(xylem, waiting)
                waiting = [whole]
            if progress:
                progress(done, len(futures), len(json.loads(whole)["failed"]) if whole else 0)
        failed = {(one["file"], one["tree"], str(one.get("entries"))) for one in json.loads(whole)["failed"]}
        # The result has absolute paths, as the plan does; addresses may lack secrets there, so those are not tried again.
        todo = [[one] for inputs in todo for one in inputs
                if (one["file"], one["tree"], str(one.get("entries"))) in failed]
        if not todo:
            break
    return Result(xylem, whole, planned["failed"])
