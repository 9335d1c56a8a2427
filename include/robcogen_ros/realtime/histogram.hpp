// Counting times in a room of fixed size, however many there are.
#ifndef ROBCOGEN_ROS__REALTIME__HISTOGRAM_HPP_
#define ROBCOGEN_ROS__REALTIME__HISTOGRAM_HPP_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>

namespace robcogen_ros::realtime
{

/// Histogram of times. Times below 64 ns have a bin each; above, each doubling is divided into 64
/// bins, so that no bin is wider than 1/64 of its times. The extremes are exact.
class Histogram
{
public:
  /// Counts a time [ns]; a negative one is zero. Takes the same few instructions always.
  void add(std::int64_t time) noexcept
  {
    const auto value = static_cast<std::uint64_t>(std::clamp<std::int64_t>(time, 0, longest));
    ++counts_[bin_of(value)];
    ++total_;
    sum_ += value;
    worst_ = std::max(worst_, value);
    least_ = std::min(least_, value);
  }

  std::uint64_t total() const noexcept { return total_; }
  std::uint64_t sum() const noexcept { return sum_; }
  std::uint64_t worst() const noexcept { return worst_; }
  std::uint64_t least() const noexcept { return total_ == 0 ? 0 : least_; }

  /// Calls `see(first, last, count)` for each bin that is not empty, from short times to long
  /// ones: it counted times from `first` to `last` [ns].
  template <typename See>
  void each(See && see) const
  {
    for (std::size_t bin = 0; bin < counts_.size(); ++bin)
    {
      if (counts_[bin] != 0)
      {
        see(first_of(bin), first_of(bin + 1) - 1, counts_[bin]);
      }
    }
  }

private:
  static constexpr unsigned bits = 6;
  static constexpr std::uint64_t fine = 1U << bits;
  static constexpr unsigned doublings = 34;
  static constexpr std::int64_t longest = (std::int64_t{1} << (bits + doublings)) - 1;  // 18 min

  static std::size_t bin_of(std::uint64_t value) noexcept
  {
    if (value < fine)
    {
      return value;
    }
    const unsigned shift = 63U - static_cast<unsigned>(__builtin_clzll(value)) - bits;
    return (shift + 1) * fine + ((value >> shift) - fine);
  }

  static std::uint64_t first_of(std::size_t bin) noexcept
  {
    const std::size_t doubling = bin / fine;
    return doubling == 0 ? bin : (fine + bin % fine) << (doubling - 1);
  }

  std::array<std::uint64_t, (doublings + 1) * fine> counts_{};
  std::uint64_t total_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t worst_ = 0;
  std::uint64_t least_ = longest;
};

/// The histogram as JSON.
inline std::ostream & operator<<(std::ostream & out, const Histogram & histogram)
{
  out << "{\"total\": " << histogram.total() << ", \"sum\": " << histogram.sum()
      << ", \"least\": " << histogram.least() << ", \"worst\": " << histogram.worst()
      << ", \"bins\": [";
  const char * separator = "";
  histogram.each(
    [&](auto first, auto last, auto count)
    {
      out << separator << '[' << first << ", " << last << ", " << count << ']';
      separator = ", ";
    });
  return out << "]}";
}

}  // namespace robcogen_ros::realtime

#endif  // ROBCOGEN_ROS__REALTIME__HISTOGRAM_HPP_
