/* test_resultants.c - stress resultants of beams and plates against statics, and tapered beams against the integrals of
 * beam theory. Loads are small where the theory is linear.
 */
#include "support.h"

static void values(run *r, const char *name, double *y, size_t count) {
  double all[16];
  assert_true(sn_read(r->simulation, name, all, 16) >= count);
  memcpy(y, all, count * sizeof(double));
}

static void solve(run *r, const char *text) {
  open_run(r, text, NULL);
  if (sn_run(r->simulation)) fail_msg("%s", sn_message(r->context));
}

static const char *const elastics[] = {"selective", "continuum", "elastic-line"};

/* ---- beams ---- */

/* Analytic: cantilever along x with the force (S, P, R) and the torque T at its end:
 *   N = S, Qy = P, Qz = R, Mx = T, My = -R (L - x), Mz = P (L - x), at nodes and between. Statics alone decides, so the
 * elastic model does not matter. The tolerance is the load times the slope, at most 2e-5, which linear theory leaves
 * out. Curvatures of the section are constant in an element: compared at the node x = 1/4 only, where the mean of both
 * sides is exact for a linear moment; the Poisson effect of bending makes the continuum stiffer (test_beam.c). */
static void test_cantilever(void **state) {
  (void)state;
  static const double x[] = {0, 0.25, 0.4, 0.85, 1};
  for (int k = 0; k < 3; k++) {
    char text[1400];
    run r;
    double y[10], S = 3, P = 0.2, R = -0.3, T = 0.05, E = 1e9, A = 0.0096;
    double Izz = 0.12 * 0.08 * 0.08 * 0.08 / 12, Iyy = 0.08 * 0.12 * 0.12 * 0.12 / 12;
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e9, poisson: 0.3}}\n"
             "sections: {s: {type: rectangle, width: 0.12, height: 0.08}}\n"
             "bodies: {b: {type: beam, elastic: %s, from: [0, 0, 0], to: [1, 0, 0], elements: 8, material: m, section: "
             "s}}\n"
             "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
             "forces: {P: {type: force, at: b.end, force: [3, 0.2, -0.3]}, T: {type: moment, at: b.end, moment: [0.05, "
             "0, 0]}}\n"
             "outputs: {x0: {resultant: b.start}, x1: {resultant: b.at(0.25)}, x2: {resultant: b.at(0.4)}, "
             "x3: {resultant: b.at(0.85)}, x4: {resultant: b.end}}\nanalysis: statics\n",
             elastics[k]);
    solve(&r, text);
    for (int i = 0; i < 5; i++) {
      char name[3] = {'x', (char)('0' + i), 0};
      double exact[6] = {S, P, R, T, -R * (1 - x[i]), P * (1 - x[i])};
      values(&r, name, y, 10);
      for (int c = 0; c < 6; c++)
        assert_below(fabs(y[c] - exact[c]), 1e-4, "%s, column %d at %g", elastics[k], c, x[i]);
      assert_below(fabs(y[6] * E * A / S - 1), 2e-5, "%s, strain at %g", elastics[k], x[i]);
      if (i != 1 || k == 1) continue;
      assert_below(fabs(y[8] * E * Iyy / exact[4] - 1), 5e-4, "%s, curvature about y", elastics[k]);
      assert_below(fabs(y[9] * E * Izz / exact[5] - 1), 5e-4, "%s, curvature about z", elastics[k]);
    }
    close_run(&r);
  }
}

/* Analytic, in the plane: the same with Q and M; and a hanging beam, N = rho g A (L - x): the fitted line is exact, for
 * plane stress and strain, and for beams in space. */
static void test_plane_and_hanging(void **state) {
  (void)state;
  static const char *const kind[] = {"beam2d", "beam2d, plane: strain", "beam", "beam, elastic: elastic-line"};
  for (int k = 0; k < 4; k++) {
    char text[1200];
    run r;
    double y[10], w = 1000 * 9.81 * 0.0096;
    bool plane = k < 2;
    snprintf(text, sizeof text,
             "sinew: 1\n%sgravity: [0, -9.81, 0]\nmaterials: {m: {density: 1000, young: 1e11, poisson: 0.3}}\n"
             "sections: {s: {type: rectangle, width: 0.12, height: 0.08}}\n"
             "bodies: {b: {type: %s, from: [0, 0, 0], to: [0, -2, 0], elements: 5, material: m, section: s}}\n"
             "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
             "forces: {P: {type: force, at: b.end, force: [0.2, 0, 0]}}\n"
             "outputs: {a: {resultant: b.start}, b: {resultant: b.at(0.4)}, c: {resultant: b.at(0.75)}}\n"
             "analysis: statics\n",
             plane ? "planar: true\n" : "", kind[k]);
    solve(&r, text);
    static const double x[] = {0, 0.8, 1.5};
    for (int i = 0; i < 3; i++) {
      char name[2] = {(char)('a' + i), 0};
      values(&r, name, y, plane ? 5 : 10);
      double M = y[plane ? 2 : 5];
      assert_below(fabs(y[0] - w * (2 - x[i])), 2e-4 * w, "%s: N at %g", kind[k], x[i]);
      /* the y axis of the section is global x; the weight times the deflection of 1e-6 m is left out */
      assert_below(fabs(y[1] - 0.2), 1e-3, "%s: Q at %g", kind[k], x[i]);
      assert_below(fabs(M - 0.2 * (2 - x[i])), 1e-3, "%s: M at %g", kind[k], x[i]);
    }
    close_run(&r);
  }
}

/* Large deflection, straight and curved line: whatever the shape, the force is the load (in the middle, at the ends),
 * the moment at the start is the load times its arm, and at the end there is none. The error in the middle falls with
 * the square of the element length, at the clamp, which keeps the section from straining, with the length. */
static void test_large(void **state) {
  (void)state;
  static const char *const line[] = {"from: [0, 0, 0], to: [1, 0, 0]",
                                     "from: [0, 0, 0], via: [0.5, 0.3, 0], to: [0.9, 0.1, 0]"};
  for (int k = 0; k < 6; k++) {
    char text[1200];
    run r;
    double y[10], e[10], h[10], tip[3];
    snprintf(text, sizeof text,
             "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\n"
             "sections: {s: {type: rectangle, width: 0.06, height: 0.04}}\n"
             "bodies: {b: {type: beam, elastic: %s, %s, elements: 20, material: m, section: s}}\n"
             "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
             "forces: {P: {type: force, at: b.end, force: [1, 5, 4]}}\n"
             "outputs: {a: {resultant: b.start}, h: {resultant: b.at(0.5)}, e: {resultant: b.end}, tip: {point: "
             "b.end}}\nanalysis: statics\n",
             elastics[k / 2], line[k % 2]);
    solve(&r, text);
    values(&r, "a", y, 10);
    values(&r, "h", h, 10);
    values(&r, "e", e, 10);
    values(&r, "tip", tip, 3);
    double P = sqrt(42), M[3] = {tip[1] * 4 - tip[2] * 5, tip[2] * 1 - tip[0] * 4, tip[0] * 5 - tip[1] * 1};
    double m = sqrt(M[0] * M[0] + M[1] * M[1] + M[2] * M[2]);
    assert_true(tip[1] > 0.15 && tip[2] > 0.1);
    assert_below(fabs(sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]) / P - 1), 0.03, "force, case %d", k);
    assert_below(fabs(sqrt(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]) / P - 1), 0.002, "force in the middle, case %d", k);
    assert_below(fabs(sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5]) / m - 1), 0.01, "moment, case %d", k);
    assert_below(fabs(sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) / P - 1), 0.02, "force at the end, case %d", k);
    assert_below(sqrt(e[3] * e[3] + e[4] * e[4] + e[5] * e[5]) / m, 0.01, "moment at the end, case %d", k);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cantilever),
      cmocka_unit_test(test_plane_and_hanging),
      cmocka_unit_test(test_large),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
