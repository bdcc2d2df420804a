/* refusals.c - see refusals.h. */
#include "model/refusals.h"

#include <string.h>

#define NO_POSITION_LEVEL                                                                   \
  .analyses = "statics|path|buckling|modes|linearize|kinematics", .integrators = "hht-add", \
  .more = "`conserve: energy-momentum` of gssss refuses it too."

static const sn_refusal refusals[] = {
    {SN_JOINTS, "rolling", NO_POSITION_LEVEL},
    {SN_JOINTS, "knife-edge", NO_POSITION_LEVEL},
    {SN_JOINTS, "sliding", .integrators = "hht-add",
     .more = "The linear solver `ldl` refuses it too; with friction, so do the explicit methods adams and "
             "symplectic-euler."},
    {SN_JOINTS, "rotor", .more = "On a body in space, `conserve: energy-momentum` of gssss refuses it."},
    {SN_VARIABLES, "variable",
     .more = "`kinematics` and `modes` refuse variables with a `rate`; `statics`, `path` and `buckling` keep their "
             "values."},
    {SN_EVENTS, "event", .analyses = "path|buckling|modes|linearize|kinematics",
     .more = "Only events that lock or release joints are refused. Others do nothing there and in `statics`, where "
             "variables keep their values and joints stay locked or free."},
    {SN_FORCES, "friction", .integrators = "hht-add",
     .more = "Without a `coefficient` it is. `statics`, `path`, `buckling` and frequencies of `modes` "
             "are without friction. Damping ratios and `linearize` take the slope of the law: at rest a stiff damper, "
             "3/2 of the largest friction over the creep speed. In `symplectic-euler` dry friction is set-valued: "
             "joints stick exactly, and friction and "
             "the reactions that press are solved for together."},
    {SN_FORCES, "stop",
     .more = "With a `restitution`, all integrators but symplectic-euler and all analyses but `dynamics` refuse it."},
    {SN_FORCES, "hydraulic-cylinder", .analyses = "kinematics|modes",
     .more = "Its pressures are differential variables, which `statics`, `path` and `buckling` keep."},
    {SN_FORCES, "dc-motor",
     .more = "With an inductance, `kinematics` and `modes` refuse it, and `statics` keeps its current."},
    {SN_CONTACTS, "contact",
     .more =
         "With `method: dvi`, all integrators but symplectic-euler and all analyses in which time stands still refuse "
         "it; with any method, so does `conserve: energy-momentum` of gssss."},
};

const sn_refusal *sn_find_refusal(const sn_kind *kind) {
  for (size_t i = 0; i < SN_COUNT(refusals); i++)
    if (refusals[i].category == kind->category && strcmp(refusals[i].kind, kind->name) == 0) return &refusals[i];
  return NULL;
}

/* "a, b and c" of "a|b|c" */
static void put_names(FILE *out, const char *names) {
  for (const char *at = names; *at;) {
    const int length = (int)strcspn(at, "|");
    const char *next = at + length + (at[length] == '|');
    fprintf(out, "%s`%.*s`", at == names ? "" : *next ? ", " : " and ", length, at);
    at = next;
  }
}

bool sn_put_refusal(FILE *out, const sn_kind *kind) {
  const sn_refusal *x = sn_find_refusal(kind);
  if (!x) return false;
  if (x->analyses || x->integrators) fputs("Not possible with ", out);
  if (x->analyses) put_names(out, x->analyses);
  if (x->analyses && x->integrators) fputs(", and with ", out);
  if (x->integrators) fputs("the integrators ", out), put_names(out, x->integrators);
  if (x->analyses || x->integrators) fputs(x->more ? ". " : ".", out);
  if (x->more) fputs(x->more, out);
  fputc('\n', out);
  return true;
}
