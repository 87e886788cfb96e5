"""The programs of docs/hosts.md run."""

import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).parents[3]


class Programs(unittest.TestCase):
    def test_blocks_run(self):
        text = (ROOT / "docs" / "hosts.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", text, re.S)
        self.assertGreater(len(blocks), 0)
        before = os.getcwd()
        os.chdir(ROOT / "public")
        try:
            for block in blocks:
                exec(compile(block, "docs/hosts.md", "exec"), {})
        finally:
            os.chdir(before)


if __name__ == "__main__":
    unittest.main()
