/* options.c - the one parser of command lines.
 *
 * --name VALUE, --name=VALUE, -n VALUE, -nVALUE; options and operands in any order; -- ends the options; a lone - is
 * an operand. Negative numbers are fine as values, since an option that wants a value takes the next word as it is.
 */
#include "cli/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static const cli_option help_option = {"help", 'h', NULL, .help = "show this help", .repeats = true};

const char *cli_nearest(const char *name, const void *names, size_t count, size_t stride) {
  const char *nearest = NULL;
  int distance = 3; /* more than two slips of a finger is another word */
  for (size_t i = 0; i < count; ++i) {
    const char *const *candidate = (const char *const *)(const void *)((const char *)names + i * stride);
    const int d = sn_edit_distance(name, *candidate, distance);
    if (d < distance) distance = d, nearest = *candidate;
  }
  return nearest;
}

static size_t option_count(const cli_command *command) {
  size_t count = 0;
  while (command->options && command->options[count].name) ++count;
  return count;
}

static const cli_option *find_option(const cli_command *command, const char *name, size_t length, char letter) {
  const size_t count = option_count(command);
  for (size_t i = 0; i <= count; ++i) {
    const cli_option *option = i < count ? &command->options[i] : &help_option;
    if (letter ? option->letter == letter : strlen(option->name) == length && !strncmp(option->name, name, length)) {
      return option;
    }
  }
  return NULL;
}

static sn_status unknown_option(const cli_command *command, const char *word, size_t length) {
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), word);
  const char *bare = name + strspn(name, "-");
  const char *nearest = cli_nearest(bare, command->options, option_count(command), sizeof(cli_option));
  if (nearest) {
    cli_error("%s has no option '%s'; did you mean '--%s'?", command->name, name, nearest);
  } else {
    cli_error("%s has no option '%s'; see 'sinew %s --help'", command->name, name, command->name);
  }
  return SN_USAGE;
}

static sn_status add_value(cli_arguments *arguments, const cli_option *option, const char *value) {
  if (!option->repeats && cli_given(arguments, option->name)) {
    cli_error("option '--%s' is given twice", option->name);
    return SN_USAGE;
  }
  arguments->value[arguments->values++] = (struct cli_value){option, value};
  return SN_OK;
}

/* One option at words[*at]; moves *at past the word that holds its value. */
static sn_status parse_option(cli_arguments *arguments, int count, char **words, int *at) {
  const char *word = words[*at], *value = NULL;
  const bool is_long = word[1] == '-';
  const size_t length = is_long ? strcspn(word, "=") : 2;
  const cli_option *option = find_option(arguments->command, word + 2, is_long ? length - 2 : 0, is_long ? 0 : word[1]);
  if (!option) return unknown_option(arguments->command, word, length);
  if (word[length]) value = word + length + (is_long ? 1 : 0);
  if (!option->argument && value) {
    cli_error("option '%.*s' takes no value", (int)length, word);
    return SN_USAGE;
  }
  if (option->argument && !value) {
    if (*at + 1 >= count) {
      cli_error("option '%s' needs a value, %s", word, option->argument);
      return SN_USAGE;
    }
    value = words[++*at];
  }
  return add_value(arguments, option, value);
}

static sn_status check_operands(const cli_arguments *arguments) {
  const cli_command *command = arguments->command;
  if (cli_given(arguments, "help")) return SN_OK;
  if (arguments->operands < command->fewest) {
    cli_error("%s needs %s", command->name, command->usage);
  } else if (command->most >= 0 && arguments->operands > command->most) {
    cli_error("%s: unexpected '%s'", command->name, arguments->operand[command->most]);
  } else {
    return SN_OK;
  }
  cli_print_usage(stderr, command);
  return SN_USAGE;
}

sn_status cli_parse(const cli_command *command, int count, char **words, cli_arguments *arguments) {
  const size_t room = (size_t)count + 1;
  arguments->command = command;
  arguments->operand = sn_new(room, sizeof *arguments->operand);
  arguments->value = sn_new(room, sizeof *arguments->value);
  bool only_operands = false;
  sn_status status = SN_OK;
  for (int i = 0; i < count && !status; ++i) {
    if (only_operands || words[i][0] != '-' || !words[i][1]) {
      arguments->operand[arguments->operands++] = words[i];
    } else if (!strcmp(words[i], "--")) {
      only_operands = true;
    } else {
      status = parse_option(arguments, count, words, &i);
    }
  }
  return status ? status : check_operands(arguments);
}

void cli_arguments_free(cli_arguments *arguments) {
  sn_free(arguments->operand);
  sn_free(arguments->value);
}

/* ---- values ---- */

const char *cli_value(const cli_arguments *arguments, const char *option) {
  for (int i = arguments->values - 1; i >= 0; --i) {
    if (!strcmp(arguments->value[i].option->name, option)) return arguments->value[i].value;
  }
  return NULL;
}

bool cli_given(const cli_arguments *arguments, const char *option) {
  for (int i = 0; i < arguments->values; ++i) {
    const cli_option *given = arguments->value[i].option;
    if (given && !strcmp(given->name, option)) return true;
  }
  return false;
}

const char **cli_values(const cli_arguments *arguments, const char *option, size_t *count) {
  const char **values = sn_new((size_t)arguments->values + 1, sizeof *values);
  *count = 0;
  for (int i = 0; i < arguments->values; ++i) {
    if (!strcmp(arguments->value[i].option->name, option)) values[(*count)++] = arguments->value[i].value;
  }
  return values;
}

bool cli_number(const cli_arguments *arguments, const char *option, double *number) {
  const char *text = cli_value(arguments, option);
  if (!text) return true;
  char *end;
  const double value = strtod(text, &end);
  if (end == text || *end || !isfinite(value) || value <= 0) {
    cli_error("option '--%s' needs a positive number, not '%s'", option, text);
    return false;
  }
  *number = value;
  return true;
}

bool cli_limit_memory(const cli_arguments *arguments) {
  const char *given = cli_value(arguments, "memory"), *text = given ? given : getenv("SINEW_MEMORY");
  if (!text || !*text) return true;
  static const char units[] = "kMGT";
  char *end;
  double bytes = strtod(text, &end);
  const char *unit = *end ? strchr(units, *end) : NULL;
  if (unit) bytes *= pow(1000, (double)(unit - units + 1)), ++end;
  if (*end == 'B') ++end;
  if (end == text || *end || !isfinite(bytes) || bytes <= 0) {
    cli_error("%s needs a size as 4G, 500M or a number of bytes, not '%s'",
              given ? "option '--memory'" : "SINEW_MEMORY", text);
    return false;
  }
  sn_limit_memory(arguments->context, bytes);
  return true;
}

bool cli_whole(const cli_arguments *arguments, const char *option, int least, int most, int *number) {
  const char *text = cli_value(arguments, option);
  if (!text) return true;
  char *end;
  const long value = strtol(text, &end, 10);
  if (end == text || *end || value < least || value > most) {
    cli_error("option '--%s' needs an integer from %d to %d, not '%s'", option, least, most, text);
    return false;
  }
  *number = (int)value;
  return true;
}

/* ---- help ---- */

static void print_option_usage(FILE *out, const cli_option *option, size_t *column) {
  char text[96];
  if (option->letter) {
    snprintf(text, sizeof text, " [-%c%s%s]", option->letter, option->argument ? " " : "",
             option->argument ? option->argument : "");
  } else {
    snprintf(text, sizeof text, " [--%s%s%s]%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "", option->repeats ? "..." : "");
  }
  *column += strlen(text);
  if (*column > 90) fprintf(out, "\n          "), *column = 10 + strlen(text);
  fputs(text, out);
}

void cli_print_usage(FILE *out, const cli_command *command) {
  const char *space = command->usage[0] ? " " : "";
  size_t column = 13 + strlen(command->name) + strlen(command->usage);
  fprintf(out, "usage: sinew %s%s%s", command->name, space, command->usage);
  for (size_t i = 0; i < option_count(command); ++i) print_option_usage(out, &command->options[i], &column);
  fputc('\n', out);
}

static void print_option_help(FILE *out, const cli_option *option) {
  char left[64];
  const char letter[] = {option->letter ? '-' : ' ', option->letter ? option->letter : ' ', option->letter ? ',' : ' ',
                         0};
  snprintf(left, sizeof left, "%s --%s%s%s", letter, option->name, option->argument ? " " : "",
           option->argument ? option->argument : "");
  fprintf(out, "  %-26s  %s%s\n", left, option->help, option->repeats && option->argument ? " (may be repeated)" : "");
}

void cli_print_help(FILE *out, const cli_command *command) {
  fprintf(out, "sinew %s - %s\n\n", command->name, command->summary);
  cli_print_usage(out, command);
  fputs("\noptions:\n", out);
  for (size_t i = 0; i < option_count(command); ++i) print_option_help(out, &command->options[i]);
  print_option_help(out, &help_option);
  if (command->details) fprintf(out, "\n%s", command->details);
}
