// The words of a program file, each error with its line.
#ifndef ROBCOGEN_ROS__INTERPRETER__READER_HPP_
#define ROBCOGEN_ROS__INTERPRETER__READER_HPP_

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace robcogen_ros::interpreter
{

/// Reads a text word by word. Words are divided by one blank; the last of a line may have blanks.
class Reader
{
public:
  /// First words of program files of this version.
  static constexpr std::string_view kind = "robcogen program 1";

  Reader(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  /// \throws std::runtime_error always
  [[noreturn]] void fail(const std::string & what) const
  {
    throw std::runtime_error(name_ + ":" + std::to_string(line_) + ": " + what);
  }

  /// \throws std::runtime_error unless `right`
  void expect(bool right, const char * what) const
  {
    if (!right)
    {
      fail(std::string(what) + " out of range");
    }
  }

  /// The first two lines: kind and version of the file, and the checksum of what follows.
  void verify()
  {
    if (text_.substr(0, kind.size()) != kind)
    {
      fail("expected 'robcogen program 1': a program file of this version");
    }
    place_ = kind.size();
    end_line();
    keyword("checksum");
    const std::uint64_t expected = hexadecimal(word(), 8);
    end_line();
    if (crc32(text_.substr(place_)) != expected)
    {
      fail("the checksum is another: the file is incomplete or was changed; generate it again");
    }
  }

  /// A word within a line.
  std::string_view word()
  {
    const std::size_t end = text_.find_first_of(" \n", place_);
    if (end == std::string_view::npos || end == place_)
    {
      fail("the line ends too early");
    }
    const std::string_view found = text_.substr(place_, end - place_);
    place_ = end + (text_[end] == ' ' ? 1 : 0);
    return found;
  }

  /// Returns the rest of a line.
  std::string rest()
  {
    const std::size_t end = text_.find('\n', place_);
    if (end == std::string_view::npos || end == place_)
    {
      fail("expected a name");
    }
    std::string found(text_.substr(place_, end - place_));
    place_ = end;
    end_line();
    return found;
  }

  void end_line()
  {
    if (place_ >= text_.size() || text_[place_] != '\n')
    {
      fail("expected the end of the line");
    }
    ++place_;
    ++line_;
  }

  void end() const
  {
    if (place_ != text_.size())
    {
      fail("expected the end of the file");
    }
  }

  void keyword(const char * expected)
  {
    const std::string_view found = word();
    if (found != expected)
    {
      fail("expected '" + std::string(expected) + "', found '" + std::string(found) + "'");
    }
  }

  /// A line with a keyword and a name.
  std::string named(const char * title)
  {
    keyword(title);
    return rest();
  }

  /// A line with a keyword and the count of what follows.
  std::size_t count(const char * title)
  {
    keyword(title);
    const std::size_t found = number();
    end_line();
    return found;
  }

  /// A count, which cannot exceed the length of the file.
  std::size_t number()
  {
    const std::size_t found = below(std::numeric_limits<std::uint32_t>::max());
    expect(found <= text_.size(), "number");
    return found;
  }

  /// Rows and columns. All that a file tells of together cannot have more entries than it has
  /// characters.
  std::pair<std::size_t, std::size_t> shape()
  {
    const std::size_t rows = number();
    const std::size_t columns = number();
    const std::size_t left = text_.size() - entries_;
    expect(rows == 0 || columns <= left / rows, "number of entries");
    entries_ += rows * columns;
    return {rows, columns};
  }

  std::uint32_t below(std::size_t limit)
  {
    const std::string_view digits = word();
    std::uint32_t found = 0;
    const char * const end = digits.data() + digits.size();
    const auto [stopped, error] = std::from_chars(digits.data(), end, found);
    if (error != std::errc() || stopped != end)
    {
      fail("expected a number, found '" + std::string(digits) + "'");
    }
    expect(found < limit, "number");
    return found;
  }

  /// A number by its bits.
  double bits() { return from_bits(word()); }

  /// Reads bits as above, or NaN for "-".
  double optional_bits()
  {
    const std::string_view digits = word();
    return digits == "-" ? std::numeric_limits<double>::quiet_NaN() : from_bits(digits);
  }

  std::vector<double> list_of_bits(std::string_view values) const
  {
    std::vector<double> found;
    for (;;)
    {
      const std::size_t comma = values.find(',');
      found.push_back(from_bits(values.substr(0, comma)));
      if (comma == std::string_view::npos)
      {
        return found;
      }
      values.remove_prefix(comma + 1);
    }
  }

private:
  double from_bits(std::string_view digits) const
  {
    const std::uint64_t integer = hexadecimal(digits, 16);
    double found;
    static_assert(sizeof found == sizeof integer, "numbers have 64 bits");
    std::memcpy(&found, &integer, sizeof found);
    return found;
  }

  std::uint64_t hexadecimal(std::string_view digits, std::size_t length) const
  {
    std::uint64_t found = 0;
    const char * const end = digits.data() + digits.size();
    const auto [stopped, error] = std::from_chars(digits.data(), end, found, 16);
    if (digits.size() != length || error != std::errc() || stopped != end)
    {
      fail(
        "expected " + std::to_string(length) + " hexadecimal digits, found '" +
        std::string(digits) + "'");
    }
    return found;
  }

  static std::uint32_t crc32(std::string_view text) noexcept
  {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i)
    {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit)
      {
        value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0u);
      }
      table[i] = value;
    }
    std::uint32_t found = 0xffffffffu;
    for (const char each : text)
    {
      found = found >> 8 ^ table[(found ^ static_cast<unsigned char>(each)) & 0xffu];
    }
    return ~found;
  }

  std::string_view text_;
  std::string name_;
  std::size_t place_ = 0;
  std::size_t line_ = 1;
  std::size_t entries_ = 0;  ///< of all shapes so far
};

}  // namespace robcogen_ros::interpreter

#endif  // ROBCOGEN_ROS__INTERPRETER__READER_HPP_
