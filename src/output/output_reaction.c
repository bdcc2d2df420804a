/* output_reaction.c - force and moment that a joint exerts on its second body. */
#include <string.h>

#include "joint/primitive.h"
#include "math/vec3.h"
#include "output/outputs.h"

static const char *const reaction_names[] = {"fx", "fy", "fz", "mx", "my", "mz"};
static const char *const reaction_units[] = {"N", "N", "N", "N m", "N m", "N m"};
static const char *const reaction2_names[] = {"fx", "fy", "mz"};
static const char *const reaction2_units[] = {"N", "N", "N m"};

/* The frame of a joint is carried by its first body with a frame; where none has one it stays as it was. */
static void reaction_compile(sn_compiler *c, const sn_output_spec *spec, sn_output *out) {
  bool planar = c->model->dim == 2;
  const sn_joint *joint = sn_find_joint(c->model, spec->reaction);
  sn_output_take(
      out, planar ? SN_HEADINGS_OF(reaction2_names, reaction2_units) : SN_HEADINGS_OF(reaction_names, reaction_units));
  if (!joint) return;
  if (!joint->marker[1].body) {
    sn_field_error(&c->reader, &spec->spec, "reaction", "another joint", "joint '%s' has no reaction", joint->name);
    return;
  }
  if (joint->slide && joint->ops->after) {
    sn_field_error(&c->reader, &spec->spec, "reaction", "the sliding joint, whose reaction contains the force along it",
                   "'%s' acts along a line", joint->name);
    return;
  }
  out->joint = (int)(joint - c->model->joint);
  out->local = spec->frame == 1;
  const sn_marker *carrier = joint->marker[0].has_frame   ? &joint->marker[0]
                             : joint->marker[1].has_frame ? &joint->marker[1]
                                                          : NULL;
  for (int k = 0; k < 3; k++) {
    if (carrier)
      sn_marker_direction(carrier, joint->frame[k], &out->probe[k]);
    else
      sn_constant_probe(joint->frame[k], &out->probe[k]);
  }
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

static void reaction_fill(const sn_model *m, const sn_output *o, const sn_eval *ev, const sn_touching *touching,
                          sn_output_memory *memory, double *y) {
  assert(o->joint >= 0 && o->joint < m->joints && o->columns == (m->dim == 3 ? 6 : 3));
  (void)touching;
  (void)memory;
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

const sn_output_ops sn_output_reaction = {.about = "reaction of ", .compile = reaction_compile, .fill = reaction_fill};
