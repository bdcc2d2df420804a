/* converge.c - sinew converge: observed orders under refinement of the step or of the mesh. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/runs.h"

typedef struct study {
  const cli_arguments *arguments;
  sn_arena arena;
  bool elements;
  double *size; /* [runs] steps, or numbers of elements */
  int runs;
  sn_options options;
  const char *title;
  cli_trial *trial; /* [runs] */
  int trials;       /* so many are done */
} study;

/* ---- measures ----
 * Consecutive runs differ by d[i] = |x[i] - x[i+1]|, relative to the scale of the finest; orders follow from d[i-1] and
 * d[i]. */

static double refinement(const study *s, int i) {
  return s->elements ? s->size[i + 1] / s->size[i] : s->size[i] / s->size[i + 1];
}

static double difference(const study *s, int i, sn_measure measure) {
  if (i < 0 || i + 1 >= s->trials || s->trial[i].info.status || s->trial[i + 1].info.status) return NAN;
  const double scale = sn_attempt_scale(s->trial[s->trials - 1].attempt, measure);
  return sn_attempt_distance(s->trial[i].attempt, s->trial[i + 1].attempt, measure) / (scale > 0 ? scale : 1);
}

static double order_at(const study *s, int i, sn_measure measure) {
  const double coarse = difference(s, i - 1, measure), fine = difference(s, i, measure);
  if (!isfinite(coarse) || !isfinite(fine)) return NAN;
  return sn_observed_order(coarse / fine, refinement(s, i - 1), refinement(s, i));
}

/* ---- table ---- */

static void print_table(const study *s) {
  printf("%-12s", s->elements ? "elements" : "step [s]");
  for (int k = 0; k < SN_MEASURES; ++k) printf("  %11s %6s", sn_measure_name((sn_measure)k), "order");
  putchar('\n');
  for (int i = 0; i < s->trials; ++i) {
    printf("%-12.6g", s->size[i]);
    if (s->trial[i].info.status) {
      printf("  failed: %s\n", s->trial[i].info.message);
      continue;
    }
    for (int k = 0; k < SN_MEASURES; ++k) {
      char text[32];
      const double order = order_at(s, i, (sn_measure)k);
      printf("  %11s ", cli_figure(text, 3, difference(s, i, (sn_measure)k)));
      if (isfinite(order)) {
        printf("%6.2f", order);
      } else {
        printf("%6s", "");
      }
    }
    putchar('\n');
  }
  printf(
      "\nLargest differences from the next run at the output times, relative to the largest displacement of a point,\n"
      "velocity, reaction and kinetic energy. Observed orders follow from this difference and the previous one.\n");
}

static void put_csv(FILE *out, const void *data) {
  const study *s = data;
  fprintf(out, "%s", s->elements ? "elements" : "step");
  for (int k = 0; k < SN_MEASURES; ++k)
    fprintf(out, ",%s,%s_order", sn_measure_name((sn_measure)k), sn_measure_name((sn_measure)k));
  fputs(",steps,cpu,status,message\n", out);
  for (int i = 0; i < s->trials; ++i) {
    const cli_trial *trial = &s->trial[i];
    fprintf(out, "%.9g", s->size[i]);
    for (int k = 0; k < SN_MEASURES; ++k)
      fprintf(out, ",%.9g,%.6g", difference(s, i, (sn_measure)k), order_at(s, i, (sn_measure)k));
    fprintf(out, ",%ld,%.6g,%s,", trial->info.steps, trial->info.cpu, trial->info.status ? "failed" : "done");
    cli_put_csv_text(out, trial->info.message);
    fputc('\n', out);
  }
}

/* ---- picture ---- */

static sn_status draw(study *s, const char *path) {
  if (!path) return SN_OK;
  const size_t count = (size_t)s->trials;
  sn_series x = {s->elements ? "elements" : "step", s->elements ? "" : "s", count, s->size}, curve[SN_MEASURES];
  const sn_series *list[SN_MEASURES];
  int drawn = 0;
  for (int k = 0; k < SN_MEASURES; ++k) {
    double *values = SN_NEW(&s->arena, double, count + 1);
    bool any = false;
    for (size_t i = 0; i < count; ++i) {
      const double d = difference(s, (int)i, (sn_measure)k);
      values[i] = d > 0 ? d : NAN;
      any = any || isfinite(values[i]);
    }
    curve[k] = (sn_series){sn_measure_name((sn_measure)k), "", count, values};
    if (any) list[drawn++] = &curve[k];
  }
  if (!drawn) {
    cli_error("no plot: no two runs can be compared");
    return SN_NUMERICS;
  }
  const cli_axis axis = {.unit = "", .count = drawn, .series = list, .label = "difference from the next run, relative"};
  const cli_plot_job job = {
      .title = s->title, .x = &x, .axis = &axis, .axes = 1, .path = path, .log_x = true, .log_y = true, .marked = true};
  return cli_plot_picture(&job);
}

/* ---- the runs ---- */

static sn_status run_one(study *s, int i) {
  const char *name = cli_value(s->arguments, "parameter");
  sn_model *model = NULL;
  sn_options options = s->options;
  const char *set = s->elements ? sn_format(&s->arena, "%s=%.0f", name ? name : "n", s->size[i]) : NULL;
  if (!s->elements) options.step = s->size[i];
  sn_status status = cli_load_model(s->arguments, set, &model);
  if (status) return status;
  s->title = sn_format(&s->arena, "%s", sn_model_title(model));
  cli_try(model, &options, NULL, &s->trial[i]);
  status = s->trial[i].info.status;
  if (status == SN_USAGE) cli_report(s->arguments->context, status);
  if (status == SN_INTERRUPTED) cli_signal_was_heard();
  if (status == SN_INTERRUPTED) cli_error("interrupted after %d of %d runs", i, s->runs);
  sn_model_free(model);
  s->trials = i + 1;
  if (status != SN_USAGE && status != SN_INTERRUPTED) return SN_OK;
  cli_trial_free(&s->trial[i]);
  s->trials = i;
  return status;
}

static sn_status run_all(study *s) {
  sn_status status = SN_OK;
  s->trial = SN_NEW(&s->arena, cli_trial, s->runs);
  cli_catch_signals(s->arguments->context);
  for (int i = 0; i < s->runs && !status; ++i) status = run_one(s, i);
  if (status && status != SN_INTERRUPTED) return status;
  if (!s->trials) return status;
  const cli_trial *first = &s->trial[0];
  printf("%s%s%s\n\n", s->title, s->title[0] ? ": " : "", first->info.integrator);
  print_table(s);
  const sn_status table = cli_write_table(cli_value(s->arguments, "output"), put_csv, s);
  const sn_status picture = s->trials > 1 ? draw(s, cli_value(s->arguments, "plot")) : SN_OK;
  for (int i = 0; i < s->trials && !status; ++i) status = s->trial[i].info.status;
  return status ? status : table ? table : picture;
}

static bool read_sizes(study *s) {
  s->elements = cli_given(s->arguments, "elements");
  if (s->elements == cli_given(s->arguments, "steps")) {
    cli_error("give either --steps H1,H2,... or --elements N1,N2,...");
    return false;
  }
  s->runs = cli_numbers(s->arguments, s->elements ? "elements" : "steps", &s->arena, &s->size);
  if (s->runs < 0) return false;
  if (s->runs < 3) {
    cli_error("an observed order needs at least three runs");
    return false;
  }
  for (int i = 0; i < s->runs; ++i) {
    if (s->elements && (s->size[i] != floor(s->size[i]) || s->size[i] > 1e9)) {
      cli_error("option '--elements' needs integers, not %g", s->size[i]);
      return false;
    }
    if (i > 0 && !(refinement(s, i - 1) > 1)) {
      cli_error("list the values from coarse to fine: %g must not follow %g", s->size[i], s->size[i - 1]);
      return false;
    }
  }
  return true;
}

static bool read_arguments(study *s) {
  const char *name = cli_value(s->arguments, "integrator");
  s->options.integrator = name;
  if (!read_sizes(s) || !cli_one_integrator(s->arguments) || !cli_one_setting(s->arguments)) return false;
  if (!s->elements && (cli_given(s->arguments, "step") || cli_given(s->arguments, "tolerance"))) {
    cli_error("--step and --tolerance apply to --elements only; --steps gives all steps");
    return false;
  }
  return cli_number(s->arguments, "step", &s->options.step) &&
         cli_number(s->arguments, "tolerance", &s->options.tolerance) &&
         cli_number(s->arguments, "until", &s->options.until);
}

static sn_status run_converge(const cli_arguments *arguments) {
  study s = {.arguments = arguments, .title = ""};
  const sn_status status = read_arguments(&s) ? run_all(&s) : SN_USAGE;
  for (int i = 0; i < s.trials; ++i) cli_trial_free(&s.trial[i]);
  sn_arena_free(&s.arena);
  return status;
}

static const cli_option converge_options[] = {
    {"integrator", 0, "NAME", .help = "integrator (default: that of the model)", .hint = CLI_INTEGRATOR},
    {"steps", 0, "H1,H2,...", .help = "fixed steps [s], from coarse to fine"},
    {"elements", 0, "N1,N2,...", .help = "numbers of elements, from coarse to fine"},
    {"parameter", 0, "NAME", .help = "parameter of the model that --elements sets (default: n)"},
    {"step", 0, "H", .help = "with --elements: fixed step [s] of all runs"},
    {"tolerance", 0, "E", .help = "with --elements: tolerance of all runs"},
    CLI_SET_OPTION,
    CLI_UNTIL_OPTION,
    {"output", 'o', "FILE.csv", .help = "also write the table to this file", .hint = CLI_FILE},
    {"plot", 0, "FILE", .help = "plot the differences: .png, .svg or .pdf (needs gnuplot)", .hint = CLI_FILE},
    {0},
};

const cli_command cli_converge = {
    .name = "converge",
    .summary = "refine the step or the mesh of a model and compute the observed orders",
    .usage = "MODEL",
    .fewest = 1,
    .most = 1,
    .hint = CLI_MODEL,
    .options = converge_options,
    .run = run_converge,
    .details =
        "Positions and velocities are those of the point outputs (all coordinates if there are none), multipliers\n"
        "those of the reaction outputs (all multipliers if there are none), energy is the total energy. Any ratio of\n"
        "refinement is allowed. A run that fails gives a row with the reason, and the exit code is 3.\n"
        "\nexamples:\n"
        "  sinew converge models/simple-pendulum.yaml --integrator newmark --steps 4e-3,2e-3,1e-3,5e-4 --until 1\n"
        "  sinew converge models/pendulum.yaml --elements 2,4,8,16 --tolerance 1e-7 --plot mesh.png\n",
};
