/* layout.h - the layout shared by writer and reader of result files; documented in docs/results.md. */
#ifndef SN_LAYOUT_H
#define SN_LAYOUT_H

#include "analysis/linearize.h"
#include "result/h5.h"

enum {
  SN_LAYOUT_VERSION = 1,
  SN_STATUS_SIZE = 16, /* bytes of the texts that are rewritten in place when a run ends */
  SN_MESSAGE_SIZE = 2048,
  SN_NOTES_SIZE = 4096,
  SN_REASONS_SIZE = 4096,
  SN_EVENTS_SIZE = 2048,
};

/* The statistics that are stored: attributes of /statistics by the name of the member. */
typedef struct sn_statistic {
  const char *name;
  size_t at; /* in sn_statistics */
  bool real; /* double; otherwise long */
} sn_statistic;
extern const sn_statistic sn_statistic_table[]; /* ends with a row whose name is NULL */

/* Units of the series that every run has. */
#define SN_ENERGY_UNIT "J"
extern const char *const sn_level_units[SN_LEVELS];

/* Everything that is known before the first row, except the datasets over time. */
void sn_layout_write(sn_h5 *h5, const sn_simulation *simulation);
/* Of that, the settings in force, which a run that is resumed may have changed. */
void sn_layout_write_settings(sn_h5 *h5, const sn_simulation *simulation);
/* What is known about a stage when it is over; takes no new space in the file. */
void sn_layout_end_stage(sn_h5 *h5, const sn_simulation *simulation, int stage, double begin, long first_row,
                         long rows);
/* The modes a stage found; row: that of the configuration they are about. */
void sn_layout_write_modes(sn_h5 *h5, const sn_model *model, const sn_modes *modes, long row);
/* Likewise its state-space matrices. */
void sn_layout_write_linear(sn_h5 *h5, const sn_linear *linear, long row);
/* The events that happened up to now, in place of an earlier list. */
void sn_layout_write_events(sn_h5 *h5, const sn_simulation *simulation);
/* Statistics, status and message; may be called again and then takes no new space in the file. */
void sn_layout_write_status(sn_h5 *h5, const sn_simulation *simulation, const char *status, const char *message);
/* What a force is given by, three functions of time; NULL: by something else. */
const sn_expr *const *sn_layout_vector(const sn_spec *force);
/* Attributes of the dataset of an output. */
void sn_layout_write_output(sn_h5 *h5, hid_t object, const sn_model *model, const sn_output *output);

#endif
