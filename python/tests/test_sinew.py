"""The package as a user has it: models, runs, control, snapshots, errors. References: closed forms, or the C interface's
own tests where they say so."""
import gc
import math
import os
import re
import signal
import tempfile
import threading
import time
import unittest
from pathlib import Path

import numpy as np

import sinew

PENDULUM = {
    "gravity": [0, -9.81, 0],
    "parameters": {"L": 1, "m": 2},
    "inputs": {"torque": sinew.Input(default=0, range=[-50, 50])},
    "bodies": {"bob": sinew.PointMass(mass="m", position=["L", 0, 0])},
    "joints": {"rod": sinew.Distance(between=["ground.at(0, 0, 0)", "bob"])},
    "forces": {"push": sinew.Force(at="bob", force=["torque", 0, 0])},
    "outputs": {"bob": {"point": "bob"}, "rod": {"reaction": "rod"}},
    "analysis": sinew.Dynamics(duration=1, integrator={"type": "radau", "tolerance": 1e-8}),
}


def mass(n=1):
    return {
        "inputs": {"u": {"default": 0}},
        "bodies": {"m": sinew.PointMass(mass=2, position=[0, 0, 0])},
        "forces": {"f": sinew.Force(at="m", force=["u", 0, 0])},
        "outputs": {"m": {"point": "m"}},
    }


class Version(unittest.TestCase):
    def test_is_that_of_the_project(self):
        text = (Path(__file__).resolve().parents[2] / "CMakeLists.txt").read_text()
        self.assertEqual(sinew.__version__, re.search(r"project\(sinew\s+VERSION\s+([0-9.]+)", text, re.I).group(1))


class Models(unittest.TestCase):
    def test_lists(self):
        model = sinew.Model(PENDULUM)
        self.assertIn("bob", model.bodies)
        self.assertEqual(list(model.joints), ["rod"])
        self.assertEqual(model.columns["bob"]["x"], "m")
        self.assertEqual(model.limits["torque"], (-50, 50))
        self.assertEqual(model.coordinates("bob").stop - model.coordinates("bob").start, 3)

    def test_parameters(self):
        """Period of small swings 2 pi sqrt(L/g): a quarter of it from the start to the bottom, L = 2, amplitude 0.01."""
        L, a = 2.0, 0.01
        model = dict(PENDULUM, bodies={"bob": sinew.PointMass(mass="m", position=["L*sin(a)", "-L*cos(a)", 0])})
        model["parameters"] = {"L": 1, "m": 2, "a": a}
        r = sinew.run(model, L=L, until=math.pi / 2 * math.sqrt(L / 9.81))
        self.assertLess(abs(r["bob"].x[-1]), 1e-6 * L)

    def test_errors(self):
        with self.assertRaises(sinew.ModelError) as caught:
            sinew.Model({"bodies": {"b": {"type": "cabl"}}})
        self.assertIn("did you mean 'cable'", str(caught.exception))
        with self.assertRaises(OSError):
            sinew.Model("there-is-no-such.yaml")
        with self.assertRaises(KeyError):
            sinew.Model(PENDULUM).coordinates("rob")
        with self.assertRaises(TypeError):
            sinew.Cable(nonsense=1)


class Runs(unittest.TestCase):
    def test_energy_and_series(self):
        r = sinew.run(PENDULUM)
        self.assertEqual(r.verdict, "good")
        self.assertLess(np.max(np.abs(r.energy.total - r.energy.total[0])), 1e-6)
        self.assertEqual(len(r.t), len(r["bob.x"]))
        np.testing.assert_allclose(np.hypot(r["bob"].x, r["bob"].y), 1, atol=1e-9)
        self.assertEqual(r.unit("rod.fx"), "N")
        with self.assertRaises(KeyError):
            r["bob.q"]
        with self.assertRaises(AttributeError):
            r["bob"].q

    def test_arrays_outlive_the_result(self):
        x = sinew.run(PENDULUM)["bob"].x
        copy = x.copy()
        gc.collect()
        np.testing.assert_array_equal(x, copy)
        with self.assertRaises(ValueError):
            x[0] = 1  # it is the engine's

    def test_progress_and_exceptions(self):
        times = []
        sinew.run(PENDULUM, progress=lambda s: times.append(s.time))
        self.assertEqual(times, sorted(times))
        self.assertEqual(times[-1], 1)

        def fail(simulation):
            raise ZeroDivisionError("in the callback")

        with self.assertRaises(ZeroDivisionError):
            sinew.run(PENDULUM, progress=fail)
        model = sinew.Model(PENDULUM)
        with self.assertRaises(ZeroDivisionError):
            sinew.run(model, progress=fail)
        self.assertEqual(sinew.run(model).t[-1], 1)  # the model can be used on

    def test_keyboard_interrupt(self):
        """Ctrl-C ends a run; its rows are in the file."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
            begin = time.perf_counter()
            with self.assertRaises(KeyboardInterrupt):
                sinew.run(PENDULUM, path, integrator="hht-i3", step=1e-6)
            self.assertLess(time.perf_counter() - begin, 10)
            self.assertLess(0, sinew.Result(path).t[-1])


    def test_wrong_settings(self):
        """A time or an accuracy of 0 is not the same as none: the run would be another one than was asked for."""
        for name in ("until", "tolerance", "step"):
            for wrong in (0, -1, math.nan, math.inf):
                with self.subTest(name, value=wrong), self.assertRaisesRegex(ValueError, f"{name} is {wrong}"):
                    sinew.run(PENDULUM, **{name: wrong})
        with self.assertRaisesRegex(ValueError, "exclude each other"):
            sinew.Simulation(PENDULUM, tolerance=1e-5, step=1e-3)
        with self.assertRaisesRegex(ValueError, "step is 0"):
            sinew.rollouts(PENDULUM, period=0.1, outputs=["bob"], samples=1, step=0)


class Control(unittest.TestCase):
    def test_held_input(self):
        """A mass under forces that are constant between samples: x and v add up exactly."""
        s = sinew.Simulation(mass(), integrator="radau", tolerance=1e-8)
        x = v = 0.0
        T = 0.01
        for k in range(50):
            s.inputs["u"] = u = math.sin(k)
            s.advance((k + 1) * T)
            self.assertEqual(s.time, (k + 1) * T)
            x, v = x + v * T + u / 4 * T * T, v + u / 2 * T
        self.assertAlmostEqual(s["m"].x, x, delta=1e-9)
        self.assertAlmostEqual(s["m"].vx, v, delta=1e-9)
        self.assertAlmostEqual(s.q[0], x, delta=1e-9)

    def test_columns(self):
        s = sinew.Simulation(PENDULUM)
        self.assertEqual(s["bob"]._fields[:3], ("x", "y", "z"))
        with self.assertRaisesRegex(AttributeError, "no column .q.; it has x, y"):
            s["bob"].q

    def test_within_a_step(self):
        s = sinew.Simulation(PENDULUM)
        s.advance(0.2, exact=False)
        fine = sinew.Simulation(PENDULUM)
        fine.advance(0.2)
        self.assertAlmostEqual(s.read("bob", 0.2).x, fine["bob"].x, delta=1e-6)

    def test_wrong_inputs(self):
        s = sinew.Simulation(PENDULUM)
        with self.assertRaises(sinew.InputError):
            s.inputs["torque"] = 51
        with self.assertRaises(KeyError):
            s.inputs["force"] = 1
        with self.assertRaises(KeyError):
            s["bop"]
        with self.assertRaises(ValueError):
            s.set_state(q=[1, 2])
        with self.assertRaises(sinew.InputError):
            s.set_state(q=[math.nan] * s.q.size)
        s.advance(0.1)  # nothing of it matters

    def test_snapshots(self):
        for integrator in ("radau", "hht-i3", "erk", "ida", "nstiff"):
            s = sinew.Simulation(PENDULUM, integrator=integrator, tolerance=1e-6)
            s.inputs["torque"] = 3
            s.advance(0.3)
            kept = s.snapshot()
            ends = []
            for _ in range(3):
                s.restore(kept)
                self.assertEqual(s.time, 0.3)
                s.advance(0.5)
                ends.append(s.q.copy())
            np.testing.assert_array_equal(ends[0], ends[1])
            np.testing.assert_array_equal(ends[0], ends[2])

    def test_snapshots_have_inputs(self):
        """A mass under a force u: v = u t/2; a snapshot brings back the force that acted when it was taken."""
        s = sinew.Simulation(mass(), integrator="radau", tolerance=1e-8)
        first = s.snapshot()
        s.inputs["u"] = 3
        s.advance(1)
        kept = s.snapshot()
        s.inputs["u"] = -5
        s.advance(2)
        s.restore(kept)
        self.assertEqual(s.inputs["u"], 3)
        s.advance(2)
        self.assertAlmostEqual(s["m"].vx, 3, delta=1e-9)
        s.restore(first)
        self.assertTrue(math.isnan(s.inputs["u"]))
        s.advance(1)
        self.assertEqual(s["m"].vx, 0)

    def test_input_that_is_no_number(self):
        """A controller's 0/0 is an error where it is set, not the default; the default returns by del."""
        s = sinew.Simulation(mass(), integrator="radau", tolerance=1e-8)
        s.inputs["u"] = 3
        for nothing in (math.nan, np.float64("nan")):
            with self.assertRaisesRegex(sinew.InputError, "input 'u' cannot be nan.*del"):
                s.inputs["u"] = nothing
        self.assertEqual(s.inputs["u"], 3)
        del s.inputs["u"]
        self.assertTrue(math.isnan(s.inputs["u"]))
        s.advance(1)
        self.assertEqual(s["m"].vx, 0)

    def test_set_state(self):
        """A pendulum set at rest below its hinge stays there."""
        s = sinew.Simulation(PENDULUM)
        s.set_state(q=[0, -1, 0], v=[0, 0, 0])
        s.advance(0.5)
        np.testing.assert_allclose(s.q, [0, -1, 0], atol=1e-9)
        self.assertLess(abs(s.energy["error"]), 1e-9)
        self.assertAlmostEqual(abs(s["rod"].fy), 2 * 9.81, delta=1e-6)


class Threads(unittest.TestCase):
    def test_one_at_a_time(self):
        """Two threads in one simulation: one of them is told, and nothing is damaged."""
        s = sinew.Simulation(PENDULUM, integrator="hht-i3", step=1e-6, until=0.3)
        told = []

        def walk():
            try:
                while not s.finished:
                    s.advance(min(s.time + 0.01, 0.3))
                    s["bob"]
            except RuntimeError as error:
                told.append(str(error))

        threads = [threading.Thread(target=walk) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(told and all("another thread" in text for text in told))
        s.run()
        self.assertEqual(s.time, 0.3)

    def test_rollouts(self):
        """Masses under held forces: the closed form, for all of them."""
        rng = np.random.default_rng(0)
        u = rng.standard_normal((50, 8, 1))
        T = 0.1
        y = sinew.rollouts(mass(), u, period=T, outputs=["m"], integrator="radau", tolerance=1e-8)["m"]
        v = np.cumsum(u[:, :, 0] / 2 * T, axis=1)
        x = np.cumsum(np.hstack([np.zeros((50, 1)), v[:, :-1]]) * T + u[:, :, 0] / 4 * T * T, axis=1)
        np.testing.assert_allclose(y[:, :, 0], x, atol=1e-9)
        np.testing.assert_allclose(y[:, :, 3], v, atol=1e-9)
        one = sinew.rollouts(mass(), u, period=T, outputs=["m"], threads=1, integrator="radau", tolerance=1e-8)["m"]
        np.testing.assert_array_equal(one, y)
        with self.assertRaises(ValueError):
            sinew.rollouts(mass(), u[:, :, [0, 0]], period=T, outputs=["m"])
        with self.assertRaises(KeyError):
            sinew.rollouts(mass(), u, period=T, outputs=["n"])

    def test_side_by_side(self):
        """Simulations on threads have the bits of those that run alone."""
        alone = sinew.run(PENDULUM)["bob"].x.copy()
        results = [None] * 4

        def work(i):
            results[i] = sinew.run(PENDULUM)["bob"].x.copy()

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for r in results:
            np.testing.assert_array_equal(r, alone)

    def test_lock_is_released(self):
        """Another thread goes on while a long call is in the engine."""
        ticks = []
        stop = threading.Event()

        def count():
            while not stop.is_set():
                ticks.append(time.perf_counter())
                time.sleep(1e-3)

        thread = threading.Thread(target=count)
        s = sinew.Simulation(PENDULUM, integrator="hht-i3", step=2e-6)
        thread.start()
        begin = time.perf_counter()
        s.advance(0.3)
        end = time.perf_counter()
        stop.set()
        thread.join()
        self.assertGreater(sum(begin < t < end for t in ticks), 3)


if __name__ == "__main__":
    unittest.main()
