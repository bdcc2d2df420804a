/* study.c - the kinds of study files: ranges, samples, plots, the keys at the top. */
#include "study/study.h"

static const sn_field range_fields[] = {
    {"from", SN_REAL, SN_AT(sn_range_spec, from), .required = true, .help = "first value", .example = "1"},
    {"to", SN_REAL, SN_AT(sn_range_spec, to), .required = true, .help = "last value", .example = "100"},
    {"count", SN_INT, SN_AT(sn_range_spec, count), .limits = SN_AT_LEAST(1),
     .help = "number of values of a grid or list, including the ends; not used by random and latin-hypercube",
     .example = "5"},
    {"scale", SN_CHOICE, SN_AT(sn_range_spec, scale), .def = "linear", .choices = "linear|log",
     .help = "linear: equal distances; log: equal ratios"},
    {"whole", SN_BOOL, SN_AT(sn_range_spec, whole), .def = "false", .help = "round to integers"},
    {0},
};

static void range_check(sn_reader *reader, const sn_spec *spec) {
  const sn_range_spec *s = (const sn_range_spec *)(const void *)spec;
  if (s->scale == 1 && !(s->from > 0 && s->to > 0))
    sn_field_error(reader, spec, s->from > 0 ? "to" : "from", "positive ends",
                   "a logarithmic range cannot contain %.10g", s->from > 0 ? s->to : s->from);
}

const sn_plain_ops sn_range_kind = {
    .kind = {.name = "range",
             .category = SN_VARIATIONS,
             .summary = "values in a range",
             .fields = range_fields,
             .spec_size = sizeof(sn_range_spec),
             .check = range_check},
};

static const sn_field no_fields[] = {{0}};
static const sn_field sample_fields[] = {
    {"count", SN_INT, SN_AT(sn_sample_spec, count), .required = true, .limits = SN_AT_LEAST(1),
     .help = "number of cases", .example = "20"},
    {"seed", SN_INT, SN_AT(sn_sample_spec, seed), .def = "1", .limits = SN_NOT_NEGATIVE,
     .help = "seed of the random numbers; the same seed gives the same sample on every machine"},
    {0},
};

#define SAMPLE(variable, value, its_name, its_summary, its_fields)                 \
  const sn_sampling_ops variable = {.kind = {.name = its_name,                     \
                                             .category = SN_SAMPLINGS,             \
                                             .summary = its_summary,               \
                                             .fields = its_fields,                 \
                                             .spec_size = sizeof(sn_sample_spec)}, \
                                    .sampling = value}
SAMPLE(sn_sample_grid, SN_SAMPLE_GRID, "grid", "all combinations of all values; the last quantity varies fastest",
       no_fields);
SAMPLE(sn_sample_list, SN_SAMPLE_LIST, "list",
       "the first value of each quantity, the second value of each, ...; all lists have the same length", no_fields);
SAMPLE(sn_sample_random, SN_SAMPLE_RANDOM, "random",
       "independent random values, uniform in ranges (logarithmic if scale: log) and lists; a larger count continues "
       "the same sequence",
       sample_fields);
SAMPLE(sn_sample_hypercube, SN_SAMPLE_HYPERCUBE, "latin-hypercube",
       "each range is divided into as many parts as there are cases, and every part is used once", sample_fields);

static const sn_field plot_fields[] = {
    {"y", SN_TEXT, SN_AT(sn_plot_spec, y), .required = true, .help = "a measure, cpu or wall", .example = "steps"},
    {"x", SN_TEXT, SN_AT(sn_plot_spec, x), .required = true, .help = "a varied quantity, a measure, cpu or wall",
     .example = "cpu"},
    {"curves", SN_TEXT, SN_AT(sn_plot_spec, curves),
     .help = "one curve for each value of this; default for a grid: one curve for each combination of the other varied "
             "quantities"},
    {"scale", SN_CHOICE, SN_AT(sn_plot_spec, scale), .def = "auto", .choices = "auto|linear|log-x|log-y|log",
     .help = "logarithmic axes; auto: axes with positive values that span a factor of 50 or more"},
    {"format", SN_CHOICE, SN_AT(sn_plot_spec, format), .def = "png", .choices = "png|svg|pdf",
     .help = "file format of the plot"},
    {0},
};

const sn_plain_ops sn_plot_kind = {
    .kind = {.name = "plot",
             .category = SN_PLOTTED,
             .summary = "one column of the table against another",
             .fields = plot_fields,
             .spec_size = sizeof(sn_plot_spec)},
};
