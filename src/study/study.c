/* study.c - the kinds of study files: ranges, samples, plots, the keys at the top. */
#include "study/study.h"

static const sn_field range_fields[] = {
    {"from", SN_REAL, SN_AT(sn_range_spec, from), .required = true, .help = "first value", .example = "1"},
    {"to", SN_REAL, SN_AT(sn_range_spec, to), .required = true, .help = "last value", .example = "100"},
    {"count", SN_INT, SN_AT(sn_range_spec, count), .limits = SN_AT_LEAST(1),
     .help = "values of a grid or list, ends included; random and latin-hypercube do not use it", .example = "5"},
    {"scale", SN_CHOICE, SN_AT(sn_range_spec, scale), .def = "linear", .choices = "linear|log",
     .help = "values at equal distances, or in equal ratios"},
    {"whole", SN_BOOL, SN_AT(sn_range_spec, whole), .def = "false", .help = "round to whole numbers"},
    {0},
};

static void range_check(sn_reader *reader, const sn_spec *spec) {
  const sn_range_spec *s = (const sn_range_spec *)(const void *)spec;
  if (s->scale == 1 && !(s->from > 0 && s->to > 0))
    sn_field_error(reader, spec, s->from > 0 ? "to" : "from", "positive ends", "a range in equal ratios holds no %.10g",
                   s->from > 0 ? s->to : s->from);
}

const sn_plain_ops sn_range_kind = {
    .kind = {.name = "range",
             .category = SN_VARIATIONS,
             .summary = "values between two ends",
             .fields = range_fields,
             .spec_size = sizeof(sn_range_spec),
             .check = range_check},
};

static const sn_field no_fields[] = {{0}};
static const sn_field sample_fields[] = {
    {"count", SN_INT, SN_AT(sn_sample_spec, count), .required = true, .limits = SN_AT_LEAST(1),
     .help = "number of cases", .example = "20"},
    {"seed", SN_INT, SN_AT(sn_sample_spec, seed), .def = "1", .limits = SN_NOT_NEGATIVE,
     .help = "another seed, another sample; the same seed gives the same one anywhere"},
    {0},
};

#define SAMPLE(variable, value, its_name, its_summary, its_fields)                 \
  const sn_sampling_ops variable = {.kind = {.name = its_name,                     \
                                             .category = SN_SAMPLINGS,             \
                                             .summary = its_summary,               \
                                             .fields = its_fields,                 \
                                             .spec_size = sizeof(sn_sample_spec)}, \
                                    .sampling = value}
SAMPLE(sn_sample_grid, SN_SAMPLE_GRID, "grid",
       "every value of each with every value of all others; the last one changes fastest", no_fields);
SAMPLE(sn_sample_list, SN_SAMPLE_LIST, "list",
       "the first value of each, the second value of each, ...: all have as many", no_fields);
SAMPLE(sn_sample_random, SN_SAMPLE_RANDOM, "random",
       "values drawn independently, uniformly within ranges (in the logarithm where they say so) and among lists; a "
       "larger count goes on with the same cases",
       sample_fields);
SAMPLE(sn_sample_hypercube, SN_SAMPLE_HYPERCUBE, "latin-hypercube",
       "each range is cut into as many parts as there are cases, and every part is used once", sample_fields);

static const sn_field plot_fields[] = {
    {"y", SN_TEXT, SN_AT(sn_plot_spec, y), .required = true, .help = "a measure, cpu or wall", .example = "steps"},
    {"x", SN_TEXT, SN_AT(sn_plot_spec, x), .required = true, .help = "what varies, or a measure, cpu or wall",
     .example = "cpu"},
    {"curves", SN_TEXT, SN_AT(sn_plot_spec, curves),
     .help =
         "a curve for each value of this; without it, of a grid, a curve for each combination of all that is not x"},
    {"scale", SN_CHOICE, SN_AT(sn_plot_spec, scale), .def = "auto", .choices = "auto|linear|log-x|log-y|log",
     .help = "which axes are logarithmic; auto: those with positive values over a factor of 50 or more"},
    {"format", SN_CHOICE, SN_AT(sn_plot_spec, format), .def = "png", .choices = "png|svg|pdf",
     .help = "of the picture, NAME.png and so on in the folder of the study"},
    {0},
};

const sn_plain_ops sn_plot_kind = {
    .kind = {.name = "plot",
             .category = SN_PLOTTED,
             .summary = "one column of the table against another",
             .fields = plot_fields,
             .spec_size = sizeof(sn_plot_spec)},
};
