/* ode.c - ODE's driver of bench/peers.
 *
 * Methods: step (dWorldStep, direct), quickN (dWorldQuickStep with N iterations, 20 is its default). Joints keep the
 * default error reduction; contacts are hard, with the friction pyramid.
 */
#define _POSIX_C_SOURCE 200809L
#include <ode/ode.h>

#include "problem.h"

const char *const peer_engine = "ODE";

typedef struct scene {
  dWorldID world;
  dSpaceID space;
  dJointGroupID contacts;
  int direct;
} scene;

static int open_scene(const peer_task *task, scene *s) {
  int iterations = 0;
  s->direct = peer_is(task, "step");
  if (!s->direct && sscanf(task->method, "quick%d", &iterations) != 1) return 2;
  dInitODE2(0);
  s->world = dWorldCreate();
  s->space = dHashSpaceCreate(NULL);
  s->contacts = dJointGroupCreate(0);
  dWorldSetGravity(s->world, 0, -PEER_GRAVITY, 0);
  if (!s->direct) dWorldSetQuickStepNumIterations(s->world, iterations);
  return 0;
}

static int advance(const scene *s, double h) {
  return (s->direct ? dWorldStep(s->world, h) : dWorldQuickStep(s->world, h)) ? 0 : 3;
}

static void close_scene(scene *s) {
  dJointGroupDestroy(s->contacts);
  dSpaceDestroy(s->space);
  dWorldDestroy(s->world);
  dCloseODE();
}

static int peer_chain(const peer_task *task, peer_answer *answer) {
  scene s;
  int code = open_scene(task, &s);
  if (code) return code;
  dBodyID last = NULL;
  dMass mass;
  dMassSetParameters(&mass, ROD_MASS, 0, 0, 0, ROD_AXIAL, ROD_TRANSVERSE, ROD_TRANSVERSE, 0, 0, 0);
  for (int i = 0; i < task->n; i++) {
    dBodyID rod = dBodyCreate(s.world);
    dBodySetMass(rod, &mass);
    dBodySetPosition(rod, (i + 0.5) * ROD_LENGTH, 0, 0);
    dJointID joint = dJointCreateBall(s.world, NULL);
    dJointAttach(joint, rod, last);
    dJointSetBallAnchor(joint, i * ROD_LENGTH, 0, 0);
    last = rod;
  }
  answer->steps = peer_steps(task);
  double start = peer_cpu();
  for (long k = 0; !code && k < answer->steps; k++) code = advance(&s, task->setting);
  answer->cpu = peer_cpu() - start;
  dVector3 tip;
  dBodyGetRelPointPos(last, ROD_LENGTH / 2, 0, 0, tip);
  for (int a = 0; a < 3; a++) answer->tip[a] = tip[a];
  close_scene(&s);
  return code;
}

static int peer_fourbar(const peer_task *task, peer_answer *answer) {
  scene s;
  int code = open_scene(task, &s);
  if (code) return code;
  peer_bar bar[BARS];
  dBodyID body[BARS];
  dMass mass;
  peer_bars(bar);
  for (int k = 0; k < BARS; k++) {
    body[k] = dBodyCreate(s.world);
    dMassSetParameters(&mass, bar[k].mass, 0, 0, 0, bar[k].inertia, bar[k].inertia, bar[k].inertia, 0, 0, 0);
    dBodySetMass(body[k], &mass);
    dBodySetPosition(body[k], bar[k].center[0], bar[k].center[1], bar[k].center[2]);
  }
  for (int k = 0; k <= BARS; k++) {
    const double *at = k < BARS ? bar[k].from : bar[BARS - 1].to;
    dJointID hinge = dJointCreateHinge(s.world, NULL);
    dJointAttach(hinge, k < BARS ? body[k] : body[BARS - 1], k > 0 && k < BARS ? body[k - 1] : NULL);
    dJointSetHingeAnchor(hinge, at[0], at[1], at[2]);
    dJointSetHingeAxis(hinge, 0, 0, 1);
  }
  answer->steps = peer_steps(task);
  double start = peer_cpu();
  for (long k = 0; !code && k < answer->steps; k++) {
    dBodyAddTorque(body[0], 0, 0, MOTOR_MOMENT - MOTOR_DROP * dBodyGetAngularVel(body[0])[2]);
    code = advance(&s, task->setting);
  }
  answer->cpu = peer_cpu() - start;
  dVector3 middle, end;
  dBodyGetRelPointPos(body[1], 0, 0, 0, middle);
  dBodyGetRelPointPos(body[BARS - 1], bar[BARS - 1].half[0], bar[BARS - 1].half[1], 0, end);
  const double m[3] = {middle[0], middle[1], middle[2]}, e[3] = {end[0], end[1], end[2]};
  peer_linkage(bar, m, e, answer);
  close_scene(&s);
  return code;
}

static void touch(void *data, dGeomID a, dGeomID b) {
  const scene *s = data;
  dContact contact[4];
  int count = dCollide(a, b, 4, &contact[0].geom, sizeof contact[0]);
  for (int k = 0; k < count; k++) {
    contact[k].surface.mode = dContactApprox1;
    contact[k].surface.mu = SPHERE_FRICTION;
    dJointAttach(dJointCreateContact(s->world, s->contacts, &contact[k]), dGeomGetBody(a), dGeomGetBody(b));
  }
}

static int step_spheres(scene *s, double h) {
  dSpaceCollide(s->space, s, touch);
  int code = advance(s, h);
  dJointGroupEmpty(s->contacts);
  return code;
}

static int peer_spheres(const peer_task *task, peer_answer *answer) {
  scene s;
  int code = open_scene(task, &s), count = task->n * task->n * task->n;
  if (code) return code;
  double side = peer_side(task->n), r[3];
  uint64_t seed = 1;
  dBodyID *ball = calloc((size_t)count, sizeof *ball);
  dMass mass;
  dMassSetParameters(&mass, SPHERE_MASS, 0, 0, 0, SPHERE_INERTIA, SPHERE_INERTIA, SPHERE_INERTIA, 0, 0, 0);
  for (int i = 0; i < count; i++) {
    ball[i] = dBodyCreate(s.world);
    dBodySetMass(ball[i], &mass);
    peer_place(task->n, i, &seed, r);
    dBodySetPosition(ball[i], r[0], r[1], r[2]);
    dGeomSetBody(dCreateSphere(s.space, SPHERE_RADIUS), ball[i]);
  }
  dCreatePlane(s.space, 0, 1, 0, 0);
  dCreatePlane(s.space, 1, 0, 0, 0);
  dCreatePlane(s.space, 0, 0, 1, 0);
  dCreatePlane(s.space, -1, 0, 0, -side);
  dCreatePlane(s.space, 0, 0, -1, -side);
  for (int k = 0; !code && k < SETTLE_STEPS; k++) code = step_spheres(&s, task->setting);
  double start = peer_cpu();
  for (int k = 0; !code && k < TIMED_STEPS; k++) code = step_spheres(&s, task->setting);
  answer->cpu = peer_cpu() - start;
  answer->steps = TIMED_STEPS;
  for (int i = 0; i < count; i++)
    for (int a = 0; a < 3; a++) {
      answer->place[i][a] = dBodyGetPosition(ball[i])[a];
      answer->run[i][a] = dBodyGetLinearVel(ball[i])[a];
    }
  free(ball);
  close_scene(&s);
  return code;
}
