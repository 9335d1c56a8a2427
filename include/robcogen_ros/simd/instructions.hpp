/// \file
/// What the compiler's flags allow, and the namespace of what is compiled with them.
#ifndef ROBCOGEN_ROS__SIMD__INSTRUCTIONS_HPP_
#define ROBCOGEN_ROS__SIMD__INSTRUCTIONS_HPP_

// Sines and cosines fuse multiplications and additions, if the processor does.
#if (defined(__FMA__) || defined(__ARM_FEATURE_FMA)) && !defined(ROBCOGEN_UNFUSED_SINES)
#define ROBCOGEN_FUSES
#endif

// Sources compiled with different flags must not run code of each other: each set of flags that
// changes what is compiled here has a namespace.
#if defined(__AVX512DQ__)
#define ROBCOGEN_SET avx512dq
#elif defined(__AVX512F__)
#define ROBCOGEN_SET avx512
#elif defined(__AVX2__)
#define ROBCOGEN_SET avx2
#elif defined(__AVX__)
#define ROBCOGEN_SET avx
#elif defined(__SSE4_2__)
#define ROBCOGEN_SET sse4
#else
#define ROBCOGEN_SET baseline
#endif
#ifdef ROBCOGEN_FUSES
#define ROBCOGEN_FUSION _fused
#else
#define ROBCOGEN_FUSION
#endif
#ifdef ROBCOGEN_STANDARD_SINES
#define ROBCOGEN_SINES _standard
#else
#define ROBCOGEN_SINES
#endif
#define ROBCOGEN_NAMESPACE_OF(a, b, c) a##b##c
#define ROBCOGEN_NAMESPACE(a, b, c) ROBCOGEN_NAMESPACE_OF(a, b, c)
#define ROBCOGEN_INSTRUCTIONS ROBCOGEN_NAMESPACE(ROBCOGEN_SET, ROBCOGEN_FUSION, ROBCOGEN_SINES)

#if defined(__AVX512F__)
#define ROBCOGEN_LANES 8
#elif defined(__AVX__)
#define ROBCOGEN_LANES 4
#else
#define ROBCOGEN_LANES 2
#endif

#endif  // ROBCOGEN_ROS__SIMD__INSTRUCTIONS_HPP_
