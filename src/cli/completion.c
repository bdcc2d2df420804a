/* completion.c - sinew completion: scripts for shells, written from the same tables as the help. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

/* "a|b|c" with another separator. */
static void put_choices(const char *choices, char separator) {
  for (const char *at = choices; at && *at; ++at) putchar(*at == '|' ? separator : *at);
}

/* list NULL: of all kinds. */
static void put_kinds(const char *list, char separator) {
  bool first = true;
  sn_kind_info kind;
  for (size_t i = 0; !sn_kind_at(i, &kind); ++i) {
    if (list && strcmp(kind.list, list)) continue;
    if (!first) putchar(separator);
    fputs(kind.name, stdout);
    first = false;
  }
}

/* The words an argument may be; nothing for files and free text. */
static void put_words(cli_hint hint, const char *choices, char separator) {
  if (hint == CLI_INTEGRATOR) put_kinds("integrator", separator);
  if (hint == CLI_KIND) put_kinds(NULL, separator);
  if (hint == CLI_CHOICE) put_choices(choices, separator);
}

static bool has_words(cli_hint hint) {
  return hint == CLI_INTEGRATOR || hint == CLI_KIND || hint == CLI_CHOICE;
}
static bool is_file(cli_hint hint) {
  return hint == CLI_MODEL || hint == CLI_RESULT || hint == CLI_FILE;
}

/* A text in single quotes for a POSIX shell; with `special`, that character is escaped for the shell's own use. */
static void put_quoted(const char *text, const char *special) {
  putchar('\'');
  for (; *text; ++text) {
    if (*text == '\'') {
      fputs("'\\''", stdout);
      continue;
    }
    if (strchr(special, *text)) putchar('\\');
    putchar(*text);
  }
  putchar('\'');
}

/* ---- bash ---- */

static void bash_values(const cli_command *command) {
  for (const cli_option *o = command->options; o && o->name; ++o) {
    if (!o->argument) continue;
    printf("    '%s --%s'", command->name, o->name);
    if (o->letter) printf(" | '%s -%c'", command->name, o->letter);
    fputs(") COMPREPLY=($(compgen ", stdout);
    if (has_words(o->hint)) {
      fputs("-W '", stdout);
      put_words(o->hint, o->choices, ' ');
      fputs("'", stdout);
    } else {
      fputs(is_file(o->hint) ? "-f" : "-W ''", stdout);
    }
    fputs(" -- \"$word\")); return ;;\n", stdout);
  }
}

static void bash_operands(const cli_command *command) {
  printf("    %s) COMPREPLY=($(compgen -W '--help", command->name);
  for (const cli_option *o = command->options; o && o->name; ++o) printf(" --%s", o->name);
  if (has_words(command->hint)) putchar(' '), put_words(command->hint, command->choices, ' ');
  fputs("' -- \"$word\"))", stdout);
  if (is_file(command->hint)) fputs("; [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- \"$word\"))", stdout);
  fputs(" ;;\n", stdout);
}

static void bash(void) {
  fputs(
      "# bash completion of sinew; load with: source <(sinew completion bash)\n_sinew() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W '--help --version help",
      stdout);
  for (const cli_command *const *c = cli_commands; *c; ++c) printf(" %s", (*c)->name);
  fputs("' -- \"$word\"))\n    return\n  fi\n  case \"$command $before\" in\n", stdout);
  for (const cli_command *const *c = cli_commands; *c; ++c) bash_values(*c);
  fputs("  esac\n  case $command in\n    help) COMPREPLY=($(compgen -W '", stdout);
  for (const cli_command *const *c = cli_commands; *c; ++c) printf("%s ", (*c)->name);
  fputs("' -- \"$word\")) ;;\n", stdout);
  for (const cli_command *const *c = cli_commands; *c; ++c) bash_operands(*c);
  fputs("  esac\n}\ncomplete -o filenames -F _sinew sinew\n", stdout);
}

/* ---- zsh ---- */

static void zsh_action(cli_hint hint, const char *choices) {
  if (has_words(hint)) {
    putchar('('), put_words(hint, choices, ' '), putchar(')');
  } else if (hint == CLI_MODEL) {
    fputs("_files -g \"*.(yaml|yml)\"", stdout);
  } else if (hint == CLI_RESULT) {
    fputs("_files -g \"*.h5\"", stdout);
  } else if (hint == CLI_FILE) {
    fputs("_files", stdout);
  }
}

static void zsh_command(const cli_command *command) {
  printf("    %s)\n      _arguments '--help[show this help]'", command->name);
  for (const cli_option *o = command->options; o && o->name; ++o) {
    for (int form = 0; form < (o->letter ? 2 : 1); ++form) {
      printf(" \\\n        '%s", o->repeats ? "*" : "");
      if (form) {
        printf("-%c[", o->letter);
      } else {
        printf("--%s%s[", o->name, o->argument ? "=" : "");
      }
      for (const char *at = o->help; *at; ++at) {
        if (strchr("[]:\\", *at)) putchar('\\');
        putchar(*at == '\'' ? '"' : *at);
      }
      putchar(']');
      if (o->argument) printf(":%s:", o->argument), zsh_action(o->hint, o->choices);
      putchar('\'');
    }
  }
  if (command->usage[0]) {
    printf(" \\\n        '%s:%s:", command->most < 0 ? "*" : "1", "argument");
    zsh_action(command->hint, command->choices);
    putchar('\'');
  }
  fputs(" ;;\n", stdout);
}

static void zsh(void) {
  fputs(
      "#compdef sinew\n# zsh completion of sinew; put it into a directory of $fpath as _sinew\n_sinew() {\n"
      "  if ((CURRENT == 2)) || [[ $words[2] == help ]]; then\n    local -a commands=(\n",
      stdout);
  for (const cli_command *const *c = cli_commands; *c; ++c) {
    char text[160];
    snprintf(text, sizeof text, "%s:%s", (*c)->name, (*c)->summary);
    fputs("      ", stdout), put_quoted(text, ""), putchar('\n');
  }
  fputs(
      "      'help:help on a command')\n    _describe command commands\n    return\n  fi\n"
      "  local command=$words[2]\n  shift words\n  ((CURRENT--))\n  case $command in\n",
      stdout);
  for (const cli_command *const *c = cli_commands; *c; ++c) zsh_command(*c);
  fputs("  esac\n}\nif [[ $funcstack[1] == _sinew ]]; then _sinew \"$@\"; else compdef _sinew sinew; fi\n", stdout);
}

/* ---- fish ---- */

static void fish_command(const cli_command *command) {
  printf("complete -c sinew -n __fish_use_subcommand -f -a %s -d ", command->name);
  put_quoted(command->summary, "");
  putchar('\n');
  for (const cli_option *o = command->options; o && o->name; ++o) {
    printf("complete -c sinew -n '__fish_seen_subcommand_from %s' -l %s", command->name, o->name);
    if (o->letter) printf(" -s %c", o->letter);
    if (o->argument) fputs(is_file(o->hint) ? " -r -F" : " -x", stdout);
    if (has_words(o->hint)) fputs(" -a '", stdout), put_words(o->hint, o->choices, ' '), putchar('\'');
    fputs(" -d ", stdout), put_quoted(o->help, ""), putchar('\n');
  }
  if (has_words(command->hint)) {
    printf("complete -c sinew -n '__fish_seen_subcommand_from %s' -f -a '", command->name);
    put_words(command->hint, command->choices, ' ');
    fputs("'\n", stdout);
  }
}

static void fish(void) {
  fputs(
      "# fish completion of sinew; load with: sinew completion fish | source\n"
      "complete -c sinew -n __fish_use_subcommand -f -a help -d 'help on a command'\n",
      stdout);
  for (const cli_command *const *c = cli_commands; *c; ++c) fish_command(*c);
}

static sn_status run_completion(const cli_arguments *arguments) {
  static const struct {
    const char *name;
    void (*write)(void);
  } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
  for (size_t i = 0; i < SN_COUNT(shells); ++i) {
    if (strcmp(shells[i].name, arguments->operand[0])) continue;
    shells[i].write();
    return SN_OK;
  }
  cli_error("no completion for '%s'; choose bash, zsh or fish", arguments->operand[0]);
  return SN_USAGE;
}

const cli_command cli_completion = {
    .name = "completion",
    .summary = "print the completion script for a shell",
    .usage = "bash|zsh|fish",
    .fewest = 1,
    .most = 1,
    .hint = CLI_CHOICE,
    .choices = "bash|zsh|fish",
    .run = run_completion,
    .details =
        "  bash:  source <(sinew completion bash)        in ~/.bashrc\n"
        "  zsh:   sinew completion zsh > _sinew          in a directory of $fpath\n"
        "  fish:  sinew completion fish > ~/.config/fish/completions/sinew.fish\n",
};
