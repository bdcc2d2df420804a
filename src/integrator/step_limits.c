/* step_limits.c - lengths of steps that contradict each other: min_step <= step, initial_step <= max_step.
 *
 * A fixed step has no use for limits that nobody has given, and none for an initial step.
 */
#include "integrator/integrator.h"
#include "model/reader.h"
#include "model/settings.h"

typedef struct conflict {
  const char *field, *relation, *limit; /* "step" is "above" "max_step" */
} conflict;

static double length_of(const sn_spec *method, const char *name) {
  return sn_field_value(method, name) ? sn_number_of(method, name) : 0;
}

static bool find_conflict(const sn_spec *method, conflict *c) {
  const double step = length_of(method, "step"), least = length_of(method, "min_step");
  const double most = length_of(method, "max_step"), first = length_of(method, "initial_step");
  const bool fixed = step > 0, low = fixed ? sn_given(method, "min_step") : least > 0;
  const bool high = fixed ? sn_given(method, "max_step") : most > 0;
  const conflict found[] = {{"max_step", "below", "min_step"},
                            {"step", "below", "min_step"},
                            {"step", "above", "max_step"},
                            {"initial_step", "below", "min_step"},
                            {"initial_step", "above", "max_step"}};
  const bool holds[] = {low && high && most < least, fixed && low && step < least, fixed && high && step > most,
                        !fixed && first > 0 && low && first < least, !fixed && first > 0 && high && first > most};
  for (size_t k = 0; k < SN_COUNT(found); k++) {
    if (!holds[k]) continue;
    *c = found[k];
    if (k == 0 && !sn_given(method, "max_step")) *c = (conflict){"min_step", "above", "max_step"};
    return true;
  }
  return false;
}

static const char *const expected = "min_step <= step, initial_step <= max_step";

void sn_check_steps(sn_reader *reader, const sn_spec *method) {
  conflict c;
  if (!find_conflict(method, &c)) return;
  sn_field_error(reader, method, c.field, expected, "%s of %g s is %s %s of %g s", c.field, length_of(method, c.field),
                 c.relation, c.limit, length_of(method, c.limit));
}

sn_status sn_check_steps_in_force(sn_context *context, const sn_spec *method) {
  conflict c;
  if (!find_conflict(method, &c)) return SN_OK;
  return sn_fail(context, SN_USAGE, "%s: %s of %g s is %s %s of %g s\n  expected %s", method->kind->name, c.field,
                 length_of(method, c.field), c.relation, c.limit, length_of(method, c.limit), expected);
}
