// The filter of a base and its footholds: what is known of them, and how well.
#ifndef ROBCOGEN_ROS__ESTIMATOR__INVARIANT_FILTER_HPP_
#define ROBCOGEN_ROS__ESTIMATOR__INVARIANT_FILTER_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>

#include "robcogen_ros/estimator/turns.hpp"
#include "robcogen_ros/transform.hpp"

namespace robcogen_ros::estimator
{

/// Densities of the noise of what a filter is told; the first two are of the IMU's numbers.
struct Noise
{
  double gyroscope, accelerometer;            ///< [rad/s/sqrt(Hz)], [m/s^2/sqrt(Hz)]
  double gyroscope_bias, accelerometer_bias;  ///< of their rates [rad/s^2/..., m/s^3/...]
  double foothold;                            ///< of the velocity of a foothold [m/s/sqrt(Hz)]
};

/// The contact-aided invariant extended Kalman filter of Hartley, Ghaffari, Eustice and Grizzle
/// (IJRR 2020), right-invariant: orientation, velocity, position and footholds are one element X of
/// a matrix Lie group, and the error is that of the world, `X_estimated X^-1 = exp(xi)`. Of this
/// error neither how it moves nor what feet tell of it depends on the estimate, so the filter is as
/// sure of what cannot be seen, the place and the heading, as it may be, and no surer.
///
/// The place is that of the IMU; its axes are those of the base. Errors stand in the order of
/// orientation, velocity, position, bias of the gyroscope, of the accelerometer, footholds.
///
/// \tparam most_feet how many footholds there is room for
template <int most_feet>
class InvariantFilter
{
public:
  static constexpr int first_foothold = 15, most = first_foothold + 3 * most_feet;
  using Covariance = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;
  using Matrix = Eigen::Matrix3d;
  using Vector = Eigen::Vector3d;

  enum Part : int
  {
    turn = 0,
    speed = 3,
    place = 6,
    gyroscope = 9,
    accelerometer = 12,
  };

  Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< world from base
  Vector velocity = Vector::Zero(), position = Vector::Zero();      ///< in the world [m/s, m]
  Vector gyroscope_bias = Vector::Zero(), accelerometer_bias = Vector::Zero();
  std::array<Vector, most_feet> footholds{};  ///< in the world [m]
  /// To a foothold from the point of its foot that touches, which is at rest while it rolls [m].
  std::array<Vector, most_feet> arms{};
  Covariance covariance;
  double distance = 0.0;  ///< of Mahalanobis, squared: of the foot that was taken in last

  explicit InvariantFilter(int feet) noexcept
  : covariance(Covariance::Zero(first_foothold + 3 * feet, first_foothold + 3 * feet)), feet_(feet)
  {
    footholds.fill(Vector::Zero());
    arms.fill(Vector::Zero());
  }

  /// Moves on by what an IMU measures.
  ///
  /// \param rate of the base [rad/s], \param force that acts on the IMU by its mass [m/s^2], both
  ///   without their biases in the base's axes, and constant in the time
  void carry_on(
    const Vector & rate, const Vector & force, const Vector & gravity, const Noise & noise,
    double time) noexcept
  {
    spread(gravity, noise, time);
    const Vector acceleration = orientation * turned(0.5 * time * rate) * force + gravity;
    position += time * (velocity + 0.5 * time * acceleration);
    velocity += time * acceleration;
    orientation = (orientation * turned(time * rate)).normalized();
  }

  /// Where a foot stands begins to be known from where it is.
  ///
  /// \param foot in the base's axes, from the IMU [m]
  void put(int number, const Vector & foot, const Matrix & noise) noexcept
  {
    const int at = first_foothold + 3 * number;
    footholds[number] = position + orientation * foot;
    covariance.template middleRows<3>(at) = covariance.template middleRows<3>(place).eval();
    covariance.template middleCols<3>(at) = covariance.template middleCols<3>(place).eval();
    covariance.template block<3, 3>(at, at) += turned_noise(noise);
  }

  /// Returns how far a foot is from where it stands, in the world [m].
  ///
  /// \param foot in the base's axes, from the IMU [m]
  Vector off(int number, const Vector & foot) const noexcept
  {
    return orientation * foot - (footholds[number] - position);
  }

  /// Takes in where a foot is that stands, unless that is too unlikely.
  ///
  /// \param foot in the base's axes, from the IMU [m]
  /// \param noise its covariance, in the same axes
  /// \param greatest square of the Mahalanobis distance
  /// \return whether it was taken in
  bool take(int number, const Vector & foot, const Matrix & noise, double greatest) noexcept
  {
    const int at = first_foothold + 3 * number, size = static_cast<int>(covariance.rows());
    const Vector off = this->off(number, foot);
    Columns shared =
      covariance.template middleCols<3>(place) - covariance.template middleCols<3>(at);
    const Matrix spread = shared.template middleRows<3>(place) - shared.template middleRows<3>(at) +
                          turned_noise(noise);
    const Matrix inverse = spread.inverse();
    distance = off.dot(inverse * off);
    if (!(distance <= greatest))
    {
      return false;
    }
    const Columns gain = shared * inverse;
    for (int j = 0; j < size; ++j)
    {
      covariance.col(j).noalias() -= gain * shared.row(j).transpose();
    }
    correct(gain * off);
    return true;
  }

  /// Adds to the covariance of two parts' errors.
  void link(Part one, Part other, const Matrix & by) noexcept
  {
    covariance.template block<3, 3>(one, other) += by;
    covariance.template block<3, 3>(other, one) += by.transpose();
  }

  /// Lets the error of a part be that of another one, multiplied.
  void tie(Part part, Part to, const Matrix & by) noexcept
  {
    const int size = static_cast<int>(covariance.rows());
    for (int j = 0; j < size; ++j)
    {
      covariance.template block<3, 1>(part, j) = by * covariance.template block<3, 1>(to, j);
    }
    for (int i = 0; i < size; ++i)
    {
      covariance.template block<1, 3>(i, part) =
        covariance.template block<1, 3>(i, to) * by.transpose();
    }
  }

  /// Adds to the covariance of a part's error.
  void blur(Part part, const Matrix & by) noexcept
  {
    covariance.template block<3, 3>(part, part) += by;
  }

private:
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, 3, 0, most, 3>;
  using Errors = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, most, 1>;

  Matrix turned_noise(const Matrix & noise) const noexcept
  {
    const Matrix axes = orientation.toRotationMatrix();
    return axes * noise * axes.transpose();
  }

  /// The point that a part is of: of the speed the velocity, of a foothold what touches there. A
  /// turn that is not there moves the middle of a foot that rolls by it.
  Vector point(int part) const noexcept
  {
    const int foot = (part - first_foothold) / 3;
    return part == speed ? velocity : part == place ? position : footholds[foot] - arms[foot];
  }

  /// Calls with each part that a turn of the world moves: speed, place, footholds.
  template <typename Visit>
  void each_point(const Visit & visit) const noexcept
  {
    visit(speed);
    visit(place);
    for (int foot = 0; foot < feet_; ++foot)
    {
      visit(first_foothold + 3 * foot);
    }
  }

  /// Carries the covariance on.
  void spread(const Vector & gravity, const Noise & noise, double time) noexcept
  {
    const Matrix axes = time * orientation.toRotationMatrix();
    const Matrix falls = time * skew<double>(gravity);
    flow(axes, falls, time);
    covariance.transposeInPlace();
    flow(axes, falls, time);
    keep_symmetric();
    const auto density = [time](double value) { return time * value * value; };
    const double turns = density(noise.gyroscope);
    const auto add = [this](int row, int column, const Matrix & what)
    { covariance.template block<3, 3>(row, column) += what; };
    add(turn, turn, turns * Matrix::Identity());
    each_point(
      [&](int row)
      {
        const Matrix lever = turns * skew<double>(point(row));
        add(row, turn, lever);
        add(turn, row, lever.transpose());
        each_point([&](int column) { add(row, column, -lever * skew<double>(point(column))); });
      });
    const auto diagonal = [&](int part, double value)
    { covariance.diagonal().template segment<3>(part).array() += density(value); };
    diagonal(speed, noise.accelerometer);
    diagonal(gyroscope, noise.gyroscope_bias);
    diagonal(accelerometer, noise.accelerometer_bias);
    for (int foot = 0; foot < feet_; ++foot)
    {
      diagonal(first_foothold + 3 * foot, noise.foothold);
    }
  }

  /// Takes away what roundoff makes of the covariance, for it would grow.
  void keep_symmetric() noexcept
  {
    for (int j = 0; j < covariance.cols(); ++j)
    {
      for (int i = 0; i < j; ++i)
      {
        covariance(i, j) = 0.5 * (covariance(i, j) + covariance(j, i));
        covariance(j, i) = covariance(i, j);
      }
    }
  }

  /// Multiplies the covariance from the right by what carries errors on, transposed.
  void flow(const Matrix & axes, const Matrix & falls, double time) noexcept
  {
    const auto column = [this](int part) { return covariance.template middleCols<3>(part); };
    const Columns turns = column(gyroscope) * axes.transpose();  // of the bias, with its sign
    const Columns pushes = column(accelerometer) * axes.transpose();
    const Columns tips = column(turn) * falls.transpose() - pushes;
    column(place) += time * (column(speed) + 0.5 * tips);
    column(speed) += tips;
    each_point([&](int part) { column(part) -= turns * skew<double>(point(part)).transpose(); });
    column(turn) -= turns;
  }

  /// Moves the estimate by minus an error of it.
  void correct(const Errors & error) noexcept
  {
    const Vector by = -error.template segment<3>(turn);
    const Eigen::Quaterniond turns = turned(by);
    const Matrix mean = mean_turn(by);
    const auto moved = [&](const Vector & from, int part)
    { return Vector(turns * from - mean * error.template segment<3>(part)); };
    velocity = moved(velocity, speed);
    position = moved(position, place);
    for (int foot = 0; foot < feet_; ++foot)
    {
      footholds[foot] = moved(footholds[foot], first_foothold + 3 * foot);
    }
    orientation = (turns * orientation).normalized();
    gyroscope_bias -= error.template segment<3>(gyroscope);
    accelerometer_bias -= error.template segment<3>(accelerometer);
  }

  int feet_;
};

}  // namespace robcogen_ros::estimator

#endif  // ROBCOGEN_ROS__ESTIMATOR__INVARIANT_FILTER_HPP_
