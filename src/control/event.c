/* event.c - events: when an expression g(t, q, v) crosses zero, the run or its stage ends, variables change, joints are
 * locked or released, or nothing but the record of it. Times are found by the analysis (analysis/crossings.h), which does the rest (analysis/events.c). */
#include "control/event.h"

#include <string.h>

#include "joint/lock.h"
#include "joint/quantity.h"

enum { RISING, FALLING, BOTH };

typedef struct event_spec {
  sn_spec spec;
  const sn_expr *when, *condition;
  int direction;
  bool once, stop, next_stage, locked_at_start;
  double tolerance;
  sn_coordinate_refs lock, release;
  sn_assignments set;
} event_spec;

static const sn_field event_fields[] = {
    {"when", SN_FORMULA, SN_AT(event_spec, when), .required = true,
     .help = "expression of t and of the motion; the event happens where it crosses zero",
     .example = "my_hinge.angle + 0.5"},
    {"direction", SN_CHOICE, SN_AT(event_spec, direction), .def = "both", .choices = "rising|falling|both",
     .help = "which crossings count", .example = "falling"},
    {"if", SN_FORMULA, SN_AT(event_spec, condition),
     .help = "expression that has to be positive there, such as `u > 0`; otherwise nothing happens; default: always"},
    {"once", SN_BOOL, SN_AT(event_spec, once), .def = "false", .help = "only the first time"},
    {"tolerance", SN_REAL, SN_AT(event_spec, tolerance), .unit = "s", .limits = SN_POSITIVE,
     .help =
         "of its time; default: 1e-9 of the stage, with tolerances of the integrator below 1e-7 a hundredth of them"},
    {"set", SN_ASSIGNMENTS, SN_AT(event_spec, set),
     .help = "new values of variables that are `held` or have a `rate`; all expressions are evaluated before the first "
             "value changes"},
    {"lock", SN_COORDINATES, SN_AT(event_spec, lock),
     .help = "joint, or list of joints, whose coordinate stays as it is from then on; velocities change by an impulse",
     .example = "my_hinge"},
    {"release", SN_COORDINATES, SN_AT(event_spec, release), .help = "joint, or list of joints, free from then on"},
    {"locked_at_start", SN_BOOL, SN_AT(event_spec, locked_at_start),
     .help = "with 'release': are these joints locked at the start? default: those that no event locks"},
    {"next_stage", SN_BOOL, SN_AT(event_spec, next_stage), .def = "false", .help = "the stage ends"},
    {"stop", SN_BOOL, SN_AT(event_spec, stop), .def = "false", .help = "the run ends"},
    {0},
};

static void event_check(sn_reader *reader, const sn_spec *spec) {
  const event_spec *s = (const event_spec *)(const void *)spec;
  if (sn_expr_is_constant(s->when))
    sn_field_error(reader, spec, "when", "an expression of t or of the motion",
                   "event '%s' never happens: its expression is a constant", spec->name);
  if (sn_given(spec, "locked_at_start") && !sn_given(spec, "release"))
    sn_field_error(reader, spec, "locked_at_start", "release", "event '%s' releases nothing", spec->name);
  for (int i = 0; i < s->lock.count; i++)
    for (int k = 0; k < s->release.count; k++)
      if (strcmp(s->lock.item[i].joint, s->release.item[k].joint) == 0 &&
          s->lock.item[i].type == s->release.item[k].type)
        sn_node_error(reader, s->release.item[k].node, "one of: lock, release", "event '%s' locks and releases '%s'",
                      spec->name, s->lock.item[i].joint);
}

const sn_plain_ops sn_event_kind = {
    .kind = {.name = "event",
             .category = SN_EVENTS,
             .summary =
                 "when an expression crosses zero: change variables, lock or release joints, end the stage or the "
                 "run; the time is recorded, and programs are told (`sn_on_event`)",
             .fields = event_fields,
             .spec_size = sizeof(event_spec),
             .check = event_check},
};

/* ---- before joints ---- */

static const int *declare_locks(sn_compiler *c, const sn_coordinate_refs *refs) {
  int *list = SN_NEW(c->arena, int, refs->count + 1);
  for (int i = 0; i < refs->count; i++)
    list[i] = sn_add_lock(c, refs->item[i].joint, refs->item[i].type, refs->item[i].node);
  return list;
}

/* Does an event lock it? */
static bool is_lock_of_any(const sn_model *m, int lock) {
  for (int i = 0; i < m->events; i++)
    for (int k = 0; k < m->event[i].locks; k++)
      if (m->event[i].lock[k] == lock) return true;
  return false;
}

static void declare_start(sn_compiler *c, const sn_event *e) {
  const event_spec *s = (const event_spec *)(const void *)e->spec;
  const bool given = sn_given(s, "locked_at_start");
  for (int k = 0; k < e->releases; k++)
    if (given ? s->locked_at_start : !is_lock_of_any(c->model, e->release[k])) sn_lock_at_start(c, e->release[k]);
}

void sn_declare_events(sn_compiler *c) {
  static const int directions[] = {[RISING] = 1, [FALLING] = -1, [BOTH] = 0};
  sn_model *m = c->model;
  const sn_list *list = &m->document->list[SN_EVENTS];
  m->event = SN_NEW(c->arena, sn_event, list->count + 1);
  m->events = list->count;
  for (int i = 0; i < list->count; i++) {
    const event_spec *s = (const event_spec *)(const void *)list->item[i];
    const int *lock = declare_locks(c, &s->lock), *release = declare_locks(c, &s->release);
    m->event[i] = (sn_event){.name = s->spec.name,
                             .spec = &s->spec,
                             .direction = directions[s->direction],
                             .once = s->once,
                             .stop = s->stop,
                             .next_stage = s->next_stage,
                             .tolerance = s->tolerance,
                             .first = sn_add_discrete(c, 0),
                             .locks = s->lock.count,
                             .releases = s->release.count,
                             .lock = lock,
                             .release = release};
    for (int k = 1; k < SN_EVENT_VALUES; k++) sn_add_discrete(c, 0);
  }
  for (int i = 0; i < m->events; i++) declare_start(c, &m->event[i]);
}

/* ---- after them ---- */

/* The variable that an event sets; -1 after reporting. */
static int settable(sn_compiler *c, const sn_event *e, const char *name, const sn_node *node) {
  const sn_model *m = c->model;
  for (int i = 0; i < m->variables; i++) {
    const sn_variable *x = &m->variable[i];
    if (strcmp(x->name, name) != 0 || x->owner) continue;
    if (x->discrete || x->differential) return i;
    sn_node_error(&c->reader, node, "a variable that is held or has a rate",
                  "event '%s' cannot change '%s', which has a formula", e->name, name);
  }
  return -1;
}

static void compile_sets(sn_compiler *c, sn_event *e, const sn_assignments *a) {
  struct sn_event_value *set = sn_alloc(c->arena, (size_t)a->count + 1, sizeof *set);
  e->set = set;
  for (int i = 0; i < a->count; i++) {
    const int variable = settable(c, e, a->name[i], a->node[i]);
    if (variable < 0) continue;
    set[e->sets++] = (struct sn_event_value){variable, sn_make_formula(c, e->name, a->f[i], 0, NULL)};
  }
}

void sn_compile_events(sn_compiler *c) {
  sn_model *m = c->model;
  for (int i = 0; i < m->events; i++) {
    sn_event *e = &m->event[i];
    const event_spec *s = (const event_spec *)(const void *)e->spec;
    e->when = sn_make_formula(c, e->name, s->when, 0, NULL);
    /* steps resolve it as they do forces: it may cross zero and come back within a step. Reactions they cannot follow */
    if (e->when && !e->when->reactive) sn_list_formula(c, e->when);
    if (s->condition) e->condition = sn_make_formula(c, e->name, s->condition, 0, NULL);
    compile_sets(c, e, &s->set);
  }
  sn_compile_locks(c);
}
