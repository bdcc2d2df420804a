/* main.c - the program: finds the sub-command and turns its outcome into an exit code. */
#include <errno.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

const cli_command *const cli_commands[] = {
    &cli_run,      &cli_check,  &cli_info,      &cli_view,     &cli_report_command, &cli_render,
    &cli_plot,     &cli_export, &cli_compare,   &cli_converge, &cli_verify,         &cli_sweep,
    &cli_describe, &cli_schema, &cli_reference, &cli_docs,     &cli_completion,     NULL,
};

void cli_error(const char *format, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  sn_make_plain(text, true);
  fprintf(stderr, "sinew: %s\n", text);
}

sn_status cli_report(const sn_context *context, sn_status status) {
  const char *message = sn_message(context);
  const size_t length = strlen(message);
  if (status == SN_BAD_MODEL) {
    fprintf(stderr, "%s%s", message, length && message[length - 1] == '\n' ? "" : "\n");
  } else {
    cli_error("%.*s", (int)(length && message[length - 1] == '\n' ? length - 1 : length), message);
  }
  return status;
}

sn_status cli_fail(sn_context *context, sn_status status, const char *format, ...) {
  sn_arena arena = {0};
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = SN_NEW(&arena, char, (length > 0 ? length : 0) + 1);
  vsnprintf(text, (size_t)(length > 0 ? length : 0) + 1, format, arguments);
  va_end(arguments);
  sn_set_message(context, status, text);
  sn_arena_free(&arena);
  return status;
}

sn_status cli_print_page(sn_page_of page, size_t kind) {
  char *text = NULL;
  const sn_status status = sn_page(page, kind, &text);
  if (status)
    cli_error("out of memory");
  else
    fputs(text, stdout);
  sn_release(text);
  return status;
}

sn_status cli_finish_output(void) {
  errno = 0;
  const bool failed = fflush(stdout) || ferror(stdout);
  if (!failed || errno == EPIPE || errno == 0) return SN_OK;
  cli_error("cannot write to the standard output: %s", strerror(errno));
  return SN_IO;
}

static void print_overview(FILE *out) {
  fputs(
      "sinew - flexible multibody dynamics: a model file in, an audited simulation out\n\n"
      "usage: sinew COMMAND ...\n\ncommands:\n",
      out);
  for (const cli_command *const *command = cli_commands; *command; ++command) {
    fprintf(out, "  %-12s  %s\n", (*command)->name, (*command)->summary);
  }
  fputs(
      "\n'sinew help COMMAND' describes a command; 'sinew --version' prints the version.\n"
      "Exit codes: 0 success, 1 usage error, 2 model error, 3 numerical failure, 4 file error, 5 out of memory,\n130 "
      "interrupted.\n",
      out);
}

static const cli_command *find_command(const char *name) {
  const char *names[32];
  size_t count = 0;
  for (const cli_command *const *command = cli_commands; *command; ++command) {
    if (!strcmp((*command)->name, name)) return *command;
    names[count++] = (*command)->name;
  }
  names[count++] = "help";
  const char *nearest = cli_nearest(name, names, count, sizeof names[0]);
  if (nearest) {
    cli_error("unknown command '%s'; did you mean '%s'?", name, nearest);
  } else {
    cli_error("unknown command '%s'; 'sinew --help' lists all commands", name);
  }
  return NULL;
}

typedef struct call {
  const cli_command *command;
  int count;
  char **words;
  cli_arguments arguments;
  bool returned;
} call;

static sn_status run_words(void *argument) {
  call *c = argument;
  sn_status status = cli_parse(c->command, c->count, c->words, &c->arguments);
  if (!status && cli_given(&c->arguments, "help")) {
    cli_print_help(stdout, c->command);
  } else if (!status && !cli_limit_memory(&c->arguments)) {
    status = SN_USAGE;
  } else if (!status) {
    status = c->command->run(&c->arguments);
  }
  cli_arguments_free(&c->arguments);
  c->returned = true;
  return status;
}

/* Commands report their own failures; missing memory is reported here. */
static sn_status run_command(const cli_command *command, int count, char **words) {
  sn_context *context = sn_context_create();
  sn_pool *pool = sn_pool_create();
  call c = {.command = command, .count = count, .words = words, .arguments = {.context = context}};
  sn_status status = SN_MEMORY;
  if (context && pool) status = sn_guard(context, pool, run_words, &c);
  if (!context || !pool) cli_error("out of memory");
  if (context && pool && !c.returned) cli_report(context, status);
  sn_pool_free(pool);
  sn_context_free(context);
  return status;
}

static sn_status help(const char *name) {
  if (!name) {
    print_overview(stdout);
    return SN_OK;
  }
  const cli_command *command = find_command(name);
  if (!command) return SN_USAGE;
  cli_print_help(stdout, command);
  return SN_OK;
}

/* SINEW_ISA must name a set that is there: whoever compares sets must not compare one with itself. */
static bool instructions_are_there(void) {
  char sets[200] = "";
  if (!sn_instructions_refused()) return true;
  for (size_t i = 0, used = 0; sn_instructions_at(i) && used < sizeof sets; ++i)
    used += (size_t)snprintf(sets + used, sizeof sets - used, "%s%s", i ? ", " : "", sn_instructions_at(i));
  cli_error("SINEW_ISA is '%s'; this program on this machine has %s", sn_instructions_refused(), sets);
  return false;
}

static sn_status dispatch(int count, char **words) {
  if (!instructions_are_there()) return SN_USAGE;
  if (count < 2) {
    print_overview(stderr);
    return SN_USAGE;
  }
  const char *word = words[1];
  if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
    printf("sinew %s (%s)\n", SINEW_VERSION, sn_instructions());
    return SN_OK;
  }
  if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) return help(count > 2 ? words[2] : NULL);
  if (word[0] == '-') {
    cli_error("unknown option '%s'; 'sinew --help' lists the commands", word);
    return SN_USAGE;
  }
  const cli_command *command = find_command(word);
  return command ? run_command(command, count - 2, words + 2) : SN_USAGE;
}

int main(int count, char **words) {
  /* Failed writes are reported where they happen: a closed pipe, or a limit on the size of files. */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  H5dont_atexit(); /* all files are closed by then, except one that a broken disk left: HDF5 would crash on it */
  cli_watch_signals();
  const sn_status status = dispatch(count, words);
  const sn_status output = cli_finish_output();
  return (int)(status ? status : output);
}
