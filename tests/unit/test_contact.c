/* test_contact.c - penalty contact: tangents against differences, and closed forms of Hertz and Coulomb. */
#include "contact/penalty.h"
#include "math/vec3.h"
#include "support.h"

/* ---- tangents of rigid bodies ---- */

#define HEAD                                         \
  "sinew: 1\n"                                       \
  "materials: {soft: {density: 1200, young: 4e4}}\n" \
  "sections: {round: {type: circle, radius: 0.05}}\n"
#define BALL(name, x, y, z)                                    \
  name ": {type: rigid, position: [" #x ", " #y ", " #z        \
       "], rotation: {axis: [1, 2, 3], angle: 0.7}, mass: 1, " \
       "inertia: [0.2, 0.3, 0.4]}"
#define CABLE "line: {type: cable, from: [0, 0, 0], to: [0.8, 0.2, 0.1], elements: 2, material: soft, section: round}"
#define SHEET(name, x, y, z)                      \
  name ": {type: plate, at: [" #x ", " #y ", " #z \
       "], along: [0.4, 0, 0.05], across: [0, 0.3, 0], elements: [2, 2], thickness: 0.02, material: soft}"
#define LAW(rest) "contacts: {all: {friction: 0.4, slip: 0.5, damping: 0.3, stiffness: 100" rest "}}\n"

static const struct {
  const char *name, *text;
} tangent_cases[] = {
    {"ball and ball", "bodies: {" BALL("a", 0, 0, 0) ", " BALL(
                          "b", 0.1, 0.3, 0.05) "}\n"
                                               "surfaces: {a: {type: sphere, on: a, radius: 0.3, at: [0.1, 0.05, 0]}, "
                                               "b: {type: sphere, on: b, radius: 0.2}}\n" LAW("")},
    {"ball and ball, another exponent",
     "bodies: {" BALL("a", 0, 0, 0) ", " BALL(
         "b", 0.1, 0.3, 0.05) "}\n"
                              "surfaces: {a: {type: sphere, on: a, radius: 0.3, at: [0.1, 0.05, 0]}, "
                              "b: {type: sphere, on: b, radius: 0.2}}\n" LAW(", exponent: 2.2")},
    {"ball on a plane",
     "bodies: {" BALL(
         "a", 0, 0.2,
         0) "}\n"
            "surfaces: {a: {type: sphere, on: a, radius: 0.3}, p: {type: plane, normal: [0.2, 1, 0.1]}}\n" LAW("")},
    {"ball and plane of a body",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.3, 0.05) "}\n"
                               "surfaces: {a: {type: sphere, on: a, radius: 0.3}, p: {type: plane, on: b, at: [0.1, "
                               "0.2, 0], normal: [0.2, 1, 0.1]}}\n" LAW("")},
    {"ball and capsule",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.1, 0.05) "}\n"
                               "surfaces: {a: {type: sphere, on: a, radius: 0.3}, p: {type: capsule, on: b, from: "
                               "[-0.5, 0, 0.1], to: [0.4, 0, 0], radius: 0.1}}\n" LAW("")},
    {"ball and end of a capsule",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.1, 0.05) "}\n"
                               "surfaces: {a: {type: sphere, on: a, radius: 0.3}, p: {type: capsule, on: b, from: "
                               "[-0.5, 0.1, 0.1], to: [-0.4, 0, 0], radius: 0.3}}\n" LAW("")},
    {"ball and cylinder",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.1, 0.05) "}\n"
                               "surfaces: {a: {type: sphere, on: a, radius: 0.3}, p: {type: cylinder, on: b, from: "
                               "[-0.5, 0, 0.1], to: [0.4, 0, 0], radius: 0.1}}\n" LAW("")},
    {"ball and rim of a cylinder",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.1, 0.05) "}\n"
                               "surfaces: {a: {type: sphere, on: a, radius: 0.3}, p: {type: cylinder, on: b, from: "
                               "[0.12, 0, 0.1], to: [0.4, 0.1, 0], radius: 0.1}}\n" LAW("")},
    {"ball and face of a box",
     "bodies: {" BALL("a", 0, 0.3, 0) ", " BALL(
         "b", 0.1, -0.1,
         0.05) "}\n"
               "surfaces: {a: {type: sphere, on: a, radius: 0.3}, p: {type: box, on: b, size: [1, 0.5, 1]}}\n" LAW("")},
    {"ball and edge of a box",
     "bodies: {" BALL("a", 0, 0.3, 0) ", " BALL(
         "b", 0.1, -0.1,
         0.05) "}\n"
               "surfaces: {a: {type: sphere, on: a, radius: 0.3}, p: {type: box, on: b, size: [0.2, 0.5, 2]}}\n" LAW(
                   "")},
    {"corner of a box on a plane",
     "bodies: {" BALL(
         "a", 0, 0.3,
         0) "}\n"
            "surfaces: {a: {type: box, on: a, size: [0.7, 0.8, 0.9]}, p: {type: plane, normal: [0.2, 1, 0.1]}}\n" LAW(
                "")},
    {"cable and capsule of a body",
     "bodies: {" CABLE ", " BALL(
         "b", 0.3, -0.1, 0.05) "}\n"
                               "surfaces: {a: {type: spheres, on: line, count: 5, radius: 0.1}, p: {type: capsule, on: "
                               "b, from: [-0.5, 0, 0.1], to: [0.4, 0, 0], radius: 0.1}}\n" LAW(", points: all")},
    {"crossing cylinders",
     "bodies: {" BALL("a", 0, 0.17, 0) ", " BALL(
         "b", 0.02, 0,
         0.05) "}\n"
               "surfaces: {a: {type: cylinder, from: [-0.4, 0, 0], to: [0.5, 0, 0.1], radius: 0.1, on: a}, p: {type: "
               "cylinder, from: [0, 0.1, -0.4], to: [0.05, -0.1, 0.5], radius: 0.1, on: b}}\n" LAW("")},
    {"cylinder and capsule",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.02, 0,
         0.05) "}\n"
               "surfaces: {a: {type: cylinder, from: [-0.4, 0, 0], to: [0.5, 0, 0.1], radius: 0.1, on: a}, p: {type: "
               "capsule, from: [0, 0.1, -0.4], to: [0.05, -0.1, 0.5], radius: 0.15, on: b}}\n" LAW("")},
    {"rim on the face of a box",
     "bodies: {" BALL("a", 0, 0.25, 0) ", " BALL(
         "b", 0.05, -0.1, 0.05) "}\n"
                                "surfaces: {a: {type: cylinder, from: [-0.3, 0, 0], to: [0.3, 0.1, 0.1], radius: 0.12, "
                                "on: a}, p: {type: box, size: [1, 0.4, 1], on: b}}\n" LAW("")},
    {"rim of a cylinder and side of another",
     "bodies: {" BALL("a", 0, 0.3, 0) ", " BALL(
         "b", 0.05, -0.1,
         0.05) "}\n"
               "surfaces: {a: {type: cylinder, from: [-0.3, -0.1, 0], to: [0.2, 0.3, 0.1], radius: 0.12, on: a}, p: "
               "{type: cylinder, from: [-0.5, 0, 0], to: [0.5, 0, 0], radius: 0.2, on: b}}\n" LAW("")},
    {"cylinder and edge of a box",
     "bodies: {" BALL("a", 0, 0.37, 0) ", " BALL(
         "b", 0.05, -0.1,
         0.05) "}\n"
               "surfaces: {a: {type: cylinder, from: [-0.3, 0, 0], to: [0.3, 0.1, 0.1], radius: 0.12, on: a}, p: "
               "{type: box, size: [0.3, 0.5, 0.4], rotation: {axis: [0, 0, 1], angle: 0.7}, on: b}}\n" LAW("")},
    {"corner of a box and a cylinder",
     "bodies: {" BALL("a", 0, 0.38, 0) ", " BALL(
         "b", 0.05, -0.1,
         0.05) "}\n"
               "surfaces: {a: {type: box, size: [0.3, 0.3, 0.3], rotation: {axis: [1, 0, 1], angle: 0.8}, on: a}, p: "
               "{type: cylinder, from: [-0.5, 0, 0], to: [0.5, 0, 0], radius: 0.2, on: b}}\n" LAW("")},
    {"rim of a cylinder on a plane",
     "bodies: {" BALL("a", 0, 0.18, 0) "}\n"
                                       "surfaces: {a: {type: cylinder, on: a, from: [-0.3, 0.1, 0], to: [0.3, 0, 0], "
                                       "radius: 0.12}, p: {type: plane, normal: [0.2, 1, 0.1]}}\n" LAW("")},
    {"plate and plate, exact",
     "bodies: {" SHEET("one", 0, 0, 0) ", " SHEET(
         "two", 0.11, 0.07, 0.07) "}\n"
                                  "surfaces: {a: {type: grid, on: one, count: [3, 4], radius: 0.05}, b: {type: grid, "
                                  "on: two, count: [4, 3], radius: 0.05}}\n" LAW(", exact: true, points: all")},
    {"cable over a plate, exact",
     "bodies: {" SHEET(
         "one", 0, 0,
         0) ", line: {type: cable, from: [-0.13, 0.1, 0.08], to: [0.51, 0.2, 0.06], elements: 2, material: "
            "soft, section: round}}\n"
            "surfaces: {a: {type: grid, on: one, count: [3, 4], radius: 0.05}, b: {type: spheres, on: "
            "line, count: 7, radius: 0.05}}\n" LAW(", exact: true, points: all")},
    {"ball on a plate, exact",
     "bodies: {" SHEET("one", 0, 0, 0) ", " BALL(
         "b", 0.21, 0.13,
         0.22) "}\n"
               "surfaces: {a: {type: grid, on: one, radius: 0.05}, b: {type: sphere, on: b, radius: 0.2}}\n" LAW(
                   ", exact: true")},
    {"ball and ellipsoid",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.1, 0.05) "}\n"
                               "surfaces: {a: {type: sphere, on: a, radius: 0.15}, p: {type: ellipsoid, on: b, radii: "
                               "[0.3, 0.2, 0.15], at: [0.05, 0, 0]}}\n" LAW("")},
    {"ellipsoid on a plane",
     "bodies: {" BALL("a", 0, 0.1, 0) "}\n"
                                      "surfaces: {a: {type: ellipsoid, on: a, radii: [0.3, 0.2, 0.15], at: [0.05, 0, "
                                      "0]}, p: {type: plane, normal: [0.2, 1, 0.1]}}\n" LAW("")},
    {"ellipsoid and plane of a body",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.1, 0.05) "}\n"
                               "surfaces: {a: {type: ellipsoid, on: a, radii: [0.3, 0.2, 0.15], at: [0.05, 0, 0]}, p: "
                               "{type: plane, on: b, at: [0.1, 0.2, 0], normal: [0.2, 1, 0.1]}}\n" LAW("")},
    {"two ellipsoids",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.1, 0.05) "}\n"
                               "surfaces: {a: {type: ellipsoid, on: a, radii: [0.3, 0.2, 0.15], at: [0.05, 0, 0]}, b: "
                               "{type: ellipsoid, on: b, radii: [0.1, 0.25, 0.2]}}\n" LAW("")},
    {"ellipsoid and capsule",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.1, 0.05) "}\n"
                               "surfaces: {a: {type: ellipsoid, on: a, radii: [0.3, 0.2, 0.15]}, p: {type: capsule, "
                               "on: b, from: [-0.5, 0, 0.1], to: [0.4, 0, 0], radius: 0.2}}\n" LAW("")},
    {"ball and convex hull",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.1,
         0.05) "}\n"
               "surfaces: {a: {type: sphere, on: a, radius: 0.2}, p: {type: convex, on: b, points: [[-0.3, -0.2, "
               "-0.1], [0.3, -0.15, -0.2], [0.1, 0.25, -0.1], [0.05, 0, 0.3], [-0.1, 0.1, 0.25]]}}\n" LAW("")},
    {"convex hull on a plane",
     "bodies: {" BALL(
         "a", 0, 0.1,
         0) "}\n"
            "surfaces: {a: {type: convex, on: a, points: [[-0.3, -0.2, -0.1], [0.3, -0.15, -0.2], [0.1, 0.25, -0.1], "
            "[0.05, 0, 0.3], [-0.1, 0.1, 0.25]]}, p: {type: plane, normal: [0.2, 1, 0.1]}}\n" LAW("")},
    {"convex hull and ellipsoid",
     "bodies: {" BALL("a", 0, 0.2, 0) ", " BALL(
         "b", 0.1, -0.1,
         0.05) "}\n"
               "surfaces: {a: {type: ellipsoid, on: a, radii: [0.3, 0.2, 0.15]}, p: {type: convex, on: b, points: "
               "[[-0.3, -0.2, -0.1], [0.3, -0.15, -0.2], [0.1, 0.25, -0.1], [0.05, 0, 0.3], [-0.1, 0.1, 0.25]]}}\n" LAW(
                   "")},
    {"ball and ball, formula", "bodies: {" BALL("a", 0, 0, 0) ", " BALL(
                                   "b", 0.1, 0.3, 0.05) "}\n"
                                                        "surfaces: {a: {type: sphere, on: a, radius: 0.3, at: [0.1, "
                                                        "0.05, 0]}, b: {type: sphere, on: b, radius: 0.2}}\n"
                                                        "contacts: {all: {method: formula, force: '100*depth^1.3*(1 + "
                                                        "0.2*rate + 0.1*rate^2)', friction: 0.4, slip: 0.5}}\n"},
    {"a disk and a box in the plane",
     "planar: true\nbodies: {a: {type: rigid, position: [0, 0.4, 0], mass: 1, inertia: [1, 1, 1]}, "
     "b: {type: rigid, position: [0.1, 0, 0], rotation: {axis: [0, 0, 1], angle: 0.2}, mass: 1, inertia: [1, 1, 1]}}\n"
     "surfaces: {a: {type: sphere, on: a, radius: 0.3, at: [0.1, 0, 0]}, b: {type: box, on: b, size: [1, 0.5, "
     "1]}}\n" LAW("")},
};

/* Quaternions back to unit length, and the part of d along them taken out. */
static void unit_quaternions(const sn_model *m, double *q, double *d) {
  for (int g = 0; g < m->groups; g++) {
    if (m->group_is_constraint[g] || m->group_size[g] != 7) continue;
    double *p = q + m->group_first[g] + 3, *pd = d ? d + m->group_first[g] + 3 : NULL, size = sqrt(inner(p, p, 4));
    for (int i = 0; i < 4; i++) p[i] /= size;
    double along = pd ? inner(p, pd, 4) : 0;
    for (int i = 0; pd && i < 4; i++) pd[i] -= along * p[i];
  }
}

/* d residual along dq and dv, by central differences of order 4. */
static void slope(fixture *f, const double *dq, const double *dv, double h, double *y) {
  static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  int n = f->model->n;
  double *r = calloc((size_t)n, sizeof(double));
  memset(y, 0, (size_t)n * sizeof(double));
  take_base(f);
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < n; i++) {
      f->state.q[i] = f->base.q[i] + at[k] * h * dq[i];
      f->state.v[i] = f->base.v[i] + at[k] * h * dv[i];
    }
    unit_quaternions(f->model, f->state.q, NULL);
    sn_system_residual(f->system, &f->state, 0, r);
    for (int i = 0; i < n; i++) y[i] += weight[k] * r[i] / h;
  }
  sn_state_copy(f->system, &f->state, &f->base);
  free(r);
}

/* A straight side of a cylinder or a box counts as one of a radius of 1e7 of its sizes (manifold.c), which makes rounding
 * of the place of contact as much larger: 1.3e-6 with and 8.4e-6 without fused multiply-add for the corner of a box, with
 * differences of any step. All other shapes have exact tangents. */
static double allowed_of(const char *name) {
  static const char *const straight[] = {
      "crossing cylinders",         "cylinder and capsule",           "rim of a cylinder and side of another",
      "cylinder and edge of a box", "corner of a box and a cylinder", "ellipsoid and capsule"};
  for (size_t k = 0; k < SN_COUNT(straight); k++)
    if (strcmp(name, straight[k]) == 0) return 2e-5;
  return 1e-8;
}

/* Along motions that keep quaternions unit, and forces along them: what contact adds to other directions only the
 * multiplier of p.p = 1 feels. */
static void tangents(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(tangent_cases); k++) {
    char text[3000];
    fixture f;
    snprintf(text, sizeof text, HEAD "%s", tangent_cases[k].text);
    open_fixture(&f, text, "klu");
    int n = f.model->n, size = n + f.model->m;
    double *x = calloc((size_t)(3 * size + 4 * n), sizeof(double)), *Ax = x + size, *Dx = Ax + size, *dq = Dx + size,
           *dv = dq + n, *none = dv + n, *y = none + n;
    uint64_t seed = 11 + k;
    for (int g = 0; g < f.model->groups; g++) /* plates are bent */
      if (f.model->group_size[g] == 9) add_noise(&seed, 0.01, f.state.q + f.model->group_first[g], 9);
    unit_quaternions(f.model, f.state.q, NULL);
    sn_penalty_residual(f.system->contacts, f.system->threads, &(sn_eval){.q = f.state.q, .v = f.state.v}, y);
    assert_below(0.01, largest(y, n), "%s: something touches", tangent_cases[k].name);
    for (int direction = 0; direction < 6; direction++) {
      add_noise(&seed, 0.7, f.state.v, n);
      memset(dq, 0, (size_t)n * sizeof(double));
      memset(dv, 0, (size_t)n * sizeof(double));
      add_noise(&seed, 1, dq, n);
      add_noise(&seed, 1, dv, n);
      double *tangential[] = {dq, dv, f.state.v};
      for (int i = 0; i < 3; i++) unit_quaternions(f.model, f.state.q, tangential[i]);
      for (int part = 0; part < 2; part++) {
        memset(x, 0, (size_t)size * sizeof(double));
        memcpy(x, part ? dv : dq, (size_t)n * sizeof(double));
        sn_system_assemble(f.system, &f.state, 0, 0, part, 1 - part);
        sn_matrix_multiply(sn_system_matrix(f.system), x, Ax);
        slope(&f, part ? none : dq, part ? dv : none, 3e-5, y);
        unit_quaternions(f.model, f.state.q, Ax);
        unit_quaternions(f.model, f.state.q, y);
        assert_below(distance(Ax, y, n) / fmax(1, largest(y, n)), allowed_of(tangent_cases[k].name), "%s: %s",
                     tangent_cases[k].name, part ? "D" : "K");
      }
    }
    free(x);
    close_fixture(&f);
  }
}

/* ---- closed forms ---- */

static double value(run *r, const char *name, int column) {
  double all[16];
  assert_true(sn_read(r->simulation, name, all, 16) > (size_t)column);
  return all[column];
}

static void step_run(run *r) {
  if (sn_step(r->simulation)) fail_msg("%s", sn_message(r->context));
}

/* Hertz: two balls of masses 1 and 2 kg meet at v = 1 m/s. m = 2/3, d = (5 m v^2/(4 K))^0.4, F = K d^1.5, and the time
 * 2 d/v int_0^1 dx/sqrt(1 - x^2.5) = 2.94327 d/v; then they go apart as elastic balls do. With a restitution of 0.95
 * they do so at 0.95 of the speed, up to terms of (1 - e)^2 in the formula for the damping. */
static void hertz(void **state) {
  (void)state;
  for (int damped = 0; damped < 2; damped++) {
    char text[900];
    run r;
    snprintf(text, sizeof text,
             "sinew: 1\nmaterials: {m: {density: 1, young: 1e7, poisson: 0.3}}\n"
             "bodies: {a: {type: rigid, position: [-0.1, 0, 0], velocity: [1, 0, 0], mass: 1, inertia: [1, 1, 1]}, "
             "b: {type: rigid, position: [0.21, 0, 0], mass: 2, inertia: [1, 1, 1]}}\n"
             "surfaces: {a: {type: sphere, on: a, radius: 0.1, material: m}, b: {type: sphere, on: b, radius: 0.2, "
             "material: m}}\n"
             "contacts: {touch: {%s}}\n"
             "outputs: {a: {point: a.center}, b: {point: b.center}, f: {contact: [b, a]}}\n"
             "analysis: {type: dynamics, duration: 0.03, integrator: {type: hht-i3, alpha: 0, step: 1e-5}}\n",
             damped ? "restitution: 0.95, impact_speed: 1" : "friction: 0");
    open_run(&r, text, NULL);
    double K = 4 / (3 * 2 * 0.91 / 1e7) * sqrt(0.2 / 3), d = pow(5 * 2.0 / 3 / (4 * K), 0.4), most = 0, begin = 0,
           end = 0;
    while (!sn_all_finished(r.simulation)) {
      step_run(&r);
      double f = value(&r, "f", 0);
      most = fmax(most, f);
      if (f > 0 && begin == 0) begin = sn_time(r.simulation);
      if (f > 0) end = sn_time(r.simulation);
    }
    double va = value(&r, "a", 3), vb = value(&r, "b", 3);
    if (damped) {
      assert_below(fabs(vb - va - 0.95), 0.005, "restitution");
    } else {
      assert_below(fabs(most / (K * pow(d, 1.5)) - 1), 1e-4, "largest force");
      assert_below(fabs((end - begin) / (2.94327 * d) - 1), 3e-3, "time of contact"); /* seen in steps of 1e-5 s */
      assert_below(fabs(va + 1.0 / 3), 1e-5, "first ball comes back");
      assert_below(fabs(vb - 2.0 / 3), 1e-5, "second ball leaves");
    }
    close_run(&r);
  }
}

/* 2 int_0^1 dx/sqrt(1 - x^(k+1)), with x = 1 - s^2 */
static double lasting(double k) {
  enum { POINTS = 20000 };
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    double s = (i + 0.5) / POINTS;
    sum += 4 * s / sqrt(1 - pow(1 - s * s, k + 1)) / POINTS;
  }
  return sum;
}

/* F = K d^k: a ball of 2 kg falls on a plane at 1 m/s; d = ((k + 1) m v^2/(2 K))^(1/(k + 1)), the time is c d/v (pi d/v
 * for k = 1), and it comes back at the same speed, or at e of it whatever k is, under control of the step too. */
static void exponents(void **state) {
  (void)state;
  static const double ks[] = {1, 1.5, 2, 3};
  static const char *const methods[] = {"{type: hht-i3, alpha: 0, step: 2e-5}", "{type: radau}", "{type: erk}"};
  assert_below(fabs(lasting(1) - PI), 1e-6, "the integral itself");
  for (size_t i = 0; i < SN_COUNT(ks); i++)
    for (size_t j = 0; j < SN_COUNT(methods); j++)
      for (int damped = 0; damped < 2; damped++) {
        char text[900];
        run r;
        double k = ks[i], d = 0.01, K = (k + 1) * 2 / (2 * pow(d, k + 1)), most = 0, begin = 0, end = 0,
               energy[SN_ENERGIES];
        snprintf(
            text, sizeof text,
            "sinew: 1\nbodies: {a: {type: rigid, position: [0, 0, 0.11], velocity: [0, 0, -1], mass: 2, inertia: [1, "
            "1, 1]}}\nsurfaces: {a: {type: sphere, on: a, radius: 0.1}, p: {type: plane, normal: [0, 0, 1]}}\n"
            "contacts: {touch: {stiffness: %.17g, exponent: %g%s}}\noutputs: {a: {point: a.center}, f: {contact: [a, "
            "ground]}}\nanalysis: {type: dynamics, duration: 0.08, integrator: %s}\n",
            K, k, damped ? ", restitution: 0.6, impact_speed: 1" : "", methods[j]);
        open_run(&r, text, NULL);
        while (!sn_all_finished(r.simulation)) {
          step_run(&r);
          double f = value(&r, "f", 2);
          most = fmax(most, f);
          if (f > 0 && begin == 0) begin = sn_time(r.simulation);
          if (f > 0) end = sn_time(r.simulation);
          sn_read(r.simulation, "energy", energy, SN_ENERGIES);
          if (!damped && j == 0) assert_below(fabs(energy[SN_E_TOTAL] - 1), 1e-3, "energy, exponent %g", k);
        }
        double e = value(&r, "a", 5);
        assert_below(fabs(e - (damped ? 0.6 : 1)), 5e-3, "rebound %g, exponent %g, %s", e, k, methods[j]);
        if (!damped && j == 0) {
          assert_below(fabs(most / (K * pow(d, k)) - 1), 1e-4, "largest force, exponent %g", k);
          assert_below(fabs((end - begin) / (lasting(k) * d) - 1), 3e-3, "time of contact, exponent %g", k);
        }
        close_run(&r);
      }
}

/* Coulomb: a block on an incline stays below the friction angle (it creeps with less than the slip speed) and slides
 * above with g (sin - mu cos). */
static void incline(void **state) {
  (void)state;
  static const double angles[2] = {10, 25};
  for (int k = 0; k < 2; k++) {
    double a = angles[k] * PI / 180, g = 9.81, mu = 0.3;
    char text[900];
    run r;
    snprintf(
        text, sizeof text,
        "sinew: 1\ngravity: [%.12g, %.12g, 0]\n"
        "bodies: {b: {type: rigid, position: [0, 0.05, 0], density: 500, shape: {type: box, size: [0.2, 0.1, 0.2]}}}\n"
        "surfaces: {b: {type: box, on: b}, p: {type: plane, normal: [0, 1, 0]}}\n"
        "contacts: {touch: {friction: 0.3, stiffness: 1e7, damping: 1, slip: 1e-3}}\n"
        "outputs: {b: {point: b.center}, f: {contact: [b, ground]}}\n"
        "analysis: {type: dynamics, duration: 1.5, integrator: {type: hht-i3, tolerance: 1e-5}}\n",
        g * sin(a), -g * cos(a));
    open_run(&r, text, NULL);
    advance(&r, 0.5);
    double v = value(&r, "b", 3), t = sn_time(r.simulation);
    advance(&r, 1.5); /* the force still rang by 1 % at 1 s: the block falls by its overlap at the start */
    double acceleration = (value(&r, "b", 3) - v) / (sn_time(r.simulation) - t);
    if (angles[k] < 16) {
      assert_below(fabs(value(&r, "b", 3)), 1e-3, "speed of a block that stays");
      assert_below(fabs(value(&r, "b", 0)), 1.5e-3, "way of a block that stays");
    } else {
      assert_below(fabs(acceleration / (g * (sin(a) - mu * cos(a))) - 1), 0.01, "acceleration of a block that slides");
    }
    assert_below(fabs(value(&r, "f", 1) / (2 * g * cos(a)) - 1), 0.01, "normal force");
    close_run(&r);
  }
}

/* Capstan: a cable lies half around a drum that turns under it, so that friction is full everywhere: the fixed end
 * holds exp(mu pi) times the force on the loose one. */
static void capstan(void **state) {
  (void)state;
  const double mu = 0.25;
  run r;
  open_run(&r,
           "sinew: 1\n"
           "materials: {m: {density: 200, young: 1e8}}\nsections: {s: {type: circle, radius: 0.005}}\n"
           "bodies: {line: {type: cable, from: [-0.105, 0, 0], via: [0, 0.105, 0], to: [0.105, 0, 0], elements: 24, "
           "material: m, "
           "section: s, mass_damping: 100}, "
           "drum: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, -10]}}\n"
           "joints: {hold: {type: spherical, between: [ground, line.start]}, axle: {type: revolute, between: [ground, "
           "drum.center]}, turn: {type: motion, joint: axle, rotation: -10*t}}\n"
           "forces: {pull: {type: force, at: line.end, force: [0, '-10*step(t, 0, 0, 0.05, 1)', 0]}}\n"
           "surfaces: {skin: {type: spheres, on: line, count: 97}, "
           "drum: {type: cylinder, on: drum, from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.1}}\n"
           "contacts: {touch: {friction: 0.25, stiffness: 1e7, slip: 1e-3, points: all}}\n"
           "outputs: {hold: {reaction: hold}}\n"
           "analysis: {type: dynamics, duration: 0.2, integrator: {type: hht-i3, tolerance: 1e-5}}\n",
           NULL);
  advance(&r, 0.2);
  double force = hypot(value(&r, "hold", 0), value(&r, "hold", 1));
  assert_below(fabs(force / (10 * exp(mu * PI)) - 1), 0.03, "tension of the fixed end");
  close_run(&r);
}

/* Two small balls that meet after a long flight do not pass through each other, whatever the step control would like:
 * they exchange their speeds. */
static void no_passing(void **state) {
  (void)state;
  static const char *const methods[] = {"hht-i3", "radau5", "ida", "adams", "erk", "tr-bdf2"};
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    run r;
    open_run(&r,
             "sinew: 1\nmaterials: {m: {density: 1, young: 1e7, poisson: 0.3}}\n"
             "bodies: {a: {type: point-mass, mass: 1, position: [-5, 0, 0], velocity: [10, 0, 0]}, "
             "b: {type: point-mass, mass: 1, position: [5, 0, 0], velocity: [-10, 0, 0]}}\n"
             "surfaces: {a: {type: sphere, on: a, radius: 0.2, material: m}, b: {type: sphere, on: b, radius: 0.2, "
             "material: m}}\n"
             "contacts: {all: {}}\noutputs: {a: {point: a}}\nanalysis: {type: dynamics, duration: 1}\n",
             &(sn_options){.integrator = methods[k], .tolerance = 1e-6});
    advance(&r, 1);
    assert_below(fabs(value(&r, "a", 3) + 10), 0.03, "%s: speed after the impact",
                 methods[k]); /* hht-i3 damps a little */
    close_run(&r);
  }
}

/* Benchmark C2: first contact at 0.5358 s, computed independently. */
static void first_contact(void **state) {
  (void)state;
  run r;
  open_run(&r, "models/two-beams.yaml", &(sn_options){.step = 2e-5});
  while (sn_time(r.simulation) < 0.54 && r.simulation->system->contacts->count == 0) step_run(&r);
  assert_below(fabs(sn_time(r.simulation) - 0.5358), 1e-4, "time of the first contact");
  const sn_contact *x = r.simulation->system->contacts->contact[0];
  assert_below(fabs(x->point[0]), 1e-4, "it is in the middle");
  close_run(&r);
}

/* What sticks on an incline creeps at e (1 - sqrt(1 - tan/mu)) by the law of friction below the slip speed e, and the
 * statistics say how far. */
static void creep(void **state) {
  (void)state;
  double a = 10 * PI / 180, e = 1e-3, mu = 0.3, end = 1;
  char text[900];
  run r;
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [%.12g, %.12g, 0]\n"
           "bodies: {b: {type: rigid, position: [0, 0.0499, 0], density: 500, shape: {type: box, size: [0.2, 0.1, "
           "0.2]}}}\nsurfaces: {b: {type: box, on: b}, p: {type: plane, normal: [0, 1, 0]}}\n"
           "contacts: {touch: {friction: 0.3, stiffness: 1e7, damping: 100, slip: 1e-3}}\n"
           "outputs: {b: {point: b.center}}\n"
           "analysis: {type: dynamics, duration: 1, integrator: {type: radau, tolerance: 1e-7}}\n",
           9.81 * sin(a), -9.81 * cos(a));
  open_run(&r, text, NULL);
  advance(&r, end);
  double way = e * (1 - sqrt(1 - tan(a) / mu)) * end, crept = r.simulation->system->statistics.contact.crept;
  assert_below(fabs(value(&r, "b", 0) / way - 1), 0.05, "way of a block that creeps");
  assert_below(fabs(crept / way - 1), 0.05, "what is told of it");
  close_run(&r);
}

/* What comes to rest or turns within a step, from speeds 1000 times the slip speed, needs no shorter step for that: one
 * block is thrown and stops after v^2/(2 mu g), another is pushed to and fro and stops again and again, where radau with
 * a small tolerance says. The steps are fixed: those that are shorter have been cut. */
static void rest_within_steps(void **state) {
  (void)state;
  static const char scene[] =
      "sinew: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
      "  b: {type: rigid, position: [0, 0, 0.04999], mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]}, velocity: [2, "
      "0, "
      "0]}\n"
      "  c: {type: rigid, position: [0, 1, 0.04999], mass: 1, shape: {type: box, size: [0.2, 0.2, 0.1]}, velocity: "
      "[-1.1, "
      "1.3, 0]}\n"
      "forces: {push: {type: force, at: c.center, force: ['6*sin(9*t)', 0, 0]}}\n"
      "surfaces: {floor: {type: plane, normal: [0, 0, 1]}, b: {type: box, on: b}, c: {type: box, on: c}}\n"
      "contacts: {all: {friction: 0.3, stiffness: 1e7, damping: 10, slip: 1e-5}}\n"
      "outputs: {b: {point: b.center}, c: {point: c.center}}\n"
      "analysis: {type: dynamics, duration: 1.5, integrator: {%s}}\n";
  static const char *const integrators[] = {"type: radau, tolerance: 1e-8", "type: hht-i3, step: 0.005",
                                            "type: newmark, step: 0.005"};
  const double way = 4 / (2 * 0.3 * 9.81);
  double exact[3];
  for (size_t k = 0; k < SN_COUNT(integrators); k++) {
    char text[2000];
    double x[3];
    run r;
    snprintf(text, sizeof text, scene, integrators[k]);
    open_run(&r, text, NULL);
    advance(&r, 1.5);
    assert_below(fabs(value(&r, "b", 0) - way), 5e-4, "way of the thrown block, %s", integrators[k]);
    read_output(&r, "c", k == 0 ? exact : x, 3);
    if (k > 0) {
      assert_below(hypot(x[0] - exact[0], x[1] - exact[1]), 5e-4, "place of the pushed block, %s", integrators[k]);
      assert_below((double)r.simulation->system->statistics.steps, 400, "steps, of which 300 are asked for, %s",
                   integrators[k]);
    }
    close_run(&r);
  }
}

/* A disk that slides and spins on its end comes to rest with its axis along the normal to rounding, while Baumgarte's
 * terms hold Euler parameters to 1e-7 only: points of its rim must not go along the axis then, into the floor. Both
 * methods find one place and turn. */
static void disk_comes_to_rest(void **state) {
  (void)state;
  static const char *const methods[] = {"radau", "tr-bdf2"};
  double first[7] = {0};
  for (size_t k = 0; k < SN_COUNT(methods); k++) {
    run r;
    open_run(
        &r,
        "sinew: 1\ngravity: [0, 0, -9.81]\nmaterials: {m: {density: 1000, young: 1e9}}\nbodies: {a: {type: rigid, "
        "position: [0, 0, 0.01], density: 1000, rotation: {axis: [0, 1, 0], angle: pi/2}, shape: {type: cylinder, "
        "radius: 0.05, length: 0.02}, velocity: [0.5, 0, 0], angular_velocity: [0, 0, 30]}}\nsurfaces: {s: {type: "
        "cylinder, on: a, material: m}, g: {type: plane, normal: [0, 0, 1], material: m}}\ncontacts: {k: {friction: "
        "0.5, damping: 50}}\noutputs: {a: {point: a.center}, o: {orientation: a.center}}\nanalysis: {type: "
        "dynamics, duration: 0.5}\n",
        &(sn_options){.integrator = methods[k], .tolerance = 1e-5});
    advance(&r, 0.5);
    double y[7];
    read_output(&r, "a", y, 3);
    read_output(&r, "o", y + 3, 4);
    if (k == 0) memcpy(first, y, sizeof y);
    for (int i = 0; i < 7; i++)
      assert_below(fabs(y[i] - first[i]), i < 3 ? 1e-5 : 1e-4, "%s: number %d at rest", methods[k], i);
    assert_below(energy_error_of(&r), 1e-5, "%s: energy [J], of 0.1", methods[k]);
    close_run(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rest_within_steps), cmocka_unit_test(tangents),      cmocka_unit_test(hertz),
      cmocka_unit_test(exponents),         cmocka_unit_test(incline),       cmocka_unit_test(creep),
      cmocka_unit_test(capstan),           cmocka_unit_test(first_contact), cmocka_unit_test(no_passing),
      cmocka_unit_test(disk_comes_to_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
