/* gauss.h - Gauss-Legendre quadrature on [0, 1]: int f dx = sum w_i f(x_i), with n points exact to degree 2n - 1. */
#ifndef SN_GAUSS_H
#define SN_GAUSS_H

static const double sn_gauss2_points[2] = {0.21132486540518711775, 0.78867513459481288225};
static const double sn_gauss2_weights[2] = {0.5, 0.5};

static const double sn_gauss3_points[3] = {0.11270166537925831148, 0.5, 0.88729833462074168852};
static const double sn_gauss3_weights[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

static const double sn_gauss4_points[4] = {0.06943184420297371239, 0.33000947820757186760, 0.66999052179242813240,
                                           0.93056815579702628761};
static const double sn_gauss4_weights[4] = {0.17392742256872692869, 0.32607257743127307131, 0.32607257743127307131,
                                            0.17392742256872692869};

static const double sn_gauss5_points[5] = {0.04691007703066800360, 0.23076534494715845448, 0.5, 0.76923465505284154552,
                                           0.95308992296933199640};
static const double sn_gauss5_weights[5] = {0.11846344252809454376, 0.23931433524968323402, 0.28444444444444444444,
                                            0.23931433524968323402, 0.11846344252809454376};

#endif
