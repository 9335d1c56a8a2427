/// \file
/// Derivatives of the motion of a robot in contact, and of the forces of its contacts.
#ifndef ROBCOGEN_ROS__SPARSE__CONTACT_PRODUCTS_HPP_
#define ROBCOGEN_ROS__SPARSE__CONTACT_PRODUCTS_HPP_

#include <type_traits>

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

/// Copies so many numbers, or adds them to what is there.
template <int count, bool more = false, typename T>
[[gnu::always_inline]] static inline void copy(const T * from, T * to) noexcept
{
  if constexpr (more || count < width<T>)
  {
    for (int i = 0; i < count; ++i)
    {
      to[i] = more ? to[i] + from[i] : from[i];
    }
  }
  else
  {
    for (int i = 0; i < count; i += width<T>)
    {
      const int first = row_to_read<T>(i, count);
      write<T>(read<T>(from + first), to + first);
    }
  }
}

/// Copies all numbers.
template <int count, typename T>
[[gnu::always_inline]] static inline void copy_all(const T (&from)[count], T * to) noexcept
{
  copy<count>(static_cast<const T *>(from), to);
}

/// Divides columns into their first rows and the rest, or adds these to what is there.
template <int upper, int lower, int columns, bool more, typename T>
static void divide_rows(const T * whole, T * above, T * below) noexcept
{
  for (int column = 0; column < columns; ++column)
  {
    const T * own = whole + column * (upper + lower);
    copy<upper, more>(own, above + column * upper);
    copy<lower, more>(own + upper, below + column * lower);
  }
}

}  // namespace sparse

/// Answer of a robot to forces and accelerations of its contacts: Z = [P K'; -K R] with
/// M = H^-1 J', K = R M' and P = H^-1 - M K, which is symmetric.
///
/// \tparam size degrees of freedom, also of the base
/// \tparam rows rows of the contacts
template <int size, int rows, typename T>
struct ContactResponse
{
  T minus_inverse[size * size];
  T minus_M[size * rows];
  T P[size * size];
  T minus_K[size * rows];
  T Z[(size + rows) * (size + rows)];

  /// Computes them from H^-1 = L^-1 D^-1 L^-T, of which the first factor is dense.
  template <typename OfL, typename OfY>
  ContactResponse(
    const OfL & of_L, const OfY & of_Y, const T * L_inverse, const T * D_inverse_L,
    const T * D_inverse_Y, const T * R) noexcept
  {
    sparse::negated_product<0, size>(of_L, L_inverse, D_inverse_L, minus_inverse);
    sparse::negated_product<0, size>(of_Y, L_inverse, D_inverse_Y, minus_M);
    close(R);
  }

  /// Takes other rows for closed.
  void close(const T * R) noexcept
  {
    constexpr int all = size + rows;
    T held[size * rows];
    sparse::negated_dense_product<size, rows, rows>(minus_M, R, held);
    for (int row = 0; row < rows; ++row)
    {
      for (int i = 0; i < size; ++i)
      {
        minus_K[i * rows + row] = -held[row * size + i];
      }
      sparse::copy<size>(held + row * size, Z + (size + row) * all);
      sparse::copy<rows>(R + row * rows, Z + (size + row) * all + size);
    }
    sparse::negated_dense_product<size, rows, size>(minus_M, minus_K, P);
    for (int j = 0; j < size; ++j)
    {
      for (int i = j; i < size; ++i)
      {
        P[j * size + i] = P[j * size + i] - minus_inverse[j * size + i];
      }
      for (int i = 0; i < j; ++i)
      {
        P[j * size + i] = P[i * size + j];
      }
      sparse::copy<size>(P + j * size, Z + j * all);
      sparse::copy<rows>(minus_K + j * rows, Z + j * all + size);
    }
  }

  /// -Z S of slopes S = [r; s] of the conditions: those of the motion, and of the forces.
  ///
  /// \tparam more whether they are added to what is there
  template <bool more = false, typename OfS>
  void slopes(const OfS & of_S, const T * S, T * motion, T * forces) const noexcept
  {
    T product[(size + rows) * size];
    sparse::negated_product<0, size + rows>(of_S, Z, S, product);
    sparse::divide_rows<size, rows, size, more>(product, motion, forces);
  }

  /// Adds [M G; G] times the slopes of the forces, which those of other forces follow by G.
  void add_following(const T * G, T * motion, T * forces) const noexcept
  {
    constexpr int all = size + rows;
    T moved[size * rows], negated[all * rows], product[all * size];
    sparse::negated_dense_product<size, rows, rows>(minus_M, G, moved);
    for (int row = 0; row < rows; ++row)
    {
      for (int i = 0; i < size; ++i)
      {
        negated[row * all + i] = -moved[row * size + i];
      }
      for (int i = 0; i < rows; ++i)
      {
        negated[row * all + size + i] = -G[row * rows + i];
      }
    }
    sparse::negated_dense_product<all, rows, size>(negated, forces, product);
    sparse::divide_rows<size, rows, size, true>(product, motion, forces);
  }
};

}  // namespace robcogen_ros

#endif  // ROBCOGEN_ROS__SPARSE__CONTACT_PRODUCTS_HPP_
