"""A portal with one record, for a story in a browser: portal.py PORT FOLDER_OF_THE_PAGE FILE. invenio-previewer shows the file."""

import pathlib
import sys
from types import SimpleNamespace

from flask import Flask, send_file
from invenio_base.utils import entry_points
from invenio_i18n import InvenioI18N
from invenio_previewer import InvenioPreviewer, current_previewer
from invenio_previewer.views import preview

RECORD = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Record 7</title>
    <style>
      body { margin: 0; font: 15px/1.5 sans-serif; color: #222; background: #fff; }
      header { background: #0377cd; color: #fff; padding: 12px 24px; font-weight: bold; }
      main { padding: 8px 24px; max-width: 1100px; }
      iframe { width: 100%%; height: 560px; border: 1px solid #ccc; border-radius: 4px; }
      td, th { text-align: left; padding-right: 24px; }
    </style>
  </head>
  <body>
    <header>A repository</header>
    <main>
      <h1>Muons of simulated collisions</h1>
      <iframe title="Preview" src="/records/7/preview/%(name)s"></iframe>
      <table><tr><th>Name</th><th>Size</th></tr><tr><td>%(name)s</td><td>%(size)d bytes</td></tr></table>
    </main>
  </body>
</html>"""


class Stored(dict):
    def __init__(self, key, size):
        super().__init__(key=key, size=size)
        self.key = key


def main(port, page, path):
    app = Flask("portal", static_folder=None)
    app.config.update(PREVIEWER_PREFERENCE=["xylem"])
    InvenioI18N(app)
    InvenioPreviewer(app)
    for found in entry_points(group="invenio_base.blueprints"):
        if found.name == "xylem_invenio":
            app.register_blueprint(found.load())
    record = {"name": path.name, "size": path.stat().st_size}

    @app.get("/static/xylem/<path:name>")
    def static_page(name):
        return send_file(page / name)

    @app.get("/records/7/files/<path:filename>", endpoint="recid_files")
    def content(filename, pid_value=None):
        return send_file(path, conditional=True)

    @app.get("/records/<pid_value>/preview/<path:filename>")
    def frame(pid_value, filename):
        pid = SimpleNamespace(pid_type="recid", pid_value=pid_value)
        current_previewer.record_file_factory = lambda *_: Stored(filename, record["size"])
        return preview(pid, {}, filename=filename)

    app.add_url_rule("/records/<pid_value>/files/<path:filename>", "recid_files", content)

    @app.get("/records/7")
    def shown():
        return RECORD % record

    app.run("127.0.0.1", port, threaded=True)


main(int(sys.argv[1]), *(pathlib.Path(one).resolve() for one in sys.argv[2:]))
