"""Previews ROOT files on the pages of records, by the page for previewers of xylem: see docs/embedding.md.

XYLEM_PREVIEW in the configuration of Invenio is the address of that page, on the same site or on another.
"""

from urllib.parse import urlencode, urljoin, urlsplit

from flask import Blueprint, current_app, render_template, request

DEFAULT_PAGE = "/static/xylem/preview.html"

previewable_extensions = ["root"]

blueprint = Blueprint("xylem_invenio", __name__, template_folder="templates")


def can_preview(file):
    """Whether a file is a ROOT file by its name. Its size does not matter: only what is looked at is read."""
    return file.has_extensions(".root")


def preview(file):
    """The page of one file: the viewer in a frame."""
    page = urljoin(request.url, current_app.config.get("XYLEM_PREVIEW", DEFAULT_PAGE))
    origin = origin_of(request.url)
    # A page of another site must allow this one by its list of origins.
    query = "" if origin_of(page) == origin else "?" + urlencode({"parent": origin})
    # After "#" the address of the file is sent to no server; it may hold a token.
    asked = urlencode({"url": urljoin(request.url, file.uri)})
    return render_template("xylem_invenio/preview.html", file=file, frame=f"{page}{query}#?{asked}")


def origin_of(address):
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"
