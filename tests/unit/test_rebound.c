/* test_rebound.c - a ball that meets a plane, by each damping law of penalty contact: rebound, time of contact, energy.
 *
 * m d'' = -K d^k (1 + c d') gives m u du/(1 + c u) = -K d^k dd with u = d'. Integrated over both phases, which are equally
 * deep: with x = c v and the rebound speed e v
 *
 *   x - ln(1 + x) = -e x - ln(1 - e x)
 *
 * whatever m, K and k are. Every published c has its own e by this equation; solved here for e, while the program solves it
 * for x (damping law exact).
 */
#include "support.h"

static const char *const laws[] = {"exact", "hunt-crossley", "lankarani-nikravesh", "flores"};

/* c times the impact speed */
static double published(size_t law, double e) {
  return law == 1 ? 3 * (1 - e) / 2 : law == 2 ? 3 * (1 - e * e) / 4 : 8 * (1 - e) / (5 * e);
}

/* The rebound by the equation above: the right side rises with e from 0, below 1/x. */
static double rebound_of(double x) {
  double low = 0, high = fmin(1, 1 / x);
  for (int k = 0; k < 200; k++) {
    double e = (low + high) / 2;
    *(-e * x - log1p(-e * x) < x - log1p(x) ? &low : &high) = e;
  }
  return (low + high) / 2;
}

typedef struct bounce {
  double speed, time; /* rebound speed, time of contact */
  double audit;       /* error of the energy balance, and of the work of damping against the energy lost */
} bounce;

/* Mass 2 at the speed v, touching at t = 0, no gravity; after contact z = R + speed (t - time). */
static bounce drop(double v, double k, double K, const char *law, double tolerance) {
  char text[900];
  run r;
  double y[9], energy[SN_ENERGIES], duration = 6 / v * pow((k + 1) * v * v / K, 1 / (k + 1));
  snprintf(
      text, sizeof text,
      "sinew: 1\nbodies: {a: {type: rigid, position: [0, 0, 0.1], velocity: [0, 0, %.17g], mass: 2, inertia: [1, 1, "
      "1]}}\nsurfaces: {a: {type: sphere, on: a, radius: 0.1}, p: {type: plane, normal: [0, 0, 1]}}\n"
      "contacts: {touch: {stiffness: %.17g, exponent: %g%s}}\noutputs: {a: {point: a.center}}\n"
      "analysis: {type: dynamics, duration: %.17g, integrator: {type: radau, tolerance: %g}}\n",
      -v, K, k, law, 10 * duration, tolerance);
  open_run(&r, text, NULL);
  advance(&r, 10 * duration);
  assert_true(sn_read(r.simulation, "a", y, 9) == 9 && sn_read(r.simulation, "energy", energy, SN_ENERGIES));
  bounce b = {.speed = y[5], .time = 10 * duration - (y[2] - 0.1) / y[5]};
  b.audit = fmax(fabs(energy[SN_E_ERROR]), fabs(energy[SN_E_FRICTION] + v * v - y[5] * y[5]));
  close_run(&r);
  return b;
}

/* Over restitution coefficients, at the impact speed and at others: c is a property of the contact, so a faster ball loses
 * a larger part. */
static void damping_laws(void **state) {
  (void)state;
  static const double es[] = {0.98, 0.8, 0.6, 0.4, 0.2, 0.1}, speeds[] = {1, 0.3, 2.5}, ks[] = {1.5, 1, 3};
  for (size_t i = 0; i < SN_COUNT(laws); i++)
    for (size_t j = 0; j < SN_COUNT(es); j++) {
      char law[120];
      double v = speeds[j % 3], k = ks[(i + j) % 3], e = es[j], x = i ? published(i, e) * v : 0;
      snprintf(law, sizeof law, ", restitution: %g, impact_speed: 1, damping_law: %s", e, laws[i]);
      if (i == 0) v = 1;
      bounce b = drop(v, k, 1e5, law, 1e-8);
      double expected = i ? rebound_of(x) : e;
      assert_below(fabs(b.speed / v - expected), 2e-6, "%s, e = %g at %g m/s: %.8f, expected %.8f", laws[i], e, v,
                   b.speed / v, expected);
      assert_below(b.audit, 1e-6 * v * v, "%s, e = %g: energy balance", laws[i], e);
    }
}

/* For e near 1 all laws agree with what they were made for; Flores's law alone stays near it down to small e: its
 * published figure shows the actual restitution within 0.06 of the one asked for. */
static void what_the_laws_promise(void **state) {
  (void)state;
  for (size_t i = 1; i < SN_COUNT(laws); i++)
    assert_below(fabs(rebound_of(published(i, 0.99)) - 0.99), 1.1e-3, "%s near 1", laws[i]);
  for (double e = 0.05; e < 1; e += 0.05) assert_below(fabs(rebound_of(published(3, e)) - e), 0.06, "flores at %g", e);
  assert_true(rebound_of(published(1, 0.1)) > 0.3 && rebound_of(published(2, 0.1)) > 0.4);
}

/* Elastic: T = 2 (d/v) int_0^1 dx/sqrt(1 - x^(k + 1)) = 2 (d/v) sqrt(pi) Gamma(1 + a)/Gamma(1/2 + a), a = 1/(k + 1), d =
 * ((k + 1) m v^2/(2 K))^a; of Hertz 2.94327 d/v. */
static void time_of_contact(void **state) {
  (void)state;
  static const double ks[] = {1, 1.5, 2.2, 4, 7, 10};
  for (size_t i = 0; i < SN_COUNT(ks); i++)
    for (double v = 0.2; v < 4; v *= 4) {
      double k = ks[i], a = 1 / (k + 1), d = 0.01, K = (k + 1) * v * v / pow(d, k + 1);
      double T = 2 * d / v * sqrt(PI) * tgamma(1 + a) / tgamma(0.5 + a);
      if (k == 1.5) assert_below(fabs(T * v / d - 2.94327), 1e-5, "Hertz");
      bounce b = drop(v, k, K, "", 1e-8);
      assert_below(fabs(b.time / T - 1), 1e-5, "time of contact, exponent %g, %g m/s", k, v);
      assert_below(fabs(b.speed / v - 1), 1e-6, "rebound, exponent %g, %g m/s", k, v);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_the_laws_promise), cmocka_unit_test(time_of_contact),
                                     cmocka_unit_test(damping_laws)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
