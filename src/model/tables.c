/* tables.c - functions given by points, for expressions. */
#include "model/tables.h"

static const sn_field table_fields[] = {
    {"x", SN_REALS, SN_AT(sn_table_spec, x), .required = true, .help = "arguments, strictly increasing"},
    {"y", SN_REALS, SN_AT(sn_table_spec, y), .required = true, .help = "values, as many as arguments"},
    {"interpolation", SN_CHOICE, SN_AT(sn_table_spec, interpolation), .def = "cubic", .choices = "linear|cubic",
     .help = "interpolation between the points"},
    {"extrapolation", SN_CHOICE, SN_AT(sn_table_spec, extrapolation), .def = "hold", .choices = "hold|linear|error",
     .help = "outside the points: the end values, straight lines with the slopes at the ends, or none: a run that gets "
             "there stops"},
    {0},
};

static void table_check(sn_reader *reader, const sn_spec *spec) {
  const sn_table_spec *s = (const sn_table_spec *)spec;
  if (s->x.count < 2)
    sn_field_error(reader, spec, "x", "at least two", "table '%s' has too few points", spec->name);
  else if (s->x.count != s->y.count)
    sn_field_error(reader, spec, "y", NULL, "table '%s' has %d arguments but %d values", spec->name, s->x.count,
                   s->y.count);
  for (int i = 1; i < s->x.count; i++)
    if (!(s->x.value[i] > s->x.value[i - 1])) {
      sn_field_error(reader, spec, "x", "strictly increasing arguments",
                     "argument %g does not exceed the previous one, %g", s->x.value[i], s->x.value[i - 1]);
      break;
    }
}

const sn_plain_ops sn_table_kind = {
    .kind = {.name = "table",
             .category = SN_TABLES,
             .summary = "tabulated function, used in expressions as name(t)",
             .fields = table_fields,
             .spec_size = sizeof(sn_table_spec),
             .check = table_check},
};
