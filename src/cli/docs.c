/* docs.c - sinew docs: the manual, as the site that scripts/site.sh makes of docs/. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "view/browser.h"
#include "view/text.h"

enum { PATH_SIZE = 4096, SECONDS_TO_OPEN = 60, LARGEST_LIST = 16 << 20 };

/* ---- where it is ---- */

static bool is_site(const char *folder, char site[PATH_SIZE]) {
  char page[PATH_SIZE + 16];
  if (!realpath(folder, site)) return false;
  snprintf(page, sizeof page, "%s/README.html", site);
  return !access(page, R_OK);
}

/* Where SINEW_DOCS says; in share/doc, where it was installed; in build/site, where it was built. */
static bool find_site(char site[PATH_SIZE]) {
  static const char *const places[] = {"/../" SN_DOCS_FOLDER "/html", "/../share/doc/sinew/html", "/../site"};
  const char *given = getenv("SINEW_DOCS");
  char program[PATH_SIZE], folder[PATH_SIZE + 64];
  if (given && *given) return is_site(given, site);
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return false;
  program[length] = 0;
  char *slash = strrchr(program, '/');
  if (slash) *slash = 0;
  for (size_t i = 0; i < SN_COUNT(places); ++i) {
    snprintf(folder, sizeof folder, "%s%s", program, places[i]);
    if (is_site(folder, site)) return true;
  }
  return false;
}

/* ---- where a word leads ---- */

static bool same_word(const char *line, size_t length, const char *word) {
  if (strlen(word) != length) return false;
  for (size_t i = 0; i < length; ++i)
    if (line[i] != tolower((unsigned char)word[i])) return false;
  return true;
}

/* The place of a word in the list of the site, words.txt: "word<tab>page.html#heading" in each line. */
static bool add_place(const char *site, const char *word, sn_text *address) {
  char path[PATH_SIZE + 16];
  size_t length;
  snprintf(path, sizeof path, "%s/words.txt", site);
  char *list = sn_read_file(path, LARGEST_LIST, &length);
  bool found = false;
  for (const char *line = list; line && *line && !found;) {
    const size_t end = strcspn(line, "\n"), tab = strcspn(line, "\t\n");
    found = tab < end && same_word(line, tab, word);
    if (found) sn_text_add(address, "/%.*s", (int)(end - tab - 1), line + tab + 1);
    line += end + (line[end] == '\n');
  }
  sn_free(list);
  return found;
}

static void add_escaped(sn_text *address, const char *text, const char *plain) {
  for (const unsigned char *at = (const unsigned char *)text; *at; ++at)
    sn_text_add(address, isalnum(*at) || strchr(plain, *at) ? "%c" : "%%%02X", *at);
}

/* ---- the command ---- */

/* The browser reads the page that leads there after this command has ended. */
static void open_address(const char *address) {
  char folder[SN_FOLDER_SIZE];
  if (!sn_temporary_folder(folder)) return;
  if (sn_browser_show(folder, address)) {
    sn_browser_forget_later(folder, SECONDS_TO_OPEN);
  } else {
    sn_browser_forget(folder);
  }
}

static sn_status run_docs(const cli_arguments *arguments) {
  char site[PATH_SIZE];
  if (!find_site(site)) {
    cli_error(
        "the manual has not been built here. In the source folder 'scripts/site.sh' builds it, and 'cmake --install'\n"
        "then installs it with the program; SINEW_DOCS names a folder that has it. The same pages are docs/*.md there");
    return SN_IO;
  }
  sn_text address = {0};
  sn_text_add(&address, "file://");
  add_escaped(&address, site, "/-_.~");
  if (!arguments->operands) {
    sn_text_add(&address, "/README.html");
  } else if (!add_place(site, arguments->operand[0], &address)) {
    sn_text_add(&address, "/search.html?q=");
    add_escaped(&address, arguments->operand[0], "-_.~");
  }
  if (address.failed) {
    sn_text_free(&address);
    cli_error("out of memory");
    return SN_MEMORY;
  }
  puts(address.data);
  fflush(stdout);
  if (!cli_given(arguments, "no-browser")) open_address(address.data);
  sn_text_free(&address);
  return SN_OK;
}

static const cli_option docs_options[] = {
    {"no-browser", 0, NULL, .help = "print the address, do not open a browser"},
    {0},
};

const cli_command cli_docs = {
    .name = "docs",
    .summary = "open the manual in a browser, without a network",
    .usage = "[WORD]",
    .most = 1,
    .hint = CLI_KIND,
    .options = docs_options,
    .run = run_docs,
    .details =
        "WORD is a kind, a page or a heading of the manual; any other word is searched for.\n"
        "The address is printed, and opened in the default browser, if there is one.\n"
        "\nexamples:\n"
        "  sinew docs\n"
        "  sinew docs cable\n"
        "  sinew docs 'energy drift'\n",
};
