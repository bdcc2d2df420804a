/* test_study.c - studies: samples, overrides of the integrator, cases and their tables. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/settings.h"
#include "study/cases.h"
#include "support.h"

/* ---- a study in memory ---- */

typedef struct reading {
  sn_context *context;
  sn_arena arena;
  sn_study *study;
} reading;

static void open_study(reading *r, const char *text) {
  *r = (reading){.context = sn_context_create()};
  if (sn_read_study(r->context, &r->arena, "study.yaml", text, strlen(text), &r->study))
    fail_msg("%s", sn_message(r->context));
}

static void close_study(reading *r) {
  sn_arena_free(&r->arena);
  sn_context_free(r->context);
}

#define HEAD "sinew: 1\nmodel: m.yaml\n"

/* ---- samples ---- */

static void grid(void **state) {
  (void)state;
  static const char *const exact[] = {"2", "4", "8", "16"};
  const sn_value *v;
  reading r;
  open_study(&r, HEAD "vary: {n: 2:16:log4, kind: [a, b], x: {from: 0, to: 1, count: 3}}");
  assert_int_equal(sn_sample_cases(r.study, &r.arena, &v), 24);
  for (int i = 0; i < 24; i++) { /* the last changes fastest */
    assert_string_equal(v[3 * i].text, exact[i / 6]);
    assert_true(v[3 * i].number == strtod(exact[i / 6], NULL));
    assert_string_equal(v[3 * i + 1].text, i / 3 % 2 ? "b" : "a");
    assert_true(isnan(v[3 * i + 1].number));
    assert_true(v[3 * i + 2].number == 0.5 * (i % 3));
  }
  close_study(&r);
  open_study(&r, HEAD "vary: {E: 2e5:2e11:log7, angle: 'pi/2, 1'}");
  assert_int_equal(sn_sample_cases(r.study, &r.arena, &v), 14);
  static const double moduli[] = {2e5, 2e6, 2e7, 2e8, 2e9, 2e10, 2e11};
  for (int i = 0; i < 7; i++) assert_true(v[4 * i].number == moduli[i]);
  assert_string_equal(v[24].text, "200000000000");
  assert_below(fabs(v[1].number - PI / 2), 0, "an expression is a number");
  close_study(&r);
}

/* Methods with settings of their own, in both ways of writing. */
static void methods(void **state) {
  (void)state;
  const sn_value *v;
  reading r;
  open_study(&r, HEAD "vary: {integrator: [hht-i3, {type: newmark, delta: 0.1, solver: ldl}]}");
  assert_int_equal(sn_sample_cases(r.study, &r.arena, &v), 2);
  assert_string_equal(v[1].text, "{type: newmark, delta: 0.1, solver: ldl}");
  close_study(&r);
  open_study(&r, HEAD "vary: {integrator: 'hht-i3,{type: newmark, delta: 0.1},radau5', x: 'atan2(1, 2), 3'}");
  assert_int_equal(sn_sample_cases(r.study, &r.arena, &v), 6);
  assert_string_equal(v[4].text, "{type: newmark, delta: 0.1}");
  assert_below(fabs(v[1].number - atan2(1, 2)), 0, "a comma in brackets");
  close_study(&r);
}

static void list(void **state) {
  (void)state;
  const sn_value *v;
  reading r;
  open_study(&r, HEAD "vary: {a: [1, 2, 3], b: 10:30:3}\nsample: list");
  assert_int_equal(sn_sample_cases(r.study, &r.arena, &v), 3);
  for (int i = 0; i < 3; i++) assert_true(v[2 * i].number == i + 1 && v[2 * i + 1].number == 10 * (i + 1));
  close_study(&r);
}

/* Uniform, in the logarithm where asked; the same for the same seed; a larger sample goes on. */
static void random_samples(void **state) {
  (void)state;
  enum { count = 2000 };
  const sn_value *v, *w, *other;
  double mean[2] = {0};
  int ones = 0;
  reading r, s, t;
  open_study(&r, HEAD "vary: {x: 3:5, y: 1:100:log, k: [1, 2]}\nsample: {type: random, count: 2000, seed: 7}");
  open_study(&s, HEAD "vary: {x: 3:5, y: 1:100:log, k: [1, 2]}\nsample: {type: random, count: 100, seed: 7}");
  open_study(&t, HEAD "vary: {x: 3:5, y: 1:100:log, k: [1, 2]}\nsample: {type: random, count: 100, seed: 8}");
  assert_int_equal(sn_sample_cases(r.study, &r.arena, &v), count);
  assert_int_equal(sn_sample_cases(s.study, &s.arena, &w), 100);
  assert_int_equal(sn_sample_cases(t.study, &t.arena, &other), 100);
  for (int i = 0; i < 300; i++) assert_true(v[i].number == w[i].number);
  assert_true(w[0].number != other[0].number);
  for (int i = 0; i < count; i++) {
    assert_true(v[3 * i].number >= 3 && v[3 * i].number <= 5);
    mean[0] += v[3 * i].number / count;
    mean[1] += log10(v[3 * i + 1].number) / count;
    ones += v[3 * i + 2].number == 1;
  }
  double limit = 4 / sqrt(12.0 * count); /* four standard deviations of the mean of uniform numbers */
  assert_below(fabs(mean[0] - 4) / 2, limit, "mean of x");
  assert_below(fabs(mean[1] - 1) / 2, limit, "mean of log y");
  assert_below(fabs((double)ones / count - 0.5), 4 / sqrt(4.0 * count), "share of ones");
  close_study(&r), close_study(&s), close_study(&t);
}

/* Every part of every range once; no two things in step. */
static void latin_hypercube(void **state) {
  (void)state;
  enum { count = 200 };
  const sn_value *v;
  reading r;
  open_study(&r, HEAD
             "vary: {x: 0:200, y: {from: 1, to: 1e4, scale: log}, n: {from: 1, to: 8, whole: true}}\n"
             "sample: {type: latin-hypercube, count: 200}");
  assert_int_equal(sn_sample_cases(r.study, &r.arena, &v), count);
  int seen[2][count] = {{0}};
  double product = 0;
  for (int i = 0; i < count; i++) {
    double u[2] = {v[3 * i].number / count, log10(v[3 * i + 1].number) / 4};
    for (int k = 0; k < 2; k++) seen[k][(int)(u[k] * count)]++;
    product += (u[0] - 0.5) * (u[1] - 0.5) * 12 / count; /* correlation */
    assert_true(v[3 * i + 2].number == round(v[3 * i + 2].number));
  }
  for (int i = 0; i < count; i++) assert_true(seen[0][i] == 1 && seen[1][i] == 1);
  assert_below(fabs(product), 4 / sqrt(count), "correlation");
  close_study(&r);
}

/* ---- overrides of the integrator ---- */

#define MASS                                                                                                    \
  "sinew: 1\nparameters: {k: 4, c: 0}\n"                                                                        \
  "bodies: {m: {type: point-mass, mass: 1, position: [1, 0, 0], velocity: [0, 0, 0]}}\n"                        \
  "forces: {s: {type: spring, between: [\"ground.at(-10, 0, 0)\", m], stiffness: k, damping: c, length: 10}}\n" \
  "outputs: {m: {point: m}}\n"

static void assert_settings(const char *analysis, const char *const *sets, size_t count, const char *name, double step,
                            double tolerance, double alpha) {
  char text[1024];
  sn_context *context = sn_context_create();
  sn_model *model;
  snprintf(text, sizeof text, MASS "analysis: %s\n", analysis);
  if (sn_model_parse(context, "m", text, strlen(text), sets, count, &model)) fail_msg("%s", sn_message(context));
  const sn_list *list = &model->document->list[SN_ANALYSES];
  for (int i = 0; i < list->count; i++) {
    if (strcmp(list->item[i]->kind->name, "dynamics") != 0) continue;
    const sn_dynamics_spec *d = (const sn_dynamics_spec *)(const void *)list->item[i];
    const sn_integrator_spec *s = (const sn_integrator_spec *)(const void *)d->integrator;
    assert_string_equal(s->spec.kind->name, name);
    assert_true(s->step == step && s->tolerance == tolerance && sn_number_of(d->integrator, "alpha") == alpha);
  }
  sn_model_free(model);
  sn_context_free(context);
}

static void settings(void **state) {
  (void)state;
  const char *given = "{type: dynamics, duration: 1, integrator: {type: hht-i3, alpha: -0.2, step: 1e-3}}";
  assert_settings(given, (const char *[]){"integrator.alpha=-k/40"}, 1, "hht-i3", 1e-3, 1e-5, -0.1);
  assert_settings(given, (const char *[]){"integrator.tolerance=1e-7"}, 1, "hht-i3", 0, 1e-7, -0.2);
  assert_settings(given, (const char *[]){"integrator=hht-i3"}, 1, "hht-i3", 1e-3, 1e-5, -0.2);
  assert_settings(given, (const char *[]){"integrator.step=2e-3", "integrator=radau5"}, 2, "radau5", 2e-3, 1e-5, 0);
  assert_settings(given, (const char *[]){"integrator={type: newmark, step: k/100}"}, 1, "newmark", 0.04, 1e-5, 0);
  assert_settings("{type: dynamics, duration: 1, integrator: hht-i3}", (const char *[]){"integrator.alpha=-0.3"}, 1,
                  "hht-i3", 0, 1e-5, -0.3);
  assert_settings("{type: dynamics, duration: 1, integrator: radau5}", (const char *[]){"integrator.step=1e-2"}, 1,
                  "radau5", 1e-2, 1e-5, 0);
  assert_settings("[{type: statics}, {type: dynamics, duration: 1}, {type: dynamics, duration: 2}]",
                  (const char *[]){"integrator=radau5"}, 1, "radau5", 0, 1e-5, 0);
}

/* ---- cases ---- */

typedef struct folder {
  reading reading;
  sn_sweep *cases;
  char path[64];
} folder;

static void open_folder(folder *f, const char *model, const char *study) {
  sn_model *m;
  open_study(&f->reading, study);
  sn_context *context = f->reading.context;
  if (!f->path[0]) {
    snprintf(f->path, sizeof f->path, "/tmp/sinew-study-XXXXXX");
    assert_non_null(mkdtemp(f->path));
  }
  if (sn_model_parse(context, "m", model, strlen(model), NULL, 0, &m)) fail_msg("%s", sn_message(context));
  if (sn_check_study(context, &f->reading.arena, f->reading.study, m)) fail_msg("%s", sn_message(context));
  sn_model_free(m);
  if (sn_sweep_open(context, f->reading.study, model, strlen(model), f->path, &f->cases))
    fail_msg("%s", sn_message(context));
}

static void close_folder(folder *f, bool remove_it) {
  char command[128];
  sn_sweep_free(f->cases);
  close_study(&f->reading);
  if (!remove_it) return;
  snprintf(command, sizeof command, "rm -rf %s", f->path);
  assert_int_equal(system(command), 0);
}

static void run_all(folder *f) {
  for (int i = 0; i < f->cases->count; i++) {
    sn_outcome o;
    if (sn_case_finished(f->cases, i)) continue;
    assert_int_equal(sn_case_run(f->cases, i, NULL, NULL, &o), SN_OK);
    assert_int_equal(sn_case_write(f->cases, i, &o), SN_OK);
  }
}

static const double *numbers(const sn_columns *t, const char *name) {
  const sn_column *c = sn_find_column(t, name);
  assert_non_null(c);
  assert_non_null(c->number);
  return c->number;
}

static const char *const *texts(const sn_columns *t, const char *name) {
  const sn_column *c = sn_find_column(t, name);
  assert_non_null(c);
  assert_non_null(c->text);
  return c->text;
}

#define SWING \
  MASS "analysis: {type: dynamics, duration: 20, output_step: 0.01, integrator: {type: radau5, tolerance: 1e-9}}\n"

/* x'' + c x' + k x = 0 from x = 1: T = 2 pi/sqrt(k - c^2/4), each cycle decays by exp(-c T/2). The theory is the
 * reference: the period, and the amplitude lost over all cycles but the first. */
static void oscillator(void **state) {
  (void)state;
  folder f = {0};
  sn_columns table, times;
  open_folder(&f, SWING,
              HEAD
              "vary: {k: [4, 25], c: [0, 0.05]}\n"
              "measures:\n"
              "  period: {type: period, of: m.x, level: 0}\n"
              "  longer: {type: elongation, of: m.x, level: 0, reference: 1}\n"
              "  decay: {type: decay, of: m.x, level: 0}\n"
              "  top: {type: maximum, of: m.vx}\n"
              "  energy: energy-error\n"
              "  class: class\n"
              "  per_step: iterations-per-step\n");
  run_all(&f);
  assert_int_equal(sn_sweep_table(f.cases, &f.reading.arena, &table, &times), SN_OK);
  const double ks[] = {4, 25}, cs[] = {0, 0.05};
  for (int i = 0; i < 4; i++) {
    double k = ks[i / 2], c = cs[i % 2], T = 2 * PI / sqrt(k - c * c / 4);
    int cycles = (int)((20 - 0.75 * T) / T); /* x = cos: the first rise through 0 is at 3/4 T */
    assert_string_equal(texts(&table, "status")[i], "done");
    assert_below(fabs(numbers(&table, "period")[i] / T - 1), 1e-6, "period of case %d", i);
    assert_below(fabs(numbers(&table, "longer")[i] - (T - 1)), 1e-5, "elongation of case %d", i);
    double decay = 1 - exp(-c * T / 2 * (cycles - 1));
    assert_below(fabs(numbers(&table, "decay")[i] - decay), 1e-5, "decay of case %d: %g, exactly %g", i,
                 numbers(&table, "decay")[i], decay);
    if (c == 0) assert_below(fabs(numbers(&table, "top")[i] / sqrt(k) - 1), 1e-3, "speed of case %d", i);
    if (c == 0) assert_below(numbers(&table, "energy")[i], 1e-6, "energy error of case %d", i);
    assert_string_equal(texts(&table, "class")[i], "stable");
    assert_true(numbers(&table, "per_step")[i] > 1);
    assert_true(numbers(&times, "cpu")[i] > 0);
    assert_true(numbers(&table, "k")[i] == k && numbers(&times, "c")[i] == c);
  }
  assert_null(sn_find_column(&table, "cpu")); /* the table is the same whenever it is made */
  assert_int_equal(sn_sweep_write_tables(f.cases, &table, &times), SN_OK);
  close_folder(&f, true);
}

/* Undamped, x = cos(sqrt(k) t): between k = 4 and k = 25 the points are |cos 2t - cos 5t| apart, until 0.3 s at most
 * cos 0.6 - cos 1.5. Each case is at no distance from itself. */
static void distances(void **state) {
  (void)state;
  folder f = {0};
  sn_columns table, times;
  open_folder(&f, SWING,
              HEAD
              "keep: true\n"
              "until: 2\n"
              "vary: {k: [4, 25], c: [0, 0.05]}\n"
              "measures:\n"
              "  all: {type: distance, of: m, from: k=25.0; c=0}\n"
              "  early: {type: distance, of: m.x, from: k=25, until: 0.3}\n"
              "  back: {type: first-time, of: m.x, level: 0.9, after: 1}\n");
  run_all(&f);
  assert_int_equal(sn_sweep_table(f.cases, &f.reading.arena, &table, &times), SN_OK);
  double apart = 0;
  for (int i = 0; i <= 200; i++) apart = fmax(apart, fabs(cos(0.02 * i) - cos(0.05 * i)));
  assert_below(fabs(numbers(&table, "all")[0] - apart), 1e-6, "largest distance");
  assert_below(fabs(numbers(&table, "early")[0] - (cos(0.6) - cos(1.5))), 1e-6, "largest until 0.3 s");
  assert_true(numbers(&table, "all")[2] == 0 && numbers(&table, "early")[2] == 0 && numbers(&table, "early")[3] == 0);
  assert_true(numbers(&table, "all")[3] > 0);
  assert_below(fabs(numbers(&table, "back")[2] - (2 * PI - acos(0.9)) / 5), 0.01, "x rises above 0.9 again");
  assert_true(isnan(numbers(&table, "back")[0])); /* not within 2 s */
  close_folder(&f, true);
}

/* Modes of the same: f = sqrt(k)/(2 pi). Only the analysis modes has any. */
static void frequencies(void **state) {
  (void)state;
  folder f = {0};
  sn_columns table, times;
  open_folder(&f, MASS "analysis: [{type: modes, count: 3}]\n",
              HEAD "vary: {k: [4, 25]}\nmeasures: {f: {type: frequency, mode: 3}, none: {type: frequency, mode: 4}}\n");
  run_all(&f);
  assert_int_equal(sn_sweep_table(f.cases, &f.reading.arena, &table, &times), SN_OK);
  for (int i = 0; i < 2; i++) {
    double exact = (i ? 5 : 2) / (2 * PI);
    assert_below(fabs(numbers(&table, "f")[i] / exact - 1), 1e-9, "frequency of case %d", i);
    assert_true(isnan(numbers(&table, "none")[i]));
  }
  close_folder(&f, true);
}

/* The class of a run through a whole sweep, where theory says what it is: undamped at index 3 with the equations of
 * motion met at the ends of steps, multipliers have the root -1; V0(1,1,0) at index 3 has noise that dies out, at index
 * 1 it drifts like h^2 t^2; damping helps. A step far too long is cut, which fails only where that is asked. */
static void classes(void **state) {
  (void)state;
  static const char *const expected[][2] = {{"oscillates", "oscillates"},
                                            {"stable", "stable"},
                                            {"drifts", "drifts"},
                                            {"stable", "stable"},
                                            {"stable", "stable"}};
  folder f = {0};
  sn_columns table, times;
  open_folder(&f,
              "sinew: 1\ngravity: [0, -9.81, 0]\nbodies: {bob: {type: point-mass, mass: 1, position: [-1, 0, 0]}}\n"
              "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n"
              "analysis: {type: dynamics, duration: 5, integrator: {type: hht-i3, step: 0.01}}\n",
              HEAD
              "vary:\n"
              "  integrator:\n"
              "    - {type: gssss, scheme: newmark, index: 3, step: 0.01}\n"
              "    - {type: gssss, scheme: midpoint-v0, index: 3, step: 0.01}\n"
              "    - {type: gssss, scheme: midpoint-v0, index: 1, step: 0.01}\n"
              "    - hht-i3\n"
              "    - {type: radau5, tolerance: 1e-3}\n"
              "measures:\n"
              "  class: class\n"
              "  rows: drift\n"
              "  strict: {type: class, drift: 1e-4, cut: false}\n"
              "  apart: {type: class, apart: 1e-3}\n"
              "  noise: noise\n");
  run_all(&f);
  assert_int_equal(sn_sweep_table(f.cases, &f.reading.arena, &table, &times), SN_OK);
  for (int i = 0; i < 5; i++) {
    assert_string_equal(texts(&table, "class")[i], expected[i][0]);
    assert_string_equal(texts(&table, "strict")[i], expected[i][1]);
    assert_true((numbers(&table, "noise")[i] > 0.01) == (i == 0));
  }
  assert_string_equal(texts(&table, "apart")[2], "fails");
  assert_true(numbers(&table, "rows")[4] > 1e-5); /* between its long steps, of which the class knows nothing */
  close_folder(&f, true);
}

/* Steps far too long for a pendulum are cut: the run is done, and fails where that does not count. */
static void cut_steps(void **state) {
  (void)state;
  folder f = {0};
  sn_columns table, times;
  open_folder(
      &f,
      "sinew: 1\ngravity: [0, -9.81, 0]\nbodies: {bob: {type: point-mass, mass: 1, position: [-1, 0, 0]}}\n"
      "joints: {rod: {type: distance, between: ['ground.at(0, 0, 0)', bob]}}\n"
      "analysis: {type: dynamics, duration: 4, integrator: {type: radau5, step: 0.01}}\n",
      HEAD
      "vary: {step: [0.01, 1]}\n"
      "measures: {class: {type: class, drift: 1}, strict: {type: class, drift: 1, cut: false}, cuts: rejections}\n");
  run_all(&f);
  assert_int_equal(sn_sweep_table(f.cases, &f.reading.arena, &table, &times), SN_OK);
  assert_true(numbers(&table, "cuts")[0] == 0 && numbers(&table, "cuts")[1] > 0);
  assert_string_equal(texts(&table, "strict")[0], "stable");
  assert_string_not_equal(texts(&table, "class")[1], "fails");
  assert_string_equal(texts(&table, "strict")[1], "fails");
  close_folder(&f, true);
}

/* A case whose model is wrong and one whose numerics fail are rows that say why; options vary too. */
static void failures(void **state) {
  (void)state;
  folder f = {0};
  sn_columns table, times;
  open_folder(&f, SWING,
              HEAD
              "vary: {c: [0, -1], integrator.min_step: [1e-12, 0.1], until: [0.5]}\n"
              "measures: {end: {type: final, of: t}, class: class, steps: steps}\n");
  run_all(&f);
  assert_int_equal(sn_sweep_table(f.cases, &f.reading.arena, &table, &times), SN_OK);
  const char *const *status = texts(&table, "status"), *const *message = texts(&table, "message");
  assert_string_equal(status[0], "done");
  assert_string_equal(message[0], "");
  assert_true(numbers(&table, "end")[0] == 0.5 && numbers(&table, "reached")[0] == 0.5);
  assert_string_equal(texts(&table, "class")[0], "stable");
  for (int i = 1; i < 4; i++) {
    assert_string_equal(status[i], "failed");
    assert_string_equal(texts(&table, "class")[i], "fails");
  }
  assert_non_null(strstr(message[1], "step"));
  assert_non_null(strstr(message[2], "damping must be at least 0"));
  assert_true(isnan(numbers(&table, "end")[2]) && isnan(numbers(&table, "reached")[2]));
  close_folder(&f, true);
}

/* A case is known by all that could change it: what is the same is not run again, what changed is. */
static void only_what_changed(void **state) {
  (void)state;
  static const struct {
    const char *model, *study;
    int finished;
  } rows[] = {
      {SWING, HEAD "until: 0.1\nvary: {k: [1, 2]}\nmeasures: {steps: steps}\n", 0},
      {SWING, HEAD "until: 0.1\ntitle: t\nvary: {k: [1, 2]}\nmeasures: {steps: steps}\n", 2},
      {SWING, HEAD "until: 0.1\nvary: {k: [1, 2]}\nmeasures: {steps: steps}\nplots: {a: {y: steps, x: k}}\n", 2},
      {SWING, HEAD "until: 0.1\nvary: {k: [1, 2, 3]}\nmeasures: {steps: steps}\n", 2},
      {SWING, HEAD "until: 0.2\nvary: {k: [1, 2]}\nmeasures: {steps: steps}\n", 0},
      {SWING, HEAD "until: 0.1\nvary: {k: [1, 2]}\nset: {c: 1}\nmeasures: {steps: steps}\n", 0},
      {SWING, HEAD "until: 0.1\nvary: {k: [1, 2]}\nmeasures: {steps: iterations}\n", 0},
      {SWING, HEAD "until: 0.1\nvary: {k: [1, 2]}\nmeasures: {steps: {type: final, of: m.x}}\n", 0},
      {SWING, HEAD "until: 0.1\nvary: {k: [1, 2]}\nmeasures: {steps: {type: final, of: m.y}}\n", 0},
      {SWING "# another text\n", HEAD "until: 0.1\nvary: {k: [1, 2]}\nmeasures: {steps: steps}\n", 0},
  };
  folder f = {0};
  for (size_t k = 0; k < SN_COUNT(rows); k++) {
    open_folder(&f, rows[k].model, rows[k].study);
    int finished = 0;
    for (int i = 0; i < f.cases->count; i++) finished += sn_case_finished(f.cases, i);
    if (finished != rows[k].finished) fail_msg("row %zu: %d cases had finished", k, finished);
    run_all(&f);
    close_folder(&f, k + 1 == SN_COUNT(rows));
  }
}

/* A claim keeps others off, and ends with its process. */
static void claims(void **state) {
  (void)state;
  folder f = {0};
  int ready[2], go[2], how;
  char byte = 0;
  open_folder(&f, SWING, HEAD "vary: {k: [1, 2]}\n");
  assert_int_equal(pipe(ready) | pipe(go), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    byte = sn_sweep_reopen(f.cases, -1) == SN_OK && sn_case_claim(f.cases, 1);
    if (write(ready[1], &byte, 1) != 1) _exit(1);
    close(go[1]);
    how = (int)read(go[0], &byte, 1);
    _exit(how);
  }
  assert_int_equal(read(ready[0], &byte, 1), 1);
  assert_int_equal(byte, 1);
  assert_true(sn_case_claimed(f.cases, 1) && !sn_case_claimed(f.cases, 0));
  assert_false(sn_case_claim(f.cases, 1));
  assert_int_equal(kill(child, SIGKILL), 0);
  assert_int_equal(waitpid(child, &how, 0), child);
  assert_false(sn_case_claimed(f.cases, 1));
  assert_true(sn_case_claim(f.cases, 1));
  close_folder(&f, true);
}

/* What is written reads back as it was, whatever its numbers. */
static void outcomes(void **state) {
  (void)state;
  folder f = {0};
  sn_arena arena = {0};
  sn_outcome read;
  const double values[] = {0.1, -1e-310, NAN, INFINITY, 1.0 / 3, 12345678901234567.0, 0};
  open_folder(&f, SWING, HEAD "vary: {k: [1, 2]}\n");
  assert_int_equal(f.cases->measures, SN_COUNT(values)); /* those of a study that names none */
  const sn_outcome o = {"failed", 0.3, 1e-3, 2, "host", "a message, with \"quotes\"", "bad", "doubtful", values};
  assert_false(sn_case_read(f.cases, 0, &arena, &read));
  assert_int_equal(sn_case_write(f.cases, 0, &o), SN_OK);
  sn_logs_read(f.cases->logs);
  assert_true(sn_case_read(f.cases, 0, &arena, &read));
  assert_string_equal(read.status, o.status);
  assert_string_equal(read.message, o.message);
  assert_string_equal(read.host, o.host);
  assert_string_equal(read.trust, o.trust);
  assert_string_equal(read.audit, o.audit);
  assert_true(read.reached == o.reached && read.cpu == o.cpu && read.wall == o.wall);
  for (size_t i = 0; i < SN_COUNT(values); i++)
    assert_true(read.value[i] == values[i] || (isnan(read.value[i]) && isnan(values[i])));
  sn_arena_free(&arena);
  close_folder(&f, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(methods),    cmocka_unit_test(frequencies),    cmocka_unit_test(grid),
      cmocka_unit_test(list),       cmocka_unit_test(random_samples), cmocka_unit_test(settings),
      cmocka_unit_test(oscillator), cmocka_unit_test(distances),      cmocka_unit_test(latin_hypercube),
      cmocka_unit_test(failures),   cmocka_unit_test(claims),         cmocka_unit_test(only_what_changed),
      cmocka_unit_test(outcomes),   cmocka_unit_test(classes),        cmocka_unit_test(cut_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
