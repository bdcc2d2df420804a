/* quantity.c - see quantity.h. */
#include "joint/quantity.h"

#include <string.h>

#include "joint/measure.h"
#include "joint/relation.h"
#include "math/vec3.h"
#include "model/refer.h"

/* ---- coordinates ---- */

/* e.r of a point: travel along a fixed direction from the origin */
static void point_component(const sn_marker *marker, int axis, sn_coordinate *x) {
  const double origin[3] = {0, 0, 0};
  double e[3] = {0, 0, 0};
  e[axis] = 1;
  *x = (sn_coordinate){.type = SN_PHI_TRAVEL, .probes = 3, .sign = 1, .second = 1};
  sn_constant_probe(e, &x->probe[0]);
  sn_constant_probe(origin, &x->probe[1]);
  sn_marker_point(marker, &x->probe[2]);
}

static bool is_in_plane(sn_compiler *c, const sn_reference *r, int axis) {
  if (c->model->dim == 3 || axis < 2) return true;
  sn_node_error(&c->reader, r->node, "x, y, vx or vy", "'%s' does not exist in a planar model", r->text);
  return false;
}

static bool make_point(sn_compiler *c, const sn_reference *r, const sn_marker_ref *ref, int axis, sn_coordinate *x) {
  sn_marker marker;
  if (!is_in_plane(c, r, axis) || !sn_resolve(c, ref, &marker)) return false;
  point_component(&marker, axis, x);
  return true;
}

/* Travel of the second point against the first along an axis that is global at the start and turns with the first. */
static bool make_relative(sn_compiler *c, const sn_reference *r, int axis, sn_coordinate *x) {
  sn_marker marker[2];
  double e[3] = {0, 0, 0};
  e[axis] = 1;
  if (!is_in_plane(c, r, axis) || !sn_resolve_pair(c, r->marker, marker)) return false;
  if (marker[0].has_frame) return sn_make_travel(marker, e, true, x) == NULL;
  sn_node_error(&c->reader, r->marker[0].node, "a body with a frame, such as a rigid one or the ground",
                "%s '%s' has no axes to measure in", marker[0].body->ops->kind.name, marker[0].body->name);
  return false;
}

static bool make_distance(sn_compiler *c, const sn_reference *r, sn_coordinate *x) {
  sn_marker marker[2];
  if (!sn_resolve_pair(c, r->marker, marker)) return false;
  sn_make_distance(marker, x);
  return true;
}

static bool make_joint(sn_compiler *c, const sn_reference *r, const char *name, int word, sn_coordinate *x) {
  const sn_joint *joint = sn_find_joint(c->model, name);
  if (!joint) return false; /* reported where it stands */
  const bool travel = word >= 2 || (word == 1 && !joint->has_rotation);
  return sn_joint_coordinate(c, joint, travel ? SN_TRANSLATION_COORDINATE : SN_ROTATION_COORDINATE, r->node, x);
}

/* Outputs of points and joints. */
static bool make_output(sn_compiler *c, const sn_reference *r, int joint_word, int point_word, sn_coordinate *x) {
  const sn_spec *spec = sn_find(c->model->document, SN_OUTPUTS, r->name);
  if (!spec) return false; /* reported where it stands */
  if (point_word >= 0 && sn_given(spec, "point"))
    return make_point(c, r, sn_field_value(spec, "point"), point_word % 3, x);
  if (joint_word >= 0 && sn_given(spec, "joint"))
    return make_joint(c, r, *(const char *const *)sn_field_value(spec, "joint"), joint_word, x);
  sn_node_error(&c->reader, r->node,
                "an output of a point (x, vx, ...), joint (angle, rate, position, velocity), resultant, reaction, "
                "spring (force, length) or expression (value)",
                "output '%s' has no quantity '%s' that expressions can use", r->name, r->component);
  return false;
}

static bool make_phi(sn_compiler *c, const sn_reference *r, sn_quantity *s) {
  const int joint = sn_find_joint_word(r->component);
  const int point = sn_find_word(sn_point_words, SN_REFERENCE_POINT_WORDS, r->component);
  const bool rate = r->type == SN_REFERENCE_DISTANCE ? r->component[0] : point >= 0 ? point >= 3 : joint % 2 == 1;
  s->type = rate ? SN_QUANTITY_RATE : SN_QUANTITY_PHI;
  switch (r->type) {
    case SN_REFERENCE_JOINT:
      return make_joint(c, r, r->name, joint, &s->phi);
    case SN_REFERENCE_MARKER:
      return make_point(c, r, &r->marker[0], point % 3, &s->phi);
    case SN_REFERENCE_DISTANCE:
      return make_distance(c, r, &s->phi);
    case SN_REFERENCE_RELATIVE:
      return make_relative(c, r, point % 3, &s->phi);
    default:
      return make_output(c, r, joint, point, &s->phi);
  }
}

/* ---- variables and inputs ---- */

static sn_variable *find_variable(const sn_model *m, const char *name) {
  for (int i = 0; i < m->variables; i++)
    if (strcmp(m->variable[i].name, name) == 0) return &m->variable[i];
  return NULL;
}

sn_variable *sn_add_variable(sn_compiler *c, const sn_variable *x) {
  sn_model *m = c->model;
  sn_variable *list = SN_NEW(c->arena, sn_variable, m->variables + 1);
  if (m->variables) memcpy(list, m->variable, (size_t)m->variables * sizeof *list);
  list[m->variables] = *x;
  m->variable = list;
  return &list[m->variables++];
}

void sn_add_differential(sn_compiler *c, sn_variable *x, double start) {
  const double zero = 0;
  x->differential = true;
  x->index = c->model->n;
  x->group = sn_add_coordinates(c, x->name, 1, &zero, &start);
}

/* A quantity that a controller or actuator does not have. */
static void report_unknown(sn_compiler *c, const sn_reference *r) {
  const char *dot = strchr(r->name, '.');
  const size_t length = dot ? (size_t)(dot - r->name) : 0;
  const char *known = NULL;
  for (int i = 0; i < c->model->variables; i++) {
    const sn_variable *x = &c->model->variable[i];
    if (!x->owner || strlen(x->owner) != length || strncmp(x->owner, r->name, length) != 0) continue;
    known = known ? sn_format(c->arena, "%s, %s", known, x->name) : sn_format(c->arena, "one of: %s", x->name);
  }
  if (dot) sn_node_error(&c->reader, r->node, known, "there is no quantity '%s'", r->name);
}

/* "u -> w -> u" */
static void report_circle(sn_compiler *c, const sn_reference *r, const char *noun, const char *name, const void *what) {
  const char *text = name;
  for (const sn_open_variable *at = c->open; at; at = at->up) {
    text = sn_format(c->arena, "%s -> %s", at->name, text);
    if (at->what == what) break;
  }
  sn_node_error(&c->reader, r->node, "formulas without a circle, or a differential variable (rate) in it",
                "%s '%s' depends on itself: %s", noun, name, text);
}

/* Is the formula of this thing being made already? Then that is reported. */
static bool is_circle(sn_compiler *c, const sn_reference *r, const char *noun, const sn_spec *spec) {
  for (const sn_open_variable *at = c->open; at; at = at->up) {
    if (at->what != spec) continue;
    report_circle(c, r, noun, spec->name, spec);
    return true;
  }
  return false;
}

bool sn_make_variable(sn_compiler *c, sn_variable *x) {
  if (x->formula || x->wrong) return !x->wrong;
  if (x->discrete) return true;
  sn_open_variable here = {x->name, x, c->open};
  const int errors = c->reader.errors;
  x->open = true;
  c->open = &here;
  x->formula = sn_make_formula(c, x->name, x->f, 0, NULL);
  if (x->formula) sn_list_formula(c, x->formula);
  c->open = here.up;
  x->open = false;
  x->wrong = !x->formula || c->reader.errors != errors;
  return !x->wrong;
}

void sn_variable_quantity(const sn_compiler *c, const sn_variable *x, sn_quantity *s) {
  s->type = x->differential ? SN_QUANTITY_STATE : x->discrete ? SN_QUANTITY_DISCRETE : SN_QUANTITY_FORMULA;
  s->formula = x->formula;
  s->index = x->index;
  s->group = x->group;
  if (x->discrete) s->start = c->discrete0[x->index];
}

static bool make_variable(sn_compiler *c, const sn_reference *r, sn_quantity *s) {
  sn_variable *x = find_variable(c->model, r->name);
  if (!x) {
    report_unknown(c, r); /* others were reported where they stand */
    return false;
  }
  if (x->differential || x->discrete) {
    sn_variable_quantity(c, x, s);
    return true;
  }
  if (x->open) {
    report_circle(c, r, "variable", x->name, x);
    return false;
  }
  if (!sn_make_variable(c, x)) return false;
  sn_variable_quantity(c, x, s);
  return true;
}

/* The arguments of a function of the host program, as one formula without an expression of its own. */
static const sn_formula *make_call(sn_compiler *c, const sn_input *input, int number) {
  const int count = input->arguments;
  sn_formula *x = SN_NEW(c->arena, sn_formula, 1);
  const sn_quantity **s = SN_NEW(c->arena, const sn_quantity *, count + 1);
  const int **at = SN_NEW(c->arena, const int *, count + 1);
  *x = (sn_formula){.owner = input->name, .input = number, .variables = count, .s = s, .at = at};
  for (int k = 0; k < count; k++) {
    sn_quantity *argument = SN_NEW(c->arena, sn_quantity, 1);
    *argument = (sn_quantity){.type = SN_QUANTITY_FORMULA,
                              .name = input->name,
                              .formula = sn_make_formula(c, input->name, input->argument[k], 0, NULL)};
    if (!argument->formula) return NULL;
    x->reactive |= argument->formula->reactive;
    s[k] = argument;
    at[k] = sn_place_quantity(c, input->name, argument, &x->set);
    if (!at[k]) return NULL;
  }
  return x;
}

bool sn_make_call(sn_compiler *c, int number) {
  sn_input *input = &c->model->input[number];
  if (!input->arguments || input->call) return true;
  sn_open_variable here = {input->name, input, c->open};
  c->open = &here;
  input->call = make_call(c, input, number);
  c->open = here.up;
  return input->call != NULL;
}

static bool make_input(sn_compiler *c, const sn_reference *r, sn_quantity *s) {
  const sn_model *m = c->model;
  s->type = SN_QUANTITY_INPUT;
  for (s->index = 0; s->index < m->inputs; s->index++) {
    if (strcmp(m->input[s->index].name, r->name) != 0) continue;
    s->formula = m->input[s->index].standard;
    for (const sn_open_variable *at = c->open; at; at = at->up) {
      if (at->what != &m->input[s->index]) continue;
      report_circle(c, r, "input", r->name, at->what);
      return false;
    }
    if (!sn_make_call(c, s->index)) return false;
    s->call = m->input[s->index].call;
    return true;
  }
  return false; /* reported where it stands */
}

/* ---- springs ---- */

/* Length or angle of a spring from its free one; NULL after reporting. */
static bool spring_coordinate(sn_compiler *c, const sn_reference *r, const sn_spec *spec, bool torsion,
                              sn_coordinate *x) {
  sn_marker marker[2];
  if (torsion && sn_given(spec, "joint")) {
    const sn_joint *joint = sn_find_joint(c->model, *(const char *const *)sn_field_value(spec, "joint"));
    if (!joint || !sn_joint_coordinate(c, joint, SN_ROTATION_COORDINATE, r->node, x)) return false;
  } else {
    if (!sn_resolve_pair(c, sn_field_value(spec, "between"), marker)) return false;
    double axis[3] = {0};
    if (torsion) sn_copy(axis, sn_field_value(spec, "axis"));
    if (torsion && (!(sn_normalize(axis) > 0) || sn_make_rotation(c->model, marker, axis, x))) return false;
    if (!torsion) sn_make_distance(marker, x);
  }
  if (torsion) {
    x->c += *(const double *)sn_field_value(spec, "angle");
  } else if (sn_given(spec, "length")) {
    x->c = *(const double *)sn_field_value(spec, "length");
  } else {
    double d[3];
    sn_sub(d, marker[1].position, marker[0].position);
    x->c = sn_norm(d);
  }
  return true;
}

/* k stretch + c rate + law, the force or moment of a spring, as a formula of its stretch and rate */
static const sn_formula *spring_force(sn_compiler *c, const sn_spec *spec, const char *law, const sn_coordinate *x) {
  static const char *const names[] = {"stretch", "rate", "law"};
  const sn_expr *f = sn_given(spec, law) ? *(const sn_expr *const *)sn_field_value(spec, law) : NULL;
  const sn_quantity *local[3] = {sn_phi_quantity(c, x, false), sn_phi_quantity(c, x, true), NULL};
  if (f) {
    sn_quantity *own = SN_NEW(c->arena, sn_quantity, 1);
    *own = (sn_quantity){.type = SN_QUANTITY_FORMULA, .formula = sn_make_formula(c, spec->name, f, 2, local)};
    if (!own->formula) return NULL;
    local[2] = own;
  }
  const char *text =
      sn_format(c->arena, "%.17g*stretch + %.17g*rate%s", *(const double *)sn_field_value(spec, "stiffness"),
                *(const double *)sn_field_value(spec, "damping"), f ? " + law" : "");
  const sn_scope scope = {.variables = names, .variable_count = f ? 3 : 2};
  sn_expr_error error;
  const sn_expr *sum = sn_expr_compile(c->arena, text, strlen(text), &scope, &error);
  return sum ? sn_make_formula(c, spec->name, sum, f ? 3 : 2, local) : NULL;
}

static bool make_spring(sn_compiler *c, const sn_reference *r, const char *name, sn_quantity *s) {
  const sn_spec *spec = sn_find(c->model->document, SN_FORCES, name);
  if (!spec) return false; /* reported where it stands */
  const bool torsion = strcmp(spec->kind->name, "torsion-spring") == 0;
  const char *force = torsion ? "moment" : "force", *place = torsion ? "angle" : "length";
  const bool is_force = strcmp(r->component, force) == 0, rate = strcmp(r->component, "rate") == 0;
  if ((!torsion && strcmp(spec->kind->name, "spring") != 0) ||
      (!is_force && !rate && strcmp(r->component, place) != 0)) {
    sn_node_error(&c->reader, r->node, "force, length or rate of a spring; moment, angle or rate of a torsion-spring",
                  "%s '%s' has no quantity '%s' that expressions can use", spec->kind->name, name, r->component);
    return false;
  }
  sn_coordinate x;
  if (is_circle(c, r, "force", spec) || !spring_coordinate(c, r, spec, torsion, &x)) return false;
  if (!is_force) {
    if (!torsion) x.c = 0;
    if (torsion) x.c -= *(const double *)sn_field_value(spec, "angle");
    s->type = rate ? SN_QUANTITY_RATE : SN_QUANTITY_PHI;
    s->phi = x;
    return true;
  }
  sn_open_variable here = {name, spec, c->open};
  c->open = &here;
  s->type = SN_QUANTITY_FORMULA;
  s->formula = spring_force(c, spec, force, &x);
  c->open = here.up;
  return s->formula != NULL;
}

/* ---- outputs ---- */

static bool make_expression(sn_compiler *c, const sn_reference *r, const sn_spec *spec, sn_quantity *s) {
  if (is_circle(c, r, "output", spec)) return false;
  sn_open_variable here = {spec->name, spec, c->open};
  c->open = &here;
  s->type = SN_QUANTITY_FORMULA;
  s->formula = sn_make_formula(c, spec->name, *(const sn_expr *const *)sn_field_value(spec, "expression"), 0, NULL);
  c->open = here.up;
  return s->formula != NULL;
}

/* Columns of outputs: what they are of. */
static bool make_column(sn_compiler *c, const sn_reference *r, sn_quantity *s) {
  const sn_spec *spec = sn_find(c->model->document, SN_OUTPUTS, r->name);
  if (!spec) return false; /* reported where it stands */
  if (sn_given(spec, "resultant"))
    return sn_measure_resultant(c, r, sn_field_value(spec, "resultant"),
                                sn_given(spec, "about") ? sn_field_value(spec, "about") : NULL, s);
  if (sn_given(spec, "reaction"))
    return sn_measure_reaction(c, r, *(const char *const *)sn_field_value(spec, "reaction"),
                               *(const int *)sn_field_value(spec, "frame") == 1, s);
  if (sn_given(spec, "spring")) return make_spring(c, r, *(const char *const *)sn_field_value(spec, "spring"), s);
  if (sn_given(spec, "expression") && strcmp(r->component, "value") == 0) return make_expression(c, r, spec, s);
  return make_phi(c, r, s);
}

/* ---- quantities and formulas ---- */

static bool make_quantity(sn_compiler *c, const sn_reference *r, sn_quantity *s) {
  sn_reference own = *r;
  switch (r->type) {
    case SN_REFERENCE_VARIABLE:
      return make_variable(c, r, s);
    case SN_REFERENCE_INPUT:
      return make_input(c, r, s);
    case SN_REFERENCE_RESULTANT:
      return sn_measure_resultant(c, r, &r->marker[0], NULL, s);
    case SN_REFERENCE_REACTION:
      return sn_measure_reaction(c, r, r->name, false, s);
    case SN_REFERENCE_ENERGY:
      return sn_measure_energy(c, r, s);
    case SN_REFERENCE_SPRING:
      if (!find_variable(c->model, r->text)) return make_spring(c, r, r->name, s);
      own.name = r->text; /* a quantity of an actuator */
      return make_variable(c, &own, s);
    case SN_REFERENCE_OUTPUT:
      return make_column(c, r, s);
    default:
      return make_phi(c, r, s);
  }
}

static sn_quantity *add_quantity(sn_compiler *c, const sn_quantity *s) {
  sn_quantity *copy = SN_NEW(c->arena, sn_quantity, 1);
  *copy = *s;
  return copy;
}

const sn_quantity *sn_phi_quantity(sn_compiler *c, const sn_coordinate *phi, bool rate) {
  return add_quantity(c, &(sn_quantity){.type = rate ? SN_QUANTITY_RATE : SN_QUANTITY_PHI, .phi = *phi});
}

static const sn_quantity *find_quantity(sn_compiler *c, const sn_reference *r) {
  for (sn_quantity_entry *known = c->quantities; known; known = known->next)
    if (known->quantity->reference == r) return known->quantity;
  sn_quantity s = {.name = r->text, .reference = r};
  if (!make_quantity(c, r, &s)) return NULL;
  sn_quantity_entry *entry = SN_NEW(c->arena, sn_quantity_entry, 1);
  *entry = (sn_quantity_entry){add_quantity(c, &s), c->quantities};
  c->quantities = entry;
  return entry->quantity;
}

/* NULL: too many. */
static const int *place(sn_compiler *c, const sn_quantity *s, sn_group_set *set) {
  int group[SN_FORMULA_GROUPS], size[SN_FORMULA_GROUPS];
  const int count = sn_quantity_groups(s, c->group_size, group, size);
  int *at = SN_NEW(c->arena, int, count + 1);
  for (int i = 0; i < count; i++) {
    at[i] = sn_group_set_add(set, group[i], size[i]);
    if (at[i] < 0) return NULL;
  }
  return at;
}

/* The first reference of a formula, for messages. */
static const sn_node *node_of(const sn_formula *f) {
  for (int k = 0; f && k < f->variables; k++)
    if (f->s[k] && f->s[k]->reference) return ((const sn_reference *)f->s[k]->reference)->node;
  return NULL;
}

const int *sn_place_quantity(sn_compiler *c, const char *owner, const sn_quantity *s, sn_group_set *set) {
  const sn_formula *f = s->type == SN_QUANTITY_FORMULA ? s->formula : NULL;
  const int *at = f && f->wide ? NULL : place(c, s, set);
  if (!at)
    sn_node_error(&c->reader, node_of(f), "several simpler ones, or the energy of one body",
                  "an expression of '%s' depends on too many coordinates", owner);
  return at;
}

void sn_list_formula(sn_compiler *c, const sn_formula *f) {
  sn_model *m = c->model;
  if (sn_expr_is_constant(f->f) || sn_find_formula(m, f->f)) return;
  const sn_formula **list = SN_NEW(c->arena, const sn_formula *, m->formulas + 1);
  if (m->formulas) memcpy(list, m->formula, (size_t)m->formulas * sizeof list[0]);
  list[m->formulas++] = f;
  m->formula = list;
}

const int *sn_place_formula(sn_compiler *c, const sn_formula *f, sn_group_set *set) {
  c->model->reactive |= f->reactive;
  c->model->reactive_laws |= f->reactive;
  c->model->unsymmetric |= f->reactive;
  return sn_place_quantity(c, f->owner, &(sn_quantity){.type = SN_QUANTITY_FORMULA, .formula = f}, set);
}

const sn_formula *sn_make_formula(sn_compiler *c, const char *owner, const sn_expr *f, int locals,
                                  const sn_quantity *const *local) {
  const int variables = sn_expr_variables(f);
  assert(variables >= locals);
  sn_formula *x = SN_NEW(c->arena, sn_formula, 1);
  const sn_quantity **s = SN_NEW(c->arena, const sn_quantity *, variables + 1);
  const int **at = SN_NEW(c->arena, const int *, variables + 1);
  *x = (sn_formula){.owner = owner, .f = f, .variables = variables, .s = s, .at = at};
  for (int k = 0; k < variables; k++) {
    if (!sn_expr_uses(f, k)) continue;
    s[k] = k < locals ? local[k] : find_quantity(c, sn_expr_reference(f, k));
    if (!s[k]) return NULL;
    const sn_measured *m = s[k]->type == SN_QUANTITY_MEASURED ? s[k]->measured : NULL;
    const sn_formula *of = s[k]->type == SN_QUANTITY_FORMULA ? s[k]->formula : NULL;
    const sn_formula *call = s[k]->type == SN_QUANTITY_INPUT ? s[k]->call : NULL;
    x->reactive |= (m && m->reactive) || (of && of->reactive) || (call && call->reactive);
    x->wide |= (m && m->wide) || (of && of->wide);
    at[k] = x->wide ? NULL : place(c, s[k], &x->set);
    x->wide |= !at[k];
  }
  return x;
}
