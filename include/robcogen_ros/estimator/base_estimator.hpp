// Where the base of a robot on legs is and how it moves, from its IMU, its joints and its feet.
#ifndef ROBCOGEN_ROS__ESTIMATOR__BASE_ESTIMATOR_HPP_
#define ROBCOGEN_ROS__ESTIMATOR__BASE_ESTIMATOR_HPP_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "robcogen_ros/estimator/feet.hpp"
#include "robcogen_ros/estimator/invariant_filter.hpp"
#include "robcogen_ros/estimator/reading.hpp"
#include "robcogen_ros/estimator/settings.hpp"
#include "robcogen_ros/estimator/turns.hpp"
#include "robcogen_ros/estimator/usual_period.hpp"
#include "robcogen_ros/sizes.hpp"
#include "robcogen_ros/turn.hpp"

namespace robcogen_ros::estimator
{

/// Estimates the base of a robot on legs by an `InvariantFilter`: IMU, joint positions and feet
/// that stand.
///
/// It begins once the robot stands at rest: the world's origin is then below the base, on the level
/// of the feet, and the base heads along the world's x. Place and heading drift as the robot moves,
/// and their covariances say how far.
///
/// A foot that touches is relied on after `touch_down_time`. One that is not where it can be has
/// slipped: it counts as standing anew. Without the IMU the base keeps its velocity, less and less
/// surely. No call allocates, locks or throws.
///
/// \tparam Robot the Traits of a generated robot with contacts on a floating base; needs
///   `kinematics` and `contact_jacobian`
template <typename Robot>
class BaseEstimator
{
public:
  static constexpr int most_feet = SizesOf<Robot>::most_contacts;
  using Filter = InvariantFilter<most_feet>;
  using JointVector = typename Robot::JointVector;
  using Closed = std::array<bool, most_feet>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector = Eigen::Vector3d;

  /// \param settings without a problem()
  explicit BaseEstimator(const Settings<Robot> & settings)
  : settings_(settings),
    noise_{
      settings.gyroscope_noise, settings.accelerometer_noise, settings.gyroscope_bias_walk,
      settings.accelerometer_bias_walk, settings.foot_creep},
    filter_(settings.robot.contact_count)
  {
    forget();
    if (settings.imu_frame >= 0)
    {
      const auto pose = kinematics_of(JointVector::Zero(settings.robot.joint_count))
                          .pose(static_cast<typename Robot::Frame>(settings.imu_frame));
      turn_ = pose.rotation();
      lever_ = pose.translation();
    }
    for (int i = 0; i < settings.robot.contact_count; ++i)
    {
      filter_.arms[i] = Feet<Robot>::rolls(settings, i) ? Vector(settings.foot_radius * up())
                                                        : Vector(Vector::Zero());
    }
  }

  /// Forgets everything.
  void forget() noexcept
  {
    known_ = begun_ = false;
    faults_ = 0;
    touched_.fill(0.0);
    airborne_ = rested_ = adrift_ = unlikely_ = 0.0;
    period_.forget();
  }

  /// Takes in what is measured.
  ///
  /// \param q positions of the joints, NaN where there are none [rad or m]
  /// \param closed which feet touch the ground
  /// \param step time since the last call [s]
  void update(
    const ImuReading & imu, const JointVector & q, const Closed & closed, double step) noexcept
  {
    faults_ = 0;
    if (!(step > 0.0) || !(step <= (begun_ ? longest_step : longest_flight)))
    {
      add(Fault::time_not_forwards);
      return;
    }
    const Vector rate = turn_ * imu.angular_velocity, force = turn_ * imu.linear_acceleration;
    const bool measured = imu.whole();
    const bool jointed = q.allFinite() && (begun_ || !is_far_beyond_limits(settings_.robot, q));
    add(Fault::imu_missing, !measured);
    add(Fault::joints_missing, !jointed);
    if (jointed)
    {
      feet_.find(settings_, kinematics_of(q), q, lever_, filter_.orientation.conjugate() * up());
    }
    count_touches(closed, step);
    if (!begun_ && measured && jointed && begin(rate, force, step))
    {
      return;
    }
    if (!known_)
    {
      return;
    }
    carry_on(measured, rate, force, step);
    if (jointed)
    {
      take_feet();
    }
  }

  /// Whether there is an estimate.
  bool known() const noexcept { return known_; }
  const Eigen::Quaterniond & orientation() const noexcept { return filter_.orientation; }
  /// Of the base's origin in the world [m].
  Vector position() const noexcept { return filter_.position - filter_.orientation * lever_; }
  /// Of the base in its axes [rad/s].
  const Vector & angular_velocity() const noexcept { return rate_; }
  /// Of the base's origin in its axes [m/s].
  Vector linear_velocity() const noexcept
  {
    return filter_.orientation.conjugate() * filter_.velocity - rate_.cross(lever_);
  }
  /// Of the errors of position and orientation, in axes of the world: [x; rotation] [m, rad].
  Matrix6 pose_covariance() const noexcept
  {
    Errors map = Errors::Zero();
    map.template block<3, 3>(0, Filter::place).setIdentity();
    map.template block<3, 3>(0, Filter::turn) = -skew<double>(position());
    map.template block<3, 3>(3, Filter::turn).setIdentity();
    return spread(map);
  }
  /// Of the errors of linear and angular velocity, in axes of the base [m/s, rad/s].
  Matrix6 twist_covariance() const noexcept
  {
    Errors map = Errors::Zero();
    const Eigen::Matrix3d arm = skew<double>(lever_);
    map.template block<3, 3>(0, Filter::speed) = filter_.orientation.toRotationMatrix().transpose();
    map.template block<3, 3>(0, Filter::gyroscope) = -arm;
    map.template block<3, 3>(3, Filter::gyroscope).setIdentity();
    const double white = noise_.gyroscope * noise_.gyroscope / step_;
    Matrix6 result = spread(map);
    result.template topLeftCorner<3, 3>() += white * arm * arm.transpose();
    result.template topRightCorner<3, 3>() -= white * arm;
    result.template bottomLeftCorner<3, 3>() -= white * arm.transpose();
    result.template bottomRightCorner<3, 3>().diagonal().array() += white;
    return result;
  }
  /// The filter, whose errors are those of the IMU's place.
  const Filter & filter() const noexcept { return filter_; }
  /// What an IMU measures, in axes of the base.
  Vector of_base(const Vector & measured) const noexcept { return turn_ * measured; }
  /// Angle between what the accelerometer has upwards at the start and the normal of the feet, NaN
  /// while there is none [rad].
  double imu_angle() const noexcept { return imu_angle_; }
  std::uint32_t faults() const noexcept { return faults_; }  ///< of `Fault`, combined by or
  /// Why there is no estimate, for people; not for real time.
  ///
  /// \param had whether there was one
  std::string problem(bool had) const { return problem_of(faults_, imu_angle_, had); }
  int slips() const noexcept { return slips_; }  ///< how often a foot was not where it stood

private:
  using Errors = Eigen::Matrix<double, 6, Filter::first_foothold>;

  static constexpr double likely = 30.7;  ///< all but a millionth of three numbers are within
  /// Of a robot at rest: greatest rate [rad/s], and share of g that the acceleration is off.
  static constexpr double slow = 0.2, unsteady = 0.1;
  static constexpr double rest = 0.1;      ///< time of which what is upwards is a mean [s]
  static constexpr double going = 3.0;     ///< share of the greatest angle, once control moves it
  static constexpr double restless = 0.3;  ///< standard deviation of its acceleration [m/s^2]
  static constexpr double longest_flight = 0.5, longest_step = 1e3;  ///< leave no place known [s]
  /// Times [s] for which all feet may slip, and be by this mean of squares less likely than they
  /// are.
  static constexpr double longest_slip = 0.05, doubting = 0.01, most_unlikely = 3.0;
  /// Densities of what a base does that no IMU tells of [rad/s/sqrt(Hz)], [m/s^2/sqrt(Hz)].
  static constexpr double blind_turns = 0.2, blind_pushes = 1.0;

  void add(Fault fault, bool there = true) noexcept
  {
    faults_ |= there ? static_cast<std::uint32_t>(fault) : 0u;
  }

  auto kinematics_of(const JointVector & q) const noexcept
  {
    return with_constants<Robot>(
      settings_.constants, [&](const auto &... x) { return settings_.robot.kinematics(x...); }, q);
  }

  Matrix6 spread(const Errors & map) const noexcept
  {
    const auto known =
      filter_.covariance.template topLeftCorner<Filter::first_foothold, Filter::first_foothold>();
    return map * known * map.transpose();
  }

  /// Counts how long feet have touched.
  void count_touches(const Closed & closed, double step) noexcept
  {
    bool any = false;
    for (int i = 0; i < settings_.robot.contact_count; ++i)
    {
      touched_[i] = closed[i] ? touched_[i] + step : 0.0;
      any = any || closed[i];
    }
    airborne_ = any ? 0.0 : airborne_ + step;
    add(Fault::no_feet, airborne_ > longest_flight);
  }

  bool stands(int foot) const noexcept
  {
    return touched_[foot] > 0.0 && touched_[foot] >= settings_.touch_down_time;
  }

  Vector up() const noexcept { return -settings_.gravity.normalized(); }

  /// Begins where the robot is at rest and some feet touch; returns whether it did. Where the IMU
  /// is it is told by a mean of its readings, also once it has begun.
  bool begin(const Vector & rate, const Vector & force, double step) noexcept
  {
    const double gravity = settings_.gravity.norm();
    std::array<bool, most_feet> counts{};
    std::transform(
      touched_.begin(), touched_.end(), counts.begin(), [](double time) { return time > 0.0; });
    const bool aloft = std::find(counts.begin(), counts.end(), true) == counts.end();
    const auto [middle, ground] = feet_.middles(settings_, counts);
    const bool steady = rate.norm() < slow && std::abs(force.norm() - gravity) < unsteady * gravity;
    rested_ = steady ? std::min(rested_ + step, rest) : 0.0;
    if (steady)
    {
      felt_ += std::min(step / rested_, 1.0) * (force - felt_);
      imu_angle_ =
        aloft ? ImuReading::unknown : feet_.angle(settings_.robot, felt_, middle, counts);
    }
    const double greatest = (known_ ? going : 1.0) * settings_.greatest_imu_angle;
    const bool misplaced = steady && imu_angle_ > greatest;
    add(Fault::no_feet, aloft && !known_);
    add(Fault::not_at_rest, !steady && !known_);
    add(Fault::imu_misplaced, misplaced);
    known_ = known_ && !misplaced;
    begun_ = known_ && (!steady || rested_ >= rest);
    if (!steady || misplaced || aloft || known_)
    {
      return false;
    }
    level();
    rate_ = rate;
    const Vector arm = filter_.orientation * lever_;
    const double low = up().dot(filter_.orientation * ground + arm) - settings_.foot_radius;
    filter_.position = arm - low * up();
    filter_.velocity.setZero();
    filter_.tie(Filter::place, Filter::turn, skew<double>(filter_.position - arm));
    known_ = true;
    stood_.fill(false);
    return true;
  }

  /// Turns the world so that what the accelerometer had is upwards and the base heads along x.
  void level() noexcept
  {
    const Vector up = this->up();
    const Eigen::Quaterniond upright = turned(turn_between(felt_.normalized(), up));
    const Vector ahead = upright * Vector::UnitX();
    const Vector wanted = Vector::UnitX() - up.x() * up;
    const double heading = std::atan2(up.dot(ahead.cross(wanted)), ahead.dot(wanted));
    filter_.orientation = Eigen::AngleAxisd(heading, up) * upright;
    filter_.gyroscope_bias.setZero();
    filter_.accelerometer_bias.setZero();
    filter_.covariance.setZero();

    // Leaning is known as well as the accelerometer: what its bias has is taken for a lean.
    const auto square = [](double x) { return x * x; };
    const double bias = square(settings_.accelerometer_bias);
    const double white = square(settings_.accelerometer_noise) / rested_ + square(restless);
    const Eigen::Matrix3d leans = skew<double>(up) / settings_.gravity.norm();
    const Eigen::Matrix3d of_bias = leans * filter_.orientation.toRotationMatrix();
    filter_.blur(Filter::turn, (bias + white) * leans * leans.transpose());
    // Leaning to and fro until feet tell how it leans, the base turns by half of two leans'
    // product.
    const double turns = (bias + white) / settings_.gravity.squaredNorm();
    filter_.blur(Filter::turn, square(turns) * up * up.transpose());
    filter_.blur(Filter::speed, square(0.05) * Eigen::Matrix3d::Identity());
    filter_.blur(Filter::gyroscope, square(settings_.gyroscope_bias) * Eigen::Matrix3d::Identity());
    filter_.blur(Filter::accelerometer, bias * Eigen::Matrix3d::Identity());
    filter_.link(Filter::turn, Filter::accelerometer, bias * of_bias);
  }

  /// Moves on by a reading as far as it tells, and for the rest as what floats.
  void carry_on(bool measured, const Vector & rate, const Vector & force, double step) noexcept
  {
    step_ = step;
    const double usual = period_.told(step), told = measured ? usual : 0.0;
    if (measured)
    {
      rate_ = rate - filter_.gyroscope_bias;
      filter_.carry_on(rate_, force - filter_.accelerometer_bias, settings_.gravity, noise_, told);
    }
    if (told < step)
    {
      const Vector floats = -(filter_.orientation.conjugate() * settings_.gravity);
      Noise blind = noise_;
      blind.gyroscope = blind_turns;
      blind.accelerometer = blind_pushes;
      filter_.carry_on(rate_, floats, settings_.gravity, blind, step - told);
    }
  }

  /// Takes in the feet that stand, once those that are balls have rolled.
  void take_feet() noexcept
  {
    const int count = settings_.robot.contact_count;
    for (int i = 0; i < count; ++i)
    {
      filter_.footholds[i] +=
        balls_[i].rolled(filter_.orientation * feet_.turns[i], filter_.arms[i]);
    }
    int taken = 0, slipped = 0;
    double way = 0.0, unlikely = 0.0;
    for (int i = 0; i < count; ++i)
    {
      const bool stood = stood_[i];
      stood_[i] = stands(i);
      if (!stood_[i])
      {
        continue;
      }
      if (!stood)
      {
        filter_.put(i, feet_.places[i], feet_.spreads[i]);
      }
      else if (filter_.take(i, feet_.places[i], feet_.spreads[i], likely))
      {
        unlikely += filter_.distance / 3.0;
        ++taken;
      }
      else
      {
        way = std::max(way, filter_.off(i, feet_.places[i]).norm());
        filter_.put(i, feet_.places[i], feet_.spreads[i]);
        add(Fault::foot_slips);
        ++slips_;
        ++slipped;
      }
    }
    doubt_velocity(slipped > 0 && taken == 0, way, unlikely / std::max(taken, 1));
    for (int i = 0; i < count; ++i)
    {
      balls_[i].rolled(filter_.orientation * feet_.turns[i], filter_.arms[i]);  // is no rolling
    }
  }

  /// Lets feet tell the velocity anew where all that stand slip for long, or are less likely than
  /// they can be: an IMU told what was not.
  void doubt_velocity(bool all_slip, double way, double unlikely) noexcept
  {
    adrift_ = all_slip ? adrift_ + step_ : 0.0;
    unlikely_ += std::min(step_ / doubting, 1.0) * (unlikely - unlikely_);
    if (adrift_ > longest_slip || unlikely_ > most_unlikely)
    {
      const double speed = std::max(way / step_, 1.0);
      unlikely_ = 0.0;
      filter_.blur(Filter::speed, speed * speed * Eigen::Matrix3d::Identity());
      adrift_ = 0.0;
    }
  }

  const Settings<Robot> settings_;
  const Noise noise_;
  Eigen::Matrix3d turn_ = Eigen::Matrix3d::Identity();  ///< base from IMU
  Vector lever_ = Vector::Zero();                       ///< where the IMU is in the base [m]
  Filter filter_;
  Feet<Robot> feet_;
  std::array<RollingBall, most_feet> balls_{};  ///< what they do on the ground
  std::array<double, most_feet> touched_{};     ///< for how long feet have touched [s]
  std::array<bool, most_feet> stood_{};         ///< which had a foothold
  Vector felt_ = Vector::Zero();                ///< force of the time that it has rested, by time
  Vector rate_ = Vector::Zero();                ///< [rad/s]
  double step_ = 1e-3, airborne_ = 0.0, rested_ = 0.0, imu_angle_ = ImuReading::unknown;
  UsualPeriod period_;
  double adrift_ = 0.0;    ///< for how long all feet have slipped [s]
  double unlikely_ = 0.0;  ///< mean of squares of normalised errors of feet
  std::uint32_t faults_ = 0;
  int slips_ = 0;
  bool known_ = false;  ///< whether there is an estimate
  bool begun_ = false;  ///< whether it begins no more
};

}  // namespace robcogen_ros::estimator

#endif  // ROBCOGEN_ROS__ESTIMATOR__BASE_ESTIMATOR_HPP_
