"""Runs invenio-previewer itself with this package: see README.md."""

from html import unescape
from types import SimpleNamespace
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from flask import Flask
from invenio_base.utils import entry_points
from invenio_i18n import InvenioI18N
from invenio_previewer import InvenioPreviewer, current_previewer
from invenio_previewer.views import preview


class Stored(dict):
    def __init__(self, key):
        super().__init__(key=key, size=300_000_000_000)
        self.key = key


@pytest.fixture()
def app():
    made = Flask("test")
    made.config.update(PREVIEWER_PREFERENCE=["xylem"], SERVER_NAME="portal.example", PREFERRED_URL_SCHEME="https")
    InvenioI18N(made)
    InvenioPreviewer(made)
    for found in entry_points(group="invenio_base.blueprints"):
        if found.name == "xylem_invenio":
            made.register_blueprint(found.load())
    made.add_url_rule("/records/<pid_value>/preview/<filename>", "preview", lambda pid_value, filename: "")
    made.add_url_rule("/records/<pid_value>/files/<path:filename>", "recid_files", lambda pid_value, filename: "")
    return made


def shown(app, key):
    pid = SimpleNamespace(pid_type="recid", pid_value="7")
    with app.test_request_context(f"https://portal.example/records/7/preview/{quote(key)}"):
        current_previewer.record_file_factory = lambda *_: Stored(key)
        return preview(pid, {}, filename=key)


def frame_of(html):
    return urlsplit(unescape(html.split('<iframe src="')[1].split('"')[0]))


def test_is_found_by_its_entry_point(app):
    with app.app_context():
        assert "root" in current_previewer.previewable_extensions
        assert "xylem" in current_previewer.previewers


def test_shows_a_file_of_any_size_on_the_same_site(app):
    frame = frame_of(shown(app, "run1.root"))
    assert (frame.netloc, frame.path, frame.query) == ("portal.example", "/static/xylem/preview.html", "")
    assert parse_qs(frame.fragment[1:])["url"] == ["https://portal.example/records/7/files/run1.root"]


def test_a_page_of_another_site_is_told_the_origin(app):
    app.config["XYLEM_PREVIEW"] = "https://viewer.example/preview.html"
    frame = frame_of(shown(app, "run1.ROOT"))
    assert frame.netloc == "viewer.example"
    assert parse_qs(frame.query) == {"parent": ["https://portal.example"]}


def test_names_are_text(app):
    html = shown(app, 'a"><script>alert(1).root')
    assert "<script>" not in html


def test_other_files_are_left_to_others(app):
    with app.test_request_context():
        plugin = current_previewer.previewers
        list(current_previewer.iter_previewers())
        assert not plugin["xylem"].can_preview(SimpleNamespace(has_extensions=lambda *names: ".txt" in names))
