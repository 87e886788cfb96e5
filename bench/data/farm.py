"""Runs a selector over many small files, of which a tenth is bad, by one process and by Dask with workers that are killed.

    python3 farm.py FOLDER XYLEM.js [FILES] [SECONDS] [TASKS]

FILES (10000) are links to 500 files that are made in FOLDER. A process of a worker of Dask and a living process of xylem are killed in
turns, one every SECONDS (60; 0: none). TASKS is the number of tasks, 0 that of the adapter. Prints a line of JSON: the times, the CPU time of
all processes, the most memory of all processes of Dask and xylem together (the sums of RSS and of PSS), and whether the results have
the same bytes and the same failed files.
"""

import ctypes, json, os, pathlib, random, resource, signal, subprocess, sys, threading, time, uuid

ADAPTERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../adapters")
sys.path.insert(0, ADAPTERS)

SELECTOR = """export default {
  branches: { x: 'x', w: 'w', n: 'n' },
  where: 'n != 3',
  begin: (job) => ({
    h: job.hist([40, -10, 15], { title: 'x', axes: ['x'] }),
    mean: job.profile([10, -10, 15]),
    sum: job.counter(),
    kinds: job.labels(),
  }),
  entry({ x, w, n }, out) {
    out.h.fill(x, w);
    out.mean.fill(x, n, w);
    out.sum.add(w / 3);
    out.kinds.add('n=' + n, w);
  },
};
"""
ORIGINALS = 500


def make(folder, count):
    """Makes the files and their list. Of ten one is bad: cut off, empty, without the tree, with a damaged basket, or missing."""
    import numpy as np
    import uproot

    folder.mkdir(parents=True, exist_ok=True)
    numbers = np.random.default_rng(53)
    bad = []
    for i in range(ORIGINALS):
        path = folder / f"original-{i:03d}.root"
        kind = (i // 10) % 5 if i % 10 == 9 else None
        if kind is not None:
            bad.append(i)
        if path.exists() or path.is_symlink():
            continue
        # The same identifier in all: links are other files, not copies of one.
        with uproot.recreate(path, uuid_function=lambda: uuid.UUID(int=0)) as file:
            size = int(numbers.integers(50, 300))
            tree = "other" if kind == 2 else "small"
            file.mktree(tree, {"x": "float64", "w": "float64", "n": "int32"})
            w = numbers.normal(1, 2, size) * 10.0 ** numbers.integers(-9, 9, size)
            file[tree].extend({"x": numbers.normal(3, 4, size), "w": w, "n": numbers.integers(0, 9, size, dtype="int32")})
        if kind == 0:
            os.truncate(path, path.stat().st_size // 2)
        if kind == 1:
            os.truncate(path, 0)
        if kind == 3:
            # The first basket of w, which is compressed: its checksum or its length is wrong then.
            start = uproot.open(path)["small"]["w"].member("fBasketSeek")[0]
            with open(path, "r+b") as file:
                file.seek(start + 120)
                file.write(b"\xff" * 40)
        if kind == 4:
            path.rename(path.with_suffix(".away"))
            os.symlink("nowhere", path)
    links, names, failed = folder / f"links-{count}", [], []
    links.mkdir(exist_ok=True)
    for i in range(count):
        link = links / f"{i:05d}.root"
        if not link.is_symlink():
            link.symlink_to(folder / f"original-{i % ORIGINALS:03d}.root")
        names.append(str(link))
        if i % ORIGINALS in bad:
            failed.append(f"{link}?#small")
    (folder / "files.txt").write_text("\n".join(names))
    (folder / "farm.mjs").write_text(SELECTOR)
    return failed


def cpu(which):
    used = resource.getrusage(which)
    return used.ru_utime + used.ru_stime


def own_orphans():
    """Makes this process the parent of those whose parent was killed, so that their CPU time and memory count."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def family():
    """This process and all that it started."""
    import psutil

    return [psutil.Process(), *psutil.Process().children(recursive=True)]


def used():
    """The CPU time of this process and all that it started, also of those that ended, in seconds."""
    import psutil

    total = 0
    for one in family():
        try:
            total += sum(one.cpu_times()[:4])
        except psutil.Error:
            pass
    return total


def memory():
    """The memory of this process and all that it started, in bytes: RSS, which counts shared pages in each, and PSS."""
    import psutil

    rss = pss = 0
    for one in family():
        try:
            found = one.memory_full_info()
            rss, pss = rss + found.rss, pss + found.pss
        except psutil.Error:
            pass
    return rss, pss


def living():
    """The ids of the living processes of xylem that workers have, not those of this process."""
    import psutil

    ids = []
    for one in family():
        try:
            if "worker" in one.cmdline()[2:3] and one.ppid() != os.getpid():
                ids.append(one.pid)
        except psutil.Error:
            pass
    return ids


def main(folder, program, count=10000, seconds=60, tasks=200):
    import dask
    from distributed import Client, LocalCluster
    import xylem_dask

    # On a busy machine workers answer late, and Dask would take them for lost.
    dask.config.set({"distributed.comm.timeouts.connect": "120s", "distributed.comm.timeouts.tcp": "300s",
                     "distributed.scheduler.worker-ttl": None, "distributed.deploy.lost-worker-timeout": "600s"})

    folder = pathlib.Path(folder).resolve()
    expected = sorted(make(folder, count))
    one, list_of = folder / "one.json", folder / "failed-one.txt"
    words = ["process", str(folder / "farm.mjs"), f"@{folder / 'files.txt'}", "small", "--set", "a=1"]
    began, before = time.time(), cpu(resource.RUSAGE_CHILDREN)
    subprocess.run(["node", program, *words, "--partial", str(one), "--failed", str(list_of), "--jobs", "1"],
                   stderr=subprocess.DEVNULL, env={**os.environ, "XYLEM_WORKERS": "1"})
    report = {"files": count, "one process": {"s": time.time() - began, "cpu s": cpu(resource.RUSAGE_CHILDREN) - before}}

    os.environ["PYTHONPATH"] = ADAPTERS
    own_orphans()
    most, killed, watched, ended = [0, 0], [0, 0], [0], threading.Event()
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            def watch():
                while not ended.wait(1):
                    most[:] = map(max, most, memory())
                    watched[0] = time.thread_time()

            def kill():
                while not ended.wait(seconds or None):
                    # The processes of the workers, which their nannies start again; and those that the workers keep.
                    turn = sum(killed) % 2
                    pids = living() if turn else [pid for pid in (nanny.pid for nanny in cluster.workers.values()) if pid]
                    if pids:
                        os.kill(random.choice(pids), signal.SIGKILL)
                        killed[turn] += 1

            threads = [threading.Thread(target=watch), threading.Thread(target=kill)]
            for thread in threads:
                thread.start()
            began, before = time.time(), used()
            try:
                result = xylem_dask.process(client, str(folder / "farm.mjs"), f"@{folder / 'files.txt'}", "small", {"a": 1},
                                            tasks=tasks or None, retries=1, xylem=("node", program))
                report["Dask"] = {"s": time.time() - began, "cpu s": used() - before - watched[0]}
            finally:
                ended.set()
            report["Dask"] |= {"workers killed": killed[0], "processes killed": killed[1],
                               "RSS MB": most[0] / 1e6, "PSS MB": most[1] / 1e6}
            for thread in threads:
                thread.join()
    result.write_failed(folder / "failed-dask.txt")
    (folder / "dask.json").write_text(result.text)
    report["ratio"], report["CPU ratio"] = (report["Dask"][name] / report["one process"][name] for name in ("s", "cpu s"))
    report["same bytes"] = one.read_text().strip() == result.text.strip()
    lists = [path.read_text().splitlines() for path in (list_of, folder / "failed-dask.txt")]
    report["failed"] = [len(lines) for lines in lists]
    report["failed exact"] = all(sorted(lines) == expected for lines in lists)
    print(json.dumps(report))
    return report["same bytes"] and report["failed exact"]


if __name__ == "__main__":
    folder, program, *numbers = sys.argv[1:]
    sys.exit(0 if main(folder, program, *map(int, numbers)) else 1)
