/* bullet.cpp - Bullet's driver of bench/peers.
 *
 * Methods of chain: multibody (joint coordinates, articulated-body algorithm, semi-implicit Euler). Methods of spheres:
 * impulseN, sequential impulses with N iterations (10 is the default). Bodies never sleep. Debian compiles Bullet for
 * single precision.
 */
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

#include "problem.h"

const char *const peer_engine = "Bullet";

static int peer_chain(const peer_task *task, peer_answer *answer) {
  if (!peer_is(task, "multibody")) return 2;
  btDefaultCollisionConfiguration settings;
  btCollisionDispatcher dispatcher(&settings);
  btDbvtBroadphase broad;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world(&dispatcher, &broad, &solver, &settings);
  world.setGravity(btVector3(0, btScalar(-PEER_GRAVITY), 0));
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
  answer->steps = peer_chain_steps(task);
  double start = peer_cpu();
  for (long k = 0; k < answer->steps; k++) world.stepSimulation(btScalar(task->setting), 0);
  answer->cpu = peer_cpu() - start;
  const btVector3 tip = chain.localPosToWorld(task->n - 1, half);
  for (int a = 0; a < 3; a++) answer->tip[a] = tip[a];
  world.removeMultiBody(&chain);
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
  btDefaultCollisionConfiguration settings;
  btCollisionDispatcher dispatcher(&settings);
  btDbvtBroadphase broad;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &settings);
  world.setGravity(btVector3(0, btScalar(-PEER_GRAVITY), 0));
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
