/* servo.c - driver: the angle or travel of a joint follows a setpoint with limited speed and acceleration.
 *
 *   phi - s(t) = 0,   |s'| <= V,  |s''| = A or 0
 *
 * s is the motion of least time to the setpoint g as it was at the last instant k T: accelerate with A towards it, go on with
 * V, brake with A so that it stops there (a trapezoid of speed, or a triangle). With the distance D = |g - s| ahead and the
 * speed w towards g:
 *
 *   brake from w^2/(2 A) before g on;   fastest without a part at V:  w^2 = A D + w0^2/2
 *
 * Where one part ends and another begins is the end of a step, as instants are.
 */
#include <math.h>

#include "joint/joints.h"
#include "joint/quantity.h"
#include "joint/relation.h"
#include "joint/sampled.h"

typedef struct servo_spec {
  sn_spec spec;
  const char *joint;
  int coordinate;
  const sn_expr *setpoint;
  double speed, acceleration, period;
} servo_spec;

static const sn_field servo_fields[] = {
    {"joint", SN_JOINT_NAME, SN_AT(servo_spec, joint), .required = true,
     .help = "joint whose angle or travel it drives"},
    {"coordinate", SN_CHOICE, SN_AT(servo_spec, coordinate), .def = "any", .choices = "any|rotation|translation",
     .help = "which one, of a joint with both"},
    {"setpoint", SN_FORMULA, SN_AT(servo_spec, setpoint), .required = true,
     .help = "angle (rad) or travel (m) from the start to go to, read at the instants", .example = "0.5"},
    {"speed", SN_REAL, SN_AT(servo_spec, speed), .required = true, .limits = SN_POSITIVE, .help = "largest speed",
     .example = "2"},
    {"acceleration", SN_REAL, SN_AT(servo_spec, acceleration), .required = true, .limits = SN_POSITIVE,
     .help = "acceleration and deceleration", .example = "5"},
    {"period", SN_REAL, SN_AT(servo_spec, period), .required = true, .unit = "s", .limits = SN_POSITIVE,
     .help = "the setpoint is read at the multiples of this time", .example = "0.01"},
    {0},
};

/* ---- the motion ---- */

enum { BEGIN, PLACE, SPEED, ACCELERATION, OUTPUTS }; /* the part of the motion in force */
enum { UNTIL, GOAL, STATES };

static const double ROUNDING = 1e-9;

static double servo_wake(const sn_sampled *sampled, const double *x) {
  (void)sampled;
  return x[UNTIL];
}

/* The next part from place s and speed v to g: its acceleration, and how long it takes. */
static double plan(const servo_spec *spec, double s, double v, double g, double *time) {
  const double A = spec->acceleration, V = spec->speed, stop = g - s - v * fabs(v) / (2 * A);
  const double near = ROUNDING * fmax(1, fabs(g)), slow = ROUNDING * V;
  if (fabs(stop) <= near) { /* brakes to stand there, or stands */
    *time = fabs(v) > slow ? fabs(v) / A : INFINITY;
    return fabs(v) > slow ? -copysign(A, v) : 0;
  }
  const double side = copysign(1, stop), w = side * v, D = side * (g - s);
  if (w > V + slow) { /* faster than allowed: the limits have been others */
    *time = (w - V) / A;
    return -side * A;
  }
  if (w >= V - slow) {
    *time = (D - w * w / (2 * A)) / w;
    return 0;
  }
  *time = (fmin(sqrt(fmax(0, A * D + w * w / 2)), V) - w) / A; /* where w < 0, it turns on the way */
  return side * A;
}

static void servo_sample(const sn_sampled *sampled, double t, const double *u, double *x, double *y) {
  const servo_spec *spec = sampled->data;
  const double since = t - y[BEGIN];
  if (u[0] == x[GOAL] && t < x[UNTIL] - ROUNDING * sampled->period) return; /* goes on */
  double time;
  y[PLACE] += since * (y[SPEED] + since * y[ACCELERATION] / 2);
  y[SPEED] += since * y[ACCELERATION];
  y[BEGIN] = t;
  if (fabs(y[SPEED]) <= ROUNDING * spec->speed) y[SPEED] = 0;
  y[ACCELERATION] = plan(spec, y[PLACE], y[SPEED], u[0], &time);
  x[UNTIL] = t + fmax(time, 1e-8 * sampled->period); /* a part that is over at once must not end before it begins */
  x[GOAL] = u[0];
}

/* ---- compile ---- */

static void servo_coordinates(sn_compiler *c, sn_joint *joint) {
  const servo_spec *spec = (const servo_spec *)(const void *)joint->spec;
  const sn_sampled_part part[OUTPUTS + STATES] = {[BEGIN] = {.hidden = true},
                                                  [PLACE] = {.hidden = true},
                                                  [SPEED] = {.hidden = true},
                                                  [ACCELERATION] = {.hidden = true},
                                                  [OUTPUTS + UNTIL] = {.hidden = true, .start = INFINITY},
                                                  [OUTPUTS + GOAL] = {.hidden = true}};
  const sn_expr **f = SN_NEW(c->arena, const sn_expr *, 1);
  f[0] = spec->setpoint;
  sn_add_sampled(c, joint->spec,
                 (sn_sampled){.period = spec->period,
                              .inputs = 1,
                              .outputs = OUTPUTS,
                              .states = STATES,
                              .f = f,
                              .sample = servo_sample,
                              .wake = servo_wake,
                              .data = spec},
                 part);
}

/* The discrete value that its motion begins with. */
static int profile_of(const sn_model *m, const sn_joint *joint) {
  int i = 0;
  while (m->samples[i].data != joint->spec) i++;
  return sn_first_output(&m->samples[i]);
}

static void servo_compile(sn_compiler *c, sn_joint *joint) {
  const servo_spec *spec = (const servo_spec *)(const void *)joint->spec;
  const sn_joint *of = sn_find_joint(c->model, spec->joint);
  sn_relation x = {.terms = 1, .w = {1}, .profile = profile_of(c->model, joint)};
  if (!of || of->ops->after) {
    sn_field_error(&c->reader, joint->spec, "joint", "a joint with a coordinate of its own",
                   "joint '%s' has no coordinate to drive", spec->joint);
    return;
  }
  if (!sn_joint_coordinate(c, of, (sn_coordinate_type)spec->coordinate, joint->spec->node, &x.phi[0])) return;
  sn_joint_as(joint, of);
  sn_add_relation(c, joint, &x);
}

const sn_joint_ops sn_servo = {
    .kind = {.name = "servo",
             .category = SN_JOINTS,
             .summary = "driver: follows a setpoint with limited speed and acceleration",
             .fields = servo_fields,
             .spec_size = sizeof(servo_spec)},
    .after = true,
    .coordinates = servo_coordinates,
    .compile = servo_compile,
};
