"""Bins of the viewer, as hist and ROOT's own arithmetic see them."""

import unittest

import hist
import numpy as np

from xylem import Histogram


def count(sums, squares=None, **axis):
    sums = np.asarray(sums, float)
    meta = {"name": "h", "title": "A title", "profile": False, "fills": 7, "axes": [{"title": "x", **axis}]}
    return Histogram(meta, {"sums": sums, "squares": sums if squares is None else np.asarray(squares, float)})


class Counts(unittest.TestCase):
    def test_unweighted_bins_are_a_double_storage_with_flow(self):
        h = count([1, 2, 3, 4, 5], bins=3, low=0, high=6)
        made = hist.Hist(h)
        self.assertEqual(made.storage_type.__name__, "Double")
        np.testing.assert_array_equal(made.values(flow=True), [1, 2, 3, 4, 5])
        np.testing.assert_array_equal(made.axes[0].edges, [0, 2, 4, 6])
        self.assertEqual(made.axes[0].label, "x")

    def test_weighted_bins_keep_their_squared_errors(self):
        h = count([1, 2, 3, 4, 5], [1, 8, 9, 16, 5], bins=3, low=0, high=6)
        made = hist.Hist(h)
        np.testing.assert_array_equal(made.variances(), [8, 9, 16])
        np.testing.assert_array_equal(h.counts(), [0.5, 1, 1])

    def test_two_axes_have_x_first(self):
        meta = {"axes": [{"bins": 2, "low": 0, "high": 2}, {"bins": 1, "low": 0, "high": 1}]}
        # x runs fastest, as in the file: 4 cells of x for each of 3 of y.
        cells = np.arange(12.0)
        h = Histogram(meta, {"sums": cells, "squares": cells})
        np.testing.assert_array_equal(h.values(), [[5], [6]])
        self.assertEqual(h.values(flow=True).shape, (4, 3))
        np.testing.assert_array_equal(hist.Hist(h).values(flow=True), h.values(flow=True))

    def test_labels_are_categories(self):
        h = count([0, 2, 3, 0], bins=2, low=0, high=2, labels=["mu", "e"])
        self.assertEqual(list(h.axes[0]), ["mu", "e"])
        made = hist.Hist(h)
        self.assertEqual(made["e"], 3)

    def test_bins_of_different_widths(self):
        sums = np.array([0, 1, 2, 0.0])
        meta = {"axes": [{"bins": 2, "low": 0, "high": 10}]}
        h = Histogram(meta, {"sums": sums, "squares": sums, "edges0": np.array([0, 1, 10.0])})
        np.testing.assert_array_equal(hist.Hist(h).axes[0].edges, [0, 1, 10])
        self.assertEqual(h.axes[0][-1], (1.0, 10.0))

    def test_the_protocol_of_uhi(self):
        from uhi.typing.plottable import PlottableHistogram

        h = count([1, 2, 3], bins=1, low=0, high=1)
        self.assertIsInstance(h, PlottableHistogram)
        self.assertEqual(h.kind, "COUNT")
        self.assertFalse(h.axes[0].traits.discrete)
        with self.assertRaises(IndexError):
            h.axes[0][1]


class Profiles(unittest.TestCase):
    def test_means_and_errors(self):
        reference = hist.Hist(hist.axis.Regular(2, 0, 2), storage=hist.storage.WeightedMean())
        x, y, w = [0.5, 0.5, 1.5, 1.5], [1.0, 3.0, 4.0, 8.0], [1.0, 2.0, 1.0, 1.0]
        reference.fill(x, weight=w, sample=y)

        def cells(values):
            return np.histogram(x, bins=[-1, 0, 1, 2, 3], weights=values)[0]

        x, y, w = map(np.asarray, (x, y, w))
        arrays = {
            "sums": cells(w * y),
            "squares": cells(w * y * y),
            "weights": cells(w),
            "weights2": cells(w * w),
            "means": np.array([0, 7 / 3, 6, 0]),
            "errors": np.array([0, 0.5, 1, 0]),
        }
        h = Histogram({"profile": True, "axes": [{"bins": 2, "low": 0, "high": 2}]}, arrays)
        self.assertEqual(h.kind, "MEAN")
        made = hist.Hist(h)
        np.testing.assert_allclose(made.values(), reference.values())
        np.testing.assert_allclose(made.variances(), reference.variances())
        np.testing.assert_allclose(made.counts(), reference.counts())
        np.testing.assert_array_equal(h.variances(), [0.25, 1])


if __name__ == "__main__":
    unittest.main()
