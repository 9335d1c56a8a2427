/* Updates an estimator of a base where each call of the allocator aborts. */
#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "robcogen_ros/model.h"

static int forbidden = 0;

void * __libc_malloc(size_t size);
void __libc_free(void * memory);

void * malloc(size_t size)
{
  if (forbidden)
  {
    abort();
  }
  return __libc_malloc(size);
}

void free(void * memory)
{
  if (forbidden)
  {
    abort();
  }
  __libc_free(memory);
}

static double about(double value, double spread)
{
  return rand() % 200 == 0 ? NAN : value + spread * (2.0 * rand() / RAND_MAX - 1.0);
}

static const robcogen_method * method(const robcogen_object * of, const char * name)
{
  for (size_t i = 0; i < of->method_count; ++i)
  {
    if (strcmp(of->methods[i].name, name) == 0)
    {
      return of->methods + i;
    }
  }
  exit(2);
}

/* Arguments: the library of the estimator, that of the robot, the symbol of its model. */
int main(int argc, char ** argv)
{
  void * core = argc > 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
  void * robot = core != NULL ? dlopen(argv[2], RTLD_NOW) : NULL;
  if (robot == NULL)
  {
    return 1;
  }
  const robcogen_model * model = ((const robcogen_model * (*)(void))dlsym(robot, argv[3]))();
  const robcogen_object * table = ((const robcogen_object * (*)(const robcogen_model *))dlsym(
    core, "robcogen_core_base_estimator"))(model);
  const double radius = 0.02;
  const double * settings[64] = {NULL};
  for (size_t i = 0; i < table->setting_count; ++i)
  {
    settings[i] = strcmp(table->settings[i].name, "foot_radius") == 0 ? &radius : NULL;
  }
  void * estimator = table->create(model, settings);
  const robcogen_method * update = method(table, "update");
  const robcogen_method * covariance = method(table, "covariance");

  double rate[3], force[3], q[64], closed[8], step = 1e-3, numbers[16][256];
  const double * inputs[] = {rate, force, q, closed, &step};
  double * outputs[16];
  for (int i = 0; i < 16; ++i)
  {
    outputs[i] = numbers[i];
  }
  long known = 0;
  forbidden = 1;
  for (int i = 0; i < 5000; ++i)
  {
    for (int k = 0; k < 3; ++k)
    {
      rate[k] = about(0.0, i < 500 ? 0.05 : 1.0);
      force[k] = about(k == 2 ? 9.81 : 0.0, i < 500 ? 0.1 : 5.0);
    }
    for (size_t k = 0; k < model->joint_count; ++k)
    {
      q[k] = about(0.5, i < 500 ? 1e-3 : 0.05);
    }
    for (size_t k = 0; k < model->contact_count; ++k)
    {
      closed[k] = i < 500 || (i / 200 + (int)k) % 3 != 0;
    }
    update->call(estimator, inputs, outputs);
    known += numbers[0][0] != 0.0;
    covariance->call(estimator, inputs, outputs);
  }
  forbidden = 0;
  printf("%ld estimates\n", known);
  return 0;
}
