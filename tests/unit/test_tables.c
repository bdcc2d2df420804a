/* test_tables.c - tables of two arguments, tables and inputs from CSV files.
 *
 * References: bilinear functions, which both interpolations reproduce; products of splines of one argument; differences
 * for derivatives; the closed form of a motor with a falling torque. */
#include "base/expr.h"
#include "run/trial.h"
#include "support.h"

enum { NX = 5, NY = 4 };
static const double xs[NX] = {-1, 0, 0.5, 1.5, 3}, ys[NY] = {-2, -0.5, 1, 2.5};

static double bilinear(double x, double y) {
  return 0.7 + 1.3 * x - 0.4 * y + 0.9 * x * y;
}

static double f1(double x) {
  return sin(1.3 * x) + 0.2 * x;
}
static double f2(double y) {
  return cos(0.8 * y) - 0.3 * y;
}
static double product(double x, double y) {
  return f1(x) * f2(y);
}

typedef struct map {
  sn_arena arena;
  sn_grid grid;
  sn_table table;
  double z[NX * NY];
  const sn_expr *f;
} map;

/* map(u, v) with variables u and v */
static void make(map *m, double (*f)(double, double), bool cubic, sn_extrapolation outside) {
  static const char *const names[] = {"u", "v"};
  *m = (map){.grid = {.count = {NX, NY}, .x = {xs, ys}, .z = m->z}};
  for (int i = 0; i < NX * NY; i++) m->z[i] = f(xs[i / NY], ys[i % NY]);
  if (cubic) sn_grid_fit(&m->arena, &m->grid);
  m->table = (sn_table){.name = "map", .outside = outside, .grid = &m->grid};
  const sn_scope scope = {
      .tables = &m->table, .table_count = 1, .time_allowed = true, .variables = names, .variable_count = 2};
  sn_expr_error error;
  m->f = sn_expr_compile(&m->arena, "map(u, v)", 9, &scope, &error);
  assert_non_null(m->f);
}

static double at(const map *m, double x, double y) {
  return sn_expr_value_at(m->f, 0, (const double[2]){x, y});
}

static double random_between(double low, double high) {
  static unsigned state = 12345;
  state = state * 1103515245u + 12345u;
  return low + (high - low) * (double)(state >> 8) / (double)(1u << 24);
}

/* Both kinds reproduce what is linear in each argument, and with linear extrapolation everywhere. */
static void bilinear_functions_are_reproduced(void **state) {
  (void)state;
  for (int cubic = 0; cubic < 2; cubic++) {
    map m;
    make(&m, bilinear, cubic, SN_EXTRAPOLATE_LINEAR);
    for (int k = 0; k < 500; k++) {
      const double p[2] = {random_between(-4, 6), random_between(-5, 6)};
      double g[2];
      assert_below(fabs(sn_expr_gradient(m.f, 0, 2, p, g) - bilinear(p[0], p[1])), 1e-12, "value");
      assert_below(fabs(g[0] - 1.3 - 0.9 * p[1]), 1e-12, "df/dx");
      assert_below(fabs(g[1] + 0.4 - 0.9 * p[0]), 1e-12, "df/dy");
    }
    sn_arena_free(&m.arena);
  }
}

/* A cubic map of a product is the product of the splines of its factors. */
static void cubic_maps_are_products_of_splines(void **state) {
  (void)state;
  double u[NX], v[NY], mu[NX], mv[NY];
  for (int i = 0; i < NX; i++) u[i] = f1(xs[i]);
  for (int j = 0; j < NY; j++) v[j] = f2(ys[j]);
  sn_spline_fit(NX, xs, u, mu);
  sn_spline_fit(NY, ys, v, mv);
  for (int outside = 0; outside < 2; outside++) {
    map m;
    make(&m, product, true, (sn_extrapolation)outside);
    sn_table line[2] = {{.name = "a", .count = NX, .x = xs, .y = u, .m = mu, .outside = (sn_extrapolation)outside},
                        {.name = "b", .count = NY, .x = ys, .y = v, .m = mv, .outside = (sn_extrapolation)outside}};
    static const char *const names[] = {"u", "v"};
    const sn_scope scope = {.tables = line, .table_count = 2, .variables = names, .variable_count = 2};
    sn_expr_error error;
    const sn_expr *both = sn_expr_compile(&m.arena, "a(u)*b(v)", 9, &scope, &error);
    assert_non_null(both);
    for (int k = 0; k < 500; k++) { /* along a curved path through the map */
      const sn_jet p[2] = {{random_between(-3, 5), random_between(-1, 1), random_between(-1, 1)},
                           {random_between(-4, 5), random_between(-1, 1), random_between(-1, 1)}};
      const sn_jet y = sn_expr_along(m.f, (sn_jet){0}, p), exact = sn_expr_along(both, (sn_jet){0}, p);
      assert_below(fabs(y.value - exact.value), 1e-12, "value");
      assert_below(fabs(y.rate - exact.rate), 1e-12, "first derivative");
      assert_below(fabs(y.accel - exact.accel), 1e-11, "second derivative");
    }
    sn_arena_free(&m.arena);
  }
}

static void extrapolation_follows_its_rule(void **state) {
  (void)state;
  map m;
  make(&m, product, true, SN_EXTRAPOLATE_HOLD);
  assert_below(fabs(at(&m, 9, 0.3) - at(&m, 3, 0.3)), 1e-14, "beyond x");
  assert_below(fabs(at(&m, -9, 9) - at(&m, -1, 2.5)), 1e-14, "beyond both");
  sn_arena_free(&m.arena);
  make(&m, product, false, SN_EXTRAPOLATE_ERROR);
  assert_true(isnan(at(&m, 3.0001, 0.3)) && isnan(at(&m, 1, -2.1)) && isfinite(at(&m, 3, 2.5)) &&
              isfinite(at(&m, -1, -2)));
  sn_arena_free(&m.arena);
}

/* Bounds over an interval of time contain all values there, and are smooth where a path stays in one cell. */
static void bounds_contain_the_function(void **state) {
  (void)state;
  static const char text[] = "map(2*sin(t) + 1, 3*cos(1.7*t))";
  for (int outside = 0; outside < 2; outside++) {
    for (int cubic = 0; cubic < 2; cubic++) {
      map m;
      make(&m, product, cubic, (sn_extrapolation)outside);
      const sn_scope scope = {.tables = &m.table, .table_count = 1, .time_allowed = true};
      sn_expr_error error;
      const sn_expr *f = sn_expr_compile(&m.arena, text, strlen(text), &scope, &error);
      assert_non_null(f);
      int smooth = 0;
      for (int k = 0; k < 300; k++) {
        const double from = random_between(0, 6), to = from + random_between(1e-3, 0.3);
        const sn_taylor y = sn_expr_taylor(f, from, to, 3);
        smooth += y.smooth;
        for (int i = 0; i <= 20; i++) {
          const double value = sn_expr_value(f, from + (to - from) * i / 20);
          assert_true(value >= y.c[0].low - 1e-12 && value <= y.c[0].high + 1e-12);
          if (y.smooth) assert_true(sn_expr_jet(f, from + (to - from) * i / 20).rate <= y.c[1].high + 1e-9);
        }
      }
      assert_true(smooth > 100);
      sn_arena_free(&m.arena);
    }
  }
}

/* ---- models ---- */

static void write_file(const char *path, const char *text) {
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  fputs(text, out);
  assert_int_equal(fclose(out), 0);
}

/* J w' = T(w, u) = (8 + 40 u) - (0.2 + 0.5 u) w at constant u: w = w1 (1 - exp(-k t/J)), w1 = T0/k. The map is bilinear,
 * so the table has it exactly; u comes from a column of a file. In space the hinge is the only freedom. */
static void motor_with_a_map_runs_up(void **state) {
  (void)state;
  char csv[256], text[2048], map_file[256];
  snprintf(csv, sizeof csv, "%s/throttle.csv", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  snprintf(map_file, sizeof map_file, "%s/map.csv", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  write_file(csv, "# measured\n\ntime;\"throttle position\";other\n0;0.6;1\n1;0.6;2\r\n2;0.6;3\n");
  write_file(map_file, "speed,0,1\n0,8,48\n50,-2,13\n200,-32,-92\n");
  static const char *const tables[] = {
      "x: [0, 50, 200], y: [0, 1], z: [[8, 48], [-2, 13], [-32, -92]]",
      "x: [0, 50, 200], y: [0, 1], interpolation: linear, z: [[8, 48], [-2, 13], [-32, -92]]", "form: grid, file: "};
  for (size_t i = 0; i < SN_COUNT(tables); i++) {
    snprintf(
        text, sizeof text,
        "sinew: 1\ntables: {torque: {%s%s}}\ninputs: {u: {file: %s, column: throttle position, range: [0, 1]}}\n"
        "bodies: {rotor: {type: rigid, position: [0, 0, 0], mass: 1, inertia: [1, 1, 0.25]}}\njoints: {axle: {type: "
        "revolute, between: "
        "[ground, rotor.center]}}\nforces: {drive: {type: moment, at: rotor.center, moment: [0, 0, 'torque(axle.rate, "
        "u)']}}\noutputs: {axle: {joint: axle}}\nanalysis: {type: dynamics, duration: 1, output_step: 0.1}\n",
        tables[i], i == 2 ? map_file : "", csv);
    sn_options options = {.integrator = "radau", .tolerance = 1e-9};
    run r;
    open_run(&r, text, &options);
    advance(&r, 1);
    double y[4];
    read_output(&r, "axle", y, 2);
    const double k = 0.2 + 0.5 * 0.6, w1 = (8 + 40 * 0.6) / k;
    assert_below(fabs(y[1] - w1 * (1 - exp(-k / 0.25))), 1e-6, "speed");
    close_run(&r);
  }
  remove(csv);
  remove(map_file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bilinear_functions_are_reproduced), cmocka_unit_test(cubic_maps_are_products_of_splines),
      cmocka_unit_test(extrapolation_follows_its_rule),    cmocka_unit_test(bounds_contain_the_function),
      cmocka_unit_test(motor_with_a_map_runs_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
