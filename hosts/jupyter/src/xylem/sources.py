"""Sources of a file's bytes on the machine of the kernel. Several threads may read each source."""

from __future__ import annotations

import base64
import email.utils
import os
import re
import stat
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Protocol

from .addresses import content_id, is_address, is_http, is_public, name_of, shown, shown_path, without_secrets


class Source(Protocol):
    """Reads ranges of one file."""

    name: str
    size: int
    #: Identifies the content: two sources with the same text have the same bytes.
    validator: str
    #: Whether a read takes long, so that several should be under way at once.
    slow: bool

    def read(self, offset: int, length: int) -> bytes:
        """Returns exactly these bytes, fewer only at the end. Throws OSError."""


class FileChanged(OSError):
    """The file is not the one that was opened."""


class PathSource:
    """A file of the kernel's machine."""

    slow = False

    def __init__(self, path: str | os.PathLike[str]):
        self.path = os.path.abspath(os.path.expanduser(os.fspath(path)))
        self.name = os.path.basename(self.path)
        # Opening a pipe waits until another program writes to it.
        try:
            mode = os.stat(self.path).st_mode
        except FileNotFoundError as missing:
            text = os.fspath(path)
            plain = shown_path(text)
            if plain == text:
                raise
            raise FileNotFoundError(missing.errno, f"{missing.strerror}; an address begins with https://", plain) from None
        if not stat.S_ISREG(mode):
            raise OSError(f"{self.path} is a folder or a device, and not a file. Give the path of a ROOT file.")
        self._file = os.open(self.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        self._lock = threading.Lock()
        state = os.fstat(self._file)
        self.size = state.st_size
        self.validator = f"{state.st_dev}-{state.st_ino}-{state.st_mtime_ns}-{state.st_size}"
        #: When it was changed, as HTTP writes it.
        self.modified = email.utils.formatdate(int(state.st_mtime), usegmt=True)

    def below(self, root: str) -> str | None:
        """Returns the path below a folder, with slashes; None if it is elsewhere. The folder may begin with ~."""
        folder = os.path.abspath(os.path.expanduser(root))
        for path, start in ((self.path, folder), (os.path.realpath(self.path), os.path.realpath(folder))):
            try:
                below = os.path.relpath(path, start)
            # Another drive of Windows.
            except ValueError:
                continue
            if below.split(os.sep)[0] not in (os.curdir, os.pardir):
                return below.replace(os.sep, "/")
        return None

    def read(self, offset: int, length: int) -> bytes:
        state = os.fstat(self._file)
        if f"{state.st_dev}-{state.st_ino}-{state.st_mtime_ns}-{state.st_size}" != self.validator:
            raise FileChanged(f"{self.name} was changed while it was open. Call xylem.view again.")
        if hasattr(os, "pread"):
            return os.pread(self._file, length, offset)
        with self._lock:
            os.lseek(self._file, offset, os.SEEK_SET)
            return os.read(self._file, length)

    def __del__(self) -> None:
        file = getattr(self, "_file", None)
        if file is not None:
            os.close(file)


class BytesSource:
    """Bytes in memory."""

    slow = False

    def __init__(self, data: Any, name: str = "bytes"):
        self._data = memoryview(data).cast("B")
        self.name = name
        self.size = len(self._data)
        self.validator = uuid.uuid4().hex

    def read(self, offset: int, length: int) -> bytes:
        return bytes(self._data[offset : offset + length])


class StreamSource:
    """An open file with ``read`` and ``seek``, as fsspec gives them. It is read by one thread at a time."""

    slow = True

    def __init__(self, stream: Any):
        self._stream = stream
        self._lock = threading.Lock()
        self.name = name_of(getattr(stream, "name", getattr(stream, "path", "file")))
        self.size = stream.seek(0, os.SEEK_END)
        self.validator = uuid.uuid4().hex

    def read(self, offset: int, length: int) -> bytes:
        with self._lock:
            self._stream.seek(offset)
            parts = []
            while length > 0:
                part = self._stream.read(length)
                if not part:
                    break
                parts.append(part)
                length -= len(part)
        return b"".join(parts)


class UprootSource:
    """A file that uproot has open, given by itself or by one of its directories."""

    slow = True

    def __init__(self, opened: Any):
        file = getattr(opened, "file", opened)
        # Uproot closes a file that nothing refers to any more, as in xylem.view(uproot.open(path)).
        self._opened = opened
        self._source = file.source
        self.name = name_of(file.file_path)
        self.size = int(self._source.num_bytes)
        # The UUID of the file says nothing of its content: it stays when ROOT updates the file, and reproducible files have none.
        self.validator = uuid.uuid4().hex

    def read(self, offset: int, length: int) -> bytes:
        end = min(offset + length, self.size)
        chunk = self._source.chunk(offset, end)
        chunk.wait(end - offset)
        return bytes(chunk.raw_data)


def origin_of(url: str) -> tuple[str, str | None, int | None]:
    """Returns scheme, host and port of an address. Headers that are meant for the address go only there."""
    try:
        parts = urllib.parse.urlsplit(url)
        return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    # Its message may have a password.
    except ValueError:
        raise ValueError(f"{shown(url)} is not a complete address.") from None


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects as browsers do: another origin does not get the headers of the user, which may hold tokens."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if origin_of(newurl)[0] not in ("http", "https"):
            raise OSError(f"{shown(req.full_url)} leads to {shown(newurl)}, which is no address of http or https.")
        sent = super().redirect_request(req, fp, code, msg, headers, newurl)
        if sent is not None and origin_of(newurl) != origin_of(req.full_url):
            sent.headers = {name: value for name, value in sent.headers.items() if name == "Range"}
        return sent


_OPENER = urllib.request.build_opener(_Redirects)
#: Bytes that have to come within the time-out.
_MIN_PROGRESS = 1024
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)", re.ASCII)


def _checked(headers: dict[str, str]) -> dict[str, str]:
    """The headers, without blanks at their ends, as of a token from a file. Libraries repeat values that they refuse."""
    checked = {name: str(value).strip() for name, value in headers.items()}
    for name, value in checked.items():
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
            raise ValueError("A header has a name with signs that no header has.")
        if not re.fullmatch(r"[\t\x20-\x7e\x80-\xff]*", value):
            raise ValueError(f"The header {name} has a line break or a sign that no header has.")
    return checked


def _without_user(url: str, headers: dict[str, str]) -> str:
    """The address without user and password, which urllib takes for the host. They are added to the headers."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    user, at, host = host.rpartition("@")
    if not at:
        return url
    if not any(name.lower() == "authorization" for name in headers):
        pair = urllib.parse.unquote(user if ":" in user else f"{user}:")
        headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
    return f"{scheme}://{host}{slash}{path}"


class UrlSource:
    """An address that the kernel reads, by range requests. Headers are sent to its origin only."""

    slow = True

    def __init__(self, url: str, headers: dict[str, str] | None = None, timeout: float = 60):
        self._url = url
        self._headers = _checked(headers or {})
        self._bare = _without_user(url, self._headers)
        self._timeout = timeout
        self.name = name_of(url)
        _, total, self._tag = self._get(0, 1)
        self.size = total
        # Without a tag nothing says that the next file of this address has the same bytes.
        self.validator = content_id(url, self._tag or uuid.uuid4().hex, total)

    def _get(self, offset: int, length: int) -> tuple[bytes, int, str]:
        """Throws OSError; none of its texts has more of the address than may be saved with the notebook."""
        try:
            return self._ask(offset, length)
        # Libraries repeat the address in their errors, also in those that are their cause.
        except Exception as failed:
            raise OSError(f"{shown(self._url)}: {without_secrets(failed, self._url)}") from None

    def _ask(self, offset: int, length: int) -> tuple[bytes, int, str]:
        last = offset + length - 1
        request = urllib.request.Request(self._bare, headers={**self._headers, "Range": f"bytes={offset}-{last}"})
        with _OPENER.open(request, timeout=self._timeout) as answer:
            given = _CONTENT_RANGE.fullmatch(answer.headers.get("Content-Range", "").strip())
            if answer.status != 206 or given is None:
                raise OSError(
                    f"the server does not answer requests for ranges (status {answer.status}), "
                    "so the whole file would have to be read. Download it, and view the copy."
                )
            first, end, total = int(given[1]), int(given[2]) + 1, int(given[3])
            tag = answer.headers.get("ETag") or answer.headers.get("Last-Modified") or ""
            wanted = min(length, total - offset)
            # One byte more shows that there is more than was asked for.
            data = self._body(answer, wanted + 1) if (first, end) == (offset, offset + wanted) else b""
            if len(data) != wanted:
                raise OSError(f"the server gave other bytes than the {wanted} from {offset} on that were asked for.")
            return data, total, tag

    def _body(self, answer: Any, most: int) -> bytes:
        """Reads up to `most` bytes. A server that sends them one by one keeps nobody waiting for hours."""
        data = bytearray()
        counted, heard = 0, time.monotonic()
        while len(data) < most:
            part = answer.read1(most - len(data))
            if not part:
                break
            data += part
            if len(data) >= counted + _MIN_PROGRESS:
                counted, heard = len(data), time.monotonic()
            elif time.monotonic() - heard > self._timeout:
                raise OSError(f"only {len(data)} bytes of an answer came within {self._timeout:g} s.")
        return bytes(data)

    def read(self, offset: int, length: int) -> bytes:
        data, total, tag = self._get(offset, length)
        if total != self.size or tag != self._tag:
            raise FileChanged(f"{self.name} was changed on its server while it was open. Call xylem.view again.")
        return data


def source_of(file: Any, headers: dict[str, str] | None = None) -> Source:
    """
    The source of a path, an address, bytes, what uproot opened, or an open file. Throws TypeError for anything else,
    and OSError for what cannot be opened.
    """
    if is_address(file):
        if sys.platform == "emscripten":
            raise OSError(
                f"The kernel of JupyterLite has no network of its own, so it cannot read {shown(file)}. The browser reads addresses "
                'of http and https: leave out via="kernel".'
            )
        if is_http(file):
            return UrlSource(file, headers)
        return StreamSource(_with_fsspec(file))
    if isinstance(file, (str, os.PathLike)):
        return PathSource(file)
    if isinstance(file, (bytes, bytearray, memoryview)):
        return BytesSource(file)
    if hasattr(getattr(getattr(file, "file", file), "source", None), "chunk"):
        return UprootSource(file)
    if hasattr(file, "read") and hasattr(file, "seek"):
        return StreamSource(file)
    raise TypeError(
        f"{type(file).__name__} is not a ROOT file. Give a path, an address, bytes, an open file, or what uproot opened."
    )


def _with_fsspec(url: str) -> Any:
    try:
        import fsspec
    except ImportError as missing:
        raise OSError(f"The kernel reads {shown(url)} with fsspec, which is not installed: pip install fsspec.") from missing
    try:
        return fsspec.open(url, "rb").open()
    except Exception as failed:
        raise OSError(f"{shown(url)}: {without_secrets(failed, url)}") from None


def placed(file: Any, via: str | None, headers: dict[str, str]) -> Source | RemoteFile:
    """A source of the kernel, or the address that the browser reads."""
    if is_http(file) and via != "kernel":
        if headers:
            raise ValueError('Headers are sent by the kernel alone: give via="kernel".')
        return RemoteFile(file)
    if via == "browser":
        raise ValueError("The browser reads addresses of http and https alone.")
    return source_of(file, headers)


class RemoteFile:
    """A file that the browser reads. Its address is sent to the page when that asks for it, because traits are saved."""

    def __init__(self, url: str):
        self.url = url
        self.name = name_of(url)

    def __repr__(self) -> str:
        return f"<RemoteFile {shown(self.url)}>"


def described(file: Source | RemoteFile, via_server: bool) -> dict[str, Any]:
    """Returns the first message about a file to the page. It is saved with the notebook, so nothing in it is secret."""
    if isinstance(file, RemoteFile):
        # A saved notebook shows a file whose address is public without a kernel.
        return {"name": file.name, "url": file.url if is_public(file.url) else None}
    is_placed = via_server and isinstance(file, PathSource)
    return {"name": file.name, "size": file.size, "validator": file.validator, "placed": is_placed}
