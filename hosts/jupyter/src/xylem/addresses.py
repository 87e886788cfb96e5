"""Removes secrets from addresses of files. Users, passwords, queries and fragments may be secrets."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import urllib.parse

#: Made anew by each kernel, so that a password cannot be guessed from what is kept.
_KEY = os.urandom(32)
#: Schemes of addresses on servers, the same as in web/io/schemes.ts (a test compares them). The browser itself reads http.
_SCHEMES = {"http": "http", "https": "http", "dav": "http", "davs": "http", "root": "xrootd", "roots": "xrootd", "xroot": "xrootd", "xroots": "xrootd"}
_USER = re.compile(r"(?<=://)[^/?#\s]*@")
_HOST = re.compile(r"://(?:\[[^]]*\]|[^/:?#\[\]]*)(?::\d*)?(?:[/?#]|$)")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]+")


def is_address(file: object) -> bool:
    return isinstance(file, str) and "://" in file


def is_http(file: object) -> bool:
    return isinstance(file, str) and "://" in file and _SCHEMES.get(file.partition("://")[0]) == "http"


def shown(address: str) -> str:
    """Returns the address without user, password, query and fragment, for messages and for saved notebooks."""
    text = _USER.sub("", re.split("[?#]", address, maxsplit=1)[0])
    if "://" in text and not _HOST.search(text):
        # A text that is not a host and a port may be the begin of a password.
        text = text.partition("://")[0] + "://" + (text.rpartition("@")[2] if "@" in text else "…")
    return text


_PARAMETER = re.compile(r"[?#][\w.%~-]+=.*", re.DOTALL)
_ODD_USER = re.compile(r"(?<![^/\\])((?:" + "|".join(_SCHEMES) + r"):)?[^@:/\\]*:[^@/\\]*@", re.IGNORECASE)


def shown_path(path: str) -> str:
    """A path as it is; an address that a wrong or missing sign makes one, without user, password and parameters."""
    return _ODD_USER.sub(lambda found: found[1] or "", _PARAMETER.sub("", path))


def is_public(address: str) -> bool:
    """Whether all of the address may be saved."""
    return shown(address) == address


def name_of(address: object) -> str:
    """The name of the file at a path or an address."""
    text = os.fspath(address) if isinstance(address, os.PathLike) else str(address)
    return os.path.basename(shown(text) if is_address(text) else text) or (shown(text) if is_address(text) else text)


def without_secrets(text: object, address: str = "") -> str:
    """The text of an error of a library, without what may be secret in the addresses that it repeats, nor parts of this one."""
    cleaned = _ADDRESS.sub(lambda found: shown(found[0]), str(text))
    if not is_address(address):
        return cleaned
    query = address.partition("?")[2]
    user = _USER.search(address)
    parts = [address.partition("://")[2].partition("/")[2], query, *query.split("&"), *[one.partition("=")[2] for one in query.split("&")]]
    if user is not None:
        parts += [user[0], user[0][:-1], user[0][:-1].partition(":")[2]]
    if is_public(address):
        parts = []
    for part in sorted({*parts, *map(urllib.parse.unquote, parts)}, key=len, reverse=True):
        if len(part) > 3:
            cleaned = cleaned.replace(part, "…")
    return cleaned


def content_id(address: str, tag: str, size: int) -> str:
    """Identifies the content at an address for as long as this kernel runs, and says nothing of the address."""
    return hmac.new(_KEY, f"{address}\n{tag}\n{size}".encode(), hashlib.sha256).hexdigest()
