/// \file
/// Several numbers side by side, so that one call of a generated function computes several states.
///
/// Sines and cosines are computed here, for all lanes at once, to within 2 units in the last place.
#ifndef ROBCOGEN_ROS__SIMD__PACK_HPP_
#define ROBCOGEN_ROS__SIMD__PACK_HPP_

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "robcogen_ros/arithmetic.hpp"
#include "robcogen_ros/simd/instructions.hpp"

namespace robcogen_ros
{
inline namespace ROBCOGEN_INSTRUCTIONS
{

/// The most doubles that the compiler's flags allow to compute with at once.
constexpr int widest_pack = ROBCOGEN_LANES;

/// Angles up to which the quotient by pi/2 times each part of pi/2 is exact, and that quotient.
constexpr double farthest_angle = 0x1p20, most_turns = 667544.0;

/// Sines and cosines of angles that are too far for the reduction, infinite or no numbers.
[[gnu::cold, gnu::noinline]] static inline void sines_far(
  int count, const double * angles, double * sines, double * cosines) noexcept
{
  for (int i = 0; i < count; ++i)
  {
    if (!(__builtin_fabs(angles[i]) < farthest_angle))
    {
      sines[i] = std::sin(angles[i]);
      cosines[i] = std::cos(angles[i]);
    }
  }
}

/// The compiler's vectors of doubles, and of whole numbers of the same size.
template <int lanes>
struct Lanes;

template <>
struct Lanes<2>
{
  typedef double Values __attribute__((vector_size(16)));
  typedef std::int64_t Bits __attribute__((vector_size(16)));
};

template <>
struct Lanes<4>
{
  typedef double Values __attribute__((vector_size(32)));
  typedef std::int64_t Bits __attribute__((vector_size(32)));
};

template <>
struct Lanes<8>
{
  typedef double Values __attribute__((vector_size(64)));
  typedef std::int64_t Bits __attribute__((vector_size(64)));
};

/// Doubles, a lane each; all operations are those of double, lane by lane.
template <int lanes>
class Pack
{
public:
  using Values = typename Lanes<lanes>::Values;
  using Bits = typename Lanes<lanes>::Bits;

  Pack() = default;
  Pack(const Values & values) noexcept : values_(values) {}
  Pack(double value) noexcept : values_(value - Values{}) {}

  /// A number for each lane.
  template <typename... Numbers, std::enable_if_t<sizeof...(Numbers) + 1 == lanes, int> = 0>
  explicit Pack(double first, Numbers... others) noexcept : values_{first, others...}
  {
  }

  /// Reads as many numbers as there are lanes, from a place in memory on.
  static Pack read(const double * place) noexcept
  {
    Pack result;
    std::memcpy(&result.values_, place, sizeof(Values));
    return result;
  }

  void write(double * place) const noexcept { std::memcpy(place, &values_, sizeof(Values)); }

  double operator[](int lane) const noexcept { return values_[lane]; }
  void set(int lane, double value) noexcept { values_[lane] = value; }
  const Values & values() const noexcept { return values_; }

  friend Pack operator+(const Pack & a, const Pack & b) noexcept { return a.values_ + b.values_; }
  friend Pack operator-(const Pack & a, const Pack & b) noexcept { return a.values_ - b.values_; }
  friend Pack operator*(const Pack & a, const Pack & b) noexcept { return a.values_ * b.values_; }
  friend Pack operator/(const Pack & a, const Pack & b) noexcept { return a.values_ / b.values_; }
  friend Pack operator-(const Pack & a) noexcept { return -a.values_; }

  /// The sum over the lanes.
  friend double total(const Pack & a) noexcept
  {
    if constexpr (lanes == 2)
    {
      return a[0] + a[1];
    }
    else
    {
      return total(a.halves_added(std::make_index_sequence<lanes / 2>()));
    }
  }

  friend Pack sqrt(const Pack & a) noexcept
  {
    Pack root;
    for (int lane = 0; lane < lanes; ++lane)
    {
      root.values_[lane] = std::sqrt(a.values_[lane]);
    }
    return root;
  }

  friend Pack atan2(const Pack & y, const Pack & x) noexcept
  {
    Pack angle;
    for (int lane = 0; lane < lanes; ++lane)
    {
      angle.values_[lane] = std::atan2(y.values_[lane], x.values_[lane]);
    }
    return angle;
  }

  /// Returns in each lane what select() of numbers gives.
  __attribute__((always_inline)) friend Pack select(
    const Pack & condition, const Pack & first, const Pack & second) noexcept
  {
    const Values & c = condition.values_;
    const Values otherwise = c < 0.0 ? second.values_ : c;
    return Pack(c >= 0.0 ? first.values_ : otherwise);
  }

  __attribute__((always_inline)) friend void sincos(
    const Pack & x, Pack & sine, Pack & cosine) noexcept
  {
    sines_together<0>(&x, &sine, &cosine);
  }

  /// Computes sines and cosines of as many packs as there are places, and asks once whether any is
  /// far.
  template <std::size_t... place>
  [[gnu::always_inline]] static void sines_together(
    const Pack * x, Pack * sines, Pack * cosines) noexcept
  {
    if (__builtin_expect(!all_near((sines_near(x[place], sines[place], cosines[place]) + ...)), 0))
    {
      (sines_far(x[place], sines[place], cosines[place]), ...);
    }
  }

  /// Computes those of several packs, in a loop whose constants stay in registers.
  friend void sincos_each(std::size_t count, const Pack * x, Pack * sines, Pack * cosines) noexcept
  {
    Values squares{};
    for (std::size_t i = 0; i < count; ++i)
    {
      squares = squares + sines_near(x[i], sines[i], cosines[i]);
    }
    for (std::size_t i = 0; __builtin_expect(!all_near(squares), 0) && i < count; ++i)
    {
      sines_far(x[i], sines[i], cosines[i]);
    }
  }

  __attribute__((always_inline)) friend Pack sin(const Pack & x) noexcept
  {
    Pack sine, cosine;
    sincos(x, sine, cosine);
    return sine;
  }

  __attribute__((always_inline)) friend Pack cos(const Pack & x) noexcept
  {
    Pack sine, cosine;
    sincos(x, sine, cosine);
    return cosine;
  }

private:
  template <std::size_t... lane>
  Pack<lanes / 2> halves_added(std::index_sequence<lane...>) const noexcept
  {
    return Pack<lanes / 2>(values_[lane]...) + Pack<lanes / 2>(values_[lanes / 2 + lane]...);
  }

  [[gnu::always_inline]] void to(double (&numbers)[lanes]) const noexcept
  {
    std::memcpy(numbers, &values_, sizeof values_);
  }

  [[gnu::always_inline]] static Pack of(const double (&numbers)[lanes]) noexcept
  {
    Pack result;
    std::memcpy(&result.values_, numbers, sizeof numbers);
    return result;
  }

  /// An angle as a number of quarter turns and a rest of at most pi/4.
  struct Reduced
  {
    Values rest, turns;
    Bits quadrant;

    /// Minimax polynomials on [-pi/4, pi/4].
    [[gnu::always_inline]] Values sine() const noexcept
    {
      const Values z = rest * rest, zz = z * z;
      const Values p =
        (0x1.1111111110babp-7 + z * -0x1.a01a019e820aep-13) +
        zz * ((0x1.71de37946ed6dp-19 + z * -0x1.ae6008d114485p-26) + zz * 0x1.5e0a4fc16be59p-33);
      const Values positive_zero{};  // so that the sine of -0.0 is -0.0
      return rest - (z * rest * (0x1.5555555555555p-3 - z * p) + positive_zero);
    }

    [[gnu::always_inline]] Values cosine() const noexcept
    {
      const Values z = rest * rest, zz = z * z;
      const Values p = (0x1.5555555555555p-5 + z * -0x1.6c16c16c16963p-10) +
                       zz * ((0x1.a01a019f4ddfdp-16 + z * -0x1.27e4fa16cc2d1p-22) +
                             zz * (0x1.1eeb67d026ec6p-29 - z * 0x1.907cd8ff5ede7p-37));
      return 1.0 - z * (0.5 - z * p);
    }
  };

  /// Subtracts quarter turns, pi/2 in parts (W. Cody, W. Waite, Software manual for the elementary
  /// functions, 1980, chapter 8).
  ///
  /// Where multiplications are fused, the first part may have all 53 bits: the difference has no
  /// bit below 2^-53. Elsewhere the parts have 33 bits, so that all products are exact.
  [[gnu::always_inline]] static Reduced reduced(const Values & x) noexcept
  {
    ROBCOGEN_SUMS_AS_WRITTEN
    constexpr double magic = 0x1.8p52;  // its last bit is worth 1
    const Values shifted = x * 0x1.45f306dc9c883p-1 + magic;
    const Values turns = shifted - magic;
#ifdef ROBCOGEN_FUSES
    const Values minus = -turns;
    const Values a = fused(minus, 0x1.921fb54442d18p+0, x);
    const Values rest = fused(minus, 0x1.1a62633145c07p-54, a);
#else
    const Values a = x - turns * 0x1.921fb54400000p+0;
    const Values second = turns * 0x1.0b4611a600000p-34;
    const Values b = a - second;
    const Values rest = b - (turns * 0x1.3198a2e000000p-69 - ((a - b) - second));
#endif
    return {rest, turns, reinterpret_cast<Bits>(shifted)};
  }

#ifdef ROBCOGEN_FUSES
  /// a b + c, rounded once; said by name where a compiler would do it in two halves.
  [[gnu::always_inline]] static Values fused(const Values & a, double b, const Values & c) noexcept
  {
#if defined(__AVX512F__) && __has_builtin(__builtin_ia32_vfmaddpd512_mask)
    if constexpr (lanes == 8)
    {
      constexpr int as_set = 4;  // rounding
      return __builtin_ia32_vfmaddpd512_mask(a, b - Values{}, c, 0xff, as_set);
    }
#endif
    Values sum;
    for (int lane = 0; lane < lanes; ++lane)
    {
      sum[lane] = __builtin_fma(a[lane], b, c[lane]);
    }
    return sum;
  }
#endif

  /// Sines and cosines of angles that are not too far; of others, no matter what. Gives the squares
  /// of their quarter turns.
  [[gnu::always_inline]] static Values sines_near(
    const Pack & x, Pack & sine, Pack & cosine) noexcept
  {
    const Reduced r = reduced(x.values_);
    const Values s = r.sine(), c = r.cosine();
    const Bits odd = r.quadrant << 63, second_half = r.quadrant << 62;
    sine = turned(odd < 0 ? c : s, second_half);
    cosine = turned(odd < 0 ? s : c, odd ^ second_half);
    return r.turns * r.turns;
  }

  /// Replaces those of angles that are too far.
  [[gnu::always_inline]] static void sines_far(const Pack & x, Pack & sine, Pack & cosine) noexcept
  {
    double angles[lanes], sines[lanes], cosines[lanes];
    x.to(angles), sine.to(sines), cosine.to(cosines);
    robcogen_ros::sines_far(lanes, angles, sines, cosines);
    sine = of(sines), cosine = of(cosines);
  }

  /// Returns true if no angle is too far, by sums of squares of quarter turns, since that asks for
  /// one comparison; what it takes too far is told apart later.
  [[gnu::always_inline]] static bool all_near(const Values & squares) noexcept
  {
    constexpr double limit = most_turns * most_turns;
#if defined(__AVX512DQ__) && __has_builtin(__builtin_ia32_cvtq2mask512)
    if constexpr (lanes == 8)
    {
      typedef long long Mask __attribute__((vector_size(64)));
      const Mask mask = reinterpret_cast<Mask>(squares < limit);
      return static_cast<unsigned char>(__builtin_ia32_cvtq2mask512(mask)) == 0xff;
    }
#endif
#if defined(__AVX__) && __has_builtin(__builtin_ia32_movmskpd256)
    if constexpr (lanes == 4)
    {
      const Bits mask = squares < limit;
      return __builtin_ia32_movmskpd256(reinterpret_cast<Values>(mask)) == 0xf;
    }
#endif
    return total(Pack(squares)) < limit;
  }

  /// The negative where a sign bit is set.
  [[gnu::always_inline]] static Values turned(const Values & value, const Bits & sign) noexcept
  {
    constexpr std::int64_t sign_bit = INT64_MIN;
    return reinterpret_cast<Values>(reinterpret_cast<Bits>(value) ^ (sign & sign_bit));
  }

  Values values_;
};

/// Sine and cosine, of this library or of <cmath>.
template <int lanes>
[[gnu::always_inline]] static inline void sincos_here(
  const Pack<lanes> & x, Pack<lanes> & sine, Pack<lanes> & cosine) noexcept
{
#ifdef ROBCOGEN_STANDARD_SINES
  for (int i = 0; i < lanes; ++i)
  {
    sine.set(i, std::sin(x[i]));
    cosine.set(i, std::cos(x[i]));
  }
#else
  sincos(x, sine, cosine);
#endif
}

/// Computes them apart from the code that wants them, for which there is then less to fetch.
template <int lanes>
[[gnu::noinline]] static void sincos_apart(
  const Pack<lanes> & x, Pack<lanes> & sine, Pack<lanes> & cosine) noexcept
{
  sincos_here(x, sine, cosine);
}

/// The number in a lane.
template <int place, int lanes>
[[gnu::always_inline]] inline double lane(const Pack<lanes> & a) noexcept
{
  return a[place];
}

}  // namespace ROBCOGEN_INSTRUCTIONS
}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SIMD__PACK_HPP_
