/* kinds.h - the ops tables named in kinds.def. Only this folder includes every category; others find kinds by name
 * (model/registry.h). */
#ifndef SN_KINDS_H
#define SN_KINDS_H

#include "analysis/analysis.h"
#include "contact/surfaces.h"
#include "integrator/integrator.h"
#include "model/materials.h"
#include "model/model.h"
#include "study/study.h"

#define KIND(category, variable) extern const sn_##category##_ops variable;
#include "kinds/kinds.def"
#undef KIND

#endif
