/* fuzz_checkpoint.c - libFuzzer target: a checkpoint in which numbers were changed is refused, or the run that goes on
 * from it ends with a status. The first byte chooses the method; then pairs of two bytes, which number, and eight, its
 * value; one more byte cuts it off. */
#define _DEFAULT_SOURCE

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "analysis/checkpoint.h"
#include "analysis/simulation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model_text[] =
    "sinew: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  ball: {type: point-mass, mass: 1, position: [0, 0, 1]}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "forces: {spring: {type: spring, between: [rod.end, ball], stiffness: 10, length: 1}}\n"
    "outputs: {end: {point: rod.end}, pin: {reaction: pin}}\n"
    "analysis: {type: dynamics, duration: 0.2, integrator: {type: radau, tolerance: 1e-3}, output_step: 0.05}\n";

static sn_context *context;

/* A run that computes too long is stopped as by Ctrl-C. */
static void interrupt(int signal) {
  (void)signal;
  context->interrupted = 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const methods[] = {"radau", "hht-i3", "gssss",   "gam",     "nstiff", "ida",
                                        "adams", "erk",    "tr-bdf2", "newmark", "auto"};
  static sn_model *model;
  if (!context) {
    signal(SIGPROF, interrupt);
    context = sn_context_create();
    if (sn_model_parse(context, "fuzz.yaml", model_text, sizeof model_text - 1, NULL, 0, &model)) abort();
  }
  if (!size) return 0;
  const size_t method = data[0] % SN_COUNT(methods);
  const sn_options options = {.integrator = methods[method], .checkpoint = 0.05};
  static sn_history sound[SN_COUNT(methods)];
  sn_simulation *run = NULL;
  sn_history history = {0};
  context->interrupted = 0;
  if (!sound[method].count) {
    if (sn_simulation_create(model, &options, &run) || sn_advance(run, 0.02) || !sn_checkpoint_possible(run)) abort();
    sn_checkpoint_save(run, &sound[method]);
    sn_simulation_free(run);
  }
  sn_history_reals(&history, sound[method].data, sound[method].count);
  for (++data, --size; size >= 10; data += 10, size -= 10)
    memcpy(&history.data[(size_t)(data[0] | data[1] << 8) % history.count], data + 2, sizeof(double));
  if (size) history.count = history.count * data[0] / 255;
  if (sn_simulation_create(model, &options, &run)) abort();
  const struct itimerval limit = {.it_value.tv_usec = 300000}, none = {0};
  context->interrupted = 0;
  setitimer(ITIMER_PROF, &limit, NULL);
  if (!sn_checkpoint_load(run, &history)) sn_advance(run, run->state.t + 1e-3);
  setitimer(ITIMER_PROF, &none, NULL);
  sn_simulation_free(run);
  sn_history_free(&history);
  return 0;
}
