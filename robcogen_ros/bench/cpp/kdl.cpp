// KDL's algorithms: of a chain, and inverse dynamics of a tree.
#include <cstring>
#include <functional>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <memory>

#include "robot_file.hpp"
#include "subject.hpp"

namespace
{

/// A function on q, qd and a third vector, which leaves its result in an array of its own.
struct Session
{
  KDL::Tree tree{"base"};
  KDL::Chain chain;
  KDL::JntArray q, qd, last, result;
  KDL::JntSpaceInertiaMatrix inertia;
  std::function<void()> compute;

  static void call(void * self, const double * state)
  {
    auto & s = *static_cast<Session *>(self);
    const auto n = s.q.data.size();
    s.q.data = Eigen::Map<const Eigen::VectorXd>(state, n);
    s.qd.data = Eigen::Map<const Eigen::VectorXd>(state + n, n);
    s.last.data = Eigen::Map<const Eigen::VectorXd>(state + 2 * n, n);
    s.compute();
  }
};

/// Adds the bodies; whether they are a chain on a base that does not move.
bool add(const bench::Robot & robot, KDL::Tree & tree)
{
  bool chain = true;
  std::vector<std::string> names{"base"};
  for (const bench::Body & body : robot.bodies)
  {
    if (body.kind == 'B')
    {
      continue;
    }
    const auto & r = body.rotation;
    const KDL::Frame pose(
      KDL::Rotation(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]),
      KDL::Vector(body.position[0], body.position[1], body.position[2]));
    // A segment's tip is where its joint is; the joint's axis is given in the parent's frame.
    KDL::Vector own;
    own(body.axis) = 1.0;
    const KDL::Vector axis = pose.M * own;
    const std::string name = "body" + std::to_string(names.size());
    const KDL::Joint joint(
      name, pose.p, axis, body.kind == 'P' ? KDL::Joint::TransAxis : KDL::Joint::RotAxis);
    const auto & t = body.tensor;
    const KDL::RigidBodyInertia inertia(
      body.mass, KDL::Vector(body.center[0], body.center[1], body.center[2]),
      KDL::RotationalInertia(t[0], t[2], t[5], t[1], t[3], t[4]));
    chain = chain && body.parent + 1 == static_cast<int>(names.size());
    tree.addSegment(
      KDL::Segment(name, joint, pose, inertia), names[static_cast<std::size_t>(body.parent)]);
    names.push_back(name);
  }
  return chain;
}

}  // namespace

ROBCOGEN_BENCH_SIDE bool robcogen_bench_open(
  const char * robot, const char * function, bench::Subject * subject)
{
  auto * session = new Session;
  Session & s = *session;
  const bench::Robot read = bench::read_robot(robot);
  const KDL::Vector gravity(read.gravity[0], read.gravity[1], read.gravity[2]);
  const bool chain = add(read, s.tree);
  const unsigned n = s.tree.getNrOfJoints();
  s.q = s.qd = s.last = s.result = KDL::JntArray(n);
  s.inertia = KDL::JntSpaceInertiaMatrix(n);
  *subject = {Session::call, session, 3 * n, s.result.data.data(), n};
  const std::string name = function;
  if (name == "inverse_dynamics" && !chain)
  {
    auto solver = std::make_shared<KDL::TreeIdSolver_RNE>(s.tree, gravity);
    s.compute = [&s, solver] { solver->CartToJnt(s.q, s.qd, s.last, {}, s.result); };
    return true;
  }
  if (!chain || !s.tree.getChain("base", "body" + std::to_string(n), s.chain))
  {
    return false;
  }
  const KDL::Wrenches none(s.chain.getNrOfSegments(), KDL::Wrench::Zero());
  if (name == "inverse_dynamics")
  {
    auto solver = std::make_shared<KDL::ChainIdSolver_RNE>(s.chain, gravity);
    s.compute = [&s, solver, none] { solver->CartToJnt(s.q, s.qd, s.last, none, s.result); };
    return true;
  }
  if (name == "inertia_matrix")
  {
    auto solver = std::make_shared<KDL::ChainDynParam>(s.chain, gravity);
    s.compute = [&s, solver] { solver->JntToMass(s.q, s.inertia); };
    subject->result = s.inertia.data.data();
    subject->size = std::size_t{n} * n;
    return true;
  }
  if (name == "forward_dynamics")
  {
    auto solver = std::make_shared<KDL::ChainFdSolver_RNE>(s.chain, gravity);
    s.compute = [&s, solver, none] { solver->CartToJnt(s.q, s.qd, s.last, none, s.result); };
    return true;
  }
  return false;
}
