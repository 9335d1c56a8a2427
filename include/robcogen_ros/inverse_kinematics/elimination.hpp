// Six joints of any axes: all solutions from the eigenvalues of a matrix.
#ifndef ROBCOGEN_ROS__INVERSE_KINEMATICS__ELIMINATION_HPP_
#define ROBCOGEN_ROS__INVERSE_KINEMATICS__ELIMINATION_HPP_

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "robcogen_ros/factors.hpp"
#include "robcogen_ros/inverse_kinematics/six.hpp"
#include "robcogen_ros/products.hpp"

namespace robcogen_ros::inverse_kinematics
{

/// Beginning of an elimination in the loop that six axes make with the pose that is wanted. Of most
/// arms some beginnings lead to matrices that are singular at every angle.
struct Beginning
{
  int first = 0;
  bool reversed = false;  ///< from the tip to the root
};

/// The elimination of Raghavan and Roth (Inverse kinematics of the general 6R manipulator, 1993),
/// as an eigenvalue problem (Manocha, Canny 1994).
///
/// A line of the last link, along the last axis, is where joints 3 to 5 take it, and where joints 1
/// and 2 need it. Fourteen functions of it are of degree one in cosine and sine of each angle; what
/// multiplies these is found from values at three angles each.
class GeneralSix
{
public:
  GeneralSix(const SixAxes & axes, const Pose & wanted, const Beginning & beginning) noexcept
  : beginning_(beginning), wanted_(beginning.reversed ? wanted.inverse() : wanted)
  {
    for (int i = 0; i < 6; ++i)
    {
      const auto k = static_cast<std::size_t>(place(i));
      const Axis axis = beginning.reversed ? axes[k].reversed() : axes[k];
      axes_[static_cast<std::size_t>(i)] =
        i + beginning.first < 6 ? axis : axis.moved(wanted_.inverse());
    }
    const Vector3d center = axes_[2].point;
    wanted_.translation += wanted_.rotation * center - center;
    for (Axis & axis : axes_)
    {
      axis.point = axis.foot(center) - center;
      length_ = std::max(length_, axis.point.norm());
    }
    length_ = std::max(length_, wanted_.point(axes_[5].point).norm());
    for (Axis & axis : axes_)
    {
      axis.point /= length_;
    }
    wanted_.translation /= length_;
  }

  /// Returns positions near all those at which the joints displace as is wanted.
  Sixes solve() const noexcept
  {
    Sixes result;
    const std::array<Block, 3> M = pencil();
    Eigen::RealSchur<Block> schur(24);
    schur.computeFromHessenberg(hessenberg(companion(M)), Block(), false);
    const Block & T = schur.matrixT();
    for (int i = 0, pair = 0; i < 24 && schur.info() == Eigen::Success; i += 1 + pair)
    {
      pair = i < 23 && T(i + 1, i) != 0.0 ? 1 : 0;  // of complex ones
      const double t = (T(i, i) + T(i + pair, i + pair)) / 2.0, half = T(i, i) - t;
      const double square = pair > 0 ? -half * half - T(i, i + 1) * T(i + 1, i) : 0.0;
      if (square < 1e-4 * (1.0 + t * t) * (1.0 + t * t))
      {
        add(t, idle(M, t), result);
      }
    }
    return result;
  }

private:
  /// Matrices of sizes known at run time, whose code is short, within room for the largest.
  using Block = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 24, 24>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 24, 1>;
  /// Shifts of joints 3 to 5, lest half of an angle that is common be a right one.
  static constexpr std::array<double, 3> shift = {0.37, 1.13, -0.71};

  /// A line: a point and a direction.
  struct Line
  {
    Vector3d point, direction;
  };

  /// Number of the arm's joint at a place in the loop.
  int place(int i) const noexcept
  {
    const int k = (i + beginning_.first) % 6;
    return beginning_.reversed ? 5 - k : k;
  }

  /// Functions of the line that are the same for joints 3 to 5 and for 1 and 2.
  static Column functions(const Line & line) noexcept
  {
    const Vector3d &p = line.point, &l = line.direction;
    Column result(14);
    result.segment<3>(0) = p;
    result.segment<3>(3) = l;
    result(6) = p.squaredNorm();
    result(7) = p.dot(l);
    result.segment<3>(8) = p.cross(l);
    result.segment<3>(11) = result(6) * l - 2.0 * result(7) * p;
    return result;
  }

  Line moved(std::size_t joint, double q, const Line & line) const noexcept
  {
    const Matrix3d turn = rotation_about(axes_[joint].direction, q);
    const Vector3d & on = axes_[joint].point;
    return {on + turn * (line.point - on), turn * line.direction};
  }

  Line behind(double third, double fourth, double fifth) const noexcept
  {
    const Line own{axes_[5].point, axes_[5].direction};
    return moved(2, third, moved(3, fourth, moved(4, fifth, own)));
  }

  Line before(double first, double second) const noexcept
  {
    const Line there{wanted_.point(axes_[5].point), wanted_.rotation * axes_[5].direction};
    return moved(1, -second, moved(0, -first, there));
  }

  static double node(int i) noexcept { return 2.0 * M_PI / 3.0 * i; }
  /// Shares of the value at a node in the factors of cosine, sine and one.
  static Vector3d share(int i) noexcept
  {
    return {2.0 / 3.0 * std::cos(node(i)), 2.0 / 3.0 * std::sin(node(i)), 1.0 / 3.0};
  }

  /// The matrices M of (M[2] - M[0]) t^2 + 2 M[1] t + M[2] + M[0], which is singular where t is the
  /// tangent of half of the third angle, shifted.
  std::array<Block, 3> pencil() const noexcept
  {
    std::array<Block, 3> left;
    left.fill(Block::Zero(14, 9));
    Block right = left[0];
    for (int n = 0; n < 9; ++n)
    {
      const int i = n % 3, j = n / 3;
      const Matrix3d both = share(i) * share(j).transpose();
      const Column there = functions(before(node(i), node(j)));
      for (int k = 0; k < 3; ++k)
      {
        const Column here =
          functions(behind(node(k) + shift[0], node(i) + shift[1], node(j) + shift[2]));
        for (int c = 0; c < 9; ++c)
        {
          const double part = both(c % 3, c / 3);
          right.col(c) += there * (k == 0 ? part : 0.0);
          for (std::size_t m = 0; m < 3; ++m)
          {
            left[m].col(c) += here * (part * share(k)(static_cast<int>(m)));
          }
        }
      }
    }
    left[2].col(8) -= right.col(8);
    for (int k = 0; k < 8; ++k)  // turned by Householder's reflections, the last six rows are free
    {
      const Column normal = normal_of(right.col(k).tail(14 - k));
      for (Block * const each : {&right, &left[0], &left[1], &left[2]})
      {
        reflect(normal, *each, k, 0);
      }
    }
    const Block powers = in_tangents();
    std::array<Block, 3> M;
    for (std::size_t m = 0; m < 3; ++m)
    {
      const Block rows = product<Block>(Block(left[m].bottomRows(6)), powers);
      M[m].setZero(12, 12);
      M[m].topLeftCorner(6, 9) = rows;
      M[m].bottomRightCorner(6, 9) = rows;
    }
    return M;
  }

  /// The matrix whose eigenvalues are those t.
  static Block companion(const std::array<Block, 3> & M) noexcept
  {
    Elimination<Block, 24> leading;
    leading.compute(M[2] - M[0]);
    Block result = Block::Zero(24, 24);
    result.topRightCorner(12, 12).setIdentity();
    result.bottomLeftCorner(12, 12) = -M[2] - M[0];
    result.bottomRightCorner(12, 12) = -2.0 * M[1];
    for (int i = 0; i < 24; ++i)
    {
      leading.solve(&result(12, i));
    }
    return result;
  }

  /// The normal of the reflection that leaves a column its first number alone.
  static Column normal_of(Column column) noexcept
  {
    const double length = column.norm();
    column(0) += std::copysign(length, column(0));
    return length > 0.0 ? Column(column.normalized()) : column;
  }

  /// Reflects the rows from one on, of the columns from another one on.
  static void reflect(const Column & normal, Block & matrix, int row, int column) noexcept
  {
    const int n = static_cast<int>(normal.size());
    for (int c = column; c < matrix.cols(); ++c)
    {
      double * const below = &matrix(row, c);
      add_multiple(n, -2.0 * dot(n, normal.data(), below), normal.data(), below);
    }
  }

  /// A matrix of the same eigenvalues with zeros below the numbers beside its diagonal.
  static Block hessenberg(Block matrix) noexcept
  {
    for (int k = 0; k < 22; ++k)
    {
      const Column normal = normal_of(matrix.col(k).tail(23 - k));
      reflect(normal, matrix, k + 1, k);
      Block across = matrix.rightCols(23 - k).transpose();
      reflect(normal, across, 0, 0);
      matrix.rightCols(23 - k) = across.transpose();
      matrix.col(k).tail(22 - k).setZero();
    }
    return matrix;
  }

  /// Powers of the tangents of joints 4 and 5, by inverse iteration.
  static Column idle(const std::array<Block, 3> & M, double t) noexcept
  {
    Elimination<Block, 24> factors;
    const double beside = t + 1e-11 * (1.0 + std::abs(t));  // lest a pivot be zero
    factors.compute((M[2] - M[0]) * (beside * beside) + M[1] * (2.0 * beside) + M[2] + M[0]);
    Column result = Column::LinSpaced(12, 1.0, 2.0);
    for (int i = 0; i < 3; ++i)
    {
      factors.solve(result.data());
      result.normalize();
    }
    return result;
  }

  /// Products of (cosine, sine, 1) of two angles, from powers of tangents of their halves, times
  /// (1 + t^2): the fourth angle's power counts by three, the fifth's by one.
  static Block in_tangents() noexcept
  {
    Matrix3d one;  // rows: 1 - t^2, 2 t, 1 + t^2
    one << 1.0, 0.0, -1.0, 0.0, 2.0, 0.0, 1.0, 0.0, 1.0;
    Block result(9, 9);
    for (int row = 0; row < 9; ++row)
    {
      for (int power = 0; power < 9; ++power)
      {
        result(row, power) = one(row % 3, power / 3) * one(row / 3, power % 3);
      }
    }
    return result;
  }

  /// Adds the positions of an eigenvalue and powers of the tangents of joints 4 and 5.
  void add(double t, const Column & p, Sixes & found) const noexcept
  {
    double fourths = 0.0, fifths = 0.0, ones = 0.0, others = 0.0;
    for (int i = 0; i < 12; ++i)
    {
      fourths += i < 9 ? p(i + 3) * p(i) : 0.0;
      ones += i < 9 ? p(i) * p(i) : 0.0;
      fifths += i % 3 < 2 ? p(i + 1) * p(i) : 0.0;
      others += i % 3 < 2 ? p(i) * p(i) : 0.0;
    }
    const double third = 2.0 * std::atan(t) + shift[0];
    const double fourth = 2.0 * std::atan2(fourths, ones) + shift[1];
    const double fifth = 2.0 * std::atan2(fifths, others) + shift[2];
    const Line line = behind(third, fourth, fifth);
    const Vector3d &a = axes_[0].direction, &b = axes_[1].direction, &l = line.direction;
    const Vector3d end = wanted_.rotation * axes_[5].direction;
    const Vector3d goal = wanted_.point(axes_[5].point);
    double least = 0.3;
    std::array<double, 5> best{};
    for (const double second : angles_of_sum(
           a.dot(l - b * b.dot(l)), a.dot(b.cross(l)), a.dot(end) - a.dot(b) * b.dot(l), 0.1))
    {
      const Line now = moved(1, second, line);
      const double first = angle_between(a, now.direction, end).value_or(0.0);
      const double off = (moved(0, first, now).point - goal).norm();
      if (off < least)
      {
        least = off;
        best = {first, second, third, fourth, fifth};
      }
    }
    if (least < 0.3)
    {
      add_last(best, found);
    }
  }

  /// Adds positions whose last one follows from the others.
  void add_last(const std::array<double, 5> & others, Sixes & found) const noexcept
  {
    Matrix3d turn = wanted_.rotation;
    Six q{};
    for (std::size_t i = 0; i < 5; ++i)
    {
      turn = rotation_about(axes_[i].direction, -others[i]) * turn;
      q[static_cast<std::size_t>(place(static_cast<int>(i)))] = within_half_turn(others[i]);
    }
    const Vector3d & last = axes_[5].direction;
    const Vector3d side = last.unitOrthogonal();
    q[static_cast<std::size_t>(place(5))] = angle_between(last, side, turn * side).value_or(0.0);
    found.add(q);
  }

  Beginning beginning_;
  SixAxes axes_;
  Pose wanted_;
  double length_ = 1e-3;
};

}  // namespace robcogen_ros::inverse_kinematics

#endif  // ROBCOGEN_ROS__INVERSE_KINEMATICS__ELIMINATION_HPP_
