/* test_stress.c - surface stress of cantilevers and plates against stresses computed by hand, and signed resultants of
 * cables. Loads are small: the theory is linear.
 */
#include "analysis/parts.h"
#include "output/fiber.h"
#include "output/outputs.h"
#include "support.h"

enum { SIGMA, TAU, MISES, P1, P2, P3, Y, Z }; /* columns of lines */

/* sigma and tau, and what follows from them */
static void check_line(run *r, const char *name, double sigma, double tau, double limit) {
  double y[8];
  read_output(r, name, y, 8);
  assert_below(fabs(y[SIGMA] - sigma), limit, "%s: sigma %g", name, y[SIGMA]);
  assert_below(fabs(y[TAU] - tau), limit, "%s: tau %g", name, y[TAU]);
  assert_below(fabs(y[MISES] - sqrt(sigma * sigma + 3 * tau * tau)), 2 * limit, "%s: von Mises", name);
  assert_below(fabs(y[P1] + y[P3] - sigma), 2 * limit, "%s: sum of principal stresses", name);
  assert_below(fabs(-y[P1] * y[P3] - tau * tau), 1e-9 + 4 * limit * (fabs(sigma) + fabs(tau)), "%s: their product",
               name);
  assert_true(y[P1] >= y[P2] && y[P2] == 0 && y[P2] >= y[P3]);
}

#define FIBERS(at, extra)                                                                                  \
  "t: {stress: " at ", fiber: top" extra "}, b: {stress: " at ", fiber: bottom" extra "}, l: {stress: " at \
  ", fiber: left" extra "}, r: {stress: " at ", fiber: right" extra "}, m: {stress: " at extra "}"

static const char cantilever[] =
    "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e9, poisson: 0.3}}\n"
    "sections: {s: {%s}}\n"
    "bodies: {b: {type: %s, from: [0, 0, 0], to: [1, 0, 0], elements: 8, material: m, section: s}}\n"
    "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
    "forces: {P: {type: force, at: b.end, force: [3, 0.2, -0.3]}, T: {type: moment, at: b.end, moment: [0.05, 0, 0]}}\n"
    "outputs: {" FIBERS("b.at(0.25)", "") "}\nanalysis: statics\n";

/* N = 3, Qy = 0.2, Qz = -0.3, T = 0.05, My = 0.3 (1 - x), Mz = 0.2 (1 - x) at x = 1/4 */
enum { KINDS = 3 };
static const char *const kinds[KINDS] = {"beam", "beam, elastic: elastic-line", "floating"};

/* Rectangle 0.12 x 0.08 (width, height): sigma = N/A -+ 6 Mz/(w h^2), +- 6 My/(h w^2). Torsion, w/h = 1.5 (Timoshenko,
 * Theory of Elasticity, table in art. 109): tau = T/(0.231 w h^2) in the middle of the long sides (top, bottom), 0.8594 of
 * it on the short ones (Roark); shear 1.5 Q/A. */
static void rectangle(void **state) {
  (void)state;
  for (int k = 0; k < KINDS; k++) {
    char text[1600];
    run r;
    double w = 0.12, h = 0.08, A = w * h, n = 3 / A, My = 0.225, Mz = 0.15, y[8];
    double bz = 6 * Mz / (w * h * h), by = 6 * My / (h * w * w), T = 0.05 / (0.231 * w * h * h), limit = 0.002 * T;
    snprintf(text, sizeof text, cantilever, "type: rectangle, width: 0.12, height: 0.08", kinds[k]);
    run_to_end(&r, text);
    check_line(&r, "t", n - bz, T - 0.45 / A, limit);
    check_line(&r, "b", n + bz, T + 0.45 / A, limit);
    check_line(&r, "r", n + by, 0.8594 * T - 0.3 / A, limit);
    check_line(&r, "l", n - by, 0.8594 * T + 0.3 / A, limit);
    read_output(&r, "m", y, 8); /* the corner at the bottom right, where there is no shear */
    assert_below(fabs(y[MISES] / (n + by + bz) - 1), 1e-3, "%s: corner", kinds[k]);
    assert_below(fabs(y[Y] + h / 2) + fabs(y[Z] - w / 2), 1e-12, "%s: which corner", kinds[k]);
    close_run(&r);
  }
}

/* Circle, R = 0.05: sigma = N/A -+ 4 M/(pi R^3), tau = 2 T/(pi R^3) and 4/3 Q/A at the neutral axis. The largest one is
 * near the end of the diameter along the plane of bending: found to the square of half a step of 5 degrees. Tube, r = 0.04:
 * I and J less those of the hole, shear Q S/(I 2 t) with S = 2/3 (R^3 - r^3), t = R - r. */
static void round_sections(void **state) {
  (void)state;
  for (int k = 0; k < 2 * KINDS; k++) {
    char text[1600];
    run r;
    double R = 0.05, in = k < KINDS ? 0 : 0.04, A = PI * (R * R - in * in), I = PI / 4 * (pow(R, 4) - pow(in, 4));
    double n = 3 / A, bz = 0.15 * R / I, by = 0.225 * R / I, T = 0.05 * R / (2 * I);
    double Q = 2.0 / 3 * (pow(R, 3) - pow(in, 3)) / (I * 2 * (R - in)), y[8];
    snprintf(text, sizeof text, cantilever,
             in > 0 ? "type: tube, radius: 0.05, inner: 0.04" : "type: circle, radius: 0.05", kinds[k % KINDS]);
    run_to_end(&r, text);
    if (in == 0) assert_below(fabs(Q * A * 0.75 - 1), 1e-12, "4/3");
    check_line(&r, "t", n - bz, T - 0.3 * Q, 1e-3 * bz);
    check_line(&r, "b", n + bz, T + 0.3 * Q, 1e-3 * bz);
    check_line(&r, "r", n + by, T - 0.2 * Q, 1e-3 * bz);
    check_line(&r, "l", n - by, T + 0.2 * Q, 1e-3 * bz);
    read_output(&r, "m", y, 8);
    double most = 0; /* over a fine circle */
    for (int i = 0; i < 3600; i++) {
      double p = 2 * PI * i / 3600, s = n - bz * cos(p) + by * sin(p), t = T - Q * (0.3 * cos(p) + 0.2 * sin(p));
      most = fmax(most, sqrt(s * s + 3 * t * t));
    }
    assert_below(fabs(y[MISES] / most - 1), 3e-3, "%s: largest %g of %g", kinds[k % KINDS], y[MISES], most);
    close_run(&r);
  }
}

/* Torsion of rectangles from square to strip: the coefficients k1 of tau = k1 ... of Timoshenko's table, tau = T/(k b h^2)
 * in the middle of the long side, h the shorter one. */
static void torsion_of_rectangles(void **state) {
  (void)state;
  static const double table[][2] = {{1, 0.208}, {1.2, 0.219}, {1.5, 0.231}, {2, 0.246},  {2.5, 0.258},
                                    {3, 0.267}, {4, 0.282},   {5, 0.291},   {10, 0.312}, {1000, 0.333}};
  for (size_t i = 0; i < SN_COUNT(table); i++)
    for (int turned = 0; turned < 2; turned++) {
      double b = table[i][0], tau = 1 / (table[i][1] * b);
      sn_geometry g = {.section = SN_OUTLINE_RECTANGLE, .size = {turned ? b : 1, turned ? 1 : b}};
      sn_fiber f;
      assert_int_equal(sn_section_fibers(&g, turned ? SN_FIBER_RIGHT : SN_FIBER_TOP, &f), 1);
      assert_below(fabs(f.t[3] / tau - 1), 3e-3, "sides %g to 1: %g", b, 1 / (f.t[3] * b));
    }
}

/* A cable in space bent in a plane that has no axis: magnitudes without a direction, signs with one. Cantilever lifted
 * along d = (0, 0.6, 0.8) at its end, N = 2, Q = 0.1 along d, M = 0.1 (1 - x) about x cross d = (0, -0.8, 0.6). */
static void cables(void **state) {
  (void)state;
  run r;
  double y[5], A = PI * 0.01 * 0.01, I = PI / 4 * 1e-8, b, x = 0.5;
  run_to_end(
      &r,
      "sinew: 1\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e11, poisson: 0.3}}\n"
      "sections: {s: {type: circle, radius: 0.01}}\n"
      "bodies: {b: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 8, material: m, section: s}}\n"
      "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
      "forces: {P: {type: force, at: b.end, force: [2, 0.06, 0.08]}}\n"
      "outputs: {size: {resultant: b.at(0.5)}, plus: {resultant: b.at(0.5), about: [0, -8, 6]}, minus: {resultant: "
      "b.at(0.5), about: [0, 0.8, -0.6]}, none: {resultant: b.at(0.5), about: [0, 3, 4]}, z: {resultant: "
      "b.at(0.5), about: [0, 0, 1]}, t: {stress: b.at(0.5), fiber: top, about: [0, -8, 6]}, b: {stress: b.at(0.5), "
      "fiber: bottom, about: [0, -8, 6]}, m: {stress: b.at(0.5)}}\nanalysis: statics\n");
  b = 0.1 * (1 - x);
  read_output(&r, "size", y, 5);
  assert_below(distance(y, (double[3]){2, 0.1, b}, 3), 1e-4, "magnitudes");
  read_output(&r, "plus", y, 5);
  assert_below(distance(y, (double[3]){2, 0.1, b}, 3), 1e-4, "about the axis of bending");
  assert_true(y[4] > 0);
  read_output(&r, "minus", y, 5);
  assert_below(distance(y, (double[3]){2, -0.1, -b}, 3), 1e-4, "about the opposite axis");
  assert_true(y[4] < 0);
  read_output(&r, "none", y, 5);
  assert_below(distance(y, (double[3]){2, 0, 0}, 3), 1e-4, "about the load");
  read_output(&r, "z", y, 5);
  assert_below(distance(y, (double[3]){2, 0.06, 0.6 * b}, 3), 1e-4, "components");
  double s = b * 0.01 / I, n = 2 / A;
  check_line(&r, "t", n - s, 0, 2e-3 * s);
  check_line(&r, "b", n + s, 0, 2e-3 * s);
  read_output(&r, "m", (double[8]){0}, 8);
  close_run(&r);
}

/* A planar cable has signs of its own. */
static void planar_cable(void **state) {
  (void)state;
  run r;
  double w = 0.02, h = 0.01, A = w * h;
  run_to_end(
      &r,
      "sinew: 1\nplanar: true\ngravity: [0, 0, 0]\nmaterials: {m: {density: 1000, young: 1e11, poisson: 0.3}}\n"
      "sections: {s: {type: rectangle, width: 0.02, height: 0.01}}\n"
      "bodies: {b: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 8, material: m, section: s}}\n"
      "joints: {clamp: {type: fixed, between: [ground, b.start]}}\n"
      "forces: {P: {type: force, at: b.end, force: [0.2, 0.1, 0]}}\n"
      "outputs: {t: {stress: b.at(0.5), fiber: top}, b: {stress: b.at(0.5), fiber: bottom}, r: {stress: b.at(0.5), "
      "fiber: right}}\nanalysis: statics\n");
  double s = 6 * 0.05 / (w * h * h);
  check_line(&r, "t", 0.2 / A - s, 0, 2e-3 * s);
  check_line(&r, "b", 0.2 / A + s, 0, 2e-3 * s);
  check_line(&r, "r", 0.2 / A, -1.5 * 0.1 / A, 2e-3 * s);
  close_run(&r);
}

/* Pure bending to a cylinder of radius R about y, stretched by e along x: sigma_xx = E/(1 - nu^2) (e -+ h/(2R)) on top and
 * below, sigma_yy = nu sigma_xx. The nodes are put on the cylinder; it bends toward +z, so the top is pressed. */
static void plate(void **state) {
  (void)state;
  fixture f;
  double E = 1e9, nu = 0.3, h = 0.02, R = 5, e = 1e-3, stretch = sqrt(1 + 2 * e), y[SN_OUTPUT_COLUMNS];
  open_fixture(&f,
               "sinew: 1\nmaterials: {m: {density: 1000, young: 1e9, poisson: 0.3}}\n"
               "bodies: {p: {type: plate, along: [1, 0, 0], across: [0, 1, 0], elements: [8, 4], thickness: 0.02, "
               "material: m}}\n"
               "outputs: {t: {stress: 'p.at(0.3, 0.6)', fiber: top}, b: {stress: p.center, fiber: bottom}, m: {stress: "
               "p.ne}}\n",
               NULL);
  for (int i = 0; i < 9 * 5; i++) {
    double *q = f.state.q + 9 * i, x = q[0], p = x / R, c = cos(p), s = sin(p);
    double node[9] = {stretch * R * s, q[1], stretch * R * (1 - c), stretch * c, 0, stretch * s, 0, 1, 0};
    memcpy(q, node, sizeof node);
  }
  /* r_xx.n = stretch/R */
  for (int k = 0; k < 3; k++) {
    double side = k == 0 ? 1 : -1, sxx = E / (1 - nu * nu) * (e - side * h / 2 * stretch / R);
    sn_eval ev = {.q = f.state.q, .v = f.state.v, .a = f.state.a, .load = 1};
    sn_output_fill(f.model, &f.model->output[k], &ev, NULL, NULL, y);
    double mises = fabs(sxx) * sqrt(1 - nu + nu * nu), limit = 2e-3 * fabs(sxx);
    assert_below(fabs(y[0] - sxx), limit, "sigma_xx, %s: %g", f.model->output[k].name, y[0]);
    assert_below(fabs(y[1] - nu * sxx), limit, "sigma_yy");
    assert_below(fabs(y[2]), limit, "sigma_xy");
    assert_below(fabs(y[3] - mises), limit, "von Mises");
    double order[3] = {fmax(sxx, 0), nu * sxx, fmin(sxx, 0)};
    assert_below(distance(y + 4, order, 3), limit, "principal stresses");
    assert_below(fabs(y[7] - side * h / 2), 1e-15, "side");
  }
  close_fixture(&f);
}

/* Of a stress only the number of von Mises is compared between two runs: where two fibers have the same, rounding decides
 * between them, and components and principal stresses jump. */
static void compared(void **state) {
  (void)state;
  fixture f;
  open_fixture(
      &f,
      "sinew: 1\nmaterials: {m: {density: 1000, young: 1e9}}\nsections: {s: {type: circle, radius: 0.01}}\n"
      "bodies: {p: {type: plate, along: [1, 0, 0], across: [0, 1, 0], thickness: 0.02, material: m}, b: {type: "
      "beam, from: [0, 0, 1], to: [1, 0, 1], material: m, section: s}}\n"
      "outputs: {p: {stress: p.center}, b: {stress: b.end}}\n",
      NULL);
  for (int k = 0; k < 2; k++) {
    const sn_output *o = &f.model->output[k];
    sn_part part[SN_OUTPUT_COLUMNS];
    assert_int_equal(sn_output_parts(o, part), 1);
    assert_int_equal(part[0].count, 1);
    assert_string_equal(o->column[part[0].first], "von_mises");
  }
  close_fixture(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compared),

      cmocka_unit_test(rectangle), cmocka_unit_test(round_sections), cmocka_unit_test(torsion_of_rectangles),
      cmocka_unit_test(cables),    cmocka_unit_test(planar_cable),   cmocka_unit_test(plate)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
