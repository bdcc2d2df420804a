/* sweep_text.c - options of sinew sweep as the text of a study file, so that there is one reader of studies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/sweep.h"

/* A text in single quotes, where only the quote itself is special. */
static void put_quoted(FILE *out, const char *text, size_t length) {
  fputc('\'', out);
  for (size_t i = 0; i < length; ++i) {
    if (text[i] == '\'') fputc('\'', out);
    fputc((unsigned char)text[i] < ' ' ? ' ' : text[i], out);
  }
  fputc('\'', out);
}

static bool put_variation(FILE *out, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1]) {
    cli_error("option '--vary' needs NAME=VALUES, such as E=2e5:2e11:log7 or n=4,8,16, not '%s'", text);
    return false;
  }
  fputs("  ", out);
  put_quoted(out, text, (size_t)(equals - text));
  fputs(": ", out);
  put_quoted(out, equals + 1, strlen(equals + 1));
  fputc('\n', out);
  return true;
}

/* [NAME=]KIND[:SERIES]; the name is made from the rest where it is not given. */
static bool put_measure(FILE *out, const char *text) {
  const char *equals = strchr(text, '='), *kind = equals ? equals + 1 : text, *colon = strchr(kind, ':');
  const size_t length = colon ? (size_t)(colon - kind) : strlen(kind);
  if (equals == text || length == 0 || (colon && !colon[1])) {
    cli_error("option '--measure' needs [NAME=]KIND[:SERIES], such as steps or top=maximum:tip.y, not '%s'", text);
    return false;
  }
  fputs("  '", out);
  const char *name = equals ? text : kind, *end = equals ? equals : kind + strlen(kind);
  for (; name < end; ++name) fputc(!equals && strchr("-.:", *name) ? '_' : *name == '\'' ? '_' : *name, out);
  fputs("': {type: ", out);
  put_quoted(out, kind, length);
  if (colon) fputs(", of: ", out), put_quoted(out, colon + 1, strlen(colon + 1));
  fputs("}\n", out);
  return true;
}

/* Y:X[:CURVES] */
static bool put_plot(FILE *out, const char *text) {
  const size_t y = strcspn(text, ":"), x = text[y] ? strcspn(text + y + 1, ":") : 0;
  const char *rest = text + y + 1 + x;
  if (y == 0 || x == 0 || (*rest && !rest[1])) {
    cli_error("option '--plot' needs Y:X or Y:X:CURVES, such as energy_error:E:integrator, not '%s'", text);
    return false;
  }
  fputs("  '", out);
  for (const char *c = text; c < rest; ++c) fputc(*c == ':' || *c == '.' || *c == '\'' ? '-' : *c, out);
  fputs("': {y: ", out), put_quoted(out, text, y);
  fputs(", x: ", out), put_quoted(out, text + y + 1, x);
  if (*rest) fputs(", curves: ", out), put_quoted(out, rest + 1, strlen(rest + 1));
  fputs("}\n", out);
  return true;
}

/* KIND or KIND:COUNT */
static void put_sample(FILE *out, const char *text, const char *seed) {
  const size_t length = strcspn(text, ":");
  fputs("sample: {type: ", out);
  put_quoted(out, text, length);
  if (text[length]) fputs(", count: ", out), put_quoted(out, text + length + 1, strlen(text + length + 1));
  if (seed) fputs(", seed: ", out), put_quoted(out, seed, strlen(seed));
  fputs("}\n", out);
}

/* A key and an entry below it for each value of a repeated option. */
static bool put_each(FILE *out, const cli_arguments *arguments, const char *key, const char *option,
                     bool (*put)(FILE *out, const char *text)) {
  size_t count = 0;
  const char **values = cli_values(arguments, option, &count);
  bool good = true;
  if (count) fprintf(out, "%s:\n", key);
  for (size_t i = 0; i < count && good; ++i) good = put(out, values[i]);
  sn_free(values);
  return good;
}

/* Text that is being written. */
typedef struct writing {
  char *text;
  size_t size;
  FILE *out;
} writing;

static void drop(void *argument) {
  writing *w = argument;
  fclose(w->out);
  free(w->text);
}

char *cli_sweep_text(const cli_arguments *arguments) {
  const char *sample = cli_value(arguments, "sample"), *seed = cli_value(arguments, "seed");
  const char *limit = cli_value(arguments, "cpu-limit");
  if (seed && !sample) {
    cli_error("--seed applies only to --sample random:COUNT and --sample latin-hypercube:COUNT");
    return NULL;
  }
  writing w = {0};
  FILE *out = w.out = open_memstream(&w.text, &w.size);
  if (!out) sn_out_of_memory(0);
  sn_undo undo;
  sn_undo_begin(&undo, drop, &w);
  fputs("sinew: 1\nmodel: ", out);
  put_quoted(out, arguments->operand[0], strlen(arguments->operand[0]));
  fprintf(out, "\nkeep: %s\n", cli_given(arguments, "keep") ? "true" : "false");
  if (limit) fputs("cpu_limit: ", out), put_quoted(out, limit, strlen(limit)), fputc('\n', out);
  if (sample) put_sample(out, sample, seed);
  const bool good = put_each(out, arguments, "vary", "vary", put_variation) &&
                    put_each(out, arguments, "measures", "measure", put_measure) &&
                    put_each(out, arguments, "plots", "plot", put_plot);
  const bool whole = !fflush(out) && !ferror(out);
  char *text = good && whole ? sn_new(w.size + 1, 1) : NULL;
  if (text) memcpy(text, w.text, w.size);
  sn_undo_end(&undo);
  drop(&w);
  if (good && !whole) sn_out_of_memory(0);
  return text;
}
