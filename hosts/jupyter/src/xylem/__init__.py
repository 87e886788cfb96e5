"""Shows ROOT files in notebooks: ``xylem.view("file.root")``."""

from .histogram import Axis, Histogram
from .widget import View, view

__version__ = "0.1.0"
__all__ = ["Axis", "Histogram", "View", "view"]
