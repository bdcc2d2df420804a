/* test_shapes.c - every solid of solids.def: what a sphere sees of it, its bounds and its core agree with each other. */
#include <math.h>

#include "contact/solid.h"
#include "math/quat.h"
#include "support.h"

static uint64_t seed = 7;

/* A pyramid over a rectangle, one of whose corners is cut off. */
static sn_arena arena;
static const sn_hull *pyramid(void) {
  static const double x[][3] = {{0.5, 0.3, -0.2},  {-0.5, 0.3, -0.2}, {-0.5, -0.3, -0.2}, {0.5, -0.1, -0.2},
                                {0.3, -0.3, -0.2}, {0.1, 0, 0.4},     {0, 0, 0}};
  static const sn_hull *hull;
  if (!hull) hull = sn_hull_of(&arena, SN_COUNT(x), x);
  return hull;
}

static void add_hull(sn_item *item) {
  if (item->shape != SN_ITEM_CONVEX) return;
  item->hull = pyramid();
  item->core[0] = sn_hull_inside(&arena, item->hull, SN_ROUNDED * item->hull->inside);
  item->core[1] = sn_hull_inside(&arena, item->hull, SN_SHARP * item->hull->inside);
  item->reach = item->hull->outside;
}

/* A solid of some size, turned and moved. */
static void example(sn_item_shape shape, sn_item *item, sn_solid_place *place) {
  *item = (sn_item){.shape = shape, .half = {0.5, 0.3, 0.2}, .radius = 0.3, .reach = 0.5};
  add_hull(item);
  double p[4] = {noise(&seed), noise(&seed), noise(&seed), noise(&seed)};
  double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
  for (int k = 0; k < 4; k++) p[k] /= length;
  for (int k = 0; k < 3; k++) {
    double e[3] = {k == 0, k == 1, k == 2};
    sn_quat_rotate(p, e, place->axis[k]);
    place->center[k] = noise(&seed);
  }
}

static sn_view view_at(const sn_item *item, const sn_solid_place *place, const double c[3], int k, double step) {
  double x[3] = {c[0], c[1], c[2]};
  sn_view view;
  x[k] += step;
  sn_see(item, place, x, &view);
  return view;
}

/* The normal is the gradient of the distance, P that of the normal; smooth places only. */
static void check_derivatives(const sn_item *item, const sn_solid_place *place, const double c[3], const sn_view *v) {
  static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
  const double h = 1e-6;
  for (int k = 0; k < 3; k++) {
    sn_view plus = view_at(item, place, c, k, h), minus = view_at(item, place, c, k, -h);
    double turn[3];
    bool smooth = true;
    for (int m = 0; m < 3; m++) {
      double right = plus.n[m] - v->n[m], left = v->n[m] - minus.n[m];
      turn[m] = (right + left) / (2 * h);
      smooth = smooth && fabs(right - left) < 1e-3 * h + 1e-9;
    }
    if (!smooth) continue;
    assert_below(fabs((plus.distance - minus.distance) / (2 * h) - v->n[k]), 1e-8, "shape %d: n", (int)item->shape);
    for (int m = 0; m < 3; m++) assert_below(fabs(turn[m] - v->P[at[m][k]]), 1e-4, "shape %d: P", (int)item->shape);
  }
}

static void test_views(void **state) {
  (void)state;
  for (sn_item_shape shape = 1; shape < SN_ITEM_SHAPES; shape++)
    for (int i = 0; i < 3000; i++) {
      sn_item item;
      sn_solid_place place;
      sn_view v, on;
      double c[3], low[3], high[3];
      example(shape, &item, &place);
      for (int k = 0; k < 3; k++) c[k] = place.center[k] + noise(&seed);
      sn_see(&item, &place, c, &v);
      assert_below(fabs(sn_norm(v.n) - 1), 1e-12, "shape %d: |n|", (int)shape);
      if (v.distance < 0.01) continue;
      check_derivatives(&item, &place, c, &v);
      sn_axpy(c, -v.distance, v.n); /* the nearest point is on the surface, and within the bounds */
      sn_see(&item, &place, c, &on);
      assert_below(fabs(on.distance), 1e-12, "shape %d: nearest point", (int)shape);
      if (!sn_solids[shape]->bound) continue;
      sn_solids[shape]->bound(&item, &place, low, high);
      for (int k = 0; k < 3; k++) assert_true(c[k] > low[k] - 1e-12 && c[k] < high[k] + 1e-12);
    }
}

/* Along any direction the core with its margin reaches as far as the solid, less where an edge is rounded: nothing of it
 * is outside, and its distance from the surface is below that of the rounding. */
static void test_cores(void **state) {
  (void)state;
  for (sn_item_shape shape = 1; shape < SN_ITEM_SHAPES; shape++)
    for (int i = 0; sn_solids[shape]->core && i < 1000; i++) {
      sn_item item;
      sn_solid_place place;
      sn_view v;
      double m[3] = {noise(&seed), noise(&seed), noise(&seed)}, x[3];
      example(shape, &item, &place);
      sn_core core = {.center = place.center, .axis = (const double(*)[3])place.axis};
      sn_copy(core.half, item.half);
      const double rounded = i % 2 ? SN_SHARP : SN_ROUNDED;
      sn_solids[shape]->core(&item, rounded, &core);
      if (!(sn_normalize(m) > 0.1)) continue;
      sn_core_support(&core, m, NULL, x);
      sn_axpy(x, core.margin, m);
      sn_see(&item, &place, x, &v);
      assert_below(v.distance, 1e-12, "shape %d: core outside", (int)shape);
      double sharp = shape == SN_ITEM_CONVEX ? 3 : 1; /* the tip of the pyramid */
      assert_below(-v.distance, sharp * rounded * sn_solid_size(&item), "shape %d: core inside", (int)shape);
    }
}

/* A half space is without bounds and core; all others have these and lie on planes. */
static void test_tables(void **state) {
  (void)state;
  for (sn_item_shape shape = 1; shape < SN_ITEM_SHAPES; shape++) {
    const sn_solid_ops *s = sn_solids[shape];
    sn_item item = {.shape = shape, .half = {0.5, 0.3, 0.2}, .radius = 0.3};
    add_hull(&item);
    bool plane = isinf(s->size(&item));
    assert_true(s->see && plane == !s->bound && plane == !s->core && plane == !s->on_plane);
    assert_true(s->size(&item) > 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_views),
                                     cmocka_unit_test(test_cores)};
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  sn_arena_free(&arena);
  return failed;
}
