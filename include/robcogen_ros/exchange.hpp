// Handing values from one thread to another without a lock.
#ifndef ROBCOGEN_ROS__EXCHANGE_HPP_
#define ROBCOGEN_ROS__EXCHANGE_HPP_

#include <array>
#include <atomic>
#include <type_traits>

namespace robcogen_ros
{

/// The newest value that one thread publishes, for one other thread to read: a triple buffer.
///
/// Neither side ever waits, allocates or sees half a value. The writer fills one slot, the reader
/// reads another, and the third holds what was published last; publish() and read() exchange slots.
/// For several readers, each gets an Exchange of its own.
///
/// \tparam Value what is handed over, for instance the constants of a parametric robot
template <typename Value>
class Exchange
{
  static_assert(std::is_copy_assignable_v<Value>);

public:
  explicit Exchange(const Value & first) : slots_{first, first, first} {}
  Exchange(const Exchange &) = delete;
  Exchange & operator=(const Exchange &) = delete;

  /// Makes a value the newest one. Only the writing thread may call this.
  void publish(const Value & value)
  {
    slots_[written_] = value;
    written_ = shared_.exchange(written_ | unread, std::memory_order_acq_rel) & index;
  }

  /// True if there is a value that read() has not returned yet. Only the reading thread may call
  /// this.
  bool fresh() const noexcept { return (shared_.load(std::memory_order_relaxed) & unread) != 0U; }

  /// The newest value, unchanged until the next call. Only the reading thread may call this.
  const Value & read() noexcept
  {
    if (fresh())
    {
      read_ = shared_.exchange(read_, std::memory_order_acq_rel) & index;
    }
    return slots_[read_];
  }

private:
  static constexpr unsigned index = 3U;
  static constexpr unsigned unread = 4U;  // marks a slot that was not read yet

  std::array<Value, 3> slots_;
  alignas(64) unsigned written_ = 0U;
  alignas(64) unsigned read_ = 1U;
  alignas(64) std::atomic<unsigned> shared_{2U};
  static_assert(std::atomic<unsigned>::is_always_lock_free);
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__EXCHANGE_HPP_
