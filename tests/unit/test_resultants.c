/* test_resultants.c - stress resultants of beams and plates against statics, and tapered beams against the integrals of
 * beam theory. Loads are small where the theory is linear.
 */
#include "support.h"

static const char *const elastics[] = {"selective", "continuum", "elastic-line", "timoshenko"};

/* ---- beams ---- */

/* Analytic: cantilever along x with the force (S, P, R) and the torque T at its end:
 *   N = S, Qy = P, Qz = R, Mx = T, My = -R (L - x), Mz = P (L - x), at nodes and between. Statics alone decides, so the
 * elastic model does not matter. The tolerance is the load times the slope, at most 2e-5, which linear theory leaves
 * out. Curvatures of the section are constant in an element: compared at the node x = 1/4 only, where the mean of both
 * sides is exact for a linear moment; the Poisson effect of bending makes the continuum stiffer (test_beam.c). */
static void test_cantilever(void **state) {
  (void)state;
  static const double x[] = {0, 0.25, 0.4, 0.85, 1};
  for (int k = 0; k < (int)SN_COUNT(elastics); k++) {
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
    run_to_end(&r, text);
    for (int i = 0; i < 5; i++) {
      char name[3] = {'x', (char)('0' + i), 0};
      double exact[6] = {S, P, R, T, -R * (1 - x[i]), P * (1 - x[i])};
      read_output(&r, name, y, 10);
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
  static const char *const kind[] = {"beam2d, elastic: continuum", "beam2d, plane: strain", "beam, elastic: selective",
                                     "beam, elastic: elastic-line", "beam"};
  for (int k = 0; k < 5; k++) {
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
    run_to_end(&r, text);
    static const double x[] = {0, 0.8, 1.5};
    for (int i = 0; i < 3; i++) {
      char name[2] = {(char)('a' + i), 0};
      read_output(&r, name, y, plane ? 5 : 10);
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
  for (int k = 0; k < 2 * (int)SN_COUNT(elastics); k++) {
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
    run_to_end(&r, text);
    read_output(&r, "a", y, 10);
    read_output(&r, "h", h, 10);
    read_output(&r, "e", e, 10);
    read_output(&r, "tip", tip, 3);
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

/* ---- balance ---- */

/* Analytic: whatever the shape and however coarse its elements, the force in a section is the force at the end, and the
 * moment is that force times its arm, at nodes, between them and at the ends; a moment at the end is added. Curved, bent
 * and both; three elements in a quarter of a circle, whose own strains are wrong by more than the load. */
static void test_balance(void **state) {
  (void)state;
  static const struct {
    const char *kind, *about;
    bool planar;
    size_t columns;
  } all[] = {
      {"beam, elastic: selective", "", false, 10},
      {"beam, elastic: continuum", "", false, 10},
      {"beam, elastic: elastic-line", "", false, 10},
      {"beam, elastic: timoshenko", "", false, 10},
      {"cable", ", about: [0, 0, 1]", false, 5},
      {"cable, curvature: material", ", about: [0, 0, 1]", false, 5},
      {"cable", "", true, 5},
      {"cable, curvature: material", "", true, 5},
      {"beam2d", "", true, 5},
      {"beam2d, elastic: continuum", "", true, 5},
  };
  static const char *const line[] = {
      "from: [0, 0, 0], to: [1.4, 0, 0]",
      "from: [0, 0, 0], via: [0.7071067811865475, 0.2928932188134525, 0], to: [1, 1, 0]"};
  static const char *const place[] = {"b.start", "b.at(0.2)", "b.at(1/3)", "b.at(0.9)", "b.end"};
  for (int k = 0; k < 2 * (int)SN_COUNT(all); k++) {
    const bool space = all[k / 2].columns == 10;
    char text[2000];
    run r;
    double y[10], at[3], tip[3];
    int n = snprintf(text, sizeof text,
                     "sinew: 1\n%sgravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e8, poisson: 0.3}}\n"
                     "sections: {s: {type: rectangle, width: 0.06, height: 0.04}}\n"
                     "bodies: {b: {type: %s, %s, elements: 3, material: m, section: s}}\n"
                     "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
                     "forces: {P: {type: force, at: b.end, force: [4, 9, 0]}, M: {type: moment, at: b.end, moment: [0, "
                     "0, 2]}}\nanalysis: statics\noutputs:\n",
                     all[k / 2].planar ? "planar: true\n" : "", all[k / 2].kind, line[k % 2]);
    for (int i = 0; i < (int)SN_COUNT(place); i++)
      n += snprintf(text + n, sizeof text - (size_t)n, "  p%d: {point: %s}\n  r%d: {resultant: %s%s}\n", i, place[i], i,
                    place[i], all[k / 2].about);
    run_to_end(&r, text);
    read_output(&r, "p4", tip, 2);
    for (int i = 0; i < (int)SN_COUNT(place); i++) {
      const char name[2][3] = {{'p', (char)('0' + i), 0}, {'r', (char)('0' + i), 0}};
      read_output(&r, name[0], at, 2);
      read_output(&r, name[1], y, all[k / 2].columns);
      const double M = 2 + (tip[0] - at[0]) * 9 - (tip[1] - at[1]) * 4;
      assert_below(fabs(hypot(y[0], y[1]) / sqrt(97) - 1), 1e-7, "%s %d: force at %s", all[k / 2].kind, k % 2,
                   place[i]);
      assert_below(fabs(y[space ? 5 : 2] / M - 1), 1e-7, "%s %d: moment at %s", all[k / 2].kind, k % 2, place[i]);
    }
    close_run(&r);
  }
}

/* Analytic: a cantilever under its weight w and a load f per length along it: Q = -w (L - x), N = f (L - x), M = -w (L -
 * x)^2/2 at the clamp, at nodes, between them and at the free end, of few elements. Left out: the sag times the loads. */
static void test_loads_along(void **state) {
  (void)state;
  static const struct {
    const char *kind, *about;
    bool planar, force;
  } all[] = {
      {"cable", ", about: [0, 0, 1]", false, true},
      {"cable", "", true, true},
      {"beam", "", false, true},
      {"beam, elastic: elastic-line", "", false, true},
      {"beam, elastic: selective", "", false, true},
      {"beam2d", "", true, true},
      {"floating", "", false, false},
      {"floating, theory: timoshenko", "", true, false},
      {"planar-beam", "", true, false},
      {"planar-beam, formulation: ancf-s", "", true, false},
      {"planar-beam, formulation: frf", "", true, false},
      {"planar-beam, theory: timoshenko", "", true, false},
  };
  static const double x[] = {0, 0.3, 0.5, 0.95, 1};
  for (int k = 0; k < (int)SN_COUNT(all); k++) {
    char text[2000];
    run r;
    const bool space = !all[k].planar && strncmp(all[k].kind, "cable", 5) != 0;
    const double w = 1000 * 9.81 * 0.0024, f = all[k].force ? 40 : 0;
    double y[10];
    int n = snprintf(text, sizeof text,
                     "sinew: 1\n%sgravity: [0, -9.81, 0]\nmaterials: {m: {density: 1000, young: 1e12, poisson: 0.3}}\n"
                     "sections: {s: {type: rectangle, width: 0.06, height: 0.04}}\n"
                     "bodies: {b: {type: %s, from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: m, section: s}}\n"
                     "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n%s"
                     "analysis: statics\noutputs:\n",
                     all[k].planar ? "planar: true\n" : "", all[k].kind,
                     all[k].force ? "forces: {f: {type: distributed, on: b, force: [40, 0, 0]}}\n" : "");
    for (int i = 0; i < (int)SN_COUNT(x); i++)
      n += snprintf(text + n, sizeof text - (size_t)n, "  r%d: {resultant: b.at(%g)%s}\n", i, x[i], all[k].about);
    run_to_end(&r, text);
    for (int i = 0; i < (int)SN_COUNT(x); i++) {
      const char name[3] = {'r', (char)('0' + i), 0};
      read_output(&r, name, y, space ? 10 : 5);
      const double rest = 1 - x[i];
      assert_below(fabs(y[0] - f * rest), 1e-4 * w, "%s: N at %g", all[k].kind, x[i]);
      assert_below(fabs(y[1] + w * rest), 1e-4 * w, "%s: Q at %g", all[k].kind, x[i]);
      assert_below(fabs(y[space ? 5 : 2] + w * rest * rest / 2), 1e-4 * w, "%s: M at %g", all[k].kind, x[i]);
    }
    close_run(&r);
  }
}

/* Analytic: a line that turns steadily about its start, N = rho A W^2 (L^2 - x^2)/2, to second order at the ends, too. */
static double spinning_error(const char *kind, bool space, int elements) {
  char text[1500];
  run r;
  double a[10], e[10];
  const double exact = 1000 * 0.0024 * 9 / 2;
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e8, poisson: 0.3}}\n"
           "sections: {s: {type: rectangle, width: 0.06, height: 0.04}}\n"
           "bodies: {b: {type: %s, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: s, "
           "angular_velocity: [0, 0, 3], stiffness_damping: 2e-3}}\n"
           "joints: {pin: {type: spherical, between: [ground, b.start]}}\n"
           "outputs: {a: {resultant: b.start}, e: {resultant: b.end}}\n"
           "analysis: {type: dynamics, duration: 0.5, integrator: {type: radau5, tolerance: 1e-8}}\n",
           kind, elements);
  run_to_end(&r, text);
  read_output(&r, "a", a, space ? 10 : 5);
  read_output(&r, "e", e, space ? 10 : 5);
  close_run(&r);
  return fmax(fabs(a[0] / exact - 1), fabs(e[0] / exact));
}

static void test_inertia_along(void **state) {
  (void)state;
  static const char *const kind[] = {"cable", "beam", "beam, elastic: selective", "floating"};
  for (int k = 0; k < (int)SN_COUNT(kind); k++) {
    const double coarse = spinning_error(kind[k], k > 0, 3), fine = spinning_error(kind[k], k > 0, 6);
    assert_below(coarse, 0.06, "%s: N of 3 elements", kind[k]);
    assert_below(fine, 0.3 * coarse, "%s: N of 6 elements", kind[k]);
  }
}

/* ---- plates ---- */

/* Small weight q = rho g t on a simply supported square: Mxx = Myy = 0.0479 q a^2 in the center for nu = 0.3
 * (Timoshenko and Woinowsky-Krieger, table 8; 0.04789 with one digit more from the series of Navier). Bilinear
 * curvatures: 0.14 % with 8 x 8 elements; twice as fine the error falls by about four. Load down: the center bends
 * toward +z, as M > 0 does. */
static double center_moment(int n) {
  char text[1000];
  run r;
  double y[12];
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, 0, -1e-4]\nmaterials: {m: {density: 1000, young: 1e7, poisson: 0.3}}\n"
           "bodies: {p: {type: plate, material: m, along: [1, 0, 0], across: [0, 1, 0], elements: [%d, %d], thickness: "
           "0.01}}\njoints: {rim: {type: spherical, between: [ground, p.rim]}}\n"
           "outputs: {c: {resultant: p.center}}\nanalysis: statics\n",
           n, n);
  run_to_end(&r, text);
  read_output(&r, "c", y, 12);
  assert_below(fabs(y[3] / y[4] - 1), 1e-6, "Mxx = Myy");
  assert_below(fabs(y[5] / y[3]), 1e-6, "no Mxy");
  double D = 1e7 * 1e-6 / 12 / 0.91;
  assert_below(fabs(D * 1.3 * y[9] / y[3] - 1), 1e-6, "curvature");
  close_run(&r);
  return y[3] / (1000 * 1e-4 * 0.01);
}

/* Navier: Mxx = sum over odd m, n of 16 q a^2/(pi^4 m n) (m^2 + nu n^2)/(m^2 + n^2)^2 (+-1) */
static double navier(void) {
  double sum = 0;
  for (int m = 1; m < 800; m += 2)
    for (int n = 1; n < 800; n += 2) {
      double d = (double)(m * m + n * n);
      sum += ((m + n) / 2 % 2 ? 1 : -1) * 16 / pow(PI, 4) * (m * m + 0.3 * n * n) / (m * n * d * d);
    }
  return sum;
}

static void test_simply_supported(void **state) {
  (void)state;
  double exact = navier(), m8 = center_moment(8), m16 = center_moment(16);
  assert_below(fabs(exact - 0.0479), 5e-5, "series against the table");
  assert_below(fabs(m8 / exact - 1), 0.002, "moment of the center, 8 x 8: %g", m8);
  assert_below(fabs(m16 / exact - 1), 0.0005, "moment of the center, 16 x 16: %g", m16);
}

/* Analytic: a strip (nu = 0) clamped at x = 0, pulled by S and lifted by P per width at x = 1: Nxx = S, Mxx = P (1 - x)
 * for small P, linear, at nodes, on edges and within; the rest 0. Tolerances: the pull times the deflection, and the
 * three forces of the edge spread over the width only after about that length. */
static void test_strip(void **state) {
  (void)state;
  static const double x[] = {0, 0.25, 0.6, 1};
  run r;
  double y[12];
  run_to_end(
      &r,
      "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e7, poisson: 0}}\n"
      "bodies: {p: {type: plate, material: m, along: [1, 0, 0], across: [0, 0.5, 0], elements: [4, 2], thickness: "
      "0.05}}\njoints: {clamp: {type: fixed, between: [ground, p.west]}}\n"
      "forces: {a: {type: force, at: p.se, force: [0.0025, 0, 2.5e-5]}, b: {type: force, at: p.ne, force: [0.0025, 0, "
      "2.5e-5]}, c: {type: force, at: 'p.at(1, 0.5)', force: [0.005, 0, 5e-5]}}\n"
      "outputs: {x0: {resultant: p.sw}, x1: {resultant: 'p.at(0.25, 0.3)'}, x2: {resultant: 'p.at(0.6, 0.5)'}, "
      "x3: {resultant: 'p.at(1, 0.2)'}}\nanalysis: statics\n");
  for (int i = 0; i < 4; i++) {
    char name[3] = {'x', (char)('0' + i), 0};
    read_output(&r, name, y, 12);
    double M = 2e-4 * (1 - x[i]), S = 0.02, D = 1e7 * 0.05 * 0.05 * 0.05 / 12;
    assert_below(fabs(y[3] - M), 1e-6, "Mxx at %g", x[i]);
    assert_below(fabs(y[9] - M / D), 1e-6 / D, "kxx at %g", x[i]);
    assert_below(fmax(fabs(y[4]), fabs(y[5])), 1e-7, "Myy and Mxy at %g", x[i]);
    if (i > 1) continue; /* near the three forces of the edge the pull is not yet even */
    assert_below(fabs(y[0] / S - 1), 2e-3, "Nxx at %g", x[i]);
    assert_below(fabs(y[6] * 1e7 * 0.05 / S - 1), 2e-3, "exx at %g", x[i]);
    assert_below(fmax(fabs(y[1]), fabs(y[2])), 3e-3 * S, "Nyy and Nxy at %g", x[i]);
  }
  close_run(&r);
}

/* ---- tapered beams ---- */

typedef struct taper_case {
  const char *type, *sections, *profile;
  int round;            /* circle, radius 0.05 to 0.02; else height 0.1 to 0.04, width 0.06 to 0.03 */
  double E, k, allowed; /* modulus of bending, shear factor (0: none), error with 16 elements */
} taper_case;

/* Beam theory by the midpoint rule: P int (L - x)^2/(E Izz) + 1/(k G A) dx for L = 1, and the volume */
static double tip_deflection(const taper_case *c, double *volume) {
  enum { N = 20000 };
  double u = 0, G = 1e9 / 2.6;
  *volume = 0;
  for (int i = 0; i < N; i++) {
    double s = (i + 0.5) / N, f = *c->profile ? s * s : s, h = 0.1 - 0.06 * f, b = 0.06 - 0.03 * f, r = 0.05 - 0.03 * f;
    double A = c->round ? PI * r * r : b * h, I = c->round ? PI / 4 * r * r * r * r : b * h * h * h / 12;
    u += ((1 - s) * (1 - s) / (c->E * I) + (c->k > 0 ? 1 / (c->k * G * A) : 0)) / N;
    *volume += A / N;
  }
  return u;
}

static double tapered_error(const taper_case *c, int n, double *volume_error) {
  char text[1400];
  run r;
  double tip[3], root[6], M[10], volume, u = tip_deflection(c, &volume);
  bool plane = strstr(c->type, "beam2d") != NULL;
  snprintf(text, sizeof text,
           "sinew: 1\n%sgravity: [-1e-6, 0, 0]\nmaterials: {m: {density: 1000, young: 1e9, poisson: 0.3}}\n"
           "sections: {%s}\nbodies: {c: {%s, from: [0, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: a, "
           "section_end: b%s}}\njoints: {clamp: {type: fixed, between: [ground, c.start]}}\n"
           "forces: {P: {type: force, at: c.end, force: [0, 0.01, 0]}}\n"
           "outputs: {tip: {point: c.end}, root: {reaction: clamp}, M: {resultant: c.at(0.3)}}\nanalysis: statics\n",
           plane ? "planar: true\n" : "", c->sections, c->type, n, c->profile);
  run_to_end(&r, text);
  read_output(&r, "tip", tip, 2);
  read_output(&r, "root", root, 2);
  read_output(&r, "M", M, plane ? 5 : 10);
  assert_below(fabs(M[plane ? 2 : 5] / 0.007 - 1), 1e-3, "%s: moment at 0.3 by statics", c->type);
  *volume_error = fabs(root[0] / (1e-3 * volume) - 1);
  close_run(&r);
  return fabs(tip[1] / (0.01 * u) - 1);
}

#define PLANKS "a: {type: rectangle, height: 0.1, width: 0.06}, b: {type: rectangle, height: 0.04, width: 0.03}"
#define CONES "a: {type: circle, radius: 0.05}, b: {type: circle, radius: 0.02}"

/* The section is taken at every quadrature point, so the taper costs nothing of the order: the square of the element
 * length, as for a uniform beam (fourth order for elastic-line, whose line is cubic; Izz falls to a 39th there; a
 * hundredth of the error for the default, down to what linear theory leaves out). The
 * mass is exact. The shear factor of a circle is that of Cowper. */
static void test_tapered(void **state) {
  (void)state;
  static const taper_case cases[] = {
      {"type: beam, elastic: selective", PLANKS, "", 0, 1e9, 5.0 / 6, 2e-3},
      {"type: beam, elastic: selective", PLANKS, ", taper: s^2", 0, 1e9, 5.0 / 6, 2e-3},
      {"type: beam, elastic: selective", CONES, "", 1, 1e9, 6 * 1.3 / (7 + 6 * 0.3), 2e-3},
      {"type: beam, elastic: elastic-line", PLANKS, "", 0, 1e9, 0, 1e-5},
      {"type: beam, elastic: elastic-line", CONES, ", taper: s^2", 1, 1e9, 0, 3e-5},
      {"type: beam", PLANKS, "", 0, 1e9, 5.0 / 6, 2e-4},
      {"type: beam", CONES, ", taper: s^2", 1, 1e9, 6 * 1.3 / (7 + 6 * 0.3), 2e-4},
      {"type: beam2d, elastic: continuum", PLANKS, "", 0, 1e9 / 0.91, 1, 2e-3},
      {"type: beam2d", PLANKS, "", 0, 1e9, 5.0 / 6, 2e-3},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double mass[3], error = tapered_error(&cases[k], 16, mass);
    double coarse = tapered_error(&cases[k], cases[k].k > 0 ? 32 : 8, mass + 1);
    double fine = tapered_error(&cases[k], cases[k].k > 0 ? 64 : 16, mass + 2);
    assert_below(error, cases[k].allowed, "case %zu: deflection", k);
    double ratio = strstr(cases[k].type, "line") ? 0.1 : cases[k].allowed < 1e-3 ? 0.3 : 0.26;
    assert_below(fine / coarse, ratio, "case %zu: order", k);
    assert_below(mass[1], 1e-6, "case %zu: weight", k);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cantilever),
      cmocka_unit_test(test_plane_and_hanging),
      cmocka_unit_test(test_large),
      cmocka_unit_test(test_balance),
      cmocka_unit_test(test_loads_along),
      cmocka_unit_test(test_inertia_along),
      cmocka_unit_test(test_simply_supported),
      cmocka_unit_test(test_strip),
      cmocka_unit_test(test_tapered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
