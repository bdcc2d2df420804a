/* penalty.h - contact by springs: the forces of a set of contacts and their derivatives. Contacts of other laws are
 * ignored. */
#ifndef SN_PENALTY_H
#define SN_PENALTY_H

#include "contact/contact.h"

/* Force on side 0 (global) of the contact at this place of the list, of which `normal` is the size along the normal. */
void sn_penalty_force(const sn_contacts *contacts, int at, const double *q, const double *v, double force[3],
                      double *normal);

/* As the functions of a batch (model/model.h): r -= Q; A += cd D + ck K; sums. */
void sn_penalty_residual(sn_contacts *contacts, sn_threads *threads, const sn_eval *eval, double *r);
void sn_penalty_tangent(sn_contacts *contacts, sn_threads *threads, const sn_eval *eval, sn_matrix *A);
void sn_penalty_energy(sn_contacts *contacts, sn_threads *threads, const sn_eval *eval, sn_energy *energy);
void sn_penalty_power(sn_contacts *contacts, sn_threads *threads, const sn_eval *eval, sn_power *power);

/* Watch the iterations of one solution of the equations for contacts with friction that turn, and hold these (turned.c);
 * how many the last evaluation held: the equations are not those of the law then. */
void sn_contacts_watch(sn_contacts *contacts, bool watch);
int sn_contacts_held(const sn_contacts *contacts);

#endif
