/* report.c - sinew report: one HTML file with the viewer and the data, that opens from disk. */
#include "view/report.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "cli/cli.h"

static sn_status write_file(const char *path, const sn_text *html) {
  sn_whole_file file;
  if (sn_whole_file_open(&file, path) &&
      sn_whole_file_close(&file, fwrite(html->data, 1, html->length, file.out) == html->length))
    return SN_OK;
  cli_error("cannot write %s: %s", path, strerror(errno));
  return SN_IO;
}

static sn_status run_report(const cli_arguments *arguments) {
  cli_output output;
  int rows = 500;
  if (!cli_whole(arguments, "rows", 2, CLI_MOST, &rows)) return SN_USAGE;
  if (cli_output_open(&output, cli_value(arguments, "output"), ".html")) return SN_IO;
  const char *path = output.path ? output.path : "report.html";
  const int count = arguments->operands;
  sn_result *result[2] = {NULL, NULL};
  sn_text html = {0};
  sn_status status = SN_OK;
  for (int i = 0; !status && i < count; ++i)
    status = sn_result_open(arguments->context, arguments->operand[i], &result[i]);
  if (!status) status = sn_report_make(arguments->context, result, arguments->operand, count, (size_t)rows, &html);
  status = status ? cli_report(arguments->context, status) : write_file(path, &html);
  if (!status && path != output.temporary)
    printf("%s: %.1f MB, opens in any browser\n", path, (double)html.length / 1e6);
  for (int i = 0; i < 2; ++i) sn_result_free(result[i]);
  sn_text_free(&html);
  return cli_output_close(&output, status);
}

static const cli_option report_options[] = {
    {"output", 'o', "FILE.html", .help = "file to write (default report.html)", .hint = CLI_FILE},
    {"rows", 0, "N",
     .help = "maximum number of recorded times to keep (default 500; fewer if the file would exceed 24 MB)"},
    {0},
};

const cli_command cli_report_command = {
    .name = "report",
    .summary = "write motion, plots and audit into a single HTML file",
    .usage = "RESULT.h5 [RESULT.h5]",
    .fewest = 1,
    .most = 2,
    .hint = CLI_RESULT,
    .options = report_options,
    .run = run_report,
    .details =
        "The file contains the viewer, the model and the recorded data, thinned evenly and rounded to 7 digits.\n"
        "It needs neither a server nor a network.\n"
        "\nexample:\n"
        "  sinew report pendulum.h5 -o pendulum.html\n",
};
