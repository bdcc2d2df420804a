/* page.h - the viewer, one HTML file made from web/ by the build. */
#ifndef SN_VIEW_PAGE_H
#define SN_VIEW_PAGE_H

#include <stddef.h>

extern const unsigned char sn_viewer[];
extern const size_t sn_viewer_size; /* 0: built without the viewer; the message is then: */
#define SN_PAGE_MISSING                                                                                             \
  "this program was built without its viewer: npm was missing or could not download its packages, or SINEW_VIEWER " \
  "was "                                                                                                            \
  "OFF\n"                                                                                                           \
  "  possible remedy: install npm (Debian: nodejs, npm), then cmake --preset release -DSINEW_VIEWER=ON and build "  \
  "again"

#endif
