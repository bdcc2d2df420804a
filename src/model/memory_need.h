/* memory_need.h - how much memory a run of a model needs, from the numbers in its file alone. */
#ifndef SN_MEMORY_NEED_H
#define SN_MEMORY_NEED_H

#include "model/field.h"

typedef struct sn_need {
  double coordinates, elements, nonzeros; /* nonzeros: of the iteration matrix, without fill-in */
  double spheres;                         /* of contact surfaces */
  double bytes;                           /* of a run by any method, within a factor of about two */
  double touching; /* more, where the bodies of penalty contacts lie in one heap and the method is implicit */
} sn_need;

sn_need sn_memory_needed(const sn_document *document);
double sn_memory_of_spheres(double count);
/* What can be had [bytes]: the limit of the context if there is one, otherwise what the machine has to give now. */
double sn_memory_available(const sn_context *context);
/* A model that needs more than there is ends here, before it is compiled. */
sn_status sn_memory_check(sn_context *context, const sn_document *document);

/* "1.5 GB" */
typedef struct sn_size_text {
  char text[32];
} sn_size_text;
sn_size_text sn_bytes_text(double bytes);

#endif
