/* body_layout.c - see body_layout.h. */
#include "model/body_layout.h"

#define R SN_COLUMN_R
#define R_X SN_COLUMN_R_X
#define R_Y SN_COLUMN_R_Y
#define R_Z SN_COLUMN_R_Z
#define P SN_COLUMN_P
#define ANGLE SN_COLUMN_ANGLE
#define U SN_COLUMN_U
#define V SN_COLUMN_V
#define W SN_COLUMN_W
#define T SN_COLUMN_T
#define TX SN_COLUMN_TX
#define TY SN_COLUMN_TY
#define TZ SN_COLUMN_TZ

const sn_layout_column_meaning sn_layout_columns[SN_LAYOUT_COLUMNS] = {
    [R] = {"r", 0, "position"},
    [R_X] = {"r_x", 0, "derivative of r along the line, or along the first edge of the surface"},
    [R_Y] = {"r_y", 0, "derivative of r along the height of the section, or along the second edge of the surface"},
    [R_Z] = {"r_z", 0, "derivative of r along the width of the section"},
    [P] = {"p", 4, "Euler parameters, scalar first"},
    [ANGLE] = {"angle", 1, "rotation about z"},
    [U] = {"u", 1, "displacement along x of the frame"},
    [V] = {"v", 1, "displacement along y of the frame"},
    [W] = {"w", 1, "displacement along z of the frame"},
    [T] = {"t", 1, "small rotation about z"},
    [TX] = {"tx", 1, "small rotation about x of the frame"},
    [TY] = {"ty", 1, "small rotation about y of the frame"},
    [TZ] = {"tz", 1, "small rotation about z of the frame"},
};

const char *const sn_layout_owners[SN_LAYOUT_OWNERS] = {"body", "node", "element"};

/* An element with a frame of its own has it at its first node; u, v, t are those of its second node. */
const sn_body_layout sn_layouts[SN_LAYOUTS] = {
    [SN_LAYOUT_POINT] = {"r", SN_OF_BODY, .column = {R}},
    [SN_LAYOUT_RIGID] = {"r(3) p(4)", SN_OF_BODY, .column = {R, P}},
    [SN_LAYOUT_RIGID_PLANAR] = {"x y angle", SN_OF_BODY, .column = {R, ANGLE}},
    [SN_LAYOUT_CABLE] = {"nodes of r r'", SN_OF_NODE, .column = {R, R_X}},
    [SN_LAYOUT_PLATE] = {"nodes of r r_x r_y", SN_OF_NODE, .column = {R, R_X, R_Y}},
    [SN_LAYOUT_BEAM] = {"nodes of r r_x r_y r_z", SN_OF_NODE, .column = {R, R_X, R_Y, R_Z}},
    [SN_LAYOUT_BAR] = {"nodes of x y", SN_OF_NODE, .straight = true, .column = {R}},
    [SN_LAYOUT_ANGLES] = {"nodes of x y angle", SN_OF_NODE, .column = {R, ANGLE}},
    [SN_LAYOUT_FRAME_BAR] = {"elements of x y angle u", SN_OF_ELEMENT, .straight = true, .column = {R, ANGLE, U}},
    [SN_LAYOUT_FRAME_BEAM] = {"elements of x y angle u v t", SN_OF_ELEMENT, .column = {R, ANGLE, U, V, T}},
    [SN_LAYOUT_FLOATING] = {"r(3) p(4), then u v w tx ty tz of each node without those held, or reduced coordinates",
                            SN_OF_BODY, .column = {R, P}, .deformation = {U, V, W, TX, TY, TZ}},
    [SN_LAYOUT_FLOATING_PLANAR] = {"x y angle, then u v t of each node without those held, or reduced coordinates",
                                   SN_OF_BODY, .column = {R, ANGLE}, .deformation = {U, V, T}},
};

int sn_layout_place(const sn_layout_column columns[8], sn_layout_column column, int dim) {
  int place = 0;
  for (int i = 0; i < 8 && columns[i]; i++) {
    if (columns[i] == column) return place;
    const int size = sn_layout_columns[columns[i]].size;
    place += size ? size : dim;
  }
  return column == SN_NO_COLUMN ? place : -1;
}
