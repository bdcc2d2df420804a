/* body_layout.h - what the coordinates of a body mean, declared once.
 *
 * A kind names its layout, the result file stores its name, tests move bodies by it, and the viewer reads coordinates by
 * web/src/data/layouts.ts, which tests/unit/test_drawing.c writes from these tables. */
#ifndef SN_BODY_LAYOUT_H
#define SN_BODY_LAYOUT_H

#include <stdbool.h>

typedef enum sn_layout_column {
  SN_NO_COLUMN, /* ends a list */
  SN_COLUMN_R,
  SN_COLUMN_R_X,
  SN_COLUMN_R_Y,
  SN_COLUMN_R_Z,
  SN_COLUMN_P,
  SN_COLUMN_ANGLE,
  SN_COLUMN_U,
  SN_COLUMN_V,
  SN_COLUMN_W,
  SN_COLUMN_T,
  SN_COLUMN_TX,
  SN_COLUMN_TY,
  SN_COLUMN_TZ,
  SN_LAYOUT_COLUMNS
} sn_layout_column;

/* Numbers that belong together. */
typedef struct sn_layout_column_meaning {
  const char *name;
  int size; /* 0: as many as the model has dimensions */
  const char *meaning;
} sn_layout_column_meaning;
extern const sn_layout_column_meaning sn_layout_columns[SN_LAYOUT_COLUMNS];

typedef enum sn_layout_owner { SN_OF_BODY, SN_OF_NODE, SN_OF_ELEMENT, SN_LAYOUT_OWNERS } sn_layout_owner;
extern const char *const sn_layout_owners[SN_LAYOUT_OWNERS];

typedef struct sn_body_layout {
  const char *name;      /* in the result file */
  sn_layout_owner owner; /* what has the columns: the body, each node or each element, one after the other */
  bool straight;         /* straight between nodes; otherwise a cubic with the slopes r_x */
  sn_layout_column column[8];
  sn_layout_column deformation[8]; /* floating: of each node, behind the columns of the body; see sn_geometry.freedom */
} sn_body_layout;

typedef enum sn_layout_type {
  SN_LAYOUT_POINT,
  SN_LAYOUT_RIGID,
  SN_LAYOUT_RIGID_PLANAR,
  SN_LAYOUT_CABLE,
  SN_LAYOUT_PLATE, /* and planar beams with shear */
  SN_LAYOUT_BEAM,
  SN_LAYOUT_BAR,
  SN_LAYOUT_ANGLES,
  SN_LAYOUT_FRAME_BAR,
  SN_LAYOUT_FRAME_BEAM,
  SN_LAYOUT_FLOATING,
  SN_LAYOUT_FLOATING_PLANAR,
  SN_LAYOUTS
} sn_layout_type;
extern const sn_body_layout sn_layouts[SN_LAYOUTS];

/* Where a column begins among `columns`, in a model of `dim` dimensions; -1: it is not among them. SN_NO_COLUMN: how
 * many numbers they are. */
int sn_layout_place(const sn_layout_column columns[8], sn_layout_column column, int dim);

#endif
