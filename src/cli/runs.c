/* runs.c - what the commands that run a model several times share; see runs.h. */
#include "cli/runs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"

void cli_try(const sn_model *model, const sn_options *options, const sn_attempt_options *how, cli_trial *trial) {
  if (sn_attempt_create(model, options, how, &trial->attempt)) sn_out_of_memory(0);
  trial->info.size = sizeof trial->info;
  sn_attempt_about(trial->attempt, &trial->info);
}

void cli_trial_free(cli_trial *trial) {
  sn_attempt_free(trial->attempt);
  *trial = (cli_trial){0};
}

/* Length of the word text begins with: to the next comma outside of braces and brackets. */
static size_t word_length(const char *text) {
  size_t length = 0;
  for (int depth = 0; text[length] && (depth > 0 || text[length] != ','); length++)
    depth += (text[length] == '{' || text[length] == '[') - (text[length] == '}' || text[length] == ']');
  return length;
}

int cli_words(const cli_arguments *arguments, const char *option, sn_arena *arena, const char ***words) {
  const char *text = cli_value(arguments, option);
  int count = 0;
  *words = SN_NEW(arena, const char *, text ? strlen(text) + 1 : 1);
  for (; text && *text; text += *text == ',') {
    const size_t length = word_length(text);
    if (length > 0) (*words)[count++] = sn_copy_text(arena, text, length);
    text += length;
  }
  return count;
}

int cli_numbers(const cli_arguments *arguments, const char *option, sn_arena *arena, double **numbers) {
  const char **words;
  const int count = cli_words(arguments, option, arena, &words);
  *numbers = SN_NEW(arena, double, count + 1);
  for (int i = 0; i < count; ++i) {
    char *end;
    (*numbers)[i] = strtod(words[i], &end);
    if (end != words[i] && !*end && isfinite((*numbers)[i]) && (*numbers)[i] > 0) continue;
    cli_error("option '--%s' needs positive numbers separated by commas, not '%s'", option, words[i]);
    return -1;
  }
  if (count > 0 || !cli_given(arguments, option)) return count;
  cli_error("option '--%s' needs positive numbers separated by commas", option);
  return -1;
}

bool cli_knows_integrator(const char *name) {
  const char *names[64];
  size_t count = 0;
  if (name[0] == '{') return true; /* with its settings: reading them says what is wrong */
  sn_kind_info kind;
  for (size_t i = 0; !sn_kind_at(i, &kind); ++i) {
    if (strcmp(kind.list, "integrator")) continue;
    if (!strcmp(kind.name, name)) return true;
    if (count < SN_COUNT(names)) names[count++] = kind.name;
  }
  const char *nearest = cli_nearest(name, names, count, sizeof *names);
  if (nearest) {
    cli_error("unknown integrator '%s'; did you mean '%s'?", name, nearest);
  } else {
    cli_error("unknown integrator '%s'; 'sinew describe' lists all integrators", name);
  }
  return false;
}

bool cli_one_setting(const cli_arguments *arguments) {
  if (!cli_given(arguments, "step") || !cli_given(arguments, "tolerance")) return true;
  cli_error("--step (fixed) and --tolerance (adaptive) exclude each other");
  return false;
}

/* --set integrator.FIELD is about the integrator of the model, which --integrator replaces. */
bool cli_one_integrator(const cli_arguments *arguments) {
  const char *name = cli_value(arguments, "integrator"), *setting = NULL;
  size_t count = 0;
  const char **sets = cli_values(arguments, "set", &count);
  for (size_t i = 0; i < count; ++i)
    if (!strncmp(sets[i], "integrator.", 11) || !strncmp(sets[i], "integrator=", 11)) setting = sets[i];
  sn_free(sets);
  if (!name || !setting) return !name || cli_knows_integrator(name);
  cli_error("--integrator and --set %s exclude each other; both in one: --integrator '{type: NAME, FIELD: VALUE}'",
            setting);
  return false;
}

bool cli_run_options(const cli_arguments *arguments, sn_options *options) {
  options->integrator = cli_value(arguments, "integrator");
  return cli_one_setting(arguments) && cli_number(arguments, "step", &options->step) &&
         cli_number(arguments, "tolerance", &options->tolerance) && cli_number(arguments, "until", &options->until) &&
         cli_one_integrator(arguments);
}

sn_status cli_load_model(const cli_arguments *arguments, const char *extra, sn_model **model) {
  size_t count = 0;
  const char **sets = cli_values(arguments, "set", &count);
  if (extra) { /* there is room for one more only behind the last */
    SN_RESIZE(sets, count + 1);
    sets[count++] = extra;
  }
  const sn_status status = sn_model_load(arguments->context, arguments->operand[0], sets, count, model);
  sn_free(sets);
  return status ? cli_report(arguments->context, status) : SN_OK;
}

sn_status cli_write_table(const char *path, void (*put)(FILE *out, const void *data), const void *data) {
  if (!path) return SN_OK;
  if (!strcmp(path, "-")) {
    put(stdout, data);
    return cli_finish_output();
  }
  sn_whole_file file;
  if (sn_whole_file_open(&file, path)) {
    put(file.out, data);
    if (sn_whole_file_close(&file, !ferror(file.out))) return SN_OK;
  }
  cli_error("cannot write %s: %s", path, strerror(errno));
  return SN_IO;
}

void cli_put_csv_text(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; ++text) {
    if (*text == '"') fputc('"', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

const char *cli_figure(char buffer[32], int digits, double value) {
  if (isfinite(value)) {
    snprintf(buffer, 32, "%.*g", digits, value);
  } else {
    memcpy(buffer, "-", 2);
  }
  return buffer;
}
