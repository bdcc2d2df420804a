"""Studies: equal tables for every executor, failed cases, orders of convergence, comparisons of methods."""
import importlib.util
import math
import os
import signal
import threading
import time
import unittest
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np

import sinew

MODELS = Path(__file__).resolve().parents[2] / "models"
VALUES = {"E": [1e7, 2e7, -1.0, 4e7], "n": [2, 4]}
MEASURES = ["minimum(tip.y)", "final(tip.x)"]


def pendulum():
    return sinew.Model(MODELS / "pendulum.yaml")


def speed(result):
    return np.max(np.hypot(result["tip"].vx, result["tip"].vy))


def fails_at_E(result):
    raise ZeroDivisionError("on purpose")


def dies(result):
    os._exit(1)


def slow(result):
    time.sleep(0.3)
    return float(result["tip"].x[-1])


class Sweeps(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.table = sinew.sweep(pendulum(), VALUES, [*MEASURES, speed], until=0.2)

    def test_rows(self):
        """Every row is what a single run gives, bit by bit; the last name changes fastest."""
        self.assertEqual(self.table.names, ["E", "n", *MEASURES, "speed", "verdict", "reason"])
        self.assertEqual([(row["E"], row["n"]) for row in self.table][:3], [(1e7, 2), (1e7, 4), (2e7, 2)])
        row = self.table[3]
        r = sinew.run(pendulum(), until=0.2, E=2e7, n=4)
        self.assertEqual(row["minimum(tip.y)"], r["tip"].y.min())
        self.assertEqual(row["speed"], speed(r))

    def test_failed_case(self):
        row = self.table[4]
        self.assertEqual(row["verdict"], "failed")
        self.assertIn("young must be at least 0", row["reason"])
        self.assertTrue(math.isnan(row["speed"]))
        table = sinew.sweep(pendulum(), {"E": [1e7]}, fails_at_E, until=0.1)
        self.assertEqual(table[0]["reason"], "ZeroDivisionError: on purpose")

    def test_executors(self):
        for kind in (ThreadPoolExecutor, ProcessPoolExecutor):
            for workers in (1, 3):
                with self.subTest(kind), kind(workers) as executor:
                    table = sinew.sweep(pendulum(), VALUES, [*MEASURES, speed], executor=executor, until=0.2)
                    self.assertEqual(table, self.table)
                    self.assertEqual(table.to_csv(), self.table.to_csv())

    def test_worker_dies(self):
        with ProcessPoolExecutor(1) as executor:
            table = sinew.sweep(pendulum(), {"E": [1e7, 2e7]}, dies, executor=executor, until=0.1)
        self.assertEqual(len(table), 2)
        self.assertIn("BrokenProcessPool", table[0]["reason"])
        with ProcessPoolExecutor(1) as executor:  # a function that cannot be sent to a process
            table = sinew.sweep(pendulum(), {"E": [1e7]}, {"x": lambda r: 1}, executor=executor, until=0.1)
        self.assertEqual(table[0]["verdict"], "failed")

    def test_pool_breaks_while_cases_are_handed_in(self):
        class Breaks(ThreadPoolExecutor):
            count = 0

            def submit(self, *call, **more):
                self.count += 1
                if self.count > 3:
                    raise BrokenExecutor("a worker died")
                return super().submit(*call, **more)

        with Breaks(2) as executor:
            table = sinew.sweep(pendulum(), {"n": [2, 3, 4, 5, 6]}, MEASURES, until=0.05, executor=executor)
        self.assertEqual([row["verdict"] == "failed" for row in table], [False] * 3 + [True] * 2)
        self.assertIn("a worker died", table[4]["reason"])

    @unittest.skipUnless(importlib.util.find_spec("distributed"), "python3-distributed is missing")
    def test_dask(self):
        """A worker is killed in the middle; its cases run on another one, and the table has the same bits."""
        from distributed import Client, LocalCluster

        values = {"E": [1e7 * (1 + i) for i in range(10)]}
        expected = sinew.sweep(pendulum(), values, slow, until=0.1)
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            workers = client.run(os.getpid)
            timer = threading.Timer(0.8, os.kill, (list(workers.values())[0], signal.SIGKILL))
            timer.start()
            table = sinew.sweep(pendulum(), values, slow, executor=client.get_executor(), until=0.1)
            timer.join()
        self.assertEqual(table, expected)

    def test_cases_and_tables(self):
        rng = np.random.default_rng(0)
        cases = [{"E": E, "L": L} for E, L in zip(1e7 * (1 + rng.random(3)), 1 + rng.random(3))]
        table = sinew.sweep(pendulum(), cases, "final(tip.y)", until=0.1)
        np.testing.assert_array_equal(table["E"], [case["E"] for case in cases])
        self.assertIsInstance(table[0]["E"], float)
        self.assertEqual(len(table[1:]), 2)
        self.assertIn("<th>final(tip.y)</th>", table._repr_html_())
        self.assertEqual(len(repr(table).splitlines()), 4)
        if importlib.util.find_spec("pandas"):
            np.testing.assert_array_equal(table.to_pandas()["L"], table["L"])

    def test_mistakes(self):
        for wrong, error in (("largest(tip.y)", ValueError), (["final(tip.y)", 3], ValueError)):
            with self.subTest(wrong), self.assertRaises(error):
                sinew.sweep(pendulum(), {"E": [1e7]}, wrong)
        with self.assertRaises(TypeError):
            sinew.sweep(pendulum(), {"E": 1e7}, "final(tip.y)")
        with self.assertRaisesRegex(ValueError, "E has no values"):
            sinew.sweep(pendulum(), {"L": [1], "E": []}, "final(tip.y)")
        with self.assertRaises(KeyError):
            self.table["F"]
        table = sinew.sweep(pendulum(), {"E": [1e7]}, "final(top.y)", until=0.1)
        self.assertIn("did you mean 'tip.y'", table[0]["reason"])


class Measures(unittest.TestCase):
    def test_values(self):
        """A free fall of 1 s: y = -g t^2/2, rows every 5 ms; integrals by the trapezoidal rule."""
        r = sinew.run({"gravity": [0, -9.81, 0], "bodies": {"m": sinew.PointMass(mass=1, position=[0, 0, 0])},
                       "outputs": {"m": {"point": "m"}}, "analysis": sinew.Dynamics(duration=1)}, tolerance=1e-8)  # fmt: skip
        g = 9.81
        for what, exact in (("final(m.y)", -g / 2), ("minimum(m.y)", -g / 2), ("maximum(m.y)", 0), ("mean(m.y)", -g / 6),
                            ("rms(m.vy)", g / math.sqrt(3)), ("amplitude(m.y)", g / 4)):  # fmt: skip
            self.assertAlmostEqual(sinew.measure(r, what), exact, delta=1e-4, msg=what)


class Convergence(unittest.TestCase):
    def test_orders(self):
        """Of the step: Newmark's method with numerical damping has order 1, the trapezoidal rule in tr-bdf2 has 2."""
        steps = {"step": [4e-3, 2e-3, 1e-3, 5e-4]}
        table = sinew.converge(MODELS / "simple-pendulum.yaml", steps, "final(bob.x)", until=1, integrator="newmark")
        self.assertAlmostEqual(table[2]["order"], 1, delta=0.1)
        table = sinew.converge(MODELS / "simple-pendulum.yaml", steps, "final(bob.x)", until=1, integrator="tr-bdf2")
        self.assertAlmostEqual(table[2]["order"], 2, delta=0.1)

    def test_elements(self):
        """Frequencies of a cantilever by cubic elements converge from above, with order 4."""
        m = sinew.Model(MODELS / "pendulum.yaml")
        m.gravity = [0, 0, 0]
        m.joints["pin"] = sinew.Fixed(between=["ground", "beam.start"])
        first = [sinew.modes(m, n=n)[0] for n in (2, 4, 8)]
        self.assertGreater(first[0], first[1])
        self.assertAlmostEqual(math.log2((first[0] - first[1]) / (first[1] - first[2])), 4, delta=0.3)
        table = sinew.converge(pendulum(), {"n": [2, 4, 8]}, ["final(tip.x)", "final(tip.y)"], until=0.1)
        self.assertEqual(table["n"].tolist(), [2, 4, 8])
        self.assertIn("order final(tip.y)", table.names)

    def test_mistakes(self):
        for refine in ({"n": [2, 4]}, {"n": [2, 8, 4]}, {"n": [2, 4, 8], "E": [1, 2, 3]}, {"step": [0, 1, 2]}):
            with self.subTest(refine), self.assertRaises(ValueError):
                sinew.converge(pendulum(), refine, "final(tip.y)")


class Comparisons(unittest.TestCase):
    def test_methods(self):
        """Errors fall with the tolerance, and the error is the one of the results themselves."""
        model = sinew.Model(MODELS / "simple-pendulum.yaml")
        table = sinew.compare(model, ["radau", {"type": "hht-i3", "alpha": -0.05}, "rado"], tolerances=[1e-4, 1e-6], until=1)
        self.assertEqual(table["integrator"].tolist(), ["radau"] * 2 + ["hht-i3"] * 2 + ["rado"] * 2)
        self.assertLess(table[1]["error"], 0.1 * table[0]["error"])
        self.assertLess(table[3]["error"], 0.1 * table[2]["error"])
        self.assertIn("rado", table[4]["reason"])
        exact = sinew.run(model, integrator="radau", tolerance=1e-10, until=1)
        r = sinew.run(model, integrator="radau", tolerance=1e-4, until=1)
        largest = max(np.abs(exact["bob"].x).max(), np.abs(exact["bob"].y).max())
        error = max(np.abs(r["bob"].x - exact["bob"].x).max(), np.abs(r["bob"].y - exact["bob"].y).max()) / largest
        self.assertAlmostEqual(table[0]["error"] / error, 1, delta=1e-3)
        with self.assertRaises(ValueError):
            sinew.compare(model, ["radau"], tolerances=[1e-3], steps=[1e-3])


if __name__ == "__main__":
    unittest.main()
