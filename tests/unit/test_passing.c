/* test_passing.c - by complementarity solids go past edges of each other that they do not meet within a step, and are
 * stopped by those that they meet. */
#include "support.h"

#define HULL                                                                                                        \
  "{type: convex, points: [[-0.06, -0.05, -0.03], [0.06, -0.05, -0.03], [0.06, 0.05, -0.03], [-0.06, 0.05, -0.03]," \
  " [-0.06, -0.05, 0.03], [0.06, -0.05, 0.03], [0.06, 0.05, 0.03], [-0.06, 0.05, 0.03]]}"

static const struct {
  const char *name, *surface, *shape;
  double tilt; /* about y: a cylinder stands on its end */
} sliders[] = {
    {"box", "box", "{type: box, size: [0.12, 0.1, 0.06]}", 0},
    {"hull", "convex", HULL, 0},
    {"cylinder", "cylinder", "{type: cylinder, radius: 0.06, length: 0.06}", PI / 2},
};

typedef struct scene {
  double turn, above; /* about the vertical; height over the first tile */
  double curb;        /* how much higher the others are */
  double gravity, step, duration;
} scene;

/* A body 0.06 m high, moved along x at 2 m/s over tiles of 0.25 m, the first from -0.5 to 0; its position and velocity at
 * the end. */
static void slide(size_t k, const scene *s, double x[16]) {
  char text[3000], tiles[1200] = "";
  run r;
  for (int i = 0; i < 4; i++) {
    size_t n = strlen(tiles);
    snprintf(tiles + n, sizeof tiles - n, "  t%d: {type: box, size: [0.25, 0.5, 0.1], at: [%g, 0, %.15g]}\n", i,
             0.125 + 0.25 * i, s->curb - 0.05);
  }
  snprintf(
      text, sizeof text,
      "sinew: 1\ngravity: [0, 0, %g]\nbodies:\n  b: {type: rigid, position: [-0.3, 0, %.15g], density: 1000, shape: "
      "%s, rotation: {axis: [0, %d, %d], angle: %.15g}, velocity: [2, 0, 0]}\nsurfaces:\n  b: {type: %s, on: b}\n"
      "  f: {type: box, size: [0.5, 0.5, 0.1], at: [-0.25, 0, -0.05]}\n%scontacts: {all: {method: dvi}}\noutputs: "
      "{b: {point: b.center}}\nanalysis: {type: dynamics, duration: 1, integrator: {type: symplectic-euler, step: "
      "%g}}\n",
      -s->gravity, 0.03 + s->above, sliders[k].shape, sliders[k].tilt > 0, !(sliders[k].tilt > 0),
      sliders[k].tilt > 0 ? sliders[k].tilt : s->turn, sliders[k].surface, tiles, s->step);
  open_run(&r, text, NULL);
  advance(&r, s->duration);
  assert_true(sn_read(r.simulation, "b", x, 16) >= 6);
  close_run(&r);
}

/* Nothing changes where tiles of the same height meet: a residual of 1e-6 m/s leaves 1e-9 m per step of 1 ms. */
static void slides_over_joints(void **state) {
  (void)state;
  static const double steps[] = {1e-2, 3e-3, 1e-3, 2e-4}, turns[] = {0, 0.4, PI / 4};
  for (size_t k = 0; k < SN_COUNT(sliders); k++)
    for (size_t i = 0; i < SN_COUNT(steps); i++)
      for (size_t j = 0; j < SN_COUNT(turns); j++) {
        double x[16];
        slide(k, &(scene){.turn = turns[j], .gravity = 9.81, .step = steps[i], .duration = 0.5}, x);
        assert_below(fabs(x[3] - 2), 1e-5, "%s, turned by %g, step %g: speed", sliders[k].name, turns[j], steps[i]);
        assert_below(fabs(x[2] - 0.03), 1e-5 * steps[i], "%s, turned by %g, step %g: height", sliders[k].name, turns[j],
                     steps[i]);
      }
}

/* Above an edge by less than a step goes forward: the motion is free. */
static void passes_edges(void **state) {
  (void)state;
  static const double heights[] = {1e-5, 1e-4, 5e-4};
  for (size_t k = 0; k < SN_COUNT(sliders); k++)
    for (size_t i = 0; i < SN_COUNT(heights); i++)
      for (int j = 0; j < 5; j++) {
        double x[16];
        slide(k, &(scene){.turn = 0.2 * j, .above = heights[i], .step = 1e-3 + 1.3e-4 * j, .duration = 0.5}, x);
        assert_below(fabs(x[3] - 2) + fabs(x[4]) + fabs(x[5]), 1e-9, "%s at %g over an edge", sliders[k].name,
                     heights[i]);
      }
}

/* The box, by separating axes, and the hull of its corners, by closest points, meet a curb alike: edge on edge, corner on
 * side. */
static void meets_curbs(void **state) {
  (void)state;
  static const double curbs[] = {1e-4, 1e-3, 1e-2}, turns[] = {0, 0.4, PI / 4};
  for (size_t i = 0; i < SN_COUNT(curbs); i++)
    for (size_t j = 0; j < SN_COUNT(turns); j++) {
      const scene s = {.turn = turns[j], .curb = curbs[i], .gravity = 9.81, .step = 1e-4, .duration = 0.2};
      double box[16], hull[16];
      slide(0, &s, box);
      slide(1, &s, hull);
      assert_below(box[0], -0.03, "turned by %g, curb %g: the box goes on", turns[j], curbs[i]);
      for (int m = 0; m < 3; m++)
        assert_below(fabs(hull[m] - box[m]), 3e-4, "turned by %g, curb %g: component %d of box and hull", turns[j],
                     curbs[i], m);
    }
}

/* A ball of radius 5 mm, thrown along x at 20 m/s past what is at the origin; its velocity after 0.05 s. */
static void throw(const char *skin, double height, double e, double step, double x[16]) {
  char text[2000];
  run r;
  snprintf(text, sizeof text,
           "sinew: 1\ngravity: [0, 0, 0]\nbodies:\n  b: {type: rigid, position: [-0.303, 0, %.15g], mass: 0.01, shape: "
           "{type: sphere, radius: 0.005}, velocity: [20, 0, 0]}\n  w: {type: rigid, position: [0, 0, 0], mass: 0.02, "
           "inertia: [1e-6, 1e-6, 1e-6]}\nsurfaces:\n  b: {type: sphere, on: b}\n  w: {%s, on: w}\ncontacts: {all: "
           "{method: dvi, restitution: %g}}\noutputs: {b: {point: b.center}}\nanalysis: {type: dynamics, duration: 1, "
           "integrator: {type: symplectic-euler, step: %g}}\n",
           height, skin, e, step);
  open_run(&r, text, NULL);
  advance(&r, 0.05);
  assert_true(sn_read(r.simulation, "b", x, 16) >= 6);
  close_run(&r);
}

static const double throws[] = {1e-3, 5.3e-4, 2.1e-4, 1e-4};

/* Up to four radii in a step, past a sphere, the edge of a box and the side of a cylinder. */
static void balls_pass(void **state) {
  (void)state;
  static const struct {
    const char *skin;
    double half;
  } things[] = {{"type: sphere, radius: 0.005", 0.005},
                {"type: box, size: [0.05, 0.05, 0.05]", 0.025},
                {"type: cylinder, from: [0, 0, -0.025], to: [0, 0, 0.025], radius: 0.025", 0.025},
                {"type: cylinder, from: [0, -0.1, 0], to: [0, 0.1, 0], radius: 0.01", 0.01}};
  for (size_t k = 0; k < SN_COUNT(things); k++)
    for (size_t i = 0; i < SN_COUNT(throws); i++)
      for (int j = 0; j < 4; j++) {
        double x[16];
        throw(things[k].skin, things[k].half + 0.005 + 1e-4 * (1 + j * j * j), 0.9, throws[i], x);
        assert_below(fabs(x[3] - 20) + fabs(x[4]) + fabs(x[5]), 1e-9, "past %s, step %g", things[k].skin, throws[i]);
      }
}

/* Two balls of radii r meet with the offset b: along n = (-sqrt(1 - s^2), 0, s), s = b/(2 r), the velocity changes by
 * (1 + e) v n_x m2/(m1 + m2). */
static void balls_meet(void **state) {
  (void)state;
  for (size_t i = 0; i < SN_COUNT(throws); i++)
    for (int j = 0; j < 5; j++) {
      const double s = 0.19 * j, nx = -sqrt(1 - s * s), e = 0.8, change = -(1 + e) * 20 * nx * 2 / 3;
      double x[16];
      throw("type: sphere, radius: 0.005", 0.01 * s, e, throws[i], x);
      assert_below(hypot(x[3] - 20 - change * nx, x[5] - change * s), 0.02, "offset %g, step %g", s, throws[i]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(slides_over_joints), cmocka_unit_test(passes_edges),
                                     cmocka_unit_test(meets_curbs), cmocka_unit_test(balls_pass),
                                     cmocka_unit_test(balls_meet)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
