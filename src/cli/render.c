/* render.c - sinew render: pictures and videos of a result, drawn by a browser without a window. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "cli/cli.h"
#include "view/browser.h"
#include "view/server.h"
#include "view/text.h"

/* ---- what is wanted, as the address of the page ---- */

static void add_escaped(sn_text *text, const char *value) {
  for (const unsigned char *at = (const unsigned char *)value; *at; ++at) {
    const bool plain = (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                       *at == '-' || *at == '_' || *at == '.';
    sn_text_add(text, plain ? "%c" : "%%%02X", *at);
  }
}

/* "1280x720" */
static bool add_size(const cli_arguments *arguments, sn_text *address) {
  const char *size = cli_value(arguments, "size");
  int width = 1280, height = 720, used = 0;
  if (size && (sscanf(size, "%5dx%5d%n", &width, &height, &used) != 2 || size[used] || width < 16 || height < 16 ||
               width > 7680 || height > 4320)) {
    cli_error("option '--size' needs WIDTHxHEIGHT in pixels up to 7680x4320, such as 1280x720, not '%s'", size);
    return false;
  }
  sn_text_add(address, "&width=%d&height=%d", width & ~1, height & ~1);
  return true;
}

/* Times may be 0 and below. */
static bool add_number(const cli_arguments *arguments, const char *name, sn_text *address) {
  const char *text = cli_value(arguments, name);
  char *end;
  if (!text) return true;
  const double value = strtod(text, &end);
  if (end == text || *end || !isfinite(value)) {
    cli_error("option '--%s' needs a number, not '%s'", name, text);
    return false;
  }
  sn_text_add(address, "&%s=%.17g", name, value);
  return true;
}

static bool add_choice(const cli_arguments *arguments, const cli_option *option, sn_text *address) {
  const char *value = cli_value(arguments, option->name), *at = option->choices;
  if (!value) return true;
  for (; at; at = strchr(at, '|')) {
    at += *at == '|';
    if (strcspn(at, "|") == strlen(value) && !strncmp(at, value, strlen(value))) break;
  }
  if (!at) {
    cli_error("option '--%s' needs one of %s, not '%s'", option->name, option->choices, value);
    return false;
  }
  sn_text_add(address, "&%s=%s", option->name, value);
  return true;
}

static const char *ending(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot ? dot + 1 : "";
}

static bool describe(const cli_arguments *arguments, sn_text *address) {
  static const char *const numbers[] = {"time", "from", "to"}, *const positive[] = {"fps", "speed", "zoom"};
  static const char *const flags[] = {"dark", "mesh"}, *const without[] = {"caption", "grid", "symbols"};
  const char *video = cli_value(arguments, "video");
  sn_text_add(address, "render=%s", video ? ending(video) : "png");
  int mode = 0;
  if (!add_size(arguments, address) || !cli_whole(arguments, "mode", 1, CLI_MOST, &mode)) return false;
  if (mode) sn_text_add(address, "&mode=%d", mode);
  for (size_t i = 0; i < SN_COUNT(numbers); ++i)
    if (!add_number(arguments, numbers[i], address)) return false;
  for (size_t i = 0; i < SN_COUNT(positive); ++i) {
    double value = 0;
    if (!cli_number(arguments, positive[i], &value)) return false;
    if (value > 0) sn_text_add(address, "&%s=%.17g", positive[i], value);
  }
  for (size_t i = 0; i < SN_COUNT(flags); ++i)
    if (cli_given(arguments, flags[i])) sn_text_add(address, "&%s=1", flags[i]);
  for (size_t i = 0; i < SN_COUNT(without); ++i) {
    char name[16];
    snprintf(name, sizeof name, "no-%s", without[i]);
    if (cli_given(arguments, name)) sn_text_add(address, "&no%s=1", without[i]);
  }
  for (const cli_option *option = arguments->command->options; option->name; ++option)
    if (option->hint == CLI_CHOICE && !add_choice(arguments, option, address)) return false;
  size_t count = 0;
  const char **trails = cli_values(arguments, "trail", &count);
  for (size_t i = 0; i < count; ++i) {
    sn_text_add(address, "&trail=");
    add_escaped(address, trails[i]);
  }
  sn_free(trails);
  return true;
}

/* ---- the browser ---- */

typedef struct drawing {
  const sn_context *context;
  pid_t browser;
} drawing;

static bool still_runs(void *user) {
  const drawing *d = user;
  return !sn_interrupted(d->context) && sn_browser_runs(d->browser);
}

/* Let the browser draw; what it sends is in *bytes, to be freed. */
static sn_status draw(sn_context *context, sn_server *server, const char *query, char **bytes, size_t *count) {
  char folder[SN_FOLDER_SIZE];
  const char *program = sn_browser_find();
  if (!program)
    return cli_fail(
        context, SN_USAGE,
        "rendering needs a browser: install chromium, or set SINEW_BROWSER to a similar one; sinew plot draws "
        "without");
  if (!sn_temporary_folder(folder))
    return cli_fail(context, SN_IO, "cannot create a temporary folder (TMPDIR): %s", strerror(errno));
  sn_text address = {0};
  sn_text_add(&address, "%s?%s", sn_server_address(server), query);
  sn_server_expect(server);
  cli_catch_signals(context); /* the browser has to be ended, and what it leaves removed */
  drawing d = {context, sn_browser_start(program, folder, address.data)};
  bool failed = false, arrived = false;
  if (d.browser > 0) {
    enum { longest = 3600 };
    arrived = sn_server_receive(server, longest, still_runs, &d, bytes, count, &failed);
    cli_signal_was_heard();
    sn_browser_stop(d.browser);
  }
  sn_browser_forget(folder);
  sn_text_free(&address);
  if (!arrived && sn_interrupted(context)) return cli_fail(context, SN_INTERRUPTED, "interrupted");
  if (!arrived) return cli_fail(context, SN_IO, "%s exited without writing an image", program);
  if (!failed) return SN_OK;
  const sn_status status = cli_fail(context, SN_USAGE, "cannot render: %.*s", (int)*count, *bytes ? *bytes : "");
  sn_free(*bytes);
  *bytes = NULL;
  return status;
}

static sn_status write_file(const char *path, const char *bytes, size_t count) {
  sn_whole_file file;
  if (sn_whole_file_open(&file, path) && sn_whole_file_close(&file, fwrite(bytes, 1, count, file.out) == count))
    return SN_OK;
  cli_error("cannot write %s: %s", path, strerror(errno));
  return SN_IO;
}

/* Times that the result does not have cannot be drawn. */
static sn_status check_times(const cli_arguments *arguments, sn_result *result, const char *name) {
  static const char *const options[] = {"time", "from", "to"};
  const sn_series *t = sn_result_time(result);
  if (!t || !t->count) return SN_OK;
  const double first = t->value[0], last = t->value[t->count - 1], slack = 1e-9 * (fabs(last) + fabs(first));
  for (size_t i = 0; i < SN_COUNT(options); ++i) {
    const char *text = cli_value(arguments, options[i]);
    const double time = text ? strtod(text, NULL) : first;
    if (time < first - slack || time > last + slack)
      return cli_fail(arguments->context, SN_USAGE, "--%s %s is outside %s, which covers %g to %g s", options[i], text,
                      name, first, last);
  }
  return SN_OK;
}

/* --trail names points that one of the results has. */
static sn_status check_trails(const cli_arguments *arguments, sn_result *const result[], int results) {
  size_t count = 0;
  sn_status status = SN_OK;
  const char **trails = cli_values(arguments, "trail", &count);
  for (size_t i = 0; i < count && !status; ++i) {
    bool found = !strcmp(trails[i], "all");
    char series[256];
    snprintf(series, sizeof series, "%.250s.x", trails[i]);
    for (int k = results - 1; k >= 0 && !found; --k) found = sn_result_series(result[k], series) != NULL;
    if (!found)
      status = cli_fail(arguments->context, SN_USAGE, "--trail: there is no output '%s' that is a point", trails[i]);
  }
  sn_free(trails);
  return status;
}

static sn_status run_render(const cli_arguments *arguments) {
  const char *video = cli_value(arguments, "video"), *path = video ? video : cli_value(arguments, "output");
  const int results = arguments->operands;
  if (!path) path = "frame.png";
  if (!video && !strcmp(path, "-")) path = "-.png"; /* the picture goes to the standard output */
  if (video && strcmp(ending(video), "webm") && strcmp(ending(video), "gif")) {
    cli_error("videos must be .webm or .gif, not '%s'", video);
    return SN_USAGE;
  }
  if (!video && strcmp(ending(path), "png")) {
    cli_error("images must be .png, not '%s'; use --video for videos", path);
    return SN_USAGE;
  }
  sn_text query = {0};
  sn_result *result[2] = {NULL, NULL};
  sn_server *server = NULL;
  char *bytes = NULL;
  size_t count = 0;
  sn_status status = describe(arguments, &query) ? SN_OK : SN_USAGE;
  if (status) {
    sn_text_free(&query);
    return status;
  }
  for (int i = 0; !status && i < results; ++i) {
    status = sn_result_open(arguments->context, arguments->operand[i], &result[i]);
    if (!status) status = check_times(arguments, result[i], arguments->operand[i]);
  }
  if (!status) status = check_trails(arguments, result, results);
  if (!status) status = sn_server_start(arguments->context, result, arguments->operand, results, 0, &server);
  if (!status) status = draw(arguments->context, server, query.data, &bytes, &count);
  if (status) {
    cli_report(arguments->context, status);
  } else if (!strcmp(path, "-.png")) {
    fwrite(bytes, 1, count, stdout);
    status = cli_finish_output();
  } else {
    status = write_file(path, bytes, count);
  }
  sn_server_stop(server);
  for (int i = 0; i < 2; ++i) sn_result_free(result[i]);
  sn_text_free(&query);
  sn_free(bytes);
  return status;
}

static const cli_option render_options[] = {
    {"output", 'o', "FRAME.png", .help = "image file (default frame.png)", .hint = CLI_FILE},
    {"time", 0, "T", .help = "time to draw [s] (default: the end)"},
    {"video", 0, "FILE", .help = "write a video, .webm or .gif", .hint = CLI_FILE},
    {"from", 0, "T", .help = "video: first time [s]"},
    {"to", 0, "T", .help = "video: last time [s]"},
    {"speed", 0, "X", .help = "video: simulated seconds per second (default: a video of about ten seconds)"},
    {"fps", 0, "N", .help = "video: frames per second (default 30, gif 20)"},
    {"size", 0, "WxH", .help = "size in pixels (default 1280x720)"},
    {"color", 0, "WHAT", .help = "color bodies by strain, curvature, force, speed or stress", .hint = CLI_CHOICE,
     .choices = "none|strain|curvature|force|speed|stress"},
    {"view", 0, "SIDE", .help = "view direction: iso, front, side or top", .hint = CLI_CHOICE,
     .choices = "iso|front|side|top"},
    {"layout", 0, "HOW", .help = "arrangement of two results: overlay or side by side", .hint = CLI_CHOICE,
     .choices = "overlay|side"},
    {"zoom", 0, "X", .help = "zoom factor"},
    {"mode", 0, "N", .help = "draw vibration mode N instead of the motion"},
    {"trail", 0, "OUTPUT", .help = "show the path of a point output; 'all' for all of them", .repeats = true},
    {"mesh", 0, NULL, .help = "show element edges"},
    {"dark", 0, NULL, .help = "dark background"},
    {"no-caption", 0, NULL, .help = "omit title, time and color scale"},
    {"no-grid", 0, NULL, .help = "omit the grid"},
    {"no-symbols", 0, NULL, .help = "omit joints, forces and points"},
    {0},
};

const cli_command cli_render = {
    .name = "render",
    .summary = "render an image or a video of a result",
    .usage = "RESULT.h5 [RESULT.h5]",
    .fewest = 1,
    .most = 2,
    .hint = CLI_RESULT,
    .options = render_options,
    .run = run_render,
    .details =
        "A headless browser draws the image: chromium or a similar browser must be installed.\n"
        "SINEW_BROWSER selects another one.\n"
        "\nexamples:\n"
        "  sinew render pendulum.h5 --time 0.6 --color strain -o pendulum.png\n"
        "  sinew render pendulum.h5 --video pendulum.gif --size 640x360\n",
};
