"""What a view answers to a page, with real files and a real server; the page itself is in lab.spec.ts."""

import functools
import gc
import http.server
import io
import json
import os
import pathlib
import sys
import tempfile
import threading
import time
import unittest
from unittest.mock import patch

import numpy as np

import xylem
from xylem.sources import BytesSource, PathSource, StreamSource, UrlSource, source_of

SAMPLE = pathlib.Path(__file__).parents[3] / "public" / "sample.root"
CONTENT = SAMPLE.read_bytes()


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, with ranges, which the server of Python does not have."""

    tagged = True

    def do_GET(self):
        self.server.heard.append(dict(self.headers))
        if self.path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/to/"))
            return self.end_headers()
        path = pathlib.Path(self.translate_path(self.path))
        content = path.read_bytes()
        first, _, last = self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")
        moved = int("/moved/" in self.path and int(first) > 0)
        first = int(first) + moved
        part = content[first : int(last or len(content) - 1) + 1 + moved]
        if self.path.startswith("/whole"):
            self.send_response(200)
            part = content
        else:
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{first + len(part) - 1}/{len(content)}")
        if self.tagged:
            self.send_header("ETag", str(path.stat().st_mtime_ns))
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)

    def log_message(self, *_):
        pass


class Sent:
    """The messages of a view, in place of its channel."""

    def __init__(self, view):
        self.messages = []
        self._came = threading.Condition()
        view.send = self.take
        self.view = view

    def take(self, message, buffers=()):
        with self._came:
            self.messages.append((message, [bytes(one) for one in buffers]))
            self._came.notify_all()

    def ask(self, **message):
        with self._came:
            before = len(self.messages)
        self.view._hear(self.view, {"id": "7", **message}, [])
        with self._came:
            self._came.wait_for(lambda: len(self.messages) > before, timeout=10)
            return self.messages[-1]


class Reads(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "sample.root"
        self.path.write_bytes(CONTENT)
        (pathlib.Path(self.folder.name) / "whole.root").write_bytes(CONTENT)
        self.addCleanup(self.folder.cleanup)

    def read(self, view, offset=100, length=50):
        return Sent(view).ask(kind="read", file=0, offset=offset, length=length)

    def served(self):
        handler = functools.partial(Ranges, directory=self.folder.name)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.heard = self.heard = []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def test_all_kinds_of_files_give_the_same_bytes(self):
        import uproot

        url = f"{self.served()}/sample.root"
        with uproot.open(self.path) as opened, self.path.open("rb") as stream:
            for file in (str(self.path), self.path, CONTENT, stream, io.BytesIO(CONTENT), opened, opened["Events"]):
                with self.subTest(type(file)):
                    view = xylem.view(file)
                    message, buffers = self.read(view)
                    self.assertEqual((message, buffers), ({"id": "7"}, [CONTENT[100:150]]))
                    self.assertEqual((view.sent_bytes, view.sent_messages), (50, 1))
            with self.subTest("address"):
                self.assertEqual(self.read(xylem.view(url, via="kernel"))[1], [CONTENT[100:150]])

    @unittest.skipUnless(hasattr(os, "mkfifo"), "Windows has no pipes in folders")
    def test_folders_and_pipes_are_refused_at_once(self):
        pipe = pathlib.Path(self.folder.name) / "pipe.root"
        os.mkfifo(pipe)
        for path in (self.folder.name, pipe, os.devnull):
            with self.subTest(path), self.assertRaisesRegex(OSError, "not a file"):
                xylem.view(path)

    def test_a_file_that_uproot_opened_for_the_view_alone_stays_open(self):
        import uproot

        view = xylem.view(uproot.open(self.path))
        gc.collect()
        self.assertEqual(self.read(view)[1], [CONTENT[100:150]])

    def test_a_page_keeps_nothing_of_another_file_with_the_same_uuid_or_address(self):
        import uproot

        def validators(files, **options):
            return {xylem.view(file, **options)._files[0]["validator"] for file in files}

        with uproot.open(self.path) as one, uproot.open(self.path) as updated:
            self.assertEqual(str(one.file.uuid), str(updated.file.uuid))
            self.assertEqual(len(validators([one, updated])), 2)
        url = f"{self.served()}/sample.root"
        self.assertEqual(len(validators([url, url], via="kernel")), 1)
        with patch.object(Ranges, "tagged", False):
            self.assertEqual(len(validators([url, url], via="kernel")), 2)

    def test_a_page_is_told_the_path_below_the_folder_of_its_server(self):
        folder = pathlib.Path(self.folder.name)
        (folder / "data" / "2026").mkdir(parents=True)
        (folder / "data" / "2026" / "b c.root").write_bytes(CONTENT)
        os.utime(folder / "data" / "2026" / "b c.root", (1_000_000_000.7, 1_000_000_000.7))
        (folder / "link").symlink_to(folder / "data")

        def place(root, path=folder / "data/2026/b c.root", **options):
            view = xylem.view(path, **options)
            [(_, [answer])] = [Sent(view).ask(kind="place", file=0, root=str(root))]
            return json.loads(answer)

        below = {"path": "data/2026/b c.root", "modified": "Sun, 09 Sep 2001 01:46:40 GMT"}
        self.assertEqual(place(folder), below)
        self.assertEqual(place(folder / "data")["path"], "2026/b c.root")
        self.assertEqual(place(folder, folder / "link/2026/b c.root")["path"], "link/2026/b c.root")
        self.assertEqual(place(folder / "link")["path"], "2026/b c.root")
        self.assertIsNone(place(folder / "dat")["path"])
        self.assertIsNone(place(folder / "data/2026/b c.root")["path"])
        self.assertIsNone(place(folder, CONTENT)["path"])
        with patch.dict(os.environ, {"HOME": str(folder)}):
            self.assertEqual(place("~/data")["path"], "2026/b c.root")
        self.assertEqual([xylem.view(self.path, via=via)._files[0]["placed"] for via in (None, "kernel")], [True, False])

    def test_a_file_that_changed_is_an_error(self):
        view = xylem.view(self.path)
        with self.path.open("ab") as file:
            file.write(b"more")
        message, _ = self.read(view)
        self.assertEqual(message["code"], "FILE_CHANGED")
        self.assertIn("Call xylem.view again", message["error"])

    def test_a_file_that_changed_on_its_server_is_an_error(self):
        view = xylem.view(f"{self.served()}/sample.root", via="kernel")
        os.utime(self.path, (1, 1))
        self.assertEqual(self.read(view)[0]["code"], "FILE_CHANGED")

    def test_headers_go_to_the_origin_of_the_file_only(self):
        headers = {"Authorization": "Bearer SECRET", "x-token": "SECRET"}
        there, elsewhere = (f"{self.served()}/sample.root", self.heard), (f"{self.served()}/sample.root", self.heard)
        tokens = lambda heard: [(one.get("Authorization"), one.get("X-Token")) for one in heard]
        view = xylem.view(f"{there[0].removesuffix('/sample.root')}/to/{elsewhere[0]}", via="kernel", headers=headers)
        self.assertEqual(self.read(view)[1], [CONTENT[100:150]])
        self.assertEqual(set(tokens(there[1])), {("Bearer SECRET", "SECRET")})
        self.assertEqual(set(tokens(elsewhere[1])), {(None, None)})
        self.assertTrue(all(one["Range"].startswith("bytes=") for one in elsewhere[1]))
        # A redirect within the origin takes them along; a list gives them to the origin of its first address.
        there[1].clear()
        xylem.view(f"{there[0].removesuffix('/sample.root')}/to/{there[0]}", via="kernel", headers=headers)
        self.assertEqual(set(tokens(there[1])), {("Bearer SECRET", "SECRET")})
        elsewhere[1].clear()
        xylem.view([there[0], elsewhere[0]], via="kernel", headers=headers)
        self.assertEqual(set(tokens(elsewhere[1])), {(None, None)})
        for place in ("file:///etc/passwd", "ftp://127.0.0.1/x.root"):
            with self.assertRaises(OSError):
                xylem.view(f"{there[0].removesuffix('/sample.root')}/to/{place}", via="kernel")

    def test_other_bytes_than_were_asked_for_are_an_error(self):
        folder = pathlib.Path(self.folder.name) / "moved"
        folder.mkdir()
        (folder / "sample.root").write_bytes(CONTENT)
        view = xylem.view(f"{self.served()}/moved/sample.root", via="kernel")
        message, buffers = self.read(view)
        self.assertEqual((message["code"], buffers), ("IO", []))
        self.assertIn("other bytes", message["error"])

    def test_a_server_without_ranges_is_refused(self):
        with self.assertRaisesRegex(OSError, "does not answer requests for ranges"):
            xylem.view(f"{self.served()}/whole.root", via="kernel")

    def test_reads_outside_the_file_are_errors(self):
        view = xylem.view(self.path)
        for offset, length in ((-1, 5), (len(CONTENT), 1), (0, 0), (0, 1 << 21)):
            self.assertEqual(self.read(view, offset, length)[0]["code"], "IO")

    def test_slow_reads_do_not_wait_for_each_other(self):
        class Slow(io.BytesIO):
            pass

        view = xylem.view(Slow(CONTENT))
        source = view._sources[0]
        free = threading.Event()
        with patch.object(source, "read", side_effect=lambda offset, length: free.wait(10) and CONTENT[:length]):
            sent = Sent(view)
            began = time.monotonic()
            for _ in range(4):
                view._hear(view, {"id": "1", "kind": "read", "file": 0, "offset": 0, "length": 4}, [])
            self.assertLess(time.monotonic() - began, 5)
            free.set()
            view._pool.shutdown()
        self.assertEqual(len(sent.messages), 4)

    def test_addresses_are_read_by_the_browser(self):
        view = xylem.view("https://example.org/a/b.root")
        self.assertEqual(view._files, [{"url": "https://example.org/a/b.root", "name": "b.root"}])

    def test_an_address_that_may_have_a_secret_is_told_and_not_saved(self):
        address = "https://me:pw@example.org/a/b.root?X-Amz-Signature=SECRET"
        view = xylem.view(address)
        self.assertEqual(view._files, [{"url": None, "name": "b.root"}])
        self.assertNotIn("SECRET", repr(view.get_state()))
        self.assertEqual(Sent(view).ask(kind="address", file=0)[1], [address.encode()])
        with self.assertRaisesRegex(ValueError, "saved with the notebook"):
            xylem.view(CONTENT, "nMuon", layers=[{"src": address}])

    def test_a_list_is_a_chain_of_sources(self):
        view = xylem.view([self.path, CONTENT])
        self.assertEqual([type(source) for source in view._sources], [PathSource, BytesSource])
        self.assertEqual(Sent(view).ask(kind="read", file=1, offset=0, length=4)[1], [b"root"])

    def test_mistakes_have_sentences(self):
        for call, kind, words in (
            (lambda: xylem.view(self.path, binz=5), TypeError, "view has no binz"),
            (lambda: xylem.view(self.path, via="ftp"), ValueError, "kernel"),
            (lambda: xylem.view(self.path, via="browser"), ValueError, "addresses"),
            (lambda: xylem.view("http://a/b.root", headers={"a": "b"}), ValueError, 'via="kernel"'),
            (lambda: xylem.view([]), ValueError, "empty"),
            (lambda: xylem.view(5), TypeError, "int is not a ROOT file"),
            (lambda: xylem.view(self.path.with_name("no.root")), FileNotFoundError, "no.root"),
        ):
            with self.assertRaisesRegex(kind, words):
                call()

    def test_sources_by_their_type(self):
        self.assertIsInstance(source_of(io.BytesIO(CONTENT)), StreamSource)
        self.assertIsInstance(source_of(f"{self.served()}/sample.root"), UrlSource)


class Answers(unittest.TestCase):
    def setUp(self):
        self.view = xylem.view(CONTENT, "nMuon", tree="Events", range=(0, 10), bins=5)

    def test_the_state_is_text_as_attributes_are(self):
        self.assertEqual(self.view.state, {"draw": "nMuon", "tree": "Events", "range": "0,10", "bins": "5"})

    def test_layers_are_lists_of_python(self):
        layers = [{"cut": "n>2", "label": "more"}, {"src": "simulation.root"}]
        view = xylem.view(CONTENT, "nMuon", layers=layers, **{"as": "plot"})
        self.assertEqual(json.loads(view.state["layers"]), layers)
        self.assertEqual(view.state["as"], "plot")
        for given in ({"layers": {"cut": "n>2"}}, {"log": True}, {"errors": True}):
            with self.subTest(given), self.assertRaises(TypeError):
                xylem.view(CONTENT, "nMuon", **given)

    def test_parts_of_the_viewer(self):
        sent = Sent(self.view)
        _, (element,) = sent.ask(kind="part", name="element.js.gz")
        self.assertEqual(element[:2], b"\x1f\x8b")
        for name in ("widget.js.gz", "write.txt.gz", "frame.js.gz"):
            self.assertEqual(sent.ask(kind="part", name=name)[1][0][:2], b"\x1f\x8b")
        for name in ("../widget.py", "loader.js"):
            self.assertIn("no part", sent.ask(kind="part", name=name)[0]["error"])

    def test_no_trait_holds_the_viewer(self):
        self.assertLess(len(self.view._esm), 3000)
        self.assertLess(len(repr(self.view.get_state())), 6000)

    def test_bins_become_a_histogram_and_are_forgotten(self):
        cells = np.array([0, 1, 2, 0.0])
        meta = {"title": "t", "axes": [{"bins": 2, "low": 0, "high": 1}]}
        message = {"kind": "plot", "histogram": meta, "arrays": ["sums", "squares"]}
        seen = []
        self.view.observe(lambda change: seen.append(change["new"]), "histogram")
        self.view._hear(self.view, message, [cells.tobytes(), cells.tobytes()])
        np.testing.assert_array_equal(self.view.histogram.values(), [1, 2])
        self.view._hear(self.view, {"kind": "plot"}, [])
        self.assertIsNone(self.view.histogram)
        self.assertEqual(len(seen), 2)

    def test_a_table_is_arrow(self):
        import pyarrow as pa

        self.assertIsNone(self.view.table)
        rows = pa.table({"nMuon": [1, 2, 3]})
        sink = io.BytesIO()
        with pa.ipc.new_file(sink, rows.schema) as writer:
            writer.write_table(rows)
        self.view._hear(self.view, {"kind": "table"}, [sink.getvalue()])
        self.assertEqual(self.view.table.to_pydict(), {"nMuon": [1, 2, 3]})
        with patch.dict(sys.modules, {"pyarrow": None}):
            self.assertRaisesRegex(ImportError, "%pip install pyarrow", lambda: self.view.table)

    def test_the_picture_follows_the_widget(self):
        shown = []
        with patch("IPython.display.display", side_effect=lambda data, **more: shown.append((data, more))):
            self.view._ipython_display_()
        self.assertIn("application/vnd.jupyter.widget-view+json", shown[0][0])
        self.assertEqual(shown[1][0], {"text/plain": ""})
        with patch("IPython.display.update_display") as update:
            self.view._hear(self.view, {"kind": "picture"}, [b"PNG"])
        (bundle,), more = update.call_args
        self.assertEqual((bundle["image/png"], more["display_id"]), ("UE5H", shown[1][1]["display_id"]))


if __name__ == "__main__":
    unittest.main()
