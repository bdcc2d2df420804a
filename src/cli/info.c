/* info.c - sinew info: what is in a model or a result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* ---- a model ---- */

enum { longest_list = 20 };

static void print_more(int count) {
  if (count > longest_list) printf("    ... and %d more\n", count - longest_list);
}

static void print_bodies(const sn_model *model) {
  printf("bodies            %d\n", model->bodies);
  for (int i = 0; i < model->bodies && i < longest_list; ++i) {
    const sn_body *body = &model->body[i];
    printf("    %-16s  %-12s  %d coordinates\n", body->name, body->ops->kind.name, body->count);
  }
  print_more(model->bodies);
}

static void print_joints(const sn_model *model) {
  printf("joints            %d\n", model->joints);
  for (int i = 0; i < model->joints && i < longest_list; ++i) {
    const sn_joint *joint = &model->joint[i];
    const sn_body *a = joint->marker[0].body, *b = joint->marker[1].body;
    printf("    %-16s  %-12s  %d equations", joint->name, joint->ops->kind.name, joint->count);
    if (a && b) printf(", %s - %s", a->name, b->name);
    putchar('\n');
  }
  print_more(model->joints);
}

static void print_outputs(const sn_model *model) {
  printf("outputs           %d\n", model->outputs);
  for (int i = 0; i < model->outputs && i < longest_list; ++i) {
    const sn_output *output = &model->output[i];
    printf("    %-16s ", output->name);
    for (int k = 0; k < output->columns; ++k) printf(" %s", output->column[k]);
    putchar('\n');
  }
  print_more(model->outputs);
}

static void print_dynamics(const sn_dynamics_spec *analysis) {
  const sn_integrator_spec *integrator = (const sn_integrator_spec *)(const void *)analysis->integrator;
  printf(", %g s with %s, ", analysis->duration, integrator->spec.kind->name);
  if (integrator->step > 0) {
    printf("fixed step %g s", integrator->step);
  } else {
    printf("tolerance %g", integrator->tolerance);
  }
}

static void print_analysis(const sn_document *document) {
  const sn_list *list = &document->list[SN_ANALYSES];
  for (int i = 0; i < list->count; ++i) {
    const sn_spec *spec = list->item[i];
    printf("%-16s  %s", i ? "" : "analysis", spec->kind->name);
    if (spec->kind == &sn_dynamics.kind) print_dynamics((const sn_dynamics_spec *)(const void *)spec);
    if (spec->kind == &sn_kinematics.kind) printf(", %g s", ((const sn_kinematics_spec *)(const void *)spec)->duration);
    putchar('\n');
  }
}

/* Gruebler's count assumes independent equations; the rank of G gives the true number. */
static void print_freedom(const sn_model *model) {
  sn_system *system = NULL;
  sn_state state;
  sn_start start = {0};
  int flexible = 0;
  for (int i = 0; i < model->bodies; ++i)
    if (model->body[i].groups > 1) flexible += model->body[i].count;
  printf("DOF               %d by Gruebler's count (coordinates minus equations)\n", model->n - model->m);
  if (sn_system_create(model, 1, NULL, &system)) return;
  sn_state_create(system, &state);
  const sn_list *stages = &model->document->list[SN_ANALYSES];
  if (stages->count) state.t = ((const sn_analysis_spec *)(const void *)stages->item[0])->start;
  if (sn_make_consistent(system, &state, &start)) {
    printf("                  the rank cannot be determined: %s\n", sn_message(model->context));
  } else {
    printf("                  %d by rank", model->n - model->m + start.redundant);
    if (flexible) printf(", %d coordinates of flexible bodies", flexible);
    putchar('\n');
    if (start.redundant) printf("redundant         %d equations\n", start.redundant);
    for (const char *line = start.notes; line && *line;) {
      const size_t length = strcspn(line, "\n");
      printf("    %.*s\n", (int)length, line);
      line += length + (line[length] == '\n');
    }
  }
  sn_system_free(system);
}

static sn_status model_info(const cli_arguments *arguments) {
  size_t count = 0;
  sn_model *model = NULL;
  const char **sets = cli_values(arguments, "set", &count);
  const sn_status status = sn_model_load(arguments->context, arguments->operand[0], sets, count, &model);
  sn_free(sets);
  if (status) return cli_report(arguments->context, status);
  const sn_document *document = model->document;
  printf("model             %s\n", arguments->operand[0]);
  if (document->title && document->title[0]) printf("title             %s\n", document->title);
  printf("gravity           %g %g %g m/s2\n", model->gravity[0], model->gravity[1], model->gravity[2]);
  for (int i = 0; i < document->parameter_count; ++i) {
    printf("%-16s  %s = ", i ? "" : "parameters", document->parameter_name[i]);
    if (document->parameter_word[i])
      printf("%s\n", document->parameter_word[i]);
    else
      printf("%g\n", document->parameter_value[i]);
  }
  print_bodies(model);
  print_joints(model);
  print_outputs(model);
  printf("coordinates       %d in %d groups\n", model->n, model->groups);
  printf("constraints       %d equations\n", model->m);
  print_freedom(model);
  print_analysis(document);
  sn_model_free(model);
  return SN_OK;
}

/* ---- a result ---- */

/* 0 where there is no such series, or none can be read any more: the first failure keeps its message. */
static double largest(sn_result *result, const char *name) {
  const sn_series *series = sn_result_failed(result) ? NULL : sn_result_series(result, name);
  double most = 0;
  for (size_t i = 0; series && i < series->count; ++i) most = fmax(most, fabs(series->value[i]));
  return most;
}

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
  const sn_result_info *info = sn_result_about(result);
  const sn_series *time = sn_result_time(result);
  if (!time) {
    sn_result_free(result);
    return cli_report(arguments->context, SN_IO);
  }
  cli_summary summary = {
      .model = info->model_path,
      .title = info->title,
      .analysis = info->analysis,
      .integrator = info->integrator,
      .step = info->step,
      .tolerance = info->tolerance,
      .begin = info->rows ? time->value[0] : 0,
      .reached = info->rows ? time->value[info->rows - 1] : 0,
      .end = info->end,
      .statistics = &info->statistics,
      .energy_error = largest(result, "energy.error"),
      .kinetic = largest(result, "energy.kinetic"),
      .constraint = {largest(result, "constraint.position"), largest(result, "constraint.velocity"),
                     largest(result, "constraint.acceleration")},
      .position_change = info->position_change,
      .velocity_change = info->velocity_change,
      .redundant = info->redundant,
      .notes = info->notes,
      .events = info->events,
      .trust = info->trust,
      .reasons = info->reasons,
  };
  if (sn_result_failed(result)) {
    sn_result_free(result);
    return cli_report(arguments->context, SN_IO);
  }
  printf("result            %s\n", path);
  printf("status            %s%s%s\n", info->status, info->message[0] ? ": " : "", info->message);
  if (!strcmp(info->status, "running")) puts("                  (the run was killed or is still running)");
  printf("written           %s by sinew %s\n", info->created, info->version);
  printf("rows              %zu\n", info->rows);
  printf("contents          bodies %d, joints %d, outputs %d\n", info->bodies, info->joints, info->outputs);
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
