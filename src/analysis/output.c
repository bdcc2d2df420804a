/* output.c - the numbers of an output at a state; see output.h. */
#include "analysis/output.h"

#include <math.h>
#include <string.h>

#include "force/forces.h"
#include "joint/primitive.h"
#include "math/constants.h"
#include "math/vec3.h"

static void fill_point(const sn_model *m, const sn_output *o, const sn_eval *ev, double *y) {
  double r[4][3]; /* position, velocity, acceleration, convective part of it */
  const sn_probe *p = &o->probe[0];
  p->ops->value(p, ev->q, r[0]);
  p->ops->rate(p, ev->q, ev->v, r[1]);
  p->ops->rate(p, ev->q, ev->a, r[2]);
  p->ops->convective(p, ev->q, ev->v, r[3]);
  sn_axpy(r[2], 1, r[3]);
  for (int k = 0; k < 3; k++) memcpy(y + k * m->dim, r[k], (size_t)m->dim * sizeof(double));
}

/* Components along the axes of the joint; they need not have unit length on flexible bodies. */
static void to_joint_frame(const sn_output *o, const sn_eval *ev, double x[3]) {
  double y[3];
  for (int k = 0; k < 3; k++) {
    double e[3];
    o->probe[k].ops->value(&o->probe[k], ev->q, e);
    sn_normalize(e);
    y[k] = sn_dot(e, x);
  }
  sn_copy(x, y);
}

static void fill_reaction(const sn_model *m, const sn_output *o, const sn_eval *ev, double *y) {
  sn_probe p;
  double about[3], F[3], M[3];
  sn_marker_point(&m->joint[o->joint].marker[1], &p);
  p.ops->value(&p, ev->q, about);
  sn_joint_reaction(m, o->joint, ev, about, F, M);
  if (o->local) {
    to_joint_frame(o, ev, F);
    to_joint_frame(o, ev, M);
  }
  memcpy(y, F, (size_t)m->dim * sizeof(double));
  memcpy(y + m->dim, m->dim == 3 ? M : M + 2, (m->dim == 3 ? 3 : 1) * sizeof(double));
}

/* The branch nearest to where the mean of the old and new rate leads. */
static double unwrap(sn_output_memory *memory, double t, double angle, double rate) {
  if (memory->known) {
    double expected = memory->angle + (memory->rate + rate) / 2 * (t - memory->t);
    angle += 2 * SN_PI * round((expected - angle) / (2 * SN_PI));
  }
  *memory = (sn_output_memory){true, t, angle, rate};
  return angle;
}

static void fill_joint(const sn_output *o, const sn_eval *ev, sn_output_memory *memory, double *y) {
  for (int k = 0; 2 * k < o->columns; k++) {
    const sn_coordinate *x = &o->coordinate[k];
    sn_phi phi;
    sn_phi_at(x, ev->q, &phi);
    y[2 * k + 1] = sn_phi_rate(x, &phi, ev->q, ev->v);
    y[2 * k] = x->type == SN_PHI_ANGLE ? unwrap(memory, ev->t, phi.value, y[2 * k + 1]) : phi.value;
  }
}

static void fill_contact(const sn_model *m, const sn_output *o, const sn_touching *t, double *y) {
  sn_touch_sum sum;
  sn_touch_total(t->contacts, t->count, t->touch, o->body[0], o->body[1], &sum);
  memcpy(y, sum.force, (size_t)m->dim * sizeof(double));
  y[m->dim] = sum.number;
  y[m->dim + 1] = sum.penetration;
}

void sn_output_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                    sn_output_memory *memory, double *y) {
  switch (o->type) {
    case SN_OUTPUT_POINT:
      fill_point(m, o, ev, y);
      break;
    case SN_OUTPUT_REACTION:
      fill_reaction(m, o, ev, y);
      break;
    case SN_OUTPUT_SPRING:
      if (o->spring)
        sn_spring_state(o->spring, ev->q, ev->v, &y[0], &y[1]);
      else
        sn_coordinate_spring_state(o->torsion, ev->q, ev->v, &y[0], &y[1]);
      break;
    case SN_OUTPUT_JOINT:
      fill_joint(o, ev, memory, y);
      break;
    case SN_OUTPUT_RESULTANT:
      o->marker.body->ops->resultants(&o->marker, ev, y);
      break;
    case SN_OUTPUT_CONTACT:
      fill_contact(m, o, touching, y);
      break;
  }
}

void sn_output_follow(const sn_model *m, const sn_eval *ev, sn_output_memory *memory) {
  double y[4];
  for (int i = 0; i < m->outputs; i++)
    if (m->output[i].type == SN_OUTPUT_JOINT && m->output[i].coordinate[0].type == SN_PHI_ANGLE)
      fill_joint(&m->output[i], ev, &memory[i], y);
}
