/* fault.c - the expression behind a failed step.
 *
 * The last good state is still within its domain. The state continues as it moved, q + d v, v + d a, and where time stands
 * still q + w (q - q_before), a little beyond the step that failed: the first expression without a value there is named.
 */
#include <string.h>

#include "analysis/simulation.h"

static const double MOMENT = 1e-6; /* s: steps are cut until they are shorter */
enum { DOUBLINGS = 8 };

static bool ahead(const sn_simulation *s, double d, double w, sn_state *x, char *text, size_t size) {
  const sn_state *now = &s->state, *before = &s->before;
  const int n = s->model->n;
  x->t = now->t + d;
  for (int i = 0; i < n; i++) {
    x->q[i] = now->q[i] + (s->analysis->quasi_static ? w * (now->q[i] - before->q[i]) : d * now->v[i]);
    x->v[i] = now->v[i] + d * now->a[i];
  }
  return sn_system_fault(s->system, x, text, size);
}

void sn_explain_failure(sn_simulation *s) {
  char text[600];
  if (!s->model->formulas && !s->loads.count) return;
  sn_arena arena = {0};
  sn_state x = {.q = SN_NEW(&arena, double, s->model->n + 1),
                .v = SN_NEW(&arena, double, s->model->n + 1),
                .a = s->state.a,
                .l = s->state.l};
  const double last = s->settings ? fmax(s->settings->step, s->state.t - s->before.t) : 0;
  const bool still = s->analysis->quasi_static;
  double d = fmax(MOMENT, last / 4);
  bool found = ahead(s, 0, 0, &x, text, sizeof text);
  for (int i = 0; i < DOUBLINGS && !found && d <= fmax(MOMENT * DOUBLINGS, 4 * last); i++, d *= 2)
    found = ahead(s, still ? 0 : d, 1 << i, &x, text, sizeof text);
  if (found) {
    static const char remedy[] = "\n  possible remedy:";
    const char *message = sn_message(s->context), *end = strstr(message, remedy);
    const int length = end ? (int)(end - message) : (int)strlen(message);
    sn_fail(s->context, SN_NUMERICS,
            "%.*s\n  %s%s arguments within the domain of the function, by min and max or a stop", length, message, text,
            remedy);
  }
  sn_arena_free(&arena);
}
