"""Reports of the viewer as tables of a notebook; the page itself is in lab.spec.ts."""

import importlib.util
import unittest

from xylem import Report

DATA = {
    "title": "2 cuts on <b>Events</b>",
    "verdict": {"grade": "fair"},
    "text": [],
    "facts": [{"label": "Weight", "value": "w", "text": "w"}],
    "tables": [
        {
            "id": "cutflow",
            "columns": [
                {"id": "cut", "title": "Cut", "unit": "text", "values": ["all entries", "x<3"], "texts": ["all entries", "x<3"]},
                {"id": "entries", "title": "Entries", "unit": "count", "values": [2400, 12], "texts": ["2,400", "12"]},
                {"id": "alone", "title": "Cut alone", "unit": "count", "values": [None, 13], "texts": ["", "13"]},
            ],
        }
    ],
    "notes": ["No plot of a<b."],
    "parts": [],
}


class Reports(unittest.TestCase):
    def test_tables_have_values_by_title_and_id(self):
        report = Report(DATA)
        self.assertEqual(len(report), 1)
        self.assertEqual(report["cutflow"]["Entries"], [2400, 12])
        self.assertEqual(report[0]["alone"], [None, 13])
        self.assertEqual(report.facts, {"Weight": "w"})
        self.assertEqual(len(report[0]), 2)
        with self.assertRaisesRegex(KeyError, "there are Cut, Entries, Cut alone"):
            report[0]["entry"]

    def test_html_has_the_texts_of_the_viewer_and_no_tags_of_files(self):
        html = Report(DATA)._repr_html_()
        self.assertIn("<td style=\"text-align:right\">2,400</td>", html)
        self.assertIn("x&lt;3", html)
        self.assertIn("&lt;b&gt;Events", html)
        self.assertNotIn("<b>", html)

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "needs pandas")
    def test_a_table_is_a_data_frame(self):
        frame = Report(DATA)[0].to_pandas()
        self.assertEqual(list(frame.columns), ["Cut", "Entries", "Cut alone"])
        self.assertEqual(frame["Entries"].sum(), 2412)
        self.assertTrue(frame["Cut alone"].isna()[0])


if __name__ == "__main__":
    unittest.main()
