/* test_solids.c - contact between rigid solids of all shapes: where, how deep, and what follows.
 *
 * Gaps are compared with an independent method: solids rounded by 0.1 % of their smallest size have support functions in
 * closed form, h(n) = sum half |n.e| + radius |n across e| + margin, and the gap is the largest n.(c0 - c1) - h0 - h1
 * over all directions n.
 */
#include "contact/contact.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "support.h"

/* ---- two solids at random places ---- */

typedef struct solid {
  const char *surface;           /* without the body */
  double half[3], round, margin; /* of the support function */
} solid;

static const solid rod = {"{type: cylinder, from: [-0.3, 0, 0], to: [0.3, 0, 0], radius: 0.1", {0.2999}, 0.0999, 1e-4};
static const solid coin = {
    "{type: cylinder, from: [-0.05, 0, 0], to: [0.05, 0, 0], radius: 0.2", {0.04995}, 0.19995, 5e-5};
static const solid brick = {"{type: box, size: [0.5, 0.3, 0.2]", {0.2499, 0.1499, 0.0999}, 0, 1e-4};
static const solid pill = {"{type: capsule, from: [-0.25, 0, 0], to: [0.25, 0, 0], radius: 0.08", {0.25}, 0, 0.08};

static const struct {
  const char *name;
  const solid *a, *b;
} pairs[] = {
    {"two rods", &rod, &rod},        {"rod and coin", &rod, &coin},     {"two coins", &coin, &coin},
    {"rod and brick", &rod, &brick}, {"coin and brick", &coin, &brick}, {"rod and pill", &rod, &pill},
    {"coin and pill", &coin, &pill}, {"two pills", &pill, &pill},       {"pill and brick", &pill, &brick},
};

static void open_pair(fixture *f, size_t k, const char *law) {
  char text[1500];
  snprintf(text, sizeof text,
           "sinew: 1\nbodies: {a: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}, "
           "b: {type: rigid, position: [1, 1, 0], mass: 1, inertia: [1, 1, 1]}}\nsurfaces: {a: %s, on: a}, b: %s, on: "
           "b}}\ncontacts: {all: {%s}}\n",
           pairs[k].a->surface, pairs[k].b->surface, law);
  open_fixture(f, text, NULL);
}

static double support(const solid *s, double (*axis)[3], const double n[3]) {
  double sum = s->margin, along = sn_dot(n, axis[0]);
  for (int k = 0; k < 3; k++) sum += s->half[k] * fabs(sn_dot(n, axis[k]));
  return sum + s->round * sqrt(fmax(0, 1 - along * along));
}

static double along_normal(size_t k, const double *q, const double n[3], bool first) {
  double d[3], axis[2][3][3];
  sn_sub(d, q, q + 7);
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < 3; i++) {
      double e[3] = {i == 0, i == 1, i == 2};
      sn_quat_rotate(q + 7 * b + 3, e, axis[b][i]);
    }
  return (first ? 1 : -1) * sn_dot(d, n) - support(pairs[k].a, axis[0], n) - support(pairs[k].b, axis[1], n);
}

static void product(const double p[4], const double q[4], double y[4]) {
  y[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  y[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  y[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
  y[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}

static void random_pose(uint64_t *seed, double *q) {
  for (int b = 0; b < 2; b++) {
    double *p = q + 7 * b + 3, size = 0;
    while (!(size > 0.1 && size < 1)) {
      for (int i = 0; i < 4; i++) p[i] = noise(seed);
      size = sqrt(inner(p, p, 4));
    }
    for (int i = 0; i < 4; i++) p[i] /= size;
    for (int i = 0; i < 3; i++) q[7 * b + i] = noise(seed);
  }
}

/* How far x is outside of a solid. */
static double outside(const solid *s, const double *q, const double x[3]) {
  double d[3], beyond[3], e[3], w[3];
  sn_sub(d, x, q);
  for (int i = 0; i < 3; i++) {
    e[0] = i == 0, e[1] = i == 1, e[2] = i == 2;
    sn_quat_rotate(q + 3, e, w);
    beyond[i] = sn_dot(d, w);
  }
  double across = hypot(beyond[1], beyond[2]);
  if (s->round > 0) return hypot(fmax(0, fabs(beyond[0]) - s->half[0]), fmax(0, across - s->round)) - s->margin;
  for (int i = 0; i < 3; i++) beyond[i] = fmax(0, fabs(beyond[i]) - s->half[i]);
  return sn_norm(beyond) - s->margin;
}

/* The largest distance along normals near n. */
static double farthest(size_t k, const double *q, const double start[3], bool first) {
  double n[3], value = along_normal(k, q, start, first);
  sn_copy(n, start);
  for (double step = 0.1; step > 1e-7;) {
    bool better = false;
    for (int i = 0; i < 16; i++) {
      double t[3], u[3], w[3];
      sn_frame(n, u, w);
      sn_copy(t, n);
      sn_axpy(t, step * cos(PI / 8 * i), u);
      sn_axpy(t, step * sin(PI / 8 * i), w);
      sn_normalize(t);
      double there = along_normal(k, q, t, first);
      if (there > value) value = there, better = true, sn_copy(n, t);
    }
    if (!better) step /= 2;
  }
  return value;
}

static const sn_contact *walk_together(const fixture *f, sn_contacts *c, uint64_t *seed, double gap, bool beside) {
  double *q = f->state.q, way[3];
  const sn_contact *x = NULL;
  random_pose(seed, q);
  if (beside) { /* axes parallel, but for little */
    double size = 0;
    for (int i = 3; i < 7; i++) q[i] = q[7 + i] + 0.005 * noise(seed), size += q[i] * q[i];
    for (int i = 3; i < 7; i++) q[i] /= sqrt(size);
  }
  sn_sub(way, q, q + 7);
  sn_normalize(way);
  sn_copy(q, q + 7);
  sn_axpy(q, 0.75, way);
  for (int i = 0; i < 400; i++) {
    sn_contacts_detect(c, f->system->threads, q);
    x = sn_contacts_deepest(c);
    double step = x ? x->gap - gap : 0.002;
    if (fabs(step) < 1e-10) break;
    sn_axpy(q, -step, way);
  }
  return x;
}

/* Two solids that nearly touch: the points of the deepest contact lie in both, so they are no farther apart than its
 * gap; along a normal they are apart by that much, so they are no nearer. One point is exact; where lines and faces
 * share a contact among several, the deepest of these may miss the very deepest point by a part of the size. So may one
 * point where solids overlap by more than their edges are rounded (the last of the four gaps): normals are then those of
 * rounder solids. */
static void gaps(void **state) {
  (void)state;
  static const double to[4] = {0.03, 0.002, -5e-5, -0.001};
  for (size_t k = 0; k < SN_COUNT(pairs); k++) {
    fixture f;
    open_pair(&f, k, "method: dvi, activation: 0.1");
    sn_contacts *c = sn_contacts_create(f.model);
    uint64_t seed = 3 + k;
    int several = 0;
    for (int trial = 0; trial < 300; trial++) {
      /* random poses hardly ever lay lines beside lines */
      bool lines = pairs[k].a != &coin && pairs[k].b != &coin && pairs[k].b != &brick;
      const sn_contact *x = walk_together(&f, c, &seed, to[trial % 4], lines && trial % 10 == 9);
      double a[3], b[3], *q = f.state.q;
      assert_non_null(x);
      for (int i = 0; i < 3; i++) {
        a[i] = x->point[i] + x->gap / 2 * x->normal[i];
        b[i] = x->point[i] - x->gap / 2 * x->normal[i];
      }
      bool first = x->side[0].item == 0, one = (x->key & 0xffff) == 0, exact = one && trial % 4 < 3;
      double apart = one ? along_normal(k, q, x->normal, first) : farthest(k, q, x->normal, first);
      assert_below(fabs(apart - x->gap), exact ? 1e-8 : 1e-3, "%s %d: gap", pairs[k].name, trial);
      assert_below(outside(pairs[k].a, q, first ? a : b), exact ? 1e-6 : 4e-3, "%s %d: first", pairs[k].name, trial);
      assert_below(outside(pairs[k].b, q + 7, first ? b : a), exact ? 1e-6 : 4e-3, "%s %d: second", pairs[k].name,
                   trial);
      several += !one;
    }
    assert_in_range(several, 1, 299); /* both kinds were there */
    sn_contacts_free(c);
    close_fixture(&f);
  }
}

/* Integrators hold the length of Euler parameters to a tolerance: the gap moves by no more than that, for all pairs,
 * faces on faces and lines too. */
static void lengths(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(pairs); k++) {
    fixture f;
    open_pair(&f, k, "method: dvi, activation: 0.1");
    sn_contacts *c = sn_contacts_create(f.model);
    uint64_t seed = 11 + k;
    for (int trial = 0; trial < 200; trial++) {
      double gap[2], *q = f.state.q;
      if (!walk_together(&f, c, &seed, 0.001, trial % 2)) continue;
      for (int m = 0; m < 2; m++) {
        for (int i = 3; m && i < 7; i++) q[i] *= 1 + 3e-8, q[7 + i] *= 1 - 2e-8;
        sn_contacts_detect(c, f.system->threads, q);
        gap[m] = sn_contacts_deepest(c)->gap;
      }
      assert_below(fabs(gap[1] - gap[0]), 1e-6, "%s %d: gap", pairs[k].name, trial);
    }
    sn_contacts_free(c);
    close_fixture(&f);
  }
}

/* Slowly through each other along a line while turning: the gap moves by no more than the solids do, through points,
 * lines and faces; the normal does not matter. */
static void continuity(void **state) {
  (void)state;
  enum { STEPS = 4000 };
  for (size_t k = 0; k < SN_COUNT(pairs); k++) {
    fixture f;
    open_pair(&f, k, "method: dvi, activation: 0.1");
    sn_contacts *c = sn_contacts_create(f.model);
    uint64_t seed = 31 + k;
    for (int trial = 0; trial < 4; trial++) {
      double q[14], before = NAN;
      int met = 0;
      random_pose(&seed, q);
      memset(q, 0, 3 * sizeof *q);
      for (int i = 0; i <= STEPS; i++) {
        double s = 2.0 * i / STEPS - 1, angle = 0.5 * s, turn[4] = {cos(angle), 0.6 * sin(angle), 0.8 * sin(angle), 0};
        double pose[14];
        memcpy(pose, q, sizeof pose);
        pose[7] = 0.6 * s, pose[8] = 0.22, pose[9] = 0.1 * s;
        product(turn, q + 10, pose + 10);
        sn_contacts_detect(c, f.system->threads, pose);
        const sn_contact *x = sn_contacts_deepest(c);
        if (!x || x->gap < -0.003) {
          before = NAN;
          continue;
        }
        met++;
        /* the center moves by 0.64 in all, the farthest point by 0.3 and an angle of 1 more */
        if (!isnan(before)) assert_below(fabs(x->gap - before), 8e-4, "%s: step %d", pairs[k].name, i);
        before = x->gap;
      }
      assert_true(met > 100);
    }
    sn_contacts_free(c);
    close_fixture(&f);
  }
}

/* Forces and moments on the two bodies cancel, and turning and moving all turns and moves them: penalty, friction and
 * damping. */
static void balance(void **state) {
  (void)state;
  for (size_t k = 0; k < SN_COUNT(pairs); k++) {
    fixture f;
    open_pair(&f, k, "friction: 0.4, damping: 0.05, stiffness: 1e5, slip: 0.1");
    sn_contacts *c = sn_contacts_create(f.model);
    uint64_t seed = 71 + k;
    for (int trial = 0; trial < 50; trial++) {
      double v[14], total[3] = {0}, moment[3] = {0}, *q = f.state.q, sum = 0, size = 0;
      const sn_contact *x = walk_together(&f, c, &seed, -0.001, false);
      assert_non_null(x);
      for (int i = 0; i < 14; i++) v[i] = noise(&seed);
      for (int b = 0; b < 2; b++) {
        double *p = q + 7 * b + 3, *pd = v + 7 * b + 3, along = inner(p, pd, 4);
        for (int i = 0; i < 4; i++) pd[i] -= along * p[i];
      }
      for (int b = 0; b < 2; b++) {
        double *p = q + 7 * b + 3, r[14] = {0}, w[3], arm[3];
        for (int i = 0; i < c->count; i++) {
          const sn_contact *const *list;
          int loaded = sn_contacts_loaded(c, f.system->threads, q, v, &list);
          assert_int_equal(loaded, c->count);
          sn_contact_apply(c, list[i], q, list[i]->force, r);
        }
        /* r = (f, G'm), G' with orthogonal columns of length 2 for unit quaternions: m = G r/4, in global axes */
        const double *g = r + 7 * b + 3;
        double s[3] = {-p[1] * g[0] + p[0] * g[1] - p[3] * g[2] + p[2] * g[3],
                       -p[2] * g[0] + p[3] * g[1] + p[0] * g[2] - p[1] * g[3],
                       -p[3] * g[0] - p[2] * g[1] + p[1] * g[2] + p[0] * g[3]};
        sn_cross(arm, q + 7 * b, r + 7 * b);
        sn_axpy(total, 1, r + 7 * b);
        for (int i = 0; i < 3; i++) w[i] = s[i] / 2 + arm[i];
        sn_axpy(moment, 1, w);
        size = fmax(size, sn_norm(r + 7 * b));
      }
      assert_true(size > 1e-3);
      assert_below(sn_norm(total) / size, 1e-13, "%s: sum of forces", pairs[k].name);
      assert_below(sn_norm(moment) / size, 1e-12, "%s: sum of moments", pairs[k].name);
      /* all of it turned and moved */
      double turn[4] = {0.5, -0.1, 0.7, 0.5}, there[14], gap = x->gap, n[3], at[3], back[3];
      int count = c->count;
      for (int i = 0; i < 4; i++) sum += turn[i] * turn[i];
      for (int i = 0; i < 4; i++) turn[i] /= sqrt(sum);
      sn_quat_rotate(turn, x->normal, n);
      sn_quat_rotate(turn, x->point, at);
      at[0] += 2, at[1] -= 1;
      for (int b = 0; b < 2; b++) {
        sn_quat_rotate(turn, q + 7 * b, there + 7 * b);
        there[7 * b] += 2, there[7 * b + 1] -= 1;
        product(turn, q + 7 * b + 3, there + 7 * b + 3);
      }
      uint64_t key = x->key;
      sn_contacts_detect(c, f.system->threads, there);
      assert_int_equal(c->count, count);
      for (int i = 0; i < count; i++) {
        if (c->contact[i]->key != key) continue;
        assert_below(fabs(c->contact[i]->gap - gap), 1e-12, "%s: gap of turned solids", pairs[k].name);
        sn_sub(back, c->contact[i]->normal, n);
        assert_below(sn_norm(back), 1e-7, "%s: normal of turned solids", pairs[k].name);
        sn_sub(back, c->contact[i]->point, at);
        assert_below(sn_norm(back), 1e-6, "%s: point of turned solids", pairs[k].name);
      }
    }
    sn_contacts_free(c);
    close_fixture(&f);
  }
}

/* Two rods that cross at an angle touch where their axes are closest, a closed form. */
static void crossing(void **state) {
  (void)state;
  fixture f;
  open_pair(&f, 0, "stiffness: 1e5");
  sn_contacts *c = sn_contacts_create(f.model);
  for (double angle = 0.3; angle < 1.6; angle += 0.2) {
    double *q = f.state.q, e[3] = {cos(angle), sin(angle), 0};
    memset(q, 0, 14 * sizeof *q);
    q[3] = 1, q[10] = cos(angle / 2), q[13] = sin(angle / 2);
    /* axis 0 along x at height 0.195, axis 1 through 0.1 e, so that they cross at (0.06, 0) */
    q[2] = 0.195, q[0] = 0.01, q[7] = 0.06 - 0.1 * e[0], q[8] = -0.1 * e[1];
    sn_contacts_detect(c, f.system->threads, q);
    assert_int_equal(c->count, 1);
    const sn_contact *x = c->contact[0];
    const double point[3] = {0.06, 0, 0.0975};
    double d[3];
    sn_sub(d, x->point, point);
    assert_below(sn_norm(d), 1e-10, "point of contact at %g", angle);
    assert_below(fabs(x->gap + 0.005), 1e-12, "gap");
    assert_below(fabs(x->normal[2] - 1), 1e-12, "normal");
  }
  sn_contacts_free(c);
  close_fixture(&f);
}

/* ---- what follows ---- */

static const char *const methods[2] = {"stiffness: 1e7, damping: 50, slip: 1e-4", "method: dvi"},
                         *const integrators[2] = {"{type: hht-i3, tolerance: 1e-6}",
                                                  "{type: symplectic-euler, step: 5e-4, contact_tolerance: 1e-9, "
                                                  "contact_iterations: 5000}"};

/* A body of 2 kg on something fixed to the ground; the slope turns gravity. */
static void open_rest(run *r, int method, double slope, double mu, double duration, const char *bodies,
                      const char *surfaces) {
  char text[4000];
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [%.12g, %.12g, 0]\nbodies: {%s}\nsurfaces: {%s}\ncontacts: {all: {friction: %g, %s}}\n"
           "outputs: {b: {point: b.center}, f: {contact: [b, ground]}}\n"
           "analysis: {type: dynamics, duration: %g, integrator: %s}\n",
           9.81 * sin(slope), -9.81 * cos(slope), bodies, surfaces, mu, methods[method], duration, integrators[method]);
  open_run(r, text, NULL);
}

static void place_of(run *r, double x[6]) {
  double all[16];
  assert_true(sn_read(r->simulation, "b", all, 16) >= 6);
  memcpy(x, all, 6 * sizeof *x);
}

#define BODY(position, rotation, radius, length)                        \
  "b: {type: rigid, position: " position ", rotation: {axis: " rotation \
  ", angle: pi/2}, mass: 2, shape: {type: cylinder, radius: " radius ", length: " length "}}"
#define TABLE "table: {type: box, at: [0, -0.1, 0], size: [4, 0.2, 1]}, "

static const struct {
  const char *name, *bodies, *surfaces;
  double height;
} rests[] = {
    {"cylinder that lies on a box", BODY("[0.3, 0.1, 0]", "[0, 1, 0]", "0.1", "0.4"),
     TABLE "b: {type: cylinder, on: b}", 0.1},
    {"cylinder that stands on a box", BODY("[0.3, 0.2, 0]", "[0, 0, 1]", "0.1", "0.4"),
     TABLE "b: {type: cylinder, on: b}", 0.2},
    {"cylinder that stands on a narrow box", BODY("[0, 0.2, 0]", "[0, 0, 1]", "0.1", "0.4"),
     "table: {type: box, at: [0, -0.1, 0], size: [4, 0.2, 0.06], rotation: {axis: [0, 1, 0], angle: 0.2}}, "
     "b: {type: cylinder, on: b}",
     0.2},
    {"cylinder that stands on a cylinder", BODY("[0.03, 0.2, 0]", "[0, 0, 1]", "0.1", "0.4"),
     "table: {type: cylinder, from: [0, -0.2, 0], to: [0, 0, 0], radius: 0.09}, b: {type: cylinder, on: b}", 0.2},
    {"capsule that lies on the end of a cylinder", BODY("[0.03, 0.1, 0]", "[0, 1, 0]", "0.1", "0.1"),
     "table: {type: cylinder, from: [0, -0.2, 0], to: [0, 0, 0], radius: 0.2}, b: {type: capsule, on: b}", 0.1},
};

/* Rest: they stay where they are, and the ground carries their weight. */
static void rest(void **state) {
  (void)state;
  for (int method = 0; method < 2; method++)
    for (size_t k = 0; k < SN_COUNT(rests); k++) {
      run r;
      double begin[6], end[6], force[16], most = 0;
      open_rest(&r, method, 0, 0.5, 0.6, rests[k].bodies, rests[k].surfaces);
      place_of(&r, begin);
      for (int i = 1; i <= 6; i++) {
        advance(&r, 0.1 * i);
        place_of(&r, end);
        most = fmax(most, hypot(end[0] - begin[0], end[2] - begin[2]));
      }
      sn_read(r.simulation, "f", force, 16);
      assert_below(most, 1e-4, "%s %d: sideways", rests[k].name, method);
      assert_below(fabs(end[1] - rests[k].height), 2e-4, "%s %d: height", rests[k].name, method);
      assert_below(fabs(force[1] / (2 * 9.81) - 1), 1e-3, "%s %d: weight", rests[k].name, method);
      close_run(&r);
    }
}

/* Lines on lines: a capsule lies along between two fixed cylinders that lie side by side. */
static void line_on_lines(void **state) {
  (void)state;
  for (int method = 0; method < 2; method++) {
    run r;
    double x[6];
    /* centers in a triangle with edges of 0.2, base 0.24: height sqrt(0.04 - 0.0144) = 0.16 */
    open_rest(&r, method, 0, 0.3, 0.5, BODY("[0, 0.16, 0]", "[0, 1, 0]", "0.1", "0.4"),
              "left: {type: cylinder, from: [-0.12, 0, -0.3], to: [-0.12, 0, 0.1], radius: 0.1}, "
              "right: {type: cylinder, from: [0.12, 0, -0.3], to: [0.12, 0, 0.3], radius: 0.1}, b: {type: capsule, on: "
              "b}");
    advance(&r, 0.5);
    place_of(&r, x);
    assert_below(hypot(x[0], x[2]), 1e-5, "sideways, %d", method);
    assert_below(fabs(x[1] - 0.16), 2e-4, "height, %d", method);
    close_run(&r);
  }
}

/* A cylinder rolls down a box with 2/3 g sin, as long as friction is enough: tan <= 3 mu. A coin that stands on it
 * stays below the friction angle and slides above with g (sin - mu cos). */
static void incline(void **state) {
  (void)state;
  static const double slopes[3] = {0.4, 0.28, 0.45};
  for (int method = 0; method < 2; method++)
    for (int k = 0; k < 3; k++) {
      run r;
      double x[6], speed, mu = 0.3, a = slopes[k], t;
      open_rest(
          &r, method, a, mu, 0.6,
          k ? BODY("[-1.5, 0.02, 0]", "[0, 0, 1]", "0.1", "0.04") : BODY("[-1.5, 0.1, 0]", "[0, 1, 0]", "0.1", "0.4"),
          TABLE "b: {type: cylinder, on: b}");
      advance(&r, 0.2);
      place_of(&r, x);
      speed = x[3], t = sn_time(r.simulation);
      advance(&r, 0.6);
      place_of(&r, x);
      double acceleration = (x[3] - speed) / (sn_time(r.simulation) - t);
      /* dvi is of first order: 4.3 h, the same for a sphere on a plane */
      if (k == 0)
        assert_below(fabs(acceleration / (2.0 / 3 * 9.81 * sin(a)) - 1), method ? 2.5e-3 : 1e-3, "rolling, %d", method);
      if (k == 1) assert_below(fabs(x[0] + 1.5), method ? 1e-5 : 1e-4, "sticking, %d", method);
      if (k == 2) assert_below(fabs(acceleration / (9.81 * (sin(a) - mu * cos(a))) - 1), 2e-3, "sliding, %d", method);
      assert_below(fabs(x[1] - (k ? 0.02 : 0.1)), 1e-3, "height, %d", method);
      close_run(&r);
    }
}

/* Cylinders that stand on each other, on a box. */
static void stack(void **state) {
  (void)state;
  enum { HIGH = 6 };
  for (int method = 0; method < 2; method++) {
    char bodies[2000], surfaces[1000];
    run r;
    int used = snprintf(bodies, sizeof bodies, BODY("[0, 0.05, 0]", "[0, 0, 1]", "0.1", "0.1"));
    int more = snprintf(surfaces, sizeof surfaces, TABLE "b: {type: cylinder, on: b}");
    for (int i = 1; i < HIGH; i++) {
      used += snprintf(bodies + used, sizeof bodies - (size_t)used,
                       ", c%d: {type: rigid, position: [%g, %g, 0], rotation: {axis: [0, 0, 1], angle: pi/2}, mass: 2, "
                       "shape: {type: cylinder, radius: 0.1, length: 0.1}}",
                       i, i % 2 ? 0.01 : 0, 0.05 + 0.1 * i);
      more += snprintf(surfaces + more, sizeof surfaces - (size_t)more, ", c%d: {type: cylinder, on: c%d}", i, i);
    }
    open_rest(&r, method, 0, 0.5, 0.5, bodies, surfaces);
    advance(&r, 0.5);
    const double *q = r.simulation->state.q;
    for (int i = 0; i < HIGH; i++) {
      assert_below(hypot(q[7 * i] - (i % 2 ? 0.01 : 0), q[7 * i + 2]), 1e-4, "cylinder %d sideways, %d", i, method);
      assert_below(fabs(q[7 * i + 1] - 0.05 - 0.1 * i), 1e-3, "cylinder %d height, %d", i, method);
    }
    double force[16];
    sn_read(r.simulation, "f", force, 16);
    assert_below(fabs(force[1] / (HIGH * 2 * 9.81) - 1), 2e-3, "weight of all, %d", method);
    close_run(&r);
  }
}

/* Solids that stand on a plane and lean by 1e-16 to 1e-6 rad, as they do at rest: every point that touches is as deep as
 * the face, up to the lean times its distance from the middle. */
static void standing(void **state) {
  (void)state;
  static const struct {
    const solid *solid;
    double turn[4], height, reach; /* reach: from the middle of the face to its corners or rim */
  } cases[] = {{&coin, {0.70710678118654752, 0, -0.70710678118654752, 0}, 0.05, 0.2},
               {&brick, {1, 0, 0, 0}, 0.1, 0.29154759474226502}};
  uint64_t seed = 3;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    fixture f;
    char text[800];
    snprintf(
        text, sizeof text,
        "sinew: 1\nbodies: {a: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 1]}}\nsurfaces: {a: %s, "
        "on: a}, floor: {type: plane, normal: [0, 0, 1]}}\ncontacts: {all: {young: 1e8}}\n",
        cases[k].solid->surface);
    open_fixture(&f, text, NULL);
    for (int trial = 0; trial < 2000; trial++) {
      double *q = f.state.q, lean = pow(10, -11 + 5 * noise(&seed)), angle = 3 * noise(&seed);
      double tilt[4] = {1, lean / 2 * cos(angle), lean / 2 * sin(angle), 0};
      const sn_contacts *c = f.system->contacts;
      q[0] = q[1] = 0, q[2] = cases[k].height - 1e-5;
      const double *b = cases[k].turn, *a = tilt;
      q[3] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
      q[4] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3];
      q[5] = a[0] * b[2] + a[2] * b[0] - a[1] * b[3];
      q[6] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
      sn_contacts_detect(f.system->contacts, f.system->threads, q);
      int touching = 0;
      for (int i = 0; i < c->count; i++) {
        if (c->contact[i]->gap > 0.01) continue; /* the other end */
        touching++;
        assert_below(fabs(c->contact[i]->gap + 1e-5), 1.01 * cases[k].reach * lean + 1e-15, "case %zu, lean %g", k,
                     lean);
      }
      assert_true(touching >= 4);
    }
    close_fixture(&f);
  }
}

/* A box slides at 0.8 m/s over the edge of a table, friction 0.2, and tips over it from x = -mu c on, where the pressure
 * reaches the edge: its bottom x sin a + z cos a = c then slides on the edge, N e3 - mu N e1 acts there, until N = 0 at
 * 0.3175 s. The reference is a solution of these plane equations by an independent Runge-Kutta code. */
static void over_an_edge(void **state) {
  (void)state;
  static const double end[] = {0.104838, -0.080419, 1.172281}; /* x, z, angle at 0.4 s */
  run r;
  open_run(&r,
           "sinew: 1\ngravity: [0, 0, -9.81]\nbodies: {b: {type: rigid, position: [-0.1, 0, 0.05], mass: 1, shape: "
           "{type: box, size: [0.2, 0.1, 0.1]}, velocity: [0.8, 0, 0]}}\nsurfaces: {table: {type: box, size: [2, 1, "
           "0.2], at: [-1, 0, -0.1]}, s: {type: box, on: b}}\ncontacts: {c: {method: dvi, friction: 0.2}}\nanalysis: "
           "{type: dynamics, duration: 0.4, integrator: {type: symplectic-euler, step: 1e-4}}\n",
           NULL);
  advance(&r, 0.4);
  const double *q = r.simulation->state.q;
  double angle = 2 * atan2(q[5], q[3]);
  assert_below(fabs(q[0] - end[0]), 3e-4, "x");
  assert_below(fabs(q[2] - end[1]), 3e-4, "z");
  assert_below(fabs(angle - end[2]), 2e-3, "angle");
  close_run(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gaps),          cmocka_unit_test(lengths),     cmocka_unit_test(continuity),
      cmocka_unit_test(balance),       cmocka_unit_test(crossing),    cmocka_unit_test(rest),
      cmocka_unit_test(line_on_lines), cmocka_unit_test(incline),     cmocka_unit_test(stack),
      cmocka_unit_test(standing),      cmocka_unit_test(over_an_edge)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
