/* test_view.c - what the viewer is given of a result file, and that files can point to others without being followed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "result/h5.h"
#include "run/record.h"
#include "support.h"
#include "view/index.h"
#include "view/text.h"

static const char model_text[] =
    "sinew: 1\n"
    "title: \"<b>quotes\\\"</b>\"\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  rod: {type: rigid, from: [0, 0, 0], to: [1, 0, 0], mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  ball: {type: point-mass, mass: 1, position: [0, 0, 1]}\n"
    "joints: {pin: {type: spherical, between: [ground, rod.start]}}\n"
    "outputs: {end: {point: rod.end}}\n"
    "analysis: {type: dynamics, duration: 0.1, integrator: {type: newmark, step: 0.01}, output_step: 0.01}\n";

static char path[] = "/tmp/sinew-test-view-XXXXXX";
static sn_context *context;

/* A result, with links and a dataset in it that point elsewhere. */
static int make(void **state) {
  (void)state;
  sn_model *model = NULL;
  sn_simulation *simulation = NULL;
  sn_writer *writer = NULL;
  context = sn_context_create();
  close(mkstemp(path));
  assert_int_equal(sn_model_parse(context, "test.yaml", model_text, strlen(model_text), NULL, 0, &model), SN_OK);
  assert_int_equal(sn_simulation_create(model, NULL, &simulation), SN_OK);
  assert_int_equal(sn_writer_open(simulation, path, &writer), SN_OK);
  assert_int_equal(sn_record(simulation, writer, NULL, NULL), SN_OK);
  assert_int_equal(sn_writer_close(writer, SN_OK, ""), SN_OK);
  sn_simulation_free(simulation);
  sn_model_free(model);

  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t size[2] = {4, 1};
  H5Lcreate_external("/tmp/other.h5", "/time", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/time", file, "alias", H5P_DEFAULT, H5P_DEFAULT);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, size, NULL);
  H5Pset_external(creation, "/etc/passwd", 0, 4 * sizeof(double));
  H5Dclose(H5Dcreate2(file, "raw", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Sclose(space);
  H5Pclose(creation);
  H5Fclose(file);
  return 0;
}

static int clean(void **state) {
  (void)state;
  unlink(path);
  sn_context_free(context);
  return 0;
}

static sn_result *opened(void) {
  sn_result *result = NULL;
  assert_int_equal(sn_result_open(context, path, &result), SN_OK);
  return result;
}

static void links_are_not_followed(void **state) {
  (void)state;
  sn_result *result = opened();
  sn_view_shape shape;
  double value[4];
  static const char *const wrong[] = {"/elsewhere", "/alias", "/raw", "time",   "",      "/",
                                      "/bodies",    "/model", "/..",  "/time/", "//time"};
  for (size_t i = 0; i < SN_COUNT(wrong); ++i) {
    assert_false(sn_view_shape_of(result, wrong[i], &shape));
    assert_false(sn_view_rows(result, wrong[i], 0, 1, 1, sizeof(double), value));
  }
  assert_true(sn_view_shape_of(result, "/time", &shape));
  assert_int_equal(shape.rows, 11);
  sn_text json = {0};
  sn_view_index(result, &json);
  assert_null(strstr(json.data, "elsewhere"));
  assert_null(strstr(json.data, "alias"));
  assert_non_null(strstr(json.data, "\"raw\":{\"text\":null}"));
  sn_text_free(&json);
  sn_result_free(result);
}

static void rows_are_those_asked_for(void **state) {
  (void)state;
  sn_result *result = opened();
  double time[4];
  float q[4 * 10];
  assert_true(sn_view_rows(result, "/time", 1, 4, 3, sizeof(double), time));
  for (int i = 0; i < 4; ++i) assert_true(fabs(time[i] - 0.01 * (1 + 3 * i)) < 1e-12);
  assert_false(sn_view_rows(result, "/time", 2, 4, 3, sizeof(double), time));
  assert_false(sn_view_rows(result, "/time", 11, 1, 1, sizeof(double), time));
  assert_false(sn_view_rows(result, "/time", 0, 0, 1, sizeof(double), time));
  /* Coordinates of both bodies side by side: r(3) p(4) of the rod, r of the ball, which falls freely. */
  assert_int_equal(sn_view_width(result), 10);
  assert_true(sn_view_coordinates(result, 0, 2, 10, sizeof(float), q));
  assert_true(fabs(q[0] - 0.5F) < 1e-6 && fabs(q[3] - 1) < 1e-6 && fabs(q[9] - 1) < 1e-6);
  assert_true(fabs(q[18] + 0.5 * 9.81 * 0.01) < 1e-3 && fabs(q[19] - 1) < 1e-6);
  assert_false(sn_view_coordinates(result, 0, 3, 10, sizeof(float), q));
  sn_result_free(result);
}

static void text_is_safe_in_a_page(void **state) {
  (void)state;
  sn_result *result = opened();
  sn_text json = {0};
  sn_view_index(result, &json);
  assert_non_null(strstr(json.data, "\"title\":\"\\u003cb>quotes\\\"\\u003c/b>\""));
  assert_null(strchr(json.data, '<'));
  json.length = 0;
  sn_json_text(&json, "a\xff\"\n\\\xc3\xa9\xe2\x82", 9);
  assert_string_equal(json.data, "\"a\xef\xbf\xbd\\\"\\u000a\\\\\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\"");
  json.length = 0;
  sn_text_base64(&json, "sinew", 5);
  assert_string_equal(json.data, "c2luZXc=");
  json.length = 0;
  sn_json_number(&json, 0.1);
  sn_json_number(&json, NAN);
  assert_string_equal(json.data, "0.10000000000000001null");
  sn_text_free(&json);
  sn_result_free(result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_are_not_followed),
      cmocka_unit_test(rows_are_those_asked_for),
      cmocka_unit_test(text_is_safe_in_a_page),
  };
  return cmocka_run_group_tests(tests, make, clean);
}
