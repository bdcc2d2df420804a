"""Forces, controllers and events written in Python. References: oscillators and held forces in closed form, and the same
law as an expression of the model."""
import gc
import math
import tempfile
import unittest
import weakref
from pathlib import Path

import numpy as np

import sinew

SLIDER = {
    "parameters": {"k": 8},
    "inputs": {"magnet": sinew.Input(of=["slider.x", "slider.vx"]), "u": sinew.Input(default=0)},
    "bodies": {"slider": sinew.PointMass(mass=2, position=[0.1, 0, 0])},
    "forces": {"pull": sinew.Force(at="slider", force=["magnet + u", 0, 0])},
    "outputs": {"slider": sinew.Output(point="slider")},
    "analysis": sinew.Dynamics(duration=1),
}
OPTIONS = {"integrator": "radau", "tolerance": 1e-9}


def slider():
    return sinew.Simulation(SLIDER, **OPTIONS)


def decay(t, k=8.0, c=0.4, m=2.0):
    """m x'' + c x' + k x = 0 from x = 0.1 at rest."""
    d = c / (2 * m)
    w = math.sqrt(k / m - d * d)
    return 0.1 * math.exp(-d * t) * (math.cos(w * t) + d / w * math.sin(w * t))


class Forces(unittest.TestCase):
    def test_force(self):
        for function in (lambda t, x, v: -8 * x - 0.4 * v, lambda t, x, v: (-8 * x - 0.4 * v, (-8, -0.4))):
            s = slider()
            s.set_function("magnet", function)
            s.advance(1)
            self.assertAlmostEqual(s["slider"].x, decay(1), delta=1e-8)
        s.set_function("magnet", None)
        v = s["slider"].vx
        s.advance(1.5)
        self.assertAlmostEqual(s["slider"].vx, v, delta=1e-9)  # no force any more

    def test_recorded(self):
        """Into a result file, with its work in the balance of energy."""
        s = slider()
        s.set_function("magnet", lambda t, x, v: -8 * x)
        with tempfile.TemporaryDirectory() as folder:
            r = s.record(Path(folder) / "run.h5")
            self.assertAlmostEqual(r["slider"].x[-1], 0.1 * math.cos(2), delta=1e-7)
            self.assertLess(np.abs(r.energy.error).max(), 1e-7)

    def test_errors(self):
        s = slider()

        def fails(t, x, v):
            raise ZeroDivisionError("in the force")

        for function, error, words in ((fails, ZeroDivisionError, "in the force"),
                                       (lambda t, x, v: math.nan, sinew.SinewError, "magnet"),
                                       (lambda t, x, v: "text", TypeError, ""),
                                       (lambda t, x, v: (0, (1,)), ValueError, "returned 1 derivatives"),
                                       (lambda t, x: 0, TypeError, "argument")):  # fmt: skip
            with self.assertRaisesRegex(error, words):
                s.set_function("magnet", function)
                s.advance(0.1)
        with self.assertRaises(KeyError):
            s.set_function("magnets", fails)
        with self.assertRaises(TypeError):
            s.set_function("magnet", 3)
        s.set_function("magnet", lambda t, x, v: -8 * x - 0.4 * v)
        s.advance(1)
        self.assertAlmostEqual(s["slider"].x, decay(1), delta=1e-8)  # nothing of it matters

    def test_no_cycle(self):
        s = slider()
        s.set_function("magnet", lambda t, x, v: 0)
        s.on_step(lambda simulation: None)
        gone = weakref.ref(s)
        del s
        gc.collect()
        self.assertIsNone(gone())


class Control(unittest.TestCase):
    def test_controller(self):
        """Forces held between samples of 0.1 s, in one call: x and v add up exactly."""
        s = slider()
        s.set_function("magnet", lambda t, x, v: 0)
        times = []

        def controller(simulation):
            times.append(simulation.time)
            simulation.inputs["u"] = math.sin(10 * simulation.time)

        s.on_sample(0.1, controller)
        s.run()
        x, v = 0.1, 0.0
        for k in range(10):
            u = math.sin(10 * 0.1 * k)
            x, v = x + 0.1 * v + u / 4 * 0.01, v + u / 2 * 0.1
        np.testing.assert_allclose(times[:10], 0.1 * np.arange(10), atol=1e-12)
        self.assertAlmostEqual(s["slider"].x, x, delta=1e-8)
        self.assertAlmostEqual(s["slider"].vx, v, delta=1e-8)

    def test_verdict(self):
        """The companion of a recorded run does not have the controller: there is none, and the run is good."""
        s = sinew.Simulation(SLIDER, integrator="radau", tolerance=1e-6)
        s.set_function("magnet", lambda t, x, v: -8 * x)
        s.on_sample(0.1, lambda simulation: simulation.inputs.update(u=math.sin(10 * simulation.time)))
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(s.record(Path(folder) / "r.h5").verdict, "good")

    def test_event_of_the_model(self):
        """An event written in Python, which switches a force: parabolas of sqrt(1/2) s each."""
        s = sinew.Simulation({
            "inputs": {"u": sinew.Input(default=-4), "place": sinew.Input(of=["m.x"])},
            "bodies": {"m": sinew.PointMass(mass=2, position=[1, 0, 0])},
            "forces": {"f": sinew.Force(at="m", force=["u", 0, 0])},
            "events": {"passes": sinew.Event(when="place")},
            "analysis": sinew.Dynamics(duration=10),
        }, **OPTIONS)  # fmt: skip
        seen = []

        def change(simulation, event):
            seen.append(event)
            simulation.inputs["u"] = -4 if event.direction > 0 else 4

        s.set_function("place", lambda t, x: (x - 0.5, (1.0,)))
        s.on_event(change)
        s.advance(6 * math.sqrt(0.5))
        self.assertEqual([e.name for e in seen], 3 * ["passes"])
        np.testing.assert_allclose([e.time for e in seen], [k * math.sqrt(0.5) for k in (1, 3, 5)], atol=1e-7)
        self.assertEqual(s.events, seen)
        self.assertAlmostEqual(s.body("m").q[0], 0, delta=1e-6)
        with self.assertRaises(KeyError):
            s.body("n")
        s.on_event(lambda simulation, event: 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            s.run()
        s.on_event(None)
        s.run()

    def test_event(self):
        """The step in which the slider passes zero; the place within it from the method's polynomial."""
        s = slider()
        s.set_function("magnet", lambda t, x, v: -8 * x)
        found, last = [], [s.time, s["slider"].x]

        def watch(simulation):
            x = simulation["slider"].x
            if last[1] > 0 >= x:
                low, high = last[0], simulation.time
                for _ in range(50):
                    middle = (low + high) / 2
                    low, high = (middle, high) if simulation.read("slider", middle).x > 0 else (low, middle)
                found.append(low)
            last[:] = simulation.time, x

        s.on_step(watch)
        s.run()
        self.assertEqual(len(found), 1)
        self.assertAlmostEqual(found[0], math.pi / 4, delta=1e-6)  # cos(2 t) = 0

        def stop(simulation):
            raise StopIteration

        s = slider()
        s.on_step(stop)
        with self.assertRaises(StopIteration):
            s.run()
        s.on_step(None)
        s.run()

    def test_force_at_a_marker(self):
        s = slider()
        s.set_function("magnet", lambda t, x, v: 0)
        s.apply_force("slider", [4, 0, 2])
        s.advance(0.5)
        position, velocity = s.motion("slider")
        np.testing.assert_allclose(position, [0.1 + 0.25, 0, 0.125], atol=1e-8)
        np.testing.assert_allclose(velocity, [1, 0, 0.5], atol=1e-8)
        with self.assertRaises(ValueError):
            s.apply_force("slider", [1, 2])
        with self.assertRaises(ValueError):
            s.motion("slidder")

    def test_linear_model(self):
        """A mass on a spring: eigenvalues +- i sqrt(k/m), and the input's column 1/m."""
        model = sinew.Model(SLIDER)
        model.inputs = {"u": {"default": 0}}
        model.forces = {"pull": sinew.Force(at="slider", force=["u", 0, 0]),
                        "spring": sinew.Force(at="slider", force=["-k*slider.x", "-k*slider.y", "-k*slider.z"])}  # fmt: skip
        model.bodies["slider"].position = [0, 0, 0]
        linear = sinew.Simulation(model).linearize()
        np.testing.assert_allclose(np.sort(np.abs(linear.eigenvalues)), [2] * 6, atol=1e-6)
        np.testing.assert_allclose(np.abs(linear.B).max(), 0.5, atol=1e-9)
        self.assertEqual(linear.A.shape, (6, 6))
        self.assertEqual(linear.inputs, ["u"])


def wheel_and_follower(equation=None):
    return {
        "gravity": [0, -9.81, 0],
        "bodies": {"wheel": sinew.Rigid(mass=2, inertia=[0.1, 0.1, 0.1], position=[0, 0, 0], angular_velocity=[0, 0, 6]),
                   "follower": sinew.Rigid(mass=0.5, inertia=[0.01, 0.01, 0.01], position=[1, 0, 0])},
        "joints": {"hinge": sinew.Revolute(between=["ground.at(0, 0, 0)", "wheel.center"], axis=[0, 0, 1]),
                   "slide": sinew.Prismatic(between=["ground.at(1, 0, 0)", "follower.center"], axis=[0, 1, 0]),
                   "lift": sinew.Constraint(joints=["hinge", "slide"], equation=equation)},
        "outputs": {"hinge": {"joint": "hinge"}, "slide": {"joint": "slide"}},
    }  # fmt: skip


class Constraints(unittest.TestCase):
    def run_with(self, function, equation=None):
        simulation = sinew.Simulation(wheel_and_follower(equation), integrator="radau", tolerance=1e-9)
        if function:
            simulation.set_constraint("lift", function)
        simulation.advance(0.7)
        return simulation

    def test_as_the_equation(self):
        """Reference: the same equation in the model; derivatives of the function, of one order, or differences."""
        truth = self.run_with(None, "x2 - 0.1*sin(x1)")["hinge"]

        def first(t, x):
            return [0, -0.1 * math.cos(x), 1]

        def second(t, x):
            return [[0, 0, 0], [0, 0.1 * math.sin(x), 0], [0, 0, 0]]

        for function in (lambda t, x, y: y - 0.1 * math.sin(x), lambda t, x, y: (y - 0.1 * math.sin(x), first(t, x)),
                         lambda t, x, y: (y - 0.1 * math.sin(x), first(t, x), second(t, x))):  # fmt: skip
            found = self.run_with(function)["hinge"]
            self.assertGreater(found.angle, math.pi)
            self.assertAlmostEqual(found.angle, truth.angle, 7)
            self.assertAlmostEqual(found.angle_rate, truth.angle_rate, 6)

    def test_wrong_use(self):
        simulation = sinew.Simulation(wheel_and_follower())
        with self.assertRaisesRegex(sinew.SinewError, "'lift' has neither an equation nor a function"):
            simulation.step()
        with self.assertRaises(KeyError):
            simulation.set_constraint("lever", lambda t, x, y: 0)
        with self.assertRaisesRegex(sinew.SinewError, "'hinge' is not a constraint"):
            simulation.set_constraint("hinge", lambda t, x, y: 0)
        with self.assertRaises(ZeroDivisionError):
            simulation.set_constraint("lift", lambda t, x, y: 1 / 0)
        with self.assertRaisesRegex(ValueError, "have the shape"):
            simulation.set_constraint("lift", lambda t, x, y: (y, [1, 2]))
        with self.assertRaisesRegex(sinew.SinewError, "not finite"):
            simulation.set_constraint("lift", lambda t, x, y: math.nan)
        simulation.set_constraint("lift", lambda t, x, y: y - 0.1 * math.sin(x) if t < 0.1 else 1 / 0)
        with self.assertRaises(ZeroDivisionError):
            simulation.advance(1)
        self.assertLess(simulation.time, 0.1)


if __name__ == "__main__":
    unittest.main()
