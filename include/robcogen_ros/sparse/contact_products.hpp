/// \file
/// Derivatives of the motion of a robot in contact, and of the forces of its contacts.
#ifndef ROBCOGEN_ROS__SPARSE__CONTACT_PRODUCTS_HPP_
#define ROBCOGEN_ROS__SPARSE__CONTACT_PRODUCTS_HPP_

#include <algorithm>

#include "robcogen_ros/sparse/products.hpp"

namespace robcogen_ros
{
namespace sparse
{

/// -Z B of a Z of some rows and of as many columns as B has rows, column-major, all dense.
template <int height, int inner, int columns, typename T>
static void negated_dense_product(const T * Z, const T * B, T * result) noexcept
{
  constexpr int several = 4;
  short all[inner];
  for (int k = 0; k < inner; ++k)
  {
    all[k] = static_cast<short>(k);
  }
  constexpr int rest = columns % several, entire = columns - rest;
  for (int column = 0; column < entire; column += several)
  {
    negated_product_columns<several, 0, T, height>(
      all, inner, Z, B + column * inner, result + column * height);
  }
  if constexpr (rest > 0)
  {
    negated_product_columns<rest, 0, T, height>(
      all, inner, Z, B + entire * inner, result + entire * height);
  }
}

/// Copies so many numbers.
template <int count, typename T>
[[gnu::always_inline]] static inline void copy(const T * from, T * to) noexcept
{
  constexpr int step = count < width<T> ? 1 : width<T>;
  for (int i = 0; i < count; i += step)
  {
    const int first = std::min(i, count - step);
    if constexpr (step == 1)
    {
      to[first] = from[first];
    }
    else
    {
      write<T>(read<T>(from + first), to + first);
    }
  }
}

/// Divides columns into their first rows and the rest.
template <int upper, int lower, int columns, typename T>
static void divide_rows(const T * whole, T * above, T * below) noexcept
{
  for (int column = 0; column < columns; ++column)
  {
    const T * own = whole + column * (upper + lower);
    copy<upper>(own, above + column * upper);
    copy<lower>(own + upper, below + column * lower);
  }
}

/// [P K'; -K R] with K = R M' and P = H^-1 - M K, from -H^-1 and -M = -H^-1 J'. P, symmetric, and
/// -K are results.
template <int size, int rows, typename T>
static void contact_response(
  const T * minus_inverse, const T * minus_M, const T * R, T * P, T * minus_K, T * Z) noexcept
{
  constexpr int all = size + rows;
  T held[size * rows];
  negated_dense_product<size, rows, rows>(minus_M, R, held);
  for (int row = 0; row < rows; ++row)
  {
    for (int i = 0; i < size; ++i)
    {
      minus_K[i * rows + row] = -held[row * size + i];
    }
    copy<size>(held + row * size, Z + (size + row) * all);
    copy<rows>(R + row * rows, Z + (size + row) * all + size);
  }
  negated_dense_product<size, rows, size>(minus_M, minus_K, P);
  for (int j = 0; j < size; ++j)
  {
    for (int i = j; i < size; ++i)
    {
      P[j * size + i] -= minus_inverse[j * size + i];
    }
    for (int i = 0; i < j; ++i)
    {
      P[j * size + i] = P[i * size + j];
    }
    copy<size>(P + j * size, Z + j * all);
    copy<rows>(minus_K + j * rows, Z + j * all + size);
  }
}

}  // namespace sparse

/// The derivatives -[P K'; -K R] [r; s] by positions and by velocities, P and -K by forces.
///
/// \tparam size degrees of freedom, also of the base
/// \tparam rows rows of the contacts
template <int size, int rows, typename T, typename OfL, typename OfY, typename OfA, typename OfB>
static void contact_products(
  const OfL & of_L, const OfY & of_Y, const OfA & of_A, const OfB & of_B, const T * L_inverse,
  const T * D_inverse_L, const T * D_inverse_Y, const T * R, const T * A, const T * B, T * dqdd_dq,
  T * dqdd_dqd, T * dqdd_dtau, T * dforces_dq, T * dforces_dqd, T * dforces_dtau) noexcept
{
  constexpr int all = size + rows;
  T minus_inverse[size * size], minus_M[size * rows], Z[all * all], product[all * size];
  sparse::negated_product<0, size>(of_L, L_inverse, D_inverse_L, minus_inverse);
  sparse::negated_product<0, size>(of_Y, L_inverse, D_inverse_Y, minus_M);
  sparse::contact_response<size, rows>(minus_inverse, minus_M, R, dqdd_dtau, dforces_dtau, Z);
  sparse::negated_product<0, all>(of_A, Z, A, product);
  sparse::divide_rows<size, rows, size>(product, dqdd_dq, dforces_dq);
  sparse::negated_product<0, all>(of_B, Z, B, product);
  sparse::divide_rows<size, rows, size>(product, dqdd_dqd, dforces_dqd);
}

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SPARSE__CONTACT_PRODUCTS_HPP_
