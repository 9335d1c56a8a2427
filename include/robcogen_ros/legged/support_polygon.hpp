// Where the center of pressure can be.
#ifndef ROBCOGEN_ROS__LEGGED__SUPPORT_POLYGON_HPP_
#define ROBCOGEN_ROS__LEGGED__SUPPORT_POLYGON_HPP_

#include <Eigen/Core>
#include <algorithm>
#include <array>

namespace robcogen_ros::legged
{

/// The convex hull of points of a plane: of three or more a polygon, of two a line, of one itself.
///
/// \tparam most greatest number of points
template <int most>
class SupportPolygon
{
public:
  using Point = Eigen::Vector2d;

  void add(const Point & point) noexcept
  {
    if (count_ < most)
    {
      points_[count_++] = point;
    }
  }

  int size() const noexcept { return count_; }

  /// Mean of the points; zero without any.
  Point center() const noexcept
  {
    Point result = Point::Zero();
    for (int i = 0; i < count_; ++i)
    {
      result += points_[i] / count_;
    }
    return result;
  }

  /// Returns the shape about the same center, its points `share` times as far from it.
  SupportPolygon scaled(double share) const noexcept
  {
    SupportPolygon result = *this;
    const Point middle = center();
    for (int i = 0; i < count_; ++i)
    {
      result.points_[i] = middle + share * (points_[i] - middle);
    }
    return result;
  }

  /// Signed distance of a point to the border, positive inside; of a line and a point at most 0.
  double margin(const Point & point) const noexcept
  {
    const double distance = (closest_on_border(point) - point).norm();
    return inside(point) ? distance : -distance;
  }

  /// The point of the polygon that is closest to a point, which is returned where there is none.
  Point closest(const Point & point) const noexcept
  {
    return inside(point) ? point : closest_on_border(point);
  }

private:
  static double cross(const Point & a, const Point & b) noexcept
  {
    return a.x() * b.y() - a.y() * b.x();
  }

  /// Returns true if the line through two points has all others on its left.
  bool on_border(int from, int to) const noexcept
  {
    const Point along = points_[to] - points_[from];
    bool result = along.squaredNorm() > 0.0;
    for (int i = 0; i < count_; ++i)
    {
      result = result && cross(along, points_[i] - points_[from]) >= -1e-12;
    }
    return result;
  }

  bool inside(const Point & point) const noexcept
  {
    bool area = false, result = true;
    for (int i = 0; i < count_; ++i)
    {
      for (int j = 0; j < count_; ++j)
      {
        const Point along = points_[j] - points_[i];
        for (int k = 0; k < count_; ++k)
        {
          area = area || cross(along, points_[k] - points_[i]) > 1e-12;
        }
        result = result && (!on_border(i, j) || cross(along, point - points_[i]) >= 0.0);
      }
    }
    return area && result;
  }

  Point closest_on_border(const Point & point) const noexcept
  {
    Point best = count_ > 0 ? points_[0] : point;
    for (int i = 0; i < count_; ++i)
    {
      for (int j = 0; j < count_; ++j)
      {
        if (i != j && on_border(i, j))
        {
          const Point along = points_[j] - points_[i];
          const double place = along.dot(point - points_[i]) / along.squaredNorm();
          const Point found = points_[i] + std::clamp(place, 0.0, 1.0) * along;
          best = (found - point).squaredNorm() < (best - point).squaredNorm() ? found : best;
        }
      }
    }
    return best;
  }

  std::array<Point, most> points_{};
  int count_ = 0;
};

}  // namespace robcogen_ros::legged

#endif  // ROBCOGEN_ROS__LEGGED__SUPPORT_POLYGON_HPP_
