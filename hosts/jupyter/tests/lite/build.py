"""
Builds a JupyterLite that asks no other machine: build.py WHEEL PYODIDE OUT. Its kernel is that of the npm package pyodide in
the folder PYODIDE, with the versions of that package's lock; numpy has no wheel for it outside of its own site.
"""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[3]
PYTHON = "3.14"
#: Packages of the kernel itself, whose versions the lock says.
KERNEL = ["micropip", "ipython", "jedi", "typing-extensions"]
#: Packages that notebooks install, beside the wheel.
NOTEBOOKS = ["anywidget==0.11.0", "ipywidgets==8.1.9", "comm==0.2.3", "psygnal==0.16.1", "jupyterlab_widgets==3.0.17"]


def run(*command, **options):
    subprocess.run([sys.executable, "-m", *map(str, command)], check=True, **options)


def download(place, names):
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--platform=any", f"--python-version={PYTHON}"]
    run("pip", "download", *options, "--dest", place, *names)


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def main(wheel, pyodide, out):
    shutil.rmtree(out, ignore_errors=True)
    kernel, wheels, content = out / "kernel", out / "wheels", out / "content"
    for folder in (kernel, wheels, content):
        folder.mkdir(parents=True)

    lock = json.loads((pyodide / "pyodide-lock.json").read_text())
    packages = {normal(name): package for name, package in lock["packages"].items()}
    wanted, names = [], list(KERNEL)
    while names:
        package = packages[normal(names.pop())]
        if package not in wanted:
            wanted.append(package)
            names += package["depends"]
    pure = [package for package in wanted if package["file_name"].endswith("-none-any.whl")]
    download(kernel, [f"{package['name']}=={package['version']}" for package in pure])
    have = {path.name.lower(): path for path in kernel.glob("*.whl")}
    for package in pure:
        path = have[package["file_name"].lower()].rename(kernel / package["file_name"])
        package["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (kernel / "pyodide-lock.json").write_text(json.dumps(lock))
    for name in ("pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide.mjs", "pyodide.js", "python_stdlib.zip"):
        shutil.copy(pyodide / name, kernel)

    download(wheels, NOTEBOOKS)
    shutil.copy(wheel, wheels)
    shutil.copy(ROOT / "public/sample.root", content)
    shutil.copy(HERE / "lite.ipynb", content)
    settings = {"@jupyterlite/pyodide-kernel-extension:kernel": {"pyodideUrl": "../kernel/pyodide.mjs"}}
    data = {"litePluginSettings": settings, "exposeAppInBrowser": True}
    (out / "jupyter-lite.json").write_text(json.dumps({"jupyter-lite-schema-version": 0, "jupyter-config-data": data}))
    config = {
        "LiteBuildConfig": {"contents": ["content"], "output_dir": "site"},
        "PipliteAddon": {"piplite_urls": ["wheels"]},
    }
    (out / "jupyter_lite_config.json").write_text(json.dumps(config))
    run("jupyter", "lite", "build", cwd=out, stdout=subprocess.DEVNULL)
    shutil.copytree(kernel, out / "site/kernel")


main(*(pathlib.Path(path).resolve() for path in sys.argv[1:]))
