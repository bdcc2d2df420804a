/* test_fluid.c - loads of a fluid on lines and plates: drag, added mass, buoyancy, flows of place and time, against closed
 * forms and an independent integration. */
#include "analysis/modes.h"
#include "math/vec3.h"
#include "support.h"

#define HEAD(gravity, density)                                        \
  "sinew: 1\ngravity: " gravity "\nmaterials: {m: {density: " density \
  ", young: 1e8}}\n"                                                  \
  "sections: {s: {type: circle, radius: 0.01}}\n"
#define G "[0, 0, -9.81]"
static const double AREA = PI * 1e-4, D = 0.02, RHO = 1000, GRAVITY = 9.81;

static void energy_below(run *r, double limit) {
  double e[SN_ENERGIES];
  read_output(r, "energy", e, SN_ENERGIES);
  assert_below(fabs(e[SN_E_ERROR]), limit, "energy error");
}

/* Analytic: a level cable sinks, (m + m_a) v' = (m - rho A) g - rho d C v^2/2: v = v1 tanh(t/T), v1 the terminal
 * velocity, T = (m + m_a) v1/((m - rho A) g). */
static void sinks(void **state) {
  (void)state;
  run r;
  double y[6], m = 3000 * AREA, weight = (3000 - RHO) * AREA * GRAVITY, v1 = sqrt(2 * weight / (RHO * D * 1.1));
  double time = 0.3, T = (m + 0.8 * RHO * AREA) * v1 / weight;
  open_run(&r,
           HEAD(G, "3000")
           "bodies: {c: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: m, section: s}}\n"
           "forces: {w: {type: drag, on: c, density: 1000, diameter: 0.02, normal_coefficient: 1.1, buoyancy: true, "
           "added_mass_coefficient: 0.8}}\noutputs: {p: {point: c.at(0.3)}}\n"
           "analysis: {type: dynamics, duration: 0.3, integrator: {type: radau, tolerance: 1e-8}}\n",
           NULL);
  advance(&r, time);
  read_output(&r, "p", y, 6);
  assert_below(fabs(y[5] + v1 * tanh(time / T)), 1e-7 * v1, "speed");
  assert_true(time > T);
  energy_below(&r, 1e-6);
  close_run(&r);
}

/* Analytic: what is as heavy as the fluid goes with it, whatever the added mass (Morison's equation without drag). */
static void goes_with_the_flow(void **state) {
  (void)state;
  run r;
  double y[6];
  open_run(&r,
           HEAD(G, "1000")
           "bodies: {c: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 2, material: m, section: s}}\n"
           "forces: {w: {type: drag, on: c, density: 1000, diameter: 0.02, normal_coefficient: 0, buoyancy: true, "
           "added_mass_coefficient: 0.8, wind: [0, 2*sin(3*t), exp(t) - 1]}}\noutputs: {p: {point: c.at(0.3)}}\n"
           "analysis: {type: dynamics, duration: 1, integrator: {type: radau, tolerance: 1e-8}}\n",
           NULL);
  advance(&r, 1);
  read_output(&r, "p", y, 6);
  assert_below(fabs(y[4] - 2 * sin(3)) + fabs(y[5] - exp(1) + 1), 1e-6, "velocity");
  assert_below(fabs(y[1] - 2.0 / 3 * (1 - cos(3))) + fabs(y[2] - exp(1) + 2), 1e-6, "place");
  energy_below(&r, 1e-6);
  close_run(&r);
}

/* Analytic: frequencies across a rod fall by sqrt(1 + m_a/m), those of a plate too. */
static void frequencies_fall(void **state) {
  (void)state;
  static const struct {
    const char *body, *fluid;
    double ratio; /* m_a/m */
  } cases[] = {
      {"{type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: m, section: s}",
       "density: 1000, diameter: 0.02, added_mass_coefficient: 0.7", 0.7 * 1000.0 / 3000},
      {"{type: plate, along: [1, 0, 0], across: [0, 0.4, 0], elements: [3, 2], thickness: 0.005, material: m}",
       "density: 1000, diameter: 0.4, added_mass_coefficient: 0.7", 0.7 * PI / 4 * 0.4 * 1000 / (3000 * 0.005)},
  };
  for (int k = 0; k < 2; k++) {
    double w2[2];
    for (int wet = 0; wet < 2; wet++) {
      char text[1024];
      run r;
      snprintf(text, sizeof text,
               HEAD("[0, 0, 0]", "3000") "bodies: {c: %s}\njoints: {j: {type: fixed, between: [ground, %s]}}\n"
                                         "%s%s%s\nanalysis: {type: modes, count: 1}\n",
               cases[k].body, k ? "c.west" : "c.start", wet ? "forces: {w: {type: drag, on: c, " : "",
               wet ? cases[k].fluid : "", wet ? "}}" : "");
      open_run(&r, text, NULL);
      if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
      w2[wet] = r.simulation->modes->w2[0];
      close_run(&r);
    }
    assert_below(fabs(w2[0] / w2[1] / (1 + cases[k].ratio) - 1), 1e-6, "frequencies of case %d", k);
  }
}

/* Analytic: a cable of half the density floats with its middle at the surface and heaves with
 * w^2 = rho g d/(m + m_a/2), for small amplitudes. */
static void floats(void **state) {
  (void)state;
  run r;
  double y[6], w = sqrt(RHO * GRAVITY * D / (500 * AREA + 0.5 * 0.8 * RHO * AREA)), a = 1e-5;
  open_run(&r,
           HEAD(G, "500")
           "bodies: {c: {type: cable, from: [0, 0, 0.20001], to: [1, 0, 0.20001], elements: 2, material: m, section: s}}\n"
           "forces: {w: {type: drag, on: c, density: 1000, diameter: 0.02, normal_coefficient: 0, buoyancy: true, "
           "added_mass_coefficient: 0.8, level: 0.2}}\noutputs: {p: {point: c.at(0.3)}}\n"
           "analysis: {type: dynamics, duration: 0.5, integrator: {type: hht-i3, alpha: 0, step: 1e-3}}\n",
           NULL);
  for (int k = 1; k <= 5; k++) {
    advance(&r, 0.1 * k);
    read_output(&r, "p", y, 6);
    assert_below(fabs(y[2] - 0.2 - a * cos(w * 0.1 * k)), 2e-3 * a, "height at %g s", 0.1 * k);
  }
  energy_below(&r, 1e-9);
  close_run(&r);
}

/* Analytic: the rest is at the depth where the wet part of the circle has the ratio of the densities; a plate likewise. */
static void settles(void **state) {
  (void)state;
  double low = -1, high = 1, y[3];
  for (int k = 0; k < 60; k++) {
    double s = (low + high) / 2;
    if (0.5 + (s * sqrt(1 - s * s) + asin(s)) / PI < 0.8)
      low = s;
    else
      high = s;
  }
  run r;
  open_run(&r,
           HEAD(G, "800")
           "bodies: {c: {type: cable, from: [0, 0, 0.05], to: [1, 0, 0.05], elements: 2, material: m, section: s}}\n"
           "forces: {w: {type: drag, on: c, density: 1000, diameter: 0.02, normal: 20, buoyancy: true, level: 0.05}}\n"
           "outputs: {p: {point: c.at(0.3)}}\n"
           "analysis: {type: dynamics, duration: 20, integrator: {type: radau, tolerance: 1e-7}}\n",
           NULL);
  advance(&r, 20);
  read_output(&r, "p", y, 3);
  assert_below(fabs(0.05 - y[2] - 0.01 * low), 1e-7, "depth");
  close_run(&r);
}

/* ---- towed cables ---- */

/* Force of the flow u along x on a line with unit tangent e, and weight, per length. */
static void load_per_length(const double e[3], double u, double weight, double cn, double ct, double f[3]) {
  double along = u * e[0], across[3] = {u, 0, 0}, n;
  sn_axpy(across, -along, e);
  n = sn_norm(across);
  for (int k = 0; k < 3; k++) f[k] = RHO * D / 2 * (cn * n * across[k] + ct * fabs(along) * along * e[k]);
  f[2] -= weight;
}

/* Analytic (critical angle of a towed cable): a heavy cable behind a tug is straight, at the angle to the flow with
 * w cos = rho d Cn U^2/2 sin^2; its tension at the tug is L (w sin + rho d Ct U^2/2 cos^2). */
static void critical_angle(void **state) {
  (void)state;
  char text[1024];
  run r;
  double U = 1, w = 2000 * AREA * GRAVITY, k = RHO * D / 2 * 1.2 * U * U / w, c = (sqrt(1 + 4 * k * k) - 1) / (2 * k);
  double s = sqrt(1 - c * c), y[6], N[16];
  snprintf(text, sizeof text,
           HEAD(G, "3000") "bodies: {c: {type: cable, from: [0, 0, 0], to: [%.17g, 0, %.17g], elements: 8, material: m, "
                           "section: s}}\njoints: {tug: {type: spherical, between: [ground, c.start]}}\n"
                           "forces: {w: {type: drag, on: c, density: 1000, diameter: 0.02, normal_coefficient: 1.2, "
                           "tangential_coefficient: 0.3, buoyancy: true, wind: [1, 0, 0]}}\n"
                           "outputs: {end: {point: c.end}, top: {resultant: c.at(0)}}\n"
                           "analysis: {type: statics, steps: 4}\n",
           10 * cos(0.3), -10 * sin(0.3));
  open_run(&r, text, NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  read_output(&r, "end", y, 3);
  read_output(&r, "top", N, 1);
  double strain = 10 * (w * s + RHO * D / 2 * 0.3 * c * c) / 2 / (1e8 * AREA);
  assert_below(hypot(y[0] - 10 * (1 + strain) * c, y[2] + 10 * (1 + strain) * s), 1e-4, "end");
  assert_below(fabs(N[0] / (10 * (w * s + RHO * D / 2 * 0.3 * c * c)) - 1), 2e-3, "tension");
  close_run(&r);
}

/* Independent: a flow that grows with the height z; the line of a thin cable with a weight at its end by a fine integration
 * upward from there, dF/ds = load, dr/ds = F/|F|. */
static void sheared_flow(void **state) {
  (void)state;
  enum { STEPS = 4000 };
  char text[1200];
  run r;
  double F[3] = {0, 0, 30}, x[3] = {0, 0, 0}, h = 10.0 / STEPS, w = 2000 * AREA * GRAVITY, y[3];
  for (int k = 0; k < STEPS; k++) { /* midpoint rule */
    double e[3], f[3], Fm[3], xm[3];
    sn_copy(Fm, F), sn_copy(xm, x);
    for (int half = 0; half < 2; half++) {
      sn_copy(e, Fm);
      sn_normalize(e);
      load_per_length(e, 0.2 * xm[2], w, 1.2, 0, f);
      double step = half ? h : h / 2, stretch = 1 + sn_norm(Fm) / (1e8 * AREA);
      for (int j = 0; j < 3; j++) Fm[j] = F[j] - step * f[j], xm[j] = x[j] + step * stretch * e[j];
    }
    sn_copy(F, Fm), sn_copy(x, xm);
  }
  snprintf(text, sizeof text,
           HEAD(G, "3000") "bodies: {c: {type: cable, from: [%.17g, 0, %.17g], to: [%.17g, 0, %.17g], elements: 16, "
                           "material: m, section: s}}\njoints: {tug: {type: spherical, between: [ground, c.start]}}\n"
                           "forces: {w: {type: drag, on: c, density: 1000, diameter: 0.02, normal_coefficient: 1.2, "
                           "buoyancy: true, wind: [0.2*z, 0, 0]}, end: {type: force, at: c.end, force: [0, 0, -30]}}\n"
                           "outputs: {end: {point: c.end}}\nanalysis: {type: statics, steps: 10}\n",
           x[0], x[2], x[0], x[2] - 10);
  open_run(&r, text, NULL);
  if (sn_run(r.simulation)) fail_msg("%s", sn_message(r.context));
  read_output(&r, "end", y, 3);
  assert_true(fabs(x[0]) > 1);
  assert_below(sn_norm(y), 5e-3, "end of the cable, 10 m long"); /* bending stiffness: curvature EI/T = 3 mm */
  close_run(&r);
}

/* Outputs at a load factor are those of its equations: without loads there is neither flow nor weight, and buoyancy of
 * the whole rope, rho g A l, is there at the end. */
static void forces_have_the_load_factor(void **state) {
  (void)state;
  run r;
  sn_row row;
  open_run(
      &r,
      "sinew: 1\ngravity: [0, 0, -9.81]\nmaterials: {m: {density: 7800, young: 1e9}}\nsections: {s: {type: circle, "
      "radius: 0.005}}\nbodies: {line: {type: cable, from: [0, 0, 0], to: [0, 0, -1], elements: 2, material: m, "
      "section: s}}\njoints: {top: {type: fixed, between: [ground, line.start]}}\nforces: {water: {type: drag, on: "
      "line, density: 1000, diameter: 0.01, normal_coefficient: 1.2, wind: [0.1, 0, 0], buoyancy: true}, pull: "
      "{type: force, at: line.end, force: [0, 0, -5]}}\noutputs: {water: {force: water}, pull: {force: "
      "pull}}\nanalysis: {type: statics}\n",
      NULL);
  sn_row_create(r.simulation, &row);
  sn_sample(r.simulation, 0, &row);
  for (int k = 0; k < 12; k++) assert_below(fabs(row.values[k]), 0, "column %d without loads", k);
  while (!r.simulation->finished) assert_int_equal(sn_step(r.simulation), SN_OK);
  sn_sample(r.simulation, 0, &row);
  assert_below(fabs(row.values[6 + 2] + 5), 1e-12, "force");
  assert_below(fabs(row.values[2] / (1000 * 9.81 * PI * 25e-6) - 1), 0.05, "buoyancy");
  assert_true(row.values[0] > 0);
  close_run(&r);
}

/* A wind narrower than an element, f = c u: the clamps carry all of it, c w sqrt(pi), however few elements there are. */
static void narrow_wind(void **state) {
  (void)state;
  static const double width[] = {0.2, 0.05, 0.02};
  for (size_t k = 0; k < SN_COUNT(width); k++)
    for (int n = 1; n <= 4; n++) {
      char text[1000];
      double a[3], b[3];
      run r;
      snprintf(text, sizeof text,
               "sinew: 1\nplanar: true\nmaterials: {m: {density: 7800, young: 2.1e11}}\n"
               "sections: {s: {type: rectangle, width: 0.01, height: 0.01}}\n"
               "bodies: {c: {type: cable, from: [-1, 0, 0], to: [1, 0, 0], elements: %d, material: m, section: s}}\n"
               "joints: {a: {type: fixed, between: [ground, c.start]}, b: {type: fixed, between: [ground, c.end]}}\n"
               "forces: {d: {type: drag, on: c, normal: 2, wind: [0, \"exp(-((x + 0.1)/%g)^2)\", 0]}}\n"
               "outputs: {a: {reaction: a}, b: {reaction: b}}\nanalysis: statics\n",
               n, width[k]);
      open_run(&r, text, NULL);
      assert_int_equal(sn_run(r.simulation), SN_OK);
      read_output(&r, "a", a, 3);
      read_output(&r, "b", b, 3);
      const double all = 2 * width[k] * sqrt(PI);
      assert_below(fabs(fabs(a[1] + b[1]) / all - 1), 1e-2, "width %g, %d elements", width[k], n);
      close_run(&r);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_have_the_load_factor),
      cmocka_unit_test(sinks),
      cmocka_unit_test(narrow_wind),
      cmocka_unit_test(goes_with_the_flow),
      cmocka_unit_test(frequencies_fall),
      cmocka_unit_test(floats),
      cmocka_unit_test(settles),
      cmocka_unit_test(critical_angle),
      cmocka_unit_test(sheared_flow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
