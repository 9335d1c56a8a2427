// The contacts of a robot as Pinocchio's constraints.
#pragma once

#include "../session.hpp"

#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/proximal.hpp>

#include "../../robot_file.hpp"

namespace bench
{

/// Contacts and loops, with room for what is computed of them. Rows of contacts are exact: no
/// regularisation. Loops may have more rows than count, so that solving them takes iterations.
struct Contacts
{
  using Models = std::vector<pinocchio::RigidConstraintModel>;
  using Datas = std::vector<pinocchio::RigidConstraintData>;

  Models models;
  Datas datas;
  pinocchio::ProximalSettings settings{1e-14, 0.0, 1};
  Eigen::Index rows = 0;

  explicit Contacts(const Session & session)
  {
    using Matrix = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
    const Robot robot = read_robot(session.path.c_str());
    const int first = robot.bodies.front().kind == 'F' ? 1 : 0;
    for (const Contact & contact : robot.contacts)
    {
      const Eigen::Matrix3d rotation = Eigen::Map<const Matrix>(contact.rotation.data());
      const Eigen::Vector3d position(contact.position.data());
      const auto kind = contact.rows == 6 ? pinocchio::CONTACT_6D : pinocchio::CONTACT_3D;
      models.emplace_back(
        kind, session.model, static_cast<pinocchio::JointIndex>(contact.body + first),
        pinocchio::SE3(rotation, position), pinocchio::LOCAL);
      datas.push_back(models.back().createData());
      rows += contact.rows;
    }
    for (const Loop & loop : robot.loops)
    {
      std::vector<pinocchio::SE3> places;
      for (std::size_t end : {0, 1})
      {
        const Eigen::Matrix3d rotation = Eigen::Map<const Matrix>(loop.rotations[end].data());
        places.emplace_back(rotation, Eigen::Vector3d(loop.positions[end].data()));
      }
      models.emplace_back(
        loop.rows == 6 ? pinocchio::CONTACT_6D : pinocchio::CONTACT_3D, session.model,
        static_cast<pinocchio::JointIndex>(loop.bodies[0] + first), places[0],
        static_cast<pinocchio::JointIndex>(loop.bodies[1] + first), places[1], pinocchio::LOCAL);
      datas.push_back(models.back().createData());
      rows += loop.rows;
      settings = pinocchio::ProximalSettings(1e-12, 1e-8, 2);
    }
  }
};

/// A robot with its contacts, of which a session is the first part.
struct InContact
{
  Session & session;
  Contacts contacts;

  static InContact & of(void * self) { return *static_cast<InContact *>(self); }

  /// Ready for constraintDynamics and what needs it.
  static InContact & opened(Session & session)
  {
    auto & found = *new InContact{session, Contacts(session)};
    pinocchio::initConstraintDynamics(
      session.model, session.data, found.contacts.models, found.contacts.datas);
    return found;
  }

  Subject subject(void (*call)(void *, const double *), const double * values, long size)
  {
    Subject found = session.subject(call, values, size);
    found.self = this;
    return found;
  }
};

}  // namespace bench
