"""Histograms of the viewer in the protocol of UHI, for hist, boost-histogram and mplhep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterator, Sequence

import numpy as np


@dataclass(frozen=True)
class Traits:
    """What kind of axis it is, as UHI names it."""

    circular: bool = False
    discrete: bool = False


class Axis:
    """An axis of a histogram: bins with edges, or with labels."""

    def __init__(self, edges: Any, label: str = "", labels: Sequence[str] | None = None, uniform: bool = False):
        self.edges = np.asarray(edges, dtype=np.float64)
        self.label = label
        self.labels = None if labels is None else list(labels)
        self.uniform = uniform
        self.traits = Traits(discrete=labels is not None)

    def __len__(self) -> int:
        return len(self.edges) - 1

    def __getitem__(self, index: int) -> Any:
        """Returns the label of a bin, or its two edges. Negative indices count from the end."""
        size = len(self)
        if not -size <= index < size:
            raise IndexError(f"This axis has {size} bins: {index} is not one of them.")
        index %= size
        if self.labels is not None:
            return self.labels[index]
        return (float(self.edges[index]), float(self.edges[index + 1]))

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Axis):
            return NotImplemented
        return np.array_equal(self.edges, other.edges) and self.labels == other.labels

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Axis({len(self)} bins, {self.edges[0]:g} to {self.edges[-1]:g}, label={self.label!r})"


class Histogram:
    """
    A histogram or a profile, as the viewer drew it or as the file holds it.

    ``kind`` is "COUNT", or "MEAN" for a profile. ``sums`` and ``squares`` are the sums of weights and of their squares of
    all cells, under- and overflow included: one dimension for each axis, x first. For a profile they are sums of weight
    times value, and of weight times squared value; ``weights`` and ``weights2`` are its sums of weights and of their squares.
    """

    def __init__(self, meta: dict[str, Any], arrays: dict[str, Any]):
        self.name: str = meta.get("name", "")
        self.title: str = meta.get("title", "")
        self.label: str = meta.get("valueTitle") or ""
        self.kind = "MEAN" if meta.get("profile") else "COUNT"
        self.entries: float = meta.get("fills", 0)
        self.axes: tuple[Axis, ...] = tuple(
            _axis(axis, arrays.get(f"edges{index}")) for index, axis in enumerate(meta["axes"])
        )
        shape = tuple(len(axis) + 2 for axis in self.axes)

        def cells(name: str) -> np.ndarray | None:
            # The file has x running fastest.
            return None if name not in arrays else np.array(arrays[name], dtype=np.float64).reshape(shape, order="F")

        sums, squares = cells("sums"), cells("squares")
        if sums is None or squares is None:
            raise ValueError("A histogram needs its sums and squares.")
        self.sums, self.squares = sums, squares
        self.weights, self.weights2 = cells("weights"), cells("weights2")
        self._means, self._errors = cells("means"), cells("errors")

    def _part(self, cells: np.ndarray, flow: bool) -> np.ndarray:
        return cells if flow else cells[(slice(1, -1),) * len(self.axes)]

    def values(self, flow: bool = False) -> np.ndarray:
        """Returns the contents of the bins; for a profile the means. ``flow`` adds under- and overflow of each axis."""
        return self._part(self.sums if self._means is None else self._means, flow)

    def variances(self, flow: bool = False) -> np.ndarray:
        """Returns squared errors: sums of squared weights; for a profile the squared errors of its means, by its error option."""
        return self._part(self.squares if self._errors is None else self._errors**2, flow)

    def counts(self, flow: bool = False) -> np.ndarray:
        """Returns the effective numbers of entries; 0 in empty bins."""
        sums = self.sums if self.weights is None else self.weights
        squares = self.squares if self.weights2 is None else self.weights2
        counts = np.divide(sums**2, squares, out=np.zeros_like(sums), where=squares != 0)
        return self._part(counts, flow)

    def to_numpy(self) -> tuple[np.ndarray, ...]:
        """Returns the values and the edges of each axis, as ``numpy.histogram`` does."""
        return (self.values(), *(axis.edges for axis in self.axes))

    @property
    def weighted(self) -> bool:
        """Whether squared errors differ from the contents, as they do only with weights."""
        return not np.array_equal(self.squares, self.sums)

    def _to_boost_histogram_(self) -> Any:
        """Called by ``hist.Hist(h)`` and ``boost_histogram.Histogram(h)``. Needs boost_histogram."""
        import boost_histogram as bh

        axes = [_boost_axis(bh, axis) for axis in self.axes]
        # An axis of labels has no underflow here. In ROOT it has one, which is empty in a drawing.
        cells = tuple(slice(1, None) if axis.labels is not None else slice(None) for axis in self.axes)
        if self.kind == "MEAN":
            assert self.weights is not None and self.weights2 is not None
            made = bh.Histogram(*axes, storage=bh.storage.WeightedMean())
            view = made.view(flow=True)
            weights = self.weights[cells]
            means = np.divide(self.sums[cells], weights, out=np.zeros_like(weights), where=weights != 0)
            view["sum_of_weights"] = weights
            view["sum_of_weights_squared"] = self.weights2[cells]
            view["value"] = means
            view["_sum_of_weighted_deltas_squared"] = self.squares[cells] - means * self.sums[cells]
        elif self.weighted:
            made = bh.Histogram(*axes, storage=bh.storage.Weight())
            view = made.view(flow=True)
            view["value"] = self.sums[cells]
            view["variance"] = self.squares[cells]
        else:
            made = bh.Histogram(*axes, storage=bh.storage.Double())
            made.view(flow=True)[...] = self.sums[cells]
        made.__dict__.update(name=self.name, label=self.label or None, title=self.title)
        return made

    def __repr__(self) -> str:
        bins = " x ".join(str(len(axis)) for axis in self.axes)
        return f"Histogram({self.title or self.name!r}, {self.kind}, {bins} bins, {self.entries:g} entries)"


def _axis(meta: dict[str, Any], edges: Any) -> Axis:
    uniform = edges is None
    if uniform:
        # As TAxis::GetBinLowEdge computes them, so that edges are equal to ROOT's, bit by bit.
        low, high, bins = meta["low"], meta["high"], meta["bins"]
        edges = low + np.arange(bins + 1) * ((high - low) / bins)
        edges[-1] = high
    return Axis(edges, meta.get("title", ""), meta.get("labels"), uniform)


def _boost_axis(bh: Any, axis: Axis) -> Any:
    if axis.labels is not None:
        made = bh.axis.StrCategory(axis.labels, overflow=True)
    elif axis.uniform:
        made = bh.axis.Regular(len(axis), axis.edges[0], axis.edges[-1])
    else:
        made = bh.axis.Variable(axis.edges)
    made.__dict__.update(label=axis.label)
    return made
