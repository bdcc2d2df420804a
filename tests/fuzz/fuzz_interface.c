/* fuzz_interface.c - libFuzzer target: any sequence of calls of the public interface ends with statuses, whatever their
 * arguments. The first byte chooses the method; then every call is a byte that says which, and its arguments: bytes and
 * numbers of eight bytes. After a call that failed the objects are used on. */
#define _DEFAULT_SOURCE

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "sinew/program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model_text[] =
    "sinew: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {m: 1}\n"
    "inputs: {u: {default: 0, range: [-1e3, 1e3]}, w: {default: 'sin(t)', of: [rod.end.x, ball.vy]}}\n"
    "bodies:\n"
    "  rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  ball: {type: point-mass, mass: m, position: [0, 0, 1]}\n"
    "joints:\n"
    "  pin: {type: spherical, between: [ground, rod.start]}\n"
    "  way: {type: coordinate, between: ['ground.at(0, 0, 0)', ball], axis: [1, 0, 0]}\n"
    "  held: {type: constraint, joints: [way], equation: x1 - 0.1*t}\n"
    "forces:\n"
    "  spring: {type: spring, between: [rod.end, ball], stiffness: 10, length: 1}\n"
    "  push: {type: force, at: rod.end, force: [u, w, 0]}\n"
    "variables: {z: {rate: u - z, start: 1}}\n"
    "outputs: {end: {point: rod.end}, pin: {reaction: pin}}\n"
    "analysis: {type: dynamics, duration: 0.2, integrator: {type: radau, tolerance: 1e-3}, output_step: 0.05}\n";

static sn_context *context;

/* What computes too long is stopped as by Ctrl-C. */
static void interrupt(int signal) {
  (void)signal;
  sn_interrupt(context);
}

/* ---- arguments ---- */

typedef struct bytes {
  const uint8_t *at;
  size_t left;
} bytes;

static unsigned byte(bytes *b) {
  return b->left ? b->left--, *b->at++ : 0;
}

/* Any number; or, so that most calls get somewhere, one of a few. */
static double number(bytes *b) {
  static const double usual[] = {0, 1e-3, 0.01, 0.05, 0.2, 1, -1, 1e3};
  const unsigned kind = byte(b);
  double x = 0;
  if (kind < 200 || b->left < sizeof x) return usual[kind % 8];
  memcpy(&x, b->at, sizeof x);
  b->at += sizeof x, b->left -= sizeof x;
  return x;
}

enum { MOST = 64, SNAPSHOTS = 3 };

/* ---- functions of the host ---- */

enum { USUAL, NO_NUMBER, FAILS, KINDS_OF_FUNCTION };

static int force(void *user, double t, const double *x, double *value, double *derivative) {
  const unsigned kind = *(const unsigned *)user;
  *value = kind == NO_NUMBER && x[0] > 0.9 ? NAN : -3 * x[0] - x[1] + t;
  if (t > 0.01 && kind != FAILS) derivative[0] = -3;
  return kind == FAILS && t > 0.02;
}

static int held(void *user, double t, const double *x, double *value, double *first, double *second) {
  const unsigned kind = *(const unsigned *)user;
  *value = kind == NO_NUMBER && t > 0.01 ? NAN : x[0] - 0.2 * t * t;
  if (kind == USUAL) first[1] = 1, second[3] = 0;
  return kind == FAILS && t > 0.02;
}

/* What it may do, and what it must not. */
static int between(void *user, sn_simulation *run) {
  const unsigned kind = *(const unsigned *)user;
  double y[64];
  sn_read_output(run, 0, y);
  if (!sn_finished(run) && sn_step(run) != SN_USAGE) abort();
  sn_advance(run, 1);
  sn_set_input(run, 0, kind);
  return kind == FAILS && sn_time(run) > 0.03;
}

typedef struct objects {
  unsigned kind[2]; /* of the functions of each simulation */
  sn_draft *draft;
  sn_model *model;
  sn_simulation *run[2];
  sn_snapshot *snapshot[SNAPSHOTS];
} objects;

static void set_state(objects *o, sn_simulation *run, bytes *b) {
  double x[2][MOST];
  const size_t n = sn_model_coordinates(o->model);
  if (n > MOST) abort();
  memcpy(x[0], sn_positions(run), n * sizeof(double));
  memcpy(x[1], sn_velocities(run), n * sizeof(double));
  const unsigned which = byte(b);
  for (unsigned k = 0; k < which % 4; k++) x[k % 2][byte(b) % n] = number(b);
  sn_set_state(run, which & 16 ? NULL : x[0], which & 32 ? NULL : x[1]);
}

static void read_all(objects *o, sn_simulation *run, bytes *b) {
  double y[MOST], e[SN_ENERGY_COUNT];
  sn_read_output(run, byte(b) % 8, y);
  sn_read_output_at(run, byte(b) % 8, number(b), y);
  sn_read(run, byte(b) % 2 ? "end" : "no such", y, byte(b) % MOST);
  sn_energies(run, e);
  sn_body_info body;
  sn_output_info output;
  sn_input_info input;
  const size_t i = byte(b);
  sn_model_body(o->model, i, &body);
  sn_model_output(o->model, i, &output);
  sn_model_input(o->model, i, &input);
  (void)sn_model_name(o->model, (sn_list_of)(byte(b) % 4), i);
}

/* Facts of the model and pages of the tables by any number. */
static void read_facts(objects *o, sn_simulation *run, bytes *b) {
  sn_joint_info joint;
  sn_stage_info stage = {.size = byte(b) % (sizeof stage + 8)};
  sn_size_info size = {.size = byte(b) % (sizeof size + 8)};
  sn_progress_info progress = {.size = byte(b) % (sizeof progress + 8)};
  sn_kind_info kind;
  sn_modes_info modes;
  char *text;
  const size_t i = byte(b);
  sn_model_joint(o->model, i % 4, &joint);
  sn_model_stage(o->model, i % 3, &stage);
  sn_model_size(o->model, &size);
  (void)sn_model_parameter_word(o->model, i);
  sn_simulation_progress(run, &progress);
  sn_modes_at(run, i % 3, &modes, NULL, NULL);
  if (sn_kind_at(i, &kind) == SN_OK && (!kind.name || !kind.list)) abort();
  if (sn_page((sn_page_of)(i % 3), byte(b) % 200, &text) && text) abort();
  sn_release(text);
}

static void refine(objects *o, bytes *b) {
  sn_model *finer;
  int refined;
  sn_freedom_info freedom = {.size = sizeof freedom};
  if (sn_model_refine(o->model, NULL, (int)byte(b) - 2, &refined, &finer) && finer) abort();
  if (finer && sn_model_freedom(finer, &freedom) == SN_OK && freedom.freedom < 0) abort();
  sn_release(freedom.notes);
  sn_model_free(finer);
}

static void take_text(bytes *b, char *text, size_t size) {
  size_t k = 0;
  const size_t length = byte(b) % size;
  while (k < length && b->left) text[k++] = (char)byte(b);
  text[k] = 0;
}

static void use_markers(sn_simulation *run, bytes *b) {
  static const char *const usual[] = {"rod.end", "ball", "rod.at(0.1, 0, 0)", "ground.at(0, 0, 0)"};
  char text[40];
  size_t marker;
  double x[3], f[3] = {number(b), 0, 0};
  const unsigned which = byte(b);
  take_text(b, text, sizeof text);
  sn_find_marker(run, which < 200 ? usual[which % 4] : text, &marker);
  if (which % 3) marker = byte(b) % 4;
  sn_marker_motion(run, marker, x, which % 5 ? x : NULL);
  sn_apply_force(run, marker, which & 1 ? f : NULL, which & 2 ? f : NULL);
}

static void use_functions(objects *o, unsigned which, sn_simulation *run, bytes *b) {
  const unsigned what = byte(b);
  o->kind[which] = byte(b) % KINDS_OF_FUNCTION;
  if (what % 5 == 4) sn_set_constraint_function(run, byte(b) % 4, what & 8 ? NULL : held, &o->kind[which]);
  if (what % 3 == 0) sn_set_input_function(run, byte(b) % 3, what & 8 ? NULL : force, &o->kind[which]);
  if (what % 3 == 1) sn_on_sample(run, number(b), what & 8 ? NULL : between, &o->kind[which]);
  if (what % 3 == 2) sn_on_step(run, what & 8 ? NULL : between, &o->kind[which]);
}

static void analyze(objects *o, sn_simulation *run, bytes *b) {
  static const char *const usual[] = {"{type: statics}", "{type: modes, count: 2}", "{type: linearize}", "{type: dyn"};
  sn_simulation *found;
  sn_linear_info linear;
  sn_modes_info modes;
  sn_contact_info contact[2];
  size_t count;
  double x[6], value;
  sn_read_reaction(run, byte(b) % 2, x, x + 3);
  sn_read_contacts(run, contact, 2, &count);
  sn_model_parameter(o->model, byte(b) % 2, &value);
  if (sn_analyze(run, usual[byte(b) % 4], &found) == SN_OK) {
    if (sn_linear_model(found, &linear) == SN_OK && linear.states == 0) abort();
    sn_modes_found(found, &modes);
    sn_step(found);
  }
  sn_simulation_free(found);
}

static void edit(objects *o, bytes *b) {
  static const char *const usual[] = {"bodies.rod.mass", "gravity.1", "parameters.m", "", "forces.new.at", "a.b.c"};
  char path[40], value[40];
  sn_model *model;
  const unsigned which = byte(b);
  take_text(b, path, sizeof path);
  take_text(b, value, sizeof value);
  const char *at = which < 200 ? usual[which % 6] : path;
  sn_draft_set(o->draft, at, value);
  (void)sn_draft_get(o->draft, at);
  (void)sn_draft_key(o->draft, at, sn_draft_count(o->draft, at) / 2);
  if (which % 7 == 0) sn_draft_remove(o->draft, at);
  if (!sn_draft_text(o->draft)) abort();
  if (which % 4 == 0 && sn_draft_compile(o->draft, NULL, 0, &model) == SN_OK) sn_model_free(model);
}

static void call(objects *o, bytes *b) {
  const unsigned what = byte(b);
  sn_simulation *run = o->run[what >> 4 & 1];
  sn_snapshot **snapshot = &o->snapshot[byte(b) % SNAPSHOTS];
  switch (what % 16) {
    case 0:
      sn_step(run);
      break;
    case 1:
      sn_advance(run, sn_time(run) + number(b));
      break;
    case 2:
      sn_advance_over(run, number(b));
      break;
    case 3:
      sn_set_input(run, byte(b) % 4, number(b));
      break;
    case 4:
      sn_simulation_set_input(run, byte(b) % 2 ? "w" : "z", number(b));
      break;
    case 5:
      set_state(o, run, b);
      break;
    case 6:
      sn_snapshot_free(*snapshot);
      if (sn_snapshot_take(run, snapshot) && *snapshot) abort();
      break;
    case 7:
      if (*snapshot) sn_snapshot_restore(run, *snapshot);
      break;
    case 8:
      read_all(o, run, b);
      break;
    case 9:
      use_markers(run, b);
      break;
    case 10:
      use_functions(o, what >> 4 & 1, run, b);
      break;
    case 11:
      analyze(o, run, b);
      break;
    case 12:
      edit(o, b);
      break;
    case 13:
      read_facts(o, run, b);
      break;
    case 14:
      refine(o, b);
      break;
    default:
      if (!sn_verdict_word(run) || !sn_verdict_reasons(run) || isnan(sn_time(run))) abort();
      break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const methods[] = {"radau", "hht-i3", "gssss",   "gam",     "nstiff",  "ida",
                                        "adams", "erk",    "tr-bdf2", "newmark", "hht-add", "auto"};
  static objects o;
  if (!context) {
    signal(SIGPROF, interrupt);
    context = sn_context_create();
    if (sn_model_parse(context, "fuzz.yaml", model_text, sizeof model_text - 1, NULL, 0, &o.model)) abort();
  }
  bytes b = {data, size};
  sn_clear_interrupt(context);
  const unsigned first = byte(&b);
  const sn_options options = {.integrator = methods[first % (sizeof methods / sizeof *methods)]};
  if (sn_draft_parse(context, "fuzz.yaml", model_text, sizeof model_text - 1, &o.draft)) abort();
  for (int i = 0; i < 2; i++)
    if (sn_simulation_create(o.model, &options, &o.run[i])) abort();
  const struct itimerval limit = {.it_value.tv_usec = 500000}, none = {0};
  setitimer(ITIMER_PROF, &limit, NULL);
  for (int k = 0; k < 64 && b.left > 0; k++) call(&o, &b);
  setitimer(ITIMER_PROF, &none, NULL);
  for (int i = 0; i < 2; i++) sn_simulation_free(o.run[i]);
  sn_draft_free(o.draft);
  for (int i = 0; i < SNAPSHOTS; i++) sn_snapshot_free(o.snapshot[i]), o.snapshot[i] = NULL;
  return 0;
}
