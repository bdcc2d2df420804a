/* pid.c - proportional, integral and derivative control of one quantity.
 *
 *   e = setpoint - measure
 *   v = kp e + I + kd d,   output u = min(max(v, low), high)
 *
 * continuous:  I' = ki e + (u - v)/Tt,   d = w' behind a filter, Tf d' + d = w' (w = e, or -measure), or -rate
 *   with a state f of the filter:  f' = (w - f)/Tf,  d = (w - f)/Tf
 *
 * sampled, period T (backward Euler):
 *
 *   I_k = I_{k-1} + T ki e_k,   d_k = (Tf d_{k-1} + w_k - w_{k-1})/(Tf + T)
 *   back-calculation:  I_k += T/Tt (u_k - v_k) after v_k;   clamping:  I_k = I_{k-1} while v_k is beyond a limit and e_k
 *   leads further
 */
#include <math.h>

#include "control/controller.h"

enum { BACK_CALCULATION, CLAMPING, NO_ANTI_WINDUP };
enum { OF_ERROR, OF_MEASURE };

typedef struct pid_spec {
  sn_controller_spec head;
  const sn_expr *measure, *setpoint, *rate;
  double kp, ki, kd, filter, tracking, start;
  int derivative, anti_windup;
  sn_reals limits;
} pid_spec;

static const sn_field pid_fields[] = {
    {"measure", SN_FORMULA, SN_AT(pid_spec, measure), .required = true, .help = "controlled quantity",
     .example = "my_hinge.angle"},
    {"setpoint", SN_FORMULA, SN_AT(pid_spec, setpoint), .def = "0", .help = "value it should have"},
    {"kp", SN_REAL, SN_AT(pid_spec, kp), .def = "0", .help = "gain of the error", .example = "10"},
    {"ki", SN_REAL, SN_AT(pid_spec, ki), .def = "0", .help = "gain of its integral over time"},
    {"kd", SN_REAL, SN_AT(pid_spec, kd), .def = "0", .help = "gain of its rate"},
    {"rate", SN_FORMULA, SN_AT(pid_spec, rate),
     .help = "measured rate of the controlled quantity: kd then acts on -rate, without a filter"},
    {"filter_time", SN_REAL, SN_AT(pid_spec, filter), .def = "0", .unit = "s", .limits = SN_NOT_NEGATIVE,
     .help =
         "time constant of the filter of the derivative; needed by a continuous controller with kd and without rate, "
         "where the filter begins with 0: an error at the start is a jump"},
    {"derivative_of", SN_CHOICE, SN_AT(pid_spec, derivative), .def = "error", .choices = "error|measure",
     .help = "measure: jumps of the setpoint do not reach the derivative"},
    {"limits", SN_REALS, SN_AT(pid_spec, limits), .help = "smallest and largest output; default: none",
     .example = "[-5, 5]"},
    {"anti_windup", SN_CHOICE, SN_AT(pid_spec, anti_windup), .def = "back-calculation",
     .choices = "back-calculation|clamping|none",
     .help = "what happens to the integral while a limit acts: it follows the limited output with tracking_time, or "
             "(sampled) stands still, or nothing"},
    {"tracking_time", SN_REAL, SN_AT(pid_spec, tracking), .unit = "s", .limits = SN_POSITIVE,
     .help = "of back-calculation; default: sqrt(kd/ki), without kd: kp/ki"},
    {"start", SN_REAL, SN_AT(pid_spec, start), .def = "0", .help = "integral (ki times it) at the start"},
    SN_CONTROLLER_FIELDS,
    {0},
};

static bool is_limited(const pid_spec *s) {
  return s->limits.count == 2;
}

static bool tracks(const pid_spec *s) {
  return is_limited(s) && s->ki != 0 && s->anti_windup == BACK_CALCULATION;
}

static double tracking_time(const pid_spec *s) {
  if (sn_given(s, "tracking_time")) return s->tracking;
  return s->kd != 0 ? sqrt(fabs(s->kd / s->ki)) : fabs(s->kp / s->ki);
}

static void pid_check(sn_reader *reader, const sn_spec *spec) {
  const pid_spec *s = (const pid_spec *)(const void *)spec;
  const bool sampled = sn_is_sampled(spec), rate = sn_given(spec, "rate");
  sn_controller_check(reader, spec);
  if (s->kp == 0 && s->ki == 0 && s->kd == 0)
    sn_field_error(reader, spec, NULL, "at least one of: kp, ki, kd", "controller '%s' has no gain", spec->name);
  if (sn_given(spec, "limits") && (s->limits.count != 2 || !(s->limits.value[0] < s->limits.value[1])))
    sn_field_error(reader, spec, "limits", "[smallest, largest]", "the limits of controller '%s' are no range",
                   spec->name);
  else if (tracks(s) && !(tracking_time(s) > 0))
    sn_field_error(reader, spec, "tracking_time", "a tracking_time, or another anti_windup",
                   "the integral of controller '%s' has limits, and nothing to take a tracking time from", spec->name);
  if (s->anti_windup == CLAMPING && !sampled)
    sn_field_error(reader, spec, "anti_windup", "back-calculation, or a period",
                   "clamping needs instants; controller '%s' is continuous", spec->name);
  if (rate && sn_given(spec, "filter_time"))
    sn_field_error(reader, spec, "filter_time", "one of: rate, filter_time",
                   "controller '%s' has a measured rate, which needs no filter", spec->name);
  else if (s->kd != 0 && !rate && !(s->filter > 0) && !sampled)
    sn_field_error(reader, spec, "kd", "filter_time, or rate", "controller '%s' has no filter for its derivative",
                   spec->name);
}

/* ---- continuous ---- */

static void declare_continuous(sn_compiler *c, const pid_spec *s) {
  const sn_composer x = sn_controller_composer(c, &s->head.spec);
  const bool filter = s->kd != 0 && !s->rate;
  const char *w = s->derivative == OF_ERROR ? "error" : "-measure", *none = "", *unit = s->head.unit;
  sn_compose_value(
      &x, NULL, unit,
      is_limited(s) ? sn_format(c->arena, "min(max(unlimited, %.17g), %.17g)", s->limits.value[0], s->limits.value[1])
                    : "unlimited");
  sn_compose_value(&x, "error", none, "setpoint - measure");
  if (s->ki != 0)
    sn_compose_rate(&x, "integral", unit, s->start,
                    tracks(s) ? sn_format(c->arena, "%.17g*error + (output - unlimited)/%.17g", s->ki, tracking_time(s))
                              : sn_format(c->arena, "%.17g*error", s->ki));
  if (filter) sn_compose_rate(&x, "filter", none, 0, sn_format(c->arena, "(%s - filter)/%.17g", w, s->filter));
  if (filter) sn_compose_value(&x, "derivative", none, sn_format(c->arena, "(%s - filter)/%.17g", w, s->filter));
  if (s->kd != 0 && s->rate) sn_compose_given(&x, "rate", none, s->rate);
  sn_compose_value(
      &x, "unlimited", unit,
      sn_format(c->arena, "%.17g*error%s%s", s->kp, s->ki != 0 ? " + integral" : "",
                s->kd == 0 ? "" : sn_format(c->arena, filter ? " + %.17g*derivative" : " - %.17g*rate", s->kd)));
  sn_compose_given(&x, "measure", none, s->measure);
  sn_compose_given(&x, "setpoint", none, s->setpoint);
}

/* ---- sampled ---- */

enum { UNLIMITED, ERROR, INTEGRAL, DERIVATIVE, LAST, BEGUN, STATES };

static void pid_sample(const sn_sampled *sampled, double t, const double *u, double *x, double *y) {
  const pid_spec *s = sampled->data;
  const double T = sampled->period, e = u[1] - u[0], w = s->derivative == OF_ERROR ? e : -u[0], I = x[INTEGRAL];
  (void)t;
  x[ERROR] = e;
  x[INTEGRAL] += T * s->ki * e;
  if (s->rate)
    x[DERIVATIVE] = -u[2];
  else
    x[DERIVATIVE] = x[BEGUN] != 0 ? (s->filter * x[DERIVATIVE] + w - x[LAST]) / (s->filter + T) : 0;
  x[LAST] = w;
  x[BEGUN] = 1;
  double v = s->kp * e + x[INTEGRAL] + s->kd * x[DERIVATIVE];
  *y = is_limited(s) ? fmin(fmax(v, s->limits.value[0]), s->limits.value[1]) : v;
  if (s->anti_windup == CLAMPING && *y != v && (v - *y) * s->ki * e > 0) {
    v += I - x[INTEGRAL];
    x[INTEGRAL] = I;
    *y = fmin(fmax(v, s->limits.value[0]), s->limits.value[1]);
  }
  if (tracks(s)) x[INTEGRAL] += fmin(1, T / tracking_time(s)) * (*y - v);
  x[UNLIMITED] = v;
}

static void declare_sampled(sn_compiler *c, const pid_spec *s) {
  const char *unit = s->head.unit;
  const sn_sampled_part part[1 + STATES] = {{NULL, unit, 0, false},
                                            [1 + UNLIMITED] = {"unlimited", unit, 0, false},
                                            [1 + ERROR] = {"error", "", 0, false},
                                            [1 + INTEGRAL] = {"integral", unit, s->start, false},
                                            [1 + DERIVATIVE] = {"derivative", "", 0, false},
                                            [1 + LAST] = {.hidden = true},
                                            [1 + BEGUN] = {.hidden = true}};
  const sn_expr **f = SN_NEW(c->arena, const sn_expr *, 3);
  f[0] = s->measure;
  f[1] = s->setpoint;
  f[2] = s->rate;
  sn_add_sampled(c, &s->head.spec,
                 (sn_sampled){.period = s->head.period,
                              .delay = s->head.delay,
                              .inputs = s->rate ? 3 : 2,
                              .outputs = 1,
                              .states = STATES,
                              .f = f,
                              .sample = pid_sample,
                              .data = s},
                 part);
}

static void pid_declare(sn_compiler *c, const sn_spec *spec) {
  const pid_spec *s = (const pid_spec *)(const void *)spec;
  if (sn_is_sampled(spec))
    declare_sampled(c, s);
  else
    declare_continuous(c, s);
}

const sn_controller_ops sn_pid = {
    .kind = {.name = "pid",
             .category = SN_CONTROLLERS,
             .summary = "proportional, integral and derivative control, with limits",
             .fields = pid_fields,
             .spec_size = sizeof(pid_spec),
             .check = pid_check},
    .declare = pid_declare,
};
