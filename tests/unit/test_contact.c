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
#define LAW(rest) "contacts: {all: {friction: 0.4, slip: 0.5, damping: 0.3, stiffness: 100" rest "}}\n"

static const struct {
  const char *name, *text;
} tangent_cases[] = {
    {"ball and ball", "bodies: {" BALL("a", 0, 0, 0) ", " BALL(
                          "b", 0.1, 0.3, 0.05) "}\n"
                                               "surfaces: {a: {type: sphere, on: a, radius: 0.3, at: [0.1, 0.05, 0]}, "
                                               "b: {type: sphere, on: b, radius: 0.2}}\n" LAW("")},
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
    unit_quaternions(f.model, f.state.q, NULL);
    sn_penalty_residual(f.system->contacts, f.system->threads, &(sn_eval){.q = f.state.q, .v = f.state.v}, y);
    assert_true(largest(y, n) > 0.1); /* something touches */
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
        sn_matrix_multiply(f.system->matrix, x, Ax);
        slope(&f, part ? none : dq, part ? dv : none, 1e-4, y);
        unit_quaternions(f.model, f.state.q, Ax);
        unit_quaternions(f.model, f.state.q, y);
        assert_below(distance(Ax, y, n) / fmax(1, largest(y, n)), 1e-6, "%s: %s", tangent_cases[k].name,
                     part ? "D" : "K");
      }
    }
    free(x);
    close_fixture(&f);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tangents)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
