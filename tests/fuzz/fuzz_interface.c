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

#include "sinew/sinew.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model_text[] =
    "sinew: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "inputs: {u: {default: 0, range: [-1e3, 1e3]}, w: {default: 'sin(t)'}}\n"
    "bodies:\n"
    "  rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  ball: {type: point-mass, mass: 1, position: [0, 0, 1]}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
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

typedef struct objects {
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

static void call(objects *o, bytes *b) {
  const unsigned what = byte(b);
  sn_simulation *run = o->run[what >> 4 & 1];
  sn_snapshot **snapshot = &o->snapshot[byte(b) % SNAPSHOTS];
  switch (what % 10) {
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
  for (int i = 0; i < 2; i++)
    if (sn_simulation_create(o.model, &options, &o.run[i])) abort();
  const struct itimerval limit = {.it_value.tv_usec = 500000}, none = {0};
  setitimer(ITIMER_PROF, &limit, NULL);
  for (int k = 0; k < 64 && b.left > 0; k++) call(&o, &b);
  setitimer(ITIMER_PROF, &none, NULL);
  for (int i = 0; i < 2; i++) sn_simulation_free(o.run[i]);
  for (int i = 0; i < SNAPSHOTS; i++) sn_snapshot_free(o.snapshot[i]), o.snapshot[i] = NULL;
  return 0;
}
