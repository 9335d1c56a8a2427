/* robcogen_ros: the plain C interface of a generated robot.
 *
 * A generated library exports one function, `const robcogen_model * robcogen_model_<name>(void)`.
 *
 * All functions are pure and re-entrant; they allocate nothing, lock nothing and throw nothing.
 * No output may overlap an input.
 * Units are SI, angles radians. Matrices are column-major. Spatial vectors are angular first.
 * The struct only ever grows at its end: check `size` before reading a field that your header has
 * and the library may not have.
 */
#ifndef ROBCOGEN_ROS__MODEL_H_
#define ROBCOGEN_ROS__MODEL_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

#define ROBCOGEN_MODEL_VERSION 4
#define ROBCOGEN_OBJECT_VERSION 2

/* An input or output of a function. */
typedef struct robcogen_argument
{
  const char * name;
  size_t rows;
  size_t columns;
  int32_t optional; /* whether NULL may be passed for it: its default is used */
} robcogen_argument;

/* A function of the robot.
 *
 * call: evaluates it once.
 *   constants   what update_parameters() of the robot gives; NULL: of the parameters' defaults
 *   inputs      one pointer an input, in order; NULL where an optional one is left out
 *   outputs     one pointer an output, in order
 */
typedef struct robcogen_function
{
  const char * name;
  size_t input_count;
  const robcogen_argument * inputs;
  size_t output_count;
  const robcogen_argument * outputs;
  void (*call)(const double * constants, const double * const * inputs, double * const * outputs);
  /* Evaluates it for `count` states, whose inputs and outputs follow one another in memory. */
  void (*call_many)(
    size_t count, const double * constants, const double * const * inputs,
    double * const * outputs);
} robcogen_function;

/* Evaluates a function for `count` states that lie anywhere: a stride is how many doubles lie
 * between the beginnings of an argument of one state and of the next, 0 for an input that all
 * states share. Within a state, numbers follow one another. Strides of inputs that are left out are
 * not read. */
typedef void (*robcogen_call_strided)(
  size_t count, const double * constants, const double * const * inputs,
  const size_t * input_strides, double * const * outputs, const size_t * output_strides);

/* Where the numbers of an argument of many states lie. */
typedef struct robcogen_layout
{
  size_t stride; /* doubles from a number of a state to the same of the next; 0: all share them */
  size_t step;   /* doubles from a number of a state to the next of that state */
} robcogen_layout;

/* Evaluates a function for `count` states whose numbers lie anywhere. With stride 1 each number of
 * all states is together, as lanes have them. Layouts of inputs that are left out are not read. */
typedef void (*robcogen_call_laid_out)(
  size_t count, const double * constants, const double * const * inputs,
  const robcogen_layout * input_layouts, double * const * outputs,
  const robcogen_layout * output_layouts);

/* Evaluates a function once, as `call` does, for the robot of a context. */
typedef void (*robcogen_call_in_context)(
  void * context, const double * constants, const double * const * inputs,
  double * const * outputs);

/* A robot: constants and functions. */
typedef struct robcogen_model
{
  uint32_t size;    /* sizeof(robcogen_model) of the library */
  uint32_t version; /* ROBCOGEN_MODEL_VERSION of the library */
  const char * name;
  int32_t floating_base;
  size_t joint_count; /* n, number of coordinates */
  const char * const * joint_names;
  size_t link_count;
  const char * const * link_names; /* base first */
  size_t frame_count;
  const char * const * frame_names;
  size_t parameter_count;
  const char * const * parameter_names;
  const double * parameter_defaults; /* NaN where the robot's description gives none */
  size_t function_count;
  const robcogen_function * functions;
  const char * summary; /* everything else about the robot, as JSON */
  size_t constant_count;
  /* Computes the constants that all functions share; NULL for parameters: their defaults. */
  void (*update_parameters)(const double * parameters, double * constants);
  /* Bodies whose inertia depends on parameters, to tell whether values are sound: mass, then ixx,
   * ixy, ixz, iyy, iyz, izz about the center of mass, seven values a body. */
  size_t body_count;
  void (*open_bodies)(const double * parameters, double * inertias);
  const robcogen_call_strided * strided;   /* a call for many states for each function, in order */
  const robcogen_call_laid_out * laid_out; /* the same, for numbers of a state that lie apart */
  /* From version 4 on. */
  void * context;                         /* of `calls` */
  const robcogen_call_in_context * calls; /* a call for each function, in order */
  /* Of each coordinate; limits are infinite where there are none. */
  const double * lower_limits;
  const double * upper_limits;
  const double * velocity_limits;
  const double * effort_limits;
  const double * damping;
  const double * friction;
  int32_t damping_in_dynamics; /* whether the functions contain it */
  int32_t friction_in_dynamics;
  /* The tree: joint i moves link i + 1, is fixed on a link, and follows a coordinate by a factor.
   */
  size_t moving_joint_count;
  const int32_t * joint_parents;
  const int32_t * joint_coordinates;
  const double * joint_multipliers;
  const int32_t * frame_links; /* number of the link that each frame is fixed on */
  size_t contact_count;
  const char * const * contact_names;
  const int32_t * contact_frames;
  const int32_t * contact_rows; /* six a contact: whether it fixes this row of its frame */
  const bool * continuous;      /* of each coordinate: whether it turns without end */
  const char * const * moving_joint_names; /* of all joints that move, those that follow too */
  size_t motor_count;
  const int32_t * motor_joints; /* number of the joint that each motor moves, among those */
  const double * gears;         /* how far each motor turns as its joint moves by one */
  /* Of each motor, on its side of the gear; infinite where there are none. */
  const double * motor_velocity_limits;
  const double * motor_effort_limits;
} robcogen_model;

/* Sizes of arguments of objects: the room of a text, and those that depend on the robot, which
 * robcogen_core_size() tells. */
enum robcogen_size
{
  ROBCOGEN_TEXT = 512, /* numbers in whose place there are characters, with a zero at their end */
  ROBCOGEN_JOINTS = 1 << 20,
  ROBCOGEN_LINKS,
  ROBCOGEN_CONTACTS,
  ROBCOGEN_CONTACT_ROWS,
  ROBCOGEN_FREEDOMS, /* those of a floating base counted */
  ROBCOGEN_PARAMETERS,
  ROBCOGEN_EFFORTS_AND_ROWS, /* joints and rows of contacts */
  ROBCOGEN_CONE_ROWS,        /* inequalities of the contacts' forces */
  ROBCOGEN_MOTORS
};

/* What an object can do. Of its arguments vectors and numbers have 0 columns. */
typedef struct robcogen_method
{
  const char * name;
  size_t input_count;
  const robcogen_argument * inputs;
  size_t output_count;
  const robcogen_argument * outputs;
  /* Does it: one pointer an input, NULL where an optional one is left out; one an output. Returns
   * 0, or the number of a fault. It throws and locks nothing; it allocates nothing either, unless
   * it takes other settings (`set`, `change`). */
  int32_t (*call)(void * object, const double * const * inputs, double * const * outputs);
} robcogen_method;

/* Objects that belong to a robot and keep something from call to call: a ground that it stands on,
 * a controller. The core library has them for all robots. */
typedef struct robcogen_object
{
  uint32_t size;    /* sizeof(robcogen_object) of the library */
  uint32_t version; /* ROBCOGEN_OBJECT_VERSION of the library */
  const char * name;
  size_t setting_count;
  const robcogen_argument * settings; /* of `create`; optional ones may be NULL */
  /* NULL if there is no memory, or the robot lacks a function that the object calls. The model must
   * live as long as the object. */
  void * (*create)(const robcogen_model * model, const double * const * settings);
  void (*destroy)(void * object);
  size_t method_count;
  const robcogen_method * methods;
  size_t fault_count;
  const char * const * faults; /* what each number means that a method returns */
} robcogen_object;

#ifdef __cplusplus
}
#endif

#endif /* ROBCOGEN_ROS__MODEL_H_ */
