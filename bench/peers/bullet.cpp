/* bullet.cpp - Bullet's driver of bench/peers.
 *
 * Methods of chain: multibody (joint coordinates, articulated-body algorithm, semi-implicit Euler). Methods of fourbar:
 * multibodyN, the same with a point-to-point constraint for the loop, N iterations (10 is the default). Methods of spheres:
 * impulseN, sequential impulses with N iterations (10 is the default). Bodies never sleep. Debian compiles Bullet for
 * single precision.
 */
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

#include "problem.h"

const char *const peer_engine = "Bullet";

/* A world and what it is made of. */
template <class Solver, class World>
struct engine {
  btDefaultCollisionConfiguration settings;
  btCollisionDispatcher dispatcher{&settings};
  btDbvtBroadphase broad;
  Solver solver;
  World world{&dispatcher, &broad, &solver, &settings};
  engine() { world.setGravity(btVector3(0, btScalar(-PEER_GRAVITY), 0)); }
};

static int peer_chain(const peer_task *task, peer_answer *answer) {
  if (!peer_is(task, "multibody")) return 2;
  engine<btMultiBodyConstraintSolver, btMultiBodyDynamicsWorld> bullet;
  btMultiBodyDynamicsWorld &world = bullet.world;
  btMultiBody chain(task->n, 0, btVector3(0, 0, 0), true, false);
  const btVector3 half(btScalar(ROD_LENGTH / 2), 0, 0), zero(0, 0, 0);
  const btVector3 inertia(btScalar(ROD_AXIAL), btScalar(ROD_TRANSVERSE), btScalar(ROD_TRANSVERSE));
  for (int i = 0; i < task->n; i++)
    chain.setupSpherical(i, btScalar(ROD_MASS), inertia, i - 1, btQuaternion::getIdentity(), i ? half : zero, half,
                         true);
  chain.setLinearDamping(0);
  chain.setAngularDamping(0);
  chain.setCanSleep(false);
  chain.setMaxCoordinateVelocity(btScalar(1e6));
  chain.finalizeMultiDof();
  world.addMultiBody(&chain);
  answer->steps = peer_steps(task);
  double start = peer_cpu();
  for (long k = 0; k < answer->steps; k++) world.stepSimulation(btScalar(task->setting), 0);
  answer->cpu = peer_cpu() - start;
  const btVector3 tip = chain.localPosToWorld(task->n - 1, half);
  for (int a = 0; a < 3; a++) answer->tip[a] = tip[a];
  world.removeMultiBody(&chain);
  return 0;
}

static btVector3 vector(const double r[3]) {
  return btVector3(btScalar(r[0]), btScalar(r[1]), btScalar(r[2]));
}

static int peer_fourbar(const peer_task *task, peer_answer *answer) {
  int iterations = 0;
  if (sscanf(task->method, "multibody%d", &iterations) != 1) return 2;
  peer_bar bar[BARS];
  peer_bars(bar);
  engine<btMultiBodyConstraintSolver, btMultiBodyDynamicsWorld> bullet;
  btMultiBodyDynamicsWorld &world = bullet.world;
  world.getSolverInfo().m_numIterations = iterations;
  btMultiBody linkage(BARS, 0, btVector3(0, 0, 0), true, false);
  for (int k = 0; k < BARS; k++) {
    const btScalar inertia = btScalar(bar[k].inertia);
    linkage.setupRevolute(k, btScalar(bar[k].mass), btVector3(inertia, inertia, inertia), k - 1,
                          btQuaternion::getIdentity(), btVector3(0, 0, 1),
                          k ? vector(bar[k - 1].half) : btVector3(0, 0, 0), vector(bar[k].half), true);
  }
  linkage.setLinearDamping(0);
  linkage.setAngularDamping(0);
  linkage.setCanSleep(false);
  linkage.setMaxCoordinateVelocity(btScalar(1e6));
  linkage.finalizeMultiDof();
  world.addMultiBody(&linkage);
  /* constraints are found by the colliders of their links; this one touches nothing */
  btSphereShape shape{btScalar(0.01)};
  btMultiBodyLinkCollider collider(&linkage, BARS - 1);
  collider.setCollisionShape(&shape);
  world.addCollisionObject(&collider, btBroadphaseProxy::DefaultFilter, 0);
  linkage.getLink(BARS - 1).m_collider = &collider;
  btMultiBodyPoint2Point close(&linkage, BARS - 1, nullptr, vector(bar[BARS - 1].half), vector(bar[BARS - 1].to));
  close.setMaxAppliedImpulse(btScalar(1e6));
  world.addMultiBodyConstraint(&close);
  answer->steps = peer_steps(task);
  double start = peer_cpu();
  for (long k = 0; k < answer->steps; k++) {
    linkage.addJointTorque(0, btScalar(MOTOR_MOMENT - MOTOR_DROP * linkage.getJointVel(0)));
    world.stepSimulation(btScalar(task->setting), 0);
  }
  answer->cpu = peer_cpu() - start;
  const btVector3 m = linkage.localPosToWorld(1, btVector3(0, 0, 0));
  const btVector3 e = linkage.localPosToWorld(BARS - 1, vector(bar[BARS - 1].half));
  const double middle[3] = {m[0], m[1], m[2]}, end[3] = {e[0], e[1], e[2]};
  peer_linkage(bar, middle, end, answer);
  world.removeMultiBodyConstraint(&close);
  world.removeCollisionObject(&collider);
  world.removeMultiBody(&linkage);
  return 0;
}

static void add_plane(btDiscreteDynamicsWorld &world, btCollisionShape *shape) {
  btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape);
  info.m_friction = btScalar(sqrt(SPHERE_FRICTION));
  world.addRigidBody(new btRigidBody(info));
}

static int peer_spheres(const peer_task *task, peer_answer *answer) {
  int iterations = 0, count = task->n * task->n * task->n;
  if (sscanf(task->method, "impulse%d", &iterations) != 1) return 2;
  const btScalar side = btScalar(peer_side(task->n));
  engine<btSequentialImpulseConstraintSolver, btDiscreteDynamicsWorld> bullet;
  btDiscreteDynamicsWorld &world = bullet.world;
  world.getSolverInfo().m_numIterations = iterations;
  btStaticPlaneShape planes[] = {{btVector3(0, 1, 0), 0},
                                 {btVector3(1, 0, 0), 0},
                                 {btVector3(0, 0, 1), 0},
                                 {btVector3(-1, 0, 0), -side},
                                 {btVector3(0, 0, -1), -side}};
  for (btStaticPlaneShape &plane : planes) add_plane(world, &plane);
  btSphereShape sphere{btScalar(SPHERE_RADIUS)};
  std::vector<btRigidBody *> ball;
  uint64_t seed = 1;
  for (int i = 0; i < count; i++) {
    double r[3];
    peer_place(task->n, i, &seed, r);
    const btScalar inertia = btScalar(SPHERE_INERTIA);
    btRigidBody::btRigidBodyConstructionInfo info(btScalar(SPHERE_MASS), nullptr, &sphere,
                                                  btVector3(inertia, inertia, inertia));
    /* Bullet multiplies the coefficients of two bodies */
    info.m_friction = btScalar(sqrt(SPHERE_FRICTION));
    info.m_startWorldTransform.setOrigin(btVector3(btScalar(r[0]), btScalar(r[1]), btScalar(r[2])));
    ball.push_back(new btRigidBody(info));
    ball.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(ball.back());
  }
  for (int k = 0; k < SETTLE_STEPS; k++) world.stepSimulation(btScalar(task->setting), 0);
  double start = peer_cpu();
  for (int k = 0; k < TIMED_STEPS; k++) world.stepSimulation(btScalar(task->setting), 0);
  answer->cpu = peer_cpu() - start;
  answer->steps = TIMED_STEPS;
  for (int i = 0; i < count; i++)
    for (int a = 0; a < 3; a++) {
      answer->place[i][a] = ball[(size_t)i]->getCenterOfMassPosition()[a];
      answer->run[i][a] = ball[(size_t)i]->getLinearVelocity()[a];
    }
  for (int i = world.getNumCollisionObjects() - 1; i >= 0; i--) {
    btCollisionObject *object = world.getCollisionObjectArray()[i];
    world.removeCollisionObject(object);
    delete object;
  }
  return 0;
}
