/* sundials.c - see sundials.h. */
#include "integrator/sundials.h"

#include <stdio.h>
#include <string.h>

#include "integrator/step.h"

/* An impact moves things by less than a tolerance of positions sees. Of its speed and depth a hundred thousandth is
 * allowed in a step: some hundred steps follow it, and the mean of squares is over all coordinates of the model. */
double sn_sundials_allowed(const sn_sundials *s, double share, int i, double x) {
  const double rounding = 1e-11, part = 1e-5; /* rounding, with stiff constraints: of what Newton can reach */
  const int n = s->system->n;
  const double impact = i >= n ? s->system->impact_speed : s->system->impact_depth,
               unit = s->system->model->unit[i % n];
  double allowed = sn_allowed(&s->settings, unit, x), least = sn_allowed(&s->settings, 1, x);
  if (impact > 0) allowed = least = fmin(allowed, part / share * impact);
  return fmax(share * allowed, fmin(least, rounding * fmax(unit, fabs(x))));
}

bool sn_sundials_begin(sn_sundials *s, sn_system *system, const sn_integrator_spec *settings) {
  *s = (sn_sundials){.system = system, .settings = sn_settings_of_a_step(settings), .limit = NAN};
  if (SUNContext_Create(NULL, &s->context) == 0) return true;
  sn_fail(system->context, SN_NUMERICS, "SUNDIALS could not be started");
  return false;
}

void sn_sundials_end(sn_sundials *s) {
  if (s->context) SUNContext_Free(&s->context);
}

void sn_sundials_listen(int code, const char *module, const char *function, char *message, void *data) {
  sn_sundials *s = data;
  (void)code, (void)module, (void)function;
  snprintf(s->said, sizeof s->said, "%s", message);
  s->said[strcspn(s->said, "\n")] = 0;
}

void sn_sundials_accept(sn_sundials *s, sn_state *state, sn_state *before, const sn_state *reached) {
  sn_state swap = *before; /* the old arrays of `before` take the new state */
  *before = *state;
  *state = swap;
  sn_state_copy(s->system, state, reached);
  sn_step_count(s->system->count, state->t - before->t);
}

typedef struct question {
  int (*call)(void *arguments);
  void *arguments;
  int answer;
} question;

static sn_status ask(void *argument) {
  question *q = argument;
  q->answer = q->call(q->arguments);
  return SN_OK;
}

int sn_sundials_answer(sn_sundials *s, int (*call)(void *arguments), void *arguments) {
  question q = {.call = call, .arguments = arguments, .answer = -1};
  if (sn_guard(NULL, NULL, ask, &q)) s->no_memory = true;
  return q.answer;
}

void sn_sundials_count(sn_sundials *s, long rejected, long diverged, long iterations) {
  if (s->no_memory) sn_out_of_memory(0);
  sn_statistics *count = s->system->count;
  count->error_rejections += rejected - s->counted[0];
  count->newton_rejections += diverged - s->counted[1];
  count->iterations += iterations - s->counted[2];
  if (iterations - s->counted[2] > count->most_iterations) count->most_iterations = iterations - s->counted[2];
  s->counted[0] = rejected;
  s->counted[1] = diverged;
  s->counted[2] = iterations;
}

const char *sn_sundials_worst(const sn_sundials *s, N_Vector error, N_Vector weight, const int *owner) {
  const double *e = N_VGetArrayPointer(error), *w = N_VGetArrayPointer(weight);
  double most = -1;
  int size = (int)N_VGetLength(error), worst = 0;
  for (int i = 0; i < size && !isnan(most); i++)
    if (!(fabs(e[i]) * w[i] <= most)) most = fabs(e[i]) * w[i], worst = i;
  return sn_system_owner(s->system, owner[worst]);
}
