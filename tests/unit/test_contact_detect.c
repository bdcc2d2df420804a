/* test_contact_detect.c - contacts between all shapes: gaps and rows against differences, the search against trying all
 * pairs.
 */
#include "contact/contact.h"
#include "contact/penalty.h"
#include "math/vec3.h"
#include "support.h"

#define HEAD                                         \
  "sinew: 1\n"                                       \
  "materials: {soft: {density: 1200, young: 4e4}}\n" \
  "sections: {round: {type: circle, radius: 0.05}}\n"
#define FAR "contacts: {all: {method: dvi, activation: 0.3, friction: 0.2%s}}\n"
#define BOX(name, x, y, z, rest)                                   \
  name ": {type: rigid, position: [" #x ", " #y ", " #z            \
       "], rotation: {axis: [1, 2, 3], angle: 0.7}, density: 60, " \
       "shape: {type: box, size: [0.4, 0.3, 0.2]}" rest "}"
#define ROD(name, x, y, z, axis)                                                    \
  name ": {type: rigid, position: [" #x ", " #y ", " #z "], rotation: {axis: " axis \
       ", angle: 0.9}, mass: 1, "                                                   \
       "shape: {type: cylinder, radius: 0.1, length: 0.6}}"
#define BALL(name, x, y, z) \
  name ": {type: rigid, position: [" #x ", " #y ", " #z "], mass: 1, shape: {type: sphere, radius: 0.1}}"
#define CABLE "line: {type: cable, from: [0, 0, 0], to: [0.8, 0.2, 0.1], elements: 3, material: soft, section: round}"
#define SECOND \
  "next: {type: cable, from: [0.4, 0.3, -0.4], to: [0.5, 0.15, 0.5], elements: 2, material: soft, section: round}"
#define SOLID "line: {type: beam, from: [0, 0, 0], to: [0.8, 0.2, 0.1], elements: 2, material: soft, section: round}"
#define PLATE \
  "sheet: {type: plate, along: [0.6, 0, 0.1], across: [0, 0.5, 0], elements: [2, 2], thickness: 0.02, material: soft}"
#define FLOAT \
  "line: {type: floating, from: [0, 0, 0], to: [0.8, 0.2, 0.1], elements: 2, material: soft, section: round}"
#define STRING "skin: {type: spheres, on: line, count: 9}"

static const struct {
  const char *name, *text, *law;
  int least; /* contacts there must be */
} cases[] = {
    {"ball and ball",
     "bodies: {" BALL("a", 0, 0, 0) ", " BALL(
         "b", 0.1, 0.2, 0.05) "}\n"
                              "surfaces: {a: {type: sphere, on: a}, b: {type: sphere, on: b, at: [0.02, 0, 0.01]}}\n",
     "", 1},
    {"ball and ground",
     "bodies: {" BALL("a", 0, 0.2,
                      0) "}\nsurfaces: {a: {type: sphere, on: a}, "
                         "p: {type: plane, normal: [0.1, 1, 0.2]}, s: {type: sphere, at: [0.3, 0.1, 0], radius: 0.1}, "
                         "b: {type: box, at: [-0.3, 0, 0], size: [0.2, 0.2, 0.2]}}\n",
     "", 3},
    {"ball and capsule",
     "bodies: {" BALL("a", 0, 0, 0) ", " ROD(
         "b", 0.1, 0.25, 0.05, "[0, 0, 1]") "}\n"
                                            "surfaces: {a: {type: sphere, on: a}, b: {type: capsule, on: b}}\n",
     "", 1},
    {"ball beyond the end of a capsule",
     "bodies: {" BALL("a", 0, 0, 0) ", " ROD(
         "b", 0.3, 0.4, 0.05, "[0, 0, 1]") "}\n"
                                           "surfaces: {a: {type: sphere, on: a}, b: {type: capsule, on: b}}\n",
     "", 1},
    {"ball and cylinder, side",
     "bodies: {" BALL("a", 0, 0, 0) ", " ROD(
         "b", 0.05, 0.25, 0.05, "[0, 1, 0]") "}\n"
                                             "surfaces: {a: {type: sphere, on: a}, b: {type: cylinder, on: b}}\n",
     "", 1},
    {"ball and cylinder, rim",
     "bodies: {" BALL("a", 0.36, 0.2, 0) ", " ROD(
         "b", 0, 0, 0, "[1, 0, 0]") "}\n"
                                    "surfaces: {a: {type: sphere, on: a}, b: {type: cylinder, on: b}}\n",
     "", 1},
    {"ball and cylinder, end",
     "bodies: {" BALL("a", 0.5, 0.03, 0) ", " ROD(
         "b", 0, 0, 0, "[1, 0, 0]") "}\n"
                                    "surfaces: {a: {type: sphere, on: a}, b: {type: cylinder, on: b}}\n",
     "", 1},
    {"ball and box, face",
     "bodies: {" BALL("a", 0.05, 0, 0.3) ", " BOX("b", 0, 0, 0,
                                                  "") "}\n"
                                                      "surfaces: {a: {type: sphere, on: a}, b: {type: box, on: b}}\n",
     "", 1},
    {"ball and box, edge and corner",
     "bodies: {" BALL("a", 0.25, 0.2, 0.1) ", " BOX("b", 0, 0, 0, "") ", " BALL(
         "c", -0.3, 0, 0.3) "}\n"
                            "surfaces: {a: {type: sphere, on: a}, b: {type: box, on: b}, c: {type: sphere, on: c}}\n",
     "", 2},
    {"capsules",
     "bodies: {" ROD("a", 0, 0, 0, "[0, 1, 0]") ", " ROD(
         "b", 0.1, 0.25, 0.05, "[0, 0, 1]") "}\n"
                                            "surfaces: {a: {type: capsule, on: a}, b: {type: capsule, on: b}}\n",
     "", 1},
    {"capsule and box",
     "bodies: {" ROD("a", 0, 0.4, 0, "[0, 0, 1]") ", " BOX(
         "b", 0, 0, 0, "") "}\n"
                           "surfaces: {a: {type: capsule, on: a}, b: {type: box, on: b}}\n",
     "", 1},
    {"box, cylinder and capsule on a plane",
     "bodies: {" BOX("b", 0, 0.2, 0, "") ", " ROD("c", 1, 0.3, 0, "[0, 0, 1]") ", " ROD(
         "d", 2, 0.3, 0, "[0, 0, 1]") "}\n"
                                      "surfaces: {b: {type: box, on: b}, c: {type: cylinder, on: c}, d: {type: "
                                      "capsule, on: d}, p: {type: plane, normal: [0, 1, 0]}}\n",
     "", 5},
    {"boxes, faces",
     "bodies: {" BOX("a", 0, 0, 0,
                     "") ", b: {type: rigid, position: [0.1, 0.02, 0.25], rotation: {axis: [1, 2, 2.9], angle: 0.72}, "
                         "density: 60, shape: {type: box, size: [0.4, 0.3, 0.2]}}}\nsurfaces: {a: {type: box, on: a}, "
                         "b: {type: box, on: b}}\n",
     "", 3},
    {"crossing cylinders",
     "bodies: {" ROD("a", 0, 0, 0, "[0, 1, 0]") ", " ROD(
         "b", 0.1, 0.25, 0.05, "[0, 0, 1]") "}\n"
                                            "surfaces: {a: {type: cylinder, on: a}, b: {type: cylinder, on: b}}\n",
     "", 1},
    {"cylinder and capsule",
     "bodies: {" ROD("a", 0, 0, 0, "[0, 1, 0]") ", " ROD(
         "b", 0.1, 0.25, 0.05, "[0, 0, 1]") "}\n"
                                            "surfaces: {a: {type: cylinder, on: a}, b: {type: capsule, on: b}}\n",
     "", 1},
    {"cylinder and box",
     "bodies: {" ROD("a", 0, 0.4, 0, "[0, 0, 1]") ", " BOX(
         "b", 0, 0, 0, "") "}\n"
                           "surfaces: {a: {type: cylinder, on: a}, b: {type: box, on: b}}\n",
     "", 1},
    {"cable and solids",
     "bodies: {" CABLE ", " BOX("b", 0.4, -0.2, 0, "") ", " ROD(
         "c", 0.2, 0.3, 0, "[0, 0, 1]") "}\n"
                                        "surfaces: {" STRING ", b: {type: box, on: b}, c: {type: cylinder, on: c}}\n",
     "", 4},
    {"cable and solids, all points",
     "bodies: {" CABLE ", " BOX("b", 0.4, -0.2, 0, "") "}\n"
                                                       "surfaces: {" STRING ", b: {type: box, on: b}}\n",
     ", points: all", 6},
    {"cable and capsule, exact",
     "bodies: {" CABLE ", " ROD("c", 0.3, 0.28, 0, "[0, 1, 0]") "}\n"
                                                                "surfaces: {" STRING ", c: {type: capsule, on: c}}\n",
     ", exact: true", 1},
    {"cables", "bodies: {" CABLE ", " SECOND "}\nsurfaces: {" STRING ", other: {type: spheres, on: next, count: 8}}\n",
     "", 2},
    {"cables, exact",
     "bodies: {" CABLE ", " SECOND "}\nsurfaces: {" STRING ", other: {type: spheres, on: next, count: 8}}\n",
     ", exact: true", 1},
    {"beam and ball",
     "bodies: {" SOLID ", " BALL("a", 0.3, 0.3, 0) "}\nsurfaces: {" STRING ", a: {type: sphere, on: a}}\n", "", 1},
    {"floating beam and ball",
     "bodies: {" FLOAT ", " BALL("a", 0.3, 0.3, 0) "}\nsurfaces: {" STRING ", a: {type: sphere, on: a}}\n", "", 1},
    {"plate, ball and cable",
     "bodies: {" PLATE ", " BALL("a", 0.3, 0.3, 0.2) ", " CABLE "}\n"
                                                     "surfaces: {g: {type: grid, on: sheet, count: [5, 6]}, " STRING
                                                     ", a: {type: sphere, on: a}}\n",
     "", 6},
    {"point mass on a plane",
     "bodies: {m: {type: point-mass, mass: 1, position: [0, 0.1, 0]}}\n"
     "surfaces: {m: {type: sphere, on: m, radius: 0.1}, p: {type: plane, normal: [0, 1, 0]}}\n",
     "", 1},
    {"in the plane",
     "planar: true\nbodies: {line: {type: cable, from: [0, 0, 0], to: [0.8, 0.2, 0], elements: 3, material: soft, "
     "section: round}, "
     "b: {type: rigid, position: [0.4, -0.2, 0], rotation: {axis: [0, 0, 1], angle: 0.3}, mass: 1, shape: {type: box, "
     "size: [0.4, 0.3, 0.2]}}, "
     "c: {type: rigid, position: [0.3, 0.3, 0], mass: 1, shape: {type: sphere, radius: 0.1}}}\n"
     "surfaces: {" STRING
     ", b: {type: box, on: b}, c: {type: cylinder, on: c, from: [0, 0, -1], to: [0, 0, 1], radius: 0.1}, "
     "p: {type: plane, at: [0, -0.4, 0], normal: [0.1, 1, 0]}}\n",
     "", 6},
};

static void open_case(fixture *f, size_t k) {
  char text[3000];
  snprintf(text, sizeof text, HEAD "%s" FAR, cases[k].text, cases[k].law);
  open_fixture(f, text, NULL);
}

static const sn_contact *with_key(const sn_contacts *c, uint64_t key) {
  for (int i = 0; i < c->count; i++)
    if (c->contact[i]->key == key) return c->contact[i];
  return NULL;
}

/* gap' = n.(x0' - x1') = D v, against differences along a random direction; the three rows against the velocity; a
 * force against the rows. */
static void rows(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(cases); k++) {
    fixture f;
    open_case(&f, k);
    int n = f.model->n, index[SN_CONTACT_COORDINATES];
    sn_contacts *c = sn_contacts_create(f.model), *moved = sn_contacts_create(f.model);
    uint64_t seed = 5 + k;
    double *v = calloc((size_t)n, sizeof(double)), *q = calloc((size_t)n, sizeof(double));
    add_noise(&seed, 0.01, f.state.q, n);
    add_noise(&seed, 1, v, n);
    for (int g = 0; g < f.model->groups; g++) { /* unit quaternions and their rates; only rigid bodies have seven */
      if (f.model->group_size[g] != 7) continue;
      double *p = f.state.q + f.model->group_first[g] + 3, *pd = v + f.model->group_first[g] + 3;
      double size = sqrt(inner(p, p, 4));
      for (int i = 0; i < 4; i++) p[i] /= size;
      double along = inner(p, pd, 4);
      for (int i = 0; i < 4; i++) pd[i] -= along * p[i];
    }
    sn_contacts_detect(c, f.system->threads, f.state.q);
    assert_in_range(c->count, (uintmax_t)cases[k].least, 1000);
    for (int i = 0; i < c->count; i++) {
      const sn_contact *x = c->contact[i], *at[2];
      double frame[3][3], D[3][SN_CONTACT_COORDINATES], u[3], gap[2], h = 1e-6, power = 0;
      int count = sn_contact_jacobian(c, x, f.state.q, frame, index, D);
      sn_contact_velocity(c, x, f.state.q, v, u);
      double *r = calloc((size_t)n, sizeof(double));
      const double force[3] = {0.3, -0.7, 1.1};
      sn_contact_apply(c, x, f.state.q, force, r);
      for (int m = 0; m < 3; m++) {
        double row = 0;
        for (int j = 0; j < count; j++) row += D[m][j] * v[index[j]];
        assert_below(fabs(row - sn_dot(frame[m], u)), 1e-12, "%s: row %d", cases[k].name, m);
      }
      for (int j = 0; j < n; j++) power += r[j] * v[j];
      assert_below(fabs(power - sn_dot(force, u)), 1e-12, "%s: force", cases[k].name);
      free(r);
      for (int side = 0; side < 2; side++) {
        for (int j = 0; j < n; j++) q[j] = f.state.q[j] + (side ? h : -h) * v[j];
        sn_contacts_detect(moved, f.system->threads, q);
        at[side] = with_key(moved, x->key);
        gap[side] = at[side] ? at[side]->gap : NAN;
      }
      if (!at[0] || !at[1] || at[0]->side[0].sphere != at[1]->side[0].sphere)
        continue; /* another sphere is deepest now */
      /* points cut off at the outline of a box slide along the face, which leans a little: part of the rate is theirs
       */
      bool cut = strcmp(cases[k].name, "boxes, faces") == 0 || strcmp(cases[k].name, "cylinder and box") == 0;
      double allowed = cut ? 0.05 : 2e-5;
      assert_below(fabs((gap[1] - gap[0]) / (2 * h) - sn_dot(x->normal, u)), allowed, "%s: rate of the gap",
                   cases[k].name);
    }
    free(v);
    free(q);
    sn_contacts_free(c);
    sn_contacts_free(moved);
    close_fixture(&f);
  }
}

/* Spheres of 400 point masses: the contacts are those found by trying all pairs, also after they have moved a little
 * and a lot, and the same for any number of threads. */
static void search(void **state) {
  (void)state;
  enum { N = 400 };
  static char text[200 * N];
  int used = snprintf(text, sizeof text, "sinew: 1\nbodies: {");
  uint64_t seed = 3;
  for (int i = 0; i < N; i++)
    used +=
        snprintf(text + used, sizeof text - (size_t)used, "m%d: {type: point-mass, mass: 1, position: [%g, %g, %g]}, ",
                 i, noise(&seed), noise(&seed), noise(&seed));
  used += snprintf(text + used, sizeof text - (size_t)used, "}\nsurfaces: {");
  for (int i = 0; i < N; i++)
    used += snprintf(text + used, sizeof text - (size_t)used, "s%d: {type: sphere, on: m%d, radius: %g}, ", i, i,
                     i == 7 ? 0.6 : 0.05);
  snprintf(text + used, sizeof text - (size_t)used, "}\ncontacts: {all: {method: dvi, activation: 0.01}}\n");
  fixture f;
  open_fixture(&f, text, NULL);
  sn_contacts *c = sn_contacts_create(f.model), *two = sn_contacts_create(f.model);
  sn_threads *threads = sn_threads_create(2);
  for (int round = 0; round < 20; round++) {
    add_noise(&seed, round == 10 ? 0.5 : 0.002, f.state.q, f.model->n);
    sn_contacts_detect(c, f.system->threads, f.state.q);
    sn_contacts_detect(two, threads, f.state.q);
    int count = 0;
    for (int i = 0; i < N; i++)
      for (int j = i + 1; j < N; j++) {
        const sn_item *item = f.model->surfaces->item; /* in the order of space, not of masses */
        int a = item[i].surface, b = item[j].surface;
        double d[3];
        sn_sub(d, f.state.q + 3 * a, f.state.q + 3 * b);
        bool near = sn_norm(d) - (a == 7 || b == 7 ? 0.65 : 0.1) <= 0.01;
        if (!near) continue;
        assert_in_range(count, 0, (uintmax_t)c->count - 1);
        assert_int_equal(c->contact[count]->side[0].item, i);
        assert_int_equal(c->contact[count++]->side[1].item, j);
      }
    assert_int_equal(c->count, count);
    assert_int_equal(two->count, count);
    for (int i = 0; i < count; i++)
      assert_memory_equal(c->contact[i]->normal, two->contact[i]->normal, sizeof c->contact[i]->normal);
    assert_in_range(count, 50, 5000);
  }
  assert_in_range((uintmax_t)c->rebuilds, 2, 12); /* not in every round */
  sn_threads_free(threads);
  sn_contacts_free(c);
  sn_contacts_free(two);
  close_fixture(&f);
}

static void assert_same(const sn_contact *x, const sn_contact *y) {
  assert_true(x->key == y->key && x->gap == y->gap && x->law == y->law);
  assert_memory_equal(x->point, y->point, sizeof x->point);
  assert_memory_equal(x->normal, y->normal, sizeof x->normal);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(x->side[k].carrier, y->side[k].carrier);
    assert_memory_equal(x->side[k].weight, y->side[k].weight, sizeof x->side[k].weight);
  }
}

/* As a heap becomes denser and looser, parts of the detection find more than they have room for: the contacts, whole as
 * they are, are the same on one thread and on four, whatever was found before. Those that are solved stay as they are
 * meanwhile. */
static void parts_grow(void **state) {
  (void)state;
  enum { N = 600, MOST = 40000 };
  static char text[200 * N];
  static sn_contact *list[MOST], before[MOST];
  int used = snprintf(text, sizeof text, "sinew: 1\nbodies: {");
  uint64_t seed = 5;
  for (int i = 0; i < N; i++)
    used +=
        snprintf(text + used, sizeof text - (size_t)used, "m%d: {type: point-mass, mass: 1, position: [%g, %g, %g]}, ",
                 i, noise(&seed), noise(&seed), noise(&seed));
  used += snprintf(text + used, sizeof text - (size_t)used, "}\nsurfaces: {");
  for (int i = 0; i < N; i++)
    used += snprintf(text + used, sizeof text - (size_t)used, "s%d: {type: sphere, on: m%d, radius: 0.05}, ", i, i);
  snprintf(text + used, sizeof text - (size_t)used, "}\ncontacts: {all: {method: dvi, activation: 0.01}}\n");
  fixture f;
  open_fixture(&f, text, NULL);
  sn_threads *threads = sn_threads_create(4);
  sn_contacts *several = sn_contacts_create(f.model);
  const double scale[] = {1, 0.5, 0.5, 2, 3, 0.5};
  int most = 0, solved = 0;
  for (size_t round = 0; round < SN_COUNT(scale); round++) {
    for (int k = 0; k < f.model->n; k++) f.state.q[k] *= scale[round];
    sn_contacts *one = sn_contacts_create(f.model);
    sn_contacts_detect(one, f.system->threads, f.state.q);
    sn_contacts_detect(several, threads, f.state.q);
    assert_int_equal(several->count, one->count);
    assert_in_range(one->count, 0, MOST);
    for (int i = 0; i < one->count; i++) assert_same(several->contact[i], one->contact[i]);
    sn_contacts_free(one);
    for (int i = 0; i < solved; i++) assert_same(&before[i], list[i]);
    most = several->count > most ? several->count : most;
    if (round % 2) continue;
    solved = several->count;
    for (int i = 0; i < solved; i++) before[i] = *(list[i] = several->contact[i]);
    sn_contacts_solved(several, solved, list);
  }
  assert_true(most > 10 * N);
  sn_threads_free(threads);
  sn_contacts_free(several);
  close_fixture(&f);
}

/* Forces of 1,000 contacts of cables, masses, rigid and floating bodies and the ground: on three threads the bits of
 * one, which are the sums of the forces contact by contact. */
static void forces_on_threads(void **state) {
  (void)state;
  enum { N = 240 };
  static char text[400 * N];
  static const char *const kinds[] = {"type: point-mass, mass: 1", "type: rigid, mass: 1, inertia: [1, 1, 1]",
                                      "type: cable, elements: 3, material: soft, section: round",
                                      "type: floating, elements: 2, material: soft, section: round"};
  int used = snprintf(text, sizeof text, HEAD "bodies: {");
  uint64_t seed = 9;
  for (int i = 0; i < N; i++) {
    const int kind = i % 20 == 0 ? 3 : i % 3;
    double x = noise(&seed), y = noise(&seed), z = noise(&seed);
    used += snprintf(text + used, sizeof text - (size_t)used, "b%d: {%s, ", i, kinds[kind]);
    used += snprintf(text + used, sizeof text - (size_t)used,
                     kind > 1 ? "from: [%g, %g, %g], to: [%g, %g, %g]}, " : "position: [%g, %g, %g]}, ", x, y, z,
                     x + 0.5, y + 0.1, z + 0.2);
  }
  used += snprintf(text + used, sizeof text - (size_t)used, "}\nsurfaces: {floor: {type: plane, normal: [0, 1, 0]}, ");
  for (int i = 0; i < N; i++)
    used += snprintf(text + used, sizeof text - (size_t)used,
                     i % 20 == 0 || i % 3 == 2 ? "s%d: {type: spheres, on: b%d, count: 9}, "
                                               : "s%d: {type: sphere, on: b%d, radius: 0.12}, ",
                     i, i);
  snprintf(text + used, sizeof text - (size_t)used,
           "}\ncontacts: {all: {stiffness: 1e3, damping: 0.3, friction: 0.4}}\n");
  fixture f;
  open_fixture(&f, text, NULL);
  const size_t n = (size_t)f.model->n;
  double *v = calloc(n, sizeof *v), *r = calloc(4 * n, sizeof *r), *sum = r + 3 * n;
  add_noise(&seed, 1, v, f.model->n);
  const sn_eval ev = {.q = f.state.q, .v = v};
  for (int k = 0; k < 3; k++) {
    sn_threads *threads = sn_threads_create(1 + k);
    sn_contacts *c = sn_contacts_create(f.model);
    sn_penalty_residual(c, threads, &ev, r + (size_t)k * n);
    assert_in_range(c->count, 600, 20000);
    assert_memory_equal(r, r + (size_t)k * n, n * sizeof *r);
    for (int i = 0; i < c->count && k == 0; i++) {
      double force[3], normal;
      sn_penalty_force(c, i, ev.q, v, force, &normal);
      for (int a = 0; a < 3; a++) force[a] = -force[a];
      sn_contact_apply(c, c->contact[i], ev.q, force, sum);
    }
    sn_contacts_free(c);
    sn_threads_free(threads);
  }
  for (int g = 0; g < f.model->groups; g++) { /* forces at anchors and at points differ along quaternions */
    const size_t at = (size_t)f.model->group_first[g] + 3;
    if (f.model->group_size[g] == 7) memcpy(sum + at, r + at, 4 * sizeof *r);
  }
  assert_below(distance(r, sum, f.model->n), 1e-9 * sqrt(inner(sum, sum, f.model->n)), "sum of the forces");
  free(v);
  free(r);
  close_fixture(&f);
}

/* A cable laid in a loop touches itself where it crosses, not at its neighbors; without self: nowhere. */
static void self_contact(void **state) {
  (void)state;
  for (int self = 0; self < 2; self++) {
    char text[600];
    fixture f;
    snprintf(text, sizeof text,
             HEAD
             "bodies: {line: {type: cable, elements: 24, material: soft, section: round, "
             "through: [[0, 0, 0], [1, 0, 0], [1.5, 0.5, 0.05], [1, 1, 0.08], [0.5, 0.5, 0.09], [0.5, -1, 0.09]]}}\n"
             "surfaces: {skin: {type: spheres, on: line, spacing: 0.02}}\n"
             "contacts: {all: {between: [skin], self: %s%s}}\n",
             self ? "true" : "false", self ? "" : ", against: [skin]");
    open_fixture(&f, text, NULL);
    sn_contacts *c = sn_contacts_create(f.model);
    sn_contacts_detect(c, f.system->threads, f.state.q);
    assert_in_range((uintmax_t)c->count, self ? 1 : 0, self ? 4 : 0);
    for (int i = 0; i < c->count; i++) {
      assert_below(fabs(c->contact[i]->point[0] - 0.5), 0.2, "where the loop crosses");
      assert_below(c->contact[i]->gap, 0, "gap");
    }
    sn_contacts_free(c);
    close_fixture(&f);
  }
}

/* A ball over a bent plate of 3 x 3 elements, from beyond one edge to beyond the other: with exact contact there is
 * always one contact, whose gap changes no faster than the ball moves, and is the least distance from a fine grid of
 * points of the surface, taken as the probes of the plate give them. */
static void over_a_plate(void **state) {
  (void)state;
  enum { STEPS = 1500, FINE = 61 };
  fixture f;
  open_fixture(
      &f,
      "sinew: 1\nmaterials: {soft: {density: 1200, young: 4e4}}\n"
      "bodies: {sheet: {type: plate, along: [0.6, 0, 0], across: [0, 0.5, 0], elements: [3, 3], thickness: 0.02, "
      "material: soft}, ball: {type: point-mass, mass: 1, position: [0, 0, 0.1]}}\n"
      "surfaces: {skin: {type: grid, on: sheet, count: [4, 4]}, fine: {type: grid, on: sheet, count: [61, 61]}, "
      "ball: {type: sphere, on: ball, radius: 0.1}}\n"
      "contacts: {all: {between: [ball], against: [skin], method: dvi, activation: 0.1, exact: true}, "
      "fine: {between: [ball], against: [fine], method: dvi, activation: 0.1}}\n",
      NULL);
  const sn_surfaces *s = f.model->surfaces;
  sn_contacts *c = sn_contacts_create(f.model);
  uint64_t seed = 3;
  double *q = f.state.q, before = NAN;
  int ball = f.model->body[2].first;
  assert_string_equal(f.model->body[2].name, "ball");
  for (int g = 0; g < f.model->groups; g++) /* bent: up and down by a few centimeters */
    if (f.model->group_size[g] == 9) {
      q[f.model->group_first[g] + 2] += 0.02 * noise(&seed);
      for (int k = 5; k < 9; k += 3) q[f.model->group_first[g] + k] += 0.15 * noise(&seed);
    }
  for (int i = 0; i <= STEPS; i++) {
    double x = -0.06 + 0.72 * i / STEPS;
    q[ball] = x, q[ball + 1] = 0.1 + 0.5 * x, q[ball + 2] = 0.13;
    sn_contacts_detect(c, f.system->threads, q);
    double gap = NAN, nearest = INFINITY;
    int exact = 0;
    for (int k = 0; k < c->count; k++) {
      const sn_contact *it = c->contact[k];
      bool spheres = it->side[0].sphere >= 0 && it->side[1].sphere >= 0;
      if (strcmp(s->law[it->law].name, "all") == 0) exact++, gap = it->gap;
      if (spheres && strcmp(s->law[it->law].name, "fine") == 0) nearest = fmin(nearest, it->gap);
    }
    assert_int_equal(exact, 1);
    assert_below(gap - nearest, 1e-12, "no nearer point, step %d", i);
    assert_below(nearest - gap, 6e-4, "some point as near, step %d",
                 i); /* half a diagonal of 0.01 across, (7e-3)^2/2/0.11 */
    if (i > 0) assert_below(fabs(gap - before), 6e-4, "gap at step %d", i); /* a step is 5.4e-4 long */
    before = gap;
  }
  sn_contacts_free(c);
  close_fixture(&f);
}

/* Which spheres of an element touch a floor: all by default; with exact and complementarity the closest point too. */
static void points(void **state) {
  (void)state;
  static const struct {
    const char *law;
    int contacts;
  } laws[] = {{"friction: 0", 17},
              {"points: all", 17},
              {"points: deepest", 4},
              {"method: dvi", 17},
              {"method: dvi, points: deepest", 4},
              {"method: dvi, exact: true", 21}};
  for (size_t k = 0; k < SN_COUNT(laws); k++) {
    char text[800];
    fixture f;
    snprintf(text, sizeof text,
             "sinew: 1\nmaterials: {rubber: {density: 1000, young: 1e7}}\nsections: {round: {type: circle, radius: "
             "0.01}}\nbodies: {rope: {type: cable, from: [0, 0, 0], to: [1, 0, 0], elements: 4, material: rubber, "
             "section: round}}\nsurfaces: {skin: {type: spheres, on: rope, count: 17}, floor: {type: plane, at: [0, "
             "-0.00999, 0], normal: [0, 1, 0]}}\ncontacts: {touch: {%s}}\n",
             laws[k].law);
    open_fixture(&f, text, NULL);
    sn_contacts_detect(f.system->contacts, f.system->threads, f.state.q);
    assert_int_equal(f.system->contacts->count, laws[k].contacts);
    close_fixture(&f);
  }
}

/* Two plates of four elements, face to face: every sphere of the grid touches by default, with any method. */
static void plates(void **state) {
  (void)state;
  static const struct {
    const char *law;
    int contacts;
  } laws[] = {{"friction: 0", 25}, {"method: dvi, activation: 0", 25}, {"points: deepest", 4}};
  for (size_t k = 0; k < SN_COUNT(laws); k++) {
    char text[1000];
    fixture f;
    snprintf(text, sizeof text,
             "sinew: 1\nmaterials: {rubber: {density: 1000, young: 1e7}}\nbodies: {low: {type: plate, at: [0, 0, 0], "
             "along: [1, 0, 0], across: [0, 1, 0], elements: [2, 2], thickness: 0.01, material: rubber}, high: {type: "
             "plate, at: [0, 0, 0.00999], along: [1, 0, 0], across: [0, 1, 0], elements: [2, 2], thickness: 0.01, "
             "material: rubber}}\nsurfaces: {a: {type: grid, on: low, count: [5, 5]}, b: {type: grid, on: high, count: "
             "[5, 5]}}\ncontacts: {touch: {%s}}\n",
             laws[k].law);
    open_fixture(&f, text, NULL);
    sn_contacts_detect(f.system->contacts, f.system->threads, f.state.q);
    assert_int_equal(f.system->contacts->count, laws[k].contacts);
    close_fixture(&f);
  }
}

/* Integrators hold the length of Euler parameters to a tolerance, and axes of bodies are as long. Of solids that stand on
 * each other exactly, where directions across an axis are those of rounding, no contact may notice: numbers, gaps, and
 * what normals have along the common axis are those of parameters of length 1. */
typedef struct seen {
  int count;
  double gap[2], along[2]; /* least, most */
} seen;

static void see_all(fixture *f, double length, seen *y) {
  static double q[14];
  sn_contacts *c = sn_contacts_create(f->model);
  assert_true(f->model->n <= 14);
  memcpy(q, f->state.q, (size_t)f->model->n * sizeof *q);
  for (int g = 0; g < f->model->groups; g++)
    for (int i = 3; i < f->model->group_size[g]; i++) q[f->model->group_first[g] + i] *= length;
  sn_contacts_detect(c, f->system->threads, q);
  *y = (seen){c->count, {INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
  for (int i = 0; i < c->count; i++) {
    y->gap[0] = fmin(y->gap[0], c->contact[i]->gap), y->gap[1] = fmax(y->gap[1], c->contact[i]->gap);
    y->along[0] = fmin(y->along[0], c->contact[i]->normal[2]),
    y->along[1] = fmax(y->along[1], c->contact[i]->normal[2]);
  }
  sn_contacts_free(c);
}

static void axes_of_any_length(void **state) {
  (void)state;
  static const char *const solids[] = {
      "type: cylinder, from: [-0.1, 0, 0], to: [0.1, 0, 0], radius: 0.15", "type: sphere, radius: 0.1",
      "type: cylinder, from: [-0.1, 0, 0], to: [0.1, 0, 0], radius: 0.02",
      "type: capsule, from: [-0.05, 0, 0], to: [0.05, 0, 0], radius: 0.05", "type: box, size: [0.2, 0.26, 0.34]"};
  static const double lengths[] = {1e-12, -1e-10, 1e-8, -1e-7, 1e-7, 1e-6};
  enum { SOLIDS = SN_COUNT(solids) };
  for (size_t i = 0; i < SOLIDS; i++)
    for (size_t k = 0; k <= SOLIDS; k++)                    /* on a plane, on the others, ... */
      for (int deep = 0; deep < (i == 1 ? 2 : 1); deep++) { /* ... the ball also within them */
        char text[1000], under[200] = "type: plane, normal: [0, 0, 1], at: [0, 0, 0.1], on: ground";
        if (k < SOLIDS) snprintf(under, sizeof under, "%s, on: b", solids[k]);
        snprintf(
            text, sizeof text,
            "sinew: 1\nbodies: {a: {type: rigid, position: [0, 0, %g], rotation: {axis: [0, 1, 0], angle: pi/2}, "
            "mass: 1, inertia: [1, 1, 1]}, b: {type: rigid, position: [0, 0, 0], rotation: {axis: [0, 1, 0], angle: "
            "pi/2}, mass: 1, inertia: [1, 1, 1]}}\nsurfaces: {a: {%s, on: a}, b: {%s}}\ncontacts: {all: "
            "{stiffness: 1e3, friction: 0.2}}\n",
            deep ? 0.07 : 0.199, solids[i], under);
        fixture f;
        seen is, was;
        open_fixture(&f, text, NULL);
        see_all(&f, 1, &was);
        assert_true(was.count > 0);
        for (size_t l = 0; l < SN_COUNT(lengths); l++) {
          const double small = 1e-9 + 2 * fabs(lengths[l]);
          see_all(&f, 1 + lengths[l], &is);
          if (i != k && is.count != was.count) /* coincident outlines: corners may count twice by rounding */
            fail_msg("%d in place of %d contacts: %s", is.count, was.count, text);
          for (int e = 0; e < 2; e++) {
            assert_below(fabs(is.gap[e] - was.gap[e]), small, "%g: gap, %s", lengths[l], text);
            assert_below(fabs(is.along[e] - was.along[e]), 10 * small, "%g: normal, %s", lengths[l], text);
          }
        }
        close_fixture(&f);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points),       cmocka_unit_test(rows),       cmocka_unit_test(forces_on_threads),
      cmocka_unit_test(search),       cmocka_unit_test(parts_grow), cmocka_unit_test(self_contact),
      cmocka_unit_test(over_a_plate), cmocka_unit_test(plates),     cmocka_unit_test(axes_of_any_length)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
