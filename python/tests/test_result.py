"""Results: series, tables of other packages, pictures, the 3D page; closed objects."""
import gc
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import sinew

ROOT = Path(__file__).resolve().parents[2]
MODEL = ROOT / "models" / "simple-pendulum.yaml"


def needs(package):
    return unittest.skipUnless(importlib.util.find_spec(package), f"python3-{package} is missing")


def needs_program():
    found = os.environ.get("SINEW") or str(ROOT / "build" / "release" / "sinew")
    os.environ["SINEW"] = found
    return unittest.skipUnless(os.access(found, os.X_OK), "the program sinew is missing")


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.r = sinew.run(MODEL, until=1)

    def test_series(self):
        r = self.r
        np.testing.assert_array_equal(r["bob"].x, r["bob.x"])
        self.assertIn("vx", dir(r["bob"]))
        self.assertIn("total", dir(r.energy))
        self.assertLess(np.ptp(r.energy.total), 1e-3)
        self.assertEqual(r.unit("bob.x"), "m")
        with self.assertRaisesRegex(KeyError, "bob"):
            r["bop"]
        with self.assertRaisesRegex(AttributeError, r"result\['tip'\]"):
            r.tip
        with self.assertRaises(TypeError):
            r[0]

    @needs("pandas")
    def test_pandas(self):
        frame = self.r.to_pandas("bob", "energy.total")
        np.testing.assert_array_equal(frame["bob.x"], self.r["bob.x"])
        np.testing.assert_array_equal(frame.index, self.r.t)
        self.assertEqual(len(frame.columns), 10)
        self.assertEqual(len(self.r.to_pandas().columns), len(self.r) - 1)
        with self.assertRaises(KeyError):
            self.r.to_pandas("bop")

    @needs("xarray")
    def test_xarray(self):
        data = self.r.to_xarray("bob.x")
        np.testing.assert_array_equal(data["bob.x"], self.r["bob.x"])
        self.assertEqual(data["bob.x"].attrs["units"], "m")
        self.assertEqual(data.attrs["verdict"], "good")

    @needs("matplotlib")
    def test_plot(self):
        import matplotlib

        matplotlib.use("Agg")
        axes = self.r.plot("bob.x", "energy")
        np.testing.assert_array_equal(axes.lines[0].get_ydata(), self.r["bob.x"])
        self.assertEqual(axes.lines[0].get_label(), "bob.x [m]")
        self.assertGreater(len(axes.lines), 5)
        with self.assertRaises(KeyError):
            self.r.plot("bop")

    @needs_program()
    def test_page(self):
        with tempfile.TemporaryDirectory() as folder:
            page = self.r.page(Path(folder) / "page.html").read_text()
        self.assertTrue(page.lstrip().lower().startswith("<!doctype html"))
        shown = self.r._repr_html_()
        self.assertTrue(shown.startswith("<iframe srcdoc="))
        self.assertGreater(len(shown), len(page))
        with self.assertRaises(OSError):
            self.r.page("/there/is/no/such/folder/page.html")

    def test_without_the_program(self):
        nowhere = {"PATH": "/there/is/nothing", "SINEW": ""}
        with mock.patch.dict(os.environ, nowhere), mock.patch("sinew.page.INSIDE", Path("/there/is/nothing")):
            with self.assertRaisesRegex(FileNotFoundError, "program sinew is not in PATH"):
                self.r.page("page.html")
            self.assertIn("No 3D page", self.r._repr_html_())
        with mock.patch.dict(os.environ, {"SINEW": "/there/is/nothing"}):
            with self.assertRaisesRegex(FileNotFoundError, "SINEW names does not exist"):
                self.r.page("page.html")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.h5"
            sinew.run(MODEL, path, until=0.1)
            np.testing.assert_array_equal(sinew.Result(path)["bob.x"], sinew.run(MODEL, until=0.1)["bob.x"])
            path.write_bytes(b"no result")
            with self.assertRaises(OSError):
                sinew.Result(path)
            with self.assertRaises(OSError):
                sinew.Result(Path(folder) / "other.h5")


class Closed(unittest.TestCase):
    def test_result(self):
        r = sinew.run(MODEL, until=0.1)
        x, copy = r["bob.x"], r["bob.x"].copy()
        r.close()
        r.close()
        np.testing.assert_array_equal(x, copy)
        with self.assertRaisesRegex(ValueError, "the result is closed"):
            r["bob.x"]

    def test_simulation(self):
        with sinew.Simulation(MODEL) as s:
            s.advance(0.1)
            q, copy, kept = s.q, s.q.copy(), s.snapshot()
        np.testing.assert_array_equal(q, copy)  # the memory lives as long as its views
        for call in (s.step, lambda: s.time, lambda: s["bob"], lambda: s.advance(1), s.snapshot, lambda: s.restore(kept),
                     lambda: s.energy, lambda: s.verdict, lambda: s.record("x.h5"), s.run):  # fmt: skip
            with self.assertRaisesRegex(ValueError, "the simulation is closed"):
                call()
        other = sinew.Simulation(MODEL)
        other.restore(kept)
        np.testing.assert_array_equal(other.q, copy)

    def test_order_of_release(self):
        """The interpreter ends with all kinds of objects alive, and with parts that outlive what they were made of."""
        code = f"""
import gc, sinew
m = sinew.Model({str(MODEL)!r}); s = sinew.Simulation(m); kept = s.snapshot(); q = s.q; x = sinew.run(m, until=0.1)["bob.x"]
del m, s
gc.collect()
print(q.sum(), x.sum())
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


    @unittest.skipUnless(Path("/proc/self/statm").exists(), "needs /proc")
    def test_memory_is_freed(self):
        def resident():
            gc.collect()
            return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

        def use():
            model = sinew.Model(ROOT / "models" / "pendulum.yaml", n=40)
            simulation = sinew.Simulation(model, integrator="hht-i3")
            return simulation.snapshot(), simulation.q

        for _ in range(30):
            use()
        before = resident()
        for _ in range(50):
            use()
        self.assertLess(resident() - before, 5e6)


class WrongUse(unittest.TestCase):
    def test_options(self):
        for options in ({"tolerance": float("nan")}, {"step": -1}, {"until": float("inf")}, {"threads": 0},
                        {"integrator": "rado"}):  # fmt: skip
            with self.subTest(options), self.assertRaises(ValueError):
                sinew.Simulation(MODEL, **options)
        s = sinew.Simulation(MODEL)
        with self.assertRaises(ValueError):
            s.advance(float("nan"))
        with self.assertRaises(TypeError):
            s.restore(None)
        with self.assertRaises(AttributeError):
            s.positions
        other = sinew.Simulation(ROOT / "models" / "pendulum.yaml")
        with self.assertRaises(ValueError):
            s.restore(other.snapshot())
        with self.assertRaises(ValueError):
            s.read("bob", 5.0)  # not within the last step

    def test_rollouts(self):
        for arguments in ({"samples": 0}, {"q": [[1, 2]], "samples": 2}, {"period": float("nan"), "samples": 2}):
            with self.subTest(arguments), self.assertRaises(ValueError):
                sinew.rollouts(MODEL, **{"period": 0.1, "outputs": ["bob"], **arguments})
        with self.assertRaises(TypeError):
            sinew.rollouts(MODEL, period=0.1, outputs="bob", samples=2)


if __name__ == "__main__":
    unittest.main()
