/* dart.cpp - DART's driver of bench/peers.
 *
 * Method of chain: euler (semi-implicit, joint coordinates, ball joints). There is no driver of the spheres.
 */
#include <dart/dart.hpp>

#include "problem.h"

const char *const peer_engine = "DART";

using Eigen::Vector3d;

static dart::dynamics::Inertia inertia(double mass, double axial, double transverse) {
  return dart::dynamics::Inertia(mass, 0, 0, 0, axial, transverse, transverse, 0, 0, 0);
}

static int peer_chain(const peer_task *task, peer_answer *answer) {
  if (!peer_is(task, "euler")) return 2;
  auto skeleton = dart::dynamics::Skeleton::create("chain");
  dart::dynamics::BodyNode *last = nullptr;
  const Vector3d half(ROD_LENGTH / 2, 0, 0);
  for (int i = 0; i < task->n; i++) {
    dart::dynamics::BallJoint::Properties joint;
    joint.mName = "joint" + std::to_string(i);
    joint.mT_ParentBodyToJoint.translation() = i ? half : Vector3d::Zero();
    joint.mT_ChildBodyToJoint.translation() = -half;
    dart::dynamics::BodyNode::AspectProperties rod("rod" + std::to_string(i));
    rod.mInertia = inertia(ROD_MASS, ROD_AXIAL, ROD_TRANSVERSE);
    last = skeleton
               ->createJointAndBodyNodePair<dart::dynamics::BallJoint>(last, joint,
                                                                       dart::dynamics::BodyNode::Properties(rod))
               .second;
  }
  dart::simulation::World world;
  world.setGravity(Vector3d(0, -PEER_GRAVITY, 0));
  world.setTimeStep(task->setting);
  world.addSkeleton(skeleton);
  answer->steps = peer_chain_steps(task);
  double start = peer_cpu();
  for (long k = 0; k < answer->steps; k++) world.step();
  answer->cpu = peer_cpu() - start;
  const Vector3d tip = last->getWorldTransform() * half;
  for (int a = 0; a < 3; a++) answer->tip[a] = tip[a];
  return 0;
}

static int peer_spheres(const peer_task *task, peer_answer *answer) {
  (void)task;
  (void)answer;
  return 2;
}
