"""The programs of docs/python.md run as printed, and the reference is that of the docstrings."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import sinew

ROOT = Path(__file__).resolve().parents[2]
PATH = os.pathsep.join([str(Path(sinew.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
OPTIONAL = "matplotlib", "pandas", "xarray"


class Guide(unittest.TestCase):
    """One test for each program."""

    def test_there_are_programs(self):
        self.assertGreaterEqual(len(PROGRAMS), 8)

    def test_reference(self):
        done = subprocess.run([sys.executable, ROOT / "python" / "tools" / "generate_reference.py"], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": PATH}, check=True)  # fmt: skip
        current = (ROOT / "docs" / "python-reference.md").read_text()
        self.assertEqual(done.stdout, current, "python3 python/tools/generate_reference.py > docs/python-reference.md")


PROGRAMS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs" / "python.md").read_text(), re.M | re.S)


def _test_of(program):
    def test(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "models", Path(folder) / "models")
            path = Path(folder) / "program.py"
            path.write_text(program)
            done = subprocess.run([sys.executable, path], cwd=folder, capture_output=True, text=True,
                                  env={**os.environ, "PYTHONPATH": PATH, "MPLBACKEND": "Agg"})  # fmt: skip
        missing = re.search(r"No module named '(\w+)'\s*$", done.stderr)
        if missing and missing[1] in OPTIONAL:
            self.skipTest(f"python3-{missing[1]} is missing")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    return test


for _number, _program in enumerate(PROGRAMS):
    setattr(Guide, f"test_program_{_number + 1}", _test_of(_program))


if __name__ == "__main__":
    unittest.main()
