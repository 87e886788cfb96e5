"""Shows ROOT files in notebooks: ``xylem.view("file.root")``."""

from typing import Any

from .report import Report, Table
from .widget import View, view

__version__ = "0.1.0"
__all__ = ["Axis", "Histogram", "Report", "Table", "View", "view"]


def __getattr__(name: str) -> Any:
    """Loads numpy for the first who asks for bins: in JupyterLite it is large, and has to be fetched."""
    if name in ("Axis", "Histogram"):
        from . import histogram

        return getattr(histogram, name)
    raise AttributeError(f"module 'xylem' has no attribute {name!r}")
