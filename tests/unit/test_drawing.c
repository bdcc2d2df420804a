/* test_drawing.c - what the viewer knows of bodies is what the program declares.
 *
 *   test_drawing               web/src/data/layouts.ts is what this program prints
 *   test_drawing --layouts     print it: layouts of coordinates, words and tables of results, shape functions
 *   test_drawing --samples     print shape functions at random places, and for each model of cases.c with random
 *                              coordinates where points of its bodies are: web/tests/layouts.test.mjs draws them
 */
#include <assert.h>
#include <stddef.h>

#include "body/plate_element.h"
#include "math/hermite.h"
#include "output/outputs.h"
#include "result/drawing.h"
#include "support.h"

static const char page[] = "web/src/data/layouts.ts";

/* ---- layouts.ts ---- */

static void print_columns(FILE *out, const char *key, const sn_layout_column *column) {
  fprintf(out, ", %s: [", key);
  for (int i = 0; column[i]; i++) fprintf(out, "%s'%s'", i ? ", " : "", sn_layout_columns[column[i]].name);
  fputs("]", out);
}

static void print_layouts(FILE *out) {
  fputs("/** How many numbers a column has; 0: as many as the model has dimensions. */\nexport const columnSizes = {\n",
        out);
  for (int i = 1; i < SN_LAYOUT_COLUMNS; i++) {
    const sn_layout_column_meaning *column = &sn_layout_columns[i];
    fprintf(out, "  %s: %d, // %s\n", column->name, column->size, column->meaning);
  }
  fputs(
      "};\nexport type Column = keyof typeof columnSizes;\n\n"
      "export interface Layout {\n"
      "  owner: 'body' | 'node' | 'element'; // what has the columns, one after the other\n"
      "  straight: boolean; // between nodes; otherwise a cubic\n"
      "  columns: Column[];\n"
      "  deformation: Column[]; // of each node in the frame of the body\n"
      "}\n\n/** By the attribute `layout` of a body. */\nexport const layouts: Partial<Record<string, Layout>> = {\n",
      out);
  for (int i = 0; i < SN_LAYOUTS; i++) {
    const sn_body_layout *layout = &sn_layouts[i];
    fprintf(out, "  \"%s\":\n    { owner: '%s', straight: %s", layout->name, sn_layout_owners[layout->owner],
            layout->straight ? "true" : "false");
    print_columns(out, "columns", layout->column);
    print_columns(out, "deformation", layout->deformation);
    fputs(" },\n", out);
  }
  fputs("};\n\n", out);
}

static void print_words(FILE *out, const char *type, const char *const *word, int count) {
  fprintf(out, "export type %s =", type);
  for (int i = 0; i < count; i++) fprintf(out, "%s '%s'", i ? " |" : "", word[i] ? word[i] : "");
  fputs(";\n", out);
}

/* Where the members of a row begin; they fill it. */
typedef struct member {
  const char *name;
  size_t at, size; /* [bytes] */
} member;
#define MEMBER(row, name) \
  { #name, offsetof(row, name), sizeof((row *)0)->name }

static void print_row(FILE *out, const char *name, const char *what, const member *list, size_t count, size_t size) {
  size_t end = 0;
  fprintf(out, "/** Columns of %s. */\nexport const %s = {", what, name);
  for (size_t i = 0; i < count; i++) {
    assert(list[i].at == end);
    fprintf(out, " %s: %zu,", list[i].name, list[i].at / sizeof(double));
    end += list[i].size;
  }
  assert(end == size); /* a new member is missing above */
  fprintf(out, " width: %zu };\n", size / sizeof(double));
}

static void print_tables(FILE *out) {
  static const member place[] = {MEMBER(sn_place_row, element), MEMBER(sn_place_row, local)};
  static const member section[] = {MEMBER(sn_section_row, size), MEMBER(sn_section_row, stiffness),
                                   MEMBER(sn_section_row, coupling)};
  static const member solid[] = {MEMBER(sn_solid_row, surface), MEMBER(sn_solid_row, shape),
                                 MEMBER(sn_solid_row, center), MEMBER(sn_solid_row, axis), MEMBER(sn_solid_row, half)};
  print_words(out, "Primitive", sn_primitive_words, SN_GEOMETRY_TYPES);
  print_words(out, "Outline", sn_outline_words, SN_OUTLINES);
  fputs("export const solidShapes = {", out);
  for (int i = 0; i < SN_ITEM_SHAPES; i++) fprintf(out, "%s %s: %d", i ? "," : "", sn_item_words[i], i);
  fputs(" };\n", out);
  print_row(out, "placeRow", "the attribute `places` of markers", place, SN_COUNT(place), sizeof(sn_place_row));
  print_row(out, "sectionRow", "/bodies/NAME/sections", section, SN_COUNT(section), sizeof(sn_section_row));
  print_row(out, "solidRow", "/contacts/solids", solid, SN_COUNT(solid), sizeof(sn_solid_row));
}

/* c of p(s) = c0 + c1 s + c2 s^2 + c3 s^3 from its values at 0, 1, 2, 3: differences, which are whole numbers here */
static void cubic_of(const double f[4], double c[4]) {
  const double d1 = f[1] - f[0], d2 = f[2] - 2 * f[1] + f[0], d3 = f[3] - 3 * f[2] + 3 * f[1] - f[0];
  c[0] = f[0];
  c[1] = d1 - d2 / 2 + d3 / 3;
  c[2] = d2 / 2 - d3 / 2;
  c[3] = d3 / 6;
}

static void print_term(FILE *out, double c, int s, int h, bool *first) {
  if (c == 0) return;
  fprintf(out, "%s[%g, %d, %d]", *first ? "" : ", ", c, s, h);
  *first = false;
}

static void print_shapes(FILE *out) {
  double S[4][4], C[SN_PLATE_SHAPES][SN_PLATE_SHAPES];
  for (int s = 0; s < 4; s++) sn_hermite(s, 1, S[s]);
  fputs(
      "\n/** A polynomial: terms c s^i h^j as [c, i, j]. */\nexport type Polynomial = [number, number, number][];\n\n"
      "/** Of lines, for r and dr/ds of the two ends. */\nexport const lineShapes: Polynomial[] = [\n",
      out);
  for (int k = 0; k < 4; k++) {
    const double f[4] = {S[0][k], S[1][k], S[2][k], S[3][k]};
    double c[4];
    bool first = true;
    cubic_of(f, c);
    fputs("  [", out);
    for (int i = 0; i < 4; i++) print_term(out, c[i], i, 0, &first);
    fputs("],\n", out);
  }
  static const int power[SN_PLATE_SHAPES][2] = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2},
                                                {3, 0}, {2, 1}, {1, 2}, {0, 3}, {3, 1}, {1, 3}};
  sn_plate_monomials(C);
  fputs(
      "];\n\n/** Of surfaces, for r, dr/ds and dr/dh of the corners (0,0), (1,0), (1,1), (0,1). */\n"
      "export const surfaceShapes: Polynomial[] = [\n",
      out);
  for (int k = 0; k < SN_PLATE_SHAPES; k++) {
    bool first = true;
    fputs("  [", out);
    for (int m = 0; m < SN_PLATE_SHAPES; m++) print_term(out, C[k][m], power[m][0], power[m][1], &first);
    fputs("],\n", out);
  }
  fputs("];\n", out);
}

static void print_page(FILE *out) {
  fprintf(
      out,
      "// What coordinates, words and tables of a result mean, and the shape functions between nodes.\n"
      "// Written by the program, from src/model/body_layout.c and src/result/drawing.h: do not edit, renew it with\n"
      "//   build/release/tests/test_drawing --layouts > %s\n\n",
      page);
  print_layouts(out);
  print_tables(out);
  print_shapes(out);
}

static char *text_of(FILE *file) {
  const long size = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
  assert_true(size >= 0);
  char *text = calloc((size_t)size + 1, 1);
  rewind(file);
  assert_int_equal(fread(text, 1, (size_t)size, file), (size_t)size);
  return text;
}

static void test_page_is_current(void **state) {
  (void)state;
  FILE *now = tmpfile(), *there = fopen(page, "r");
  assert_non_null(now);
  if (!there) fail_msg("no %s", page);
  print_page(now);
  char *a = text_of(now), *b = text_of(there);
  if (strcmp(a, b) != 0) fail_msg("%s is stale; renew it with: test_drawing --layouts > %s", page, page);
  free(a);
  free(b);
  fclose(now);
  fclose(there);
}

/* ---- samples, as JSON ---- */

static void print_numbers(const char *key, const double *x, int count) {
  printf("\"%s\": [", key);
  for (int i = 0; i < count; i++) printf("%s%.17g", i ? ", " : "", x[i]);
  fputs("]", stdout);
}

static void print_shape_samples(uint64_t *seed) {
  fputs("\"lines\": [", stdout);
  for (int i = 0; i < 20; i++) {
    const double s = (1 + noise(seed)) / 2;
    double S[4], D[4];
    sn_hermite(s, 1, S);
    sn_hermite_slope(s, 1, D);
    printf("%s{\"s\": %.17g, ", i ? ",\n" : "", s);
    print_numbers("S", S, 4);
    fputs(", ", stdout);
    print_numbers("Ss", D, 4);
    fputs("}", stdout);
  }
  fputs("],\n\"surfaces\": [", stdout);
  for (int i = 0; i < 20; i++) {
    const double s = (1 + noise(seed)) / 2, h = (1 + noise(seed)) / 2;
    sn_plate_shape shape;
    sn_plate_shape_at(s, h, &shape);
    printf("%s{\"s\": %.17g, \"h\": %.17g, ", i ? ",\n" : "", s, h);
    print_numbers("S", shape.S, SN_PLATE_SHAPES);
    fputs(", ", stdout);
    print_numbers("Ss", shape.d[0], SN_PLATE_SHAPES);
    fputs(", ", stdout);
    print_numbers("Sh", shape.d[1], SN_PLATE_SHAPES);
    fputs("}", stdout);
  }
  fputs("],\n", stdout);
}

/* Outputs at random points of all bodies, and at their ends, as lines of a model. */
static void add_points(FILE *out, const sn_model *model, uint64_t *seed) {
  int count = 0;
  for (int i = 0; i < model->bodies; i++) {
    const sn_body *body = &model->body[i];
    sn_geometry geometry = {0};
    if (!body->ops->geometry) continue;
    body->ops->geometry(body, &geometry);
    for (int k = 0; k < 4; k++) {
      const double s = k < 2 ? k : (1 + noise(seed)) / 2, h = k < 2 ? k : (1 + noise(seed)) / 2;
      fprintf(out, "  p%d: {point: '%s", count++, body->name);
      if (geometry.type == SN_GEOMETRY_SURFACE)
        fprintf(out, ".at(%.6f, %.6f)", s, h);
      else if (geometry.elements)
        fprintf(out, ".at(%.6f)", s);
      else if (body->ops->place && body->count) /* rigid */
        fprintf(out, ".at(%.6f, %.6f, %.6f)", s, h, model->dim == 3 ? s * h : 0);
      fputs("'}\n", out);
    }
  }
}

static void print_marker(const sn_marker *marker) {
  printf("{\"body\": \"%s\", \"element\": %d, ", marker->body->name, marker->element);
  print_numbers("local", marker->local, 3);
  fputs(", ", stdout);
  print_numbers("position", marker->position, 3);
  fputs("}", stdout);
}

/* The members of `Body` of web/src/data/result.ts. */
static void print_body(const sn_body *body) {
  sn_geometry g = {0};
  if (body->ops->geometry) body->ops->geometry(body, &g);
  printf("{\"name\": \"%s\", \"kind\": \"%s\", \"primitive\": \"%s\", \"section\": \"%s\", \"layout\": \"%s\", ",
         body->name, body->ops->kind.name, sn_primitive_words[g.type], g.section ? sn_outline_words[g.section] : "",
         body->ops->layout ? body->ops->layout->name : "");
  printf("\"elements\": %d, \"elementLength\": %.17g, \"stiffness\": %.17g, \"coupling\": %.17g, ", g.elements,
         g.element_length, g.stiffness, g.coupling);
  printf("\"grid\": [%d, %d], \"first\": %d, \"count\": %d, ", g.grid[0], g.grid[1], body->first, body->count);
  print_numbers("edges", g.edge, 2);
  fputs(", ", stdout);
  print_numbers("size", g.size, 3);
  if (g.on) {
    fputs(", \"on\": ", stdout);
    print_marker(g.on);
  }
  if (g.freedom) {
    fputs(", \"freedom\": [", stdout);
    for (int i = 0; i < g.freedoms; i++) printf("%s%d", i ? ", " : "", g.freedom[i]);
    fputs("]", stdout);
  }
  if (g.freedom && g.basis && g.reduced) {
    fputs(", ", stdout);
    print_numbers("basis", g.basis, g.deformations * g.reduced);
  }
  fputs("}", stdout);
}

/* Any coordinates near those of the start, with unit quaternions. */
static void disturb(fixture *f, uint64_t *seed) {
  double *start = malloc((size_t)f->model->n * sizeof(double));
  memcpy(start, f->state.q, (size_t)f->model->n * sizeof(double));
  add_noise(seed, 0.03, f->state.q, f->model->n);
  for (int i = 0; i < f->model->bodies; i++) {
    const sn_body *body = &f->model->body[i];
    /* frames of elements would come apart, and a node would have two places */
    if (body->count && body->ops->layout->owner == SN_OF_ELEMENT)
      memcpy(f->state.q + body->first, start + body->first, (size_t)body->count * sizeof(double));
    if (!body->count || body->ops->layout->column[1] != SN_COLUMN_P) continue;
    double *p = f->state.q + body->first + 3, length = sqrt(inner(p, p, 4));
    for (int k = 0; k < 4; k++) p[k] /= length;
  }
  free(start);
}

static void print_case(const sn_case *it, fixture *f) {
  printf("{\"name\": \"%s\", \"dimension\": %d, \"shear\": %s,\n ", it->name, f->model->dim,
         strstr(it->text, "timoshenko") ? "true" : "false");
  print_numbers("q", f->state.q, f->model->n);
  fputs(",\n \"bodies\": [", stdout);
  for (int i = 0; i < f->model->bodies; i++) {
    if (i) fputs(",\n  ", stdout);
    print_body(&f->model->body[i]);
  }
  fputs("],\n \"points\": [", stdout);
  for (int i = 0; i < f->model->outputs && f->model->output[i].marker.body; i++) { /* variables come after points */
    const sn_output *output = &f->model->output[i];
    double at[3] = {0};
    output->probe[0].ops->value(&output->probe[0], f->state.q, at);
    fputs(i ? ",\n  {\"marker\": " : "{\"marker\": ", stdout);
    print_marker(&output->marker);
    fputs(", ", stdout);
    print_numbers("at", at, 3);
    fputs("}", stdout);
  }
  fputs("]}", stdout);
}

static void test_samples(void **state) {
  uint64_t seed = 11;
  (void)state;
  fputs("{", stdout);
  print_shape_samples(&seed);
  fputs("\"cases\": [\n", stdout);
  for (int i = 0; i < sn_case_count; i++) {
    if (strstr(sn_model_cases[i].text, "outputs:"))
      continue; /* a second list cannot be added; its bodies are in others */
    char *text = case_text(&sn_model_cases[i]), *whole = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&whole, &size);
    fixture f;
    open_fixture(&f, text, "ldl");
    fprintf(out, "%soutputs:\n", text);
    add_points(out, f.model, &seed);
    fclose(out);
    close_fixture(&f);
    open_fixture(&f, whole, "ldl");
    disturb(&f, &seed);
    if (i) fputs(",\n", stdout);
    print_case(&sn_model_cases[i], &f);
    close_fixture(&f);
    free(text);
    free(whole);
  }
  fputs("]}\n", stdout);
}

int main(int argc, char **argv) {
  const struct CMUnitTest current[] = {cmocka_unit_test(test_page_is_current)};
  if (argc > 1 && strcmp(argv[1], "--layouts") == 0) {
    print_page(stdout);
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "--samples") == 0) {
    test_samples(NULL);
    return 0;
  }
  return cmocka_run_group_tests_name("drawing", current, NULL, NULL);
}
