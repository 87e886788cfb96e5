"""What a notebook saves has no secret of an address: run by plain Python, without the libraries of notebooks.

python3 secrets.py ADAPTERS prints the texts that were looked at, as JSON; it fails where one has a secret.
"""

import base64
import functools
import http.server
import importlib
import json
import pathlib
import sys
import threading
import types
import urllib.parse

CANARY = "CANARY7531"
PASSWORD = "pass/word@CANARY7531"
CONTENT = bytes(range(256)) * 40

# The package without its widget, which needs anywidget.
package = types.ModuleType("xylem")
package.__path__ = [str(pathlib.Path(__file__).parents[1] / "src" / "xylem")]
sys.modules["xylem"] = package
addresses = importlib.import_module("xylem.addresses")
sources = importlib.import_module("xylem.sources")

seen = []


class Server(http.server.BaseHTTPRequestHandler):
    """Answers as the name of the file says."""

    def do_GET(self):
        seen.append(self.headers.get("Authorization"))
        what = urllib.parse.urlsplit(self.path).path.rsplit("/", 1)[-1].removesuffix(".root")
        status = {"whole": 200, "forbidden": 403, "moved": 302, "away": 302, "loop": 302}.get(what, 206)
        self.send_response(status)
        if status == 302:
            place = {"moved": "file:///etc/x", "away": f"http://127.0.0.1:1/x.root", "loop": self.path}[what]
            self.send_header("Location", place if what == "loop" else f"{place}?token={CANARY}")
            return self.end_headers()
        first, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
        part = CONTENT[int(first) : int(last) + 1]
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(CONTENT)}")
            self.send_header("ETag", '"a"')
        part = b"" if what == "short" else part
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_):
        pass


def texts_of(call):
    """What a call gives or says: all that a notebook may save of it."""
    try:
        return repr(call())
    except Exception as failed:
        texts = []
        while failed is not None:
            texts.append(f"{type(failed).__name__}: {failed} {failed.args!r}")
            failed = failed.__cause__ or (None if failed.__suppress_context__ else failed.__context__)
        return " | ".join(texts)


class Opened:
    """As uproot has a file open."""

    def __init__(self, path):
        self.file = self
        self.file_path = path
        self.source = types.SimpleNamespace(num_bytes=len(CONTENT), chunk=None)


class Stream:
    def __init__(self, name):
        self.name = name

    def seek(self, *_):
        return len(CONTENT)

    def read(self, _):
        raise OSError(f"404, message='Not Found', url='{self.name}'")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
at = f"127.0.0.1:{server.server_port}/d"
QUERIES = (f"?X-Amz-Signature={CANARY}", f"?authz=Bearer%20{CANARY}&x=1", f"#{CANARY}", f"?{CANARY}")
looked = {}


def look(name, call):
    text = looked[name] = texts_of(call)
    for secret in (CANARY, urllib.parse.quote(CANARY), "pass/word", "me:"):
        assert secret not in text, f"{name}: {text}"
    return text


def described(file, via):
    return sources.described(sources.placed(file, via, {}), True)


for query in QUERIES:
    for what in ("good", "whole", "forbidden", "moved", "away", "loop", "short"):
        text = look(f"{what} {query[:6]}", lambda: described(f"http://{at}/{what}.root{query}", "kernel"))
        assert what != "good" or "good.root" in text, text
    for via in (None, "browser"):
        assert "None" in look(f"{via} {query[:6]}", lambda: described(f"https://h.org/a.root{query}", via))
    look(f"no host {query[:6]}", lambda: described(f"http://127.0.0.1:1/a.root{query}", "kernel"))
    look(f"blank {query[:6]}", lambda: described(f"http://{at}/a b.root{query}", "kernel"))
    look(f"port {query[:6]}", lambda: sources.origin_of(f"http://me:{CANARY}x{query}"))
    look(f"fsspec {query[:6]}", lambda: described(f"nosuch://h/a.root{query}", None))
    name = f"https://me:{CANARY}@h.org/a.root{query}"
    look(f"stream {query[:6]}", lambda: sources.described(sources.StreamSource(Stream(name)), True))
    look(f"uproot {query[:6]}", lambda: sources.described(sources.UprootSource(Opened(name)), True))
    look(f"error of a stream {query[:6]}", lambda: addresses.without_secrets(texts_of(lambda: Stream(name).read(1))))
    look(f"with a user {query[:6]}", lambda: described(f"http://me:{CANARY}@{at}/good.root{query}", "kernel"))
    look(f"odd password {query[:6]}", lambda: addresses.shown(f"http://me:{PASSWORD}@h.org/a.root{query}"))
    remote = sources.placed(f"https://me:{CANARY}@h.org/a.root{query}", None, {})
    look(f"object {query[:6]}", lambda: [remote, remote.name])
# Signs that are wrong or missing make an address a path.
for place in (f"//me:{CANARY}@h/a.root", f"me:{CANARY}@h/a.root", f"http:me:{CANARY}@h/a.root", "h.org:80/a.root"):
    assert "Error" in look(f"path {place[:8]}", lambda: described(f"{place}?authz={CANARY}", "kernel"))
# A token from a file has a line break at its end; a value that is refused is not repeated.
token = {"Authorization": f"Bearer {CANARY}\n"}
assert "good.root" in look("token", lambda: sources.described(sources.placed(f"http://{at}/good.root", "kernel", token), True))
for wrong in ({"Authorization": f"Bearer\n{CANARY}"}, {"Authorization": f"Bearer {CANARY}\u20ac"}, {f"A {CANARY}": "x"}):
    assert "ValueError" in look(f"header {wrong!r:.9}", lambda: sources.placed(f"http://{at}/good.root", "kernel", wrong))
# User and password are sent, and are no part of the host.
assert "good.root" in look("user", lambda: described(f"http://me:{CANARY}@{at}/good.root", "kernel"))
assert seen[-1] == "Basic " + base64.b64encode(f"me:{CANARY}".encode()).decode(), seen
# The address itself is not lost.
assert remote.url.endswith(query)
same = [described(f"http://{at}/good.root?sig={CANARY}", "kernel")["validator"] for _ in range(2)]
other = described(f"http://{at}/good.root?sig=other", "kernel")["validator"]
assert same[0] == same[1] != other and len(other) == 64
assert described("https://h.org/a.root", None) == {"name": "a.root", "url": "https://h.org/a.root"}
# What has no secret stays as it is.
for address in ("https://h.org/a@b/c.root", "https://h.org:8443/a.root", "http://[::1]:80/a.root", "root://h//a.root"):
    assert addresses.shown(address) == address, addresses.shown(address)
# The adapters have the same rule, because they are files by themselves.
sys.path.insert(0, sys.argv[1])
adapter = importlib.import_module("xylem_tasks")
for address in (*(f"https://me:{CANARY}@h.org/a.root{query}" for query in QUERIES), f"http://me:{PASSWORD}@h.org/a", "a?b#c.root"):
    assert adapter.shown(address) == (addresses.shown(address) if "://" in address else address), address
look("line", lambda: adapter.line({"file": f"https://h.org/a.root?token={CANARY}\n", "tree": "t"}))
look("public", lambda: adapter.public(f"cannot read https://me:{CANARY}@h.org/a?token={CANARY}"))
print(json.dumps(looked))
