/* dart.cpp - DART's driver of bench/peers.
 *
 * Method of chain and fourbar: euler (semi-implicit, joint coordinates; the loop is closed by a ball-joint constraint).
 * Methods of spheres: pgs (projected Gauss-Seidel, its defaults) and dantzig (the default, direct); friction pyramid, walls
 * are boxes, DART's own collision detector.
 */
#include <dart/dart.hpp>

#include "problem.h"

const char *const peer_engine = "DART";

using dart::dynamics::BodyNode;
using Eigen::Vector3d;

static BodyNode::Properties body(const std::string &name, double mass, double axial, double transverse) {
  BodyNode::AspectProperties properties(name);
  properties.mInertia = dart::dynamics::Inertia(mass, 0, 0, 0, axial, transverse, transverse, 0, 0, 0);
  return BodyNode::Properties(properties);
}

/* A joint at `before` from the center of its parent and at `after` from the center of its body. */
template <class Properties>
static Properties joint(int i, const Vector3d &before, const Vector3d &after) {
  Properties properties;
  properties.mName = "joint" + std::to_string(i);
  properties.mT_ParentBodyToJoint.translation() = before;
  properties.mT_ChildBodyToJoint.translation() = after;
  return properties;
}

static void prepare(dart::simulation::World &world, const peer_task *task) {
  world.setGravity(Vector3d(0, -PEER_GRAVITY, 0));
  world.setTimeStep(task->setting);
}

static void run(dart::simulation::World &world, const peer_task *task, peer_answer *answer) {
  answer->steps = peer_steps(task);
  double start = peer_cpu();
  for (long k = 0; k < answer->steps; k++) world.step(false); /* commands stay */
  answer->cpu = peer_cpu() - start;
}

static int peer_chain(const peer_task *task, peer_answer *answer) {
  if (!peer_is(task, "euler")) return 2;
  auto skeleton = dart::dynamics::Skeleton::create("chain");
  BodyNode *last = nullptr;
  const Vector3d half(ROD_LENGTH / 2, 0, 0), zero(0, 0, 0);
  for (int i = 0; i < task->n; i++) {
    auto ball = joint<dart::dynamics::BallJoint::Properties>(i, i ? half : zero, -half);
    last = skeleton
               ->createJointAndBodyNodePair<dart::dynamics::BallJoint>(
                   last, ball, body("rod" + std::to_string(i), ROD_MASS, ROD_AXIAL, ROD_TRANSVERSE))
               .second;
  }
  dart::simulation::World world;
  prepare(world, task);
  world.addSkeleton(skeleton);
  run(world, task, answer);
  const Vector3d tip = last->getWorldTransform() * half;
  for (int a = 0; a < 3; a++) answer->tip[a] = tip[a];
  return 0;
}

static int peer_fourbar(const peer_task *task, peer_answer *answer) {
  if (!peer_is(task, "euler")) return 2;
  peer_bar bar[BARS];
  peer_bars(bar);
  auto skeleton = dart::dynamics::Skeleton::create("linkage");
  BodyNode *node[BARS];
  for (int k = 0; k < BARS; k++) {
    auto hinge = joint<dart::dynamics::RevoluteJoint::Properties>(k, k ? Vector3d(bar[k - 1].half) : Vector3d(0, 0, 0),
                                                                  -Vector3d(bar[k].half));
    hinge.mAxis = Vector3d(0, 0, 1);
    node[k] = skeleton
                  ->createJointAndBodyNodePair<dart::dynamics::RevoluteJoint>(
                      k ? node[k - 1] : nullptr, hinge,
                      body("bar" + std::to_string(k), bar[k].mass, bar[k].inertia, bar[k].inertia))
                  .second;
  }
  dart::dynamics::Joint *crank = node[0]->getParentJoint();
  crank->setDampingCoefficient(0, MOTOR_DROP);
  dart::simulation::World world;
  prepare(world, task);
  world.addSkeleton(skeleton);
  world.getConstraintSolver()->addConstraint(
      std::make_shared<dart::constraint::BallJointConstraint>(node[BARS - 1], Vector3d(bar[BARS - 1].to)));
  crank->setCommand(0, MOTOR_MOMENT);
  run(world, task, answer);
  const Vector3d middle = node[1]->getWorldTransform().translation();
  const Vector3d end = node[BARS - 1]->getWorldTransform() * Vector3d(bar[BARS - 1].half);
  peer_linkage(bar, middle.data(), end.data(), answer);
  return 0;
}

/* ---- spheres ---- */

static void give_shape(BodyNode *node, const dart::dynamics::ShapePtr &shape) {
  auto *with = node->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(shape);
  with->getDynamicsAspect()->setFrictionCoeff(SPHERE_FRICTION);
  with->getDynamicsAspect()->setRestitutionCoeff(0);
}

/* A wall of the box: its inner side is at `at`, and it lies behind it against the normal. */
static dart::dynamics::SkeletonPtr wall(int i, const Vector3d &at, const Vector3d &normal, double size) {
  auto skeleton = dart::dynamics::Skeleton::create("wall" + std::to_string(i));
  auto *node = skeleton->createJointAndBodyNodePair<dart::dynamics::WeldJoint>().second;
  Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
  place.translation() = at - normal * (size / 2);
  node->getParentJoint()->setTransformFromParentBodyNode(place);
  give_shape(node, std::make_shared<dart::dynamics::BoxShape>(Vector3d::Constant(size)));
  return skeleton;
}

static dart::dynamics::SkeletonPtr sphere(int i, const double r[3], const dart::dynamics::ShapePtr &shape) {
  auto skeleton = dart::dynamics::Skeleton::create("sphere" + std::to_string(i));
  auto *node = skeleton
                   ->createJointAndBodyNodePair<dart::dynamics::FreeJoint>(
                       nullptr, dart::dynamics::FreeJoint::Properties(),
                       body("ball", SPHERE_MASS, SPHERE_INERTIA, SPHERE_INERTIA))
                   .second;
  Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
  place.translation() = Vector3d(r[0], r[1], r[2]);
  static_cast<dart::dynamics::FreeJoint *>(node->getParentJoint())->setTransform(place);
  give_shape(node, shape);
  return skeleton;
}

static void fill(dart::simulation::World &world, int n) {
  const double side = peer_side(n), size = 4 * side, middle = side / 2;
  world.addSkeleton(wall(0, Vector3d(middle, 0, middle), Vector3d(0, 1, 0), size));
  world.addSkeleton(wall(1, Vector3d(0, middle, middle), Vector3d(1, 0, 0), size));
  world.addSkeleton(wall(2, Vector3d(middle, middle, 0), Vector3d(0, 0, 1), size));
  world.addSkeleton(wall(3, Vector3d(side, middle, middle), Vector3d(-1, 0, 0), size));
  world.addSkeleton(wall(4, Vector3d(middle, middle, side), Vector3d(0, 0, -1), size));
  auto shape = std::make_shared<dart::dynamics::SphereShape>(SPHERE_RADIUS);
  uint64_t seed = 1;
  for (int i = 0; i < n * n * n; i++) {
    double r[3];
    peer_place(n, i, &seed, r);
    world.addSkeleton(sphere(i, r, shape));
  }
}

static int peer_spheres(const peer_task *task, peer_answer *answer) {
  const int walls = 5;
  if (!peer_is(task, "pgs") && !peer_is(task, "dantzig")) return 2;
  dart::simulation::World world;
  prepare(world, task);
  if (peer_is(task, "pgs"))
    world.setConstraintSolver(std::make_unique<dart::constraint::BoxedLcpConstraintSolver>(
        std::make_shared<dart::constraint::PgsBoxedLcpSolver>()));
  world.getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
  world.getConstraintSolver()->getCollisionOption().maxNumContacts = 100000;
  fill(world, task->n);
  for (int k = 0; k < SETTLE_STEPS; k++) world.step();
  double start = peer_cpu();
  for (int k = 0; k < TIMED_STEPS; k++) world.step();
  answer->cpu = peer_cpu() - start;
  answer->steps = TIMED_STEPS;
  for (int i = 0; i < task->n * task->n * task->n; i++) {
    const BodyNode *node = world.getSkeleton((size_t)(i + walls))->getBodyNode(0);
    const Vector3d place = node->getWorldTransform().translation(), speed = node->getLinearVelocity();
    for (int a = 0; a < 3; a++) answer->place[i][a] = place[a], answer->run[i][a] = speed[a];
  }
  return 0;
}
