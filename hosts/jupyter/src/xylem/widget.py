"""The widget: the viewer in an output of a notebook, and its messages to the kernel."""

from __future__ import annotations

import base64
import json
import os
import pathlib
import re
import sys
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Iterable, Mapping

import anywidget
import traitlets

from .addresses import without_secrets
from .report import Report
from .sources import FileChanged, PathSource, RemoteFile, Source, described, origin_of, placed

_HERE = pathlib.Path(__file__).parent
_STATIC = _HERE / "static"
#: Parts of the viewer that a page asks for, each once.
_PARTS = ("element.js.gz", "widget.js.gz", "write.txt.gz", "frame.js.gz")
#: Fonts of figures, which are parts, too.
_FONT = re.compile(r"fonts/[a-z0-9-]+\.woff\.gz")
#: Reads that are under way at once, where each takes long.
_READS = 8
#: Maximum number of bytes that a page asks for in one message.
_MAX_READ = 1 << 20

#: The Python of JupyterLite has no threads, and no sockets.
_THREADS = sys.platform != "emscripten"

#: The attributes of the element that say what is shown (docs/embedding.md); the build of its types writes the file.
_STATE = tuple(json.loads((_HERE / "state.json").read_text(encoding="ascii")))


def _built(name: str) -> pathlib.Path:
    path = _STATIC / name
    if not path.exists():
        raise RuntimeError("The parts of the viewer are missing: run npm run build:jupyter in the sources.")
    return path


class View(anywidget.AnyWidget):
    """
    A ROOT file in an output. Made by :func:`view`.

    Its traits follow what is done in the page, and can be observed; ``state`` can also be set.
    """

    _esm = _built("loader.js").read_text(encoding="utf-8")

    #: The state, as the attributes of the element: tree, draw, cut, item, range, …
    state = traitlets.Dict().tag(sync=True)
    #: The selected item: path, className, branch; and in a table columns, from, to, entry.
    selection = traitlets.Dict().tag(sync=True)
    #: The error because of which nothing is shown: code, message, fix; empty without an error.
    error = traitlets.Dict().tag(sync=True)
    height = traitlets.Int(560).tag(sync=True)
    #: "light", "dark", or "auto": the theme of the notebook.
    theme = traitlets.Unicode("auto").tag(sync=True)
    #: The histogram that is shown, as :class:`Histogram`; None if no histogram is shown.
    histogram = traitlets.Any(None, allow_none=True)

    #: The report that is shown, as :class:`Report`: of a cutflow, of the doctor, …; None before there was one.
    report = traitlets.Any(None, allow_none=True)

    #: Number of results from the page. marimo runs cells again only for traits that the page sets.
    _results = traitlets.Int(0).tag(sync=True)
    _files = traitlets.List().tag(sync=True)
    _parts = traitlets.Unicode().tag(sync=True)

    def __init__(self, files: list[Source | RemoteFile], *, via_server: bool = True, **options: Any):
        self._sources = files
        #: Number of bytes of files that were sent to the page, and number of messages.
        self.sent_bytes = 0
        self.sent_messages = 0
        self._sums = threading.Lock()
        self._pool = ThreadPoolExecutor(_READS, "xylem-read")
        self._table_bytes: bytes | None = None
        self._picture: bytes | None = None
        self._display_ids: list[str] = []
        super().__init__(
            _files=[described(file, via_server) for file in files],
            _parts=_version_of_parts(),
            **options,
        )
        self.on_msg(self._hear)

    @property
    def table(self) -> Any:
        """
        The rows that the page shows as a table, as a pyarrow.Table; None while it shows none. Needs pyarrow. All rows:
        ``selection`` has the path of the tree and the columns, for uproot.
        """
        if self._table_bytes is None:
            return None
        try:
            import pyarrow as pa
        except ImportError as missing:
            raise ImportError("w.table is a table of pyarrow, which is not installed here: %pip install pyarrow.") from missing
        return pa.ipc.open_file(self._table_bytes).read_all()

    @property
    def picture(self) -> bytes | None:
        """The plot that was shown last, as PNG."""
        return self._picture

    def _hear(self, _: Any, message: Any, buffers: list[Any]) -> None:
        """Handles one message of the page. It may run beside a cell, in a thread of its own."""
        kind = message.get("kind")
        if kind == "read":
            self._answer_read(message)
        elif kind == "place":
            self._answer_place(message)
        elif kind == "address":
            self._answer_address(message)
        elif kind == "part":
            name = message.get("name")
            is_font = isinstance(name, str) and _FONT.fullmatch(name) and (_STATIC / name).is_file()
            if name in _PARTS or is_font:
                self.send({"id": message["id"]}, [(_STATIC / name).read_bytes()])
            else:
                self.send({"id": message["id"], "error": f"There is no part {name!r}."})
        # "look" only checks that the channel is open.
        elif kind == "plot":
            self._take_plot(message, buffers)
        elif kind == "table":
            self._table_bytes = bytes(buffers[0]) if buffers else None
        elif kind == "report":
            self.report = Report(message["report"])
        elif kind == "picture":
            self._picture = bytes(buffers[0])
            self._show_picture()

    def _answer_place(self, message: dict[str, Any]) -> None:
        """Says where a file lies below the folder of the notebook's server, from which the page may read it."""
        source = self._sources[int(message["file"])]
        place = {"path": None, "modified": ""}
        if isinstance(source, PathSource):
            place = {"path": source.below(str(message["root"])), "modified": source.modified}
        self.send({"id": message["id"]}, [json.dumps(place).encode()])

    def _answer_address(self, message: dict[str, Any]) -> None:
        """Sends the address of a file that the page reads, because it may have a secret, and traits are saved."""
        source = self._sources[int(message["file"])]
        if isinstance(source, RemoteFile):
            self.send({"id": message["id"]}, [source.url.encode()])
        else:
            self.send({"id": message["id"], "error": "The kernel reads this file."})

    def _answer_read(self, message: dict[str, Any]) -> None:
        source = self._sources[int(message["file"])]
        if isinstance(source, RemoteFile):
            self.send({"id": message["id"], "error": "The page reads this file itself."})
        elif source.slow and _THREADS:
            self._pool.submit(self._read, source, message)
        else:
            self._read(source, message)

    def _read(self, source: Source, message: dict[str, Any]) -> None:
        offset, length = int(message["offset"]), int(message["length"])
        try:
            if not (0 <= offset < source.size and 0 < length <= _MAX_READ):
                raise OSError(f"{length} bytes from {offset} are not within {source.name}.")
            data = source.read(offset, length)
        except FileChanged as changed:
            self.send({"id": message["id"], "error": str(changed), "code": "FILE_CHANGED"})
        # A server or a library may fail in any way; the page shows the message.
        except Exception as failed:
            self.send({"id": message["id"], "error": f"{source.name}: {without_secrets(failed)}", "code": "IO"})
        else:
            with self._sums:
                self.sent_bytes += len(data)
                self.sent_messages += 1
            self.send({"id": message["id"]}, [data])

    def _take_plot(self, message: dict[str, Any], buffers: list[Any]) -> None:
        meta = message.get("histogram")
        if meta is None:
            self.histogram = None
            return
        import numpy as np

        from .histogram import Histogram

        names = message["arrays"]
        arrays = {name: np.frombuffer(data, dtype="<f8") for name, data in zip(names, buffers)}
        self.histogram = Histogram(meta, arrays)

    def _ipython_display_(self) -> None:
        """Shows the widget, and after it the last picture, which a saved notebook shows without a kernel."""
        from IPython.display import display

        data = self._repr_mimebundle_()
        bundle, metadata = data if isinstance(data, tuple) else (data, {})
        display(bundle, metadata=metadata, raw=True)
        if _hides_pictures():
            self._display_ids.append(uuid.uuid4().hex)
            display(self._picture_bundle(), raw=True, display_id=self._display_ids[-1])

    def _picture_bundle(self) -> dict[str, str]:
        if self._picture is None:
            return {"text/plain": ""}
        image = base64.b64encode(self._picture).decode("ascii")
        return {"image/png": image, "text/plain": f"<picture of {self._name}>"}

    def _show_picture(self) -> None:
        from IPython.display import update_display

        for display_id in self._display_ids:
            update_display(self._picture_bundle(), raw=True, display_id=display_id)

    @property
    def _name(self) -> str:
        return ", ".join(str(file["name"]) for file in self._files)

    def __repr__(self) -> str:
        return f"<xylem.View of {self._name}>"


def view(
    file: Any,
    draw: str | None = None,
    *,
    via: str | None = None,
    headers: Mapping[str, str] | None = None,
    height: int = 560,
    theme: str = "auto",
    **state: Any,
) -> View:
    """
    Shows a ROOT file of any size in a notebook.

    ``file`` is a path on the machine of the kernel, an address, bytes, an open file, what uproot opened, or a list of
    these, whose trees are read as one. Addresses of http and https are read by the browser, and paths below the folder of the
    Jupyter server through that; with ``via="kernel"`` the kernel reads both, addresses with ``headers`` when they are given, which
    go to the origin of the first address only. Only what is looked at crosses to the browser.

    ``draw`` and all else say what is shown first, as the attributes of the element: ``tree``, ``cut``, ``item``, ``view``,
    ``bins``, ``range``, ``log``, … Throws TypeError for what is not a file or an attribute, ValueError for values, and OSError.
    """
    if via not in (None, "kernel", "browser"):
        raise ValueError(f'via is "kernel" or "browser", and not {via!r}.')
    unknown = sorted(set(state) - set(_STATE))
    if unknown:
        raise TypeError(f"view has no {', '.join(unknown)}; there are {', '.join(_STATE)}.")
    if draw is not None:
        state["draw"] = draw
    files = list(file) if isinstance(file, (list, tuple)) else [file]
    if not files:
        raise ValueError("The list of files is empty.")
    sources = [placed(one, via, given) for one, given in zip(files, _headers_of(files, dict(headers or {})))]
    shown = {name: _text(value) for name, value in state.items() if value is not None}
    _check_layers(shown.get("layers", ""))
    return View(sources, via_server=via is None, state=shown, height=height, theme=theme)


def _headers_of(files: list[Any], headers: dict[str, str]) -> list[dict[str, str]]:
    """Returns the headers of each file. A list may name servers of other people, which must not get the tokens in them."""
    origins = [origin_of(file) if isinstance(file, str) and "://" in file else None for file in files]
    first = next((one for one in origins if one is not None), None)
    return [headers if one in (None, first) else {} for one in origins]


def _check_layers(layers: str) -> None:
    """The state is saved with the notebook. Throws ValueError for addresses that must not be."""
    if without_secrets(layers) != layers:
        raise ValueError(
            "A layer has an address with a query or a password, which would be saved with the notebook. "
            "Give an address without them, or save the file, and give its path."
        )


def _text(value: Any) -> str:
    """Returns the value of an attribute: numbers of a range with commas between them, layers as JSON."""
    if isinstance(value, bool):
        raise TypeError(f'{value} is not the value of an attribute: give log="y", or errors="1".')
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, (list, tuple)) and any(isinstance(one, dict) for one in value):
        return json.dumps(value)
    if isinstance(value, Iterable) and not isinstance(value, (dict, bytes)):
        return ",".join(_text(one) for one in value)
    raise TypeError(f"{value!r} is not the value of an attribute.")


def _version_of_parts() -> str:
    """Names the build, so that a page does not mix parts of two."""
    return _built("version.txt").read_text(encoding="ascii").strip()


def _hides_pictures() -> bool:
    """Whether the notebook is one in which the page hides the picture while the widget is there."""
    return "VSCODE_PID" not in os.environ and "COLAB_RELEASE_TAG" not in os.environ
