/* info.c - sinew info: what is in a model or a result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* ---- a model ---- */

enum { longest_list = 20 };

static void print_more(size_t count) {
  if (count > longest_list) printf("    ... and %zu more\n", count - longest_list);
}

static void print_bodies(const sn_model *model) {
  const size_t count = sn_model_count(model, SN_LIST_BODIES);
  printf("bodies            %zu\n", count);
  sn_body_info body;
  for (size_t i = 0; i < longest_list && i < count && !sn_model_body(model, i, &body); ++i)
    printf("    %-16s  %-12s  %zu coordinates\n", body.name, body.kind, body.count);
  print_more(count);
}

static void print_joints(const sn_model *model) {
  const size_t count = sn_model_count(model, SN_LIST_JOINTS);
  printf("joints            %zu\n", count);
  sn_joint_info joint;
  for (size_t i = 0; i < longest_list && i < count && !sn_model_joint(model, i, &joint); ++i) {
    printf("    %-16s  %-12s  %zu equations", joint.name, joint.kind, joint.equations);
    if (joint.body[0]) printf(", %s - %s", joint.body[0], joint.body[1]);
    putchar('\n');
  }
  print_more(count);
}

static void print_outputs(const sn_model *model) {
  const size_t count = sn_model_count(model, SN_LIST_OUTPUTS);
  printf("outputs           %zu\n", count);
  sn_output_info output;
  for (size_t i = 0; i < longest_list && i < count && !sn_model_output(model, i, &output); ++i) {
    printf("    %-16s ", output.name);
    for (size_t k = 0; k < output.columns; ++k) printf(" %s", output.column[k]);
    putchar('\n');
  }
  print_more(count);
}

static void print_analysis(const sn_model *model) {
  for (size_t i = 0; i < sn_model_stages(model); ++i) {
    sn_stage_info stage = {.size = sizeof stage};
    sn_model_stage(model, i, &stage);
    printf("%-16s  %s", i ? "" : "analysis", stage.kind);
    if (stage.integrator || stage.duration != 0) printf(", %g s", stage.duration);
    if (stage.integrator && stage.step > 0) printf(" with %s, fixed step %g s", stage.integrator, stage.step);
    if (stage.integrator && !(stage.step > 0)) printf(" with %s, tolerance %g", stage.integrator, stage.tolerance);
    putchar('\n');
  }
}

/* Gruebler's count assumes independent equations; the rank of G gives the true number. */
static sn_status print_freedom(const sn_model *model, const sn_context *context) {
  const long n = (long)sn_model_coordinates(model), m = (long)sn_model_constraints(model);
  sn_size_info size = {.size = sizeof size};
  sn_freedom_info info = {.size = sizeof info};
  printf("DOF               %ld by Gruebler's count (coordinates minus equations)\n", n - m);
  sn_model_size(model, &size);
  const sn_status status = sn_model_freedom(model, &info);
  if (status == SN_MEMORY) return status; /* which says nothing about the model */
  if (status) {
    printf("                  the rank cannot be determined: %s\n", sn_message(context));
    return SN_OK;
  }
  printf("                  %ld by rank", info.freedom);
  if (size.flexible) printf(", %zu coordinates of flexible bodies", size.flexible);
  putchar('\n');
  if (info.redundant) printf("redundant         %ld equations\n", info.redundant);
  for (const char *line = info.notes; line && *line;) {
    const size_t length = strcspn(line, "\n");
    printf("    %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
  sn_release(info.notes);
  return SN_OK;
}

static void print_parameters(const sn_model *model) {
  for (size_t i = 0; i < sn_model_count(model, SN_LIST_PARAMETERS); ++i) {
    const char *word = sn_model_parameter_word(model, i);
    double value;
    sn_model_parameter(model, i, &value);
    printf("%-16s  %s = ", i ? "" : "parameters", sn_model_name(model, SN_LIST_PARAMETERS, i));
    if (word)
      printf("%s\n", word);
    else
      printf("%g\n", value);
  }
}

static sn_status model_info(const cli_arguments *arguments) {
  size_t count = 0;
  sn_model *model = NULL;
  const char **sets = cli_values(arguments, "set", &count);
  sn_status status = sn_model_load(arguments->context, arguments->operand[0], sets, count, &model);
  sn_free(sets);
  if (status) return cli_report(arguments->context, status);
  double gravity[3];
  sn_size_info size = {.size = sizeof size};
  sn_model_gravity(model, gravity);
  sn_model_size(model, &size);
  printf("model             %s\n", arguments->operand[0]);
  if (sn_model_title(model)[0]) printf("title             %s\n", sn_model_title(model));
  printf("gravity           %g %g %g m/s2\n", gravity[0], gravity[1], gravity[2]);
  print_parameters(model);
  print_bodies(model);
  print_joints(model);
  print_outputs(model);
  printf("coordinates       %zu in %zu groups\n", sn_model_coordinates(model), size.groups);
  printf("constraints       %zu equations\n", sn_model_constraints(model));
  status = print_freedom(model, arguments->context);
  if (!status) print_analysis(model);
  sn_model_free(model);
  return status ? cli_report(arguments->context, status) : SN_OK;
}

/* ---- a result ---- */

/* The series by group, "tip: x y z vx ..."; groups follow each other in the file. */
static void print_series(sn_result *result) {
  const char *const *name = sn_result_names(result);
  size_t group = 0;
  const char *before = "";
  for (; *name; ++name) {
    const char *dot = strrchr(*name, '.');
    const size_t length = dot ? (size_t)(dot - *name) : 0;
    if (!dot) continue;
    if (length != group || strncmp(before, *name, length)) {
      printf("%s    %-16.*s  ", before[0] ? "\n" : "series\n", (int)length, *name);
      before = *name, group = length;
    }
    printf("%s ", dot + 1);
  }
  putchar('\n');
}

static sn_status result_info(const cli_arguments *arguments) {
  sn_result *result = NULL;
  const char *path = arguments->operand[0];
  const sn_status status = sn_result_open(arguments->context, path, &result);
  if (status) return cli_report(arguments->context, status);
  sn_file_info info = {.size = sizeof info};
  sn_summary summary = {.size = sizeof summary};
  sn_result_file(result, &info);
  if (sn_result_summary(result, &summary)) {
    sn_result_free(result);
    return cli_report(arguments->context, SN_IO);
  }
  printf("result            %s\n", path);
  printf("status            %s%s%s\n", info.status, info.message[0] ? ": " : "", info.message);
  if (!strcmp(info.status, "running")) puts("                  (the run was killed or is still running)");
  printf("written           %s by sinew %s\n", info.created, info.version);
  printf("rows              %zu\n", info.rows);
  printf("contents          bodies %zu, joints %zu, outputs %zu\n", info.bodies, info.joints, info.outputs);
  print_series(result);
  puts("run");
  cli_print_summary(stdout, &summary);
  sn_result_free(result);
  return SN_OK;
}

static void print_damaged(void *user, uint64_t from, uint64_t to) {
  (void)user;
  printf("    damaged: bytes %llu to %llu\n", (unsigned long long)from, (unsigned long long)to);
}

/* Is every byte of it as it was written? */
static sn_status check_result(const cli_arguments *arguments) {
  sn_checked checked;
  const sn_status status = sn_result_check(arguments->context, arguments->operand[0], &checked, print_damaged, NULL);
  if (status) return cli_report(arguments->context, status);
  printf("%s: no damage found; %.3g MB in %ld blocks, all checksums agree\n", arguments->operand[0],
         checked.bytes / 1e6, checked.blocks);
  return SN_OK;
}

static sn_status run_info(const cli_arguments *arguments) {
  if (cli_given(arguments, "check")) return check_result(arguments);
  return sn_is_result(arguments->operand[0]) ? result_info(arguments) : model_info(arguments);
}

static const cli_option info_options[] = {
    {"check", 0, NULL, .help = "read the whole result and verify all checksums; exit code 4 if it is damaged"},
    CLI_SET_OPTION,
    {0},
};

const cli_command cli_info = {
    .name = "info",
    .summary = "show what a model or a result contains",
    .usage = "RESULT.h5|MODEL",
    .fewest = 1,
    .most = 1,
    .hint = CLI_FILE,
    .options = info_options,
    .run = run_info,
};
