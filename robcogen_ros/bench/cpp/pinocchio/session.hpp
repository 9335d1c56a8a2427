// One function of Pinocchio's on one robot.
#pragma once

#include <pinocchio/fwd.hpp>

#include <pinocchio/multibody.hpp>

#include <string>

#include "../subject.hpp"

namespace bench
{

/// A robot with room for results. A state is q, v and a (or tau), one after the other.
struct Session
{
  using Values = Eigen::Map<const Eigen::VectorXd>;

  pinocchio::Model model;
  pinocchio::Data data;
  Eigen::VectorXd result;
  std::string path;  // of the robot

  Values q(const double * state) const { return Values(state, model.nq); }
  Values v(const double * state) const { return Values(state + model.nq, model.nv); }
  Values last(const double * state) const { return Values(state + model.nq + model.nv, model.nv); }

  /// The k-th of several square matrices that are the result.
  Eigen::Map<Eigen::MatrixXd> square(Eigen::Index k)
  {
    return {result.data() + k * model.nv * model.nv, model.nv, model.nv};
  }

  static Session & of(void * self) { return *static_cast<Session *>(self); }

  /// A function that leaves its result in some numbers.
  Subject subject(void (*call)(void *, const double *), const double * values, long size)
  {
    const auto width = static_cast<std::size_t>(model.nq + 2 * model.nv);
    return {call, this, width, values, static_cast<std::size_t>(size)};
  }
};

/// The function that is measured: each is in a file of its own, `pinocchio_*.cpp`.
Subject function(Session & session);

}  // namespace bench
