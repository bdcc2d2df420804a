/* page.h - the viewer, one HTML file made from web/ by the build. */
#ifndef SN_VIEW_PAGE_H
#define SN_VIEW_PAGE_H

#include <stddef.h>

extern const unsigned char sn_page[];
extern const size_t sn_page_size; /* 0: this program was built without the viewer */

#endif
