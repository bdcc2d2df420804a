/* measures.c - the kinds of measures of a study; the rules are in analysis/curve.h. */
#include "study/measures.h"

#include <math.h>
#include <stdio.h>

#include "analysis/simulation.h"

/* ---- curves of a run ---- */

/* The rows of a series from `after` to `until`; none when there is no such series. */
static sn_curve curve_of(const sn_measure_spec *spec, const sn_run_view *run, const char *name) {
  size_t count = 0, times = 0, first = 0;
  const double *y = run->series(run->user, name, &count), *t = run->series(run->user, "t", &times);
  if (!y || !t) return (sn_curve){0};
  if (times < count) count = times;
  if (sn_given(spec, "after"))
    while (first < count && t[first] < spec->after) first++;
  if (sn_given(spec, "until"))
    while (count > first && t[count - 1] > spec->until) count--;
  return (sn_curve){count - first, t + first, y + first};
}

static double level_of(const sn_measure_spec *spec) {
  return sn_given(spec, "level") ? spec->level : NAN;
}
static double reference_of(const sn_measure_spec *spec) {
  return sn_given(spec, "reference") ? spec->reference : NAN;
}

/* ---- fields ---- */

#define OF_FIELD                                                                                      \
  {                                                                                                   \
    "of", SN_TEXT, SN_AT(sn_measure_spec, of),                                                        \
        .required = true, .help = "series, as in sinew plot: tip.x, energy.total", .example = "tip.x" \
  }
#define WHEN_FIELDS                                                                                                    \
  {"after", SN_REAL, SN_AT(sn_measure_spec, after), .unit = "s", .help = "only rows from this time on; default: all"}, \
  {                                                                                                                    \
    "until", SN_REAL, SN_AT(sn_measure_spec, until), .unit = "s", .help = "only rows up to this time; default: all"    \
  }
#define LEVEL_FIELD                                                                           \
  {                                                                                           \
    "level", SN_REAL, SN_AT(sn_measure_spec, level),                                          \
        .help =                                                                               \
            "cycles begin where the series rises through this value; default: the center of " \
            "its cycles (their median), to which decaying oscillations decay"                 \
  }
#define PICK_FIELD(standard)                                                                   \
  {                                                                                            \
    "pick", SN_CHOICE, SN_AT(sn_measure_spec, pick),                                           \
        .def = standard, .choices = SN_PICKS,                                                  \
        .help = "cycle to evaluate; extreme: the one farthest from the first or the reference" \
  }

static const sn_field series_fields[] = {OF_FIELD, WHEN_FIELDS, {0}};
static const sn_field cycle_fields[] = {OF_FIELD, WHEN_FIELDS, LEVEL_FIELD, PICK_FIELD("mean"), {0}};
static const sn_field decay_fields[] = {
    OF_FIELD,
    WHEN_FIELDS,
    LEVEL_FIELD,
    PICK_FIELD("last"),
    {"reference", SN_REAL, SN_AT(sn_measure_spec, reference), .limits = SN_POSITIVE,
     .help = "reference amplitude; default: that of the first cycle"},
    {0},
};
static const sn_field elongation_fields[] = {
    OF_FIELD,
    WHEN_FIELDS,
    LEVEL_FIELD,
    PICK_FIELD("last"),
    {"reference", SN_REAL, SN_AT(sn_measure_spec, reference), .unit = "s", .limits = SN_POSITIVE,
     .help = "reference period; default: that of the first cycle"},
    {0},
};
static const sn_field first_fields[] = {
    OF_FIELD,
    WHEN_FIELDS,
    {"level", SN_REAL, SN_AT(sn_measure_spec, level), .def = "0", .help = "threshold"},
    {0},
};
static const sn_field distance_fields[] = {
    {"of", SN_TEXT, SN_AT(sn_measure_spec, of), .required = true,
     .help = "a point output, for the distance, or a series, for the difference", .example = "tip"},
    {"from", SN_TEXT, SN_AT(sn_measure_spec, from), .required = true,
     .help = "values of the other case that differ from this one: n=24, or n=24; method=dvi", .example = "n=24"},
    WHEN_FIELDS,
    {0},
};
static const sn_field no_fields[] = {{0}};

#define MEASURE(variable, its_name, its_summary, its_fields, its_value)            \
  const sn_measure_ops variable = {.kind = {.name = its_name,                      \
                                            .category = SN_MEASURED,               \
                                            .summary = its_summary,                \
                                            .fields = its_fields,                  \
                                            .spec_size = sizeof(sn_measure_spec)}, \
                                   .value = its_value}

/* ---- of a series ---- */

#define SERIES_VALUE(function, measured)                                        \
  static double function(const sn_measure_spec *spec, const sn_run_view *run) { \
    sn_curve curve = curve_of(spec, run, spec->of);                             \
    return measured;                                                            \
  }
SERIES_VALUE(final_value, sn_curve_final(&curve))
SERIES_VALUE(maximum_value, sn_curve_maximum(&curve))
SERIES_VALUE(minimum_value, sn_curve_minimum(&curve))
SERIES_VALUE(mean_value, sn_curve_mean(&curve))
SERIES_VALUE(rms_value, sn_curve_rms(&curve))
SERIES_VALUE(first_value, sn_curve_first(&curve, spec->level))
SERIES_VALUE(roughness_value, sn_curve_roughness(&curve))
SERIES_VALUE(amplitude_value, sn_curve_amplitude(&curve, level_of(spec), (sn_pick)spec->pick))
SERIES_VALUE(period_value, sn_curve_period(&curve, level_of(spec), (sn_pick)spec->pick))
SERIES_VALUE(decay_value, sn_curve_decay(&curve, level_of(spec), reference_of(spec), (sn_pick)spec->pick))
SERIES_VALUE(elongation_value, sn_curve_elongation(&curve, level_of(spec), reference_of(spec), (sn_pick)spec->pick))

MEASURE(sn_measure_final, "final", "last value of a series", series_fields, final_value);
MEASURE(sn_measure_maximum, "maximum", "largest value of a series", series_fields, maximum_value);
MEASURE(sn_measure_minimum, "minimum", "smallest value of a series", series_fields, minimum_value);
MEASURE(sn_measure_mean, "mean", "mean of a series over time", series_fields, mean_value);
MEASURE(sn_measure_rms, "rms", "root mean square of a series over time", series_fields, rms_value);
MEASURE(sn_measure_first_time, "first-time", "time of the first row at which a series exceeds a level", first_fields,
        first_value);
MEASURE(sn_measure_amplitude, "amplitude", "half the difference between maximum and minimum of a cycle", cycle_fields,
        amplitude_value);
MEASURE(sn_measure_period, "period", "time between two upward crossings of a level", cycle_fields, period_value);
MEASURE(sn_measure_decay, "decay",
        "amplitude decay (A0 - A)/A0: 1 if the oscillation has vanished, negative if it grows", decay_fields,
        decay_value);
MEASURE(sn_measure_elongation, "elongation", "period elongation (T - T0)/T0", elongation_fields, elongation_value);
MEASURE(sn_measure_roughness, "roughness",
        "sum of |y2 - 2 y1 + y0| over sum of |y2 - y0| in the second half: far below 1 if the rows resolve the motion, "
        "large if the series alternates from row to row",
        series_fields, roughness_value);

/* ---- of two runs ---- */

/* Of a point, its three coordinates; of a series, itself. Their number; 0: there is no such series. */
static int curves_of(const sn_measure_spec *spec, const sn_run_view *run, sn_curve curve[3]) {
  static const char axes[3] = {'x', 'y', 'z'};
  char name[256];
  int count = 0;
  curve[0] = curve_of(spec, run, spec->of);
  if (curve[0].count > 0) return 1;
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof name, "%s.%c", spec->of, axes[i]);
    curve[count] = curve_of(spec, run, name);
    if (curve[count].count > 0) count++;
  }
  return count;
}

static double distance_value(const sn_measure_spec *spec, const sn_run_view *run, const sn_run_view *other) {
  sn_curve a[3], b[3];
  int count = curves_of(spec, run, a);
  return count > 0 && curves_of(spec, other, b) == count ? sn_curve_distance(a, b, count) : NAN;
}

const sn_measure_ops sn_measure_distance = {
    .kind = {.name = "distance",
             .category = SN_MEASURED,
             .summary = "largest distance of a point from its position in another case at the same time; needs `keep`",
             .fields = distance_fields,
             .spec_size = sizeof(sn_measure_spec)},
    .between = distance_value,
};

/* ---- of the audit ---- */

static double energy_error_value(const sn_measure_spec *spec, const sn_run_view *run) {
  sn_curve error = curve_of(spec, run, "energy.error"), kinetic = curve_of(spec, run, "energy.kinetic");
  double e =
      spec->pick == 0 ? fmax(sn_curve_maximum(&error), -sn_curve_minimum(&error)) : sn_curve_mean_absolute(&error);
  if (isnan(sn_curve_maximum(&error))) return NAN;
  double scale = spec->relative ? sn_curve_maximum(&kinetic) : 1;
  return e / (scale > 0 ? scale : 1);
}

static const sn_field energy_error_fields[] = {
    {"pick", SN_CHOICE, SN_AT(sn_measure_spec, pick), .def = "maximum", .choices = "maximum|mean",
     .help = "largest absolute error, or its mean over time"},
    {"relative", SN_BOOL, SN_AT(sn_measure_spec, relative), .def = "true",
     .help = "relative to the largest kinetic energy; otherwise in J"},
    WHEN_FIELDS,
    {0},
};
MEASURE(sn_measure_energy_error, "energy-error", "error of the energy balance (energy minus all work done)",
        energy_error_fields, energy_error_value);

static double drift_value(const sn_measure_spec *spec, const sn_run_view *run) {
  char name[32];
  snprintf(name, sizeof name, "constraint.%s", sn_level_names[spec->drift_level]);
  sn_curve curve = curve_of(spec, run, name);
  return sn_curve_maximum(&curve);
}

static const sn_field drift_fields[] = {
    {"level", SN_CHOICE, SN_AT(sn_measure_spec, drift_level), .def = "position",
     .choices = "position|velocity|acceleration",
     .help = "level of the constraints: position, velocity or acceleration"},
    WHEN_FIELDS,
    {0},
};
MEASURE(sn_measure_drift, "drift", "largest violation of the constraints", drift_fields, drift_value);

/* ---- of the effort ---- */

#define COUNT_VALUE(function, measured)                                         \
  static double function(const sn_measure_spec *spec, const sn_run_view *run) { \
    const sn_statistics *s = run->statistics;                                   \
    (void)spec;                                                                 \
    return measured;                                                            \
  }
COUNT_VALUE(steps_value, (double)s->steps)
COUNT_VALUE(rejections_value, (double)(s->error_rejections + s->newton_rejections))
COUNT_VALUE(iterations_value, (double)s->iterations)
COUNT_VALUE(iterations_per_step_value, s->steps > 0 ? (double)s->iterations / (double)s->steps : NAN)
COUNT_VALUE(most_iterations_value, (double)s->most_iterations)
COUNT_VALUE(jacobians_value, (double)s->jacobians)

MEASURE(sn_measure_steps, "steps", "accepted steps", no_fields, steps_value);
MEASURE(sn_measure_rejections, "rejections",
        "rejected steps, because of their error or because Newton did not converge", no_fields, rejections_value);
MEASURE(sn_measure_iterations, "iterations", "Newton iterations", no_fields, iterations_value);
MEASURE(sn_measure_iterations_per_step, "iterations-per-step", "Newton iterations over accepted steps", no_fields,
        iterations_per_step_value);
MEASURE(sn_measure_most_iterations, "most-iterations", "largest number of Newton iterations in one attempt at a step",
        no_fields, most_iterations_value);
MEASURE(sn_measure_jacobians, "jacobians", "evaluations of the iteration matrix", no_fields, jacobians_value);

/* ---- modes ---- */

static double frequency_value(const sn_measure_spec *spec, const sn_run_view *run) {
  return run->mode(run->user, "frequency", spec->mode);
}

static double damping_value(const sn_measure_spec *spec, const sn_run_view *run) {
  return run->mode(run->user, "damping", spec->mode);
}

static double eigenvalue_value(const sn_measure_spec *spec, const sn_run_view *run) {
  return run->mode(run->user, spec->part ? "imaginary_part" : "real_part", spec->mode);
}

static double load_factor_value(const sn_measure_spec *spec, const sn_run_view *run) {
  return run->mode(run->user, "load_factor", spec->mode);
}

static const sn_field frequency_fields[] = {
    {"mode", SN_INT, SN_AT(sn_measure_spec, mode), .def = "1", .limits = SN_AT_LEAST(1),
     .help = "number of the mode; 1 is the lowest"},
    {0},
};
MEASURE(sn_measure_frequency, "frequency", "frequency [Hz] of a mode, from the last stage 'modes' or 'linearize'",
        frequency_fields, frequency_value);
MEASURE(sn_measure_damping, "damping", "damping ratio of a mode, from the last stage 'linearize'", frequency_fields,
        damping_value);

static const sn_field eigenvalue_fields[] = {
    {"mode", SN_INT, SN_AT(sn_measure_spec, mode), .def = "1", .limits = SN_AT_LEAST(1),
     .help = "number of the mode; 1 has the eigenvalue of the smallest magnitude"},
    {"part", SN_CHOICE, SN_AT(sn_measure_spec, part), .def = "real", .choices = "real|imaginary",
     .help = "real part [1/s] (negative: decays) or imaginary part [rad/s]"},
    {0},
};
MEASURE(sn_measure_eigenvalue, "eigenvalue", "eigenvalue of a damped mode, from the last stage 'linearize'",
        eigenvalue_fields, eigenvalue_value);
MEASURE(sn_measure_load_factor, "load-factor", "load factor of a buckling mode, from the last stage 'buckling'",
        frequency_fields, load_factor_value);

/* ---- noise and class ---- */

static double noise_value(const sn_measure_spec *spec, const sn_run_view *run) {
  (void)spec;
  return run->noise;
}

const sn_measure_ops sn_measure_noise = {
    .kind = {.name = "noise",
             .category = SN_MEASURED,
             .summary = "alternation of accelerations and multipliers from step to step in the last tenth of the run, "
                        "relative to the largest value: |e2 - 2 e1 + e0|/4, with e the difference from the solution at "
                        "the same positions and velocities",
             .fields = no_fields,
             .spec_size = sizeof(sn_measure_spec)},
    .noise = true,
    .value = noise_value,
};

static bool is_finite(const sn_curve *c) {
  for (size_t i = 0; i < c->count; i++)
    if (!isfinite(c->y[i])) return false;
  return c->count > 0;
}

static double class_value(const sn_measure_spec *spec, const sn_run_view *run) {
  sn_curve constraint = run->constraint, energy = curve_of(spec, run, "energy.total");
  if (constraint.count == 0) constraint = curve_of(spec, run, "constraint.position");
  bool done = run->done && is_finite(&energy) && (spec->cut || !run->fixed || run->statistics->newton_rejections == 0);
  const sn_class_rule rule = {.apart = sn_given(spec, "apart") ? spec->apart : INFINITY,
                              .drift = spec->drift,
                              .early = sn_given(spec, "early") ? spec->early : NAN,
                              .noise = spec->noise};
  return sn_classify(done, &constraint, run->noise, &rule);
}

static const sn_field class_fields[] = {
    {"cut", SN_BOOL, SN_AT(sn_measure_spec, cut), .def = "true",
     .help = "allow fixed steps to be cut if Newton does not converge; false: the run then fails"},
    {"apart", SN_REAL, SN_AT(sn_measure_spec, apart), .unit = "m", .limits = SN_POSITIVE,
     .help = "fails: limit of the violation of the position constraints; default: no limit"},
    {"drift", SN_REAL, SN_AT(sn_measure_spec, drift), .unit = "m", .def = "1e-3", .limits = SN_POSITIVE,
     .help = "drifts: limit of the violation of the position constraints"},
    {"early", SN_REAL, SN_AT(sn_measure_spec, early), .unit = "s", .limits = SN_POSITIVE,
     .help = "drifts: the violation exceeds twice its largest value up to this time; default: not used"},
    {"noise", SN_REAL, SN_AT(sn_measure_spec, noise), .def = "0.01", .limits = SN_POSITIVE,
     .help = "oscillates: limit of the noise of accelerations and multipliers, relative to the largest value"},
    {0},
};

const sn_measure_ops sn_measure_class = {
    .kind =
        {.name = "class",
         .category = SN_MEASURED,
         .summary =
             "fails (does not reach its end, or is not finite), drifts, oscillates or stable: the first that applies",
         .fields = class_fields,
         .spec_size = sizeof(sn_measure_spec)},
    .words = sn_class_names,
    .noise = true,
    .value = class_value,
};
