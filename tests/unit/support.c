/* support.c - see support.h. */
#include "support.h"

#include "analysis/companion.h"

/* ---- models ---- */

sn_model *parse(sn_context *context, const char *text) {
  sn_model *model = NULL;
  size_t length = strlen(text);
  bool file = length > 5 && strcmp(text + length - 5, ".yaml") == 0;
  if (file ? sn_model_load(context, text, NULL, 0, &model)
           : sn_model_parse(context, "case", text, length, NULL, 0, &model))
    fail_msg("%s", sn_message(context));
  return model;
}

void open_fixture(fixture *f, const char *text, const char *solver) {
  *f = (fixture){.context = sn_context_create()};
  f->model = parse(f->context, text);
  if (sn_system_create(f->model, 1, solver, &f->system)) fail_msg("%s", sn_message(f->context));
  sn_state_create(f->system, &f->state);
  sn_state_create(f->system, &f->base);
  memcpy(f->state.q, f->model->q0, (size_t)f->model->n * sizeof(double));
  memcpy(f->state.v, f->model->v0, (size_t)f->model->n * sizeof(double));
}

void close_fixture(fixture *f) {
  sn_system_free(f->system);
  sn_model_free(f->model);
  sn_context_free(f->context);
}

void open_run(run *r, const char *model, const sn_options *options) {
  *r = (run){.context = sn_context_create()};
  r->model = parse(r->context, model);
  if (sn_simulation_create(r->model, options, &r->simulation)) fail_msg("%s", sn_message(r->context));
}

void close_run(run *r) {
  sn_simulation_free(r->simulation);
  sn_model_free(r->model);
  sn_context_free(r->context);
}

void advance(run *r, double time) {
  if (sn_advance(r->simulation, time)) fail_msg("%s", sn_message(r->context));
}

double go_to(run *r, double time) {
  advance(r, time);
  return sn_time(r->simulation);
}

/* As a run that is recorded. */
static void record_row(sn_simulation *s, sn_row *row) {
  sn_sample(s, sn_time(s), row);
  sn_companion_row(s, row);
}

sn_verdict verdict_of(run *r, sn_status expected) {
  sn_row row;
  sn_simulation *s = r->simulation;
  sn_row_create(s, &row);
  record_row(s, &row);
  sn_status status = SN_OK;
  while (!status && !sn_all_finished(s)) {
    status = sn_step(s);
    if (!status) record_row(s, &row);
  }
  if (status != expected) fail_msg("%s", sn_message(r->context));
  return sn_judge(s, status);
}

void run_to_end(run *r, const char *model) {
  open_run(r, model, NULL);
  if (sn_run(r->simulation)) fail_msg("%s", sn_message(r->context));
}

void read_output(run *r, const char *output, double *y, size_t count) {
  double all[32] = {0};
  assert_true(sn_read(r->simulation, output, all, SN_COUNT(all)) >= count);
  memcpy(y, all, count * sizeof(double));
}

double energy_error_of(run *r) {
  double e[SN_ENERGIES];
  read_output(r, "energy", e, SN_ENERGIES);
  return fabs(e[SN_E_ERROR]);
}

/* ---- numbers ---- */

double noise(uint64_t *seed) { /* xorshift64* */
  if (*seed == 0) *seed = 88172645463325252u;
  *seed ^= *seed >> 12;
  *seed ^= *seed << 25;
  *seed ^= *seed >> 27;
  return (double)((*seed * 2685821657736338717u) >> 11) / 4503599627370496.0 - 1; /* 53 bits over 2^52 */
}

void add_noise(uint64_t *seed, double size, double *x, int count) {
  for (int i = 0; i < count; i++) x[i] += size * noise(seed);
}

double largest(const double *x, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = isnan(x[i]) ? INFINITY : fmax(most, fabs(x[i]));
  return most;
}

double distance(const double *x, const double *y, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = isnan(x[i] - y[i]) ? INFINITY : fmax(most, fabs(x[i] - y[i]));
  return most;
}

double inner(const double *x, const double *y, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += x[i] * y[i];
  return sum;
}

void difference(fixture *f, vector_function function, int size, double *x, double h, double *slope) {
  double *low = calloc((size_t)(4 * size), sizeof(double)), *high = low + size, x0 = *x;
  double *D[2] = {low + 2 * size, low + 3 * size}; /* at h and h/2 */
  for (int k = 0; k < 3; k++, h /= 2) {
    *x = x0 + h;
    double up = *x;
    function(f, high);
    *x = x0 - h;
    function(f, low);
    for (int i = 0; i < size; i++) slope[i] = (high[i] - low[i]) / (up - *x);
    if (k < 2) memcpy(D[k], slope, (size_t)size * sizeof(double));
  }
  *x = x0;
  for (int i = 0; i < size; i++) {
    double first = (4 * D[1][i] - D[0][i]) / 3, second = (4 * slope[i] - D[1][i]) / 3;
    slope[i] = (16 * second - first) / 15;
  }
  free(low);
}

void take_base(fixture *f) {
  sn_state_copy(f->system, &f->base, &f->state);
  f->s = 0;
}

void move_along(fixture *f) {
  const sn_state *b = &f->base;
  double s = f->s;
  f->state.t = b->t + s;
  for (int i = 0; i < f->model->n; i++) {
    f->state.q[i] = b->q[i] + s * b->v[i] + s * s / 2 * b->a[i];
    f->state.v[i] = b->v[i] + s * b->a[i];
  }
}

double *dense(const sn_matrix *A) {
  size_t rows = (size_t)A->rows;
  double *y = calloc(rows * rows, sizeof(double)), *e = calloc(rows, sizeof(double));
  for (size_t j = 0; j < rows; j++) {
    e[j] = 1;
    sn_matrix_multiply(A, e, y + rows * j);
    e[j] = 0;
  }
  free(e);
  return y;
}

void check_below(double value, double limit, const char *file, int line, const char *format, ...) {
  char text[256];
  va_list arguments;
  if (value <= limit) return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  print_error("%s: %.3g, allowed %.3g\n", text, value, limit);
  _fail(file, line);
}

long readable_rows(const char *path, const sn_series *whole) {
  sn_context *context = sn_context_create();
  sn_result *result;
  long rows = -1;
  if (sn_is_result(path)) {
    if (sn_result_open(context, path, &result)) fail_msg("%s", sn_message(context));
    for (const char *const *name = sn_result_names(result); *name; ++name)
      if (!sn_result_series(result, *name)) fail_msg("%s: %s", *name, sn_message(context));
    const sn_series *t = sn_result_time(result);
    rows = (long)t->count;
    assert_true(t->count <= whole->count);
    for (long i = 0; i < rows; ++i) assert_true(t->value[i] == whole->value[i]);
    sn_result_free(result);
  }
  sn_context_free(context);
  return rows;
}

/* ---- attacks ---- */

long attack_count(long usual) {
  const char *wanted = getenv("TORTURE_COUNT");
  const long count = wanted ? strtol(wanted, NULL, 10) : 0;
  return count > 0 ? count : usual;
}

uint64_t attack_seed(void) {
  const char *wanted = getenv("TORTURE_SEED");
  return 88172645463325252u ^ (wanted ? strtoull(wanted, NULL, 10) : 0);
}

void attack_tally(long tried, long survived) {
  print_message("tried %ld, survived %ld\n", tried, survived);
  assert_int_equal(tried, survived);
}

double observed_order(const char *model, const char *method, double h, double duration, const char *const *outputs,
                      int columns) {
  double y[3][18] = {0};
  for (int k = 0; k < 3; k++) {
    char settings[100], text[4000];
    run r;
    snprintf(settings, sizeof settings, method, h / (1 << k));
    snprintf(text, sizeof text, "%sanalysis: {type: dynamics, duration: %g, integrator: {type: %s}}\n", model, duration,
             settings);
    run_to_end(&r, text);
    for (int i = 0; outputs[i]; i++) {
      double all[6];
      assert_in_range(i, 0, 2);
      read_output(&r, outputs[i], all, 6);
      memcpy(y[k] + i * columns, all, (size_t)columns * sizeof(double));
    }
    close_run(&r);
  }
  return log2(distance(y[0], y[1], 18) / distance(y[1], y[2], 18));
}
