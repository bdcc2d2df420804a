/* report.h - the viewer and results in one HTML file. */
#ifndef SN_VIEW_REPORT_H
#define SN_VIEW_REPORT_H

#include "sinew/program.h"
#include "view/text.h"

/* rows: recorded times to keep, at most; fewer where the file would become too large. */
sn_status sn_report_make(sn_context *context, sn_result *const *result, const char *const *name, int count, size_t rows,
                         sn_text *html);

#endif
