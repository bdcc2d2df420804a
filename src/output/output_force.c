/* output_force.c - force and moment that an entry of `forces` exerts on a body.
 *
 * The generalized forces Q of the entry alone do the work of F and M in rigid motions of the body, which its layout
 * describes: positions r, slopes s, Euler parameters p, angles a.
 *
 *   F = sum Q_r
 *   M = sum (r - c) x Q_r + sum s x Q_s + sum 1/2 (p0 Q_p + p x Q_p - Q_p0 p) + sum Q_a        about c
 *
 * On the ground, which has no coordinates, acts what balances the forces on all other bodies.
 */
#include <string.h>

#include "math/vec3.h"
#include "output/outputs.h"

static const char *const names[] = {"fx", "fy", "fz", "mx", "my", "mz"};
static const char *const units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const char *const planar_names[] = {"fx", "fy", "mz"};
static const char *const planar_units[] = {"N", "N", "N m"};

double *sn_output_work(const sn_model *m, sn_arena *arena) {
  for (int i = 0; i < m->outputs; i++) {
    const sn_output_type type = m->output[i].type;
    if (type == SN_OUTPUT_FORCE || type == SN_OUTPUT_RESULTANT || type == SN_OUTPUT_STRESS)
      return SN_NEW(arena, double, m->n + 1);
  }
  return NULL;
}

/* ---- compile ---- */

/* The joint that a force acts on, also as the only one in its field `joints`. */
static const sn_joint *joint_of(const sn_compiler *c, const sn_force_place *place) {
  const char *name = place->on;
  for (const sn_field *field = place->spec ? place->spec->kind->fields : NULL; field && field->name; field++) {
    const sn_coordinate_refs *refs = (const void *)((const char *)place->spec + field->at);
    if (field->type == SN_COORDINATES && refs->count == 1) name = refs->item[0].joint;
  }
  return name ? sn_find_joint(c->model, name) : NULL;
}

/* The marker of the force on the body that is meant by default; body NULL: it has none. */
static sn_marker standard_marker(const sn_compiler *c, const sn_force_place *place) {
  const sn_joint *joint = joint_of(c, place);
  if (place->markers) return place->marker[place->markers - 1];
  if (joint) return joint->marker[1];
  return (sn_marker){.body = place->on && !place->stops ? sn_find_body(c, place->on) : NULL};
}

/* The other marker, if it is on that body. */
static sn_marker marker_on(const sn_compiler *c, const sn_force_place *place, const sn_body *body) {
  const sn_joint *joint = joint_of(c, place);
  const sn_marker *all = place->stops ? place->path : place->markers ? place->marker : joint ? joint->marker : NULL;
  const int count = place->stops ? place->stops : place->markers ? place->markers : 2;
  for (int i = count - 1; all && i >= 0; i--)
    if (all[i].body == body) return all[i];
  return (sn_marker){.body = body};
}

/* Loads that nothing balances, and ropes with mass, do not say what acts on the ground. */
static bool acts_on_ground(const sn_compiler *c, const sn_force_place *place) {
  for (int k = 0; k < place->parts; k++)
    if (place->part[k].ops->momentum) return false;
  return place->stops || place->markers == 2 ||
         (place->markers == 0 && (!place->on || sn_find_joint(c->model, place->on)));
}

/* false after reporting why not. */
static bool check_body(sn_compiler *c, const sn_output_spec *spec, const sn_force_place *place, const sn_body *body) {
  const char *key = sn_given(spec, "on") ? "on" : "force";
  if (!body)
    sn_field_error(&c->reader, &spec->spec, "force", "the body on which it acts: 'on'",
                   "'%s' acts on several bodies or joints", spec->force);
  else if (strcmp(body->ops->kind.name, "ground") == 0 && !acts_on_ground(c, place))
    sn_field_error(&c->reader, &spec->spec, key, "a body that moves", "what '%s' exerts on the ground is not known",
                   spec->force);
  else if (strcmp(body->ops->kind.name, "ground") != 0 && body->count == 0)
    sn_field_error(&c->reader, &spec->spec, key, "the body to which it is attached",
                   "'%s' has no coordinates of its own", body->name);
  else
    return true;
  return false;
}

static void force_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  const sn_model *m = c->model;
  sn_output_take(out, m->dim == 2 ? SN_HEADINGS_OF(planar_names, planar_units) : SN_HEADINGS_OF(names, units));
  out->force = -1;
  for (int i = 0; i < m->forces; i++)
    if (strcmp(m->document->list[SN_FORCES].item[i]->name, spec->force) == 0) out->force = i;
  if (out->force < 0) return; /* the model has other errors, or none of that name, which is reported */
  const sn_force_place *place = &m->force[out->force];
  const sn_body *given = sn_given(spec, "on") ? sn_find_body(c, spec->on) : NULL;
  out->marker = given ? marker_on(c, place, given) : standard_marker(c, place);
  const sn_body *body = out->marker.body;
  if (!check_body(c, spec, place, body) || !body) return; /* without a body check_body has said so */
  const bool ground = strcmp(body->ops->kind.name, "ground") == 0;
  out->local = out->marker.points == 0; /* no marker there: about the first point */
  out->body[0] = ground ? -1 : (int)(body - m->body);
  if (!out->local) sn_marker_point(&out->marker, &out->probe[0]);
}

/* ---- values ---- */

static void read(int dim, const double *x, double y[3]) {
  y[0] = x[0], y[1] = x[1], y[2] = dim == 3 ? x[2] : 0;
}

static void add_body(const sn_model *m, const sn_body *body, const double *q, const double *r, const double c[3],
                     double F[3], double M[3]) {
  const sn_body_layout *layout = body->ops->layout;
  const int period = layout->owner == SN_OF_BODY ? body->count : sn_layout_place(layout->column, SN_NO_COLUMN, m->dim);
  for (int i = 0; i < body->count; i += period)
    for (int k = 0; k < 8 && layout->column[k]; k++) {
      const sn_layout_column column = layout->column[k];
      const int at = body->first + i + sn_layout_place(layout->column, column, m->dim);
      double x[3], Q[3], y[3];
      if (sn_layout_columns[column].size == 0) {
        read(m->dim, q + at, x);
        read(m->dim, r + at, Q);
        if (column == SN_COLUMN_R) {
          sn_axpy(F, -1, Q);
          sn_axpy(x, -1, c);
        }
        sn_cross(y, x, Q);
        sn_axpy(M, -1, y);
      } else if (column == SN_COLUMN_P) {
        sn_cross(y, q + at + 1, r + at + 1);
        for (int j = 0; j < 3; j++) M[j] -= 0.5 * (q[at] * r[at + 1 + j] + y[j] - r[at] * q[at + 1 + j]);
      } else if (column == SN_COLUMN_ANGLE) {
        M[2] -= r[at];
      }
    }
}

void sn_output_force_on(const sn_model *m, int force, int body, const sn_eval *ev, const double c[3], double *work,
                        double F[3], double M[3]) {
  const sn_force_place *place = &m->force[force];
  double *r = work;
  memset(r, 0, (size_t)m->n * sizeof(double));
  memset(F, 0, 3 * sizeof(double));
  memset(M, 0, 3 * sizeof(double));
  for (int k = 0; k < place->parts; k++) {
    const sn_batch *batch = NULL;
    for (int b = 0; b < m->batches; b++)
      if (m->batch[b].ops == place->part[k].ops) batch = &m->batch[b];
    if (batch && batch->ops->residual) batch->ops->residual(batch, place->part[k].range, ev, r);
  }
  for (int i = 0; i < m->bodies; i++)
    if (m->body[i].count && (body < 0 || body == i)) add_body(m, &m->body[i], ev->q, r, c, F, M);
}

static void force_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                       sn_output_memory *memory, double *y) {
  assert(o->force >= 0 && o->force < m->forces && memory->work);
  (void)touching;
  double F[3], M[3], c[3] = {0};
  if (!o->local)
    o->probe[0].ops->value(&o->probe[0], ev->q, c);
  else if (o->body[0] >= 0)
    read(m->dim, ev->q + m->body[o->body[0]].first, c);
  sn_output_force_on(m, o->force, o->body[0], ev, c, memory->work, F, M);
  const double sign = o->body[0] < 0 ? -1 : 1;
  for (int k = 0; k < m->dim; k++) y[k] = sign * F[k] + 0.0;
  for (int k = 0; k < (m->dim == 3 ? 3 : 1); k++) y[m->dim + k] = sign * (m->dim == 3 ? M[k] : M[2]) + 0.0;
}

const sn_output_ops sn_output_force = {.about = "force of ", .compile = force_compile, .fill = force_fill};
