"""Environments: the convention of gymnasium, starts, batches. Reference: masses under held forces, in closed form."""
import math
import unittest

import numpy as np

import sinew

MASS = {
    "inputs": {"u": {"default": 0, "range": [-5, 5]}, "w": {"default": 0}},
    "bodies": {"m": sinew.PointMass(mass=2, position=[0, 0, 0])},
    "forces": {"f": sinew.Force(at="m", force=["u", "w", 0])},
    "outputs": {"m": {"point": "m"}},
}


def env(**options):
    arguments = {"inputs": ["u"], "outputs": ["m.x", "m.vx"], "period": 0.1, "integrator": "radau", "tolerance": 1e-8}
    return sinew.Env(MASS, **{**arguments, **options})


def fall(x, v, u, T=0.1):
    return np.array([x + v * T + u / 4 * T * T, v + u / 2 * T])


class Episodes(unittest.TestCase):
    def test_steps(self):
        e = env(reward=lambda observation, action: -abs(observation[0]) - action[0] ** 2,
                terminated=lambda observation: observation[0] > 1, duration=2)  # fmt: skip
        observation, info = e.reset(seed=1)
        np.testing.assert_array_equal(observation, [0, 0])
        self.assertEqual(info["time"], 0)
        state = observation
        for k in range(100):
            action = e.action_space.sample() if k < 5 else np.array([3.0])
            observation, reward, terminated, truncated, info = e.step(action)
            state = fall(*state, action[0])
            np.testing.assert_allclose(observation, state, atol=1e-8)
            self.assertEqual(info["time"], (k + 1) * 0.1)
            self.assertAlmostEqual(reward, -abs(state[0]) - action[0] ** 2, delta=1e-7)
            if terminated or truncated:
                break
        self.assertEqual(terminated, state[0] > 1)
        self.assertTrue(terminated or info["time"] >= 2)
        with self.assertRaisesRegex(RuntimeError, "call reset"):
            e.step([0])

    def test_truncated(self):
        e = env(duration=0.3)
        for _ in range(2):
            e.reset()
            self.assertEqual([e.step([1])[3] for _ in range(3)], [False, False, True])

    def test_starts(self):
        e = env(start=lambda random: ([random.uniform(-1, 1), 0, 0], [0, 0, 0]))
        first = [e.reset(seed=7)[0][0], e.reset()[0][0]]
        self.assertNotEqual(*first)
        self.assertEqual([e.reset(seed=7)[0][0], e.reset()[0][0]], first)
        observation, _ = e.reset(start=([0.5, 0, 0], [2, 0, 0]))
        np.testing.assert_array_equal(observation, [0.5, 2])
        after = e.step([4])[0]
        np.testing.assert_allclose(after, fall(0.5, 2, 4), atol=1e-9)
        kept = e.simulation.snapshot()
        end = e.step([1])[0]
        e.reset(start=kept)
        np.testing.assert_array_equal(e.step([1])[0], end)
        np.testing.assert_array_equal(e.reset(options={"start": ([1, 0, 0], None)})[0], [1, 0])

    def test_resets_are_equal(self):
        """Inputs of an episode do not reach into the next; bits are equal."""
        e = env(inputs=None)
        self.assertEqual(e.inputs, ["u", "w"])
        ends = []
        for _ in range(3):
            e.reset()
            for u in ([1, 2], [-3, 4]):
                end = e.step(u)[0]
            ends.append(end)
        np.testing.assert_array_equal(ends[0], ends[1])
        np.testing.assert_array_equal(ends[0], ends[2])

    def test_limits(self):
        e = env()
        self.assertEqual((e.action_space.low.tolist(), e.action_space.high.tolist()), ([-5], [5]))
        self.assertFalse(e.action_space.contains([6]))
        e.reset()
        np.testing.assert_allclose(e.step([100])[0], fall(0, 0, 5), atol=1e-9)  # as far as the input goes
        self.assertEqual(e.observation_space.shape, (2,))
        self.assertEqual(env(outputs=["m"]).observations[:3], ["m.x", "m.y", "m.z"])

    def test_rollouts(self):
        e = env()
        actions = np.random.default_rng(2).uniform(-5, 5, (20, 6, 1))
        observed = e.rollouts(actions)
        for i in (0, 19):
            e.reset()
            for k in range(6):
                np.testing.assert_allclose(e.step(actions[i, k])[0], observed[i, k], atol=1e-9)
        np.testing.assert_array_equal(e.rollouts(actions, threads=1), observed)
        q = np.zeros((20, 3))
        q[:, 0] = np.arange(20)
        np.testing.assert_allclose(e.rollouts(actions, q=q)[:, :, 0], observed[:, :, 0] + q[:, :1], atol=1e-8)

    def test_mistakes(self):
        with self.assertRaisesRegex(KeyError, "no input 'x'; it has u, w"):
            env(inputs=["x"])
        with self.assertRaisesRegex(KeyError, "no column 'q'"):
            env(outputs=["m.q"])
        with self.assertRaisesRegex(KeyError, "no output 'n'"):
            env(outputs=["n"])
        with self.assertRaises(ValueError):
            env(period=0)
        e = env()
        with self.assertRaisesRegex(RuntimeError, "call reset"):
            e.step([0])
        e.reset()
        with self.assertRaisesRegex(ValueError, "shape"):
            e.step([0, 0])
        with self.assertRaisesRegex(ValueError, "NaN"):
            e.step([math.nan])
        with self.assertRaisesRegex(ValueError, "shape"):
            e.rollouts(np.zeros((2, 3)))
        e.step([0])
        e.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            e.reset()


if __name__ == "__main__":
    unittest.main()
