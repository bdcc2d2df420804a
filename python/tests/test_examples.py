"""The examples run, in reduced size; each checks its own result. The notebook runs as it would in Jupyter."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import sinew

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "python" / "examples"
ENVIRONMENT = {**os.environ, "MPLBACKEND": "Agg",
               "PYTHONPATH": os.pathsep.join([str(Path(sinew.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])}  # fmt: skip


def has(package):
    return importlib.util.find_spec(package) is not None


def run(test, *command):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, *map(str, command)], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True)
    test.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Scripts(unittest.TestCase):
    """One test for each script of the folder."""

    def test_count(self):
        self.assertGreaterEqual(len(list(EXAMPLES.glob("*.py"))) + len(list(EXAMPLES.glob("*.ipynb"))), 10)

    def test_overhead_of_a_step(self):
        run(self, ROOT / "python" / "tools" / "bench_step.py", "--check")


def _test_of(path):
    def test(self):
        if "import matplotlib\n" in path.read_text() and not has("matplotlib"):
            self.skipTest("python3-matplotlib is missing")
        run(self, path, "--quick")

    return test


for _path in sorted(EXAMPLES.glob("*.py")):
    setattr(Scripts, f"test_{_path.stem}", _test_of(_path))


class Notebook(unittest.TestCase):
    path = EXAMPLES / "notebook.ipynb"

    def test_cells(self):
        notebook = json.loads(self.path.read_text())
        self.assertEqual(notebook["nbformat"], 4)
        cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
        if not has("matplotlib"):
            cells = [cell for cell in cells if ".plot(" not in cell]
        else:
            cells.insert(0, "import matplotlib\nmatplotlib.use('Agg')")
        namespace = {}
        for cell in cells:
            exec(compile(cell, self.path.name, "exec"), namespace)
        self.assertEqual(namespace["r"].verdict, "good")

    @unittest.skipUnless(has("nbconvert") and has("ipykernel"), "jupyter-nbconvert or python3-ipykernel is missing")
    def test_jupyter(self):
        """The result is shown as the 3D page, the tables as tables."""
        import nbconvert.preprocessors
        import nbformat

        notebook = nbformat.read(self.path, as_version=4)
        kept = dict(os.environ)
        os.environ.update(ENVIRONMENT)
        os.environ.setdefault("SINEW", str(ROOT / "build" / "release" / "sinew"))
        try:
            nbconvert.preprocessors.ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(notebook, {})
        finally:
            os.environ.clear()
            os.environ.update(kept)
        pages = [output.data.get("text/html", "") for cell in notebook.cells if cell.cell_type == "code"
                 for output in cell.outputs if output.output_type == "execute_result"]  # fmt: skip
        self.assertTrue(any(page.startswith("<iframe srcdoc=") for page in pages))
        self.assertTrue(any(page.startswith("<table>") for page in pages))


if __name__ == "__main__":
    unittest.main()
