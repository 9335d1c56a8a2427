/// Code of the interpreter, as `make.c` makes it and `evaluate.c` evaluates it.
#ifndef ROBCOGEN_ROS_INTERPRETER_CODE_H
#define ROBCOGEN_ROS_INTERPRETER_CODE_H

#include "robcogen_ros/interpreter/interpreter.h"

/// Kinds of instructions: the operations, and what stands for two of them, each of which is
/// rounded as if they were done one after the other.
enum kind
{
  LOAD = ROBCOGEN_INPUT,
  STORE = ROBCOGEN_CONSTANT,
  MULTIPLY_ADD = ROBCOGEN_OPERATION_COUNT,  ///< a * b + c
  MULTIPLY_SUBTRACT,                        ///< a * b - c
  SUBTRACT_PRODUCT,                         ///< c - a * b
  END,
  KIND_COUNT = END
};

/// Numbers that a field of a word can be.
enum
{
  FIELDS = 1 << 16
};

/// A word has four fields of 16 bits. A run of instructions is a word with their kind and, in all
/// the others, their count, then a word for each: the register of the result, those of operands.
/// Of a LOAD: the register, the argument, and in all the others the place in it; of a STORE alike.
struct robcogen_code
{
  size_t registers;
  size_t constant_count;
  double * constants;  ///< they are in the first registers
  uint64_t * words;
};

#endif
