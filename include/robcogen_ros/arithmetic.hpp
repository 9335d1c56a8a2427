/// \file
/// Refuses flags that let a compiler compute otherwise than IEEE 754 has it: what reduces an angle
/// before its sine is taken, and what notices that a number is none, would be compiled away.
#ifndef ROBCOGEN_ROS__ARITHMETIC_HPP_
#define ROBCOGEN_ROS__ARITHMETIC_HPP_

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error \
  "robcogen_ros cannot be compiled with -ffast-math, -Ofast or -ffinite-math-only: sines would \
be wrong, and NaN not be noticed. Compile this source without, or append -fno-associative-math \
-fno-reciprocal-math -fsigned-zeros -fno-finite-math-only (CMake: set_source_files_properties(<this \
source> PROPERTIES COMPILE_OPTIONS \"...\"))"
#endif

#ifdef __clang__
/// Begins a block whose sums are those that are written: clang tells by no macro of
/// -funsafe-math-optimizations and -fassociative-math.
#define ROBCOGEN_SUMS_AS_WRITTEN _Pragma("clang fp reassociate(off)")
#else
#define ROBCOGEN_SUMS_AS_WRITTEN

namespace robcogen_ros
{

/// Declared but never defined: a compiler that simplifies a sum with it ignores how sums are
/// rounded.
extern const double any_number;

static_assert(
  !__builtin_constant_p((any_number + 1.0) - any_number),
  "robcogen_ros cannot be compiled with -funsafe-math-optimizations or -fassociative-math: sines "
  "would be wrong. Compile this source without, or append -fno-associative-math "
  "-fno-reciprocal-math -fsigned-zeros -fno-finite-math-only (CMake: "
  "set_source_files_properties(<this source> PROPERTIES COMPILE_OPTIONS \"...\"))");

}  // namespace robcogen_ros
#endif

#endif  // ROBCOGEN_ROS__ARITHMETIC_HPP_
