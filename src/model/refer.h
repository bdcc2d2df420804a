/* refer.h - what expressions refer to by name, as it was read; joint/quantity.c finds it in the compiled model. */
#ifndef SN_REFER_H
#define SN_REFER_H

#include "model/field.h"

typedef enum sn_reference_type {
  SN_REFERENCE_JOINT,     /* hinge.angle */
  SN_REFERENCE_MARKER,    /* beam.end.vx */
  SN_REFERENCE_DISTANCE,  /* distance(a.end, b).rate */
  SN_REFERENCE_RELATIVE,  /* relative(a, b.end).x */
  SN_REFERENCE_OUTPUT,    /* tip.x of an output of a point or joint, root.M of one of resultants, ... */
  SN_REFERENCE_RESULTANT, /* beam.at(0.5).N */
  SN_REFERENCE_REACTION,  /* hinge.reaction.fx */
  SN_REFERENCE_ENERGY,    /* box.energy, model.kinetic_energy */
  SN_REFERENCE_SPRING,    /* damper.force */
  SN_REFERENCE_VARIABLE,
  SN_REFERENCE_INPUT,
} sn_reference_type;

typedef struct sn_reference {
  sn_reference_type type;
  const char *text;      /* as written */
  const sn_node *node;   /* where, for messages */
  const char *name;      /* of the joint, output, variable or input */
  const char *component; /* behind the last dot; "" where there is none */
  sn_marker_ref marker[2];
} sn_reference;

/* Components: joints have the first four, points the six behind. */
enum { SN_REFERENCE_JOINT_WORDS = 4, SN_REFERENCE_POINT_WORDS = 6 };
extern const char *const sn_joint_words[SN_REFERENCE_JOINT_WORDS];
extern const char *const sn_point_words[SN_REFERENCE_POINT_WORDS];
/* Components of reactions (fx or x, ..., magnitudes), energies, and of springs and torsion springs. */
enum { SN_REFERENCE_REACTION_WORDS = 11, SN_REFERENCE_ENERGY_WORDS = 3, SN_REFERENCE_SPRING_WORDS = 5 };
extern const char *const sn_reaction_words[SN_REFERENCE_REACTION_WORDS];
extern const char *const sn_energy_words[SN_REFERENCE_ENERGY_WORDS];
extern const char *const sn_spring_words[SN_REFERENCE_SPRING_WORDS];
/* Index of the word; -1: none of them. */
int sn_find_word(const char *const *words, int count, const char *word);
/* Index in sn_joint_words; names of columns of outputs are understood too: angle_rate, travel, travel_rate. */
int sn_find_joint_word(const char *component);
/* The one of the names of series that is meant: the name of expressions may stand in place of that of a column
 * (hinge.rate for hinge.angle_rate, u for u.value). What was asked for, if there is none. */
const char *sn_series_meant(const char *const *names, int count, const char *asked);

#endif
