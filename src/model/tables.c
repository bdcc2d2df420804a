/* tables.c - functions given by points, for expressions: y(x), and z(x, y) on a grid. */
#include "model/tables.h"

static const sn_field table_fields[] = {
    {"x", SN_REALS, SN_AT(sn_table_spec, x), .help = "arguments, strictly increasing", .example = "[0, 1, 2]"},
    {"y", SN_REALS, SN_AT(sn_table_spec, y), .example = "[0, 1, 4]",
     .help = "values, as many as arguments; with 'z' the second arguments, strictly increasing"},
    {"z", SN_MATRIX, SN_AT(sn_table_spec, z),
     .help = "values of a function of two arguments, name(x, y): a row for each x with a value for each y"},
    {"file", SN_TEXT, SN_AT(sn_table_spec, file),
     .help = "instead of x, y and z: CSV file that contains them, relative to the folder of the model"},
    {"form", SN_CHOICE, SN_AT(sn_table_spec, form), .def = "columns", .choices = "columns|grid",
     .help =
         "of the file: columns of arguments and values, or a grid: y in the first line, x in the first column, values "
         "of name(x, y) in the others, anything in the corner"},
    {"argument", SN_TEXT, SN_AT(sn_table_spec, argument),
     .help = "column of the arguments: its name in the first line, or its number; default: the first"},
    {"column", SN_TEXT, SN_AT(sn_table_spec, column), .help = "column of the values, likewise; default: the second"},
    {"interpolation", SN_CHOICE, SN_AT(sn_table_spec, interpolation), .def = "cubic", .choices = "linear|cubic",
     .help = "interpolation between the points: straight (bilinear on a grid), with kinks at the points, or natural "
             "splines with continuous second derivatives"},
    {"extrapolation", SN_CHOICE, SN_AT(sn_table_spec, extrapolation), .def = "hold", .choices = "hold|linear|error",
     .help = "outside the points: the end values, straight lines with the slopes at the ends, or none: a run that gets "
             "there stops"},
    {0},
};

static bool is_rising(sn_reader *reader, const sn_spec *spec, const char *field, int count, const double *x) {
  for (int i = 1; i < count; i++)
    if (!(x[i] > x[i - 1])) {
      sn_field_error(reader, spec, field, "strictly increasing arguments",
                     "argument %g does not exceed the previous one, %g", x[i], x[i - 1]);
      return false;
    }
  return true;
}

static bool has_points(sn_reader *reader, const sn_spec *spec, const char *field, int count) {
  if (count >= 2) return true;
  sn_field_error(reader, spec, field, "at least two", "table '%s' has too few points", spec->name);
  return false;
}

/* Keys that do not go together. */
static bool is_one_thing(sn_reader *reader, const sn_spec *spec) {
  static const char *const points[] = {"x", "y", "z"}, *const columns[] = {"argument", "column", "form"};
  const bool file = sn_given(spec, "file");
  for (int k = 0; k < 3; k++) {
    const char *wrong = file ? points[k] : columns[k];
    if (!sn_given(spec, wrong)) continue;
    sn_field_error(reader, spec, wrong, "points, or a file that contains them",
                   file ? "table '%s' has '%s' and a file" : "table '%s' has '%s' but no file", spec->name, wrong);
    return false;
  }
  for (int k = 0; k < 2 && !file; k++) {
    if (sn_given(spec, points[k])) continue;
    sn_field_error(reader, spec, NULL, "x and y, or a file", "table '%s' has no '%s'", spec->name, points[k]);
    return false;
  }
  return true;
}

static void table_check(sn_reader *reader, const sn_spec *spec) {
  const sn_table_spec *s = (const sn_table_spec *)spec;
  const bool grid = sn_given(spec, "z");
  if (!is_one_thing(reader, spec) || s->file) return;
  if (!has_points(reader, spec, "x", s->x.count) || (grid && !has_points(reader, spec, "y", s->y.count))) return;
  if (!grid && s->x.count != s->y.count) {
    sn_field_error(reader, spec, "y", NULL, "table '%s' has %d arguments but %d values", spec->name, s->x.count,
                   s->y.count);
    return;
  }
  if (!is_rising(reader, spec, "x", s->x.count, s->x.value) || !grid) return;
  if (!is_rising(reader, spec, "y", s->y.count, s->y.value)) return;
  if (s->z.rows != s->x.count || s->z.columns != s->y.count)
    sn_field_error(reader, spec, "z", "a row for each x with a value for each y",
                   "table '%s' has %d rows of %d values for %d x and %d y", spec->name, s->z.rows, s->z.columns,
                   s->x.count, s->y.count);
}

/* ---- tables of expressions ---- */

static void take_points(sn_reader *reader, bool cubic, int count, const double *x, const double *y, sn_table *table) {
  double *m = cubic ? SN_NEW(reader->arena, double, count) : NULL;
  if (cubic) sn_spline_fit(count, x, y, m);
  table->count = count, table->x = x, table->y = y, table->m = m;
}

static void take_grid(sn_reader *reader, bool cubic, const int count[2], const double *x, const double *y,
                      const double *z, sn_table *table) {
  sn_grid *grid = SN_NEW(reader->arena, sn_grid, 1);
  *grid = (sn_grid){.count = {count[0], count[1]}, .x = {x, y}, .z = z};
  if (cubic) sn_grid_fit(reader->arena, grid);
  table->grid = grid;
}

static bool read_columns(sn_reader *reader, const sn_spec *spec, const char *argument, bool cubic, sn_table *table) {
  sn_csv csv;
  if (!sn_read_csv(reader, spec, false, &csv) || !has_points(reader, spec, "file", csv.rows)) return false;
  const double *x = sn_csv_column(reader, spec, argument, 1, &csv);
  const double *y = x ? sn_csv_column(reader, spec, "column", 2, &csv) : NULL;
  if (!y || !is_rising(reader, spec, "file", csv.rows, x)) return false;
  take_points(reader, cubic, csv.rows, x, y, table);
  return true;
}

static bool read_grid(sn_reader *reader, const sn_table_spec *s, sn_table *table) {
  sn_csv csv;
  if (!sn_read_csv(reader, &s->spec, true, &csv)) return false;
  const int count[2] = {csv.rows - 1, csv.columns - 1};
  if (csv.name) {
    sn_field_error(reader, &s->spec, "file", "a corner, then numbers", "the first line of %s is not that of a grid",
                   csv.path);
    return false;
  }
  if (!has_points(reader, &s->spec, "file", count[0]) || !has_points(reader, &s->spec, "file", count[1])) return false;
  double *x = SN_NEW(reader->arena, double, count[0]), *z = SN_NEW(reader->arena, double, count[0] * count[1]);
  for (int i = 0; i < count[0]; i++) {
    const double *row = csv.value + (size_t)(i + 1) * (size_t)csv.columns;
    x[i] = row[0];
    for (int j = 0; j < count[1]; j++) z[i * count[1] + j] = row[1 + j];
  }
  if (!is_rising(reader, &s->spec, "file", count[0], x) ||
      !is_rising(reader, &s->spec, "file", count[1], csv.value + 1))
    return false;
  take_grid(reader, s->interpolation == 1, count, x, csv.value + 1, z, table);
  return true;
}

bool sn_make_table(sn_reader *reader, const sn_table_spec *s, sn_table *table) {
  const bool cubic = s->interpolation == 1;
  *table = (sn_table){.name = s->spec.name, .outside = (sn_extrapolation)s->extrapolation};
  if (s->file)
    return s->form == 1 ? read_grid(reader, s, table) : read_columns(reader, &s->spec, "argument", cubic, table);
  if (s->z.rows)
    take_grid(reader, cubic, (const int[2]){s->x.count, s->y.count}, s->x.value, s->y.value, s->z.value, table);
  else
    take_points(reader, cubic, s->x.count, s->x.value, s->y.value, table);
  return true;
}

bool sn_make_signal(sn_reader *reader, const sn_spec *spec, bool cubic, sn_extrapolation outside, sn_table *table) {
  *table = (sn_table){.name = spec->name, .outside = outside};
  return read_columns(reader, spec, "time", cubic, table);
}

const sn_plain_ops sn_table_kind = {
    .kind = {.name = "table",
             .category = SN_TABLES,
             .summary = "tabulated function of one or two arguments, used in expressions as name(t) or name(a, b)",
             .fields = table_fields,
             .spec_size = sizeof(sn_table_spec),
             .check = table_check},
};
