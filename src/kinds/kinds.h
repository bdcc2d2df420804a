/* kinds.h - the ops tables named in kinds.def. */
#ifndef SN_KINDS_H
#define SN_KINDS_H

#include "analysis/analysis.h"
#include "contact/surfaces.h"
#include "integrator/integrator.h"
#include "model/materials.h"
#include "model/model.h"
#include "study/measures.h"

/* Kinds that are only data. */
typedef struct sn_plain_ops {
  sn_kind kind;
} sn_plain_ops;

extern const sn_plain_ops sn_material, sn_output_kind, sn_table_kind, sn_contact_kind, sn_contact_none;
extern const sn_section_ops sn_section_rectangle, sn_section_circle, sn_section_tube, sn_section_general;
extern const sn_shape_ops sn_shape_box, sn_shape_sphere, sn_shape_cylinder;
extern const sn_body_ops sn_ground, sn_rigid, sn_point_mass, sn_cable, sn_plate;
extern const sn_joint_ops sn_spherical, sn_revolute, sn_fixed, sn_distance, sn_motion, sn_universal, sn_cylindrical,
    sn_prismatic, sn_planar, sn_point_on_line, sn_point_on_plane, sn_parallel, sn_coordinate_joint, sn_gear, sn_rack,
    sn_tie;
extern const sn_force_ops sn_force, sn_moment, sn_spring, sn_torsion_spring, sn_bushing, sn_distributed, sn_drag;
extern const sn_body_ops sn_floating, sn_planar_bar_kind, sn_planar_beam_kind;
extern const sn_body_ops sn_beam, sn_beam2d;
extern const sn_surface_ops sn_surface_spheres, sn_surface_grid, sn_surface_sphere, sn_surface_capsule,
    sn_surface_cylinder, sn_surface_box, sn_surface_plane;
extern const sn_integrator_ops sn_auto, sn_newmark, sn_hht_i3, sn_hht_add, sn_hht_si2, sn_nstiff, sn_nstiff_si2,
    sn_gssss;
extern const sn_integrator_ops sn_ida, sn_adams, sn_erk, sn_tr_bdf2, sn_symplectic_euler;
extern const sn_integrator_ops sn_radau5, sn_radau, sn_gam;
extern const sn_analysis_ops sn_dynamics, sn_statics, sn_modes_kind, sn_kinematics;
extern const sn_plain_ops sn_range_kind, sn_sample_grid, sn_sample_list, sn_sample_random, sn_sample_hypercube,
    sn_plot_kind;
extern const sn_measure_ops sn_measure_final, sn_measure_maximum, sn_measure_minimum, sn_measure_mean, sn_measure_rms,
    sn_measure_amplitude, sn_measure_period, sn_measure_decay, sn_measure_elongation, sn_measure_roughness,
    sn_measure_energy_error, sn_measure_drift, sn_measure_steps, sn_measure_rejections, sn_measure_iterations,
    sn_measure_iterations_per_step, sn_measure_most_iterations, sn_measure_jacobians, sn_measure_frequency,
    sn_measure_noise, sn_measure_class, sn_measure_first_time, sn_measure_distance;

#endif
