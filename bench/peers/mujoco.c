/* mujoco.c - MuJoCo's driver of bench/peers.
 *
 * Methods of chain: Euler, RK4, implicit (joint coordinates, ball joints). Methods of fourbar: Euler, RK4 with the soft
 * constraint of the defaults for the loop, Euler-stiff, RK4-stiff with the stiffest that the manual allows (a time
 * constant of two steps) and a constraint impedance of 0.9999. Methods of spheres: CG, Newton, PGS, with
 * elliptic friction cones; contacts are soft with MuJoCo's default stiffness.
 */
#define _POSIX_C_SOURCE 200809L
#include <mujoco/mujoco.h>

#include "problem.h"

const char *const peer_engine = "MuJoCo";

/* Files in memory for mj_loadXML: the model, and what it includes, or NULL. Frees the texts. */
static mjModel *compile(char *text, char *included) {
  char error[500] = "";
  mjVFS *files = malloc(sizeof *files);
  if (!files) return NULL;
  mj_defaultVFS(files);
  char *content[] = {text, included};
  const char *name[] = {"model.xml", "rods.xml"};
  for (int k = 0; k < 2 && content[k]; k++) {
    int size = (int)strlen(content[k]);
    mj_makeEmptyFileVFS(files, name[k], size);
    memcpy(files->filedata[mj_findFileVFS(files, name[k])], content[k], (size_t)size);
    free(content[k]);
  }
  mjModel *model = mj_loadXML(name[0], files, error, sizeof error);
  if (!model) fprintf(stderr, "mujoco: %s\n", error);
  mj_deleteVFS(files);
  free(files);
  return model;
}

enum { DEEPEST = 80 }; /* rods in one file: the reader refuses 100 nested elements */

/* Rods [first, n), nested; those from DEEPEST on are in the included file. */
static void put_rods(FILE *out, int first, int n) {
  int end = first < DEEPEST && n > DEEPEST ? DEEPEST : n;
  for (int i = first; i < end; i++)
    fprintf(out,
            "<body name='rod%d' pos='%g 0 0'><joint type='ball'/>"
            "<inertial pos='%g 0 0' mass='%g' diaginertia='%.17g %.17g %.17g'/>\n",
            i, i ? ROD_LENGTH : 0.0, ROD_LENGTH / 2, ROD_MASS, ROD_AXIAL, ROD_TRANSVERSE, ROD_TRANSVERSE);
  if (end < n) fprintf(out, "<include file='rods.xml'/>");
  for (int i = first; i < end; i++) fprintf(out, "</body>");
}

static mjModel *chain_model(const peer_task *task) {
  char *text = NULL, *more = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  fprintf(out,
          "<mujoco><option timestep='%.17g' integrator='%s' gravity='0 %g 0'><flag contact='disable'/></option>"
          "<worldbody>",
          task->setting, task->method, -PEER_GRAVITY);
  put_rods(out, 0, task->n);
  fprintf(out, "</worldbody></mujoco>");
  fclose(out);
  if (task->n > DEEPEST) {
    out = open_memstream(&more, &size);
    fprintf(out, "<mujocoinclude>");
    put_rods(out, DEEPEST, task->n);
    fprintf(out, "</mujocoinclude>");
    fclose(out);
  }
  return compile(text, more);
}

static int peer_chain(const peer_task *task, peer_answer *answer) {
  if (!peer_is(task, "Euler") && !peer_is(task, "RK4") && !peer_is(task, "implicit")) return 2;
  mjModel *model = chain_model(task);
  if (!model) return 3;
  mjData *data = mj_makeData(model);
  answer->steps = peer_steps(task);
  double start = peer_cpu();
  for (long k = 0; k < answer->steps; k++) mj_step(model, data);
  answer->cpu = peer_cpu() - start;
  mj_kinematics(model, data);
  const mjtNum *at = data->xpos + 3 * task->n, *axes = data->xmat + 9 * task->n; /* body 0 is the world */
  for (int a = 0; a < 3; a++) answer->tip[a] = at[a] + ROD_LENGTH * axes[3 * a];
  int failed = data->warning[mjWARN_BADQACC].number > 0 || fabs(data->time - DURATION) > 1e-9;
  mj_deleteData(data);
  mj_deleteModel(model);
  return failed ? 3 : 0;
}

static mjModel *fourbar_model(const peer_task *task, const peer_bar bar[BARS]) {
  char *text = NULL, name[32];
  size_t size = 0;
  snprintf(name, sizeof name, "%s", task->method);
  char *stiff = strstr(name, "-stiff");
  if (stiff) *stiff = 0;
  FILE *out = open_memstream(&text, &size);
  fprintf(out,
          "<mujoco><option timestep='%.17g' integrator='%s' gravity='0 %g 0'><flag contact='disable'/></option>"
          "<worldbody>",
          task->setting, name, -PEER_GRAVITY);
  for (int k = 0; k < BARS; k++) {
    const double *from = bar[k].from, *before = k ? bar[k - 1].from : bar[0].from;
    fprintf(out,
            "<body name='bar%d' pos='%.17g %.17g 0'><joint type='hinge' axis='0 0 1' damping='%g'/>"
            "<inertial pos='%.17g %.17g 0' mass='%.17g' diaginertia='%.17g %.17g %.17g'/>\n",
            k, from[0] - before[0], from[1] - before[1], k ? 0.0 : MOTOR_DROP, bar[k].half[0], bar[k].half[1],
            bar[k].mass, bar[k].inertia, bar[k].inertia, bar[k].inertia);
  }
  for (int k = 0; k < BARS; k++) fprintf(out, "</body>");
  fprintf(out, "</worldbody><equality><connect body1='bar2' anchor='%.17g %.17g 0'", 2 * bar[2].half[0],
          2 * bar[2].half[1]);
  if (stiff) fprintf(out, " solref='%.17g 1' solimp='0.9999 0.9999 0.001'", 2 * task->setting);
  fprintf(out, "/></equality></mujoco>");
  fclose(out);
  return compile(text, NULL);
}

static int peer_fourbar(const peer_task *task, peer_answer *answer) {
  if (strncmp(task->method, "Euler", 5) != 0 && strncmp(task->method, "RK4", 3) != 0) return 2;
  peer_bar bar[BARS];
  peer_bars(bar);
  mjModel *model = fourbar_model(task, bar);
  if (!model) return 3;
  mjData *data = mj_makeData(model);
  data->qfrc_applied[0] = MOTOR_MOMENT; /* stays; the damping of the hinge is the rest of the motor */
  answer->steps = peer_steps(task);
  double start = peer_cpu();
  for (long k = 0; k < answer->steps; k++) mj_step(model, data);
  answer->cpu = peer_cpu() - start;
  mj_kinematics(model, data);
  double place[2][3];
  for (int k = 0; k < 2; k++) { /* bodies 2 and 3: coupler and rocker, at their first pins */
    const mjtNum *at = data->xpos + 3 * (k + 2), *axes = data->xmat + 9 * (k + 2);
    const double *half = bar[k + 1].half, part = k ? 2 : 1;
    for (int a = 0; a < 3; a++) place[k][a] = at[a] + part * (axes[3 * a] * half[0] + axes[3 * a + 1] * half[1]);
  }
  peer_linkage(bar, place[0], place[1], answer);
  int failed = data->warning[mjWARN_BADQACC].number > 0;
  mj_deleteData(data);
  mj_deleteModel(model);
  return failed ? 3 : 0;
}

static mjModel *spheres_model(const peer_task *task) {
  char *text = NULL;
  size_t size = 0;
  uint64_t seed = 1;
  int count = task->n * task->n * task->n;
  double side = peer_side(task->n), r[3];
  FILE *out = open_memstream(&text, &size);
  fprintf(
      out,
      "<mujoco><size njmax='%d' nconmax='%d'/><option timestep='%.17g' solver='%s' cone='elliptic' gravity='0 %g 0'/>"
      "<default><geom friction='%g 0 0' condim='3'/></default><worldbody>\n",
      30 * count, 8 * count, task->setting, task->method, -PEER_GRAVITY, SPHERE_FRICTION);
  const char *plane = "<geom type='plane' pos='%g %g %g' zaxis='%g %g %g' size='9 9 1'/>\n";
  fprintf(out, plane, 0., 0., 0., 0., 1., 0.);
  fprintf(out, plane, 0., 0., 0., 1., 0., 0.);
  fprintf(out, plane, 0., 0., 0., 0., 0., 1.);
  fprintf(out, plane, side, 0., 0., -1., 0., 0.);
  fprintf(out, plane, 0., 0., side, 0., 0., -1.);
  for (int i = 0; i < count; i++) {
    peer_place(task->n, i, &seed, r);
    fprintf(out, "<body pos='%.9f %.9f %.9f'><freejoint/><geom type='sphere' size='%g' mass='%g'/></body>\n", r[0],
            r[1], r[2], SPHERE_RADIUS, SPHERE_MASS);
  }
  fprintf(out, "</worldbody></mujoco>");
  fclose(out);
  return compile(text, NULL);
}

static int peer_spheres(const peer_task *task, peer_answer *answer) {
  if (!peer_is(task, "CG") && !peer_is(task, "Newton") && !peer_is(task, "PGS")) return 2;
  mjModel *model = spheres_model(task);
  if (!model) return 3;
  mjData *data = mj_makeData(model);
  for (int k = 0; k < SETTLE_STEPS; k++) mj_step(model, data);
  double start = peer_cpu();
  for (int k = 0; k < TIMED_STEPS; k++) mj_step(model, data);
  answer->cpu = peer_cpu() - start;
  answer->steps = TIMED_STEPS;
  for (int i = 0; i < task->n * task->n * task->n; i++)
    for (int a = 0; a < 3; a++) {
      answer->place[i][a] = data->qpos[7 * i + a];
      answer->run[i][a] = data->qvel[6 * i + a];
    }
  int failed = data->warning[mjWARN_BADQACC].number > 0 || data->warning[mjWARN_CONTACTFULL].number > 0 ||
               data->warning[mjWARN_CNSTRFULL].number > 0;
  mj_deleteData(data);
  mj_deleteModel(model);
  return failed ? 3 : 0;
}
