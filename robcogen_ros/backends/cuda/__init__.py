"""CUDA: the C of a robot as functions of a device, and kernels that take a state a thread."""
