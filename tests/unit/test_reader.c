/* test_reader.c - good models are read to the right values; documents made from the tables are sound. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/analysis.h"
#include "body/line.h"
#include "body/rigid.h"
#include "force/forces.h"
#include "integrator/integrator.h"
#include "joint/joints.h"
#include "model/field_type.h"
#include "model/materials.h"
#include "model/registry.h"
#include "model/settings.h"
#include "model/tables.h"
#include "model/tree.h"
#include "output/outputs.h"
#include "study/study.h"

/* ---- a document and what it lives in ---- */

typedef struct reading {
  sn_context *context;
  sn_arena arena;
  sn_document *document;
} reading;

static reading read_with(const char *text, size_t length, const char *const *sets, size_t count) {
  reading r = {.context = sn_context_create()};
  sn_read_document(r.context, &r.arena, "test.yaml", text, length, sets, count, &r.document);
  return r;
}

/* Read what must be right. */
static reading read_good(const char *text) {
  reading r = read_with(text, strlen(text), NULL, 0);
  if (!r.document) print_error("%s", sn_message(r.context));
  assert_non_null(r.document);
  assert_string_equal(sn_message(r.context), "");
  return r;
}

static void end(reading *r) {
  sn_arena_free(&r->arena);
  sn_context_free(r->context);
}

static const void *find(const reading *r, sn_category category, const char *name) {
  const sn_spec *spec = sn_find(r->document, category, name);
  assert_non_null(spec);
  assert_string_equal(spec->name, name);
  return spec;
}

static void assert_vector(const double v[3], double x, double y, double z) {
  assert_true(v[0] == x && v[1] == y && v[2] == z);
}

#define PENDULUM                                                                                             \
  "sinew: 1\n"                                                                                               \
  "title: Flexible pendulum\n"                                                                               \
  "gravity: [0, -9.81, 0]\n"                                                                                 \
  "parameters: {L: 1.0, E: 2e7}  # comment\n"                                                                \
  "materials: {rubber: {density: 7200, young: E, poisson: 0.3}}\n"                                           \
  "sections:  {square: {type: rectangle, width: 0.02, height: 0.02}}\n"                                      \
  "bodies:\n"                                                                                                \
  "  beam: {type: cable, from: [0, 0, 0], to: [L, 0, 0], elements: 10, material: rubber, section: square}\n" \
  "joints:\n"                                                                                                \
  "  pin:  {type: spherical, between: [ground, beam.start]}\n"                                               \
  "outputs:\n"                                                                                               \
  "  tip:  {point: beam.end}\n"                                                                              \
  "analysis: {type: dynamics, duration: 2, integrator: {type: hht-i3, alpha: -0.1}, output_step: 0.01}\n"

static void test_pendulum(void **state) {
  (void)state;
  reading r = read_good(PENDULUM);
  assert_string_equal(r.document->title, "Flexible pendulum");
  assert_vector(r.document->gravity, 0, -9.81, 0);
  const sn_material_spec *rubber = find(&r, SN_MATERIALS, "rubber");
  assert_true(rubber->young == 2e7 && rubber->density == 7200);
  const sn_line_spec *beam = find(&r, SN_BODIES, "beam");
  assert_vector(beam->to, 1, 0, 0);
  assert_int_equal(beam->elements, 10);
  assert_ptr_equal(beam->material, rubber);
  assert_true(sn_given(beam, "to") && !sn_given(beam, "curvature"));
  const sn_marker_ref *between = sn_field_value(find(&r, SN_JOINTS, "pin"), "between");
  assert_string_equal(between[0].body, "ground");
  assert_null(between[0].point);
  assert_string_equal(between[1].body, "beam");
  assert_string_equal(between[1].point, "start");
  const sn_dynamics_spec *dynamics = (const sn_dynamics_spec *)r.document->list[SN_ANALYSES].item[0];
  assert_non_null(dynamics);
  assert_true(dynamics->duration == 2 && dynamics->head.start == 0);
  const sn_integrator_spec *integrator = (const sn_integrator_spec *)dynamics->integrator;
  assert_string_equal(integrator->spec.kind->name, "hht-i3");
  assert_true(sn_number_of(dynamics->integrator, "alpha") == -0.1 && integrator->min_step == 1e-12);
  end(&r);
}

/* ---- parameters and expressions ---- */

/* $name is replaced by the text of the parameter, or of its last override; in quotes it is nothing special. */
static void test_words(void **state) {
  (void)state;
  static const char text[] =
      "sinew: 1\ntitle: \"$kind\"\n"
      "parameters: {kind: circle, name: rubber, n: 2}\n"
      "materials: {rubber: {density: 1, young: 1}}\n"
      "sections: {s: {type: $kind, radius: n}}\n"
      "bodies: {b: {type: cable, from: [0, 0, 0], to: [1, 0, 0], material: $name, section: s}}\n";
  static const char *const sets[] = {"kind=square", "kind=circle", "n=3"};
  reading r = read_with(text, strlen(text), sets, 3);
  if (!r.document) print_error("%s", sn_message(r.context));
  assert_non_null(r.document);
  assert_string_equal(r.document->title, "$kind");
  const sn_spec *section = find(&r, SN_SECTIONS, "s");
  assert_string_equal(section->kind->name, "circle");
  assert_string_equal(((const sn_line_spec *)find(&r, SN_BODIES, "b"))->material->name, "rubber");
  assert_string_equal(r.document->parameter_word[0], "circle");
  assert_null(r.document->parameter_word[2]);
  assert_true(r.document->parameter_value[2] == 3);
  end(&r);
}

static void test_parameters(void **state) {
  (void)state;
  reading r = read_good(
      "sinew: 1\n"
      "parameters: {a: b^2, b: 2*c + 1, c: \"atan2(1, 1)*4/pi\", e: 5}\n"
      "gravity: [a, \"-b\", sqrt(16) - e]\n");
  assert_vector(r.document->gravity, 9, -3, -1);
  assert_int_equal(r.document->parameter_count, 4);
  assert_string_equal(r.document->parameter_name[1], "b");
  assert_true(r.document->parameter_value[1] == 3);
  end(&r);
}

static void test_overrides(void **state) {
  (void)state;
  const char *text = "sinew: 1\nparameters: {a: wrong, b: 2*a}\ngravity: [a, b, 0]\n";
  const char *sets[] = {"a=1", "a=b/b + 4", "b=7"};
  reading r = read_with(text, strlen(text), sets, 3);
  assert_non_null(r.document); /* later overrides win, and what is overridden is not evaluated */
  assert_vector(r.document->gravity, 5, 7, 0);
  end(&r);
}

static void test_tables(void **state) {
  (void)state;
  reading r = read_good(
      "sinew: 1\n"
      "parameters: {T: 2}\n"
      "tables:\n"
      "  ramp: {x: [0, T], y: [0, 10], interpolation: linear}\n"
      "  wave: {x: [0, 1, 2], y: [0, 1, 0]}\n"
      "bodies: {ball: {type: point-mass, mass: 1, position: [0, 0, 0]}}\n"
      "forces: {push: {type: force, at: ball, force: [ramp(t), 2*wave(t), 0]}}\n"
      "gravity: [ramp(1), 0, 0]\n");
  const void *push = find(&r, SN_FORCES, "push");
  const sn_expr *const *force = sn_field_value(push, "force");
  assert_float_equal(sn_expr_value(force[0], 0.5), 2.5, 1e-12);
  assert_float_equal(sn_expr_jet(force[0], 0.5).rate, 5, 1e-12);
  assert_float_equal(sn_expr_value(force[1], 1), 2, 1e-12);
  assert_true(sn_expr_is_constant(force[2]));
  assert_false(*(const bool *)sn_field_value(push, "follower"));
  assert_int_equal(r.document->table_count, 2);
  assert_null(r.document->tables[0].m);
  assert_non_null(r.document->tables[1].m);
  end(&r);
}

/* ---- forms of values ---- */

static void test_rotations(void **state) {
  (void)state;
  reading r = read_good(
      "sinew: 1\n"
      "bodies:\n"
      "  a: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 1]}\n"
      "  b: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 1], rotation: [0, 0, 3, 4]}\n"
      "  c: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 1, 1], rotation: {axis: [0, 0, 2], angle: "
      "pi/3}}\n");
  const sn_rigid_spec *a = find(&r, SN_BODIES, "a"), *b = find(&r, SN_BODIES, "b"), *c = find(&r, SN_BODIES, "c");
  assert_true(a->rotation[0] == 1 && a->rotation[1] == 0 && a->rotation[2] == 0 && a->rotation[3] == 0);
  assert_float_equal(b->rotation[2], 0.6, 1e-15);
  assert_float_equal(b->rotation[3], 0.8, 1e-15);
  assert_float_equal(c->rotation[0], sqrt(3) / 2, 1e-15);
  assert_float_equal(c->rotation[3], 0.5, 1e-15);
  end(&r);
}

static void test_inertia_and_shapes(void **state) {
  (void)state;
  reading r = read_good(
      "sinew: 1\n"
      "bodies:\n"
      "  a: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [1, 2, 3]}\n"
      "  b: {type: rigid, position: [0, 0, 0], mass: 2, inertia: [2, 2, 3, -0.1, 0.2, 0.3]}\n"
      "  c:\n"
      "    {type: rigid, position: [0, 0, 0], density: 1000, shape: {type: box, size: [1, 2, 3]},\n"
      "     points: {tip: [1, 0, 0], foot: [0, 1, 0]}}\n");
  const sn_rigid_spec *a = find(&r, SN_BODIES, "a"), *b = find(&r, SN_BODIES, "b"), *c = find(&r, SN_BODIES, "c");
  assert_true(a->inertia[2] == 3 && a->inertia[3] == 0);
  assert_true(b->inertia[3] == -0.1 && b->inertia[5] == 0.3);
  assert_string_equal(c->shape->kind->name, "box");
  const sn_shape_ops *ops = (const sn_shape_ops *)(const void *)c->shape->kind;
  assert_true(ops->solid(c->shape, 0).volume == 6);
  assert_int_equal(c->points.count, 2);
  assert_string_equal(c->points.name[1], "foot");
  assert_vector(c->points.value[1], 0, 1, 0);
  end(&r);
}

static void test_markers(void **state) {
  (void)state;
  reading r = read_good(PENDULUM
                        "forces:\n"
                        "  a: {type: spring, between: [beam.at(L/4), 'beam.at(min(1, 2), 2, 3)'], stiffness: 10}\n");
  const void *a = find(&r, SN_FORCES, "a");
  const sn_marker_ref *between = sn_field_value(a, "between");
  assert_string_equal(between[0].point, "at");
  assert_int_equal(between[0].count, 1);
  assert_true(between[0].number[0] == 0.25);
  assert_int_equal(between[1].count, 3);
  assert_vector(between[1].number, 1, 2, 3);
  assert_false(sn_given(a, "length"));
  end(&r);
}

static void test_points(void **state) {
  (void)state;
  reading r = read_good(
      "sinew: 1\n"
      "materials: {m: {density: 1, young: 1}}\n"
      "sections: {s: {type: circle, radius: 1e-3}}\n"
      "bodies:\n"
      "  c:\n"
      "    type: cable\n"
      "    through:\n"
      "      - [0, 0, 0]\n"
      "      - [1, 0, 0]\n"
      "      - - 1\n"
      "        - 1\n"
      "        - 0\n"
      "    material: m\n"
      "    section: s\n"
      "    bending: planar\n");
  const sn_line_spec *c = find(&r, SN_BODIES, "c");
  assert_int_equal(c->through.count, 3);
  assert_vector(c->through.value[2], 1, 1, 0);
  assert_int_equal(*(const int *)sn_field_value(c, "bending"), 2); /* auto, scalar, planar */
  assert_int_equal(c->elements, 8);
  end(&r);
}

/* ---- ground, nested kinds, aliases ---- */

static void test_ground(void **state) {
  (void)state;
  reading r = read_good("sinew: 1\n");
  assert_int_equal(r.document->list[SN_BODIES].count, 1);
  const sn_point_map *points = sn_field_value(find(&r, SN_BODIES, "ground"), "points");
  assert_int_equal(points->count, 0);
  assert_int_equal(r.document->list[SN_ANALYSES].count, 0);
  assert_vector(r.document->gravity, 0, 0, 0);
  assert_string_equal(r.document->title, "");
  end(&r);
  r = read_good(
      "sinew: 1\nbodies: {a: {type: point-mass, mass: 1, position: [0, 0, 0]}, ground: {points: {o: [1, 2, "
      "3]}}}\njoints:\nforces: ~\n");
  assert_int_equal(r.document->list[SN_BODIES].count, 2);
  points = sn_field_value(find(&r, SN_BODIES, "ground"), "points");
  assert_vector(points->value[0], 1, 2, 3);
  end(&r);
}

static void test_integrator_by_name(void **state) {
  (void)state;
  reading r = read_good("sinew: 1\nanalysis: {type: dynamics, duration: 1, integrator: newmark}\n");
  const sn_dynamics_spec *dynamics = (const sn_dynamics_spec *)r.document->list[SN_ANALYSES].item[0];
  assert_string_equal(dynamics->integrator->kind->name, "newmark");
  assert_true(sn_number_of(dynamics->integrator, "delta") == 0.05);
  end(&r);
}

static void test_aliases(void **state) {
  (void)state;
  reading r = read_good(
      "sinew: 1\n"
      "parameters: {r: &r 0.02}\n"
      "sections:\n"
      "  a: &a {type: circle, radius: *r}\n"
      "  b: *a\n");
  const sn_spec *a = find(&r, SN_SECTIONS, "a"), *b = find(&r, SN_SECTIONS, "b");
  assert_true(sn_section(a).A == sn_section(b).A);
  assert_ptr_not_equal(a, b);
  end(&r);
}

/* ---- ways to write YAML ---- */

static void test_line_ends_and_mark(void **state) {
  (void)state;
  reading r = read_good("\xEF\xBB\xBFsinew: 1\r\ntitle: 'a ''b'''\r\nmaterials:\r\n  m:\r\n    density: 5\r\n");
  assert_string_equal(r.document->title, "a 'b'");
  assert_true(((const sn_material_spec *)find(&r, SN_MATERIALS, "m"))->density == 5);
  end(&r);
  const char *wrong = "sinew: 1\r\rmaterials:\r\n\n  m: {density: x}\n";
  r = read_with(wrong, strlen(wrong), NULL, 0);
  assert_non_null(strstr(sn_message(r.context), "test.yaml:5:16: error"));
  end(&r);
}

static void test_block_text(void **state) {
  (void)state;
  reading r = read_good("sinew: 1\ntitle: >\n  a long\n  title\ngravity:\n- 0\n- -9.81  # down\n- \"0\"\n");
  assert_string_equal(r.document->title, "a long title\n");
  assert_vector(r.document->gravity, 0, -9.81, 0);
  end(&r);
}

/* ---- limits ---- */

static void test_size_limits(void **state) {
  (void)state;
  size_t length = (size_t)sn_max_file_size + 1;
  char *text = malloc(length);
  assert_non_null(text);
  memset(text, ' ', length);
  reading r = read_with(text, length, NULL, 0);
  assert_null(r.document);
  assert_string_equal(sn_message(r.context), "test.yaml: error: the file has 64 MiB, more than the 64 MiB allowed\n");
  end(&r);
  memset(text, 'x', 10 << 20); /* many nodes, in one line */
  memcpy(text, "sinew: [", 8);
  for (size_t i = 9; i < 10 << 20; i += 2) text[i] = ',';
  r = read_with(text, 10 << 20, NULL, 0);
  assert_null(r.document);
  assert_non_null(strstr(sn_message(r.context), "more than 2000000 values"));
  end(&r);
  free(text);
}

/* A message must not depend on what was read before with the same context. */
static void test_context_again(void **state) {
  (void)state;
  sn_context *context = sn_context_create();
  sn_arena arena = {0};
  sn_document *document;
  assert_int_equal(sn_read_document(context, &arena, "a", "sinew: 2", 8, NULL, 0, &document), SN_BAD_MODEL);
  assert_null(document);
  assert_int_equal(sn_read_document(context, &arena, "a", "sinew: 1", 8, NULL, 0, &document), SN_OK);
  assert_string_equal(sn_message(context), "");
  sn_reader reader = sn_reader_for(context, &arena, document);
  sn_field_error(&reader, sn_find(document, SN_BODIES, "ground"), "points", "something", "%s is wrong", "it");
  assert_string_equal(sn_message(context), "a: error: it is wrong\n  expected something\n");
  assert_int_equal(reader.errors, 1);
  sn_arena_free(&arena);
  sn_context_free(context);
}

/* ---- the tables themselves ---- */

static void test_tables_are_sound(void **state) {
  (void)state;
  int last = 0;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    assert_true((int)(*kind)->category >= last);
    last = (int)(*kind)->category;
    assert_ptr_equal(sn_find_kind((*kind)->category, (*kind)->name), *kind);
    assert_non_null((*kind)->summary);
    int count = 0;
    for (const sn_field *field = (*kind)->fields; field->name; field++, count++) {
      assert_true(field->help && field->help[0]);
      assert_true(field->at >= sizeof(sn_spec) && field->at + sn_type_size(field->type) <= (*kind)->spec_size);
      assert_false(field->required && field->def);
      assert_true((field->type == SN_CHOICE) == (field->choices != NULL));
    }
    assert_true(count <= 64); /* bits of sn_spec.given */
  }
}

/* Every type of field has what reader and documents ask for. */
static void test_types_are_sound(void **state) {
  (void)state;
  for (int i = 0; i < SN_TYPES; i++) {
    const sn_type_ops *type = sn_types[i];
    assert_true(type->read && type->size > 0);
    assert_true((type->words != NULL) != (type->put_words != NULL));
    assert_true((type->example != NULL) != (type->put_example != NULL));
    assert_true((type->schema != NULL) != (type->put_schema != NULL));
    assert_true((size_t)type->functions * sizeof(const sn_expr *) <= type->size);
  }
}

/* What a function writes, as a text. */
static char *written(void (*write)(FILE *)) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  write(out);
  fclose(out);
  return text;
}

/* Every kind can be found in every document, and JSON is read by the same parser, being YAML. */
static void test_documents(void **state) {
  (void)state;
  char *schema = written(sn_write_schema), *reference = written(sn_write_reference), *all = written(sn_describe_all);
  char *study_schema = written(sn_write_study_schema);
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    char name[100];
    snprintf(name, sizeof name, "\"%s.%s\"", sn_category_noun((*kind)->category), (*kind)->name);
    bool of_study = sn_belongs_to(SN_STUDY_FILE, (*kind)->category);
    assert_non_null(strstr(of_study ? study_schema : schema, name));
    assert_null(strstr(of_study ? schema : study_schema, name));
    snprintf(name, sizeof name, "### %s\n", (*kind)->name);
    assert_non_null(strstr(reference, name));
    assert_non_null(strstr(all, (*kind)->name));
  }
  sn_context *context = sn_context_create();
  sn_arena arena = {0};
  sn_document document = {.path = "schema", .source = schema, .length = strlen(schema)};
  sn_reader reader = sn_reader_for(context, &arena, &document);
  assert_non_null(sn_parse_tree(&reader, schema, strlen(schema)));
  document.source = study_schema, document.length = strlen(study_schema);
  assert_non_null(sn_parse_tree(&reader, study_schema, strlen(study_schema)));
  assert_int_equal(reader.errors, 0);
  sn_arena_free(&arena);
  sn_context_free(context);
  free(schema), free(study_schema), free(reference), free(all);
}

static char *study_with_example(const sn_kind *kind) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  fprintf(out, "sinew: 1\nmodel: model.yaml\n");
  if (kind->category != SN_VARIATIONS) fprintf(out, "vary: {E: [1, 2]}\n");
  sn_write_example(out, kind, 0);
  fclose(out);
  return text;
}

static reading read_study(const char *text) {
  reading r = {.context = sn_context_create()};
  sn_study *study = NULL;
  sn_read_study(r.context, &r.arena, "test.yaml", text, strlen(text), &study);
  r.document = study ? study->document : NULL;
  return r;
}

/* The example of every kind of study files is part of a study; those of models are run by test_examples.c. */
static void test_study_examples(void **state) {
  (void)state;
  int wrong = 0;
  for (const sn_kind *const *kind = sn_kinds; *kind; kind++) {
    if (!sn_belongs_to(SN_STUDY_FILE, (*kind)->category)) continue;
    char *text = study_with_example(*kind);
    reading r = read_study(text);
    bool good = r.document != NULL;
    if (!good) print_error("the example of '%s' is wrong:\n%s", (*kind)->name, sn_message(r.context));
    wrong += !good;
    end(&r);
    free(text);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pendulum),
      cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_overrides),
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_rotations),
      cmocka_unit_test(test_inertia_and_shapes),
      cmocka_unit_test(test_markers),
      cmocka_unit_test(test_points),
      cmocka_unit_test(test_ground),
      cmocka_unit_test(test_integrator_by_name),
      cmocka_unit_test(test_aliases),
      cmocka_unit_test(test_line_ends_and_mark),
      cmocka_unit_test(test_block_text),
      cmocka_unit_test(test_size_limits),
      cmocka_unit_test(test_context_again),
      cmocka_unit_test(test_tables_are_sound),
      cmocka_unit_test(test_types_are_sound),
      cmocka_unit_test(test_documents),
      cmocka_unit_test(test_study_examples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
